// Real files of VTK against independent references.

#include <QTest>

#include "plugins/vtkfile/vtk_data.h"
#include "tests/unit/vtkfile/vtk_readers.h"

using namespace farfield;
using namespace farfield::vtkfile;
using namespace farfield::vtkfile::test;
using farfield::test::allValues;
using farfield::test::dataPath;

namespace {

/// Compares the seeds of refs/NAME.streamlines.json with what lies between the nodes there: where they are and the
/// vector. What differs first, or nothing.
std::string differenceToSeeds(const paging::BoxReader& reader, const std::string& vector,
                              const std::string& name) {
  QFile file(QString::fromStdString(dataPath("refs/" + name + ".streamlines.json").string()));
  if (!file.open(QIODevice::ReadOnly)) return "no reference";
  const QJsonArray seeds =
      QJsonDocument::fromJson(file.readAll().replace("NaN", "null")).object()["seeds"].toArray();
  if (seeds.isEmpty()) return "no seeds";
  const auto& block = reader.description().blocks[0];
  const std::vector<double> values = allValues(reader, vector), xyz = allValues(reader, "xyz");
  if (values.size() != static_cast<std::size_t>(3 * product(block.dims))) return "no vector";
  for (const auto& value : seeds) {
    const QJsonObject seed = value.toObject();
    Index3 cell;
    Vec3 xi;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const double at = seed["ijk"].toArray()[a].toDouble();
      cell[axis] = std::min(static_cast<std::int64_t>(at), block.dims[axis] - 2);
      xi[a] = at - static_cast<double>(cell[axis]);
    }
    const auto weights = fields::cornerWeights(xi);
    Vec3 place, found;
    for (std::int64_t c = 0; c < 8; ++c) {
      const Index3 node{cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)};
      const auto n = static_cast<std::size_t>(3 * linear(node, block.dims));
      for (int a = 0; a < 3; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        const double coordinate = !xyz.empty() ? xyz[n + axis]
                                  : block.axes
                                      ? (*block.axes)[axis][static_cast<std::size_t>(node[axis])]
                                      : block.origin[a] + block.spacing[a] * static_cast<double>(node[axis]);
        place[a] += weights[static_cast<std::size_t>(c)] * coordinate;
        found[a] += weights[static_cast<std::size_t>(c)] * values[n + axis];
      }
    }
    for (int a = 0; a < 3; ++a) {
      const double x = seed["xyz"].toArray()[a].toDouble(), v = seed["velocity"].toArray()[a].toDouble();
      if (std::abs(place[a] - x) > 1e-5 * (1 + std::abs(x))) return "a seed is at another place";
      if (std::abs(found[a] - v) > 1e-6 * (1 + std::abs(v))) return "a seed has another velocity";
    }
  }
  return {};
}

}  // namespace

class TestVtkData : public QObject {
  Q_OBJECT
 private slots:
  void volumesAreTheReferences_data();
  void volumesAreTheReferences();
  void flowsAreTheReferences_data();
  void flowsAreTheReferences();

 private:
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestVtkData::volumesAreTheReferences_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("variable");
  QTest::addColumn<QString>("reference");
  QTest::newRow("engine") << "data/scalar/engine.vti"
                          << "ImageFile"
                          << "engine";
  QTest::newRow("vase") << "data/scalar/vase.vti"
                        << "SLCImage"
                        << "vase";
  QTest::newRow("iron protein") << "data/scalar/ironProt.vtk"
                                << "scalars"
                                << "ironProt";
  QTest::newRow("structured points") << "data/scalar/StructuredPoints.vtk"
                                     << "scalars"
                                     << "ironProt";
}

void TestVtkData::volumesAreTheReferences() {
  QFETCH(QString, file);
  QFETCH(QString, variable);
  QFETCH(QString, reference);
  NEEDS_DATA(file.toStdString());
  const std::string path = dataPath(file.toStdString()).string();
  QVERIFY(VtkDataReader().recognizes(path));
  const auto reader = readerOf({path}, {}, m_account);
  QCOMPARE(farfield::test::differenceToVolume(reader, variable.toStdString(), reference.toStdString()),
           std::string());
}

void TestVtkData::flowsAreTheReferences_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("reference");
  QTest::newRow("carotid") << "data/vector/carotid.vtk"
                           << "carotid";
  QTest::newRow("rectilinear") << "data/vector/RectGrid2.vtk"
                               << "RectGrid2";
  QTest::newRow("office") << "data/vector/office.binary.vtk"
                          << "office";
}

void TestVtkData::flowsAreTheReferences() {
  QFETCH(QString, file);
  QFETCH(QString, reference);
  NEEDS_DATA(file.toStdString());
  const auto reader = readerOf({dataPath(file.toStdString()).string()}, {}, m_account);
  QCOMPARE(differenceToSeeds(reader, "vectors", reference.toStdString()), std::string());
  QVERIFY(reader.description().find(0, "scalars") >= 0);
}

QTEST_GUILESS_MAIN(TestVtkData)
#include "tst_vtk_data.moc"
