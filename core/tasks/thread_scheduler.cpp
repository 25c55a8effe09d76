// Tasks on OS threads: `workers` threads per processor, of which a permit lets one run (crew.h). A thread
// that must wait gives its permit to one whose data have arrived, or else to one that starts another task.
// The calling thread runs no task: it sleeps on the reapers' descriptors, reaps, and asks admission again.

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <string>

#include "core/base/error.h"
#include "core/tasks/crew.h"
#include "core/tasks/group_run.h"
#include "core/tasks/immortal.h"
#include "core/tasks/schedulers.h"
#include "core/trace/trace.h"

namespace farfield::tasks::detail {
namespace {

class ThreadContext final : public TaskContext {
 public:
  ThreadContext(Crew& crew, CrewMember& member, GroupRun& run) : m_crew(crew), m_member(member), m_run(run) {}

  void startTask(std::size_t number) {
    m_number = number;
    m_waits = 0;
  }
  std::uint64_t waits() const { return m_waits; }

  void wait(Gate& gate, const std::function<void()>& submit) override {
    ++m_waits;
    const trace::Scope scope("tasks", "pause", m_number);  // the task has the thread to itself
    trace::asyncBegin("tasks", "wait", m_run.traceId(m_number));
    submit();
    ProcessorNumber::set(m_crew.awaitGate(m_member, [&] { return gate.isOpen() || m_run.waitingIsOver(); }));
    trace::asyncEnd("tasks", "wait", m_run.traceId(m_number));
  }
  Waker& waker() override { return m_member; }
  bool stopRequested() const override { return m_run.stopRequested(); }
  bool outOfTime() const override { return m_run.outOfTime(); }

 private:
  Crew& m_crew;
  CrewMember& m_member;
  GroupRun& m_run;
  std::size_t m_number = 0;
  std::uint64_t m_waits = 0;
};

/// One thread of a run, with a stack of a chosen size (which std::thread cannot have).
class Worker {
 public:
  Worker(Crew& crew, CrewMember& member, GroupRun& run) : m_crew(crew), m_member(member), m_run(run) {}

  bool begin(std::size_t stackBytes) {
    pthread_attr_t attributes;
    if (::pthread_attr_init(&attributes) != 0) return false;
    ::pthread_attr_setstacksize(&attributes, std::max(stackBytes, kLeastThreadStackBytes));
    const int refused = ::pthread_create(
        &m_thread, &attributes,
        [](void* self) -> void* {
          static_cast<Worker*>(self)->work();
          return nullptr;
        },
        this);
    ::pthread_attr_destroy(&attributes);
    return refused == 0;
  }
  void join() { ::pthread_join(m_thread, nullptr); }

 private:
  void work() {
    trace::nameThread("worker");
    ThreadContext context(m_crew, m_member, m_run);
    for (;;) {
      const int permit = m_crew.awaitWork(m_member);
      if (permit < 0) break;
      ProcessorNumber::set(permit);
      std::size_t number = 0;
      const GroupRun::Start start = m_run.start(number);
      if (start == GroupRun::Start::Task) {
        context.startTask(number);
        {
          const trace::Scope scope("tasks", "run", number);
          m_run.execute(number, context);
        }
        m_run.ended(number, context.waits());
        m_crew.setBlocked(false);
      } else if (start == GroupRun::Start::Refused) {
        m_crew.setBlocked(true);
        m_crew.bell().ring();
      }
      m_crew.becomeIdle(m_member);
      if (m_run.isOver()) m_crew.bell().ring();
    }
    m_run.addBusySeconds(threadCpuSeconds());
  }

  Crew& m_crew;
  CrewMember& m_member;
  GroupRun& m_run;
  pthread_t m_thread{};
};

class ThreadScheduler final : public Scheduler {
 public:
  explicit ThreadScheduler(SchedulerOptions options) : m_options(std::move(options)) {}

  GroupResult run(const TaskGroup& group, std::stop_token stop) override {
    const double cpuBefore = threadCpuSeconds();
    Crew& crew = *m_crew;
    std::deque<Worker> workers;  // changed under the crew's lock only
    GroupRun run(group, std::move(stop), [&crew] {
      crew.wakeAll();
      crew.bell().ring();
    });
    const auto most = static_cast<std::size_t>(m_options.processors) *
                      static_cast<std::size_t>(m_options.workersPerProcessor);
    crew.open(m_options.processors, std::min(most, group.count),
              {.moreToStart = [&run] { return run.moreToStart(); },
               .addThread =
                   [&](CrewMember& member) {
                     if (workers.emplace_back(crew, member, run).begin(m_options.stackBytes)) return true;
                     workers.pop_back();
                     return false;
                   }});
    if (crew.membersStarted() == 0 && run.moreToStart()) {
      crew.close();
      throw Io("the system gives no thread to run tasks on", "use the scheduler serial");
    }
    supervise(run);
    crew.close();
    for (Worker& worker : workers) worker.join();
    run.addBusySeconds(threadCpuSeconds() - cpuBefore);
    return run.finish();
  }

 private:
  void supervise(GroupRun& run) {
    using Clock = std::chrono::steady_clock;
    Sleeper sleeper(m_crew->bell(), m_options.reapers);
    Clock::time_point askedAgain = Clock::now();
    bool timeIsUp = false;
    while (!run.isOver()) {
      if (!timeIsUp && run.outOfTime()) {
        timeIsUp = true;
        m_crew->wakeAll();
      }
      const bool blocked = m_crew->isBlocked();
      if (blocked && Clock::now() - askedAgain >= std::chrono::milliseconds(kAdmissionRetryMs)) {
        askedAgain = Clock::now();
        m_crew->setBlocked(false);
      }
      if (sleeper.reap() == 0 && !run.isOver()) {
        const int mostMs = blocked ? kAdmissionRetryMs : kIdleMs;
        sleeper.sleep(timeIsUp ? mostMs : run.sleepMs(mostMs));
      }
    }
  }

  const SchedulerOptions m_options;
  const Immortal<Crew>::Lease m_crew;
};

}  // namespace

std::unique_ptr<Scheduler> makeThreads(const SchedulerOptions& options) {
  return std::make_unique<ThreadScheduler>(options);
}

}  // namespace farfield::tasks::detail
