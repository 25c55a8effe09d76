#pragma once
// An array whose numbers lie at regular distances in a ByteSource, in any order of axes, read by boxes of
// nodes: with few reads, a bounded scratch buffer for any box, and nothing kept.

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/base/geometry.h"
#include "plugins/arrays/byte_source.h"
#include "plugins/arrays/unpacking.h"

namespace farfield::arrays {

/// A box of the array's nodes, and its position. Strides may be negative: an axis that the file counts from
/// the other end.
struct Piece {
  IndexBox nodes;
  std::shared_ptr<const ByteSource> bytes;
  std::uint64_t offset = 0;               ///< of component 0 of the piece's first node
  std::array<std::int64_t, 3> strides{};  ///< bytes from a node to the next along i, j, k
  std::int64_t componentStride = 0;       ///< bytes from a component to the next
};

/// Of an axis along which the numbers lie between the nodes of the array, as those on faces of cells do: node n has the mean of the numbers `lower` + n and the one after it; where one of them
/// is beyond the end, it has the other.
struct Between {
  std::int64_t numbers = 0;  ///< along the axis; 0: they lie on the nodes
  std::int64_t lower = 0;
  bool isNearest =
      false;  ///< the node has the number `lower` + n itself or, beyond an end, the last one there; so of all axes with numbers
};

struct PlacedArray {
  NumberType type = NumberType::U8;
  bool bigEndian = false;
  int components = 1;
  /// The pieces per step, or one list for all. Together they hold every node; where they overlap the last
  /// counts.
  std::vector<std::vector<Piece>> steps;
  /// With one entry in `steps`: bytes from a step to the next; 0 if all steps are the same.
  std::int64_t stepStride = 0;
  std::shared_ptr<const Unpacking> unpacking = nullptr;  ///< null: the numbers are the values
  /// With several entries in `steps` that are packed in ways of their own: that of each, all of the type of `unpacking`. Else none.
  std::vector<std::shared_ptr<const Unpacking>> unpackings = {};
  /// Nodes of pieces are numbers, then, and the values real numbers unless they are the nearest.
  std::array<Between, 3> between{};

  bool isBetween() const { return between[0].numbers + between[1].numbers + between[2].numbers > 0; }
  bool isNearest() const { return between[0].isNearest || between[1].isNearest || between[2].isNearest; }
  bool hasSteps() const { return steps.size() > 1 || stepStride != 0; }
  /// Of the values that readBox() gives.
  ScalarType valueType() const { return unpacking ? unpacking->type : keptAs(type); }

  const Unpacking* unpackingAt(std::int64_t step) const {
    return unpackings.empty() ? unpacking.get() : unpackings[static_cast<std::size_t>(step)].get();
  }
  StoredAs storedAs(std::int64_t step) const { return {type, bigEndian, unpackingAt(step)}; }
  const std::vector<Piece>& piecesOf(std::int64_t step) const {
    return steps[steps.size() > 1 ? static_cast<std::size_t>(step) : 0];
  }
};

/// The piece of all of `dims` at `offset`, i fastest, components together (or, `planar`, one after the other).
Piece densePiece(const Index3& dims, NumberType type, int components, bool planar,
                 std::shared_ptr<const ByteSource> bytes, std::uint64_t offset);

/// Bytes of all numbers of an array. Throws Corrupt if no file can be that large.
std::uint64_t bytesOfAll(const Index3& dims, int components, NumberType type);

/// Throws Corrupt unless every number of every piece lies in its source for `stepCount` steps. Must be called
/// before readBox(), which does not check.
void checkPlaces(const PlacedArray& array, std::int64_t stepCount);

/// Components `first` … `first` + `count` - 1 at the nodes of `box`, components fastest, as valueType(), into
/// `out` (exactly so many bytes). Thread-safe. Throws what the sources throw.
void readBox(const PlacedArray& array, std::int64_t step, const IndexBox& box, int first, int count,
             std::span<std::byte> out);

/// Values of `bytes` at the nodes of `box` that are the nearest numbers, which `read` gives for a box of numbers. No memory is needed but
/// `out`.
void readNearest(const std::array<Between, 3>& between, const IndexBox& box, int bytes,
                 std::span<std::byte> out,
                 const std::function<void(const IndexBox& numbers, std::span<std::byte> out)>& read);

}  // namespace farfield::arrays
