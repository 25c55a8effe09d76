// Loops on several threads: every piece once, order where it is promised, bounded places, errors of the
// lowest number, and more threads than work or the other way round.

#include <QTest>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/tasks/loop_threads.h"

using namespace farfield;
using tasks::LoopThreads;

class TestLoopThreads : public QObject {
  Q_OBJECT
 private slots:
  void everyPieceOnce();
  void theLowestErrorIsThrown();
  void putsInOrderAndKeepsToItsPlaces_data();
  void putsInOrderAndKeepsToItsPlaces();
  void whatIsBelowAFailureIsPut_data();
  void whatIsBelowAFailureIsPut();
  void aFailedPutEndsTheLoop();
  void allThreadsTakePart();
  void loopsFollowOneAnother();
};

void TestLoopThreads::everyPieceOnce() {
  for (const int count : {1, 2, 4, 9})
    for (const std::int64_t size : {0, 1, 16, 17, 1000}) {
      LoopThreads threads(count);
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(size));
      std::atomic<bool> wrong{false};
      threads.forPieces(size, 16, [&](std::int64_t begin, std::int64_t end) {
        if (begin % 16 != 0 || end <= begin || end > std::min<std::int64_t>(size, begin + 16)) wrong = true;
        for (std::int64_t n = begin; n < end; ++n) ++seen[static_cast<std::size_t>(n)];
      });
      QVERIFY(!wrong);
      for (const auto& times : seen) QCOMPARE(times.load(), 1);
    }
}

void TestLoopThreads::theLowestErrorIsThrown() {
  LoopThreads threads(4);
  for (int round = 0; round < 200; ++round) {
    QString what;
    try {
      threads.forPieces(100, 1, [](std::int64_t begin, std::int64_t) {
        if (begin == 30) std::this_thread::yield();
        if (begin >= 30) throw Io("piece " + std::to_string(begin));
      });
    } catch (const Io& error) {
      what = error.what();
    }
    QCOMPARE(what, QString("piece 30"));
  }
}

void TestLoopThreads::putsInOrderAndKeepsToItsPlaces_data() {
  QTest::addColumn<int>("threads");
  QTest::addColumn<int>("places");
  for (const int threads : {1, 2, 5})
    for (const int places : {1, 2, 3, 8, 1000})
      QTest::addRow("%d threads, %d places", threads, places) << threads << places;
}

void TestLoopThreads::putsInOrderAndKeepsToItsPlaces() {
  QFETCH(int, threads);
  QFETCH(int, places);
  LoopThreads loop(threads);
  // Not atomic: each place is one number's alone, and the put is one at a time.
  std::vector<std::uint64_t> held(static_cast<std::size_t>(places), 0);
  std::vector<std::uint64_t> put;
  std::atomic<int> wrong{0}, between{0}, most{0};
  const auto count = static_cast<std::uint64_t>(places);
  loop.inOrder({.first = 5,
                .last = 505,
                .places = static_cast<std::size_t>(places),
                .make =
                    [&](std::uint64_t n) {
                      const int now = ++between;
                      int seen = most;
                      while (seen < now && !most.compare_exchange_weak(seen, now)) {
                      }
                      if (held[n % count] != 0) ++wrong;
                      if (n % 7 == 0) std::this_thread::yield();
                      held[n % count] = n;
                    },
                .put =
                    [&](std::uint64_t n) {
                      if (held[n % count] != n) ++wrong;
                      held[n % count] = 0;
                      put.push_back(n);
                      --between;
                    }});
  QCOMPARE(wrong.load(), 0);
  QVERIFY(most.load() <= places);
  QCOMPARE(put.size(), std::size_t{500});
  for (std::size_t n = 0; n < put.size(); ++n) QCOMPARE(put[n], n + 5);
}

void TestLoopThreads::whatIsBelowAFailureIsPut_data() {
  QTest::addColumn<int>("threads");
  for (const int threads : {1, 3}) QTest::addRow("%d", threads) << threads;
}

void TestLoopThreads::whatIsBelowAFailureIsPut() {
  QFETCH(int, threads);
  LoopThreads loop(threads);
  for (int round = 0; round < 200; ++round) {
    std::uint64_t put = 0;
    QString what;
    try {
      loop.inOrder({.first = 0,
                    .last = 100,
                    .places = 6,
                    .make =
                        [](std::uint64_t n) {
                          if (n % 5 == 1) std::this_thread::yield();
                          if (n >= 41) throw Io("number " + std::to_string(n));
                        },
                    .put = [&](std::uint64_t) { ++put; }});
    } catch (const Io& error) {
      what = error.what();
    }
    QCOMPARE(what, QString("number 41"));
    QCOMPARE(put, std::uint64_t{41});
  }
}

void TestLoopThreads::aFailedPutEndsTheLoop() {
  LoopThreads loop(3);
  std::uint64_t put = 0;
  QVERIFY_EXCEPTION_THROWN(loop.inOrder({.first = 0,
                                         .last = 1000,
                                         .places = 4,
                                         .make = [](std::uint64_t) {},
                                         .put =
                                             [&](std::uint64_t n) {
                                               if (n == 10) throw Io("disk full");
                                               ++put;
                                             }}),
                           Io);
  QCOMPARE(put, std::uint64_t{10});
}

void TestLoopThreads::allThreadsTakePart() {
  LoopThreads loop(3);
  QCOMPARE(loop.threads(), 3);
  QVERIFY(LoopThreads(0).threads() >= 1);
  // Ends only if three are in it at the same time.
  std::atomic<int> inside{0};
  loop.forPieces(3, 1, [&](std::int64_t, std::int64_t) {
    ++inside;
    while (inside < 3) std::this_thread::yield();
  });
  QCOMPARE(inside.load(), 3);
}

void TestLoopThreads::loopsFollowOneAnother() {
  LoopThreads loop(4);
  std::uint64_t sum = 0;  // each loop sees what the one before has left
  for (int round = 0; round < 2000; ++round) {
    std::array<std::uint64_t, 4> parts{};
    loop.forPieces(4, 1, [&](std::int64_t begin, std::int64_t) {
      parts[static_cast<std::size_t>(begin)] = sum + static_cast<std::uint64_t>(begin);
    });
    for (const std::uint64_t part : parts) sum = std::max(sum, part);
  }
  QCOMPARE(sum, std::uint64_t{6000});
}

QTEST_APPLESS_MAIN(TestLoopThreads)
#include "tst_loop_threads.moc"
