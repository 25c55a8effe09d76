#pragma once
// The files of one run of a command: what it reads and what it will write, declared before the work begins, so
// that a run that would destroy something is refused while nothing has happened. Files are compared by device
// and inode, those that are not there yet by their folder's and their name.

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace farfield::cli {

/// Used by one thread.
class RunFiles {
 public:
  /// With `overwrite` the user said that files of others may be replaced.
  explicit RunFiles(bool overwrite = false) : m_overwrite(overwrite) {}

  /// An input. What is no file that is there (a URL) is passed over: opening it says what is wrong with it.
  /// Throws Invalid: it is an output.
  void reads(const std::filesystem::path& path);
  void reads(const std::vector<std::string>& names);
  /// The run makes this folder and those above it where they are not there, so files may be declared in them.
  void makes(const std::filesystem::path& folder);
  /// An output, which takes the place of what is there if that is empty, or `isOurs` says that it is what this
  /// program writes there. Throws Invalid: it is an input, another output, no file at all, or another's; Io:
  /// the folder is not there, or nothing can be written in it.
  void writes(const std::filesystem::path& path,
              const std::function<bool(const std::filesystem::path&)>& isOurs);
  /// The same, of files that begin with `head`.
  void writes(const std::filesystem::path& path, const std::string& head);

 private:
  using Identity = std::tuple<dev_t, ino_t, std::string>;
  Identity notThere(const std::filesystem::path& path);

  bool m_overwrite;
  std::set<Identity> m_inputs, m_outputs;
  std::set<std::filesystem::path> m_made;
  std::filesystem::path m_tried;  ///< the folder in which a file was made last, to see that it can be
};

}  // namespace farfield::cli
