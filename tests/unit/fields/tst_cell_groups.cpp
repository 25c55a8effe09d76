// Groups of cells: together they are every cell of the data once, each with the nodes that it has, whatever
// kind of grid it is in; parts of groups, and what is gathered around them. And what a hexahedron says of its
// faces.

#include <QTest>

#include <cmath>
#include <map>

#include "core/fields/cells/cell_flow.h"
#include "core/fields/data/box_data.h"
#include "core/fields/groups/cell_groups.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

/// A block with more than a task along i, a regular one, and one of a plane, which has no volume.
constexpr Index3 kDims[] = {{36, 11, 19}, {9, 8, 34}, {12, 12, 1}};

Vec3 pointOf(int block, const Index3& node) {
  const Vec3 at = toVec3(node);
  return block == 0 ? Vec3{at.x + 0.1 * at.y, at.y, at.z - 0.2 * at.x} : Vec3{100 + at.x, at.y, at.z};
}
bool blanked(const Index3& node) {
  return node[0] == 5 && node[1] % 2 == 1;
}

std::shared_ptr<paging::ComputedReader> reader() {
  paging::DatasetDescription description;
  description.times = {0};
  for (int block = 0; block < 3; ++block) {
    paging::BlockDescription grid;
    grid.dims = kDims[block];
    grid.kind = block == 1 ? paging::GridKind::Regular : paging::GridKind::Curvilinear;
    grid.origin = {100, 0, 0};
    grid.hasIblank = block == 0;
    for (std::int64_t n = 0; n < product(grid.dims); ++n)
      grid.bounds.add(pointOf(block, unlinear(n, grid.dims)));
    description.blocks.push_back(grid);
    const paging::PageLayout whole = paging::PageLayout::ofExtent(grid.dims, grid.dims);
    description.arrays.push_back({"index", block, whole, 1, 3, ScalarType::F64, {}});
    if (block != 1)
      description.arrays.push_back(
          {"xyz", block, whole, 1, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
    if (block == 0)
      description.arrays.push_back(
          {"iblank", block, whole, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
  }
  return nodewiseReader(
      description, [description](std::uint32_t array, std::int64_t, const Index3& node, NodeValues& values) {
        const paging::ArrayDescription& of = description.arrays[array];
        if (of.name == "xyz") values.put(pointOf(of.block, node));
        if (of.name == "index") values.put(toVec3(node));
        if (of.name == "iblank") values.put(static_cast<std::int16_t>(blanked(node) ? 0 : 1));
      });
}

using Work = std::function<void(PagedData&, tasks::TaskContext&, const FunctionPlan&)>;
void asTask(const Work& work) {
  MemoryAccount account(16 << 20);
  const auto data = openBoxes(reader(), {8, false, "groups"}, {}, account);
  const FunctionPlan plan(data->description(), {"index"});
  PagedDataOptions options;
  options.arrays = plan.arrays();
  PagedData paged(*data, account, options);
  test::runOneTask(paged, [&](tasks::TaskContext& context) { work(paged, context, plan); });
}

Vec3 indexAt(const GroupReader& reader, std::size_t node) {
  const double* const values = reader.values(node);
  return {values[0], values[1], values[2]};
}

}  // namespace

class TestCellGroups : public QObject {
  Q_OBJECT
 private slots:
  void everyCellOnce();
  void groupsByBounds();
  void partsOfAGroup();
  void facesOfAHexahedron();
};

void TestCellGroups::everyCellOnce() {
  asTask([](PagedData& data, tasks::TaskContext& context, const FunctionPlan& plan) {
    const CellTasks tasks(data.description());
    QCOMPARE(tasks.count(), std::size_t{2 + 2});
    std::map<std::pair<int, std::array<std::int64_t, 3>>, int> seen;
    for (std::size_t task = 0; task < tasks.count(); ++task) {
      const int block = tasks.blockOf(task);
      GroupReader reader(block, data, context, plan, 0);
      const auto groups = tasks.groups(task, data, context, 0, [](const Bounds&) { return true; });
      QVERIFY(!groups.empty() && groups.size() <= static_cast<std::size_t>(CellTasks::kMostGroups));
      for (const CellGroup& group : groups) {
        reader.open(group);
        QVERIFY(reader.nodeCount() <= GroupReader::kMostNodes);
        reader.gatherValues(reader.whole());
        reader.forEachCell(reader.whole(), [&](const GroupCell& cell) {
          const Vec3 low = indexAt(reader, cell.nodes[0]);
          Index3 at;
          for (int a = 0; a < 3; ++a) at[static_cast<std::size_t>(a)] = std::lround(low[a]);
          ++seen[{block, at}];
          for (std::int64_t c = 0; c < 8; ++c) {
            const Index3 node{at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)};
            const std::size_t number = cell.nodes[static_cast<std::size_t>(c)];
            QCOMPARE(indexAt(reader, number), toVec3(node));
            QCOMPARE(reader.point(number), pointOf(block, node));
          }
        });
      }
    }
    QCOMPARE(seen.size(), static_cast<std::size_t>(35 * 10 * 18 + 8 * 7 * 33));
    for (const auto& [cell, times] : seen) QCOMPARE(times, 1);
  });
}

void TestCellGroups::groupsByBounds() {
  asTask([](PagedData& data, tasks::TaskContext& context, const FunctionPlan&) {
    const CellTasks tasks(data.description());
    for (const Vec3 point : {Vec3{20.3, 4.4, 8.1}, Vec3{104.5, 3.3, 20.2}}) {
      std::size_t groups = 0;
      for (std::size_t task = 0; task < tasks.count(); ++task)
        for (const CellGroup& group : tasks.groups(
                 task, data, context, 0, [&](const Bounds& bounds) { return bounds.contains(point); })) {
          QVERIFY(group.bounds.contains(point));
          ++groups;
        }
      QVERIFY(groups >= 1 && groups <= 4);
    }
  });
}

void TestCellGroups::partsOfAGroup() {
  asTask([](PagedData& data, tasks::TaskContext& context, const FunctionPlan& plan) {
    const CellTasks tasks(data.description());
    GroupReader reader(0, data, context, plan, 0);
    reader.open(tasks.groups(0, data, context, 0, [](const Bounds&) { return true; }).front());
    const auto countOf = [&](const CellPart& part) {
      int cells = 0;
      reader.forEachCell(part, [&](const GroupCell&) { ++cells; });
      return cells;
    };
    QCOMPARE(countOf(reader.whole()), 512);
    const auto halves = reader.halves(reader.whole());
    QCOMPARE(countOf(halves[0]) + countOf(halves[1]), 512);
    QVERIFY(!reader.around(reader.whole(), [](const GroupCell&) { return false; }));
    // The cells at two points of the group: the least part around them.
    reader.gatherValues(reader.whole());
    const auto part = reader.around(reader.whole(), [&](const GroupCell& cell) {
      const Vec3 low = indexAt(reader, cell.nodes[0]);
      return low == Vec3{4, 1, 2} || low == Vec3{6, 5, 2};
    });
    QCOMPARE(countOf(*part), 3 * 5);
    QVERIFY(reader.hasBlanks());
    std::vector<Vec3> blanks;
    reader.findBlanks(*part, [&](std::size_t node) { blanks.push_back(indexAt(reader, node)); });
    const std::vector<Vec3> expected{{5, 1, 2}, {5, 3, 2}, {5, 5, 2}, {5, 1, 3}, {5, 3, 3}, {5, 5, 3}};
    QVERIFY(blanks == expected);
  });
}

void TestCellGroups::facesOfAHexahedron() {
  const Vec3 middle{0.25, 0.5, 0.75};
  for (int face = 0; face < 6; ++face) {
    const int n = face / 2;
    const double end = face % 2;
    const Vec3 on = Hexahedron::onFace(middle, face);
    QCOMPARE(Hexahedron::measure(n, on), end);
    Vec3 outwards{0, 0, 0};
    outwards[n] = end == 1 ? 2 : -2;
    QCOMPARE(Hexahedron::faceAhead(on, outwards), face);
    QCOMPARE(Hexahedron::faceAhead(on, -outwards), kNoFace);
    QCOMPARE(Hexahedron::faceAhead(middle, outwards), kNoFace);
    QCOMPARE(Hexahedron::straightTime(middle, outwards), std::abs(end - middle[n]) / 2);
    QCOMPARE(Hexahedron::outsideBy(on + 0.1 * outwards), 0.2);
    QCOMPARE(Hexahedron::clamped(on + outwards), on);
  }
  QVERIFY(std::isinf(Hexahedron::straightTime(middle, {0, 0, 0})));
  QCOMPARE(Hexahedron::outsideBy(middle), -0.25);
}

QTEST_APPLESS_MAIN(TestCellGroups)
#include "tst_cell_groups.moc"
