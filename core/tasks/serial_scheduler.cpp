// One task at a time, in order, on the calling thread. A task that waits keeps the whole program waiting:
// this is how a program without Farfield's scheduling would behave, and what it is compared with.

#include "core/tasks/group_run.h"
#include "core/tasks/immortal.h"
#include "core/tasks/schedulers.h"
#include "core/tasks/sleeper.h"
#include "core/trace/trace.h"

namespace farfield::tasks::detail {
namespace {

/// A ring is all that a wake has to do: the one task that may be waiting looks at its gate.
class SerialWaker final : public Waker {
 public:
  void wake() noexcept override { m_bell.ring(); }
  Bell& bell() { return m_bell; }

 private:
  Bell m_bell;
};

class SerialContext final : public TaskContext {
 public:
  SerialContext(SerialWaker& waker, Sleeper& sleeper, GroupRun& run)
      : m_waker(waker), m_sleeper(sleeper), m_run(run) {}

  void startTask(std::size_t number) {
    m_number = number;
    m_waits = 0;
  }
  std::uint64_t waits() const { return m_waits; }

  void wait(Gate& gate, const std::function<void()>& submit) override {
    ++m_waits;
    const trace::Scope scope("tasks", "pause", m_number);
    trace::asyncBegin("tasks", "wait", m_run.traceId(m_number));
    submit();
    while (!gate.isOpen() && !m_run.waitingIsOver())
      if (m_sleeper.reap() == 0) m_sleeper.sleep(m_run.sleepMs(kIdleMs));
    trace::asyncEnd("tasks", "wait", m_run.traceId(m_number));
  }
  Waker& waker() override { return m_waker; }
  bool stopRequested() const override { return m_run.stopRequested(); }
  bool outOfTime() const override { return m_run.outOfTime(); }

 private:
  SerialWaker& m_waker;
  Sleeper& m_sleeper;
  GroupRun& m_run;
  std::size_t m_number = 0;
  std::uint64_t m_waits = 0;
};

class SerialScheduler final : public Scheduler {
 public:
  explicit SerialScheduler(std::vector<Reaper*> reapers) : m_reapers(std::move(reapers)) {}

  GroupResult run(const TaskGroup& group, std::stop_token stop) override {
    const double cpuBefore = threadCpuSeconds();
    Sleeper sleeper(m_waker->bell(), m_reapers);
    GroupRun run(group, std::move(stop), [this] { m_waker->wake(); });
    SerialContext context(*m_waker, sleeper, run);
    while (!run.isOver()) {
      std::size_t number = 0;
      if (run.start(number) == GroupRun::Start::Task) {
        context.startTask(number);
        {
          const trace::Scope scope("tasks", "run", number);
          run.execute(number, context);
        }
        run.ended(number, context.waits());
        sleeper.reap();
      } else if (run.moreToStart() && sleeper.reap() == 0) {
        sleeper.sleep(kAdmissionRetryMs);
      }
    }
    run.addBusySeconds(threadCpuSeconds() - cpuBefore);
    return run.finish();
  }

 private:
  const std::vector<Reaper*> m_reapers;
  const Immortal<SerialWaker>::Lease m_waker;
};

}  // namespace

std::unique_ptr<Scheduler> makeSerial(const SchedulerOptions& options) {
  return std::make_unique<SerialScheduler>(options.reapers);
}

}  // namespace farfield::tasks::detail
