// Boxes of adaptive grids as blocks: every point is in one cell of the finest box that holds it, the cells fill the domain once,
// values are those of the cells at their centres and linear between them, over seams of boxes and of levels; whatever parts of
// an array are read, its values are the same. Boxes that are none, overlap or are too many are refused.

#include <QTest>

#include <cstring>
#include <random>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/amr/amr_dataset.h"
#include "tests/support/amr_sample.h"
#include "tests/support/error_words.h"
#include "tests/support/one_task.h"
#include "tests/support/random_box.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// A value per cell as `value(centre)`, in memory.
template <class Value>
arrays::ComputedArray cellsOf(const AmrSample& sample, std::size_t level, const IndexBox& cells,
                              ScalarType type, Value value) {
  return [=](std::int64_t, const IndexBox& box, int first, int count, std::span<std::byte> out) {
    std::byte* to = out.data();
    for (std::int64_t k = 0; k < box.size[2]; ++k)
      for (std::int64_t j = 0; j < box.size[1]; ++j)
        for (std::int64_t i = 0; i < box.size[0]; ++i)
          for (int c = first; c < first + count; ++c, to += sizeOf(type)) {
            const Index3 cell{cells.first[0] + box.first[0] + i, cells.first[1] + box.first[1] + j,
                              cells.first[2] + box.first[2] + k};
            const double its = value(sample.centre(level, cell), level, c);
            if (type == ScalarType::F64) store(to, its);
            if (type == ScalarType::I32) store(to, static_cast<std::int32_t>(its));
          }
  };
}

amr::AmrInput inputOf(const AmrSample& sample) {
  amr::AmrInput input;
  input.format = "test";
  input.origin = sample.origin;
  input.spacing = sample.spacing;
  amr::Variable linear{"linear", 1, arrays::NumberType::F64, {}},
      vector{"vector", 5, arrays::NumberType::F64, {}}, level{"level", 1, arrays::NumberType::I32, {}};
  for (std::size_t n = 0; n < sample.levels.size(); ++n) {
    input.levels.push_back({sample.levels[n], {2, 2, 2}});
    for (const IndexBox& box : sample.levels[n]) {
      linear.boxes.emplace_back(cellsOf(sample, n, box, ScalarType::F64,
                                        [](Vec3 at, std::size_t, int) { return AmrSample::linear(at); }));
      vector.boxes.emplace_back(cellsOf(sample, n, box, ScalarType::F64, [](Vec3 at, std::size_t, int c) {
        return c * AmrSample::linear(at);
      }));
      level.boxes.emplace_back(cellsOf(sample, n, box, ScalarType::I32, [](Vec3, std::size_t of, int) {
        return 100.0 + static_cast<double>(of);
      }));
    }
  }
  input.variables = {linear, vector, level};
  return input;
}

/// All of an array of a block, as numbers.
std::vector<double> allOf(const arrays::ArrayReader& reader, int block, const std::string& name) {
  const int number = reader.description().find(block, name);
  if (number < 0) return {};
  const auto& array = reader.description().arrays[static_cast<std::size_t>(number)];
  std::vector<std::byte> bytes(static_cast<std::size_t>(product(array.layout.dims()) * array.nodeBytes()));
  reader.read(static_cast<std::uint32_t>(number), 0, {{0, 0, 0}, array.layout.dims()}, bytes);
  std::vector<double> numbers(static_cast<std::size_t>(product(array.layout.dims()) * array.components));
  toDouble(bytes.data(), array.type, 0, static_cast<std::int64_t>(numbers.size()), numbers.data());
  return numbers;
}

