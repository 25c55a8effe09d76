// Processes that are watched: what they print and how they end, those that hang, crash, print too much, or
// are no longer wanted.

#include <signal.h>

#include <QTest>

#include <filesystem>
#include <thread>

#include "core/base/child.h"
#include "core/base/error.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield;
using namespace std::chrono_literals;

namespace {

ChildOutcome shell(const std::string& script, std::chrono::milliseconds timeout = 30s,
                   std::stop_token stop = {}) {
  return runChild("/bin/sh", {"-c", script}, timeout, std::move(stop));
}

}  // namespace

class TestChild : public QObject {
  Q_OBJECT
 private slots:
  void saysWhatItPrintsAndHowItEnds();
  void hangs();
  void crashes();
  void printsTooMuch();
  void leavesSomebodyBehind();
  void isNoLongerWanted();
  void cannotBeStarted();
};

void TestChild::saysWhatItPrintsAndHowItEnds() {
  for (int n = 0; n < 20; ++n) {
    const ChildOutcome outcome = shell("echo out; echo errors >&2; exit 7");
    QCOMPARE(outcome.end, ChildOutcome::End::Exited);
    QCOMPARE(outcome.number, 7);
    QCOMPARE(outcome.out, std::string("out\n"));
    QCOMPARE(outcome.errors, std::string("errors\n"));
  }
  QCOMPARE(shell("cat").out, std::string());  // there is nothing to read
}

void TestChild::hangs() {
  const ChildOutcome outcome = shell("echo before; exec sleep 100", 300ms);
  QCOMPARE(outcome.end, ChildOutcome::End::TimedOut);
  QCOMPARE(outcome.out, std::string("before\n"));
}

void TestChild::crashes() {
  const ChildOutcome outcome = shell("echo last words >&2; kill -SEGV $$");
  QCOMPARE(outcome.end, ChildOutcome::End::Signalled);
  QCOMPARE(outcome.number, SIGSEGV);
  QCOMPARE(outcome.errors, std::string("last words\n"));
}

void TestChild::printsTooMuch() {
  const ChildOutcome outcome = shell("head -c 3000000 /dev/zero; echo end >&2");
  QCOMPARE(outcome.end, ChildOutcome::End::Exited);
  QCOMPARE(outcome.out.size(), std::size_t{64} << 10);
  QCOMPARE(outcome.errors, std::string("end\n"));
}

void TestChild::leavesSomebodyBehind() {
  // A process that it started keeps its streams open. Its own end counts: to wait for the streams would be to
  // time out.
  const ChildOutcome outcome = shell("sleep 100 & echo done");
  QCOMPARE(outcome.end, ChildOutcome::End::Exited);
  QCOMPARE(outcome.out, std::string("done\n"));
}

void TestChild::isNoLongerWanted() {
  const test::TemporaryFolder folder;
  const std::filesystem::path begun = folder / "begun";
  std::stop_source stop;
  std::jthread thread([&] {
    while (!std::filesystem::exists(begun)) std::this_thread::sleep_for(1ms);
    stop.request_stop();
  });
  QVERIFY_EXCEPTION_THROWN(shell(": > '" + begun.string() + "'; exec sleep 100", 90s, stop.get_token()),
                           Cancelled);
}

void TestChild::cannotBeStarted() {
  QVERIFY_EXCEPTION_THROWN(runChild("/no/such/program", {}, 1s, {}), Io);
}

QTEST_APPLESS_MAIN(TestChild)
#include "tst_child.moc"
