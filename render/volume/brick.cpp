#include "render/volume/brick.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace farfield::volume {
namespace {
/// Space for a gather of four bytes at the last value, and the layer before the first.
constexpr std::size_t kTail = 64;
}  // namespace

Index3 BrickGrid::bricks() const {
  Index3 count;
  for (std::size_t a = 0; a < 3; ++a) count[a] = (nodes[a] - 1 + kBrickCells - 1) / kBrickCells;
  return count;
}

Index3 BrickGrid::cellsOf(const Index3& brick) const {
  Index3 cells;
  for (std::size_t a = 0; a < 3; ++a)
    cells[a] = std::min<std::int64_t>(kBrickCells, nodes[a] - 1 - brick[a] * kBrickCells);
  return cells;
}

double BrickGrid::coordinate(int axis, std::int64_t node) const {
  const auto& along = axes[static_cast<std::size_t>(axis)];
  return along.empty() ? origin[axis] + spacing[axis] * static_cast<double>(node)
                       : along[static_cast<std::size_t>(node)];
}

Bounds BrickGrid::bounds() const {
  Bounds box;
  box.add(Vec3{coordinate(0, 0), coordinate(1, 0), coordinate(2, 0)});
  box.add(Vec3{coordinate(0, nodes[0] - 1), coordinate(1, nodes[1] - 1), coordinate(2, nodes[2] - 1)});
  return box;
}

Bounds BrickGrid::boundsOf(const Index3& brick) const {
  const Index3 cells = cellsOf(brick);
  Vec3 low, high;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t first = brick[static_cast<std::size_t>(a)] * kBrickCells;
    low[a] = coordinate(a, first);
    high[a] = coordinate(a, first + cells[static_cast<std::size_t>(a)]);
  }
  Bounds box;
  box.add(low);
  box.add(high);
  return box;
}

double BrickGrid::finestEdge() const {
  double finest = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    const auto& along = axes[static_cast<std::size_t>(a)];
    if (along.empty()) finest = std::min(finest, std::abs(spacing[a]));
    for (std::size_t n = 1; n < along.size(); ++n) finest = std::min(finest, along[n] - along[n - 1]);
  }
  return finest;
}

Brick::Brick(const BrickFormat& format, const Index3& cells)
    : m_format(format),
      m_cells(cells),
      m_bytes(std::make_unique_for_overwrite<std::byte[]>(kBrickValues * sizeOf(format.type) + kTail)) {}

std::uint64_t Brick::bytesOf(const BrickFormat& format) {
  return kBrickValues * sizeOf(format.type) + kTail + sizeof(Brick);
}

template <class Value>
void Brick::setRowAs(std::size_t at, std::span<const double> values) {
  Value* const row = reinterpret_cast<Value*>(m_bytes.get()) + at;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double raw = m_format.rawOf(values[i]);
    if constexpr (std::is_floating_point_v<Value>)
      row[i] = static_cast<Value>(raw);
    else
      row[i] = static_cast<Value>(
          std::clamp(raw + 0.5, 0.0, static_cast<double>(std::numeric_limits<Value>::max())));
  }
}

void Brick::setRow(std::int64_t i, std::int64_t j, std::int64_t k, std::span<const double> values) {
  const auto at = static_cast<std::size_t>(i + kBrickSide * (j + kBrickSide * k));
  switch (m_format.type) {
    case BrickType::U8:
      return setRowAs<std::uint8_t>(at, values);
    case BrickType::U16:
      return setRowAs<std::uint16_t>(at, values);
    case BrickType::F32:
      return setRowAs<float>(at, values);
  }
}

template <class Value>
void Brick::finishAs(const IndexBox& filled) {
  auto* const out = reinterpret_cast<Value*>(m_bytes.get());
  std::array<std::int64_t, 3> first = filled.first, last, size;
  for (std::size_t a = 0; a < 3; ++a) {
    last[a] = first[a] + filled.size[a] - 1;
    size[a] = m_cells[a] + 3;
  }
  const auto row = [&](std::int64_t j, std::int64_t k) { return out + kBrickSide * (j + kBrickSide * k); };
  if (filled.size != size)
    for (std::int64_t k = 0; k < size[2]; ++k)
      for (std::int64_t j = 0; j < size[1]; ++j) {
        const Value* const from = row(std::clamp(j, first[1], last[1]), std::clamp(k, first[2], last[2]));
        Value* const to = row(j, k);
        // rows that are sources of others are not overwritten
        for (std::int64_t i = 0; i < size[0]; ++i) {
          const std::int64_t source = std::clamp(i, first[0], last[0]);
          if (to != from || source != i) to[i] = from[source];
        }
      }
  // a group's cells use its nodes and the first ones behind them
  for (int group = 0; group < kGroups; ++group) {
    std::array<std::int64_t, 3> from, to;
    const Index3 at = unlinear(group, {kGroupsPerAxis, kGroupsPerAxis, kGroupsPerAxis});
    bool any = true;
    for (std::size_t a = 0; a < 3; ++a) {
      from[a] = at[a] * kGroupCells + 1;
      to[a] = std::min(from[a] + kGroupCells, m_cells[a] + 1);
      any = any && at[a] * kGroupCells < m_cells[a];
    }
    float low = std::numeric_limits<float>::infinity(), high = -low;
    if (any)
      for (std::int64_t k = from[2]; k <= to[2]; ++k)
        for (std::int64_t j = from[1]; j <= to[1]; ++j) {
          const Value* const values = row(j, k);
          Value least = std::numeric_limits<Value>::max(), most = std::numeric_limits<Value>::lowest();
          // NaN is neither less nor greater
          for (std::int64_t i = from[0]; i <= to[0]; ++i) {
            least = values[i] < least ? values[i] : least;
            most = values[i] > most ? values[i] : most;
          }
          if (!(least <= most)) continue;
          const auto l = static_cast<float>(least), h = static_cast<float>(most);
          low = l < low ? l : low;
          high = h > high ? h : high;
        }
    m_low[static_cast<std::size_t>(group)] = low;
    m_high[static_cast<std::size_t>(group)] = high;
  }
}

void Brick::finish(const IndexBox& filled) {
  switch (m_format.type) {
    case BrickType::U8:
      return finishAs<std::uint8_t>(filled);
    case BrickType::U16:
      return finishAs<std::uint16_t>(filled);
    case BrickType::F32:
      return finishAs<float>(filled);
  }
}

}  // namespace farfield::volume
