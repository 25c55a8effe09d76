#include "app/cli/field_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/base/error.h"
#include "core/fields/box_functions.h"
#include "core/fields/cell_groups.h"

namespace farfield::cli {
namespace {

/// Edge of the boxes of nodes that one task of a pass looks at.
constexpr std::int64_t kBoxEdge = 8;
constexpr std::int64_t kBoxNodes = kBoxEdge * kBoxEdge * kBoxEdge;

std::int64_t boxesAlong(std::int64_t nodes) {
  return (nodes + kBoxEdge - 1) / kBoxEdge;
}

/// Nodes of an unstructured block that one task looks at.
constexpr std::int64_t kListNodes = kBoxNodes;

/// Whether functions have to be computed cell by cell: they use values on cells, or derivatives in unstructured
/// blocks.
bool differsByCell(const paging::DatasetDescription& data, const fields::FunctionPlan& plan) {
  if (data.blocks.empty() || !data.blocks.front().isUnstructured()) return false;
  return plan.gradientCount() > 0 ||
         std::any_of(data.arrays.begin(), data.arrays.end(), [&](const paging::ArrayDescription& array) {
           return array.onCells &&
                  std::find(plan.arrays().begin(), plan.arrays().end(), array.name) != plan.arrays().end();
         });
}

/// The boxes of all blocks and steps as one row of tasks; of unstructured blocks ranges of nodes, or of cells.
class BoxTasks {
 public:
  BoxTasks(const paging::DatasetDescription& data, bool byCell) : m_data(data), m_byCell(byCell) {
    m_first.push_back(0);
    for (const auto& block : data.blocks)
      m_first.push_back(m_first.back() + (block.isUnstructured()
                                              ? (itemsOf(block) - 1) / each() + 1
                                              : boxesAlong(block.dims[0]) * boxesAlong(block.dims[1]) *
                                                    boxesAlong(block.dims[2])));
  }
  /// Whether boxes are of cells.
  bool byCell() const { return m_byCell; }
  std::size_t count() const { return static_cast<std::size_t>(m_first.back() * m_data.steps()); }
  struct Place {
    std::int64_t step;
    int block;
    IndexBox box;
  };
  Place at(std::size_t task) const {
    const std::int64_t number = static_cast<std::int64_t>(task) % m_first.back();
    const auto after = std::upper_bound(m_first.begin(), m_first.end(), number);
    Place place{
        static_cast<std::int64_t>(task) / m_first.back(), static_cast<int>(after - m_first.begin()) - 1, {}};
    const paging::BlockDescription& block = m_data.blocks[static_cast<std::size_t>(place.block)];
    if (block.isUnstructured()) {
      const std::int64_t first = (number - *(after - 1)) * each();
      place.box = {{first, 0, 0}, {std::min(each(), itemsOf(block) - first), 1, 1}};
      return place;
    }
    const Index3& dims = block.dims;
    const Index3 box =
        unlinear(number - *(after - 1), {boxesAlong(dims[0]), boxesAlong(dims[1]), boxesAlong(dims[2])});
    for (int a = 0; a < 3; ++a) {
      place.box.first[a] = box[a] * kBoxEdge;
      place.box.size[a] = std::min(kBoxEdge, dims[a] - place.box.first[a]);
    }
    return place;
  }

 private:
  std::int64_t each() const { return m_byCell ? fields::kListedCells : kListNodes; }
  std::int64_t itemsOf(const paging::BlockDescription& block) const {
    return m_byCell ? block.cells : block.dims[0];
  }

  const paging::DatasetDescription& m_data;
  bool m_byCell;
  std::vector<std::int64_t> m_first;
};

/// Grows with the values of nodes; merging is the same in any order.
class RangeBuilder {
 public:
  explicit RangeBuilder(const fields::FunctionPlan& plan) : m_plan(plan), m_ranges(plan.functions().size()) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < m_ranges.size(); ++f) {
      const auto components = static_cast<std::size_t>(plan.functions()[f].components);
      m_ranges[f].min = kInfinity;
      m_ranges[f].max = -kInfinity;
      m_ranges[f].componentMin.assign(components, kInfinity);
      m_ranges[f].componentMax.assign(components, -kInfinity);
    }
  }
  void add(std::span<const double> values) {
    for (std::size_t f = 0; f < m_ranges.size(); ++f) {
      FunctionRange& range = m_ranges[f];
      const auto own =
          values.subspan(static_cast<std::size_t>(m_plan.outputOf(f)), range.componentMin.size());
      if (!std::all_of(own.begin(), own.end(), [](double v) { return std::isfinite(v); })) continue;
      double squares = 0;
      for (std::size_t c = 0; c < own.size(); ++c) {
        range.componentMin[c] = std::min(range.componentMin[c], own[c]);
        range.componentMax[c] = std::max(range.componentMax[c], own[c]);
        squares += own[c] * own[c];
      }
      const double size = own.size() == 1 ? own[0] : std::sqrt(squares);
      range.min = std::min(range.min, size);
      range.max = std::max(range.max, size);
      range.empty = false;
    }
  }
  void merge(const RangeBuilder& other) {
    for (std::size_t f = 0; f < m_ranges.size(); ++f) {
      FunctionRange& range = m_ranges[f];
      const FunctionRange& more = other.m_ranges[f];
      range.min = std::min(range.min, more.min);
      range.max = std::max(range.max, more.max);
      for (std::size_t c = 0; c < range.componentMin.size(); ++c) {
        range.componentMin[c] = std::min(range.componentMin[c], more.componentMin[c]);
        range.componentMax[c] = std::max(range.componentMax[c], more.componentMax[c]);
      }
      range.empty = range.empty && more.empty;
    }
  }
  std::vector<FunctionRange> take() { return std::move(m_ranges); }

