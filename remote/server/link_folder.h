#pragma once
// Private folders of links below XDG_RUNTIME_DIR or the folder for temporary files. What servers that were killed left
// there is removed when the next one makes a folder.

#include <filesystem>

namespace farfield::remote {

/// A folder that this user alone can enter. It is locked while it is in use, so that other servers leave it, and is
/// removed with this object. Movable.
class LinkFolder {
 public:
  /// None.
  LinkFolder() = default;
  /// Makes one in `parent`, after removing those in it that no server uses any more. Throws Io.
  explicit LinkFolder(const std::filesystem::path& parent);
  LinkFolder(LinkFolder&& other) noexcept;
  LinkFolder& operator=(LinkFolder&&) = delete;
  ~LinkFolder();

  /// Where folders are made unless somebody says otherwise: RUNTIME_DIRECTORY, which the system's service manager sets,
  /// XDG_RUNTIME_DIR, or the folder for temporary files.
  static std::filesystem::path usualParent();

  /// Empty: none.
  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
  int m_lock = -1;  ///< the open folder
};

}  // namespace farfield::remote
