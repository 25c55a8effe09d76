// Levels of detail: where their nodes lie, what a store keeps of them, and that they change nothing else.

#include <QTest>

#include <fstream>
#include <functional>
#include <iterator>

#include "core/base/error.h"
#include "core/paging/ingest/converter.h"
#include "core/paging/location/box_pyramid.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/pages/role_names.h"
#include "core/paging/writing/store_writer.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/paging/ingest/convert_in.h"
#include "tests/unit/paging/ingest/formula_reader.h"
#include "tests/unit/paging/ingest/open_store.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::paging::test;
using farfield::test::TemporaryFolder;

namespace {

FormulaOptions mixed() {
  return {.dims = {{70, 41, 33}, {9, 8, 50}, {2, 2, 2}, {20, 1, 7}}, .steps = 2, .moving = true};
}

/// Every 2^level-th node of a FormulaReader, and the last, said in the plainest way.
class EveryNth : public BoxReader {
 public:
  EveryNth(const FormulaReader& fine, int level)
      : m_fine(fine), m_step(std::int64_t{1} << level), m_description(fine.description()) {
    for (BlockDescription& block : m_description.blocks)
      for (std::int64_t& dim : block.dims) dim = (dim - 1 + m_step - 1) / m_step + 1;
    for (ArrayDescription& array : m_description.arrays) {
      const Index3& dims = m_description.blocks[static_cast<std::size_t>(array.block)].dims;
      array.layout = PageLayout::ofExtent(dims, dims);
    }
  }
  const DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    const ArrayDescription& fine = m_fine.description().arrays[array];
    const auto nodeBytes = static_cast<std::size_t>(fine.nodeBytes());
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      Index3 node = unlinear(n, box.size);
      for (std::size_t a = 0; a < 3; ++a)
        node[a] = std::min((box.first[a] + node[a]) * m_step, fine.layout.dims()[a] - 1);
      m_fine.read(array, step, {node, {1, 1, 1}},
                  out.subspan(static_cast<std::size_t>(n) * nodeBytes, nodeBytes));
    }
  }

 private:
  const FormulaReader& m_fine;
  std::int64_t m_step;
  DatasetDescription m_description;
};

/// A regular block with arrays "f" (f64 x 2, linear in space), "n" (u16) and "iblank".
class RegularReader : public BoxReader {
 public:
  explicit RegularReader(const Index3& dims) {
    m_description.format = "formula";
    m_description.times = {0};
    m_description.blocks.push_back(
        {dims, GridKind::Regular, {-1, 2, 0.5}, {0.25, 0.5, 1.5}, {{-1, 2, 0.5}, {9, 9, 9}}, true});
    const PageLayout whole = PageLayout::ofExtent(dims, dims);
    m_description.arrays.push_back({"f", 0, whole, 1, 2, ScalarType::F64, {}});
    m_description.arrays.push_back({"n", 0, whole, 1, 1, ScalarType::U16, {}});
    m_description.arrays.push_back({"iblank", 0, whole, 1, 1, ScalarType::I16, {}, ArrayRole::Blanking});
  }
  static double linear(Vec3 p, int component) {
    return component == 0 ? 1 + 2 * p.x - 3 * p.y + 0.5 * p.z : -p.x + p.y + p.z;
  }
  static std::uint16_t label(const Index3& n) {
    return static_cast<std::uint16_t>(n[0] + 40 * n[1] + 1600 * n[2]);
  }
  static std::int16_t blank(const Index3& n) { return n[0] == 7 && n[1] > 3 ? 0 : 2; }
  Vec3 place(const Index3& n) const {
    const BlockDescription& block = m_description.blocks[0];
    return {block.origin.x + block.spacing.x * double(n[0]), block.origin.y + block.spacing.y * double(n[1]),
            block.origin.z + block.spacing.z * double(n[2])};
  }

