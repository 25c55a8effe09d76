// Threads that nobody waits for go when they are done, whether or not somebody has stopped them.

#include <QTest>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "app/model/renderers/unwaited_threads.h"

using namespace farfield::app;

class TestUnwaitedThreads : public QObject {
  Q_OBJECT
 private slots:
  void theyGoWhenTheyAreDone();
  void theyAreStoppedOneByOneAndAtTheEnd();
};

namespace {
constexpr int kPatienceMs = 60'000;

void waitForStop(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, stop, [] { return false; });
}
}  // namespace

void TestUnwaitedThreads::theyGoWhenTheyAreDone() {
  QObject owner;
  UnwaitedThreads threads(owner);
  std::atomic<int> done = 0;
  for (int n = 0; n < 3; ++n) threads.begin([&](const std::stop_token&) { ++done; });
  QTRY_COMPARE_WITH_TIMEOUT(threads.count(), std::size_t{0}, kPatienceMs);
  QCOMPARE(done.load(), 3);
}

void TestUnwaitedThreads::theyAreStoppedOneByOneAndAtTheEnd() {
  QObject owner;
  std::atomic<int> ended = 0;
  {
    UnwaitedThreads threads(owner);
    const auto work = [&](const std::stop_token& stop) {
      waitForStop(stop);
      ++ended;
    };
    std::stop_source first = threads.begin(work);
    threads.begin(work);
    QCOMPARE(threads.count(), std::size_t{2});
    first.request_stop();
    QTRY_COMPARE_WITH_TIMEOUT(threads.count(), std::size_t{1}, kPatienceMs);
    QCOMPARE(ended.load(), 1);
  }
  QCOMPARE(ended.load(), 2);
}

QTEST_GUILESS_MAIN(TestUnwaitedThreads)
#include "tst_unwaited_threads.moc"
