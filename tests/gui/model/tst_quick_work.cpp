// Quick work beside long work: it need not wait, and nobody begins anew for it.

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <optional>

#include "plugins/vtkfile/vtk_data.h"
#include "tests/gui/model/theatre.h"
#include "tests/support/vti_file.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

class TestQuickWork : public QObject {
  Q_OBJECT
 private slots:
  void quickWorkGoesBesideLongWork();
  void quickWorkLeavesLongWorkAlone_data();
  void quickWorkLeavesLongWorkAlone();
  void otherDataLeaveLongWorkAlone_data();
  void otherDataLeaveLongWorkAlone();
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

void TestQuickWork::quickWorkLeavesLongWorkAlone_data() {
  QTest::addColumn<int>("mebibytes");
  QTest::addColumn<bool>("ofOtherData");
  for (const int mebibytes : {48, 128})  // room for one at a time, and for two
    for (const bool ofOtherData : {false, true})
      QTest::addRow("%d MiB, %s", mebibytes, ofOtherData ? "other data" : "another array")
          << mebibytes << ofOtherData;
}

/// What is quick, but was not planned for: other data, or an array that nobody has read yet. Memory is not shared out anew for it, as then
/// those at long work would begin again.
void TestQuickWork::quickWorkLeavesLongWorkAlone() {
  QFETCH(int, mebibytes);
  QFETCH(bool, ofOtherData);
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  Theatre theatre(static_cast<std::uint64_t>(mebibytes) * kMiB, readers);
  // Round and round, in more arrays than are planned for by themselves.
  std::vector<VtiArray> arrays{{"v", 3, [](int i, int j, int, int c) {
                                  return c == 0 ? 16.0F - float(j) : c == 1 ? float(i) - 16 : 0.0F;
                                }}};
  for (const char* const name : {"a", "b", "c", "d"})
    arrays.push_back({name, 1, [](int i, int, int, int) { return float(i); }});
  const auto path = theatre.folder / "round.vti";
  writeVti(path, 33, arrays);
  theatre.document.edit("Open", [&](Draft& draft) {
    for (const char* const name : {"flow", "other"})
      draft.frame().data.push_back({name, {path.string()}, {}, {}, {}});
  });
  for (const char* const name : {"flow", "other"})
    QTRY_VERIFY_WITH_TIMEOUT(theatre.stage.dataStatus(name).state == DataState::Open, kPatienceMs);
  session::Object round = longRake();
  auto& lines = std::get<session::Streamlines>(round.shape);
  lines.vector = {"v"};
  lines.seeds = session::LineSeeds{{8, 16, 16}, {15, 16, 16}, 20'000};
  round.color.by = "v-magnitude";
  std::vector<ObjectId> atWork;
  for (int n = 0; n < (mebibytes < 96 ? 1 : 2); ++n) {
    atWork.push_back(theatre.document.addObject(round));
    QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(atWork.back()), ObjectState::Running, kPatienceMs);
  }
  QSignalSpy started(&theatre.engine, &Engine::started);
  for (const char* const by : {"a", "b"}) {
    session::Object slice;
    slice.data = ofOtherData ? "other" : "flow";
    slice.color.by = by;
    session::Slice plane;
    plane.origin = {16, 16, 16};
    plane.normal = {0, 0, 1};
    slice.shape = plane;
    const ObjectId id = theatre.document.addObject(slice);
    QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
    // Nobody else has begun.
    QCOMPARE(started.size(), 1);
    QCOMPARE(started.takeFirst().front().value<ObjectId>(), id);
    for (const ObjectId each : atWork) QCOMPARE(theatre.stateOf(each), ObjectState::Running);
    QVERIFY(theatre.engine.counters().peakBytes <= static_cast<std::uint64_t>(mebibytes) * kMiB);
  }
  // Nor for a curve.
  std::optional<CurveAnswer> curve;
  connect(&theatre.engine, &Engine::curveRead, this, [&](const CurveAnswer& answer) { curve = answer; });
  theatre.engine.readCurve(CurveRequest{.dataKey = theatre.stage.keyOf(ofOtherData ? "other" : "flow"),
                                        .from = {0, 16, 16},
                                        .to = {32, 16, 16},
                                        .count = 33,
                                        .functions = {"d"}});
  QTRY_VERIFY_WITH_TIMEOUT(curve && curve->part == 1, kPatienceMs);
  QVERIFY2(curve->problem.empty(), curve->problem.c_str());
  QCOMPARE(curve->values.front().at(7), 7.0);
  QCOMPARE(started.size(), 0);
  for (const ObjectId each : atWork) QCOMPARE(theatre.stateOf(each), ObjectState::Running);
  // What there is of it stays when its plan is gone, and it can be computed again.
  theatre.engine.cancelAll();
  for (const ObjectId each : atWork)
    QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(each), ObjectState::Cancelled, kPatienceMs);
  // Its data have a plan then, by which they are read under the cursor.
  std::optional<ProbeAnswer> under;
  connect(&theatre.engine, &Engine::probed, this, [&](const ProbeAnswer& answer) { under = answer; });
  ProbeRequest request;
  request.dataKey = theatre.stage.keyOf(ofOtherData ? "other" : "flow");
  request.point = {7, 16, 16};
  request.functions = {"b"};
  const auto readsUnder = [&] {
    under.reset();
    ++request.number;
    theatre.engine.probe(request);
    return QTest::qWaitFor([&] { return under && under->number == request.number; }, 1000) && under->found &&
           !under->values.empty() && under->values.front().second == std::vector<double>{7};
  };
  QTRY_VERIFY_WITH_TIMEOUT(readsUnder(), kPatienceMs);
  const ObjectId last = theatre.document.objectIds().back();
  theatre.document.edit("Other", [&](Draft& draft) { draft.object(last).color.by = "c"; });
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(last), ObjectState::Done, kPatienceMs);
}

