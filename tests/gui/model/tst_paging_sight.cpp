// What a window is shown of paging: the map of pages, what is on its way, life lines, steps in memory.
#include <QSignalSpy>
#include <QTest>
#include <map>
#include <set>

#include "core/trace/live.h"
#include "core/trace/trace.h"
#include "tests/gui/model/theatre.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace {

SightRequest sightOf(const Theatre& theatre) {
  SightRequest request;
  request.wanted = true;
  request.dataKey = theatre.stage.keyOf("flow");
  return request;
}

}  // namespace

class TestPagingSight : public QObject {
  Q_OBJECT
 private slots:
  void pagesAreMapped();
  void mapsFollowTheRequest();
  void tasksLeaveLifeLines();
  void nothingIsShownUnasked();
  void stepsInMemory();
};

void TestPagingSight::pagesAreMapped() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  theatre.engine.setSight(sightOf(theatre));
  QTRY_VERIFY_WITH_TIMEOUT(theatre.engine.counters().sight, kPatienceMs);
  const PagingSight& sight = *theatre.engine.counters().sight;
  const PageMap& map = sight.map;
  QVERIFY(map.array != "xyz" && !map.array.empty());
  QCOMPARE(map.total, std::uint64_t(product(map.pages)));
  QCOMPARE(map.cells.size(), std::size_t(map.columns * map.rows));
  QCOMPARE(std::int64_t(map.columns), map.pages[0]);
  // The budget holds all of it, so what was read is there still: the lines went through some of the pages.
  std::uint64_t resident = 0;
  for (const PageMap::Cell& cell : map.cells) {
    resident += cell.resident;
    QVERIFY(cell.resident <= map.pagesPerCell);
    QCOMPARE(cell.reading, 0u);
  }
  QCOMPARE(resident, map.resident);
  QVERIFY(map.resident > 0 && map.resident <= map.total);
  QCOMPARE(sight.reading, std::uint64_t(0));
  QVERIFY(sight.oldest.empty());
}

void TestPagingSight::mapsFollowTheRequest() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(8));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  SightRequest request = sightOf(theatre);
  std::array<std::uint64_t, 3> resident{};
  for (int along = 0; along < 3; ++along) {
    request.along = along;
    theatre.engine.setSight(request);
    QTRY_VERIFY_WITH_TIMEOUT(
        theatre.engine.counters().sight && theatre.engine.counters().sight->map.along == along, kPatienceMs);
    resident[std::size_t(along)] = theatre.engine.counters().sight->map.resident;
  }
  QVERIFY(resident[0] == resident[1] && resident[1] == resident[2]);
  request.array = "no such array";
  theatre.engine.setSight(request);
  QTRY_VERIFY_WITH_TIMEOUT(theatre.engine.counters().sight->map.cells.empty(), kPatienceMs);
}

void TestPagingSight::tasksLeaveLifeLines() {
  Theatre theatre;
  SightRequest request;
  request.wanted = true;
  theatre.engine.setSight(request);
  theatre.open(longRake());
  std::size_t began = 0, lanes = 0, strays = 0;
  const auto seen = [&] {
    const auto sight = theatre.engine.counters().sight;
    if (!sight) return false;
    std::set<int> used;
    std::map<std::uint64_t, int> laneOf;
    for (const trace::LiveEvent& event : sight->lives) {
      strays += event.lane < 0 || event.lane >= trace::kLiveLanes;
      // A task keeps its lane.
      strays += laneOf.try_emplace(event.task, event.lane).first->second != event.lane;
      used.insert(event.lane);
      began += event.kind == trace::LiveKind::Began;
    }
    lanes = std::max(lanes, used.size());
    return began > 4 && lanes > 1;
  };
  QTRY_VERIFY_WITH_TIMEOUT(seen(), kPatienceMs);
  QCOMPARE(strays, std::size_t(0));
  theatre.engine.setSight({});
}

void TestPagingSight::nothingIsShownUnasked() {
  Theatre theatre;
  const ObjectId id = theatre.open(rake(2));
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QSignalSpy counted(&theatre.engine, &Engine::counted);
  QTRY_VERIFY_WITH_TIMEOUT(counted.size() >= 2, kPatienceMs);
  QVERIFY(!theatre.engine.counters().sight);
  QVERIFY(!trace::isOn());
  theatre.engine.setSight(sightOf(theatre));
  QTRY_VERIFY_WITH_TIMEOUT(theatre.engine.counters().sight, kPatienceMs);
  QVERIFY(trace::isOn());
  theatre.engine.setSight({});
  QTRY_VERIFY_WITH_TIMEOUT(!theatre.engine.counters().sight, kPatienceMs);
  QVERIFY(!trace::isOn());
}

void TestPagingSight::stepsInMemory() {
  Theatre theatre;
  session::Object object = rake(8);
  std::get<session::Streamlines>(object.shape).seeds = session::GridPointSeeds{0, {}, {4, 4, 2}};
  const ObjectId id = theatre.open(object, "sample://cylinder?size=17,17,5&steps=5");
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  const std::string key = theatre.stage.keyOf("flow");
  const auto parts = [&] {
    const auto& steps = theatre.engine.counters().residentSteps;
    const auto found = steps.find(key);
    return found == steps.end() ? std::vector<float>() : found->second;
  };
  QTRY_VERIFY_WITH_TIMEOUT(parts().size() == 5 && parts()[0] > 0, kPatienceMs);
  QVERIFY(parts()[0] <= 1 && parts()[3] == 0);
  theatre.stage.setStep(3);
  QTRY_VERIFY_WITH_TIMEOUT(parts().size() == 5 && parts()[3] > 0, kPatienceMs);
  QCOMPARE(parts()[4], 0.0f);
}

QTEST_GUILESS_MAIN(TestPagingSight)
#include "tst_paging_sight.moc"
