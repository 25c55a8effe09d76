#pragma once
// How a memory budget is shared out before tasks start: frames, staging, decode memory, stacks, results;
// and how many tasks may be in flight, so that what is taken never passes the budget and nothing deadlocks
// (README.md here). A budget too small for the processors asked lowers tasks, then processors, then the way
// pages are held, and only then fails.

#include <cstdint>
#include <string>

#include "core/paging/cache/cursor.h"

namespace farfield::paging {

struct MemoryNeeds {
  std::uint64_t freeBytes = 0;         ///< of the budget, now
  std::uint64_t usedBytes = 0;         ///< of the budget, already (index, open files), or kept for others
  std::uint64_t budgetBytes = 0;       ///< for the error; 0: the two together
  double shareOfFree = 1;              ///< for the error: which part of what is left freeBytes is
  std::uint64_t pageSetBytes = 0;      ///< slots of one page of every array that a task gathers from together
  std::uint64_t largestPageBytes = 0;  ///< decoded
  std::uint64_t largestStoredBytes = 0;
  std::uint64_t stackBytes = 0;   ///< per task
  std::uint64_t resultBytes = 0;  ///< per task: buffers for what it makes
  int processors = 1;
  int tasksPerProcessor = 1;
  std::string pageSizeHint;  ///< added to the error: which page edge would fit
};

struct MemoryPlan {
  std::uint64_t frameBytes = 0, stagingBytes = 0;
  std::uint64_t reservationBytes = 0;  ///< per task
  int processors = 1, tasksPerProcessor = 1;
  int maxTasks = 1;
  GatherMode mode = GatherMode::Pinned;
};

/// The least that must be free of the budget (of which `shareOfFree` is for these needs) for a plan; the
/// account's figures in `needs` are not looked at.
std::uint64_t smallestFreeBytes(const MemoryNeeds& needs);

/// Throws OverBudget with the smallest budget that works.
MemoryPlan planMemory(const MemoryNeeds& needs);

}  // namespace farfield::paging
