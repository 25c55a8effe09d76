#pragma once
// What the axes of a NRRD file are: components, space, steps. The format lets every axis be anything; what its kinds do
// not say is told by the space directions, by the order, or by the user.

#include <array>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "plugins/nrrd/nrrd_header.h"

namespace farfield::nrrd {

struct AxisRoles {
  std::array<int, 3> space{-1, -1, -1};  ///< which axis of the file is i, j, k
  int components = -1, steps = -1;
  Index3 dims{1, 1, 1};  ///< nodes
  std::int64_t componentCount = 1, stepCount = 1;
  /// Bytes from one to the next along each axis of the file.
  std::vector<std::int64_t> strides;
  Vec3 origin;
  std::array<Vec3, 3> directions{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  std::string said;  ///< "axes c i j k", for people
};

/// `letters`: what the option says; empty: find out. Throws Unsupported where there are too many axes of one kind,
/// Invalid where the letters do not fit, Corrupt.
AxisRoles rolesOf(const NrrdHeader& header, const std::string& letters);

}  // namespace farfield::nrrd
