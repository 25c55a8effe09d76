#include "core/fields/paged/paged_data.h"

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/fields/functions/group_finder.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/functions/origin.h"
#include "core/fields/paged/structured_sampler.h"
#include "core/fields/paged/unstructured_sampler.h"
#include "core/paging/cache/frame_memory.h"
#include "core/paging/sources/held_reads.h"
#include "core/paging/sources/kept_source.h"

namespace farfield::fields {
namespace {

/// In flight per processor. What waits for other machines waits longer, and the link is full only if many wait at a time.
constexpr int kTasksOfNearData = 64, kTasksOfFarData = 256;

int tasksPerProcessor(const OpenData& data, const PagedDataOptions& options) {
  if (options.tasksPerProcessor > 0) return options.tasksPerProcessor;
  const auto* const remote = dynamic_cast<const RemoteOrigin*>(&data);
  const bool isFar = remote && !remote->origin().url.empty();
  return isFar && options.scheduler == tasks::SchedulerKind::Fibers ? kTasksOfFarData : kTasksOfNearData;
}

/// How many times a cursor is bound to it: as part of the grid, and as what functions are computed from, which `x` and `iblank` have in
/// common.
int bindings(const paging::DatasetDescription& data, const paging::ArrayDescription& array,
             const PagedDataOptions& options) {
  const bool isNamed =
      std::find(options.arrays.begin(), options.arrays.end(), array.name) != options.arrays.end();
  return (array.isGrid() && !areComputedPlaces(data, array) ? 1 : 0) + (isNamed ? 1 : 0);
}

/// What tasks over `data` need, without the account's figures.
paging::MemoryNeeds needsOf(const OpenData& data, const PagedDataOptions& options) {
  const paging::DatasetDescription& description = data.description();
  paging::MemoryNeeds needs;
  std::vector<std::uint64_t> pageSets(description.blocks.size(), 0);
  for (const paging::ArrayDescription& array : description.arrays) {
    const auto bytes = static_cast<std::uint64_t>(array.maxPageBytes());
    const int uses = bindings(description, array, options);
    if (uses == 0) continue;
    needs.largestPageBytes = std::max(needs.largestPageBytes, bytes);
    // The search uses one page of location bounds at a time, while the cursor's pages stay pinned; an eighth
    // of a page set more leaves room for it.
    if (array.role != paging::ArrayRole::LocationBounds)
      pageSets[static_cast<std::size_t>(array.block)] +=
          paging::FrameMemory::slotBytes(bytes) *
          static_cast<std::uint64_t>(uses * (array.steps > 1 ? options.stepsAtATime : 1));
    else
      needs.pageSetBytes = std::max(needs.pageSetBytes, paging::FrameMemory::slotBytes(bytes));
  }
  const std::uint64_t boxesSlot = needs.pageSetBytes;
  needs.pageSetBytes = (pageSets.empty() ? 0 : *std::max_element(pageSets.begin(), pageSets.end())) +
                       (boxesSlot + paging::Cursor::kPagesPerArray - 1) / paging::Cursor::kPagesPerArray;
  needs.largestStoredBytes = data.largestStoredBytes();
  needs.stackBytes =
      tasks::stackBytesOf({.kind = options.scheduler, .processors = 1, .workersPerProcessor = 1});
  needs.resultBytes = options.resultBytesPerTask;
  const bool serial = options.scheduler == tasks::SchedulerKind::Serial;
  needs.processors = serial ? 1 : options.processors;
  needs.tasksPerProcessor = serial ? 1 : tasksPerProcessor(data, options);
  needs.pageSizeHint = "convert with a smaller --page-edge (8 is the smallest that is useful)";
  needs.shareOfFree = options.shareOfFree;
  return needs;
}

/// Whether it has nothing but places, which nobody waits for.
bool computesPlaces(const paging::PageSource& source) {
  const paging::DatasetDescription& its = source.description();
  return !its.arrays.empty() && areComputedPlaces(its, its.arrays.front());
}

/// A scheduler with the memory of its tasks' stacks.
class PlannedScheduler final : public tasks::Scheduler {
 public:
  PlannedScheduler(MemoryClaim stacks, std::unique_ptr<tasks::Scheduler> scheduler,
                   std::vector<paging::HoldsReads*> sources)
      : m_stacks(std::move(stacks)), m_scheduler(std::move(scheduler)), m_sources(std::move(sources)) {}
  /// Once the time of the group is up no task waits for a page any more.
  tasks::GroupResult run(const tasks::TaskGroup& group, std::stop_token stop) override {
    if (group.timeBudget.count() <= 0) return m_scheduler->run(group, std::move(stop));
    const Hold hold(m_sources, paging::HoldsReads::Clock::now() + group.timeBudget);
    return m_scheduler->run(group, std::move(stop));
  }

