#include "render/volume/overview_bricks.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "render/volume/paged_bricks.h"

namespace farfield::volume {
namespace {

/// Pages whose ranges are looked up: of more every second, third, … along each axis.
constexpr std::int64_t kMostPages = std::int64_t{1} << 18;
/// Cells along the longest axis of a grid that others are looked over with.
constexpr double kCellsOver = 48;
constexpr std::size_t kBins = 256;

double middleOf(const paging::ValueRange& range) {
  return range.empty() ? std::numeric_limits<double>::quiet_NaN() : range.min + (range.max - range.min) / 2;
}

/// The places of an overview, each for a box of pages of one array, of which the middle page is looked at.
struct Places {
  Index3 count{1, 1, 1};
  std::array<std::vector<std::int64_t>, 3> nodes;  ///< where they begin, and the last node

  explicit Places(const paging::PageLayout& layout) {
    const Index3& pages = layout.pagesPerAxis();
    std::int64_t stride = 1;
    const auto along = [&](std::size_t a) { return (pages[a] + stride - 1) / stride; };
    while (along(0) * along(1) * along(2) > kMostPages) ++stride;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::int64_t page = 0; page < pages[a]; page += stride) {
        Index3 at{0, 0, 0};
        at[a] = page;
        nodes[a].push_back(layout.box(linear(at, pages)).first[a]);
      }
      count[a] = static_cast<std::int64_t>(nodes[a].size());
      // A page of one node has no cell.
      const std::int64_t last = layout.dims()[a] - 1;
      if (nodes[a].back() == last && count[a] > 1)
        --count[a];
      else
        nodes[a].push_back(last);
    }
  }
  std::int64_t middle(std::size_t axis, std::int64_t place) const {
    const auto at = static_cast<std::size_t>(place);
    return (nodes[axis][at] + nodes[axis][at + 1]) / 2;
  }
};

}  // namespace

std::unique_ptr<OverviewBricks> OverviewBricks::make(fields::PagedData& data,
                                                     const fields::FunctionPlan& function, std::int64_t step,
                                                     MemoryAccount& account) {
  if (!PagedBricks::canShow(data.description()) || function.outputCount() != 1 ||
      function.gradientCount() > 0 || function.arrays().empty())
    return nullptr;
  std::unique_ptr<OverviewBricks> overview(new OverviewBricks(data));
  return overview->look(function, step, account) ? std::move(overview) : nullptr;
}

bool OverviewBricks::look(const fields::FunctionPlan& function, std::int64_t step, MemoryAccount& account) {
  const paging::DatasetDescription& data = m_data.description();
  std::vector<std::uint32_t> arrays;
  for (const std::string& name : function.arrays())
    arrays.push_back(static_cast<std::uint32_t>(data.find(0, name)));
  const Places places(data.arrays[arrays.front()].layout);
  const paging::BlockDescription& block = data.blocks[0];
  BrickGrid fine;
  fine.nodes = block.dims;
  fine.origin = block.origin;
  fine.spacing = block.spacing;
  if (block.axes) fine.axes = *block.axes;
  for (std::size_t a = 0; a < 3; ++a) {
    m_grid.nodes[a] = places.count[a] + 1;
    for (const std::int64_t node : places.nodes[a])
      m_grid.axes[a].push_back(fine.coordinate(static_cast<int>(a), node));
  }
  for (const std::vector<double>& axis : m_grid.axes)
    if (!std::is_sorted(axis.begin(), axis.end())) return false;
  const std::int64_t pages = product(places.count), nodes = product(m_grid.nodes);
  m_claim = account.claim(Purpose::Work, static_cast<std::uint64_t>(pages + nodes) * sizeof(float),
                          "a first sight");
  std::vector<float> middles(static_cast<std::size_t>(pages));
  std::vector<double> inputs(static_cast<std::size_t>(function.inputCount()));
  for (std::int64_t n = 0; n < pages; ++n) {
    const Index3 at = unlinear(n, places.count);
    Index3 node;
    for (std::size_t a = 0; a < 3; ++a) node[a] = places.middle(a, at[a]);
    auto input = inputs.begin();
    for (const std::uint32_t array : arrays) {
      const paging::ArrayDescription& its = data.arrays[array];
      const auto ranges = m_data.data().summaryOf(array, its.pageNumber(step, its.layout.pageOf(node)));
      if (!ranges) return false;
      for (const paging::ValueRange& range : ranges->components) *input++ = middleOf(range);
    }
    double value = 0;
    function.computeNode(inputs, std::span(&value, 1));
    middles[static_cast<std::size_t>(n)] = static_cast<float>(value);
  }
  shareOut(middles, places.count);
  return true;
}

