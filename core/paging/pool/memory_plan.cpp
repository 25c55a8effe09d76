#include "core/paging/pool/memory_plan.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/paging/page_source.h"
#include "core/paging/pool/frame_memory.h"

namespace farfield::paging {
namespace {

/// The pool keeps one part in 32 for its own bookkeeping.
std::uint64_t withBookkeeping(std::uint64_t frameBytes) {
  return frameBytes + frameBytes / 31 + 1;
}

constexpr std::uint64_t kMostStaging = 32 << 20;

}  // namespace

MemoryPlan planMemory(const MemoryNeeds& needs) {
  const std::uint64_t scratch = 2 * needs.largestPageBytes;
  const std::uint64_t largestSlot = FrameMemory::slotBytes(needs.largestPageBytes);
  const std::uint64_t largestStored = wholeStagingUnits(needs.largestStoredBytes);
  std::uint64_t smallest = ~std::uint64_t{0};
  for (const GatherMode mode : {GatherMode::Pinned, GatherMode::Copying}) {
    const std::uint64_t reservation =
        mode == GatherMode::Pinned ? needs.pageSetBytes * Cursor::kPagesPerArray : largestSlot;
    const std::uint64_t perTask = withBookkeeping(reservation) + needs.stackBytes + needs.resultBytes;
    for (int processors = needs.processors; processors >= 1; --processors) {
      const std::uint64_t fixed = scratch * static_cast<std::uint64_t>(processors);
      const std::uint64_t least = fixed + largestStored + perTask * static_cast<std::uint64_t>(processors);
      smallest = std::min(smallest, least);
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
      // `least` holds one task per processor, so at least that many fit.
      const std::uint64_t fitting = std::min(left / perTask, wanted);
      plan.tasksPerProcessor =
          static_cast<int>(std::max<std::uint64_t>(1, fitting / static_cast<std::uint64_t>(processors)));
      plan.maxTasks = plan.tasksPerProcessor * processors;
      plan.frameBytes =
          left - static_cast<std::uint64_t>(plan.maxTasks) * (needs.stackBytes + needs.resultBytes);
      return plan;
    }
  }
  const std::uint64_t budget = needs.budgetBytes > 0 ? needs.budgetBytes : needs.freeBytes + needs.usedBytes;
  const double left = std::ceil(static_cast<double>(smallest) / needs.shareOfFree);
  const std::uint64_t enough = needs.usedBytes + static_cast<std::uint64_t>(left);
  throw OverBudget("the memory budget of " + formatBytes(budget) + " is too small for pages of " +
                       formatBytes(needs.largestPageBytes),
                   "give at least --memory " + std::to_string((enough + 1023) / 1024) + "K" +
                       (needs.pageSizeHint.empty() ? "" : ", or " + needs.pageSizeHint));
}

}  // namespace farfield::paging
