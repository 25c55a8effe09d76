#include "app/cli/commands/field_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/base/error.h"
#include "core/fields/groups/node_boxes.h"
#include "core/paging/cache/cursor.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::cli {
namespace {

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
  paged.resultBytesPerTask = fields::NodeBoxes::bytesFor(plan);
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
  if (functions.size() > 1 && fields::NodeBoxes::areByCell(opened.description(), plan)) {
    // one after the other, so that only those that must be are computed cell by cell
    std::vector<FunctionRange> ranges;
    for (const std::string& function : functions)
      ranges.push_back(computeRanges(opened, {function}, account, options).front());
    return ranges;
  }
  fields::PagedData data(opened, account, pagingForRanges(plan, options));
  const fields::NodeBoxes boxes(opened.description(), plan, fields::NodeBoxes::Blanks::Unknown,
                                options.firstStep);
  // In one step blocks of others have nothing to say.
  const std::vector<bool> isThere =
      options.steps == 1 ? paging::blocksAt(opened.description(), options.firstStep) : std::vector<bool>();
  RangeBuilder all(plan);
  std::mutex mutex;
  tasks::TaskGroup group;
  group.name = "ranges";
  group.count = boxes.count();
  if (options.steps > 0)
    group.count = std::min(group.count, boxes.perStep() * static_cast<std::size_t>(options.steps));
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    const fields::NodeBoxes::Place place = boxes.at(n);
    if (!isThere.empty() && !isThere[static_cast<std::size_t>(place.block)]) return;
    RangeBuilder own(plan);
    boxes.visit(place, data, context, [&](std::span<const double> values, bool, double) { own.add(values); });
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
