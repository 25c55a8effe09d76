// Groups of tasks: the same groups, the same results, whatever runs them.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "tests/unit/tasks/scheduler_suite.h"
#include "tests/unit/tasks/scripted_reaper.h"

using namespace farfield;
using namespace farfield::tasks;
using namespace farfield::test;
using std::chrono::microseconds;
using std::chrono::milliseconds;

class TestTasks : public SchedulerSuite {
  Q_OBJECT
 private slots:
  void initTestCase_data() { addSchedulers(); }
  void everyTaskRunsOnce();
  void emptyGroup();
  void resultsDoNotDependOnTheScheduler();
  void oneTaskPerProcessorAtATime();
  void admissionLimitsTasksInFlight();
  void admissionIsGivenBackAfterErrors();
  void admissionHeldByOthersIsAskedAgain();
  void progressIsNeverConcurrent();
  void oneSchedulerRunsManyGroups();
  void aTaskMayRunAGroupOfItsOwn();
  void namesOfSchedulers();
  void wrongOptionsAreRefused();
  void stacksAreBounded();
};

void TestTasks::everyTaskRunsOnce() {
  std::vector<std::atomic<int>> runs(1000);
  const GroupResult result = scheduler()->run(
      {.name = "count", .count = runs.size(), .run = [&](std::size_t n, TaskContext&) { ++runs[n]; }}, {});
  QVERIFY(std::all_of(runs.begin(), runs.end(), [](const auto& count) { return count == 1; }));
  QCOMPARE(result.finished, runs.size());
  QCOMPARE(result.waits, std::uint64_t{0});
  QVERIFY(!result.outOfTime);
  QVERIFY(result.busySeconds > 0);
}

void TestTasks::emptyGroup() {
  int calls = 0;
  const GroupResult result = scheduler()->run({.name = "none",
                                               .count = 0,
                                               .run = [](std::size_t, TaskContext&) { std::abort(); },
                                               .progress = [&](std::size_t, std::size_t) { ++calls; }},
                                              {});
  QCOMPARE(result.finished, std::size_t{0});
  QVERIFY(!result.outOfTime);
  QCOMPARE(calls, 1);
}

void TestTasks::resultsDoNotDependOnTheScheduler() {
  const auto work = [](test::ScriptedReaper& reaper, std::vector<double>& results) {
    return [&](std::size_t n, TaskContext& context) {
      double value = static_cast<double>(n);
      for (std::size_t step = 0; step < n % 13; ++step) {
        value = value * 1.25 + 1.0 / static_cast<double>(step + 1);
        if ((n + step) % 3 == 0) waitFor(context, [&](Gate& gate) { reaper.request(gate); });
      }
      results[n] = value;
    };
  };
  test::ScriptedReaper reaper(4, microseconds(100));
  std::vector<double> expected(200), actual(200);
  const GroupResult a = makeSerialScheduler({&reaper})->run(
      {.name = "expected", .count = expected.size(), .run = work(reaper, expected)}, {});
  const GroupResult b =
      scheduler({&reaper})->run({.name = "actual", .count = actual.size(), .run = work(reaper, actual)}, {});
  QVERIFY(expected == actual);
  QCOMPARE(a.waits, b.waits);
  QCOMPARE(a.longestWaitChain, b.longestWaitChain);
}

void TestTasks::oneTaskPerProcessorAtATime() {
  QFETCH_GLOBAL(int, processors);
  test::ScriptedReaper reaper(5, microseconds(200));
  Occupancy running;
  std::vector<std::atomic<int>> onProcessor(8);
  std::atomic<int> wrong{0};
  const auto busy = [&] {
    const int processor = currentProcessor();
    if (processor < 0 || processor >= processors || ++onProcessor[static_cast<std::size_t>(processor)] != 1)
      ++wrong;
    running.enter();
    std::this_thread::sleep_for(microseconds(100));
    running.leave();
    if (currentProcessor() != processor || --onProcessor[static_cast<std::size_t>(processor)] != 0) ++wrong;
  };
  scheduler({&reaper})->run({.name = "permits",
                             .count = 100,
                             .run =
                                 [&](std::size_t, TaskContext& context) {
                                   for (int i = 0; i < 3; ++i) {
                                     busy();
                                     waitFor(context, [&](Gate& gate) { reaper.request(gate); });
                                   }
                                   busy();
                                 }},
                            {});
  QCOMPARE(wrong.load(), 0);
  QVERIFY(running.most() >= 1 && running.most() <= processors);
  QCOMPARE(currentProcessor(), 0);
}

void TestTasks::admissionLimitsTasksInFlight() {
  test::ScriptedReaper reaper(6, microseconds(200));
  SlotAdmission admission(3);
  Occupancy inFlight;
  const GroupResult result =
      scheduler({&reaper})->run({.name = "group",
                                 .count = 200,
                                 .run =
                                     [&](std::size_t, TaskContext& context) {
                                       inFlight.enter();
                                       waitFor(context, [&](Gate& gate) { reaper.request(gate); });
                                       inFlight.leave();
                                     },
                                 .admission = &admission},
                                {});
  QCOMPARE(result.finished, std::size_t{200});
  QCOMPARE(inFlight.most(), std::min(3, tasksInFlight()));
  QCOMPARE(admission.left(), admission.entered());
}

