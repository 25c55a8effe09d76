// Budgets that become smaller and larger while data are open: what is in memory for speed goes, what is shown stays, and what had no
// room comes back.

#include <QTest>

#include "app/model/app_model.h"
#include "tests/gui/model/theatre.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace {

session::Object paths(std::int64_t seeds) {
  session::Object object;
  object.name = "paths";
  object.data = "flow";
  session::Pathlines lines;
  lines.seeds = session::LineSeeds{{0.5, 0.5, 3}, {5.5, 5.5, 3}, seeds};
  object.shape = lines;
  object.color.by = "age";
  return object;
}

std::size_t vertices(const scene::LineGeometry& lines) {
  std::size_t count = 0;
  lines.visit([&](const scene::LineChunk& chunk) { count += chunk.points.size() / 3; });
  return count;
}

}  // namespace

class TestBudgetMoves : public QObject {
  Q_OBJECT
 private slots:
  void pathsGoToTheDisk();
  void whatHadNoRoomComesBack();
  void lentBudgetsStayTheUsers();
};

/// A large budget has room for paths in memory, a small one not even for those that are there.
void TestBudgetMoves::pathsGoToTheDisk() {
  constexpr std::uint64_t kLess = 24 * kMiB;
  Theatre theatre(1024 * kMiB);
  const ObjectId id = theatre.open(paths(40'000), "sample://taylor-green?steps=12&size=17");
  QTRY_VERIFY_WITH_TIMEOUT(theatre.stage.steps() == 12, kPatienceMs);
  theatre.stage.setStep(11);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(theatre.engine.counters().usedBytes > kLess, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(theatre.pictures.back().complete, kPatienceMs);
  const std::size_t before = vertices(*theatre.pictures.back().item.lines);
  QVERIFY(before > 40'000);

  theatre.engine.setMemoryBytes(kLess);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.engine.counters().budgetBytes, kLess, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(theatre.engine.counters().usedBytes <= kLess, kPatienceMs);
  QCOMPARE(vertices(*theatre.pictures.back().item.lines), before);  // read from the disk now
  QCOMPARE(theatre.stage.dataStatus("flow").state, DataState::Open);
  theatre.stage.recompute(id);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(theatre.pictures.back().complete, kPatienceMs);
  QCOMPARE(vertices(*theatre.pictures.back().item.lines), before);
  QVERIFY(theatre.engine.counters().usedBytes <= kLess);
}

void TestBudgetMoves::whatHadNoRoomComesBack() {
  Theatre theatre(8 * 1024);
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Failed, kPatienceMs);
  theatre.engine.setMemoryBytes(64 * kMiB);
  theatre.stage.retryWhatLackedMemory();
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
}

/// What works beside the window takes a part of what the user allows, who may allow more or less meanwhile.
void TestBudgetMoves::lentBudgetsStayTheUsers() {
  const TemporaryFolder folder;
  const auto at = [&](const char* name) { return QString::fromStdString((folder / name).string()); };
  AppParts parts;
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<samples::SampleDataReader>());
  parts.readers = readers;
  parts.settingsFile = at("settings.ini");
  parts.dataFolder = at("data");
  parts.cacheFolder = at("cache");
  AppModel model(std::move(parts));
  model.setMemoryBytes(400 * kMiB);
  QCOMPARE(model.lendMemory(), 200 * kMiB);
  QCOMPARE(model.memoryBytes(), 400 * kMiB);
  QCOMPARE(model.engine().memoryBytes(), 200 * kMiB);
  model.setMemoryBytes(300 * kMiB);
  QCOMPARE(model.memoryBytes(), 300 * kMiB);
  QCOMPARE(model.engine().memoryBytes(), 100 * kMiB);
  // Never so little that the two together had more.
  const std::uint64_t least = 200 * kMiB + kLeastMemoryBytes;
  QCOMPARE(model.leastMemoryBytes(), least);
  for (const std::uint64_t refused : {150 * kMiB, least - 1}) {
    QVERIFY(!model.setMemoryBytes(refused));
    QCOMPARE(model.memoryBytes(), 300 * kMiB);
    QCOMPARE(model.engine().memoryBytes(), 100 * kMiB);
  }
  QVERIFY(model.setMemoryBytes(least));
  QCOMPARE(model.engine().memoryBytes(), kLeastMemoryBytes);
  QCOMPARE(model.lentBytes(), 200 * kMiB);
  model.takeMemoryBack();
  QCOMPARE(model.memoryBytes(), least);
  QCOMPARE(model.leastMemoryBytes(), kLeastMemoryBytes);
  QVERIFY(model.setMemoryBytes(150 * kMiB));
  QCOMPARE(model.memoryBytes(), 150 * kMiB);
  QCOMPARE(model.engine().memoryBytes(), 150 * kMiB);
  QCOMPARE(model.lentBytes(), std::uint64_t{0});
  // The least budget of all is shared, too, and may become more.
  QVERIFY(model.setMemoryBytes(kLeastMemoryBytes));
  QCOMPARE(model.lendMemory(), kLeastMemoryBytes / 2);
  QVERIFY(model.setMemoryBytes(kLeastMemoryBytes + kMiB));
  QCOMPARE(model.engine().memoryBytes(), kLeastMemoryBytes / 2 + kMiB);
  QVERIFY(!model.setMemoryBytes(kLeastMemoryBytes - kMiB));
  model.takeMemoryBack();
}

QTEST_MAIN(TestBudgetMoves)
#include "tst_budget_moves.moc"
