// One suite for all schedulers: the same groups, the same results, whatever runs them.

#include <QTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/tasks/scheduler.h"
#include "tests/unit/tasks/scripted_reaper.h"

using namespace farfield;
using namespace farfield::tasks;
using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

/// Waits for one arrival that `submit` brings about; withdraws nothing, so not for groups that are stopped.
void waitFor(TaskContext& context, const std::function<void(Gate&)>& submit) {
  Gate gate(context.waker());
  gate.expect();
  context.wait(gate, [&] { submit(gate); });
  if (!gate.isOpen()) throw Cancelled();
}

/// Waits until the group is stopped.
void waitForEver(TaskContext& context) {
  waitFor(context, [](Gate&) {});
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

class SlotAdmission final : public Admission {
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

}  // namespace

class TestTasks : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase_data();
  void everyTaskRunsOnce();
  void emptyGroup();
  void gateOpenedByAnotherThread();
  void gateOpenedInsideSubmit();
  void gateOpenBeforeTheWait();
  void gateOpenedByAReaper();
  void gateOfManyArrivals();
  void submitRunsOnce();
  void resultsDoNotDependOnTheScheduler();
  void oneTaskPerProcessorAtATime();
  void waitingTasksLetOthersRun();
  void waitsAreCounted();
  void errorKeepsItsTypeAndNamesTheTask();
  void lowestNumberedErrorWins();
  void foreignExceptionIsWrapped();
  void sharedExceptionIsNamedOnce();
  void failureStopsTheOthers();
  void stopBeforeTheRun();
  void stopWhileAllWait();
  void stopFromATask();
  void stopEndsTasksThatOnlyLook();
  void admissionLimitsTasksInFlight();
  void admissionIsGivenBackAfterErrors();
  void admissionHeldByOthersIsAskedAgain();
  void timeBudgetStopsStarting();
  void timeBudgetEndsAdmissionThatNeverComes();
  void timeBudgetEndsWaits();
  void progressIsNeverConcurrent();
  void progressErrorEndsTheRun();
  void oneSchedulerRunsManyGroups();
  void aTaskMayRunAGroupOfItsOwn();
  void namesOfSchedulers();
  void wrongOptionsAreRefused();
  void stacksAreBounded();

 private:
  std::unique_ptr<Scheduler> scheduler(std::vector<Reaper*> reapers = {}) {
    QFETCH_GLOBAL(int, kind);
    QFETCH_GLOBAL(int, processors);
    QFETCH_GLOBAL(int, workers);
    return makeScheduler({.kind = static_cast<SchedulerKind>(kind),
                          .processors = processors,
                          .workersPerProcessor = workers,
                          .reapers = std::move(reapers)});
  }
  static bool isSerial() {
    QFETCH_GLOBAL(int, kind);
    return static_cast<SchedulerKind>(kind) == SchedulerKind::Serial;
  }
  static int tasksInFlight() {
    QFETCH_GLOBAL(int, processors);
    QFETCH_GLOBAL(int, workers);
    return isSerial() ? 1 : processors * workers;
  }
};

void TestTasks::initTestCase_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<int>("processors");
  QTest::addColumn<int>("workers");
  const auto row = [](SchedulerKind kind, int processors, int workers) {
    QTest::addRow("%s, %d x %d", nameOf(kind), processors, workers)
        << static_cast<int>(kind) << processors << workers;
  };
  row(SchedulerKind::Serial, 1, 1);
  for (const SchedulerKind kind : {SchedulerKind::Threads, SchedulerKind::Fibers}) {
    row(kind, 1, 1);
    row(kind, 1, 8);
    row(kind, 2, 16);
    row(kind, 3, 2);
  }
}

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

