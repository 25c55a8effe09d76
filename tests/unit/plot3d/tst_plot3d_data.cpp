// Real PLOT3D files against independently computed bounds and ranges.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <fstream>

#include "core/base/error.h"
#include "core/fields/functions/open_data.h"
#include "plugins/plot3d/meta_file.h"
#include "plugins/plot3d/plot3d_reader.h"
#include "plugins/plot3d/variable_names.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/unit/plot3d/box_checks.h"

using namespace farfield;
using namespace farfield::plot3d;
using namespace farfield::plot3d::test;
using farfield::test::contains;

namespace {

/// Reference answers; literal NaN and Infinity, which JSON does not know, are read as null.
QJsonObject reference(const std::string& name) {
  QFile file(QString::fromStdString(farfield::test::dataPath("refs/" + name + ".stats.json").string()));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(
             file.readAll().replace("NaN", "null").replace("-Infinity", "null").replace("Infinity", "null"))
      .object();
}

struct Range {
  double min = 0, max = 0;
};

std::vector<Range> ranges(const Plot3dReader& reader, int block, const char* name, std::int64_t step) {
  const int number = reader.description().find(block, name);
  const auto& array = reader.description().arrays[static_cast<std::size_t>(number)];
  const Index3 dims = array.layout.dims();
  std::vector<std::byte> nodes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
  reader.read(static_cast<std::uint32_t>(number), step, {{0, 0, 0}, dims}, nodes);
  std::vector<Range> result(static_cast<std::size_t>(array.components));
  for (std::int64_t n = 0; n < product(dims); ++n)
    for (int c = 0; c < array.components; ++c) {
      const double value = valueAt(nodes.data(), array.type, n * array.components + c);
      Range& range = result[static_cast<std::size_t>(c)];
      if (n == 0) range = {value, value};
      range.min = std::min(range.min, value);
      range.max = std::max(range.max, value);
    }
  return result;
}

/// The references print float32 results with the digits of a double.
bool same(double got, const QJsonValue& wanted, ScalarType type) {
  return type == ScalarType::F32 ? static_cast<float>(got) == static_cast<float>(wanted.toDouble())
                                 : got == wanted.toDouble();
}

std::filesystem::path plot3dPath(const std::string& name) {
  return farfield::test::dataPath("data/plot3d/" + name);
}

}  // namespace

class TestPlot3dData : public QObject {
  Q_OBJECT
 private slots:
  void rangesAreTheReferences_data();
  void rangesAreTheReferences();
  void seriesTimes();
  void otherKindsHaveTheSameNumbers();
  void planesHaveNoThirdComponent();
  void metaFilesNameTheRest();
  void namesOfFunctionsDiffer();
};

void TestPlot3dData::rangesAreTheReferences_data() {
  QTest::addColumn<QString>("grid");
  QTest::addColumn<QString>("solution");
  QTest::addColumn<QString>("stats");
  QTest::addColumn<QString>("format");
  QTest::newRow("bluntfin") << "bluntfinxyz.bin"
                            << "bluntfinq.bin"
                            << "bluntfin"
                            << "big-endian, no markers, single grid, f32, no iblank";
  QTest::newRow("comb") << "combxyz.bin"
                        << "combq.bin"
                        << "comb"
                        << "big-endian, no markers, single grid, f32, no iblank";
  QTest::newRow("multi-bin") << "multi-bin.xyz"
                             << "multi-bin.q"
                             << "multi-bin"
                             << "little-endian, 4-byte markers, multi grid, f64, no iblank";
  QTest::newRow("multi-bin-C") << "multi-bin-C.xyz"
                               << "multi-bin-C.q"
                               << "multi-bin"
                               << "little-endian, no markers, multi grid, f64, no iblank";
  QTest::newRow("8 blocks") << "bluntfin_8blk_le_f8_mk_ib.xyz"
                            << "bluntfin_8blk_le_f8_mk_ib.q"
                            << "bluntfin_8blk"
                            << "little-endian, 4-byte markers, multi grid, f64, iblank";
  QTest::newRow("overlap") << "bluntfin_8blk_overlap_be_f4_mk.xyz"
                           << "bluntfin_8blk_overlap_be_f4_mk.q"
                           << "bluntfin_8blk_overlap"
                           << "big-endian, 4-byte markers, multi grid, f32, no iblank";
  QTest::newRow("cylinder 0") << "cylinder_series/grid3d_le_f4_ib.xyz"
                              << "cylinder_series/q3d_000.q"
                              << "cylinder_000"
                              << "little-endian, no markers, multi grid, f32, iblank";
  QTest::newRow("cylinder 10") << "cylinder_series/grid3d_le_f4_ib.xyz"
                               << "cylinder_series/q3d_010.q"
                               << "cylinder_010"
                               << "little-endian, no markers, multi grid, f32, iblank";
}