  const DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t array, std::int64_t, const IndexBox& box, std::span<std::byte> out) const override {
    std::byte* to = out.data();
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      Index3 node = unlinear(n, box.size);
      for (std::size_t a = 0; a < 3; ++a) {
        node[a] += box.first[a];
        if (node[a] >= m_description.blocks[0].dims[a]) throw Invalid("there is no such node");
      }
      if (array == 0)
        for (int c = 0; c < 2; ++c, to += 8) store(to, linear(place(node), c));
      if (array == 1) store(to, label(node)), to += 2;
      if (array == 2) store(to, blank(node)), to += 2;
    }
  }

 private:
  DatasetDescription m_description;
};

}  // namespace

class TestCoarseLevels : public QObject {
  Q_OBJECT
 private slots:
  void names();
  void nodesKeepBothEnds();
  void howManyThereAre();
  void curvilinearLevelsAreNodesOfTheData_data();
  void curvilinearLevelsAreNodesOfTheData();
  void theirLocationBoxesAreTheirOwn();
  void regularLevelsAreInterpolated_data();
  void regularLevelsAreInterpolated();
  void levelZeroIsAsWithout();
  void memoryAndProcessorsChangeNoByte();
  void interruptedGoesOn();
  void wrongLevelsAreRefused();
};

void TestCoarseLevels::names() {
  QCOMPARE(coarseName(2, "q"), std::string("level2.q"));
  const auto coarse = coarseNameFrom("level12.boxes0");
  QVERIFY(coarse && coarse->level == 12 && coarse->name == "boxes0");
  for (const char* other : {"q", "level.q", "level1", "level1.", "level01.q", "level0.q", "level-1.q",
                            "level16.q", "level99999999999.q", "levels1.q", "level1q", "level+1.q"})
    QVERIFY2(!coarseNameFrom(other), other);
}

