#include "core/tasks/group_run.h"

#include <time.h>

#include <algorithm>
#include <boost/context/detail/exception.hpp>
#include <new>
#include <typeinfo>
#include <utility>

#include "core/base/error.h"
#include "core/trace/trace.h"

namespace farfield::tasks {
namespace {
thread_local int t_processor = 0;
}

int currentProcessor() {
  return t_processor;
}

namespace detail {
namespace {

template <class Kind>
bool rethrowCopy(const Error& error, const std::string& place) {
  if (typeid(error) != typeid(Kind)) return false;
  Kind copy(static_cast<const Kind&>(error));
  copy.at(place);
  throw copy;
}

/// Throws `error` again, of the same type, with `place` in front. One exception object may be on its way to
/// several tasks, of other groups even (all that waited for a page that is broken), so a copy is made.
/// Types from elsewhere that derive from Error can only be changed where they are.
[[noreturn]] void rethrowAt(const std::exception_ptr& pointer, const std::string& place) {
  try {
    std::rethrow_exception(pointer);
  } catch (Error& error) {
    rethrowCopy<NotFound>(error, place) || rethrowCopy<Corrupt>(error, place) ||
        rethrowCopy<Io>(error, place) || rethrowCopy<Protocol>(error, place) ||
        rethrowCopy<Invalid>(error, place) || rethrowCopy<Unsupported>(error, place) ||
        rethrowCopy<OverBudget>(error, place) || rethrowCopy<Cancelled>(error, place) ||
        rethrowCopy<Error>(error, place);
    error.at(place);
    throw;
  } catch (const std::bad_alloc&) {
    throw Error("the system has no memory left", "lower --memory, or raise the limit (ulimit -v)").at(place);
  } catch (const std::exception& error) {
    throw Error(error.what()).at(place);
  } catch (...) {
    throw Error("an exception of an unknown type").at(place);
  }
}

bool isCancelled(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
    return true;
  } catch (...) {
    return false;
  }
}

void raiseTo(std::atomic<std::uint64_t>& maximum, std::uint64_t value) {
  std::uint64_t now = maximum.load(std::memory_order_relaxed);
  while (now < value && !maximum.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}

std::uint64_t nextTraceBase() {
  static std::atomic<std::uint64_t> s_runs{0};
  return s_runs.fetch_add(1, std::memory_order_relaxed) << 36;
}

}  // namespace

double threadCpuSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

ProcessorNumber::ProcessorNumber(int number) : m_before(t_processor) {
  t_processor = number;
}
ProcessorNumber::~ProcessorNumber() {
  t_processor = m_before;
}
void ProcessorNumber::set(int number) {
  t_processor = number;
}

GroupRun::GroupRun(const TaskGroup& group, std::stop_token stop, std::function<void()> resumeAll)
    : m_group(group),
      m_token(std::move(stop)),
      m_resumeAll(std::move(resumeAll)),
      m_traceBase(nextTraceBase()) {
  m_onStop.emplace(m_token, [this] { requestStop(); });
}

void GroupRun::requestStop() {
  m_stopped.store(true);
  m_resumeAll();
}

bool GroupRun::outOfTime() const {
  return m_group.timeBudget.count() > 0 && Clock::now() - m_startedAt >= m_group.timeBudget;
}

int GroupRun::sleepMs(int mostMs) const {
  if (m_group.timeBudget.count() <= 0) return mostMs;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(m_group.timeBudget - (Clock::now() - m_startedAt)).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, mostMs));
}

bool GroupRun::moreToStart() const {
  return m_next.load() < m_group.count && !m_stopped.load() && !outOfTime();
}

GroupRun::Start GroupRun::start(std::size_t& number) {
  m_active.fetch_add(1);
  if (!moreToStart()) {
    m_active.fetch_sub(1);
    return Start::None;
  }
  if (m_group.admission && !m_group.admission->tryEnter()) {
    m_active.fetch_sub(1);
    return Start::Refused;
  }
  std::size_t next = m_next.load();
  while (next < m_group.count && !m_next.compare_exchange_weak(next, next + 1)) {
  }
  if (next >= m_group.count) {
    if (m_group.admission) m_group.admission->leave();
    m_active.fetch_sub(1);
    return Start::None;
  }
  number = next;
  raiseTo(m_mostInFlight, m_inFlight.fetch_add(1, std::memory_order_relaxed) + 1);
  trace::asyncBegin("tasks", "task", traceId(number));
  return Start::Task;
}

void GroupRun::execute(std::size_t number, TaskContext& context) {
  std::exception_ptr error;
  try {
    m_group.run(number, context);
    m_finished.fetch_add(1);
    return;
  } catch (const boost::context::detail::forced_unwind&) {
    throw;  // takes down the stack of a fiber that is destroyed; it must reach the fiber's entry
  } catch (const TimeIsUp&) {
    m_late.store(true, std::memory_order_relaxed);
    return;
  } catch (...) {
    error = std::current_exception();
  }
  fail(number, std::move(error));
}

void GroupRun::fail(std::size_t number, std::exception_ptr error) noexcept {
  // A task that stops because it was asked to has not failed, nor has one that throws after the user's stop.
  if (m_token.stop_requested() || (m_stopped.load() && isCancelled(error))) return;
  {
    const std::lock_guard lock(m_mutex);
    if (!m_error || number < m_failedTask) {
      std::swap(m_error, error);
      m_failedTask = number;
    }
  }
  requestStop();
}

void GroupRun::ended(std::size_t number, std::uint64_t waits) noexcept {
  trace::asyncEnd("tasks", "task", traceId(number));
  if (m_group.admission) m_group.admission->leave();
  m_inFlight.fetch_sub(1, std::memory_order_relaxed);
  m_waits.fetch_add(waits, std::memory_order_relaxed);
  raiseTo(m_longestWaitChain, waits);
  if (outOfTime()) m_late.store(true, std::memory_order_relaxed);
  if (m_group.progress) reportProgress(number);
  m_active.fetch_sub(1);
}

void GroupRun::reportProgress(std::size_t number) noexcept {
  constexpr std::chrono::milliseconds kInterval{100};
  const std::unique_lock lock(m_progressMutex, std::try_to_lock);
  const auto now = Clock::now();
  if (!lock || now - m_reportedAt < kInterval) return;
  m_reportedAt = now;
  try {
    m_group.progress(m_finished.load(), m_group.count);
  } catch (...) {
    fail(number, std::current_exception());
  }
}

void GroupRun::addBusySeconds(double seconds) {
  const std::lock_guard lock(m_mutex);
  m_busySeconds += seconds;
}

/// How work is divided is nothing to who reads the error.
std::string GroupRun::describe(std::size_t number) const {
  return m_group.describe ? m_group.describe(number) : std::string();
}

GroupResult GroupRun::finish() {
  m_onStop.reset();
  const std::lock_guard lock(m_mutex);
  if (m_error) rethrowAt(m_error, describe(m_failedTask));
  if (m_token.stop_requested()) throw Cancelled();
  GroupResult result;
  result.finished = m_finished.load();
  result.outOfTime = m_late.load() || result.finished < m_group.count;
  result.waits = m_waits.load();
  result.longestWaitChain = m_longestWaitChain.load();
  result.mostInFlight = m_mostInFlight.load();
  result.busySeconds = m_busySeconds;
  if (m_group.progress) m_group.progress(result.finished, m_group.count);
  return result;
}

}  // namespace detail
}  // namespace farfield::tasks
