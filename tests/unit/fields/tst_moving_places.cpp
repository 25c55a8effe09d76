// Places that go where their cells go: in a grid that moves they are the same place of the same cell at every step, and back.

#include <QTest>

#include <cmath>

#include "core/fields/data/box_data.h"
#include "core/fields/places/moving_places.h"
#include "plugins/exodus/exodus_data.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"
#include "tests/support/test_data.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

constexpr Index3 kDims{9, 8, 7};
const std::vector<double> kTimes{0, 1, 2};

/// Trilinear in each cell: stretched, sheared and lifted as time goes on.
Vec3 placeOf(Vec3 index, double time) {
  return {index.x * (1 + time), index.y + 0.5 * time * index.x, index.z + 20 * time};
}

std::shared_ptr<paging::ComputedReader> reader(bool moves, bool hasOwnX) {
  paging::DatasetDescription description;
  description.format = "moving";
  description.times = kTimes;
  paging::BlockDescription block;
  block.dims = kDims;
  block.kind = paging::GridKind::Curvilinear;
  for (std::int64_t n = 0; n < product(kDims); ++n)
    for (const double time : kTimes) block.bounds.add(placeOf(toVec3(unlinear(n, kDims)), moves ? time : 0));
  description.blocks.push_back(block);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(kDims, kDims);
  description.arrays.push_back({hasOwnX ? "x" : "heat", 0, whole, 3, 1, ScalarType::F64, {}});
  description.arrays.push_back(
      {"xyz", 0, whole, moves ? 3 : 1, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
  return nodewiseReader(
      description, [moves](std::uint32_t array, std::int64_t step, const Index3& node, NodeValues& values) {
        const double time = kTimes[static_cast<std::size_t>(step)];
        if (array == 0) values.put(toVec3(node).x + 10 * toVec3(node).y + 100 * time);
        if (array == 1) values.put(placeOf(toVec3(node), moves ? time : 0));
      });
}

/// Runs `work` as the single task.
template <class Work>
void withPlaces(OpenData& data, MemoryAccount& account, const std::string& function, const Work& work) {
  const auto plan = std::make_shared<FunctionPlan>(data.description(), std::vector{function});
  PagedDataOptions options;
  options.arrays = plan->arrays();
  options.resultBytesPerTask = MovingPlaces::bytesFor(data.description(), *plan);
  PagedData paged(data, account, options);
  runOneTask(paged, [&](tasks::TaskContext& context) {
    MovingPlaces places(paged, context, plan);
    work(places);
  });
}

}  // namespace

class TestMovingPlaces : public QObject {
  Q_OBJECT
 private slots:
  void gridsThatMoveAreTold();
  void placesKeepTheirCells();
  void bodiesThatAreCrushed();
};

void TestMovingPlaces::gridsThatMoveAreTold() {
  MemoryAccount account(16 << 20);
  for (const bool moves : {false, true})
    for (const bool hasOwnX : {false, true}) {
      const auto data = openBoxes(reader(moves, hasOwnX), {8, false, "moving"}, {}, account);
      QCOMPARE(cellsMove(data->description()), moves && !hasOwnX);
      QVERIFY(!bodiesMove(data->description()));
    }
}

void TestMovingPlaces::placesKeepTheirCells() {
  MemoryAccount account(16 << 20);
  const auto data = openBoxes(reader(true, false), {8, false, "moving"}, {}, account);
  const Vec3 index{3.25, 4.5, 2.75};
  withPlaces(*data, account, "heat", [&](MovingPlaces& places) {
    for (const std::int64_t from : {0, 2, 1}) {
      const auto place = places.find(placeOf(index, static_cast<double>(from)), from);
      QVERIFY(place && !place->isOnFace);
      for (const std::int64_t step : {1, 0, 2}) {
        double heat = 0;
        QVERIFY(places.evaluate(*place, step, {&heat, 1}));
        QVERIFY(std::abs(heat - (index.x + 10 * index.y + 100 * static_cast<double>(step))) < 1e-9);
        QVERIFY(length(places.pointAt(*place, step) - placeOf(index, static_cast<double>(step))) < 1e-9);
      }
      // A step behind the last is the last.
      QVERIFY(length(places.pointAt(*place, 7) - placeOf(index, 2)) < 1e-9);
    }
    QVERIFY(!places.find(placeOf(index, 0), 1));
  });
}

/// What it finds at another step where the place has gone to is the place.
void TestMovingPlaces::bodiesThatAreCrushed() {
  NEEDS_DATA("data/unstructured/block_crush_1.ex2");
  MemoryAccount account(64 << 20);
  const auto data =
      exodus::ExodusDataReader().open({.sources = {dataPath("data/unstructured/block_crush_1.ex2").string()},
                                       .options = {{"shape", "displaced"}}},
                                      account);
  QVERIFY(bodiesMove(data->description()));
  const std::int64_t last = data->description().steps() - 1;
  withPlaces(*data, account, "displ_x", [&](MovingPlaces& places) {
    int found = 0;
    double farthest = 0;
    const Bounds& bounds = data->description().blocks.front().bounds;
    for (int n = 0; n < 125; ++n) {
      Vec3 point;
      for (int axis = 0, left = n; axis < 3; ++axis, left /= 5)
        point[axis] = bounds.min[axis] + (left % 5 + 0.53) / 5 * (bounds.max[axis] - bounds.min[axis]);
      const auto place = places.find(point, 0);
      if (!place || place->isOnFace) continue;
      ++found;
      QVERIFY(length(places.pointAt(*place, 0) - point) < 1e-9 * bounds.diagonal());
      const Vec3 moved = places.pointAt(*place, last);
      farthest = std::max(farthest, length(moved - point));
      // Nodes move by this vector, which is linear in a cell as they are.
      const auto again = places.find(moved, last);
      QVERIFY(again);
      double value = 0, same = 0;
      QVERIFY(places.evaluate(*place, last, {&value, 1}) && places.evaluate(*again, last, {&same, 1}));
      QVERIFY(std::abs(value - same) <= 1e-6 * std::max(1.0, std::abs(value)));
    }
    QVERIFY(found > 3);
    QVERIFY(farthest > 0.01 * bounds.diagonal());
  });
}

QTEST_APPLESS_MAIN(TestMovingPlaces)
#include "tst_moving_places.moc"
