// Real PLOT3D files against independently computed bounds and ranges.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "core/base/error.h"
#include "plugins/plot3d/plot3d_reader.h"
#include "tests/support/test_data.h"

using namespace farfield;
using namespace farfield::plot3d;

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

template <class Kind, class Action>
std::string errorOf(Action action) {
  try {
    action();
  } catch (const Kind& error) {
    return error.what();
  }
  return {};
}

}  // namespace

class TestPlot3dData : public QObject {
  Q_OBJECT
 private slots:
  void rangesAreTheReferences_data();
  void rangesAreTheReferences();
  void seriesTimes();
  void unsupportedKindsAreNamed();
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
  reader.computeBounds();

  const QJsonArray blocks = reference(stats.toStdString())["blocks"].toArray();
  QCOMPARE(reader.description().blocks.size(), static_cast<std::size_t>(blocks.size()));
  QVERIFY(!blocks.empty());
  for (int b = 0; b < blocks.size(); ++b) {
    const auto& block = reader.description().blocks[static_cast<std::size_t>(b)];
    const QJsonObject wanted = blocks[b].toObject();
    const QJsonArray dims = wanted["dims"].toArray(), bounds = wanted["bounds"].toArray();
    for (int a = 0; a < 3; ++a) {
      QCOMPARE(static_cast<double>(block.dims[a]), dims[a].toDouble());
      QVERIFY(same(block.bounds.min[a], bounds[2 * a], reader.gridLayout().format.precision));
      QVERIFY(same(block.bounds.max[a], bounds[2 * a + 1], reader.gridLayout().format.precision));
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

void TestPlot3dData::unsupportedKindsAreNamed() {
  NEEDS_DATA("data/plot3d/multi-bin.xyz");
  const auto open = [](const char* grid, const char* solution) {
    return errorOf<Unsupported>([&] { Plot3dReader({{plot3dPath(grid)}, {plot3dPath(solution)}}); });
  };
  const auto names = [](const std::string& words, const char* what) {
    return words.find(what) != std::string::npos;
  };
  QVERIFY(names(open("multi-ascii.xyz", "multi-ascii.q"), "ASCII"));
  QVERIFY(names(open("mbwavelet_ascii.xyz", "mbwavelet_ascii.q"), "ASCII"));
  QVERIFY(names(open("multi-bin-2D.xyz", "multi-bin-2D.q"), "two-dimensional"));
  QVERIFY(names(open("cylinder_series/grid2d.xyz", "cylinder_series/q2d_000.q"), "two-dimensional"));
  QVERIFY(names(open("multi-bin.xyz", "multi-bin.f"), "function file"));
  QVERIFY(names(open("multi-bin.xyz", "multi-bin-oflow.q"), "OVERFLOW"));
}

QTEST_APPLESS_MAIN(TestPlot3dData)
#include "tst_plot3d_data.moc"
