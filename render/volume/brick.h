#pragma once
// Bricks: the unit that casters read. The cells of one level of a volume are cut into boxes of 32^3, counted
// from the first cell, independent of pages, so that pictures do not depend on pages. A brick holds the nodes
// of its cells and one more on each side, for gradients; beyond the volume these repeat the last.
//
// In memory a brick is kSide^3 values, i fastest; node (i, j, k), counted from the brick's first, is at (i +
// 1) + kSide ((j + 1) + kSide (k + 1)). Missing values (blank, fill) are NaN in F32.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::volume {

constexpr int kBrickCells = 32;
constexpr int kBrickSide = kBrickCells + 3;
constexpr std::size_t kBrickValues = std::size_t{kBrickSide} * kBrickSide * kBrickSide;
/// Groups of 8^3 cells with known ranges, which rays can skip: 4 along each axis, i fastest.
constexpr int kGroupCells = 8, kGroupsPerAxis = kBrickCells / kGroupCells;
constexpr int kGroups = kGroupsPerAxis * kGroupsPerAxis * kGroupsPerAxis;

/// How bricks store values: value = raw * factor + offset. i8 and i16 become U8 and U16, everything else but
/// u8 and u16 becomes F32.
enum class BrickType : std::uint8_t { U8, U16, F32 };
constexpr std::size_t sizeOf(BrickType type) {
  return type == BrickType::U8 ? 1 : type == BrickType::U16 ? 2 : 4;
}
struct BrickFormat {
  BrickType type = BrickType::F32;
  double factor = 1, offset = 0;
  double rawOf(double value) const { return (value - offset) / factor; }
};

/// A level of a volume and how it is cut. At least two nodes along each axis.
struct BrickGrid {
  Index3 nodes{2, 2, 2};
  Vec3 origin{}, spacing{1, 1, 1};  ///< of a regular grid
  /// Coordinates of the nodes of each axis of a rectilinear grid, ascending; empty: regular.
  std::array<std::vector<double>, 3> axes = {};
  int level = 0;

  bool rectilinear() const { return !axes[0].empty(); }
  /// Bricks along each axis.
  Index3 bricks() const;
  std::int64_t brickCount() const { return product(bricks()); }
  /// Cells of a brick: kBrickCells except at the far ends.
  Index3 cellsOf(const Index3& brick) const;
  Bounds bounds() const;
  /// Bounds of a brick's cells.
  Bounds boundsOf(const Index3& brick) const;
  double coordinate(int axis, std::int64_t node) const;
  /// The edge of the smallest cell.
  double finestEdge() const;
};

/// A brick in memory. Filled once, then read by any number of threads.
class Brick {
 public:
  Brick(const BrickFormat& format, const Index3& cells);

  /// Reuses the memory for another brick of the same source.
  void become(const Index3& cells) { m_cells = cells; }
  /// Memory of one brick, for the budget.
  static std::uint64_t bytesOf(const BrickFormat& format);

  const BrickFormat& format() const { return m_format; }
  const Index3& cells() const { return m_cells; }
  /// The values, followed by as many bytes as a vector may read too far.
  const std::byte* data() const { return m_bytes.get(); }
  /// For the reader to fill: raw values in the layout above.
  std::byte* raw() { return m_bytes.get(); }
  /// Fills a row from values, starting at (i, j, k) of the layout.
  void setRow(std::int64_t i, std::int64_t j, std::int64_t k, std::span<const double> values);
  /// `filled` (in the layout) holds at least the cells' nodes. Fills the rest by repeating values, and finds
  /// the ranges.
  void finish(const IndexBox& filled);
  /// Range of the raw values of each group's cells; low > high if it has none.
  const std::array<float, kGroups>& groupLow() const { return m_low; }
  const std::array<float, kGroups>& groupHigh() const { return m_high; }

 private:
  template <class Value>
  void setRowAs(std::size_t at, std::span<const double> values);
  template <class Value>
  void finishAs(const IndexBox& filled);

  BrickFormat m_format;
  Index3 m_cells;
  /// Not cleared: who takes hundreds at a time would wait for memory that their readers fill.
  std::unique_ptr<std::byte[]> m_bytes;
  std::array<float, kGroups> m_low, m_high;
};

}  // namespace farfield::volume
