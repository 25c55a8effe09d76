// Searching the cells of a curvilinear block: the scan of a group leaves out no cell that may hold the point,
// however its nodes are stored and cut into pages; and what a search finds is what looking at every cell in
// order finds, on a grid that is folded over itself, with points on nodes and faces, and blanked cells.

#include <QTest>

#include <cmath>
#include <random>

#include "core/fields/cells/trilinear.h"
#include "core/fields/data/box_data.h"
#include "core/fields/paged/group_scan.h"
#include "core/fields/paged/paged_data.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

constexpr Index3 kDims{21, 12, 19};

/// Whole numbers, so that every type holds them exactly. Block 0 goes out and back along i and is twisted;
/// block 1 lies partly in it.
Vec3 nodeAt(int block, const Index3& node) {
  const auto i = static_cast<double>(node[0]), j = static_cast<double>(node[1]),
             k = static_cast<double>(node[2]);
  const double along = node[0] <= 12 ? i : 24 - i + 0.4;
  return {std::round(100 * (along + 0.3 * std::sin(0.8 * j)) + 700 * block),
          std::round(90 * j + 20 * std::sin(0.5 * i + 0.2 * k)),
          std::round(110 * k + 15 * std::cos(0.9 * i))};
}
bool isBlanked(int block, const Index3& node) {
  return block == 0 && node[0] > 4 && node[0] < 7 && node[1] > 5;
}

std::shared_ptr<paging::ComputedReader> foldedReader(ScalarType type) {
  paging::DatasetDescription description;
  description.format = "folded";
  description.times = {0};
  for (int block = 0; block < 2; ++block) {
    paging::BlockDescription grid;
    grid.dims = kDims;
    grid.hasIblank = true;
    for (std::int64_t n = 0; n < product(kDims); ++n) grid.bounds.add(nodeAt(block, unlinear(n, kDims)));
    description.blocks.push_back(grid);
    const paging::PageLayout whole = paging::PageLayout::ofExtent(kDims, kDims);
    description.arrays.push_back({"xyz", block, whole, 1, 3, type, {}, paging::ArrayRole::Coordinates});
    description.arrays.push_back(
        {"iblank", block, whole, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
    description.arrays.push_back({"value", block, whole, 1, 1, ScalarType::F32, {}});
  }
  return nodewiseReader(description,
                        [type](std::uint32_t array, std::int64_t, const Index3& node, NodeValues& values) {
                          const int block = static_cast<int>(array / 3);
                          if (array % 3 == 1)
                            values.put(static_cast<std::int16_t>(isBlanked(block, node) ? 0 : 1));
                          if (array % 3 == 2) values.put(1.0F);
                          if (array % 3 > 0) return;
                          const Vec3 at = nodeAt(block, node);
                          for (int a = 0; a < 3; ++a) {
                            if (type == ScalarType::F64)
                              values.put(at[a]);
                            else
                              values.put(static_cast<float>(at[a]));
                          }
                        });
}

constexpr Index3 kCells{kDims[0] - 1, kDims[1] - 1, kDims[2] - 1};

struct Cell {
  TrilinearMap map;
  bool blank = false;
};
std::vector<Cell> allCells(int block) {
  std::vector<Cell> cells;
  for (std::int64_t n = 0; n < product(kCells); ++n) {
    const Index3 at = unlinear(n, kCells);
    CellCorners corners;
    bool blank = false;
    for (std::int64_t c = 0; c < 8; ++c) {
      const Index3 node{at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)};
      corners[static_cast<std::size_t>(c)] = nodeAt(block, node);
      blank = blank || isBlanked(block, node);
    }
    cells.push_back({TrilinearMap(corners), blank});
  }
  return cells;
}

/// Every cell that holds the point, in order.
std::vector<Location> hits(int block, const std::vector<Cell>& cells, Vec3 point) {
  std::vector<Location> found;
  for (std::size_t n = 0; n < cells.size(); ++n) {
    Vec3 xi{0.5, 0.5, 0.5};
    if (!cells[n].blank && cells[n].map.invert(point, xi) && insideCell(xi))
      found.push_back({block, static_cast<std::int64_t>(n), xi});
  }
  return found;
}

void withSampler(ScalarType type, int edge, std::uint64_t budgetBytes,
                 const std::function<void(Sampler&)>& work) {
  MemoryAccount account(budgetBytes);
  const auto data = openBoxes(foldedReader(type), {edge, false, "folded"}, {}, account);
  PagedDataOptions options;
  options.arrays = {"value"};
  PagedData paged(*data, account, options);
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    work(*paged.makeSampler(
        context, std::make_shared<FunctionPlan>(paged.description(), std::vector<std::string>{"value"})));
  });
}

