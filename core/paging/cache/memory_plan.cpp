#include "core/paging/cache/memory_plan.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/paging/bytes/staging_arena.h"
#include "core/paging/cache/frame_memory.h"

namespace farfield::paging {
namespace {

/// The share of the memory that the tasks in flight may take.
constexpr std::uint64_t kShareOfTasks = 3;
constexpr std::uint64_t kMostStaging = 32 << 20;

/// The least that one way of running needs.
struct Least {
  std::uint64_t reservation = 0, perTask = 0, fixed = 0;
  std::uint64_t bytes = 0;
};

std::uint64_t largestStoredOf(const MemoryNeeds& needs) {
  return wholeStagingUnits(needs.largestStoredBytes);
}

Least leastOf(const MemoryNeeds& needs, GatherMode mode, int processors) {
  Least least;
  least.reservation = mode == GatherMode::Pinned ? needs.pageSetBytes * Cursor::kPagesPerArray
                                                 : FrameMemory::slotBytes(needs.largestPageBytes);
  least.perTask = needs.stackBytes + needs.resultBytes;
  least.fixed = 2 * needs.largestPageBytes * static_cast<std::uint64_t>(processors);
  least.bytes = least.fixed + largestStoredOf(needs) +
                (withBookkeeping(least.reservation) + least.perTask) * static_cast<std::uint64_t>(processors);
  return least;
}

}  // namespace

std::uint64_t smallestFreeBytes(const MemoryNeeds& needs) {
  const std::uint64_t smallest =
      std::min(leastOf(needs, GatherMode::Pinned, 1).bytes, leastOf(needs, GatherMode::Copying, 1).bytes);
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(smallest) / needs.shareOfFree));
}

MemoryPlan planMemory(const MemoryNeeds& needs) {
  const std::uint64_t largestStored = largestStoredOf(needs);
  for (const GatherMode mode : {GatherMode::Pinned, GatherMode::Copying}) {
    for (int processors = needs.processors; processors >= 1; --processors) {
      const auto [reservation, perTask, fixed, least] = leastOf(needs, mode, processors);
      if (least > needs.freeBytes) continue;
      MemoryPlan plan;
      plan.mode = mode;
      plan.reservationBytes = reservation;
      plan.processors = processors;
      const std::uint64_t spare = needs.freeBytes - least;
      plan.stagingBytes =
          largestStored + std::min<std::uint64_t>(spare / 8, kMostStaging) / kStagingUnit * kStagingUnit;
      const std::uint64_t left = needs.freeBytes - fixed - plan.stagingBytes;
      const std::uint64_t wanted =
          static_cast<std::uint64_t>(processors) * static_cast<std::uint64_t>(needs.tasksPerProcessor);
      // `least` holds one task per processor; what the other tasks take is not available for pages.
      const std::uint64_t pages = static_cast<std::uint64_t>(processors) * withBookkeeping(reservation);
      const std::uint64_t fitting =
          perTask > 0 ? std::min((left - pages) / kShareOfTasks / perTask, wanted) : wanted;
      plan.tasksPerProcessor =
          static_cast<int>(std::max<std::uint64_t>(1, fitting / static_cast<std::uint64_t>(processors)));
      plan.maxTasks = plan.tasksPerProcessor * processors;
      plan.frameBytes =
          left - static_cast<std::uint64_t>(plan.maxTasks) * (needs.stackBytes + needs.resultBytes);
      return plan;
    }
  }
  const std::uint64_t budget = needs.budgetBytes > 0 ? needs.budgetBytes : needs.freeBytes + needs.usedBytes;
  throw OverBudget("the memory budget of " + formatBytes(budget) + " is too small for pages of " +
                       formatBytes(needs.largestPageBytes),
                   adviceToGive(needs.usedBytes + smallestFreeBytes(needs)) +
                       (needs.pageSizeHint.empty() ? "" : ", or " + needs.pageSizeHint));
}

}  // namespace farfield::paging
