// Location pyramids against their definition, cell by cell.

#include <QTest>

#include <random>

#include "core/paging/location/coordinate_scan.h"
#include "core/paging/location/window_plan.h"
#include "core/paging/pages/component_reader.h"
#include "core/paging/pages/role_names.h"
#include "tests/unit/paging/ingest/formula_reader.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::paging::test;

namespace {

float down(double v) {
  const auto f = static_cast<float>(v);
  return f > v ? std::nextafter(f, -INFINITY) : f;
}
float up(double v) {
  const auto f = static_cast<float>(v);
  return f < v ? std::nextafter(f, INFINITY) : f;
}

/// A value as the file has it.
double stored(const FormulaReader& reader, ScalarType type, const char* name, const Index3& node, int c) {
  const double value = reader.value(name, 0, 0, node, c);
  return type == ScalarType::F32 ? static_cast<float>(value) : value;
}

/// Level 0 by the definition: cell after cell, node after node.
std::vector<CellBox> byDefinition(const FormulaReader& reader, const FormulaOptions& options) {
  const Index3 cells = cellDims(options.dims[0]);
  const Index3 entries = levelDims(cells, 0);
  std::vector<CellBox> boxes(static_cast<std::size_t>(product(entries)));
  for (std::int64_t n = 0; n < product(cells); ++n) {
    const Index3 cell = unlinear(n, cells);
    std::vector<Index3> nodes;
    bool blank = false;
    for (int corner = 0; corner < 8; ++corner) {
      nodes.push_back({cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2)});
      if (options.iblank && reader.value("iblank", 0, 0, nodes.back(), 0) == 0) blank = true;
    }
    if (blank) continue;
    CellBox& box = boxes[static_cast<std::size_t>(linear({cell[0] / 8, cell[1] / 8, cell[2] / 8}, entries))];
    for (const Index3& node : nodes) {
      Vec3 p;
      for (int c = 0; c < 3; ++c) p[c] = stored(reader, options.type, "xyz", node, c);
      if (!isFinite(p)) continue;
      for (int c = 0; c < 3; ++c) {
        box.min[c] = std::min(box.min[c], down(p[c]));
        box.max[c] = std::max(box.max[c], up(p[c]));
      }
    }
  }
  return boxes;
}

enum class Blanks {
  OfFormula,
  Few,        ///< here and there
  LastColumn  ///< the last node of each row
};

/// Gives components one at a time too.
class ComponentFormula final : public FormulaReader, public ComponentReader {
 public:
  ComponentFormula(const FormulaOptions& options, Blanks blanks) : FormulaReader(options), m_blanks(blanks) {}
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    FormulaReader::read(array, step, box, out);
    const std::string& name = description().arrays[array].name;
    if (name == "xyz") ++m_together;
    if (name != "iblank" || m_blanks == Blanks::OfFormula) return;
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      const Index3 in = unlinear(n, box.size);
      const std::int64_t sum =
          7 * (box.first[0] + in[0]) + 11 * (box.first[1] + in[1]) + box.first[2] + in[2];
      const bool isLast = box.first[0] + in[0] + 1 == description().arrays[array].layout.dims()[0];
      const bool isBlank = m_blanks == Blanks::Few ? sum % 499 == 64 : isLast;
      farfield::store(out.data() + 2 * n, static_cast<std::int16_t>(isBlank ? 0 : 1));
    }
  }
  void readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                     std::span<std::byte> out) const override {
    const ArrayDescription& a = description().arrays[array];
    std::vector<std::byte> all(static_cast<std::size_t>(product(box.size) * a.nodeBytes()));
    FormulaReader::read(array, step, box, all);
    const auto element = static_cast<std::size_t>(sizeOf(a.type)),
               node = static_cast<std::size_t>(a.nodeBytes());
    for (std::size_t n = 0; n * element < out.size(); ++n)
      std::copy_n(all.data() + n * node + static_cast<std::size_t>(component) * element, element,
                  out.data() + n * element);
  }
  /// Reads of all coordinates of a node together.
  int together() const { return m_together; }

 private:
  Blanks m_blanks;
  mutable std::atomic<int> m_together{0};
};

}  // namespace

