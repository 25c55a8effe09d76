#pragma once
// A data set for tasks: the opened data, its sources, and the page cache over them, set up by one memory
// plan. Tasks get their samplers and cursors from here.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/functions/box_functions.h"
#include "core/fields/functions/functions.h"
#include "core/fields/functions/open_data.h"
#include "core/fields/paged/look_ahead.h"
#include "core/fields/paged/sampler.h"
#include "core/paging/cache/cursor.h"
#include "core/paging/cache/memory_plan.h"
#include "core/paging/cache/page_cache.h"
#include "core/paging/pages/source_report.h"
#include "core/tasks/scheduler.h"

namespace farfield::fields {

struct PagedDataOptions {
  /// Arrays that tasks gather besides the grid: FunctionPlan::arrays of every plan.
  std::vector<std::string> arrays;
  tasks::SchedulerKind scheduler = tasks::SchedulerKind::Fibers;
  int processors = 1;
  int tasksPerProcessor = 0;  ///< in flight; 0: as many as suits where the data lie
  int stepsAtATime = 1;       ///< steps that tasks gather from: 2 for samplers at times between steps
  int readers = 16;
  paging::EngineKind engine = paging::EngineKind::Auto;
  std::uint64_t resultBytesPerTask = 0;
  double shareOfFree = 1;       ///< share of the account's free bytes that the plan may use
  std::uint64_t keptBytes = 0;  ///< of these, bytes that it must leave free
  bool prefetch = true;         ///< request pages ahead of lines
  /// A cache shared with other data. Null: a cache of its own, of a fixed size.
  std::shared_ptr<paging::PageCache> cache = nullptr;
  /// Records the pages that tasks request, in a cache of its own; outlives the data.
  paging::PageTraceWriter* pageTrace = nullptr;
};

/// A cache for all data of `account`: takes what is not claimed otherwise, up to `mostBytes` (0: the budget),
/// and gives it back when it is claimed. At most `processors` check and decode pages at a time.
std::shared_ptr<paging::PageCache> sharedCache(MemoryAccount& account, int processors,
                                               std::uint64_t mostBytes = 0,
                                               paging::PageTraceWriter* pageTrace = nullptr);

/// Outlives its samplers. As thread-safe as the cache.
class PagedData {
 public:
  /// The least free bytes of the account with which the constructor works. `data` may come from a rehearsal.
  static std::uint64_t smallestFreeBytes(const OpenData& data, const PagedDataOptions& options);

  /// Throws OverBudget.
  PagedData(const OpenData& data, MemoryAccount& account, const PagedDataOptions& options);
  /// Removes its pages from the cache.
  ~PagedData();

  const paging::DatasetDescription& description() const { return m_data.description(); }
  const OpenData& data() const { return m_data; }
  const PagedDataOptions& options() const { return m_options; }
  const Bounds& bounds() const { return m_bounds; }
  paging::PageCache& cache() { return *m_cache; }
  const paging::PageCache& cache() const { return *m_cache; }
  const paging::MemoryPlan& plan() const { return m_plan; }
  /// The same data at another level of detail (OpenData::openLevel), opened when it is asked for first, with a plan of its
  /// own from half of what is free; null where there is none. It lives as long as these data, so what it has in memory
  /// serves all that show it. Throws what opening throws, OverBudget.
  PagedData* level(int number);
  /// Whether pages may be asked for before somebody needs them, and that gains anything.
  bool asksAhead() const { return m_prefetch; }
  /// The cache's handle of an array, or -1 if the block has none of that name.
  int handle(int block, const std::string& array) const;
  /// The same by role; `boundsLevel` is used for location bounds only.
  int handle(int block, paging::ArrayRole role, int boundsLevel = 0) const;
  /// Of the arrays of the description, in order.
  const std::vector<std::uint32_t>& handles() const { return m_handles; }
  /// Binds the grid of `block` and the arrays of `functions` to a cursor without arrays. Throws NotFound if
  /// the block lacks one of those.
  BlockSlots bind(paging::Cursor& cursor, int block, const FunctionPlan& functions) const;

  /// A scheduler and an admission as planned, with fewer tasks if the account has no memory for their stacks.
  /// Throws OverBudget. The admission's reservation is for one cursor in the plan's mode, bound to the grid
  /// and `arrays`, and the sampler's search.
  std::unique_ptr<tasks::Scheduler> makeScheduler() const;
  tasks::Admission& admission() { return *m_reservation; }

  /// A sampler for the calling task.
  std::unique_ptr<Sampler> makeSampler(tasks::TaskContext& context,
                                       std::shared_ptr<const FunctionPlan> functions);
  int stepsAtATime() const { return m_options.stepsAtATime; }
  /// How many pages ahead of a line are worth requesting now; 0 for data that are computed when requested.
  int lookAheadPages() const;
  LookAhead& lookAhead() { return m_lookAhead; }
  /// Memory of one sampler.
  static std::uint64_t samplerBytes(const FunctionPlan& functions, int stepsAtATime = 1);
  /// Operations and bytes of all sources together, those of other levels too.
  paging::SourceCounters sourceCounters() const;
  /// How each server or file fares.
  std::vector<paging::SourceReport> sourceReports() const;
  /// Which of `count` pages from `first` of an array, by its number in the description, are kept on this machine's disk though the
  /// data are elsewhere. Empty where none ever are, or it cannot be told.
  std::vector<bool> lookForKept(std::uint32_t array, std::uint64_t first, std::uint64_t count) const;
  /// What the data's schedulers must reap.
  std::vector<tasks::Reaper*> reapers() const;

 private:
  struct Level {
    std::unique_ptr<OpenData> opened;
    std::unique_ptr<PagedData> paged;
  };
  void releaseCache();

  const OpenData& m_data;
  MemoryAccount& m_account;
  PagedDataOptions m_options;
  Bounds m_bounds;
  std::vector<std::vector<int>> m_arraysOfBlock;  ///< indices in description().arrays
  paging::MemoryPlan m_plan;
  std::vector<std::unique_ptr<paging::PageSource>> m_sources;
  std::shared_ptr<paging::PageCache> m_cache;
  std::uint64_t m_floorBytes = 0;  ///< of a shared cache, for these data
  std::vector<std::uint32_t> m_handles;
  std::unique_ptr<paging::Reservation> m_reservation;
  bool m_prefetch = false;
  LookAhead m_lookAhead;
  mutable std::mutex m_levelsMutex;
  std::map<int, Level> m_levels;  ///< guarded by it
};

}  // namespace farfield::fields