/// A node has the mean of the pages that meet there.
void OverviewBricks::shareOut(const std::vector<float>& middles, const Index3& pages) {
  m_values.resize(static_cast<std::size_t>(product(m_grid.nodes)));
  for (std::size_t n = 0; n < m_values.size(); ++n) {
    const Index3 node = unlinear(static_cast<std::int64_t>(n), m_grid.nodes);
    Index3 from, to;
    for (std::size_t a = 0; a < 3; ++a) {
      from[a] = std::max<std::int64_t>(node[a] - 1, 0);
      to[a] = std::min(node[a], pages[a] - 1);
    }
    double sum = 0;
    int count = 0;
    for (std::int64_t k = from[2]; k <= to[2]; ++k)
      for (std::int64_t j = from[1]; j <= to[1]; ++j)
        for (std::int64_t i = from[0]; i <= to[0]; ++i) {
          const float middle = middles[static_cast<std::size_t>(linear({i, j, k}, pages))];
          if (!std::isfinite(middle)) continue;
          sum += static_cast<double>(middle);
          ++count;
        }
    m_values[n] = count > 0 ? static_cast<float>(sum / count) : std::numeric_limits<float>::quiet_NaN();
  }
}

std::unique_ptr<OverviewBricks> OverviewBricks::makeOver(const BrickGrid& finest, fields::PagedData& data,
                                                         const fields::FunctionPlan& function,
                                                         std::int64_t step, MemoryAccount& account) {
  if (function.outputCount() != 1 || function.gradientCount() > 0 || function.arrays().empty())
    return nullptr;
  std::unique_ptr<OverviewBricks> overview(new OverviewBricks(data));
  return overview->lookOver(finest, function, step, account) ? std::move(overview) : nullptr;
}

struct OverviewBricks::Sums {
  std::vector<double> values;
  std::vector<std::uint32_t> counts;
};

bool OverviewBricks::lookOver(const BrickGrid& finest, const fields::FunctionPlan& function,
                              std::int64_t step, MemoryAccount& account) {
  const Vec3 size = finest.bounds().max - finest.bounds().min;
  const double edge = std::max({size.x, size.y, size.z}) / kCellsOver;
  m_grid.origin = finest.origin;
  for (int a = 0; a < 3; ++a) {
    const auto cells = std::max<std::int64_t>(1, std::llround(size[a] / edge));
    m_grid.nodes[static_cast<std::size_t>(a)] = cells + 1;
    m_grid.spacing[a] = size[a] / static_cast<double>(cells);
  }
  const auto nodes = static_cast<std::size_t>(product(m_grid.nodes));
  m_claim = account.claim(Purpose::Work, nodes * sizeof(float), "a first sight");
  const MemoryClaim forSums =
      account.claim(Purpose::Work, nodes * (sizeof(double) + sizeof(std::uint32_t)), "a first sight");
  Sums sums{std::vector<double>(nodes), std::vector<std::uint32_t>(nodes)};
  const paging::DatasetDescription& data = m_data.description();
  std::int64_t pages = 0;
  for (int block = 0; block < static_cast<int>(data.blocks.size()); ++block)
    if (const int array = data.find(block, paging::ArrayRole::Coordinates); array >= 0)
      pages += data.arrays[static_cast<std::size_t>(array)].layout.pageCount();
  const std::int64_t stride = pages / kMostPages + 1;
  for (int block = 0; block < static_cast<int>(data.blocks.size()); ++block)
    if (!addBlock(block, function, step, stride, sums)) return false;
  m_values.resize(nodes);
  for (std::size_t n = 0; n < nodes; ++n)
    m_values[n] = sums.counts[n] > 0 ? static_cast<float>(sums.values[n] / sums.counts[n])
                                     : std::numeric_limits<float>::quiet_NaN();
  return m_range.low <= m_range.high;
}

