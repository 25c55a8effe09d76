#pragma once
// Endings of names that say another format than PLOT3D: whatever begins like nothing else is tried as PLOT3D, and where it is none
// its name tells more than the nearest guess.

#include <optional>
#include <string>

namespace farfield::plot3d {

struct ForeignName {
  std::string message, advice;
};

/// By the ending of a file's name, large or small letters. Nothing for those that PLOT3D files may have.
std::optional<ForeignName> foreignName(const std::string& file);

}  // namespace farfield::plot3d
