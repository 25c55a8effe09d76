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

/// What an idle processor waits at most before it looks again whether admission lets a task in: another
/// group may have given back what was missing, and nobody tells.
constexpr int kAdmissionRetryMs = 5;
/// The longest sleep of an idle processor. Whatever it waits for rings its bell; this bounds the harm of a
/// reaper that does not announce what it has.
constexpr int kIdleMs = 50;

}  // namespace farfield::tasks::detail
