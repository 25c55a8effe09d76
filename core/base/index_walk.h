#pragma once
// Going through the places of an index box: all of them, or in parts of bounded size.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/geometry.h"

namespace farfield {

/// Calls visit(Index3) for all places of `box`, i fastest.
template <class Visit>
void forEachIndex(const IndexBox& box, Visit&& visit) {
  Index3 at;
  for (at[2] = box.first[2]; at[2] < box.first[2] + box.size[2]; ++at[2])
    for (at[1] = box.first[1]; at[1] < box.first[1] + box.size[1]; ++at[1])
      for (at[0] = box.first[0]; at[0] < box.first[0] + box.size[0]; ++at[0]) visit(at);
}

/// Calls visit(IndexBox) with parts of `box`, i fastest, of `edge` places along each axis, or what is left.
template <class Visit>
void forEachPart(const IndexBox& box, std::int64_t edge, Visit&& visit) {
  Index3 at;
  for (at[2] = 0; at[2] < box.size[2]; at[2] += edge)
    for (at[1] = 0; at[1] < box.size[1]; at[1] += edge)
      for (at[0] = 0; at[0] < box.size[0]; at[0] += edge) {
        IndexBox part;
        for (std::size_t a = 0; a < 3; ++a) {
          part.first[a] = box.first[a] + at[a];
          part.size[a] = std::min(edge, box.size[a] - at[a]);
        }
        visit(part);
      }
}

/// The number of `place` in `box`, i fastest.
inline std::size_t numberIn(const IndexBox& box, const Index3& place) {
  return static_cast<std::size_t>(
      linear({place[0] - box.first[0], place[1] - box.first[1], place[2] - box.first[2]}, box.size));
}

}  // namespace farfield