class Opened {
 public:
  explicit Opened(amr::AmrInput input) {
    amr::AmrData data = amr::datasetOf(std::move(input), m_account);
    m_reader = std::make_unique<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                     std::move(data.claims));
  }
  const arrays::ArrayReader& reader() const { return *m_reader; }
  const paging::DatasetDescription& description() const { return m_reader->description(); }
  const std::vector<paging::BlockDescription>& blocks() const { return description().blocks; }

  /// Calls `visit(block, cell, corners of the cell in space)` for each cell that is not blank.
  template <class Visit>
  void forEachCell(Visit visit) const {
    for (int b = 0; b < static_cast<int>(blocks().size()); ++b) {
      const auto& block = blocks()[static_cast<std::size_t>(b)];
      const std::vector<double> iblank = allOf(*m_reader, b, "iblank");
      Index3 at;
      for (at[2] = 0; at[2] + 1 < block.dims[2]; ++at[2])
        for (at[1] = 0; at[1] + 1 < block.dims[1]; ++at[1])
          for (at[0] = 0; at[0] + 1 < block.dims[0]; ++at[0]) {
            bool blank = false;
            for (int corner = 0; corner < 8 && !iblank.empty(); ++corner) {
              Index3 node = at;
              for (std::size_t a = 0; a < 3; ++a) node[a] += corner >> a & 1;
              blank = blank || iblank[static_cast<std::size_t>(linear(node, block.dims))] == 0;
            }
            if (blank) continue;
            Bounds box;
            for (int a = 0; a < 3; ++a) {
              const auto& axis = (*block.axes)[static_cast<std::size_t>(a)];
              box.min[a] = axis[static_cast<std::size_t>(at[static_cast<std::size_t>(a)])];
              box.max[a] = axis[static_cast<std::size_t>(at[static_cast<std::size_t>(a)] + 1)];
            }
            visit(b, at, box);
          }
    }
  }

 private:
  MemoryAccount m_account{std::uint64_t{64} << 20};
  std::unique_ptr<arrays::ArrayReader> m_reader;
};

std::string refusal(std::vector<std::vector<IndexBox>> levels, Index3 ratio = {2, 2, 2}) {
  amr::AmrInput input;
  for (auto& boxes : levels) input.levels.push_back({std::move(boxes), ratio});
  MemoryAccount account(std::uint64_t{64} << 20);
  return errorOf<Error>([&] { amr::datasetOf(std::move(input), account); });
}

}  // namespace

class TestAmrBoxes : public QObject {
  Q_OBJECT
 private slots:
  void cellsFillTheDomainOnce();
  void pointsAreInTheFinestBox();
  void centresHaveTheirValue();
  void linearStaysLinear();
  void derivativesAreExactAtTheBorder();
  void wholeNumbersAreNotMixed();
  void anyPartIsThatOfTheWhole();
  void nodesOfComponentsLeaveNoGap();
  void thinAxes();
  void endsWithinCellsAreSaid();
  void attributesAreRead();
  void whatIsNoGridIsRefused();
  void manyBoxesTakeLittle();
};

void TestAmrBoxes::cellsFillTheDomainOnce() {
  const AmrSample sample;
  const Opened data(inputOf(sample));
  QCOMPARE(data.blocks().size(), std::size_t{7});
  // the arrays of a block stand together, as functions are looked for
  QVERIFY(std::is_sorted(data.description().arrays.begin(), data.description().arrays.end(),
                         [](const auto& a, const auto& b) { return a.block < b.block; }));
  double volume = 0;
  std::vector<double> ofLevel(3, 0.0);
  const auto levels = paging::amrOf(data.description());
  QVERIFY(levels && levels->onCells);
  data.forEachCell([&](int block, const Index3&, const Bounds& box) {
    const Vec3 size = box.max - box.min;
    ofLevel[static_cast<std::size_t>(levels->levelOf(block))] += size.x * size.y * size.z;
    volume += size.x * size.y * size.z;
  });
  QVERIFY(std::abs(volume / sample.volume() - 1) < 1e-12);
  // what is seen of each level: its cells without those that finer ones cover
  const double cell = sample.spacing.x * sample.spacing.y * sample.spacing.z;
  QVERIFY(std::abs(ofLevel[2] / (cell / 64 * 6 * 8 * 8) - 1) < 1e-12);
  QVERIFY(std::abs(ofLevel[1] / (cell / 8 * (2 * 8 * 4 * 8 + 2 * 4 * 4 + 64 - 3 * 4 * 4)) - 1) < 1e-12);
}

void TestAmrBoxes::pointsAreInTheFinestBox() {
  const AmrSample sample;
  const Opened data(inputOf(sample));
  const auto levels = paging::amrOf(data.description());
  std::mt19937 random(7);
  std::vector<Vec3> points;
  std::vector<int> holders(500, -1), cells(500, 0);
  const Vec3 size = sample.end() - sample.origin;
  for (std::size_t n = 0; n < holders.size(); ++n) {
    const auto part = [&] { return static_cast<double>(random()) / 4294967296.0; };
    points.push_back({sample.origin.x + part() * size.x, sample.origin.y + part() * size.y,
                      sample.origin.z + part() * size.z});
  }
  data.forEachCell([&](int block, const Index3&, const Bounds& box) {
    for (std::size_t n = 0; n < points.size(); ++n)
      if (box.contains(points[n])) {
        holders[n] = block;
        ++cells[n];
      }
  });
  for (std::size_t n = 0; n < points.size(); ++n) {
    QCOMPARE(cells[n], 1);
    const auto [level, box] = sample.holder(points[n]);
    std::size_t number = box;
    for (std::size_t l = 0; l < level; ++l) number += sample.levels[l].size();
    QCOMPARE(holders[n], static_cast<int>(number));
    QCOMPARE(levels->levelOf(holders[n]), static_cast<int>(level));
    // where the point is in the box's own cells
    const paging::AmrCell cell = paging::amrCellAt(data.blocks()[number], points[n]);
    const IndexBox& own = sample.levels[level][box];
    Index3 at;
    for (std::size_t a = 0; a < 3; ++a) at[a] = own.first[a] + cell.at[a];
    QVERIFY(own.contains(at));
    QVERIFY(length(cell.centre - sample.centre(level, at)) < 1e-12);
  }
}

