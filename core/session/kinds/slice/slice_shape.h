#pragma once
// Slices: a plane through the cells of all blocks, or several parallel ones.

#include <memory>
#include <optional>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/lighting.h"
#include "core/session/kinds/kind.h"

namespace farfield::session {

struct Slice {
  static constexpr const char* kType = "slice";
  static constexpr scene::Lighting kLighting = scene::Lighting::Off;
  std::optional<Vec3> origin;  ///< none: the middle of the data
  Vec3 normal{0, 0, 1};
  /// Positions of the planes along the normal from the origin, in the data's length unit; empty: one plane
  /// through it.
  std::vector<double> offsets;
  bool operator==(const Slice&) const = default;
};

void readKeys(const detail::View& view, Slice& out);
void writeKeys(detail::Keys& out, const Slice& shape);
std::unique_ptr<ObjectRun> makeRun(const Slice& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