class TestCellBoxes : public QObject {
  Q_OBJECT
 private slots:
  void levelsShrinkToOne();
  void pyramidIsByDefinition_data();
  void pyramidIsByDefinition();
  void scanGivesTheSame();
  void rowsWithBlanksAreReadTogether();
  void windowsInAnyOrderGiveTheSame();
  void hugeCoordinatesRoundOutward();
  void blocksWithoutCellsHaveNone();
  void planesHaveOneLayer();
  void windowsAreRunsOfWholeUnits();
  void budgetIsKept();

 private:
  tasks::LoopThreads m_threads{3};
};

void TestCellBoxes::levelsShrinkToOne() {
  QCOMPARE(levelCount({1, 1, 1}), 1);
  QCOMPARE(levelCount({8, 8, 8}), 1);
  QCOMPARE(levelCount({9, 1, 1}), 2);
  QCOMPARE(levelCount({32, 32, 32}), 2);
  QCOMPARE(levelCount({33, 1, 1}), 3);
  QCOMPARE(levelCount({0, 5, 5}), 0);
  QVERIFY((levelDims({39, 31, 31}, 0) == Index3{5, 4, 4}));
  QVERIFY((levelDims({39, 31, 31}, 1) == Index3{2, 1, 1}));
  QVERIFY((levelDims({39, 31, 31}, 2) == Index3{1, 1, 1}));
  QCOMPARE(pyramidEntries({39, 31, 31}), std::int64_t{80 + 2 + 1});
  QCOMPARE(boundsName(3), std::string("boxes3"));
}

void TestCellBoxes::pyramidIsByDefinition_data() {
  QTest::addColumn<bool>("doubles");
  QTest::addColumn<bool>("iblank");
  for (const bool doubles : {false, true})
    for (const bool iblank : {false, true})
      QTest::addRow("%s %s", doubles ? "f64" : "f32", iblank ? "iblank" : "plain") << doubles << iblank;
}

void TestCellBoxes::pyramidIsByDefinition() {
  QFETCH(bool, doubles);
  QFETCH(bool, iblank);
  for (const Index3& dims : {Index3{41, 26, 19}, Index3{2, 2, 2}, Index3{9, 10, 3}, Index3{150, 3, 2}}) {
    const FormulaOptions options{
        .dims = {dims}, .type = doubles ? ScalarType::F64 : ScalarType::F32, .iblank = iblank};
    const FormulaReader reader(options);
    MemoryAccount account(std::uint64_t{1} << 30);
    const BoxPyramid pyramid = buildBoxPyramid(reader, 0, 0, account, m_threads);
    QCOMPARE(static_cast<int>(pyramid.levels.size()), levelCount(cellDims(dims)));
    QVERIFY(pyramid.levels[0] == byDefinition(reader, options));
    QCOMPARE(pyramid.levels.back().size(), std::size_t{1});
    for (std::size_t level = 1; level < pyramid.levels.size(); ++level) {
      std::vector<CellBox> merged(pyramid.levels[level].size());
      for (std::int64_t n = 0; n < product(pyramid.dims[level - 1]); ++n) {
        const Index3 at = unlinear(n, pyramid.dims[level - 1]);
        merged[static_cast<std::size_t>(linear({at[0] / 4, at[1] / 4, at[2] / 4}, pyramid.dims[level]))]
            .merge(pyramid.levels[level - 1][static_cast<std::size_t>(n)]);
      }
      QVERIFY(merged == pyramid.levels[level]);
    }
    if (iblank && dims == Index3{41, 26, 19}) {
      const auto& level0 = pyramid.levels[0];
      QVERIFY(std::any_of(level0.begin(), level0.end(), [](const CellBox& box) { return !box.empty(); }));
    }
  }
}

