// A limit to the time of a piece of work: it stops what can be stopped, and ends the program where nothing stops.

#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <chrono>
#include <thread>

#include "app/cli/running/time_limit.h"

using farfield::cli::TimeLimit;
using namespace std::chrono_literals;

class TestTimeLimit : public QObject {
  Q_OBJECT
 private slots:
  void stopsWhatCanBeStopped();
  void isNoMoreWhenTheWorkIsDone();
  void handsOnAnInterruption();
  void endsTheProgramWhereNothingStops();
};

void TestTimeLimit::stopsWhatCanBeStopped() {
  bool told = false;
  TimeLimit limit(5s, "work", {}, [&] { told = true; });
  const auto start = std::chrono::steady_clock::now();
  while (!limit.token().stop_requested()) std::this_thread::sleep_for(5ms);
  limit.finish();
  const auto took = std::chrono::steady_clock::now() - start;
  QVERIFY(took >= 3500ms && took < 5s);
  QVERIFY(told);
  QCOMPARE(QString(limit.error().what()),
           QString("the work takes longer than 5 s; give it more time with --time-limit"));
}

void TestTimeLimit::isNoMoreWhenTheWorkIsDone() {
  TimeLimit limit(1s, "work", {});
  limit.finish();
  std::this_thread::sleep_for(1200ms);
  QVERIFY(!limit.token().stop_requested());
}

void TestTimeLimit::handsOnAnInterruption() {
  std::stop_source interrupt;
  TimeLimit limit(100s, "work", interrupt.get_token());
  QVERIFY(!limit.token().stop_requested());
  interrupt.request_stop();
  QVERIFY(limit.token().stop_requested());
}

void TestTimeLimit::endsTheProgramWhereNothingStops() {
  int said[2];
  QCOMPARE(::pipe(said), 0);
  const pid_t child = ::fork();
  QVERIFY(child >= 0);
  if (child == 0) {
    ::dup2(said[1], 2);
    const TimeLimit limit(1s, "work", {});
    std::this_thread::sleep_for(60s);
    ::_exit(0);
  }
  ::close(said[1]);
  const auto start = std::chrono::steady_clock::now();
  int status = 0;
  QCOMPARE(::waitpid(child, &status, 0), child);
  QVERIFY(std::chrono::steady_clock::now() - start < 30s);
  QVERIFY(WIFEXITED(status));
  QCOMPARE(WEXITSTATUS(status), 1);
  char text[200] = {};
  QVERIFY(::read(said[0], text, sizeof text - 1) > 0);
  ::close(said[0]);
  QCOMPARE(QString(text),
           QString("farfield: the work takes longer than 1 s; give it more time with --time-limit\n"));
}

QTEST_GUILESS_MAIN(TestTimeLimit)
#include "tst_time_limit.moc"
