#include "plugins/carpet/carpet_files.h"

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/url.h"
#include "plugins/carpet/carpet_name.h"

namespace farfield::carpet {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;
constexpr std::size_t kMostFiles = 1 << 16, kMostEntries = 1 << 20;

struct Found {
  std::string set, path;
  std::int64_t process = 0;
};

class Search {
 public:
  /// Files below `folder`, also in the folders that divide a set; only those of `set`, empty: all.
  std::vector<std::string> run(const fs::path& folder, const std::string& set) {
    m_set = set;
    look(folder, 0);
    std::sort(m_found.begin(), m_found.end(), [](const Found& a, const Found& b) {
      return a.set != b.set           ? a.set < b.set
             : a.process != b.process ? a.process < b.process
                                      : a.path < b.path;
    });
    std::vector<std::string> paths;
    for (Found& found : m_found) paths.push_back(std::move(found.path));
    return paths;
  }

 private:
  void look(const fs::path& folder, int depth) {
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
      if (++m_entries > kMostEntries) throw Unsupported("has too many files in its folders", "name fewer");
      const std::string name = entry->path().filename().string();
      std::error_code ignored;
      if (entry->is_directory(ignored)) {
        if (depth < kDeepest && isPartOfSet(name)) look(entry->path(), depth + 1);
        continue;
      }
      if (!name.ends_with(".h5") || !entry->is_regular_file(ignored)) continue;
      const auto its = fileName(name);
      if (!m_set.empty() && (!its || its->set != m_set)) continue;
      m_found.push_back({its ? its->set : name, entry->path().string(), its ? its->process : 0});
      if (m_found.size() > kMostFiles)
        throw Unsupported("has more than " + std::to_string(kMostFiles) + " files",
                          "name a folder with fewer");
    }
    if (failed) throw ioError("its folder " + folder.string() + " cannot be listed", failed.value());
  }

  std::string m_set;
  std::vector<Found> m_found;
  std::size_t m_entries = 0;
};

/// As `source` of another process.
std::string named(const FileName& file, std::int64_t process) {
  return file.set + ".file_" + std::to_string(process) + ".h5";
}

}  // namespace

std::vector<std::string> filesOf(const std::string& source, std::int64_t processes,
                                 const fields::OpenRequest& request) {
  const auto its = fileName(lastPartOf(source));
  if (isUrl(source) || request.findNamed) {
    if (!its || processes < 2) return {source};
    if (processes > static_cast<std::int64_t>(kMostFiles)) throw Unsupported("has too many files");
    std::vector<std::string> files;
    for (std::int64_t n = 0; n < processes; ++n)
      files.push_back(n == its->process ? source : fields::namedFile(request, source, named(*its, n)));
    return files;
  }
  const fs::path path(source);
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return Search().run(path, {});
  if (!its) return {source};
  fs::path folder = fs::absolute(path).parent_path();
  for (int n = 0; n < kDeepest && isPartOfSet(folder.filename().string()); ++n) folder = folder.parent_path();
  std::vector<std::string> files = Search().run(folder, its->set);
  if (files.empty()) files.push_back(source);
  return files;
}

std::string firstIn(const std::string& folder) {
  std::error_code ignored;
  if (isUrl(folder) || !fs::is_directory(folder, ignored)) return {};
  try {
    const std::vector<std::string> files = Search().run(folder, {});
    return files.empty() ? std::string() : files.front();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace farfield::carpet
