#pragma once
// What the suites of schedulers share: each of their tests runs with all schedulers, whose answers are the
// same.

#include <QTest>

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/tasks/scheduler.h"

namespace farfield::test {

/// Waits for one arrival that `submit` brings about; withdraws nothing, so not for groups that are stopped.
inline void waitFor(tasks::TaskContext& context, const std::function<void(tasks::Gate&)>& submit) {
  tasks::Gate gate(context.waker());
  gate.expect();
  context.wait(gate, [&] { submit(gate); });
  if (!gate.isOpen()) throw Cancelled();
}

/// Waits until the group is stopped.
inline void waitForEver(tasks::TaskContext& context) {
  waitFor(context, [](tasks::Gate&) {});
}

/// Counts how many are inside at a time, and the most there were.
class Occupancy {
 public:
  void enter() {
    const int now = ++m_inside;
    int most = m_most.load();
    while (most < now && !m_most.compare_exchange_weak(most, now)) {
    }
  }
  void leave() { --m_inside; }
  int inside() const { return m_inside; }
  int most() const { return m_most; }

 private:
  std::atomic<int> m_inside{0}, m_most{0};
};

class SlotAdmission final : public tasks::Admission {
 public:
  explicit SlotAdmission(int places) : m_free(places) {}
  bool tryEnter() override {
    int free = m_free.load();
    while (free > 0)
      if (m_free.compare_exchange_weak(free, free - 1)) {
        ++m_entered;
        return true;
      }
    return false;
  }
  void leave() noexcept override {
    ++m_free;
    ++m_left;
  }
  int entered() const { return m_entered; }
  int left() const { return m_left; }

 private:
  std::atomic<int> m_free, m_entered{0}, m_left{0};
};

/// Global data of a test: the schedulers, each with several numbers of processors and workers.
class SchedulerSuite : public QObject {
 protected:
  void addSchedulers() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("processors");
    QTest::addColumn<int>("workers");
    const auto row = [](tasks::SchedulerKind kind, int processors, int workers) {
      QTest::addRow("%s, %d x %d", tasks::nameOf(kind), processors, workers)
          << static_cast<int>(kind) << processors << workers;
    };
    row(tasks::SchedulerKind::Serial, 1, 1);
    for (const tasks::SchedulerKind kind : {tasks::SchedulerKind::Threads, tasks::SchedulerKind::Fibers}) {
      row(kind, 1, 1);
      row(kind, 1, 8);
      row(kind, 2, 16);
      row(kind, 3, 2);
    }
  }
  std::unique_ptr<tasks::Scheduler> scheduler(std::vector<tasks::Reaper*> reapers = {}) {
    QFETCH_GLOBAL(int, kind);
    QFETCH_GLOBAL(int, processors);
    QFETCH_GLOBAL(int, workers);
    return tasks::makeScheduler({.kind = static_cast<tasks::SchedulerKind>(kind),
                                 .processors = processors,
                                 .workersPerProcessor = workers,
                                 .reapers = std::move(reapers)});
  }
  static bool isSerial() {
    QFETCH_GLOBAL(int, kind);
    return static_cast<tasks::SchedulerKind>(kind) == tasks::SchedulerKind::Serial;
  }
  static int tasksInFlight() {
    QFETCH_GLOBAL(int, processors);
    QFETCH_GLOBAL(int, workers);
    return isSerial() ? 1 : processors * workers;
  }
};

}  // namespace farfield::test
