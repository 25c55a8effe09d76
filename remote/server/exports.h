#pragma once
// The folders that a server shares: a single one whose paths begin at it, or several, each under its name.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "remote/server/root_folder.h"

namespace farfield::remote {

class Exports {
 public:
  using Folder =
      /// Name (empty: the only one) and folder.
      std::pair<std::string, std::shared_ptr<const RootFolder>>;
  explicit Exports(std::vector<Folder> folders) : m_folders(std::move(folders)) {}

  /// The folder that has `path`, and the path in it. Throws NotFound.
  std::pair<const RootFolder*, std::string> find(const std::string& path) const;
  std::vector<ListEntry> list(const std::string& path) const;
  /// Only what is below `folder`, where paths then begin. Throws NotFound, Io.
  Exports below(const std::string& folder) const;

 private:
  std::vector<Folder> m_folders;
};

}  // namespace farfield::remote
