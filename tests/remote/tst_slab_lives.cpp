// Life lines of ranks on their way to who watches: what is noted is kept while somebody watches, comes as it was, and is put together
// by clocks that round trips set, whatever a rank says.

#include <QTest>
#include <thread>

#include "core/base/error.h"
#include "remote/slabs/life_log.h"
#include "remote/slabs/tags.h"

namespace farfield::test {
namespace {

using namespace remote;
using trace::RecentKind;

LifeEvent noted(std::int64_t at, RecentKind kind, LifeWhat what, std::uint32_t thread, std::uint64_t step) {
  return {at, kind, what, thread, step, 0};
}

}  // namespace

class TestSlabLives : public QObject {
  Q_OBJECT
 private slots:
  void notesAreKeptWhileSomebodyWatches();
  void tooManyAreCounted();
  void messagesAreAsTheyWere();
  void whatCannotBeIsRefused();
  void spansArePairedByThread();
  void clocksAreSetByTheShortestRoundTrip();
  void answersOfOthersSetNoClock();
  void whatARankSaysIsBounded();
  void whoComesAgainBeginsAnew();
};

void TestSlabLives::notesAreKeptWhileSomebodyWatches() {
  { const TagSpan before("slabd", kRender, 1); }
  trace::RecentWatch watch;
  QVERIFY(trace::isWatched());
  { const TagSpan during("slabd", kRender, 7); }
  std::thread([] { trace::noteAmount("processors", 1.5); }).join();
  const auto taken = watch.take();
  QCOMPARE(taken.events.size(), std::size_t{3});
  QCOMPARE(taken.lost, std::uint64_t{0});
  const auto begins = lifeEventOf(taken.events[0]), ends = lifeEventOf(taken.events[1]),
             amount = lifeEventOf(taken.events[2]);
  QVERIFY(begins && ends && amount);
  QVERIFY(begins->what == LifeWhat::Render && begins->kind == RecentKind::Begins && begins->step == 7);
  QVERIFY(ends->what == LifeWhat::Render && ends->kind == RecentKind::Ends);
  QVERIFY(ends->nanoseconds >= begins->nanoseconds && ends->thread == begins->thread);
  QVERIFY(amount->what == LifeWhat::Processors && amount->amount == 1.5 && amount->thread != begins->thread);
  QVERIFY(watch.take().events.empty());
  QVERIFY(!lifeEventOf({0, RecentKind::Begins, 0, "nothing known", 0, 0}));
}

void TestSlabLives::tooManyAreCounted() {
  trace::RecentWatch watch, other;
  constexpr std::uint64_t kMany = 20'000;
  for (std::uint64_t n = 0; n < kMany; ++n) trace::noteBegin("LOAD", n);
  const auto taken = watch.take();
  QCOMPARE(taken.lost + taken.events.size(), kMany);
  QVERIFY(taken.lost > 0);
  QCOMPARE(taken.events.back().step, kMany - 1);
  QCOMPARE(other.take().events.size(), taken.events.size());
}

void TestSlabLives::messagesAreAsTheyWere() {
  LifeNews news{
      3,
      {noted(5, RecentKind::Begins, LifeWhat::Load, 2, 9), noted(8, RecentKind::Ends, LifeWhat::Load, 2, 0)}};
  news.events.push_back({9, RecentKind::Amount, LifeWhat::Memory, 1, 0, 812.5});
  const LifeNews same = parseLifeNews(bytesOf(news));
  QCOMPARE(same.lost, std::uint64_t{3});
  QCOMPARE(same.events.size(), std::size_t{3});
  QVERIFY(bytesOf(same) == bytesOf(news));
  QCOMPARE(parseLifeAsk(bytesOf(LifeAsk{77})).asked, std::int64_t{77});
  const LifeClock clock = parseLifeClock(bytesOf(LifeClock{77, 1234}));
  QVERIFY(clock.asked == 77 && clock.shown == 1234);
}

void TestSlabLives::whatCannotBeIsRefused() {
  const auto refused = [](LifeEvent its) {
    try {
      parseLifeNews(bytesOf(LifeNews{0, {its}}));
      return false;
    } catch (const Protocol&) {
      return true;
    }
  };
  const LifeEvent good = noted(5, RecentKind::Begins, LifeWhat::Load, 2, 9);
  QVERIFY(!refused(good));
  LifeEvent bad = good;
  bad.nanoseconds = -1;
  QVERIFY(refused(bad));
  bad.nanoseconds = kMostNanoseconds + 1;
  QVERIFY(refused(bad));
  bad = good;
  bad.kind = RecentKind::Amount;
  QVERIFY(refused(bad));
  bad.kind = static_cast<RecentKind>(3);
  QVERIFY(refused(bad));
  bad = good;
  bad.what = static_cast<LifeWhat>(kLifeWhats);
  QVERIFY(refused(bad));
  bad = good;
  bad.amount = -1;
  QVERIFY(refused(bad));
  QVERIFY_EXCEPTION_THROWN(parseLifeNews(bytesOf(LifeNews{0, std::vector<LifeEvent>(kMostNews + 1, good)})),
                           Protocol);
  QVERIFY_EXCEPTION_THROWN(parseLifeClock(bytesOf(LifeClock{-5, 5})), Protocol);
  QVERIFY_EXCEPTION_THROWN(parseLifeAsk({}), Protocol);
}

void TestSlabLives::spansArePairedByThread() {
  LifeRecord record;
  record.take({.lost = 2,
               .events = {noted(1, RecentKind::Ends, LifeWhat::Render, 1, 0),  // began before
                          noted(10, RecentKind::Begins, LifeWhat::Load, 1, 4),
                          noted(12, RecentKind::Begins, LifeWhat::Load, 2, 5),
                          noted(15, RecentKind::Ends, LifeWhat::Load, 1, 0),
                          noted(20, RecentKind::Begins, LifeWhat::Render, 1, 4),
                          noted(30, RecentKind::Ends, LifeWhat::Load, 2, 0)}});
  const Life life = record.life("rank 3", 0);
  QCOMPARE(life.lost, std::uint64_t{2});
  QCOMPARE(life.spans.size(), std::size_t{3});
  QVERIFY(life.spans[0].from == 10 && life.spans[0].to == 15 && life.spans[0].step == 4 &&
          !life.spans[0].goesOn);
  QVERIFY(life.spans[1].from == 12 && life.spans[1].to == 30 && life.spans[1].step == 5);
  QVERIFY(life.spans[2].what == LifeWhat::Render && life.spans[2].goesOn && life.spans[2].to == 30);
  QCOMPARE(record.life("rank 3", 16).spans.size(), std::size_t{2});
}

void TestSlabLives::clocksAreSetByTheShortestRoundTrip() {
  LifeRecord record;
  // its clock is 1000 ahead; answers take 100, 10 and 40, of which the way there all but 4, half, and none
  record.asked(0);
  record.heard({0, 1000 + 96}, 100);
  record.asked(200);
  record.heard({200, 1000 + 205}, 210);
  record.asked(300);
  record.heard({300, 1000 + 300}, 340);
  record.take({.lost = 0,
               .events = {noted(1500, RecentKind::Begins, LifeWhat::Frame, 1, 2),
                          noted(1600, RecentKind::Ends, LifeWhat::Frame, 1, 0)}});
  const Life life = record.life("rank", 0);
  QVERIFY(life.spans.front().from == 500 && life.spans.front().to == 600);
  QCOMPARE(life.roundTripSeconds, 40e-9);
  QCOMPARE(life.clockSeconds, 5e-9);
}

void TestSlabLives::answersOfOthersSetNoClock() {
  LifeRecord record;
  record.asked(100);
  record.heard({90, 5000}, 120);  // not what was asked
  record.heard({100, 5000}, 80);  // before it was asked
  QVERIFY(record.life("rank", 0).roundTripSeconds < 0);
  record.heard({100, 5000}, 120);
  QVERIFY(record.life("rank", 0).roundTripSeconds > 0);
}

void TestSlabLives::whatARankSaysIsBounded() {
  LifeRecord record;
  for (std::uint32_t n = 0; n < 100'000; ++n) {
    record.take(noted(n, RecentKind::Begins, LifeWhat::Load, n, n));
    record.take(noted(n, RecentKind::Begins, LifeWhat::Render, 1, n));
    record.take(noted(n, RecentKind::Ends, LifeWhat::Render, 1, n));
  }
  QVERIFY(record.life("rank", 0).spans.size() < 20'000);
}

void TestSlabLives::whoComesAgainBeginsAnew() {
  LifeLog log;
  const LifeNews news{0, {noted(5, RecentKind::Begins, LifeWhat::Load, 2, 9)}};
  log.take(1, news);  // was not asked
  QVERIFY(log.lives(0).empty());
  log.asked(1, 0);
  log.take(1, news);
  QCOMPARE(log.lives(0).at(0).spans.size(), std::size_t{1});
  QCOMPARE(log.lives(0).at(0).name, std::string("rank 1"));
  log.end(1);
  QVERIFY(!log.lives(0).at(0).isThere);
  log.asked(1, 10);
  QVERIFY(log.lives(0).at(0).isThere && log.lives(0).at(0).spans.empty());
}

}  // namespace farfield::test

QTEST_APPLESS_MAIN(farfield::test::TestSlabLives)
#include "tst_slab_lives.moc"
