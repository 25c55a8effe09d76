#pragma once
// Lists of numbers in VTK's files (connectivity, offsets, types, coordinates), read a part at a time.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "plugins/arrays/placed_array.h"
#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

/// Items that are read together.
constexpr std::int64_t kAtATime = 4096;
/// More than a cell of any order has.
constexpr std::int64_t kMostNumbers = 1 << 20;

/// The places of an array's values, of one step.
inline arrays::PlacedArray placed(const VtkArray& array) {
  arrays::PlacedArray made = placedOf(array);
  made.steps.push_back(array.pieces);
  return made;
}

/// Points `first` … at a step, three numbers for each. Throws Io, Corrupt.
inline void readPointsOf(const arrays::PlacedArray& points, std::int64_t step, std::int64_t first,
                         std::span<double> out) {
  const ScalarType type = arrays::keptAs(points.type);
  const auto numbers = static_cast<std::int64_t>(out.size());
  std::vector<std::byte> bytes(out.size() * static_cast<std::size_t>(sizeOf(type)));
  arrays::readBox(points, step, {{first, 0, 0}, {numbers / 3, 1, 1}}, 0, 3, bytes);
  toDouble(bytes.data(), type, 0, numbers, out.data());
}

/// A list of whole numbers, read in pieces.
class NumberList {
 public:
  explicit NumberList(const VtkArray& array) : m_array(placed(array)) { arrays::checkPlaces(m_array, 1); }
  std::int64_t size() const { return m_array.steps[0].empty() ? 0 : m_array.steps[0].front().nodes.size[0]; }
  /// Numbers `first` … `first` + `count` - 1; valid until the next call.
  std::span<const std::int64_t> read(std::int64_t first, std::int64_t count) {
    if (first < 0 || count < 0 || first > size() || count > size() - first)
      throw Corrupt("its lists of cells do not fit together", "check the file");
    const ScalarType type = arrays::keptAs(m_array.type);
    m_bytes.resize(static_cast<std::size_t>(count * sizeOf(type)));
    m_doubles.resize(static_cast<std::size_t>(count));
    m_numbers.resize(m_doubles.size());
    if (count == 0) return {};
    arrays::readBox(m_array, 0, {{first, 0, 0}, {count, 1, 1}}, 0, 1, m_bytes);
    toDouble(m_bytes.data(), type, 0, count, m_doubles.data());
    constexpr double kMost = 9e15;
    for (std::size_t n = 0; n < m_numbers.size(); ++n)
      m_numbers[n] = std::abs(m_doubles[n]) < kMost ? static_cast<std::int64_t>(m_doubles[n]) : -1;
    return m_numbers;
  }

 private:
  arrays::PlacedArray m_array;
  std::vector<std::byte> m_bytes;
  std::vector<double> m_doubles;
  std::vector<std::int64_t> m_numbers;
};

}  // namespace farfield::vtkfile