 private:
  class Hold {
   public:
    Hold(const std::vector<paging::HoldsReads*>& sources, paging::HoldsReads::Clock::time_point moment)
        : m_sources(sources), m_moment(moment) {
      for (paging::HoldsReads* const source : m_sources) source->holdFrom(m_moment);
    }
    ~Hold() {
      for (paging::HoldsReads* const source : m_sources) source->release(m_moment);
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    const std::vector<paging::HoldsReads*>& m_sources;
    const paging::HoldsReads::Clock::time_point m_moment;
  };
  MemoryClaim m_stacks;
  std::unique_ptr<tasks::Scheduler> m_scheduler;
  const std::vector<paging::HoldsReads*> m_sources;
};

}  // namespace

std::shared_ptr<paging::PageCache> sharedCache(MemoryAccount& account, int processors,
                                               std::uint64_t mostBytes, paging::PageTraceWriter* pageTrace) {
  paging::CacheOptions options;
  options.decoders = processors;
  options.mostFrameBytes = mostBytes > 0 ? mostBytes : account.budgetBytes();
  options.pageTrace = pageTrace;
  return std::make_shared<paging::PageCache>(account, options);
}

std::uint64_t PagedData::smallestFreeBytes(const OpenData& data, const PagedDataOptions& options) {
  return options.keptBytes + paging::smallestFreeBytes(needsOf(data, options));
}

PagedData::PagedData(const OpenData& data, MemoryAccount& account, const PagedDataOptions& options)
    : m_data(data), m_account(account), m_options(options) {
  m_options.tasksPerProcessor = tasksPerProcessor(data, options);
  const paging::DatasetDescription& description = data.description();
  for (const paging::BlockDescription& block : description.blocks) m_bounds.add(block.bounds);
  m_arraysOfBlock.resize(description.blocks.size());
  for (std::size_t n = 0; n < description.arrays.size(); ++n) {
    const paging::ArrayDescription& array = description.arrays[n];
    m_arraysOfBlock[static_cast<std::size_t>(array.block)].push_back(static_cast<int>(n));
  }

  paging::MemoryNeeds needs = needsOf(data, options);
  const std::uint64_t obtainable = account.obtainableBytes();
  const std::uint64_t freeBytes = obtainable - std::min(obtainable, options.keptBytes);
  needs.freeBytes = static_cast<std::uint64_t>(static_cast<double>(freeBytes) * options.shareOfFree);
  needs.usedBytes = account.budgetBytes() - std::min(account.budgetBytes(), obtainable) + options.keptBytes;
  needs.budgetBytes = account.budgetBytes();
  m_plan = planMemory(needs);

  m_sources =
      data.makeSources(account, {m_plan.stagingBytes, options.readers, m_plan.processors, options.engine});
  const std::uint64_t floorBytes =
      paging::withBookkeeping(m_plan.reservationBytes) * static_cast<std::uint64_t>(m_plan.processors);
  // What sources take besides, such as a list of the pages that are kept on disk, is of the frames' share: all else is needed as planned.
  const std::uint64_t left = account.obtainableBytes(), taken = obtainable - std::min(obtainable, left);
  const std::uint64_t besides = taken - std::min(taken, m_plan.stagingBytes);
  m_plan.frameBytes = std::max(std::min(m_plan.frameBytes, floorBytes),
                               m_plan.frameBytes - std::min(m_plan.frameBytes, besides));
  if (options.cache) {
    m_cache = options.cache;
    m_cache->raiseFloor(floorBytes);
    m_floorBytes = floorBytes;
  } else {
    m_cache =
        std::make_shared<paging::PageCache>(account, paging::CacheOptions{.frameBytes = m_plan.frameBytes,
                                                                          .decoders = m_plan.processors,
                                                                          .pageTrace = options.pageTrace});
  }
  try {
    for (const auto& source : m_sources)
      for (std::size_t n = 0; n < source->description().arrays.size(); ++n)
        m_handles.push_back(m_cache->addArray(
            *source, static_cast<std::uint32_t>(n),
            bindings(source->description(), source->description().arrays[n], options) > 0 ? m_plan.processors
                                                                                          : 0));
  } catch (...) {
    releaseCache();
    throw;
  }
  m_prefetch = options.prefetch && m_plan.mode == paging::GatherMode::Pinned &&
               std::none_of(m_sources.begin(), m_sources.end(), [](const auto& source) {
                 return source->readsWhileAsked() && !computesPlaces(*source);
               });
  m_reservation = std::make_unique<paging::Reservation>(*m_cache, m_plan.reservationBytes, m_plan.maxTasks,
                                                        m_plan.processors);
}

PagedData::~PagedData() {
  m_levels.clear();
  releaseCache();
}

void PagedData::releaseCache() {
  for (const auto& source : m_sources) m_cache->remove(*source);
  // a thread that has delivered the last page may still be in the cache; sources wait for theirs
  m_sources.clear();
  m_cache->lowerFloor(m_floorBytes);
}

int PagedData::handle(int block, const std::string& array) const {
  for (const int n : m_arraysOfBlock[static_cast<std::size_t>(block)])
    if (description().arrays[static_cast<std::size_t>(n)].name == array)
      return static_cast<int>(m_handles[static_cast<std::size_t>(n)]);
  return -1;
}

int PagedData::handle(int block, paging::ArrayRole role, int boundsLevel) const {
  for (const int n : m_arraysOfBlock[static_cast<std::size_t>(block)]) {
    const paging::ArrayDescription& array = description().arrays[static_cast<std::size_t>(n)];
    if (array.role == role && array.boundsLevel == boundsLevel)
      return static_cast<int>(m_handles[static_cast<std::size_t>(n)]);
  }
  return -1;
}

BlockSlots PagedData::bind(paging::Cursor& cursor, int block, const FunctionPlan& functions) const {
  const auto slotOf = [&](const auto& wanted) {
    const int number = handle(block, wanted);
    return number < 0 ? -1 : cursor.bind(static_cast<std::uint32_t>(number));
  };
  BlockSlots slots;
  if (functions.gradientCount() > 0) slots.ends = repeatedEndsOf(description(), block, m_bounds);
  if (description().blocks[static_cast<std::size_t>(block)].hasCoordinates())
    slots.xyz = slotOf(paging::ArrayRole::Coordinates);
  slots.iblank = slotOf(paging::ArrayRole::Blanking);
  for (const std::string& name : functions.arrays()) {
    slots.variables.push_back(slotOf(name));
    if (slots.variables.back() < 0)
      throw NotFound("block " + std::to_string(block) + " has no array " + name,
                     "choose a function that every block has");
  }
  return slots;
}

std::unique_ptr<tasks::Scheduler> PagedData::makeScheduler() const {
  tasks::SchedulerOptions options;
  options.kind = m_options.scheduler;
  options.processors = m_plan.processors;
  options.workersPerProcessor = m_plan.tasksPerProcessor;
  options.reapers = reapers();
  std::optional<MemoryClaim> stacks;
  while (!(stacks = m_account.tryClaim(Purpose::Stacks, tasks::stackBytesOf(options))) &&
         options.workersPerProcessor > 1)
    options.workersPerProcessor = (options.workersPerProcessor + 1) / 2;
  if (!stacks) m_account.refuse(tasks::stackBytesOf(options), "reading the data");
  std::vector<paging::HoldsReads*> holding;
  for (const auto& source : m_sources)
    if (auto* const its = dynamic_cast<paging::HoldsReads*>(source.get())) holding.push_back(its);
  return std::make_unique<PlannedScheduler>(std::move(*stacks), tasks::makeScheduler(options),
                                            std::move(holding));
}

std::unique_ptr<Sampler> PagedData::makeSampler(tasks::TaskContext& context,
                                                std::shared_ptr<const FunctionPlan> functions) {
  if (description().blocks.front().isUnstructured())
    return std::make_unique<UnstructuredSampler>(*this, context, std::move(functions));
  return std::make_unique<StructuredSampler>(*this, context, std::move(functions));
}

int PagedData::lookAheadPages() const {
  if (!m_prefetch) return 0;
  return m_lookAhead.depth(m_cache->readLatency(), m_reservation->active() / m_plan.processors);
}

std::uint64_t PagedData::samplerBytes(const FunctionPlan& functions, int stepsAtATime) {
  return functions.isOfUnstructured() ? UnstructuredSampler::bytesFor(functions, stepsAtATime)
                                      : StructuredSampler::bytesFor(functions, stepsAtATime);
}

namespace {

void addTo(paging::SourceCounters& sum, const paging::SourceCounters& more) {
  sum.reads += more.reads;
  sum.bytesRead += more.bytesRead;
}

}  // namespace

paging::SourceCounters PagedData::sourceCounters() const {
  paging::SourceCounters sum;
  const auto add = [&sum](const paging::SourceCounters& counters) { addTo(sum, counters); };
  for (const auto& source : m_sources) add(source->counters());
  if (const auto* const finder = dynamic_cast<const GroupFinder*>(&m_data)) add(finder->lookCounters());
  const std::lock_guard lock(m_levelsMutex);
  for (const auto& [number, level] : m_levels) add(level.paged->sourceCounters());
  return sum;
}

std::vector<paging::SourceReport> PagedData::sourceReports() const {
  std::vector<paging::SourceReport> all;
  const auto* const remote = dynamic_cast<const RemoteOrigin*>(&m_data);
  const std::string url = remote ? remote->origin().url : std::string();
  for (const auto& source : m_sources) {
    if (computesPlaces(*source)) continue;
    for (paging::SourceReport& report : paging::reportsOf(*source)) {
      // a source of boxes does not know where its reader has them from
      report.isHere = report.isHere && (url.empty() || report.name != url);
      all.push_back(std::move(report));
    }
  }
  const auto* const finder = dynamic_cast<const GroupFinder*>(&m_data);
  if (finder && !all.empty()) addTo(all.front().counters, finder->lookCounters());
  return all;
}

std::vector<bool> PagedData::lookForKept(std::uint32_t array, std::uint64_t first,
                                         std::uint64_t count) const {
  for (const auto& source : m_sources) {
    const auto arrays = static_cast<std::uint32_t>(source->description().arrays.size());
    if (array >= arrays) {
      array -= arrays;
      continue;
    }
    const auto* const keeps = dynamic_cast<const paging::KeepsPages*>(source.get());
    return keeps ? keeps->lookForKept(array, first, count) : std::vector<bool>{};
  }
  return {};
}

PagedData* PagedData::level(int number) {
  const std::lock_guard lock(m_levelsMutex);
  const auto found = m_levels.find(number);
  if (found != m_levels.end()) return found->second.paged.get();
  Level level;
  level.opened = m_data.openLevel(number, m_account);
  if (!level.opened) return nullptr;
  PagedDataOptions options = m_options;
  // The other levels' pages have their part already.
  options.shareOfFree = 0.5;
  level.paged = std::make_unique<PagedData>(*level.opened, m_account, options);
  return m_levels.emplace(number, std::move(level)).first->second.paged.get();
}

std::vector<tasks::Reaper*> PagedData::reapers() const {
  std::vector<tasks::Reaper*> reapers;
  for (const auto& source : m_sources) reapers.push_back(source.get());
  return reapers;
}

}  // namespace farfield::fields