 private:
  const fields::FunctionPlan& m_plan;
  std::vector<FunctionRange> m_ranges;
};

/// Adds every node's functions in a box to `ranges`.
void addBox(fields::PagedData& data, tasks::TaskContext& context, const fields::FunctionPlan& plan,
            const BoxTasks::Place& place, bool byCell, RangeBuilder& ranges) {
  const auto values = static_cast<std::size_t>(plan.outputCount());
  if (byCell) {
    fields::GroupReader group(place.block, data, context, plan, place.step);
    group.open({place.box, {}});
    group.gatherValues(group.whole());
    for (std::size_t node = 0; node < group.nodeCount(); ++node) ranges.add({group.values(node), values});
    return;
  }
  std::vector<double> outputs(values * static_cast<std::size_t>(product(place.box.size)));
  {
    paging::Cursor cursor(data.cache(), context, data.plan().mode);
    cursor.setStep(place.step);
    const fields::BlockSlots slots = data.bind(cursor, place.block, plan);
    fields::BoxFunctions(plan).compute(
        cursor, slots, data.description().blocks[static_cast<std::size_t>(place.block)], place.box, outputs);
  }
  for (std::size_t at = 0; at < outputs.size(); at += values)
    ranges.add(std::span(outputs).subspan(at, values));
}

void runGroup(fields::PagedData& data, tasks::TaskGroup& group, const PassOptions& options) {
  group.admission = &data.admission();
  if (options.progress)
    group.progress = [&](std::size_t done, std::size_t total) { options.progress(done, total); };
  data.makeScheduler()->run(group, options.stop);
}

fields::PagedDataOptions pagingForRanges(const fields::FunctionPlan& plan, const PassOptions& options) {
  fields::PagedDataOptions paged;
  paged.arrays = plan.arrays();
  paged.processors = options.processors;
  paged.resultBytesPerTask =
      std::max(fields::BoxFunctions::bytesFor(plan, {kBoxEdge, kBoxEdge, kBoxEdge}),
               fields::GroupReader::bytesFor(plan)) +
      sizeof(double) * static_cast<std::uint64_t>((kBoxNodes + 5) * plan.outputCount());
  return paged;
}

fields::PagedDataOptions pagingForEverything(const paging::DatasetDescription& description,
                                             const PassOptions& options) {
  fields::PagedDataOptions paged;
  std::int64_t largest = 0;
  for (const paging::ArrayDescription& array : description.arrays) {
    largest = std::max(largest, array.layout.maxNodes() * array.components);
    paged.arrays.push_back(array.name);
  }
  paged.processors = options.processors;
  paged.resultBytesPerTask = static_cast<std::uint64_t>(largest) * sizeof(double);
  return paged;
}

}  // namespace

std::uint64_t smallestBytesForRanges(const fields::OpenData& data, const std::vector<std::string>& functions,
                                     const PassOptions& options) {
  if (functions.empty()) return 0;
  const fields::FunctionPlan plan(data.description(), functions);
  return fields::PagedData::smallestFreeBytes(data, pagingForRanges(plan, options));
}

std::uint64_t smallestBytesForEverything(const fields::OpenData& data, const PassOptions& options) {
  return fields::PagedData::smallestFreeBytes(data, pagingForEverything(data.description(), options));
}

std::vector<FunctionRange> computeRanges(const fields::OpenData& opened,
                                         const std::vector<std::string>& functions, MemoryAccount& account,
                                         const PassOptions& options) {
  if (functions.empty()) return {};
  const fields::FunctionPlan plan(opened.description(), functions);
  if (functions.size() > 1 && differsByCell(opened.description(), plan)) {
    // one after the other, so that only those that must be are computed cell by cell
    std::vector<FunctionRange> ranges;
    for (const std::string& function : functions)
      ranges.push_back(computeRanges(opened, {function}, account, options).front());
    return ranges;
  }
  fields::PagedData data(opened, account, pagingForRanges(plan, options));
  const BoxTasks boxes(opened.description(), differsByCell(opened.description(), plan));
  RangeBuilder all(plan);
  std::mutex mutex;
  tasks::TaskGroup group;
  group.name = "ranges";
  group.count = boxes.count();
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    RangeBuilder own(plan);
    addBox(data, context, plan, boxes.at(n), boxes.byCell(), own);
    const std::lock_guard lock(mutex);
    all.merge(own);
  };
  runGroup(data, group, options);
  return all.take();
}

std::uint64_t readEverything(const fields::OpenData& opened, MemoryAccount& account,
                             const PassOptions& options) {
  const paging::DatasetDescription& description = opened.description();
  std::vector<std::uint64_t> firstPage{0};
  for (const paging::ArrayDescription& array : description.arrays)
    firstPage.push_back(firstPage.back() + static_cast<std::uint64_t>(array.pageCount()));
  fields::PagedData data(opened, account, pagingForEverything(description, options));
  tasks::TaskGroup group;
  group.name = "pages";
  group.count = static_cast<std::size_t>(firstPage.back());
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    const auto after = std::upper_bound(firstPage.begin(), firstPage.end(), n);
    const auto number = static_cast<std::uint32_t>(after - firstPage.begin() - 1);
    const paging::ArrayDescription& array = description.arrays[number];
    const std::uint64_t page = n - *(after - 1);
    const IndexBox box = array.boxOf(page);
    std::vector<double> values(static_cast<std::size_t>(product(box.size) * array.components));
    paging::Cursor cursor(data.cache(), context, data.plan().mode);
    cursor.setStep(array.stepOf(page));
    const paging::GatherTarget target{cursor.bind(number), values.data()};
    cursor.gatherTiled(box, {&target, 1});
  };
  runGroup(data, group, options);
  return firstPage.back();
}

}  // namespace farfield::cli