void TestCellBoxes::scanGivesTheSame() {
  int alone = 0, anew = 0;
  for (const Index3& dims :
       {Index3{41, 26, 19}, Index3{2, 2, 2}, Index3{9, 10, 3}, Index3{150, 3, 2}, Index3{25, 17, 57},
        Index3{60, 33, 17}, Index3{19, 9, 1}, Index3{300, 17, 9}, Index3{5, 1, 4}})
    for (const ScalarType type : {ScalarType::F32, ScalarType::F64})
      for (const bool notFinite : {false, true})
        for (const int blanks : {0, 1, 2})  // none, few, many
          for (const std::uint64_t bytes : {std::uint64_t{1} << 30, std::uint64_t{5} << 20}) {
            const FormulaOptions options{
                .dims = {dims}, .type = type, .iblank = blanks > 0, .notFinite = notFinite};
            const ComponentFormula reader(options, blanks == 1 ? Blanks::Few : Blanks::OfFormula);
            MemoryAccount account(bytes);
            const CoordinateScan scan = scanCoordinates(reader, 0, 0, account, m_threads);
            if (reader.together() == 0) ++alone;
            if (blanks == 1 && !notFinite && product(dims) > 20'000 && reader.together() > 0) ++anew;
            MemoryAccount plenty(std::uint64_t{1} << 30);
            const BoxPyramid wanted = buildBoxPyramid(reader, 0, 0, plenty, m_threads);
            QVERIFY(scan.pyramid.levels == wanted.levels);
            QVERIFY(scan.pyramid.dims == wanted.dims);
            const Bounds bounds = nodeBounds(reader, 0, 0);
            QVERIFY(scan.bounds.min == bounds.min && scan.bounds.max == bounds.max);
            QVERIFY(account.peakBytes() <= bytes);
          }
  QVERIFY2(alone > 20 && anew >= 4, (std::to_string(alone) + " " + std::to_string(anew)).c_str());
}

/// Blocks that overlap have whole sides of blank nodes: groups of these are one read for each layer, not one for each row.
void TestCellBoxes::rowsWithBlanksAreReadTogether() {
  const FormulaOptions options{.dims = {{201, 65, 17}}, .iblank = true, .notFinite = false};
  const ComponentFormula reader(options, Blanks::LastColumn);
  MemoryAccount account(std::uint64_t{1} << 30);
  const CoordinateScan scan = scanCoordinates(reader, 0, 0, account, m_threads);
  QCOMPARE(reader.together(), 2);
  const BoxPyramid wanted = buildBoxPyramid(reader, 0, 0, account, m_threads);
  QVERIFY(scan.pyramid.levels == wanted.levels);
}

void TestCellBoxes::windowsInAnyOrderGiveTheSame() {
  const FormulaOptions options{.dims = {{45, 33, 29}}};
  const Index3 dims = options.dims[0];
  const FormulaReader reader(options);
  const std::vector<CellBox> wanted = byDefinition(reader, options);
  std::mt19937 random(11);
  for (int round = 0; round < 5; ++round) {
    // Windows that know nothing of groups of eight, shuffled, with their aprons.
    const PageLayout windows = PageLayout::ofExtent(
        dims,
        {5 + std::int64_t(random() % 40), 3 + std::int64_t(random() % 20), 4 + std::int64_t(random() % 20)});
    std::vector<std::int64_t> order(static_cast<std::size_t>(windows.pageCount()));
    for (std::size_t n = 0; n < order.size(); ++n) order[n] = static_cast<std::int64_t>(n);
    std::shuffle(order.begin(), order.end(), random);
    CellBoxBuilder builder(dims, {{0, 0, 0}, levelDims(cellDims(dims), 0)});
    CellBoxBuilder part(dims, {{1, 2, 0}, {3, 1, 2}});
    for (const std::int64_t w : order) {
      const IndexBox box = withApron(windows.box(w), dims);
      const auto count = static_cast<std::size_t>(product(box.size));
      std::vector<std::byte> nodes(count * 12);
      std::vector<std::int16_t> iblank(count);
      reader.read(0, 0, box, nodes);
      reader.read(1, 0, box, std::as_writable_bytes(std::span(iblank)));
      builder.add(box, nodes, ScalarType::F32, iblank, m_threads);
      part.add(box, nodes, ScalarType::F32, iblank, m_threads);
    }
    QVERIFY(std::equal(wanted.begin(), wanted.end(), builder.boxes().begin(), builder.boxes().end()));
    for (std::int64_t n = 0; n < 6; ++n) {
      const Index3 in = unlinear(n, {3, 1, 2});
      QVERIFY(part.boxes()[static_cast<std::size_t>(n)] ==
              wanted[static_cast<std::size_t>(
                  linear({1 + in[0], 2 + in[1], in[2]}, levelDims(cellDims(dims), 0)))]);
    }
    QVERIFY((part.nodes() == IndexBox{{8, 16, 0}, {25, 9, 17}}));
  }
}

void TestCellBoxes::hugeCoordinatesRoundOutward() {
  CellBoxBuilder builder({2, 2, 2}, {{0, 0, 0}, {1, 1, 1}});
  std::vector<double> xyz(24, 1e300);
  xyz[0] = 0.1;
  xyz[1] = -1e300;
  builder.add({{0, 0, 0}, {2, 2, 2}}, std::as_bytes(std::span(xyz)), ScalarType::F64, {}, m_threads);
  const CellBox& box = builder.boxes()[0];
  QVERIFY(static_cast<double>(box.min[0]) <= 0.1 && static_cast<double>(box.min[0]) > 0.0999999);
  QVERIFY(std::isinf(box.max[0]) && box.max[0] > 0);
  QVERIFY(std::isinf(box.min[1]) && box.min[1] < 0);
  QCOMPARE(box.min[2], std::numeric_limits<float>::max());
  QVERIFY(box.contains({1e299, 5, 1e300}));
}

void TestCellBoxes::blocksWithoutCellsHaveNone() {
  // A line and a point; a plane has one layer of them, along whichever axis.
  const FormulaReader reader({.dims = {{30, 1, 1}, {1, 1, 1}, {30, 1, 20}, {1, 30, 20}}});
  MemoryAccount account(1 << 20);
  for (int block = 0; block < 4; ++block)
    QCOMPARE(buildBoxPyramid(reader, block, 0, account, m_threads).levels.empty(), block < 2);
}

void TestCellBoxes::planesHaveOneLayer() {
  // 11 x 9 nodes in a plane, at (i, j, 5): groups of 8 x 8 and 2 x 8 cells. The cells at node (10, 8) are
  // blank.
  CellBoxBuilder builder({11, 9, 1}, {{0, 0, 0}, {2, 1, 1}});
  std::vector<float> xyz;
  std::vector<std::int16_t> iblank(99, 1);
  iblank.back() = 0;
  for (int n = 0; n < 99; ++n)
    for (const int value : {n % 11, n / 11, 5}) xyz.push_back(static_cast<float>(value));
  builder.add({{0, 0, 0}, {11, 9, 1}}, std::as_bytes(std::span(xyz)), ScalarType::F32, iblank, m_threads);
  QVERIFY((builder.boxes()[0] == CellBox{{0, 0, 5}, {8, 8, 5}}));
  QVERIFY((builder.boxes()[1] == CellBox{{8, 0, 5}, {10, 8, 5}}));
  iblank[87] = iblank[97] = 0;  // all cells of the last row but one are blank then
  CellBoxBuilder fewer({11, 9, 1}, {{1, 0, 0}, {1, 1, 1}});
  fewer.add({{0, 0, 0}, {11, 9, 1}}, std::as_bytes(std::span(xyz)), ScalarType::F32, iblank, m_threads);
  QVERIFY((fewer.boxes()[0] == CellBox{{8, 0, 5}, {10, 7, 5}}));
}

void TestCellBoxes::windowsAreRunsOfWholeUnits() {
  const Index3 dims{100, 50, 40}, unit{25, 17, 10};
  QVERIFY((windowExtent(dims, unit, 0) == unit));
  QVERIFY((windowExtent(dims, unit, 26 * 18 * 11 * 2) == Index3{50, 17, 10}));
  QVERIFY((windowExtent(dims, unit, 100 * 18 * 11) == Index3{100, 17, 10}));
  QVERIFY((windowExtent(dims, unit, 100 * 35 * 11) == Index3{100, 34, 10}));
  QVERIFY((windowExtent(dims, unit, 100 * 50 * 21) == Index3{100, 50, 20}));
  QVERIFY((windowExtent(dims, unit, 1 << 30) == dims));
  QVERIFY((withApron({{75, 17, 0}, {25, 17, 40}}, dims) == IndexBox{{75, 17, 0}, {25, 18, 40}}));
}

void TestCellBoxes::budgetIsKept() {
  const FormulaReader reader({.dims = {{60, 60, 60}}});
  MemoryAccount account(200'000);
  {
    const BoxPyramid pyramid = buildBoxPyramid(reader, 0, 0, account, m_threads);
    QVERIFY(account.peakBytes() <= 200'000);
    QCOMPARE(account.usedBytes(), pyramid.claim.bytes());
  }
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
  MemoryAccount tiny(10'000);
  QVERIFY_EXCEPTION_THROWN(buildBoxPyramid(reader, 0, 0, tiny, m_threads), OverBudget);
}

QTEST_APPLESS_MAIN(TestCellBoxes)
#include "tst_cell_boxes.moc"
