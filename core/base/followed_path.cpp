#include "core/base/followed_path.h"

#include <system_error>

namespace farfield {

std::filesystem::path followedPath(const std::filesystem::path& path) {
  std::filesystem::path made;
  for (const std::filesystem::path& part : path) {
    if (part == "." || part.empty()) continue;  // behind a slash at the end there is nothing
    if (part != "..") {
      made /= part;
      continue;
    }
    std::error_code unseen;
    if (std::filesystem::is_symlink(made, unseen))
      if (const std::filesystem::path real = std::filesystem::canonical(made, unseen); !unseen) made = real;
    if (made.empty() || made.filename() == "..")
      made /= part;
    else
      made = made.parent_path();  // of the root itself
  }
  return made.empty() && !path.empty() ? "." : made;
}

}  // namespace farfield
