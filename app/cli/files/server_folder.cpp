#include "app/cli/files/server_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/files/result_output.h"
#include "core/base/units.h"
#include "remote/client/server_folders.h"

namespace farfield::cli {
namespace {

using Json = nlohmann::ordered_json;
using remote::EntryKind;

const char* nameOf(EntryKind kind) {
  switch (kind) {
    case EntryKind::Folder:
      return "folder";
    case EntryKind::Store:
      return "store";
    case EntryKind::File:
      break;
  }
  return "file";
}

std::string textOf(const remote::ListEntry& entry, std::size_t width) {
  if (entry.kind == EntryKind::Folder) return "  " + entry.name + "/\n";
  std::string line = "  " + entry.name + std::string(width - std::min(width, entry.name.size()), ' ') + "  " +
                     formatBytes(entry.bytes);
  if (entry.kind == EntryKind::Store) line += ", paged store";
  if (!entry.solution.empty()) line += ", --solution " + entry.solution;
  return line + "\n";
}

}  // namespace

std::optional<remote::FarUrl> folderOf(const fields::OpenRequest& request) {
  if (request.sources.size() != 1 || !request.solutions.empty() || !remote::isFarUrl(request.sources.front()))
    return std::nullopt;
  remote::FarUrl url = remote::parseFarUrl(request.sources.front());
  if (!url.path.empty() && url.path.back() != '/') return std::nullopt;
  return url;
}

void printFolder(const remote::FarUrl& folder, bool asJson, const std::stop_token& stop) {
  remote::ServerFolders folders(folder, stop);
  const std::string path = folder.path.substr(0, folder.path.find_last_not_of('/') + 1);
  std::vector<remote::ListEntry> entries = folders.list(path, stop);
  std::stable_partition(entries.begin(), entries.end(),
                        [](const auto& entry) { return entry.kind == EntryKind::Folder; });
  const std::string url = remote::urlOf(folder, path.empty() ? path : path + "/");
  if (asJson) {
    Json out = {{"source", url}, {"server", folders.server()}, {"entries", Json::array()}};
    for (const remote::ListEntry& entry : entries) {
      Json its = {{"name", entry.name}, {"kind", nameOf(entry.kind)}};
      if (entry.kind != EntryKind::Folder) its["bytes"] = entry.bytes;
      if (!entry.solution.empty()) its["solution"] = entry.solution;
      out["entries"].push_back(std::move(its));
    }
    return printResult(out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  std::size_t width = 0;
  for (const remote::ListEntry& entry : entries) width = std::max(width, entry.name.size());
  std::string text = "folder     " + url + "\nserver     " + folders.server() + "\nentries    " +
                     std::to_string(entries.size()) + "\n";
  for (const remote::ListEntry& entry : entries) text += textOf(entry, width);
  printResult(text);
}

}  // namespace farfield::cli