void TestPlot3dData::rangesAreTheReferences() {
  QFETCH(QString, grid);
  QFETCH(QString, solution);
  QFETCH(QString, stats);
  QFETCH(QString, format);
  NEEDS_DATA("data/plot3d/" + grid.toStdString());
  NEEDS_DATA("refs/" + stats.toStdString() + ".stats.json");
  Plot3dReader reader({{plot3dPath(grid.toStdString())}, {plot3dPath(solution.toStdString())}});
  QCOMPARE(QString::fromStdString(describe(reader.gridLayout().format, Content::Grid)), format);
  const QJsonArray blocks = reference(stats.toStdString())["blocks"].toArray();
  QCOMPARE(reader.description().blocks.size(), static_cast<std::size_t>(blocks.size()));
  QVERIFY(!blocks.empty());
  for (int b = 0; b < blocks.size(); ++b) {
    const auto& block = reader.description().blocks[static_cast<std::size_t>(b)];
    const Bounds found = boundsOf(reader, b);
    const QJsonObject wanted = blocks[b].toObject();
    const QJsonArray dims = wanted["dims"].toArray(), bounds = wanted["bounds"].toArray();
    for (int a = 0; a < 3; ++a) {
      QCOMPARE(static_cast<double>(block.dims[a]), dims[a].toDouble());
      QVERIFY(same(found.min[a], bounds[2 * a], reader.gridLayout().format.precision));
      QVERIFY(same(found.max[a], bounds[2 * a + 1], reader.gridLayout().format.precision));
    }
    const auto q = ranges(reader, b, "q", 0);
    const ScalarType type = reader.solutionLayout()->format.precision;
    const QJsonObject arrays = wanted["arrays"].toObject();
    const QJsonObject density = arrays["Density"].toObject(), momentum = arrays["Momentum"].toObject(),
                      energy = arrays["StagnationEnergy"].toObject();
    QVERIFY(same(q[0].min, density["min"], type) && same(q[0].max, density["max"], type));
    QVERIFY(same(q[4].min, energy["min"], type) && same(q[4].max, energy["max"], type));
    for (int c = 0; c < 3; ++c) {
      QVERIFY(same(q[static_cast<std::size_t>(c) + 1].min, momentum["comp_min"].toArray()[c], type));
      QVERIFY(same(q[static_cast<std::size_t>(c) + 1].max, momentum["comp_max"].toArray()[c], type));
    }
    QCOMPARE(block.hasIblank, arrays.contains("IBlank"));
    if (!block.hasIblank) continue;
    const auto iblank = ranges(reader, b, "iblank", 0);
    QCOMPARE(iblank[0].min, arrays["IBlank"].toObject()["min"].toDouble());
    QCOMPARE(iblank[0].max, arrays["IBlank"].toObject()["max"].toDouble());
  }
}

void TestPlot3dData::seriesTimes() {
  NEEDS_DATA("data/plot3d/cylinder_series/q3d_019.q");
  Plot3dFiles files{{plot3dPath("cylinder_series/grid3d_le_f4_ib.xyz")}, {}};
  for (int s = 0; s < 20; ++s)
    files.solutions.push_back(
        plot3dPath(QString("cylinder_series/q3d_%1.q").arg(s, 3, 10, QChar('0')).toStdString()));
  const Plot3dReader reader(files);
  QCOMPARE(reader.description().steps(), std::int64_t{20});
  QCOMPARE(reader.description().times[0], 423.20001220703125);
  QCOMPARE(reader.description().times[19], 484.0);
  QCOMPARE(reader.description().attributes.at("mach.7"), std::string("0.20000000298023224"));
}