void TestAmrBoxes::centresHaveTheirValue() {
  const AmrSample sample;
  const Opened data(inputOf(sample));
  int number = 0, seen = 0;
  for (std::size_t level = 0; level < sample.levels.size(); ++level)
    for (const IndexBox& box : sample.levels[level]) {
      const auto& block = data.blocks()[static_cast<std::size_t>(number)];
      const std::vector<double> values = allOf(data.reader(), number, "linear"),
                                vectors = allOf(data.reader(), number, "vector");
      for (std::int64_t n = 0; n < product(box.size); ++n) {
        Index3 cell = unlinear(n, box.size), node;
        Vec3 centre;
        for (std::size_t a = 0; a < 3; ++a) cell[a] += box.first[a];
        centre = sample.centre(level, cell);
        for (int a = 0; a < 3; ++a) {
          const auto& axis = (*block.axes)[static_cast<std::size_t>(a)];
          const auto near = std::min_element(axis.begin(), axis.end(), [&](double x, double y) {
            return std::abs(x - centre[a]) < std::abs(y - centre[a]);
          });
          QVERIFY(std::abs(*near - centre[a]) < 1e-12);
          node[static_cast<std::size_t>(a)] = near - axis.begin();
        }
        const auto at = static_cast<std::size_t>(linear(node, block.dims));
        QCOMPARE(values[at], AmrSample::linear(centre));  // exactly
        for (std::size_t c = 0; c < 5; ++c)
          QCOMPARE(vectors[5 * at + c], static_cast<double>(c) * AmrSample::linear(centre));
        ++seen;
      }
      ++number;
    }
  QVERIFY(seen > 1000);
}

void TestAmrBoxes::linearStaysLinear() {
  const AmrSample sample;
  const Opened data(inputOf(sample));
  int checked = 0;
  for (int b = 0; b < static_cast<int>(data.blocks().size()); ++b) {
    const auto& block = data.blocks()[static_cast<std::size_t>(b)];
    const std::vector<double> values = allOf(data.reader(), b, "linear");
    for (std::int64_t n = 0; n < product(block.dims); ++n) {
      const Index3 node = unlinear(n, block.dims);
      Vec3 at;
      bool inside = true;
      for (int a = 0; a < 3; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        at[a] = (*block.axes)[axis][static_cast<std::size_t>(node[axis])];
        // beside the domain's own border there is nothing to be linear to
        const double margin = 0.75 * sample.spacing[a];
        inside = inside && at[a] > sample.origin[a] + margin && at[a] < sample.end()[a] - margin;
      }
      if (!inside) continue;
      const double wanted = AmrSample::linear(at);
      QVERIFY2(std::abs(values[static_cast<std::size_t>(n)] - wanted) < 1e-12,
               qPrintable(QString("block %1 node %2: %3, not %4")
                              .arg(b)
                              .arg(n)
                              .arg(values[static_cast<std::size_t>(n)])
                              .arg(wanted)));
      ++checked;
    }
  }
  QVERIFY(checked > 2000);
}

