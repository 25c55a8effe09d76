#include "remote/server/served_set.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/paging/store/store_file.h"
#include "remote/server/named_errors.h"
#include "remote/server/served_store.h"

namespace farfield::remote {
namespace {

constexpr std::size_t kMostFiles = 4096;

/// Formats whose files say where other files lie: what is in them is not for this server to follow.
bool namesOthers(const std::string& path) {
  for (const char* const ending :
       {".p3d", ".pvd", ".vtm", ".pvti", ".pvts", ".pvtr", ".pvtu", ".xmf", ".xdmf"})
    if (path.ends_with(ending)) return true;
  return false;
}

std::string mixed(const std::string& text, const std::string& more) {
  return text + std::to_string(more.size()) + ":" + more + ",";
}

std::uint64_t identityOf(const std::vector<SharedFile>& files, const OpenRequestMessage& request) {
  std::string text = request.forConversion ? "convert," : "pages,";
  for (const SharedFile& file : files) text = mixed(text, std::to_string(file.identity()));
  text = mixed(text, std::to_string(request.sources.size()));
  text = mixed(text, request.reader);
  for (const auto& [key, value] : request.options) text = mixed(mixed(text, key), value);
  return paging::checksum(std::as_bytes(std::span(text)));
}

/// The files that a request names, sources before solutions.
std::vector<SharedFile> filesOf(const RootFolder& root, const OpenRequestMessage& request) {
  if (request.sources.empty()) throw Invalid("no data are named");
  if (request.sources.size() + request.solutions.size() > kMostFiles)
    throw Invalid("more than " + std::to_string(kMostFiles) + " files are named as one data set",
                  "convert them to a store");
  std::vector<SharedFile> files;
  for (const auto* names : {&request.sources, &request.solutions})
    for (const std::string& name : *names) {
      files.push_back(root.open(name));
      if (namesOthers(name))
        throw Unsupported("a file that only names others is not served",
                          "name those, or convert them to a store")
            .at(files.back().name());
    }
  return files;
}

std::string baseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::filesystem::path privateFolder() {
  const char* where = std::getenv("RUNTIME_DIRECTORY");
  if (!where) where = std::getenv("XDG_RUNTIME_DIR");
  std::error_code failure;
  std::string name =
      (where && std::filesystem::is_directory(where, failure) ? std::filesystem::path(where)
                                                              : std::filesystem::temp_directory_path()) /
      "farfield-pagerd-XXXXXX";
  if (!::mkdtemp(name.data())) throw ioError("a folder for links cannot be made", errno).at(name);
  return name;
}

}  // namespace

SetFiles::SetFiles(SetFiles&& other) noexcept
    : files(std::move(other.files)), folder(std::move(other.folder)), forConversion(other.forConversion) {
  other.folder.clear();
}

SetFiles::~SetFiles() {
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
}

std::string SetFiles::shown(const std::string& text) const {
  if (folder.empty()) return text;
  return replaced(text, folder.string() + "/", "");
}

std::exception_ptr SetFiles::renamed(const std::exception_ptr& error) const {
  if (folder.empty()) return error;
  return remote::renamed(error, folder.string() + "/", "");
}

bool ServedSet::isWhole() const {
  const std::vector<PartsReply::Part> all = parts().parts;
  return std::all_of(all.begin(), all.end(), [](const PartsReply::Part& part) { return part.isHere; });
}

std::uint64_t identityOf(const RootFolder& root, const OpenRequestMessage& request) {
  return identityOf(filesOf(root, request), request);
}

std::shared_ptr<ServedSet> openSet(const RootFolder& root, const OpenRequestMessage& request,
                                   const SetSurroundings& surroundings) {
  std::vector<SharedFile> files = filesOf(root, request);
  const std::uint64_t identity = identityOf(files, request);
  if ((request.reader.empty() || request.reader == "farfield") && request.sources.size() == 1 &&
      paging::StoreFile::looksLikeStore(files.front().path())) {
    if (!request.solutions.empty())
      throw Invalid("a store has its own solution", "leave out the solution").at(files.front().name());
    return servedStore(std::move(files.front()), root, request, identity, surroundings);
  }
  Opened facts;
  facts.identity = identity;
  SetFiles set;
  set.forConversion = request.forConversion;
  set.folder = privateFolder();
  fields::OpenRequest local;
  local.reader = request.reader;
  local.options.insert(request.options.begin(), request.options.end());
  local.forConversion = request.forConversion;
  try {
    for (std::size_t n = 0; n < files.size(); ++n) {
      facts.fileBytes += files[n].bytes();
      const bool isSource = n < request.sources.size();
      const std::string& asked =
          isSource ? request.sources[n] : request.solutions[n - request.sources.size()];
      // Files of different folders may have one name.
      std::filesystem::path link = set.folder / baseName(asked);
      if (std::filesystem::exists(std::filesystem::symlink_status(link))) {
        std::filesystem::create_directory(set.folder / std::to_string(n));
        link = set.folder / std::to_string(n) / baseName(asked);
      }
      std::filesystem::create_symlink(files[n].path(), link);
      (isSource ? local.sources : local.solutions).push_back(link.string());
    }
    for (std::size_t n = 0; n < request.sources.size() && n < 16; ++n)
      for (SharedFile& companion : root.companions(request.sources[n])) {
        const std::filesystem::path link = set.folder / baseName(companion.name());
        if (namesOthers(companion.name()) || std::filesystem::exists(std::filesystem::symlink_status(link)))
          continue;
        std::filesystem::create_symlink(companion.path(), link);
        set.files.push_back(std::move(companion));
      }
    for (SharedFile& file : files) set.files.push_back(std::move(file));
    auto data = surroundings.readers.open(local, surroundings.account);
    return servedData(std::move(data), std::move(facts), std::move(set), surroundings.account);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Io("the links for a data set cannot be made: " + error.code().message());
  } catch (...) {
    std::rethrow_exception(set.renamed(std::current_exception()));
  }
}

}  // namespace farfield::remote