void TestTasks::admissionIsGivenBackAfterErrors() {
  SlotAdmission admission(2);
  QVERIFY_THROWS_EXCEPTION(Io, scheduler()->run({.name = "group",
                                                 .count = 20,
                                                 .run =
                                                     [](std::size_t n, TaskContext& context) {
                                                       if (n == 1 || tasksInFlight() == 1) throw Io("failed");
                                                       waitForEver(context);
                                                     },
                                                 .admission = &admission},
                                                {}));
  QCOMPARE(admission.left(), admission.entered());
  QVERIFY(admission.entered() > 0);
}

void TestTasks::admissionHeldByOthersIsAskedAgain() {
  SlotAdmission admission(1);
  QVERIFY(admission.tryEnter());
  std::jthread other([&] {
    std::this_thread::sleep_for(milliseconds(20));
    admission.leave();
  });
  const GroupResult result = scheduler()->run(
      {.name = "group", .count = 10, .run = [](std::size_t, TaskContext&) {}, .admission = &admission}, {});
  QCOMPARE(result.finished, std::size_t{10});
}

void TestTasks::progressIsNeverConcurrent() {
  Occupancy inside;
  std::vector<std::size_t> seen;
  const GroupResult result = scheduler()->run(
      {.name = "group",
       .count = 60,
       .run = [](std::size_t, TaskContext&) { std::this_thread::sleep_for(milliseconds(5)); },
       .progress =
           [&](std::size_t done, std::size_t total) {
             inside.enter();
             seen.push_back(total == 60 ? done : 1000);
             inside.leave();
           }},
      {});
  QCOMPARE(inside.most(), 1);
  QVERIFY(!seen.empty());
  QVERIFY(std::is_sorted(seen.begin(), seen.end()));
  QCOMPARE(seen.back(), result.finished);
  QCOMPARE(seen.back(), std::size_t{60});
}

void TestTasks::oneSchedulerRunsManyGroups() {
  test::ScriptedReaper reaper(7, microseconds(50));
  const auto runner = scheduler({&reaper});
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> done{0};
    const auto count = static_cast<std::size_t>(round * 3);
    const auto run = [&](std::size_t n, TaskContext& context) {
      if (round % 5 == 4 && n == 7) throw Invalid("every fifth group fails");
      Gate gate(context.waker());
      gate.expect();
      context.wait(gate, [&] { reaper.request(gate); });
      if (!gate.isOpen()) reaper.withdraw(gate);
      ++done;
    };
    try {
      const GroupResult result = runner->run({.name = "group", .count = count, .run = run}, {});
      QCOMPARE(result.finished, count);
      QCOMPARE(done.load(), round * 3);
    } catch (const Invalid&) {
      QVERIFY(round % 5 == 4);
    }
  }
}

void TestTasks::aTaskMayRunAGroupOfItsOwn() {
  std::atomic<int> done{0}, wrong{0};
  scheduler()->run({.name = "outer",
                    .count = 10,
                    .run =
                        [&](std::size_t, TaskContext&) {
                          const int processor = currentProcessor();
                          makeSerialScheduler()->run({.name = "inner",
                                                      .count = 3,
                                                      .run =
                                                          [&](std::size_t, TaskContext& context) {
                                                            waitFor(context,
                                                                    [](Gate& gate) { gate.arrive(); });
                                                            ++done;
                                                            if (currentProcessor() != processor) ++wrong;
                                                          }},
                                                     {});
                        }},
                   {});
  QCOMPARE(done.load(), 30);
  QCOMPARE(wrong.load(), 0);
}

void TestTasks::namesOfSchedulers() {
  for (const SchedulerKind kind : {SchedulerKind::Serial, SchedulerKind::Threads, SchedulerKind::Fibers})
    QCOMPARE(schedulerNamed(nameOf(kind)), kind);
  QVERIFY_THROWS_EXCEPTION(Invalid, schedulerNamed("fiber"));
  QVERIFY_THROWS_EXCEPTION(Invalid, schedulerNamed(""));
}

void TestTasks::wrongOptionsAreRefused() {
  QFETCH_GLOBAL(int, kind);
  const auto make = [&](int processors, int workers) {
    return makeScheduler(
        {.kind = static_cast<SchedulerKind>(kind), .processors = processors, .workersPerProcessor = workers});
  };
  QVERIFY_THROWS_EXCEPTION(Invalid, make(0, 1));
  QVERIFY_THROWS_EXCEPTION(Invalid, make(1, 0));
}

void TestTasks::stacksAreBounded() {
  const auto bytes = [](SchedulerKind kind, std::size_t stackBytes) {
    return stackBytesOf({.kind = kind, .processors = 2, .workersPerProcessor = 10, .stackBytes = stackBytes});
  };
  QCOMPARE(bytes(SchedulerKind::Serial, 65536), std::uint64_t{0});
  QCOMPARE(bytes(SchedulerKind::Fibers, 65536), std::uint64_t{20 * 65536});
  QVERIFY(bytes(SchedulerKind::Threads, 65536) >= std::uint64_t{20 * 256 * 1024});
}

QTEST_APPLESS_MAIN(TestTasks)
#include "tst_tasks.moc"
