#include "remote/server/exports.h"

#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::remote {

std::pair<const RootFolder*, std::string> Exports::find(const std::string& path) const {
  if (m_folders.size() == 1 && m_folders.front().first.empty()) return {m_folders.front().second.get(), path};
  const auto slash = path.find('/');
  const std::string first = path.substr(0, slash);
  for (const auto& [name, folder] : m_folders)
    if (name == first) return {folder.get(), slash == std::string::npos ? "" : path.substr(slash + 1)};
  throw NotFound("the server shares nothing of that name", "list its root to see the names")
      .at(printable(path));
}

std::vector<ListEntry> Exports::list(const std::string& path) const {
  if (path.empty() && !(m_folders.size() == 1 && m_folders.front().first.empty())) {
    std::vector<ListEntry> entries;
    for (const auto& [name, folder] : m_folders) entries.push_back({EntryKind::Folder, 0, name, ""});
    return entries;
  }
  const auto [folder, rest] = find(path);
  return folder->list(rest);
}

Exports Exports::below(const std::string& folder) const {
  const auto [root, rest] = find(folder);
  return Exports({{"", std::make_shared<const RootFolder>(root->path() / rest)}});
}

}  // namespace farfield::remote
