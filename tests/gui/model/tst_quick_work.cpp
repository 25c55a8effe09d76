// Quick work beside long work: it need not wait, and nobody begins anew for it.

#include <QSignalSpy>
#include <QTest>

#include "tests/gui/model/theatre.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

class TestQuickWork : public QObject {
  Q_OBJECT
 private slots:
  void quickWorkGoesBesideLongWork();
  void quickWorkLeavesLongWorkAlone();
  void shortWorkIsJudged();
};

/// What was asked for last and takes a moment does not wait for what takes minutes; what is dragged comes before it.
void TestQuickWork::quickWorkGoesBesideLongWork() {
  Theatre theatre(48 * kMiB);  // room for one at a time
  const ObjectId lines = theatre.open(longRake());
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(lines), ObjectState::Running, kPatienceMs);
  const ObjectId others = theatre.document.addObject(longRake());
  session::Object slice;
  slice.data = "flow";
  slice.color.by = "velocity-magnitude";
  session::Slice plane;
  plane.origin = {3, 3, 3};
  plane.normal = {0, 0, 1};
  slice.shape = plane;
  const ObjectId id = theatre.document.addObject(slice);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QCOMPARE(theatre.stateOf(lines), ObjectState::Running);
  QCOMPARE(theatre.stateOf(others), ObjectState::Waiting);
}

/// What is quick, but could begin only after memory was shared out anew, waits for one of several at long work, who would begin again.
void TestQuickWork::quickWorkLeavesLongWorkAlone() {
  Theatre theatre(128 * kMiB);  // room for two at a time
  theatre.document.edit("Open", [&](Draft& draft) {
    for (const char* const name : {"flow", "other"})
      draft.frame().data.push_back({name, {"sample://abc?size=33"}, {}, {}, {}});
  });
  for (const char* const name : {"flow", "other"})
    QTRY_VERIFY_WITH_TIMEOUT(theatre.stage.dataStatus(name).state == DataState::Open, kPatienceMs);
  const ObjectId lines = theatre.document.addObject(longRake()),
                 others = theatre.document.addObject(longRake());
  for (const ObjectId id : {lines, others})
    QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Running, kPatienceMs);
  QSignalSpy started(&theatre.engine, &Engine::started), counted(&theatre.engine, &Engine::counted);
  session::Object slice;
  slice.data = "other";
  slice.color.by = "velocity-magnitude";
  session::Slice plane;
  plane.origin = {3, 3, 3};
  plane.normal = {0, 0, 1};
  slice.shape = plane;
  const ObjectId id = theatre.document.addObject(slice);
  QTRY_VERIFY_WITH_TIMEOUT(counted.size() > 5, kPatienceMs);
  QCOMPARE(started.size(), 0);
  QCOMPARE(theatre.stateOf(id), ObjectState::Waiting);
  theatre.engine.cancel(lines);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
}

void TestQuickWork::shortWorkIsJudged() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(1, 0.1));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  // Over before anybody looked; the next count knows of it all the same.
  QTRY_VERIFY_WITH_TIMEOUT(!theatre.engine.counters().boundBy.sentence.empty(), kPatienceMs);
}

QTEST_MAIN(TestQuickWork)
#include "tst_quick_work.moc"