void TestQuickWork::otherDataLeaveLongWorkAlone_data() {
  QTest::addColumn<int>("mebibytes");
  QTest::newRow("room for one at a time") << 48;
  QTest::newRow("room for two") << 192;
}

/// Data that are opened, are not there, are closed, or are shown by what takes long itself: what is being computed of others goes on.
void TestQuickWork::otherDataLeaveLongWorkAlone() {
  QFETCH(int, mebibytes);
  Theatre theatre(static_cast<std::uint64_t>(mebibytes) * kMiB);
  const ObjectId atWork = theatre.open(longRake());
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(atWork), ObjectState::Running, kPatienceMs);
  QSignalSpy started(&theatre.engine, &Engine::started);
  const auto hasBegunAgain = [&] {
    return std::any_of(started.begin(), started.end(), [&](const QList<QVariant>& arguments) {
      return arguments.front().value<ObjectId>() == atWork;
    });
  };
  session::Object outline;
  outline.data = "other";
  outline.shape = session::Outline{};
  session::Object lines = rake(20, 1);
  lines.data = "other";
  for (int n = 0; n < 2; ++n) {
    theatre.document.edit("Open", [&](Draft& draft) {
      draft.frame().data.push_back({"other", {"sample://tornado?size=17"}, {}, {}, {}});
      draft.frame().data.push_back({"none", {"sample://nothing"}, {}, {}, {}});
    });
    QTRY_COMPARE_WITH_TIMEOUT(theatre.stage.dataStatus("other").state, DataState::Open, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(theatre.stage.dataStatus("none").state, DataState::Failed, kPatienceMs);
    const ObjectId quick = theatre.document.addObject(outline);
    QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(quick), ObjectState::Done, kPatienceMs);
    if (mebibytes > 96) {
      const ObjectId others = theatre.document.addObject(lines);
      QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(others), ObjectState::Done, kPatienceMs);
    }
    QCOMPARE(theatre.stateOf(atWork), ObjectState::Running);
    QVERIFY(!hasBegunAgain());
    theatre.document.removeData("other");
    theatre.document.removeData("none");
  }
  // Whatever was closed last has gone by the time that something else is open.
  theatre.document.edit("Open", [&](Draft& draft) {
    draft.frame().data.push_back({"last", {"sample://abc?size=17"}, {}, {}, {}});
  });
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stage.dataStatus("last").state, DataState::Open, kPatienceMs);
  QCOMPARE(theatre.stateOf(atWork), ObjectState::Running);
  QVERIFY(!hasBegunAgain());
  QVERIFY(theatre.engine.counters().peakBytes <= static_cast<std::uint64_t>(mebibytes) * kMiB);
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