/// A node at the border of the data has the value of the cell beside it, and the derivatives of its centre.
void TestAmrBoxes::derivativesAreExactAtTheBorder() {
  AmrSample sample;
  // of two boxes beside each other: between them, and at the border around both
  sample.levels.resize(1);
  amr::AmrInput input = inputOf(sample);
  input.variables.resize(1);
  input.variables[0].name = "pressure";
  MemoryAccount account(std::uint64_t{64} << 20);
  amr::AmrData made = amr::datasetOf(std::move(input), account);
  const auto data =
      fields::openBoxes(std::make_shared<arrays::ArrayReader>(std::move(made.description),
                                                              std::move(made.places), std::move(made.claims)),
                        {4, false, "test"}, {}, account);
  fields::PagedDataOptions options;
  options.arrays = {"pressure"};
  fields::PagedData paged(*data, account, options);
  const fields::FunctionPlan functions(paged.description(), {"pressure-gradient"});
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    for (int b = 0; b < 2; ++b) {
      const auto& block = paged.description().blocks[static_cast<std::size_t>(b)];
      paging::Cursor cursor(paged.cache(), context, paged.plan().mode);
      const fields::BlockSlots bound = paged.bind(cursor, b, functions);
      std::vector<double> found(static_cast<std::size_t>(3 * product(block.dims)));
      fields::BoxFunctions(functions).compute(cursor, bound, block, {{0, 0, 0}, block.dims}, found);
      for (std::size_t n = 0; n < found.size(); n += 3)
        QVERIFY2(length(Vec3{found[n], found[n + 1], found[n + 2]} - Vec3{2, -3, 0.5}) < 1e-9,
                 qPrintable(QString("block %1 node %2").arg(b).arg(n / 3)));
    }
  });
}

void TestAmrBoxes::wholeNumbersAreNotMixed() {
  const AmrSample sample;
  const Opened data(inputOf(sample));
  const auto levels = paging::amrOf(data.description());
  for (int b = 0; b < static_cast<int>(data.blocks().size()); ++b)
    for (const double value : allOf(data.reader(), b, "level")) QCOMPARE(value, 100.0 + levels->levelOf(b));
}

