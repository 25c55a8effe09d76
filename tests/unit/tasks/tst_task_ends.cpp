// How groups end before their time: errors, stops, time budgets, with every scheduler.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "tests/unit/tasks/scheduler_suite.h"

using namespace farfield;
using namespace farfield::tasks;
using namespace farfield::test;
using std::chrono::microseconds;
using std::chrono::milliseconds;

class TestTaskEnds : public SchedulerSuite {
  Q_OBJECT
 private slots:
  void initTestCase_data() { addSchedulers(); }
  void errorKeepsItsTypeAndNamesTheTask();
  void lowestNumberedErrorWins();
  void foreignExceptionIsWrapped();
  void sharedExceptionIsNamedOnce();
  void failureStopsTheOthers();
  void stopBeforeTheRun();
  void stopWhileAllWait();
  void stopFromATask();
  void stopEndsTasksThatOnlyLook();
  void timeBudgetStopsStarting();
  void timeBudgetEndsAdmissionThatNeverComes();
  void timeBudgetEndsWaits();
  void progressErrorEndsTheRun();

 private:
  /// On a machine that others use a time budget may be spent before a task begins: then once more.
  GroupResult untilOneBegins(const TaskGroup& group, const std::atomic<std::size_t>& begun) {
    GroupResult result;
    for (int tries = 0; tries < 100 && begun == 0; ++tries) result = scheduler()->run(group, {});
    return result;
  }
};

void TestTaskEnds::errorKeepsItsTypeAndNamesTheTask() {
  const auto runner = scheduler();
  TaskGroup group{.name = "lines", .count = 5, .run = [](std::size_t n, TaskContext&) {
                    if (n == 3) throw Corrupt("page 7 is broken", "convert again").at("array q");
                  }};
  try {
    runner->run(group, {});
    QFAIL("no error");
  } catch (const Corrupt& error) {
    QCOMPARE(std::string(error.what()), std::string("array q: page 7 is broken; convert again"));
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

void TestTaskEnds::lowestNumberedErrorWins() {
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
    QCOMPARE(std::string(error.what()), std::string("failed 0"));
  }
}

void TestTaskEnds::foreignExceptionIsWrapped() {
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
           std::string("beyond the end"));
  QVERIFY(messageOf([](std::size_t, TaskContext&) {
            throw std::bad_alloc();
          }).starts_with("the system has no memory left"));
  QCOMPARE(messageOf([](std::size_t, TaskContext&) { throw 42; }),
           std::string("an exception of an unknown type"));
}

void TestTaskEnds::sharedExceptionIsNamedOnce() {
  // One broken page fails every task that waits for it, with one exception object.
  const auto broken = std::make_exception_ptr(Corrupt("page is broken"));
  for (int repeat = 0; repeat < 3; ++repeat) {
    try {
      scheduler()->run({.name = "group",
                        .count = 8,
                        .run = [&](std::size_t, TaskContext&) { std::rethrow_exception(broken); },
                        .describe = [](std::size_t) { return "seeds"; }},
                       {});
      QFAIL("no error");
    } catch (const Corrupt& error) {
      QCOMPARE(std::string(error.what()), std::string("seeds: page is broken"));
    }
  }
}

void TestTaskEnds::failureStopsTheOthers() {
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
    QCOMPARE(std::string(error.what()), std::string("wrong"));
  }
  QCOMPARE(resumed.load() + 1, begun.load());
  QVERIFY(begun.load() < 10000);
}

void TestTaskEnds::stopBeforeTheRun() {
  std::stop_source source;
  source.request_stop();
  std::atomic<int> begun{0};
  QVERIFY_THROWS_EXCEPTION(
      Cancelled,
      scheduler()->run({.name = "group", .count = 10, .run = [&](std::size_t, TaskContext&) { ++begun; }},
                       source.get_token()));
  QCOMPARE(begun.load(), 0);
}

void TestTaskEnds::stopWhileAllWait() {
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

void TestTaskEnds::stopFromATask() {
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

void TestTaskEnds::stopEndsTasksThatOnlyLook() {
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

void TestTaskEnds::timeBudgetStopsStarting() {
  std::atomic<std::size_t> early{0};
  const GroupResult result = untilOneBegins({.name = "group",
                                             .count = 1000000,
                                             .run =
                                                 [&](std::size_t, TaskContext& context) {
                                                   while (!context.outOfTime()) std::this_thread::yield();
                                                   ++early;
                                                 },
                                             .timeBudget = milliseconds(20)},
                                            early);
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

void TestTaskEnds::timeBudgetEndsAdmissionThatNeverComes() {
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

void TestTaskEnds::timeBudgetEndsWaits() {
  // None of the gates ever opens. Odd tasks end with what they have, even ones give up.
  std::atomic<std::size_t> ended{0}, open{0};
  const GroupResult result = untilOneBegins({.name = "group",
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
                                            ended);
  QVERIFY(result.outOfTime);
  QCOMPARE(open.load(), std::size_t{0});
  QVERIFY(ended >= 1);
  QCOMPARE(result.finished, ended / 2);  // the first to start is number 0
}

void TestTaskEnds::progressErrorEndsTheRun() {
  QVERIFY_THROWS_EXCEPTION(
      Io, scheduler()->run(
              {.name = "group",
               .count = 1000,
               .run = [](std::size_t, TaskContext&) { std::this_thread::sleep_for(milliseconds(1)); },
               .progress = [](std::size_t, std::size_t) { throw Io("the terminal is gone"); }},
              {}));
}

QTEST_APPLESS_MAIN(TestTaskEnds)
#include "tst_task_ends.moc"