/// Largest difference between two readers' values of a component, over all blocks.
double difference(const Plot3dReader& one, const Plot3dReader& other, const char* array, int component,
                  const char* otherArray, int otherComponent) {
  double worst = 0;
  for (int block = 0; block < static_cast<int>(one.description().blocks.size()); ++block) {
    const auto values = [&](const Plot3dReader& reader, const char* name, int c) {
      const int number = reader.description().find(block, name);
      const paging::ArrayDescription& its = reader.description().arrays[static_cast<std::size_t>(number)];
      const IndexBox box{{0, 0, 0}, its.layout.dims()};
      const auto nodes = static_cast<std::size_t>(product(box.size));
      std::vector<std::byte> bytes(nodes * static_cast<std::size_t>(sizeOf(its.type)));
      reader.readComponent(static_cast<std::uint32_t>(number), 0, c, box, bytes);
      std::vector<double> all(nodes);
      toDouble(bytes.data(), its.type, 0, nodes, all.data());
      return all;
    };
    const auto a = values(one, array, component), b = values(other, otherArray, otherComponent);
    if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < a.size(); ++n) worst = std::max(worst, std::abs(a[n] - b[n]));
  }
  return worst;
}

void TestPlot3dData::otherKindsHaveTheSameNumbers() {
  NEEDS_DATA("data/plot3d/multi-bin.xyz");
  const auto read = [](const char* grid, const char* solution) {
    return std::make_unique<Plot3dReader>(Plot3dFiles{{plot3dPath(grid)}, {plot3dPath(solution)}});
  };
  const auto binary = read("multi-bin.xyz", "multi-bin.q");
  const auto text = read("multi-ascii.xyz", "multi-ascii.q");
  const auto overflow = read("multi-bin.xyz", "multi-bin-oflow.q");
  const auto functions = read("multi-bin.xyz", "multi-bin.f");
  for (int c = 0; c < 3; ++c) QVERIFY(difference(*binary, *text, "xyz", c, "xyz", c) < 1e-5);
  for (int c = 0; c < 5; ++c) {
    QVERIFY(difference(*binary, *text, "q", c, "q", c) < 1e-5);
    QCOMPARE(difference(*binary, *overflow, "q", c, "q", c), 0.0);
  }
  QCOMPARE(text->description().attributes.at("mach.0"), std::string("2.95"));
  // Its gamma is 0, which no gas has.
  QCOMPARE(overflow->description().attributes.at("gamma"), std::string("1.4"));
  QCOMPARE(overflow->description().attributes.at("time.0"), std::string("1.3911000490188599"));
  // The function file holds density and energy.
  QCOMPARE(difference(*binary, *functions, "q", 0, "functions", 0), 0.0);
  QCOMPARE(difference(*binary, *functions, "q", 4, "functions", 1), 0.0);
  const Plot3dReader both(
      {{plot3dPath("multi-bin.xyz")}, {plot3dPath("multi-bin.q"), plot3dPath("multi-bin.f")}});
  QCOMPARE(both.description().steps(), std::int64_t{1});
  QVERIFY(both.description().find(1, "q") >= 0 && both.description().find(1, "functions") >= 0);
}