void TestAmrBoxes::anyPartIsThatOfTheWhole() {
  const AmrSample sample;
  const Opened data(inputOf(sample));
  std::mt19937 random(3);
  for (std::uint32_t a = 0; a < data.description().arrays.size(); ++a) {
    const auto& array = data.description().arrays[a];
    const Index3 dims = array.layout.dims();
    std::vector<std::byte> whole(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
    data.reader().read(a, 0, {{0, 0, 0}, dims}, whole);
    for (int n = 0; n < 8; ++n) {
      const IndexBox box = randomBox(random, dims);
      std::vector<std::byte> part(static_cast<std::size_t>(product(box.size) * array.nodeBytes()));
      data.reader().read(a, 0, box, part);
      const auto row = static_cast<std::size_t>(box.size[0] * array.nodeBytes());
      for (std::int64_t r = 0; r < box.size[1] * box.size[2]; ++r) {
        const Index3 from{box.first[0], box.first[1] + r % box.size[1], box.first[2] + r / box.size[1]};
        QVERIFY(std::memcmp(part.data() + static_cast<std::size_t>(r) * row,
                            whole.data() + linear(from, dims) * array.nodeBytes(), row) == 0);
      }
    }
  }
}

void TestAmrBoxes::nodesOfComponentsLeaveNoGap() {
  // 8 x 8 x 4 nodes, divided so that edges of components meet the faces of others
  amr::AmrInput input;
  input.onCells = false;
  input.levels = {{{{{0, 0, 0}, {3, 5, 4}},
                    {{3, 0, 0}, {5, 3, 4}},
                    {{3, 3, 0}, {5, 5, 2}},
                    {{3, 3, 2}, {5, 5, 2}},
                    {{0, 5, 0}, {3, 3, 4}}},
                   {2, 2, 2}}};
  const Opened data(std::move(input));
  std::int64_t cells = 0;
  for (int b = 0; b < 5; ++b) {
    const auto& block = data.blocks()[static_cast<std::size_t>(b)];
    const std::vector<double> iblank = allOf(data.reader(), b, "iblank");
    for (std::int64_t n = 0; n < product(block.cellDims()); ++n) {
      const Index3 cell = unlinear(n, block.cellDims());
      bool blank = false;
      for (int corner = 0; corner < 8 && !iblank.empty(); ++corner) {
        Index3 node = cell;
        for (std::size_t a = 0; a < 3; ++a) node[a] += corner >> a & 1;
        blank = blank || iblank[static_cast<std::size_t>(linear(node, block.dims))] == 0;
      }
      cells += blank ? 0 : 1;
    }
  }
  QCOMPARE(cells, std::int64_t{7 * 7 * 3});
}

void TestAmrBoxes::thinAxes() {
  amr::AmrInput input;
  input.levels = {{{{{0, 0, 0}, {4, 4, 1}}}, {2, 2, 1}}, {{{{2, 2, 0}, {4, 4, 1}}}, {2, 2, 1}}};
  input.flat = true;
  const Opened plane(std::move(input));
  QCOMPARE(plane.blocks()[0].dims, (Index3{8, 8, 1}));  // four centres, two ends, two planes
  QCOMPARE(plane.blocks()[1].dims, (Index3{6, 6, 1}));
  QCOMPARE(paging::amrCells(plane.blocks()[0]), std::int64_t{16});
  const std::vector<double> iblank = allOf(plane.reader(), 0, "iblank");
  QCOMPARE(std::count(iblank.begin(), iblank.end(), 0.0), std::ptrdiff_t{4});
}

void TestAmrBoxes::endsWithinCellsAreSaid() {
  amr::AmrInput input;
  input.levels = {{{{{0, 0, 0}, {4, 4, 4}}}, {2, 2, 2}}, {{{{2, 2, 2}, {3, 4, 4}}}, {2, 2, 2}}};
  MemoryAccount account(std::uint64_t{64} << 20);
  const amr::AmrData data = amr::datasetOf(std::move(input), account);
  QVERIFY(std::any_of(data.explain.begin(), data.explain.end(),
                      [](const std::string& line) { return line.find("end within") != std::string::npos; }));
}

void TestAmrBoxes::attributesAreRead() {
  paging::DatasetDescription data;
  data.blocks.resize(6);
  QVERIFY(!paging::amrOf(data) && !paging::isAmr(data));
  paging::sayAmr(data, {true, {1, 0, 5}, {2, 4}});
  auto levels = paging::amrOf(data);
  QVERIFY(levels.has_value());
  QCOMPARE(levels->levelOf(0), 0);
  QCOMPARE(levels->levelOf(1), 2);
  QCOMPARE(levels->levelOf(5), 2);
  for (const char* const wrong :
       {"1 0 4", "1 0 5 ", "", "-1 2 5", "1 5", "1 0 99999999999999999999", "1,0,5", "6 0 0 0"}) {
    data.attributes["amr.boxes"] = wrong;
    QVERIFY2(!paging::amrOf(data), wrong);
  }
  data.attributes["amr.boxes"] = "1 0 5";
  data.attributes["amr"] = "elsewhere";
  QVERIFY(!paging::amrOf(data));
}

void TestAmrBoxes::whatIsNoGridIsRefused() {
  const IndexBox one{{0, 0, 0}, {4, 4, 4}};
  QVERIFY(refusal({{one}}).empty());
  QVERIFY(refusal({}).find("levels") != std::string::npos);
  QVERIFY(refusal({{}}).find("no boxes") != std::string::npos);
  QVERIFY(refusal({{one, {{3, 3, 3}, {2, 2, 2}}}}).find("overlaps") != std::string::npos);
  QVERIFY(refusal({{{{0, 0, 0}, {0, 4, 4}}}}).find("empty") != std::string::npos);
  QVERIFY(refusal({{{{INT64_MAX - 2, 0, 0}, {4, 4, 4}}}}).find("far") != std::string::npos);
  QVERIFY(refusal({{{{0, 0, 0}, {INT64_MAX, 1, 1}}}}).find("far") != std::string::npos);
  QVERIFY(refusal({{one}, {one}}, {0, 2, 2}).find("ratio") != std::string::npos);
  QVERIFY(refusal({{one}, {one}}, {1 << 20, 2, 2}).find("ratio") != std::string::npos);
  // axes longer than the budget are not made
  QVERIFY(refusal({{{{0, 0, 0}, {std::int64_t{1} << 30, 1, 1}}}}).find("memory") != std::string::npos);
}

void TestAmrBoxes::manyBoxesTakeLittle() {
  amr::AmrInput input;
  input.levels = {{{{{0, 0, 0}, {64, 64, 64}}}, {4, 4, 4}}, {{}, {2, 2, 2}}};
  for (std::int64_t n = 0; n < 16 * 16 * 16; ++n) {
    const Index3 at = unlinear(n, {16, 16, 16});
    input.levels[1].boxes.push_back({{8 * at[0] + 64, 8 * at[1] + 64, 8 * at[2] + 64}, {8, 8, 8}});
  }
  const Opened data(std::move(input));
  QCOMPARE(data.blocks().size(), std::size_t{4097});
  // 32 of 64 cells are covered along each axis, and boxes beside each other are no ends
  QCOMPARE(data.blocks()[0].dims, (Index3{68, 68, 68}));
}

QTEST_GUILESS_MAIN(TestAmrBoxes)
#include "tst_amr_boxes.moc"