void TestCoarseLevels::nodesKeepBothEnds() {
  QVERIFY(coarseDims({37, 2, 1}, 1) == (Index3{19, 2, 1}));
  QVERIFY(coarseDims({38, 3, 1}, 1) == (Index3{20, 2, 1}));
  QVERIFY(coarseDims({37, 38, 1000}, 3) == (Index3{6, 6, 126}));
  QVERIFY(coarseDims({37, 38, 1000}, 15) == (Index3{2, 2, 2}));
  for (const std::int64_t dims : {1, 2, 3, 9, 10, 64, 1000})
    for (int level = 1; level < 6; ++level)
      for (const GridKind kind : {GridKind::Regular, GridKind::Curvilinear}) {
        const std::int64_t count = coarseDims({dims, 1, 1}, level)[0];
        QCOMPARE(fineNode(0, dims, level, kind).below, 0);
        QCOMPARE(fineNode(count - 1, dims, level, kind).below, dims - 1);
        QCOMPARE(fineNode(count - 1, dims, level, kind).beyond, 0.0);
        for (std::int64_t n = 1; n < count; ++n) {
          const FineNode before = fineNode(n - 1, dims, level, kind), node = fineNode(n, dims, level, kind);
          QVERIFY(node.below > before.below && node.beyond >= 0 && node.beyond < 1);
          const double apart = double(node.below - before.below) + node.beyond - before.beyond;
          if (kind == GridKind::Regular)
            QVERIFY(std::abs(apart * double(count - 1) / double(dims - 1) - 1) < 1e-12);
          else
            QVERIFY(apart == double(1 << level) || n == count - 1);
        }
      }
  // As many as there can be along one axis.
  for (const std::int64_t dims : {std::int64_t{6'200'000'002}, std::int64_t{1} << 52}) {
    const std::int64_t count = coarseDims({dims, 1, 1}, 1)[0];
    const FineNode node = fineNode(count - 2, dims, 1, GridKind::Regular);
    QVERIFY(node.below == dims - 3 || node.below == dims - 2);
    QVERIFY(node.beyond >= 0 && node.beyond < 1);
  }
}

void TestCoarseLevels::howManyThereAre() {
  DatasetDescription data;
  data.blocks.emplace_back().dims = {2, 3, 9};
  QCOMPARE(levelsOf(data, 1), 1);
  QCOMPARE(levelsOf(data, 3), 3);
  QCOMPARE(levelsOf(data, 16), 4);  // 9, 5, 3, 2
  QCOMPARE(levelsOf(data, 0), 1);   // is small as it is
  data.blocks.emplace_back().dims = {129, 129, 129};
  QCOMPARE(levelsOf(data, 0), 3);  // 65^3 and the small block are more than 64^3
  QCOMPARE(levelsOf(data, 16), 8);
}

void TestCoarseLevels::curvilinearLevelsAreNodesOfTheData_data() {
  QTest::addColumn<bool>("doubles");
  QTest::addColumn<bool>("split");
  QTest::newRow("f32") << false << false;
  QTest::newRow("f64") << true << false;
  QTest::newRow("split") << false << true;
}

void TestCoarseLevels::curvilinearLevelsAreNodesOfTheData() {
  QFETCH(bool, doubles);
  QFETCH(bool, split);
  FormulaOptions formula = mixed();
  formula.type = doubles ? ScalarType::F64 : ScalarType::F32;
  const FormulaReader reader(formula);
  TemporaryFolder folder;
  convertIn(kPlenty, reader, folder / "out", {.pageEdge = 8, .split = split, .levels = 3, .processors = 2});
  for (int level = 0; level < 3; ++level) {
    const OpenStore store(folder / "out", level);
    QCOMPARE(store.file->levels(), 3);
    QCOMPARE(levelsSaid(store.data()), 3);
    const EveryNth wanted(reader, level);
    for (std::size_t b = 0; b < formula.dims.size(); ++b)
      QVERIFY(store.data().blocks[b].dims == wanted.description().blocks[b].dims);
    for (std::size_t a = 0; a < wanted.description().arrays.size(); ++a) {
      const ArrayDescription& array = wanted.description().arrays[a];
      const bool parts = split && array.name == "q";
      const std::size_t nodes = static_cast<std::size_t>(product(array.layout.dims()));
      const std::size_t nodeBytes = static_cast<std::size_t>(array.nodeBytes());
      for (std::int64_t step = 0; step < array.steps; ++step) {
        std::vector<std::byte> all(nodes * nodeBytes);
        wanted.read(static_cast<std::uint32_t>(a), step, {{0, 0, 0}, array.layout.dims()}, all);
        for (int c = 0; c < (parts ? array.components : 1); ++c) {
          const int number = store.data().find(
              array.block, parts ? array.componentNames[static_cast<std::size_t>(c)] : array.name);
          QVERIFY2(number >= 0, array.name.c_str());
          const std::size_t bytes = parts ? nodeBytes / 5 : nodeBytes;
          std::vector<std::byte> part(nodes * bytes);
          for (std::size_t n = 0; n < nodes; ++n)
            std::memcpy(&part[n * bytes], &all[n * nodeBytes + static_cast<std::size_t>(c) * bytes], bytes);
          QVERIFY2(store.nodes(number, step) == part, array.name.c_str());
        }
      }
    }
  }
}

void TestCoarseLevels::theirLocationBoxesAreTheirOwn() {
  const FormulaReader reader(mixed());
  TemporaryFolder folder;
  convertIn(kPlenty, reader, folder / "out", {.pageEdge = 8, .levels = 3});
  MemoryAccount account(kPlenty);
  tasks::LoopThreads threads(2);
  for (int level = 1; level < 3; ++level) {
    const OpenStore store(folder / "out", level);
    const EveryNth coarse(reader, level);
    for (int block = 0; block < 3; ++block)
      for (std::int64_t step = 0; step < 2; ++step) {
        const BoxPyramid pyramid = buildBoxPyramid(coarse, block, step, account, threads);
        QVERIFY(!pyramid.levels.empty());
        for (std::size_t n = 0; n < pyramid.levels.size(); ++n) {
          const int number = store.data().find(block, boundsName(static_cast<int>(n)));
          QVERIFY(number >= 0);
          const auto wanted = std::as_bytes(std::span(pyramid.levels[n]));
          const std::vector<std::byte> got = store.nodes(number, step);
          QVERIFY(std::equal(got.begin(), got.end(), wanted.begin(), wanted.end()));
        }
      }
  }
}

void TestCoarseLevels::regularLevelsAreInterpolated_data() {
  QTest::addColumn<qint64>("i");
  QTest::addColumn<qint64>("j");
  QTest::addColumn<qint64>("k");
  QTest::newRow("divisible") << qint64{33} << qint64{17} << qint64{9};
  QTest::newRow("not divisible") << qint64{38} << qint64{20} << qint64{12};
  QTest::newRow("a plane") << qint64{38} << qint64{1} << qint64{11};
  // A row is made in several pieces.
  QTest::newRow("long") << qint64{9000} << qint64{3} << qint64{2};
}

void TestCoarseLevels::regularLevelsAreInterpolated() {
  QFETCH(qint64, i);
  QFETCH(qint64, j);
  QFETCH(qint64, k);
  const Index3 dims{i, j, k};
  const RegularReader reader(dims);
  TemporaryFolder folder;
  convertIn(kPlenty, reader, folder / "out", {.pageEdge = 16, .levels = 3});
  for (int level = 1; level < 3; ++level) {
    const OpenStore store(folder / "out", level);
    const BlockDescription& block = store.data().blocks[0];
    const auto f = store.nodes(store.data().find(0, "f"), 0),
               labels = store.nodes(store.data().find(0, "n"), 0),
               blanks = store.nodes(store.data().find(0, "iblank"), 0);
    QCOMPARE(f.size(), static_cast<std::size_t>(product(block.dims)) * 16);
    for (std::int64_t n = 0; n < product(block.dims); ++n) {
      const Index3 node = unlinear(n, block.dims);
      const Vec3 p{block.origin.x + block.spacing.x * double(node[0]),
                   block.origin.y + block.spacing.y * double(node[1]),
                   block.origin.z + block.spacing.z * double(node[2])};
      const auto at = static_cast<std::size_t>(n);
      for (int c = 0; c < 2; ++c) {
        const double got = load<double>(&f[at * 16 + static_cast<std::size_t>(c) * 8]);
        QVERIFY(std::abs(got - RegularReader::linear(p, c)) < 1e-11 * (1 + length(p)));
      }
      Index3 below, near;
      Index3 around{1, 1, 1};
      for (std::size_t a = 0; a < 3; ++a) {
        const double exact =
            dims[a] == 1 ? 0 : double(node[a]) * double(dims[a] - 1) / double(block.dims[a] - 1);
        below[a] = static_cast<std::int64_t>(exact + 1e-9);
        near[a] = static_cast<std::int64_t>(exact + 0.5 + 1e-9);
        if (exact - double(below[a]) > 1e-9) around[a] = 2;
      }
      QCOMPARE(load<std::uint16_t>(&labels[at * 2]), RegularReader::label(near));
      bool blank = false;
      for (std::int64_t m = 0; m < product(around); ++m) {
        const Index3 more = unlinear(m, around);
        blank |= RegularReader::blank({below[0] + more[0], below[1] + more[1], below[2] + more[2]}) == 0;
      }
      QCOMPARE(load<std::int16_t>(&blanks[at * 2]), std::int16_t(blank ? 0 : 2));
      // A node of the data is taken over as it is.
      if (product(around) == 1)
        QCOMPARE(load<double>(&f[at * 16]), RegularReader::linear(reader.place(below), 0));
    }
  }
}

void TestCoarseLevels::levelZeroIsAsWithout() {
  const FormulaReader reader(mixed());
  TemporaryFolder folder;
  const ConvertResult less = convertIn(kPlenty, reader, folder / "without", {.pageEdge = 8});
  const ConvertResult more = convertIn(kPlenty, reader, folder / "with", {.pageEdge = 8, .levels = 4});
  QVERIFY(more.pages > less.pages && more.storedBytes > less.storedBytes);
  const OpenStore without(folder / "without"), with(folder / "with");
  QCOMPARE(without.file->levels(), 1);
  QCOMPARE(levelsSaid(without.data()), 1);
  QCOMPARE(with.data().arrays.size(), without.data().arrays.size());
  for (int a = 0; a < static_cast<int>(without.data().arrays.size()); ++a) {
    QCOMPARE(with.array(a).name, without.array(a).name);
    QVERIFY(with.array(a).layout == without.array(a).layout);
    for (std::int64_t step = 0; step < with.array(a).steps; ++step)
      QVERIFY(with.nodes(a, step) == without.nodes(a, step));
  }
  QVERIFY(with.data().blocks[0].bounds.max == without.data().blocks[0].bounds.max);
}

void TestCoarseLevels::memoryAndProcessorsChangeNoByte() {
  const FormulaReader reader(mixed());
  TemporaryFolder folder;
  ConvertOptions options{.pageEdge = 8, .codec = Codec::Lz4, .levels = 3};
  convertIn(kPlenty, reader, folder / "first", options);
  const std::string wanted = fileContents(folder / "first");
  std::uint64_t smallest = 0;
  for (std::uint64_t budget = 64 << 10; smallest == 0; budget += 64 << 10) try {
      convertIn(budget, reader, folder / "smallest", options);
      smallest = budget;
    } catch (const OverBudget&) {
    }
  QVERIFY(fileContents(folder / "smallest") == wanted);
  options.overwrite = true;
  for (const std::uint64_t budget : {smallest, smallest * 3, kPlenty})
    for (const int processors : {1, 3}) {
      options.processors = processors;
      convertIn(budget, reader, folder / "again", options);
      QVERIFY2(fileContents(folder / "again") == wanted, std::to_string(budget).c_str());
    }
}

void TestCoarseLevels::interruptedGoesOn() {
  const FormulaReader reader(mixed());
  TemporaryFolder folder;
  ConvertOptions options{.pageEdge = 8, .codec = Codec::Lz4, .levels = 3, .processors = 2};
  convertIn(kPlenty, reader, folder / "whole", options);
  const std::string wanted = fileContents(folder / "whole");
  options.resume = true;
  int stops = 0;
  for (std::uint64_t pages = 0;; pages += 90) {
    std::stop_source stop;
    options.stop = stop.get_token();
    options.progress = [&](std::uint64_t done, std::uint64_t) {
      if (done > pages + 90) stop.request_stop();
    };
    try {
      convertIn(5'000'000, reader, folder / "out", options);
      break;
    } catch (const Cancelled&) {
      ++stops;
      // With other levels it would be another store.
      ConvertOptions other = options;
      other.stop = {};
      other.levels = 2;
      QVERIFY_EXCEPTION_THROWN(convertIn(kPlenty, reader, folder / "out", other), Invalid);
    }
  }
  QVERIFY(stops > 2);
  QVERIFY(fileContents(folder / "out") == wanted);
}

void TestCoarseLevels::wrongLevelsAreRefused() {
  const FormulaReader reader({.dims = {{9, 9, 9}}});
  TemporaryFolder folder;
  convertIn(kPlenty, reader, folder / "out", {.pageEdge = 8, .levels = 2});
  MemoryAccount account(kPlenty);
  for (const int level : {-1, 2, 100})
    QVERIFY_EXCEPTION_THROWN(StoreFile::open(folder / "out", account, {.level = level}), Invalid);
  QCOMPARE(account.usedBytes(), 0u);
}

QTEST_GUILESS_MAIN(TestCoarseLevels)
#include "tst_coarse_levels.moc"