void TestPlot3dData::planesHaveNoThirdComponent() {
  NEEDS_DATA("data/plot3d/cylinder_series/grid2d.xyz");
  const Plot3dReader flat(
      {{plot3dPath("cylinder_series/grid2d.xyz")}, {plot3dPath("cylinder_series/q2d_003.q")}});
  QCOMPARE(flat.description().blocks[0].dims, (Index3{129, 81, 1}));
  for (const auto& [array, missing] : {std::pair{"xyz", 2}, {"q", 3}}) {
    const int number = flat.description().find(0, array);
    const paging::ArrayDescription& its = flat.description().arrays[static_cast<std::size_t>(number)];
    const IndexBox box{{7, 3, 0}, {50, 20, 1}};
    std::vector<std::byte> together(static_cast<std::size_t>(product(box.size) * its.nodeBytes()));
    flat.read(static_cast<std::uint32_t>(number), 0, box, together);
    for (int c = 0; c < its.components; ++c) {
      std::vector<std::byte> alone(static_cast<std::size_t>(product(box.size)) * 4);
      flat.readComponent(static_cast<std::uint32_t>(number), 0, c, box, alone);
      for (std::size_t n = 0; n < alone.size() / 4; ++n)
        QVERIFY(std::memcmp(alone.data() + 4 * n,
                            together.data() + 4 * (n * static_cast<std::size_t>(its.components) +
                                                   static_cast<std::size_t>(c)),
                            4) == 0);
      const bool zero =
          std::all_of(alone.begin(), alone.end(), [](std::byte b) { return b == std::byte{0}; });
      QCOMPARE(zero, c == missing);
    }
  }
}

void TestPlot3dData::metaFilesNameTheRest() {
  NEEDS_DATA("data/plot3d/multi.p3d");
  const auto read = [](const std::filesystem::path& path) {
    return readMetaFile(path.string(), paging::ByteStores(), [&](const std::string& named) {
      return fields::namedFile({}, path.string(), named);
    });
  };
  const MetaFile meta = read(plot3dPath("multi.p3d"));
  QCOMPARE(meta.files.grids.size(), std::size_t{1});
  QCOMPARE(meta.files.solutions.size(), std::size_t{2});
  QVERIFY(meta.options.empty());
  const Plot3dReader reader(meta.files, meta.options);
  QVERIFY(reader.description().find(0, "functions") >= 0);

  farfield::test::TemporaryFolder folder;
  const auto wordsOf = [&](const char* text) {
    std::ofstream(folder / "a.p3d") << text;
    try {
      read(folder / "a.p3d");
    } catch (const Error& thrown) {
      return std::string(thrown.what());
    }
    return std::string();
  };
  const auto names = [](const std::string& words, const char* what) {
    return words.find(what) != std::string::npos;
  };
  QVERIFY(names(wordsOf("{"), "JSON"));
  QVERIFY(names(wordsOf("[1]"), "JSON"));
  QVERIFY(names(wordsOf("{}"), "filenames"));
  QVERIFY(names(wordsOf(R"({"filenames": [{"q": "x"}]})"), "xyz"));
  QVERIFY(names(wordsOf(R"({"byte-order": "up", "filenames": [{"xyz": "x"}]})"), "byte-order"));
  QVERIFY(names(wordsOf(R"({"filenames": [{"xyz": 3}]})"), "xyz"));
  std::ofstream(folder / "b.p3d")
      << R"({"precision": 64, "language": "C", "2D": true, "blanking": false, "R": 2,
      "filenames": [{"xyz": "g", "q": "q0", "time": 0.5}, {"xyz": "g", "q": "q1", "time": 1}]})";
  const MetaFile given = read(folder / "b.p3d");
  QCOMPARE(given.options, (Options{{"precision", "f64"},
                                   {"solution.precision", "f64"},
                                   {"markers", "0"},
                                   {"solution.markers", "0"},
                                   {"dimensions", "2"},
                                   {"solution.dimensions", "2"},
                                   {"iblank", "false"},
                                   {"R", "2"}}));
  QCOMPARE(given.files.times, (std::vector{0.5, 1.0}));
  QVERIFY(given.files.grids == std::vector{folder / "g"});
}

void TestPlot3dData::namesOfFunctionsDiffer() {
  QCOMPARE(namesIn("Turb. Kinetic  Energy\r\n\nmach\nMach\n"),
           (std::vector<std::string>{"turb-kinetic-energy", "mach", "mach-3"}));
  // The number that would tell two of one name apart may be a name, too.
  QCOMPARE(namesIn("u-3\nu\nu\nu"), (std::vector<std::string>{"u-3", "u", "u-4", "u-5"}));
}

QTEST_APPLESS_MAIN(TestPlot3dData)
#include "tst_plot3d_data.moc"
