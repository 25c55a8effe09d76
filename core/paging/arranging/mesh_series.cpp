#include "core/paging/arranging/mesh_series.h"

#include <algorithm>
#include <limits>

#include "core/base/bytes.h"
#include "core/paging/pages/changing_cells.h"

namespace farfield::paging {
namespace {

template <class T>
void fill(std::span<std::byte> out, T number) {
  for (std::size_t at = 0; at < out.size(); at += sizeof number) store(out.data() + at, number);
}

/// What an array of the grid has at steps at which it is not there.
void fillAbsent(const ArrayDescription& array, std::span<std::byte> out) {
  if (array.role == ArrayRole::LocationBounds) {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    // x, y, z of the lower and of the upper corner
    for (std::size_t n = 0; n < out.size() / sizeof(float); ++n)
      store(out.data() + n * sizeof(float), n % 6 < 3 ? kInfinite : -kInfinite);
  } else if (array.type == ScalarType::F32) {
    fill(out, std::numeric_limits<float>::quiet_NaN());
  } else {
    fill(out, std::numeric_limits<double>::quiet_NaN());
  }
}

bool isLike(const ArrayDescription& a, const ArrayDescription& b) {
  return a.role == ArrayRole::Variable && a.name == b.name && a.components == b.components &&
         a.type == b.type && a.onCells == b.onCells;
}

}  // namespace

MeshSeriesReader::MeshSeriesReader(std::vector<std::shared_ptr<const ArrangedReader>> grids,
                                   std::vector<double> times)
    : m_grids(std::move(grids)) {
  const DatasetDescription& first = m_grids.front()->description();
  m_description.format = first.format;
  m_description.times = std::move(times);
  for (std::uint32_t g = 0; g < m_grids.size(); ++g) {
    const DatasetDescription& grid = m_grids[g]->description();
    const auto block = static_cast<int>(g);
    m_description.blocks.push_back(grid.blocks.front());
    for (std::uint32_t a = 0; a < grid.arrays.size(); ++a) {
      ArrayDescription array = grid.arrays[a];
      if (array.role == ArrayRole::Variable && !allHave(array)) {
        if (std::find(m_leftOut.begin(), m_leftOut.end(), array.name) == m_leftOut.end())
          m_leftOut.push_back(array.name);
        continue;
      }
      array.block = block;
      if (array.role == ArrayRole::Coordinates || array.role == ArrayRole::LocationBounds)
        array.steps = m_description.steps();
      m_description.arrays.push_back(std::move(array));
      m_parts.push_back({g, a});
    }
    for (NamedSurface surface : grid.surfaces) {
      surface.block = block;
      m_description.surfaces.push_back(std::move(surface));
    }
  }
  sayCellsChange(m_description);
}

bool MeshSeriesReader::allHave(const ArrayDescription& wanted) const {
  return std::all_of(m_grids.begin(), m_grids.end(), [&](const auto& grid) {
    const auto& arrays = grid->description().arrays;
    return std::any_of(arrays.begin(), arrays.end(),
                       [&](const ArrayDescription& array) { return isLike(array, wanted); });
  });
}

void MeshSeriesReader::read(std::uint32_t number, std::int64_t step, const IndexBox& box,
                            std::span<std::byte> out) const {
  const ArrayDescription& array = m_description.arrays[number];
  const Part& part = m_parts[number];
  if (array.steps > 1 && step != static_cast<std::int64_t>(part.grid)) return fillAbsent(array, out);
  m_grids[part.grid]->read(part.array, 0, box, out);
}

}  // namespace farfield::paging
