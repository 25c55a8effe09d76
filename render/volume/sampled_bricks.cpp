#include "render/volume/sampled_bricks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/fields/cells/regular_grid.h"

namespace farfield::volume {
namespace {

// along the longest axis of the coarsest level
constexpr int kLeastNodes = 64, kLeastInLittleTime = 16;
/// Points of each brick that are compared with the field.
constexpr int kPlaces = 16;

/// The radical inverse of n to base b: covers an interval evenly (van der Corput, 1935).
double spread(int n, int base) {
  double place = 0, part = 1.0 / base;
  for (; n > 0; n /= base, part /= base) place += part * (n % base);
  return place;
}

// Clumps of a brick's nodes along Morton's curve, and the nodes of each back and forth: what lies in a page of the data is sampled soon
// after one another, so that pages are read once even where each holds but a few nodes of a coarse level, and rows and layers of them do
// not fit into memory.
constexpr std::int64_t kClump = 4;
constexpr int kCurveBits = 4;
constexpr std::uint32_t kClumps = 1u << 3 * kCurveBits;
static_assert(kBrickSide <= kClump << kCurveBits);

Index3 clumpOnCurve(std::uint32_t number) {
  Index3 first{0, 0, 0};
  for (int bit = 0; bit < kCurveBits; ++bit)
    for (int a = 0; a < 3; ++a)
      first[static_cast<std::size_t>(a)] |= (std::int64_t{number >> (3 * bit + a) & 1} << bit) * kClump;
  return first;
}

}  // namespace

BrickGrid SampledBricks::gridFor(const paging::DatasetDescription& data, const Bounds& bounds,
                                 int alongLongest) {
  const fields::RegularGrid regular = fields::regularGridOver(data, bounds, alongLongest);
  BrickGrid grid;
  grid.origin = regular.origin;
  grid.nodes = regular.nodes;
  grid.spacing = regular.spacing;
  return grid;
}

int SampledBricks::levelsOf(const BrickGrid& grid, bool littleTime) {
  int levels = 1;
  const int least = littleTime ? kLeastInLittleTime : kLeastNodes;
  for (std::int64_t nodes = *std::max_element(grid.nodes.begin(), grid.nodes.end()); nodes > least;
       nodes /= 2)
    ++levels;
  return levels;
}

SampledBricks::SampledBricks(fields::PagedData& data, std::shared_ptr<const fields::FunctionPlan> function,
                             std::int64_t step, const BrickGrid& finest, int level,
                             const std::filesystem::path& folder, std::uint64_t fileBytes)
    : m_data(data),
      m_function(std::move(function)),
      m_step(step),
      m_grid(finest),
      m_file(folder, {}, fileBytes) {
  m_grid.level = level;
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    const std::int64_t cells =
        std::max<std::int64_t>(1, (finest.nodes[axis] - 1 + (std::int64_t{1} << level) - 1) >> level);
    m_grid.spacing[a] =
        finest.spacing[a] * static_cast<double>(finest.nodes[axis] - 1) / static_cast<double>(cells);
    m_grid.nodes[axis] = cells + 1;
  }
}

std::uint64_t SampledBricks::readBytes() const {
  return fields::PagedData::samplerBytes(*m_function) + 4096;
}

void SampledBricks::read(const Index3& brick, tasks::TaskContext& context, Brick& out) {
  const std::int64_t number = linear(brick, m_grid.bricks());
  if (m_file.get(number, out)) return;
  const auto sampler = m_data.makeSampler(context, m_function);
  const Index3 cells = m_grid.cellsOf(brick);
  const fields::FieldTime time{m_step};
  double value = 0;
  fields::Location location;
  const Bounds& bounds = m_data.bounds();
  const auto sample = [&](const Index3& local) {
    Vec3 point;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const std::int64_t node =
          std::clamp<std::int64_t>(brick[axis] * kBrickCells - 1 + local[axis], 0, m_grid.nodes[axis] - 1);
      point[a] = std::clamp(m_grid.coordinate(a, node), bounds.min[a], bounds.max[a]);
    }
    if (sampler->locate(point, time, location))
      sampler->evaluate(location, time, {&value, 1});
    else
      value = std::numeric_limits<double>::quiet_NaN();
    out.setRow(local[0], local[1], local[2], {&value, 1});
  };
  const Index3 nodes{cells[0] + 3, cells[1] + 3, cells[2] + 3};
  for (std::uint32_t clump = 0; clump < kClumps; ++clump) {
    const Index3 first = clumpOnCurve(clump);
    Index3 size;
    for (std::size_t a = 0; a < 3; ++a) size[a] = std::clamp<std::int64_t>(nodes[a] - first[a], 0, kClump);
    if (product(size) == 0) continue;
    context.throwIfGivenUp();
    for (std::int64_t k = 0; k < size[2]; ++k)
      for (std::int64_t j = 0; j < size[1]; ++j)
        for (std::int64_t i = 0; i < size[0]; ++i)
          sample({first[0] + ((j + k) % 2 ? size[0] - 1 - i : i), first[1] + (k % 2 ? size[1] - 1 - j : j),
                  first[2] + k});
    if (m_sampled) m_sampled(static_cast<std::size_t>(product(size)));
  }
  out.finish({{0, 0, 0}, {cells[0] + 3, cells[1] + 3, cells[2] + 3}});
  compare(*sampler, brick, out);
  m_file.put(number, out);
}

void SampledBricks::compare(fields::Sampler& sampler, const Index3& brick, const Brick& filled) {
  const Index3 cells = m_grid.cellsOf(brick);
  const auto* const values = reinterpret_cast<const float*>(filled.data());
  SampleError found;
  fields::Location location;
  for (int n = 1; n <= kPlaces; ++n) {
    Vec3 at{spread(n, 2) * static_cast<double>(cells[0]), spread(n, 3) * static_cast<double>(cells[1]),
            spread(n, 5) * static_cast<double>(cells[2])};
    Vec3 point;
    Index3 cell;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      cell[axis] = std::min<std::int64_t>(static_cast<std::int64_t>(at[a]), cells[axis] - 1);
      at[a] -= static_cast<double>(cell[axis]);
      point[a] = m_grid.origin[a] +
                 m_grid.spacing[a] * (static_cast<double>(brick[axis] * kBrickCells + cell[axis]) + at[a]);
    }
    double shown = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
      const std::int64_t place =
          cell[0] + i + 1 + kBrickSide * (cell[1] + j + 1 + kBrickSide * (cell[2] + k + 1));
      shown += (i ? at.x : 1 - at.x) * (j ? at.y : 1 - at.y) * (k ? at.z : 1 - at.z) *
               static_cast<double>(values[place]);
    }
    double exact = 0;
    if (std::isnan(shown) || !sampler.locate(point, {m_step}, location)) continue;
    sampler.evaluate(location, {m_step}, {&exact, 1});
    if (!std::isfinite(exact)) continue;
    ++found.places;
    found.sum += std::abs(exact - shown);
    found.most = std::max(found.most, std::abs(exact - shown));
  }
  const std::lock_guard lock(m_mutex);
  m_error.places += found.places;
  m_error.sum += found.sum;
  m_error.most = std::max(m_error.most, found.most);
}

SampleError SampledBricks::error() const {
  const std::lock_guard lock(m_mutex);
  return m_error;
}

}  // namespace farfield::volume