/// The nodes of a group as an array of a number type.
template <class T>
std::vector<T> numbersOf(const std::vector<Vec3>& xyz) {
  std::vector<T> numbers;
  for (const Vec3& node : xyz)
    for (int a = 0; a < 3; ++a) numbers.push_back(static_cast<T>(node[a]));
  return numbers;
}

}  // namespace

class TestGroupSearch : public QObject {
  Q_OBJECT
 private slots:
  void scanKeepsTheCellsThatMayHoldThePoint_data();
  void scanKeepsTheCellsThatMayHoldThePoint();
  void nodesWithoutPlaceAreKept();
  void findsWhatLookingAtEveryCellFinds_data();
  void findsWhatLookingAtEveryCellFinds();
};

void TestGroupSearch::scanKeepsTheCellsThatMayHoldThePoint_data() {
  QTest::addColumn<int>("type");
  QTest::newRow("f64") << static_cast<int>(ScalarType::F64);
  QTest::newRow("f32") << static_cast<int>(ScalarType::F32);
}

void TestGroupSearch::scanKeepsTheCellsThatMayHoldThePoint() {
  QFETCH(int, type);
  const auto scalar = static_cast<ScalarType>(type);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1), jitter(-0.3, 0.3);
  std::int64_t kept = 0, held = 0;
  for (int n = 0; n < 400; ++n) {
    CellGroup group;
    for (std::int64_t& size : group.cells.size) size = 1 + static_cast<std::int64_t>(random() % 8);
    if (n % 2 == 0) group.cells.size = {8, 8, 8};
    const Index3 nodes{group.cells.size[0] + 1, group.cells.size[1] + 1, group.cells.size[2] + 1};
    const double scale = n % 3 == 0 ? 1e-3 : 1, shift = n % 2 == 0 ? 0 : -40;
    std::vector<Vec3> xyz;
    for (std::int64_t node = 0; node < product(nodes); ++node) {
      const Index3 at = unlinear(node, nodes);
      Vec3 point;
      for (int a = 0; a < 3; ++a) {
        point[a] = shift + scale * (static_cast<double>(at[a]) + jitter(random));
        if (scalar == ScalarType::F32) point[a] = static_cast<float>(point[a]);
      }
      xyz.push_back(point);
      group.bounds.add(point);
    }
    Vec3 point;
    for (int a = 0; a < 3; ++a)
      point[a] = shift + scale * static_cast<double>(group.cells.size[a]) * (1.2 * unit(random) - 0.1);
    if (n % 5 == 0) point = xyz[random() % xyz.size()];

    GroupScan scan(group, point);
    const std::vector<double> doubles = numbersOf<double>(xyz);
    const std::vector<float> floats = numbersOf<float>(xyz);
    const void* const data = scalar == ScalarType::F64 ? static_cast<const void*>(doubles.data())
                                                       : static_cast<const void*>(floats.data());
    // As pages would cut it, anywhere or nowhere.
    Index3 cut;
    for (int a = 0; a < 3; ++a)
      cut[a] = n % 4 == 0 ? nodes[a] : static_cast<std::int64_t>(random()) % (nodes[a] + 1);
    for (int piece = 0; piece < 8; ++piece) {
      IndexBox part;
      for (int a = 0; a < 3; ++a) {
        const bool upper = (piece >> a & 1) != 0;
        part.first[a] = upper ? cut[a] : 0;
        part.size[a] = upper ? nodes[a] - cut[a] : cut[a];
      }
      if (product(part.size) > 0)
        scan.add(part, data, scalar, 3 * linear(part.first, nodes), 3 * nodes[0], 3 * nodes[0] * nodes[1]);
    }
    for (std::int64_t k = 0; k < group.cells.size[2]; ++k) {
      auto rows = scan.layer(k);
      for (std::int64_t j = 0; j < kCellsPerGroup; ++j) {
        std::uint32_t cells = 0;
        for (GroupScan::Row row = rows[static_cast<std::size_t>(j)]; !row.empty(); row.dropFirst()) {
          cells |= std::uint32_t{1} << row.first();
          ++kept;
          QVERIFY(j < group.cells.size[1] && row.first() < group.cells.size[0]);
        }
        for (std::int64_t i = 0; i < group.cells.size[0] && j < group.cells.size[1]; ++i) {
          CellCorners corners;
          for (std::int64_t c = 0; c < 8; ++c)
            corners[static_cast<std::size_t>(c)] =
                xyz[static_cast<std::size_t>(linear({i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)}, nodes))];
          if (!TrilinearMap(corners).mayHold(point)) continue;
          ++held;
          QVERIFY((cells >> i & 1) != 0);
        }
      }
    }
  }
  QVERIFY(held > 100);
  // It is worth something only if it leaves out most.
  QVERIFY2(kept < 2 * held + 100, qPrintable(QString("%1 kept, %2 may hold").arg(kept).arg(held)));
}

