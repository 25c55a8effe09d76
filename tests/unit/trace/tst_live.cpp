// Life lines that are watched live: whole lives in few lanes, in a ring that does not grow.
#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "core/trace/live.h"
#include "core/trace/trace.h"

using namespace farfield;
using namespace farfield::trace;

namespace {

void live(std::uint64_t task, int waits) {
  asyncBegin("tasks", "task", task);
  for (int n = 0; n < waits; ++n) {
    asyncBegin("tasks", "wait", task);
    asyncEnd("tasks", "wait", task);
  }
  asyncEnd("tasks", "task", task);
}

}  // namespace

class TestLive : public QObject {
  Q_OBJECT
 private slots:
  void offNothingIsKept() {
    const std::size_t before = liveEvents(0).size();
    live(7, 3);
    QCOMPARE(liveEvents(0).size(), before);
    QVERIFY(!isOn());
  }

  void livesAreWhole() {
    startLive();
    startLive();
    stopLive();
    QVERIFY(isOn());
    const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
    live(100, 2);
    asyncBegin("other", "task", 101);  // of no interest
    stopLive();
    QVERIFY(!isOn());
    const auto events = liveEvents(now);
    QCOMPARE(events.size(), std::size_t(6));
    const LiveKind kinds[] = {LiveKind::Began, LiveKind::Waits,  LiveKind::GoesOn,
                              LiveKind::Waits, LiveKind::GoesOn, LiveKind::Ended};
    for (std::size_t n = 0; n < events.size(); ++n) {
      QVERIFY(events[n].kind == kinds[n] && events[n].task == 100 && events[n].lane == events[0].lane);
      QVERIFY(n == 0 || events[n].nanoseconds >= events[n - 1].nanoseconds);
    }
  }

  void lanesAreFew() {
    startLive();
    const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
    for (std::uint64_t task = 0; task < 100; ++task) asyncBegin("tasks", "task", task);
    QCOMPARE(liveEvents(now).size(), std::size_t(kLiveLanes));
    for (std::uint64_t task = 0; task < 100; ++task) asyncEnd("tasks", "task", task);
    QCOMPARE(liveEvents(now).size(), std::size_t(2 * kLiveLanes));
    live(500, 0);  // lanes are free again
    QCOMPARE(liveEvents(now).size(), std::size_t(2 * kLiveLanes + 2));
    stopLive();
  }

  void threadsAndReadersDoNotMeet() {
    startLive();
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (std::uint64_t number = 0; number < 4; ++number)
      threads.emplace_back([number] {
        for (std::uint64_t n = 0; n < 3000; ++n) live(number << 32 | n, 5);
      });
    std::size_t most = 0, wrong = 0;
    std::thread reader([&] {
      while (!done.load()) {
        const auto events = liveEvents(0);
        most = std::max(most, events.size());
        for (const LiveEvent& event : events)
          wrong += event.lane < 0 || event.lane >= kLiveLanes || event.kind > LiveKind::Ended;
      }
    });
    for (std::thread& thread : threads) thread.join();
    done.store(true);
    reader.join();
    stopLive();
    QCOMPARE(wrong, std::size_t(0));
    QVERIFY(most <= 16'384);
  }
};

QTEST_APPLESS_MAIN(TestLive)
#include "tst_live.moc"