/// Every `stride`-th page of the coordinates of a block. False where ranges are not known.
bool OverviewBricks::addBlock(int block, const fields::FunctionPlan& function, std::int64_t step,
                              std::int64_t stride, Sums& sums) {
  const paging::DatasetDescription& data = m_data.description();
  const int grid = data.find(block, paging::ArrayRole::Coordinates);
  if (grid < 0) return false;
  std::vector<std::uint32_t> arrays;
  for (const std::string& name : function.arrays()) {
    const int array = data.find(block, name);
    if (array < 0 || data.arrays[static_cast<std::size_t>(array)].onCells) return false;
    arrays.push_back(static_cast<std::uint32_t>(array));
  }
  const paging::ArrayDescription& places = data.arrays[static_cast<std::size_t>(grid)];
  std::vector<double> inputs(static_cast<std::size_t>(function.inputCount()));
  std::vector<Interval> ranges(inputs.size());
  for (std::int64_t page = 0; page < places.layout.pageCount(); page += stride) {
    const auto where =
        m_data.data().summaryOf(static_cast<std::uint32_t>(grid), places.pageNumber(step, page));
    if (!where) return false;
    if (std::any_of(where->components.begin(), where->components.end(),
                    [](const paging::ValueRange& range) { return range.empty(); }))
      continue;
    const IndexBox box = places.layout.box(page);
    Index3 node;
    for (std::size_t a = 0; a < 3; ++a) node[a] = box.first[a] + box.size[a] / 2;
    std::size_t n = 0;
    for (const std::uint32_t array : arrays) {
      const paging::ArrayDescription& its = data.arrays[array];
      const auto known = m_data.data().summaryOf(array, its.pageNumber(step, its.layout.pageOf(node)));
      if (!known) return false;
      for (const paging::ValueRange& range : known->components) {
        ranges[n] = {range.min, range.max};
        inputs[n++] = middleOf(range);
      }
    }
    double value = 0;
    function.computeNode(inputs, std::span(&value, 1));
    if (!std::isfinite(value)) continue;
    Interval its(value);
    // what is computed is bounded too widely to be seen by it
    if (function.isVariables()) function.bound(ranges, std::span(&its, 1));
    m_range.low = std::min(m_range.low, its.low);
    m_range.high = std::max(m_range.high, its.high);
    Index3 from, to;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const auto at = [&](double place) { return (place - m_grid.origin[a]) / m_grid.spacing[a]; };
      const double low = at(where->components[axis].min), high = at(where->components[axis].max);
      const auto last = static_cast<double>(m_grid.nodes[axis] - 1);
      // at least one node, the nearest
      const double middle = std::round(0.5 * (low + high));
      from[axis] = static_cast<std::int64_t>(std::clamp(std::min(std::ceil(low), middle), 0.0, last));
      to[axis] = static_cast<std::int64_t>(std::clamp(std::max(std::floor(high), middle), 0.0, last));
    }
    for (std::int64_t k = from[2]; k <= to[2]; ++k)
      for (std::int64_t j = from[1]; j <= to[1]; ++j)
        for (std::int64_t i = from[0]; i <= to[0]; ++i) {
          const auto at = static_cast<std::size_t>(linear({i, j, k}, m_grid.nodes));
          sums.values[at] += value;
          ++sums.counts[at];
        }
  }
  return true;
}

scene::VolumeHistogram OverviewBricks::values() const {
  scene::VolumeHistogram histogram{{m_range.low, m_range.high}, std::vector<std::uint64_t>(kBins)};
  const double width = m_range.high - m_range.low;
  for (const float value : m_values) {
    if (!std::isfinite(value)) continue;
    const double place = width > 0 ? (static_cast<double>(value) - m_range.low) / width : 0;
    ++histogram.counts[static_cast<std::size_t>(std::clamp(place * kBins, 0.0, kBins - 1.0))];
  }
  return histogram;
}

void OverviewBricks::read(const Index3& brick, tasks::TaskContext&, Brick& out) {
  const Index3 cells = m_grid.cellsOf(brick);
  Index3 first, size;
  for (std::size_t a = 0; a < 3; ++a) {
    first[a] = std::max<std::int64_t>(brick[a] * kBrickCells - 1, 0);
    size[a] = std::min(m_grid.nodes[a], brick[a] * kBrickCells + cells[a] + 2) - first[a];
  }
  IndexBox filled{{}, size};
  for (std::size_t a = 0; a < 3; ++a) filled.first[a] = first[a] - brick[a] * kBrickCells + 1;
  std::vector<double> row(static_cast<std::size_t>(size[0]));
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j) {
      const std::int64_t from = linear({first[0], first[1] + j, first[2] + k}, m_grid.nodes);
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = static_cast<double>(m_values[static_cast<std::size_t>(from) + i]);
      out.setRow(filled.first[0], filled.first[1] + j, filled.first[2] + k, row);
    }
  out.finish(filled);
}

}  // namespace farfield::volume
