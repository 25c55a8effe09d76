#pragma once
// What the axes of a NRRD file are: components, space, steps. The format allows any axis to be anything; what
// its kinds do not say follows from the space directions, the order, or the user's option.

#include <array>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "plugins/nrrd/nrrd_header.h"

namespace farfield::nrrd {

struct AxisRoles {
  std::array<int, 3> space{-1, -1, -1};  ///< the file's axis that is i, j, k
  int components = -1, steps = -1;
  Index3 dims{1, 1, 1};  ///< nodes
  std::int64_t componentCount = 1, stepCount = 1;
  /// Distance in bytes along each axis of the file.
  std::vector<std::int64_t> strides;
  Vec3 origin;
  std::array<Vec3, 3> directions{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  std::string said;  ///< "axes c i j k", for people
};

/// `letters`: the option's value; empty: find out. Throws Unsupported if there are too many axes of one kind,
/// Invalid if the letters do not fit, Corrupt.
AxisRoles rolesOf(const NrrdHeader& header, const std::string& letters);

}  // namespace farfield::nrrd
