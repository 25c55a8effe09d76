#pragma once
// One run of one group: which task is next, which are active, the first error, when to stop. Schedulers
// differ only in what they do while a task waits; the rest is here. Thread-safe.
//
// Life of a task number: unstarted -> (admitted) active -> ended. start() counts a task as active *before* it
// looks whether tasks may still start, so that whoever sees "no more may start" and then "none is
// active" knows that the run is over.

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "core/tasks/scheduler.h"

namespace farfield::tasks::detail {

/// CPU time of the calling thread, in seconds.
double threadCpuSeconds();

/// Sets currentProcessor() of the calling thread while it lives.
class ProcessorNumber {
 public:
  explicit ProcessorNumber(int number);
  ~ProcessorNumber();
  ProcessorNumber(const ProcessorNumber&) = delete;
  ProcessorNumber& operator=(const ProcessorNumber&) = delete;
  static void set(int number);

 private:
  int m_before;
};

class GroupRun {
 public:
  /// `resumeAll` is called, once or more and from any thread, when the tasks must stop; it makes every
  /// waiting task runnable. It may be called before this constructor has returned.
  GroupRun(const TaskGroup& group, std::stop_token stop, std::function<void()> resumeAll);
  GroupRun(const GroupRun&) = delete;
  GroupRun& operator=(const GroupRun&) = delete;

  enum class Start { Task, Refused, None };
  /// Takes the next task. Refused: there is one, but admission does not let it start now.
  Start start(std::size_t& number);
  /// Runs it; to be called on the task's own stack. Whatever it throws is kept for finish().
  void execute(std::size_t number, TaskContext& context);
  /// Follows execute(), off the task's stack. `waits`: how often it waited.
  void ended(std::size_t number, std::uint64_t waits) noexcept;

  bool moreToStart() const;
  /// True when no task is active and none will start.
  bool isOver() const { return !moreToStart() && m_active.load() == 0; }
  bool stopRequested() const { return m_stopped.load(); }
  bool outOfTime() const;
  /// True when every wait must end, whether or not its gate has opened.
  bool waitingIsOver() const { return stopRequested() || outOfTime(); }
  /// How long an idle processor may sleep: `mostMs`, or less where the time budget ends before.
  int sleepMs(int mostMs) const;
  void addBusySeconds(double seconds);
  /// The task's id in the event log, unique over all runs of the process.
  std::uint64_t traceId(std::size_t number) const { return m_traceBase + number; }

  /// After the last task: the result, or the error that the run ends in.
  GroupResult finish();

 private:
  using Clock = std::chrono::steady_clock;
  void fail(std::size_t number, std::exception_ptr error) noexcept;
  void requestStop();
  void reportProgress(std::size_t number) noexcept;
  std::string describe(std::size_t number) const;

  const TaskGroup& m_group;
  const std::stop_token m_token;
  const std::function<void()> m_resumeAll;
  const Clock::time_point m_startedAt = Clock::now();
  const std::uint64_t m_traceBase;

  std::atomic<std::size_t> m_next{0}, m_active{0}, m_finished{0};
  std::atomic<bool> m_stopped{false}, m_late{false};
  std::atomic<std::uint64_t> m_waits{0}, m_longestWaitChain{0};
  std::atomic<std::uint64_t> m_inFlight{0}, m_mostInFlight{0};  ///< tasks, started and not ended

  mutable std::mutex m_mutex;  ///< guards the three below
  std::exception_ptr m_error;
  std::size_t m_failedTask = 0;
  double m_busySeconds = 0;

  std::mutex m_progressMutex;  ///< held while progress is called
  Clock::time_point m_reportedAt = m_startedAt;

  std::optional<std::stop_callback<std::function<void()>>> m_onStop;  ///< last: gone before what it uses
};

}  // namespace farfield::tasks::detail
