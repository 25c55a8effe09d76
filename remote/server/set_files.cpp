#include "remote/server/set_files.h"

#include <cstdlib>
#include <utility>

#include "core/base/error.h"
#include "core/base/temporary_file.h"
#include "core/paging/pages/codec.h"
#include "remote/server/named_errors.h"

namespace farfield::remote {
namespace {

/// Files whose neighbours are looked for: a folder is listed for each.
constexpr std::size_t kMostWithCompanions = 16;

/// Lists of other files that no reader follows by findNamed().
bool isList(const std::string& path) {
  for (const char* const ending : {".xmf", ".xdmf"})
    if (path.ends_with(ending)) return true;
  return false;
}

std::string baseName(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// RUNTIME_DIRECTORY, which the system's service manager sets, XDG_RUNTIME_DIR, or the folder for temporary files.
std::filesystem::path parentOfLinks() {
  const char* where = std::getenv("RUNTIME_DIRECTORY");
  if (!where) where = std::getenv("XDG_RUNTIME_DIR");
  std::error_code failure;
  return where && std::filesystem::is_directory(where, failure) ? std::filesystem::path(where)
                                                                : temporaryFolder();
}

bool isThere(const std::filesystem::path& path) {
  return std::filesystem::exists(std::filesystem::symlink_status(path));
}

}  // namespace

SetFiles::SetFiles(const RootFolder& root, const OpenRequestMessage& request, std::vector<SharedFile> files)
    : m_folder(parentOfLinks(), "farfield-pagerd-"), m_sources(request.sources), m_root(root.identity()) {
  std::size_t n = 0;
  for (const auto* const names : {&request.sources, &request.solutions})
    for (const std::string& name : *names) {
      m_bytes += files[n].bytes();
      link(std::move(files[n++]), name);
    }
  for (const auto* const names : {&request.sources, &request.solutions})
    for (n = 0; n < names->size() && n < kMostWithCompanions; ++n) linkCompanions(root, (*names)[n]);
}

std::string SetFiles::link(SharedFile file, const std::string& path) {
  if (const auto known = m_links.find(path); known != m_links.end()) return known->second;
  if (isList(path))
    throw Unsupported("a file that only names others is not served", "name those, or convert them to a store")
        .at(file.name());
  try {
    // files of different folders may have one name
    std::filesystem::path link = m_folder.path() / baseName(path);
    if (isThere(link)) {
      const std::filesystem::path own = m_folder.path() / std::to_string(m_files.size());
      std::filesystem::create_directory(own);
      link = own / baseName(path);
    }
    std::filesystem::create_symlink(file.path(), link);
    m_files.push_back(std::move(file));
    m_links.emplace(path, link.string());
    m_paths.emplace(link.string(), path);
    return link.string();
  } catch (const std::filesystem::filesystem_error& error) {
    throw Io("the links for a data set cannot be made: " + error.code().message());
  }
}

void SetFiles::linkCompanions(const RootFolder& root, const std::string& path) {
  for (SharedFile& companion : root.companions(path)) {
    const std::string name = companion.name();
    if (!isList(name) && !isThere(m_folder.path() / baseName(name))) link(std::move(companion), name);
  }
}

std::string SetFiles::findNamed(const RootFolder& root, const std::string& file, const std::string& named) {
  const std::string& from = m_paths.at(file);
  const std::string path = named.starts_with('/') ? named : from.substr(0, from.rfind('/') + 1) + named;
  SharedFile found = root.open(path);
  const bool isNew = !m_links.contains(path);
  if (isNew && m_files.size() >= kMostFiles)
    throw Invalid("names more than " + std::to_string(kMostFiles) + " files", "convert it to a store");
  if (m_named.try_emplace(path, found.identity()).second) m_bytes += found.bytes();
  const std::string its = link(std::move(found), path);
  if (isNew && m_named.size() <= kMostWithCompanions) linkCompanions(root, path);
  return its;
}

fields::OpenRequest SetFiles::localRequest(const RootFolder& root, const OpenRequestMessage& request) {
  fields::OpenRequest local;
  for (const std::string& name : request.sources) local.sources.push_back(m_links.at(name));
  for (const std::string& name : request.solutions) local.solutions.push_back(m_links.at(name));
  local.reader = request.reader;
  for (const auto& [key, value] : request.options)
    if (key != kMadeLevel) local.options.emplace(key, value);
  local.forConversion = request.forConversion;
  local.findNamed = [this, &root](const std::string& file, const std::string& named) {
    return findNamed(root, file, named);
  };
  return local;
}

std::uint64_t SetFiles::identityWith(std::uint64_t identity) const {
  if (m_named.empty()) return identity;
  std::vector<std::uint64_t> all{identity};
  for (const auto& [path, its] : m_named) all.push_back(its);
  return paging::checksum(std::as_bytes(std::span(all)));
}

bool SetFiles::areCurrent(const RootFolder& root, const OpenRequestMessage& request) const {
  if (m_named.empty()) return true;
  // under other names, or another root, what the files name may be elsewhere
  if (root.identity() != m_root || request.sources != m_sources) return false;
  try {
    for (const auto& [path, its] : m_named)
      if (root.open(path).identity() != its) return false;
  } catch (const Error&) {
    return false;
  }
  return true;
}

std::string SetFiles::shown(const std::string& text) const {
  if (m_folder.path().empty()) return text;
  return replaced(text, m_folder.path().string() + "/", "");
}

std::exception_ptr SetFiles::renamed(const std::exception_ptr& error) const {
  if (m_folder.path().empty()) return error;
  return remote::renamed(error, m_folder.path().string() + "/", "");
}

}  // namespace farfield::remote
