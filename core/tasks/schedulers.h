#pragma once
// The makers of the three schedulers, for makeScheduler() alone.

#include <cstddef>
#include <memory>

#include "core/tasks/scheduler.h"

namespace farfield::tasks::detail {

std::unique_ptr<Scheduler> makeSerial(const SchedulerOptions& options);
std::unique_ptr<Scheduler> makeThreads(const SchedulerOptions& options);
std::unique_ptr<Scheduler> makeFibers(const SchedulerOptions& options);

/// The least that an OS thread gets, more where a sanitizer widens every frame.
#ifdef FARFIELD_SANITIZED
constexpr std::size_t kLeastThreadStackBytes = std::size_t{1} << 20;
#else
constexpr std::size_t kLeastThreadStackBytes = kThreadStackBytes;
#endif
/// The least on which a fiber can throw an exception.
constexpr std::size_t kLeastFiberStackBytes = std::size_t{16} << 10;

/// How long an idle processor sleeps at most before it asks admission again: another group may have given
/// back what was missing, and no one is told of that.
constexpr int kAdmissionRetryMs = 5;
/// The longest sleep of an idle processor. What it waits for rings its bell; this limit is for a reaper that
/// fails to announce what it has.
constexpr int kIdleMs = 50;

}  // namespace farfield::tasks::detail
