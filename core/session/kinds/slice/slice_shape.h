#pragma once
// Slices: a plane through the cells of all blocks, or several parallel ones; or where an index has a value, also
// between nodes.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/lighting.h"
#include "core/session/kinds/kind.h"

namespace farfield::session {

/// Where one of the indices i, j, k has a value.
struct IndexSlice {
  int axis = 2;  ///< 0, 1, 2 for i, j, k
  std::vector<double> places{
      0};  ///< in cells from the first node; negative ones count from the end, -1 is the last node
  std::vector<std::int64_t> blocks = {};  ///< empty: all that have such a place
  bool operator==(const IndexSlice&) const = default;
};

struct Slice {
  static constexpr const char* kType = "slice";
  static constexpr scene::Lighting kLighting = scene::Lighting::Off;
  std::optional<Vec3> origin;  ///< none: the middle of the data
  Vec3 normal{0, 0, 1};
  /// Positions of the planes along the normal from the origin, in the data's length unit; empty: one plane
  /// through it.
  std::vector<double> offsets;
  std::optional<IndexSlice> index = {};  ///< instead of a plane
  bool resolvesOverlaps =
      false;  ///< of a plane: where blocks overlap, the one that location finds is shown, not all
  bool operator==(const Slice&) const = default;
};

void readKeys(const detail::View& view, Slice& out);
void writeKeys(detail::Keys& out, const Slice& shape);
std::unique_ptr<ObjectRun> makeRun(const Slice& shape, const Object& object,
                                   const paging::DatasetDescription& description);

}  // namespace farfield::session