/// A cell with a node that is not a number is left to who looks closely.
void TestGroupSearch::nodesWithoutPlaceAreKept() {
  CellGroup group{{{0, 0, 0}, {8, 1, 1}}, {{0, 0, 0}, {8, 1, 1}}};
  std::vector<double> numbers;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 9; ++i) numbers.insert(numbers.end(), {1.0 * i, 1.0 * j, 1.0 * k});
  for (std::size_t a = 0; a < 3; ++a) numbers[3 * 6 + a] = std::nan("");
  GroupScan scan(group, {1.5, 0.5, 0.5});
  scan.add({{0, 0, 0}, {9, 2, 2}}, numbers.data(), ScalarType::F64, 0, 27, 54);
  // Cells 5 and 6 have it, but their other nodes are all above.
  std::vector<std::int64_t> kept;
  for (GroupScan::Row row = scan.layer(0)[0]; !row.empty(); row.dropFirst()) kept.push_back(row.first());
  QCOMPARE(kept, (std::vector<std::int64_t>{1, 5, 6}));
}

void TestGroupSearch::findsWhatLookingAtEveryCellFinds_data() {
  QTest::addColumn<int>("type");
  QTest::addColumn<int>("edge");
  QTest::addColumn<int>("kilobytes");
  QTest::newRow("f32, pages of 8") << static_cast<int>(ScalarType::F32) << 8 << 8192;
  QTest::newRow("f64, pages of 8") << static_cast<int>(ScalarType::F64) << 8 << 8192;
  QTest::newRow("f64, pages of 5") << static_cast<int>(ScalarType::F64) << 5 << 8192;
  QTest::newRow("f32, one page at a time") << static_cast<int>(ScalarType::F32) << 8 << 400;
  QTest::newRow("f32, whole") << static_cast<int>(ScalarType::F32) << 32 << 16384;
}

void TestGroupSearch::findsWhatLookingAtEveryCellFinds() {
  QFETCH(int, type);
  QFETCH(int, edge);
  QFETCH(int, kilobytes);
  const std::vector<Cell> cells[2] = {allCells(0), allCells(1)};
  Bounds all;
  for (int block = 0; block < 2; ++block)
    for (std::int64_t n = 0; n < product(kDims); ++n) all.add(nodeAt(block, unlinear(n, kDims)));
  int inside = 0, ties = 0, outside = 0, second = 0;
  withSampler(static_cast<ScalarType>(type), edge, static_cast<std::uint64_t>(kilobytes) << 10,
              [&](Sampler& sampler) {
                std::mt19937 random(11);
                std::uniform_real_distribution<double> unit(-0.05, 1.05);
                for (int n = 0; n < 400; ++n) {
                  Vec3 point;
                  for (int a = 0; a < 3; ++a)
                    point[a] = all.min[a] + unit(random) * (all.max[a] - all.min[a]);
                  const auto node = [&] {
                    return unlinear(static_cast<std::int64_t>(random()) % product(kDims), kDims);
                  };
                  const int block = static_cast<int>(random() % 2);
                  if (n % 4 == 1) point = nodeAt(block, node());
                  if (n % 4 == 2) {
                    // The middle of a row between two nodes, or of a face.
                    Index3 from = node();
                    for (int a = 0; a < 3; ++a) from[a] = std::min(from[a], kCells[a] - 1);
                    const Index3 to{from[0] + 1, from[1] + (n % 8 == 2 ? 1 : 0), from[2]};
                    point = 0.5 * (nodeAt(block, from) + nodeAt(block, to));
                  }
                  std::vector<Location> expected = hits(0, cells[0], point);
                  const std::vector<Location> after = hits(1, cells[1], point);
                  expected.insert(expected.end(), after.begin(), after.end());
                  Location found;
                  QCOMPARE(sampler.locate(point, {}, found), !expected.empty());
                  if (expected.empty()) {
                    ++outside;
                    continue;
                  }
                  QCOMPARE(found.block, expected.front().block);
                  QCOMPARE(found.cell, expected.front().cell);
                  QVERIFY(found.xi == expected.front().xi);
                  ++inside;
                  ties += expected.size() > 1;
                  second += found.block == 1;
                }
              });
  QVERIFY2(inside > 150 && ties > 100 && outside > 20 && second > 20,
           qPrintable(QString("%1 %2 %3 %4").arg(inside).arg(ties).arg(outside).arg(second)));
}

QTEST_APPLESS_MAIN(TestGroupSearch)
#include "tst_group_search.moc"
