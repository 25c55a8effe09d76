#pragma once
// Private folders for what lives as long as an object: links, files that another program writes. What programs that were killed left is
// removed when the next one makes a folder.

#include <filesystem>
#include <string>

namespace farfield {

/// A folder that this user alone can enter. It is locked while it is in use, so that other programs leave it, and is
/// removed with this object. Movable.
class OwnFolder {
 public:
  /// None.
  OwnFolder() = default;
  /// Makes one in `parent` whose name begins with `prefix`, after removing those in it that no program uses any more. Throws Io.
  OwnFolder(const std::filesystem::path& parent, const std::string& prefix);
  OwnFolder(OwnFolder&& other) noexcept;
  OwnFolder& operator=(OwnFolder&&) = delete;
  ~OwnFolder();

  /// Empty: none.
  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
  int m_lock = -1;  ///< the open folder
};

}  // namespace farfield
