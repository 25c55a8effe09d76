#pragma once
// How a memory budget is divided before tasks start: frames, staging, decode memory, stacks, results, and how
// many tasks may be in flight, so that the budget is never exceeded and nothing deadlocks (README.md here).
// If the budget is too small for the processors asked for, tasks are reduced first, then processors, then the
// pages held, and only then it fails.

#include <cstdint>
#include <string>

#include "core/paging/cache/cursor.h"

namespace farfield::paging {

struct MemoryNeeds {
  std::uint64_t freeBytes = 0;         ///< of the budget
  std::uint64_t usedBytes = 0;         ///< of the budget, by others (index, open files), or kept for them
  std::uint64_t budgetBytes = 0;       ///< for the error; 0: freeBytes + usedBytes
  double shareOfFree = 1;              ///< for the error: freeBytes as a fraction of all that is left
  std::uint64_t pageSetBytes = 0;      ///< slots of one page of every array that a task gathers together
  std::uint64_t largestPageBytes = 0;  ///< decoded
  std::uint64_t largestStoredBytes = 0;
  std::uint64_t stackBytes = 0;   ///< per task
  std::uint64_t resultBytes = 0;  ///< per task: buffers for its results
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

/// The least free memory for which there is a plan (`shareOfFree` of it for these needs); does not read the
/// figures of the account in `needs`.
std::uint64_t smallestFreeBytes(const MemoryNeeds& needs);

/// Throws OverBudget with the smallest budget that works.
MemoryPlan planMemory(const MemoryNeeds& needs);

}  // namespace farfield::paging
