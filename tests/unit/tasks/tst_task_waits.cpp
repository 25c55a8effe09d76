// How tasks wait, and what runs meanwhile, with every scheduler.

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/unit/tasks/scheduler_suite.h"
#include "tests/unit/tasks/scripted_reaper.h"

using namespace farfield;
using namespace farfield::tasks;
using namespace farfield::test;
using std::chrono::microseconds;

class TestTaskWaits : public SchedulerSuite {
  Q_OBJECT
 private slots:
  void initTestCase_data() { addSchedulers(); }
  void gateOpenedByAnotherThread();
  void gateOpenedInsideSubmit();
  void gateOpenBeforeTheWait();
  void gateOpenedByAReaper();
  void gateOfManyArrivals();
  void submitRunsOnce();
  void waitingTasksLetOthersRun();
  void waitsAreCounted();
};

void TestTaskWaits::gateOpenedByAnotherThread() {
  std::mutex mutex;
  std::vector<std::jthread> threads;
  std::atomic<int> done{0};
  const GroupResult result = scheduler()->run({.name = "threads",
                                               .count = 50,
                                               .run =
                                                   [&](std::size_t, TaskContext& context) {
                                                     waitFor(context, [&](Gate& gate) {
                                                       const std::lock_guard lock(mutex);
                                                       threads.emplace_back([&gate] {
                                                         std::this_thread::sleep_for(microseconds(300));
                                                         gate.arrive();
                                                       });
                                                     });
                                                     ++done;
                                                   }},
                                              {});
  QCOMPARE(done.load(), 50);
  QCOMPARE(result.waits, std::uint64_t{50});
}

void TestTaskWaits::gateOpenedInsideSubmit() {
  std::atomic<int> done{0};
  const GroupResult result = scheduler()->run({.name = "inside",
                                               .count = 200,
                                               .run =
                                                   [&](std::size_t, TaskContext& context) {
                                                     for (int i = 0; i < 10; ++i)
                                                       waitFor(context, [](Gate& gate) { gate.arrive(); });
                                                     ++done;
                                                   }},
                                              {});
  QCOMPARE(done.load(), 200);
  QCOMPARE(result.waits, std::uint64_t{2000});
  QCOMPARE(result.longestWaitChain, std::uint64_t{10});
}

void TestTaskWaits::gateOpenBeforeTheWait() {
  std::atomic<int> done{0};
  scheduler()->run({.name = "before",
                    .count = 200,
                    .run =
                        [&](std::size_t, TaskContext& context) {
                          for (int i = 0; i < 10; ++i) {
                            Gate gate(context.waker());
                            gate.expect();
                            gate.arrive();
                            context.wait(gate, [] {});
                            Gate never(context.waker());  // nothing is expected of it: it is open
                            context.wait(never, [] {});
                            if (gate.isOpen() && never.isOpen()) ++done;
                          }
                        }},
                   {});
  QCOMPARE(done.load(), 2000);
}

void TestTaskWaits::gateOpenedByAReaper() {
  test::ScriptedReaper reaper(1, microseconds(500));
  std::atomic<int> done{0};
  const GroupResult result =
      scheduler({&reaper})->run({.name = "reaper",
                                 .count = 100,
                                 .run =
                                     [&](std::size_t, TaskContext& context) {
                                       for (int i = 0; i < 3; ++i)
                                         waitFor(context, [&](Gate& gate) { reaper.request(gate); });
                                       ++done;
                                     }},
                                {});
  QCOMPARE(done.load(), 100);
  QCOMPARE(result.waits, std::uint64_t{300});
}

void TestTaskWaits::gateOfManyArrivals() {
  test::ScriptedReaper reaper(2, microseconds(300));
  std::atomic<int> done{0};
  scheduler({&reaper})->run({.name = "many",
                             .count = 40,
                             .run =
                                 [&](std::size_t n, TaskContext& context) {
                                   const int arrivals = 1 + static_cast<int>(n % 7);
                                   Gate gate(context.waker());
                                   gate.expect(arrivals);
                                   context.wait(gate, [&] {
                                     for (int i = 0; i < arrivals; ++i) reaper.request(gate);
                                   });
                                   if (gate.isOpen()) ++done;
                                 }},
                            {});
  QCOMPARE(done.load(), 40);
}

void TestTaskWaits::submitRunsOnce() {
  // Wakes that have nothing to do with the gate must neither run submit again nor end the wait.
  test::ScriptedReaper reaper(3, microseconds(500));
  std::atomic<int> submits{0}, early{0};
  scheduler({&reaper})->run({.name = "spurious",
                             .count = 50,
                             .run =
                                 [&](std::size_t, TaskContext& context) {
                                   Gate gate(context.waker());
                                   gate.expect();
                                   context.wait(gate, [&] {
                                     ++submits;
                                     context.waker().wake();
                                     reaper.request(gate);
                                     context.waker().wake();
                                   });
                                   if (!gate.isOpen()) ++early;
                                 }},
                            {});
  QCOMPARE(submits.load(), 50);
  QCOMPARE(early.load(), 0);
}

void TestTaskWaits::waitingTasksLetOthersRun() {
  // No gate opens before as many tasks wait as may be in flight.
  const int expected = tasksInFlight();
  std::mutex mutex;
  std::vector<Gate*> closed;
  Occupancy inFlight;
  const GroupResult result = scheduler()->run({.name = "overlap",
                                               .count = static_cast<std::size_t>(expected) * 3,
                                               .run =
                                                   [&](std::size_t, TaskContext& context) {
                                                     inFlight.enter();
                                                     waitFor(context, [&](Gate& gate) {
                                                       const std::lock_guard lock(mutex);
                                                       closed.push_back(&gate);
                                                       if (closed.size() < static_cast<std::size_t>(expected))
                                                         return;
                                                       for (Gate* each : closed) each->arrive();
                                                       closed.clear();
                                                     });
                                                     inFlight.leave();
                                                   }},
                                              {});
  QCOMPARE(inFlight.most(), expected);
  QCOMPARE(result.mostInFlight, static_cast<std::uint64_t>(expected));
}

void TestTaskWaits::waitsAreCounted() {
  const GroupResult result = scheduler()->run({.name = "chain",
                                               .count = 23,
                                               .run =
                                                   [](std::size_t n, TaskContext& context) {
                                                     for (std::size_t i = 0; i < n % 8; ++i)
                                                       waitFor(context, [](Gate& gate) { gate.arrive(); });
                                                   }},
                                              {});
  std::uint64_t expected = 0;
  for (std::uint64_t n = 0; n < 23; ++n) expected += n % 8;
  QCOMPARE(result.waits, expected);
  QCOMPARE(result.longestWaitChain, std::uint64_t{7});
}

QTEST_APPLESS_MAIN(TestTaskWaits)
#include "tst_task_waits.moc"
