#pragma once
// The folders that a server shares: one whose paths begin at it, or several, each below its name.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "remote/server/root_folder.h"

namespace farfield::remote {

class Exports {
 public:
  using Folder =
      std::pair<std::string, std::shared_ptr<const RootFolder>>;  ///< name (empty: alone) and folder
  explicit Exports(std::vector<Folder> folders) : m_folders(std::move(folders)) {}

  /// The folder that has `path`, and the path in it. Throws NotFound.
  std::pair<const RootFolder*, std::string> find(const std::string& path) const;
  std::vector<ListEntry> list(const std::string& path) const;
  /// Only what lies below `folder`, which is then what paths begin at. Throws NotFound, Io.
  Exports below(const std::string& folder) const;

 private:
  std::vector<Folder> m_folders;
};

}  // namespace farfield::remote
