#pragma once
// The files of a set that is not a store, as readers see them: a private folder of links with the names that the files have
// below the root, so that endings and neighbouring files are found. Files that data name in themselves (the values of a
// detached header, a list of steps) are found below the root and nowhere else, and get links as well.

#include <exception>
#include <map>
#include <string>
#include <vector>

#include "core/base/own_folder.h"
#include "core/fields/functions/open_data.h"
#include "remote/protocol/messages.h"
#include "remote/server/root_folder.h"

namespace farfield::remote {

/// Most files of a data set.
constexpr std::size_t kMostFiles = 4096;

class SetFiles {
 public:
  /// No files, for data that do not come from a folder.
  SetFiles() = default;
  /// Links for what `request` names: `files`, sources before solutions. Throws Io.
  SetFiles(const RootFolder& root, const OpenRequestMessage& request, std::vector<SharedFile> files);

  /// What a reader is asked to open. Its findNamed() uses this object and `root`.
  fields::OpenRequest localRequest(const RootFolder& root, const OpenRequestMessage& request);
  /// Bytes of all files that values come from.
  std::uint64_t bytes() const { return m_bytes; }
  /// `identity` of what was asked for, mixed with that of the files that the data name.
  std::uint64_t identityWith(std::uint64_t identity) const;
  /// Whether `request` leads to the same files once more; asked only where those that it names are the same.
  bool areCurrent(const RootFolder& root, const OpenRequestMessage& request) const;
  /// A text or an error with the client's names of files.
  std::string shown(const std::string& text) const;
  std::exception_ptr renamed(const std::exception_ptr& error) const;

 private:
  std::string link(SharedFile file, const std::string& path);
  void linkCompanions(const RootFolder& root, const std::string& path);
  std::string findNamed(const RootFolder& root, const std::string& file, const std::string& named);

  OwnFolder m_folder;  ///< of links
  std::vector<SharedFile> m_files;
  std::map<std::string, std::string> m_links;  ///< by the path below the root
  std::map<std::string, std::string> m_paths;  ///< by the link
  std::map<std::string, std::uint64_t>
      m_named;                         ///< by the path below the root: the identities of what data name
  std::vector<std::string> m_sources;  ///< of the request
  std::uint64_t m_root = 0;            ///< its identity
  std::uint64_t m_bytes = 0;
};

}  // namespace farfield::remote