void TestTasks::gateOpenedByAnotherThread() {
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

void TestTasks::gateOpenedInsideSubmit() {
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

void TestTasks::gateOpenBeforeTheWait() {
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

void TestTasks::gateOpenedByAReaper() {
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

void TestTasks::gateOfManyArrivals() {
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

void TestTasks::submitRunsOnce() {
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

void TestTasks::waitingTasksLetOthersRun() {
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

void TestTasks::waitsAreCounted() {
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

void TestTasks::errorKeepsItsTypeAndNamesTheTask() {
  const auto runner = scheduler();
  TaskGroup group{.name = "lines", .count = 5, .run = [](std::size_t n, TaskContext&) {
                    if (n == 3) throw Corrupt("page 7 is broken", "convert again").at("array q");
                  }};
  try {
    runner->run(group, {});
    QFAIL("no error");
  } catch (const Corrupt& error) {
    QCOMPARE(std::string(error.what()),
             std::string("lines task 3: array q: page 7 is broken; convert again"));
  }
  group.describe = [](std::size_t n) { return "streamline " + std::to_string(n); };
  try {
    runner->run(group, {});
    QFAIL("no error");
  } catch (const Corrupt& error) {
    QCOMPARE(std::string(error.what()),
             std::string("streamline 3: array q: page 7 is broken; convert again"));
  }
  struct OwnError : Error {
    using Error::Error;
  };
  group.run = [](std::size_t, TaskContext&) { throw OwnError("own"); };
  group.count = 1;
  try {
    runner->run(group, {});
    QFAIL("no error");
  } catch (const OwnError& error) {
    QCOMPARE(std::string(error.what()), std::string("streamline 0: own"));
  }
}

void TestTasks::lowestNumberedErrorWins() {
  // All fail, once as many as can be in flight have begun.
  const int together = std::min(tasksInFlight(), 4);
  std::mutex mutex;
  std::vector<Gate*> closed;
  try {
    scheduler()->run({.name = "group",
                      .count = static_cast<std::size_t>(together),
                      .run =
                          [&](std::size_t n, TaskContext& context) {
                            Gate gate(context.waker());
                            gate.expect();
                            context.wait(gate, [&] {
                              const std::lock_guard lock(mutex);
                              closed.push_back(&gate);
                              if (closed.size() < static_cast<std::size_t>(together)) return;
                              for (Gate* each : closed) each->arrive();
                            });
                            throw Io("failed " + std::to_string(n));
                          }},
                     {});
    QFAIL("no error");
  } catch (const Io& error) {
    QCOMPARE(std::string(error.what()), std::string("group task 0: failed 0"));
  }
}

void TestTasks::foreignExceptionIsWrapped() {
  const auto runner = scheduler();
  const auto messageOf = [&](const std::function<void(std::size_t, TaskContext&)>& run) {
    try {
      runner->run({.name = "group", .count = 1, .run = run}, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  QCOMPARE(messageOf([](std::size_t, TaskContext&) { throw std::out_of_range("beyond the end"); }),
           std::string("group task 0: beyond the end"));
  QVERIFY(messageOf([](std::size_t, TaskContext&) { throw std::bad_alloc(); }).starts_with("group task 0: "));
  QVERIFY(messageOf([](std::size_t, TaskContext&) { throw 42; }).starts_with("group task 0: "));
}

void TestTasks::sharedExceptionIsNamedOnce() {
  // One broken page fails every task that waits for it, with one exception object.
  const auto broken = std::make_exception_ptr(Corrupt("page is broken"));
  for (int repeat = 0; repeat < 3; ++repeat) {
    try {
      scheduler()->run({.name = "group",
                        .count = 8,
                        .run = [&](std::size_t, TaskContext&) { std::rethrow_exception(broken); }},
                       {});
      QFAIL("no error");
    } catch (const Corrupt& error) {
      QCOMPARE(std::string(error.what()), std::string("group task 0: page is broken"));
    }
  }
}

void TestTasks::failureStopsTheOthers() {
  // The last of those in flight fails while all others wait for what never comes.
  const auto failing = static_cast<std::size_t>(tasksInFlight() - 1);
  std::atomic<std::size_t> begun{0}, resumed{0};
  try {
    scheduler()->run({.name = "group",
                      .count = 10000,
                      .run =
                          [&](std::size_t n, TaskContext& context) {
                            ++begun;
                            if (n == failing) throw Invalid("wrong");
                            try {
                              waitForEver(context);
                            } catch (const Cancelled&) {
                              if (context.stopRequested()) ++resumed;
                              throw;
                            }
                          }},
                     {});
    QFAIL("no error");
  } catch (const Invalid& error) {
    QCOMPARE(std::string(error.what()), "group task " + std::to_string(failing) + ": wrong");
  }
  QCOMPARE(resumed.load() + 1, begun.load());
  QVERIFY(begun.load() < 10000);
}

void TestTasks::stopBeforeTheRun() {
  std::stop_source source;
  source.request_stop();
  std::atomic<int> begun{0};
  QVERIFY_THROWS_EXCEPTION(
      Cancelled,
      scheduler()->run({.name = "group", .count = 10, .run = [&](std::size_t, TaskContext&) { ++begun; }},
                       source.get_token()));
  QCOMPARE(begun.load(), 0);
}

void TestTasks::stopWhileAllWait() {
  std::stop_source source;
  std::atomic<int> waiting{0}, resumed{0};
  std::jthread stopper([&] {
    while (waiting < tasksInFlight()) std::this_thread::sleep_for(microseconds(100));
    std::this_thread::sleep_for(milliseconds(2));
    source.request_stop();
  });
  QVERIFY_THROWS_EXCEPTION(Cancelled, scheduler()->run({.name = "group",
                                                        .count = 1000,
                                                        .run =
                                                            [&](std::size_t, TaskContext& context) {
                                                              Gate gate(context.waker());
                                                              gate.expect();
                                                              context.wait(gate, [&] { ++waiting; });
                                                              if (!gate.isOpen()) ++resumed;
                                                              context.throwIfStopped();
                                                            }},
                                                       source.get_token()));
  QCOMPARE(waiting.load(), tasksInFlight());
  QCOMPARE(resumed.load(), tasksInFlight());
}

void TestTasks::stopFromATask() {
  std::stop_source source;
  QVERIFY_THROWS_EXCEPTION(Cancelled, scheduler()->run({.name = "group",
                                                        .count = 100,
                                                        .run =
                                                            [&](std::size_t n, TaskContext& context) {
                                                              if (n == 5) source.request_stop();
                                                              if (n < 5 && tasksInFlight() > 6)
                                                                waitForEver(context);
                                                            }},
                                                       source.get_token()));
}

void TestTasks::stopEndsTasksThatOnlyLook() {
  std::stop_source source;
  std::atomic<int> running{0};
  std::jthread stopper([&] {
    while (running == 0) std::this_thread::yield();
    source.request_stop();
  });
  // Ending early without an exception is no success either.
  QVERIFY_THROWS_EXCEPTION(Cancelled, scheduler()->run({.name = "group",
                                                        .count = 1,
                                                        .run =
                                                            [&](std::size_t, TaskContext& context) {
                                                              ++running;
                                                              while (!context.stopRequested())
                                                                std::this_thread::yield();
                                                            }},
                                                       source.get_token()));
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

void TestTasks::timeBudgetStopsStarting() {
  std::atomic<std::size_t> early{0};
  const GroupResult result = scheduler()->run({.name = "group",
                                               .count = 1000000,
                                               .run =
                                                   [&](std::size_t, TaskContext& context) {
                                                     while (!context.outOfTime()) std::this_thread::yield();
                                                     ++early;
                                                   },
                                               .timeBudget = milliseconds(20)},
                                              {});
  QVERIFY(result.outOfTime);
  QVERIFY(result.finished >= 1 && result.finished < 1000000);
  QCOMPARE(early.load(), result.finished);

  const GroupResult quick = scheduler()->run({.name = "group",
                                              .count = 3,
                                              .run = [](std::size_t, TaskContext&) {},
                                              .timeBudget = std::chrono::hours(1)},
                                             {});
  QVERIFY(!quick.outOfTime);
}

void TestTasks::timeBudgetEndsAdmissionThatNeverComes() {
  SlotAdmission admission(0);
  const GroupResult result = scheduler()->run({.name = "group",
                                               .count = 10,
                                               .run = [](std::size_t, TaskContext&) {},
                                               .admission = &admission,
                                               .timeBudget = milliseconds(15)},
                                              {});
  QVERIFY(result.outOfTime);
  QCOMPARE(result.finished, std::size_t{0});
}

void TestTasks::timeBudgetEndsWaits() {
  // None of the gates ever opens. Odd tasks end with what they have, even ones give up.
  std::atomic<std::size_t> ended{0}, open{0};
  const GroupResult result = scheduler()->run({.name = "group",
                                               .count = 6,
                                               .run =
                                                   [&](std::size_t n, TaskContext& context) {
                                                     Gate gate(context.waker());
                                                     gate.expect();
                                                     context.wait(gate, [] {});
                                                     if (gate.isOpen()) ++open;
                                                     ++ended;
                                                     if (n % 2 == 0) context.throwIfGivenUp();
                                                   },
                                               .timeBudget = milliseconds(30)},
                                              {});
  QVERIFY(result.outOfTime);
  QCOMPARE(open.load(), std::size_t{0});
  QVERIFY(ended >= 1);
  QCOMPARE(result.finished, ended / 2);  // the first to start is number 0
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

void TestTasks::progressErrorEndsTheRun() {
  QVERIFY_THROWS_EXCEPTION(
      Io, scheduler()->run(
              {.name = "group",
               .count = 1000,
               .run = [](std::size_t, TaskContext&) { std::this_thread::sleep_for(milliseconds(1)); },
               .progress = [](std::size_t, std::size_t) { throw Io("the terminal is gone"); }},
              {}));
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
