// What `convert --open` writes, read by VTK itself: its reader of VTKHDF must find what its own readers find in the input. Needs a Python
// with VTK 9.2 or newer, named by FARFIELD_VTK_PYTHON or found as python3; skipped without one.

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <cmath>

#include "tests/cli/program.h"

using namespace farfield::test;

namespace {

/// Eight small cubes cut in all four shapes, and the values of a step, as VTU text.
QByteArray mixedGrid(int step) {
  QByteArray points, pressure, velocity, connectivity, offsets, types, number;
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const QByteArray x = QByteArray::number(i + 0.05 * j * k), y = QByteArray::number(j + 0.03 * i * i),
                         z = QByteArray::number(2 * k);
        points += x + " " + y + " " + z + "\n";
        pressure += QByteArray::number(100 * step + i + 10 * j + 0.5 * k) + "\n";
        velocity += x + " " + QByteArray::number(step) + " " + z + "\n";
      }
  int end = 0, cells = 0;
  const auto add = [&](int type, std::initializer_list<int> corners) {
    for (const int corner : corners) connectivity += QByteArray::number(corner) + " ";
    end += static_cast<int>(corners.size());
    offsets += QByteArray::number(end) + " ";
    types += QByteArray::number(type) + " ";
    number += QByteArray::number(1000 * step + cells++) + " ";
  };
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) {
        const int o = i + 3 * j + 9 * k;
        const int a = o, b = o + 1, c = o + 4, d = o + 3, e = o + 9, f = o + 10, g = o + 13, h = o + 12;
        switch ((i + j + k) % 3) {
          case 0:
            add(12, {a, b, c, d, e, f, g, h});
            break;
          case 1:
            add(13, {a, b, c, e, f, g});
            add(13, {a, c, d, e, g, h});
            break;
          default:  // three pyramids with their tops in one corner; one of them as two tetrahedra
            add(14, {e, f, g, h, a});
            add(14, {b, c, g, f, a});
            add(10, {c, d, h, a});
            add(10, {c, h, g, a});
        }
      }
  const auto array = [](const QByteArray& type, const QByteArray& name, const QByteArray& values,
                        int components = 1) {
    return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
           QByteArray::number(components) + "\" format=\"ascii\">" + values + "</DataArray>\n";
  };
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid><Piece NumberOfPoints=\"27\" NumberOfCells=\"" +
         QByteArray::number(cells) + "\">\n<Points>" + array("Float64", "Points", points, 3) +
         "</Points>\n<Cells>" + array("Int32", "connectivity", connectivity) +
         array("Int32", "offsets", offsets) + array("UInt8", "types", types) + "</Cells>\n<PointData>" +
         array("Float64", "pressure", pressure) + array("Float32", "velocity", velocity, 3) +
         "</PointData>\n<CellData>" + array("Float64", "number", number) +
         "</CellData>\n</Piece></UnstructuredGrid></VTKFile>\n";
}

/// Prints nothing and ends with 0 where the grids are equal but for the order of points and cells: points by their places, cells by
/// their types and the places of their corners, each with its values, and every cell with a positive volume.
constexpr const char* kCompare = R"(
import sys, vtk
def grid_of(o):
    while o is not None and o.IsA("vtkCompositeDataSet"):
        it = o.NewIterator(); it.InitTraversal(); o = it.GetCurrentDataObject()
    return o
def values(data, n):
    return tuple((data.GetArrayName(a), tuple(round(v, 4) for v in data.GetArray(a).GetTuple(n))) for a in sorted(range(data.GetNumberOfArrays()), key=data.GetArrayName))
def seen(g):
    places = [tuple(round(v, 4) for v in g.GetPoint(n)) for n in range(g.GetNumberOfPoints())]
    points = sorted((p, values(g.GetPointData(), n)) for n, p in enumerate(places))
    cells = []
    for n in range(g.GetNumberOfCells()):
        ids = g.GetCell(n).GetPointIds()
        cells.append((g.GetCellType(n), tuple(sorted(places[ids.GetId(c)] for c in range(ids.GetNumberOfIds()))), values(g.GetCellData(), n)))
    size = vtk.vtkCellSizeFilter(); size.SetInputData(g); size.Update()
    volumes = [size.GetOutput().GetCellData().GetArray("Volume").GetValue(n) for n in range(g.GetNumberOfCells())]
    return points, sorted(cells), round(sum(map(abs, volumes)), 4), min(volumes)
reader = vtk.vtkHDFReader(); reader.SetFileName(sys.argv[1])
if not reader.CanReadFile(sys.argv[1]): sys.exit("VTK does not read it")
reader.UpdateInformation()
times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()) or [None]
old = vtk.vtkVersion().GetVTKMajorVersion() * 100 + vtk.vtkVersion().GetVTKMinorVersion() < 903
if not old and len(times) != len(sys.argv) - 2: sys.exit(f"{len(times)} steps")
for time, name in zip(times, sys.argv[2:]):
    if time is None: reader.Update()
    else: reader.UpdateTimeStep(time)
    other = vtk.vtkXMLUnstructuredGridReader(); other.SetFileName(name); other.Update()
    a, b = seen(grid_of(reader.GetOutputDataObject(0))), seen(other.GetOutput())
    # before 9.3 VTK took the volume of a wedge with the other sign
    if not old and a[3] <= 0: sys.exit("a cell is turned inside out")
    for what, x, y in zip(("points", "cells", "volume"), a, b):
        if x != y: sys.exit(f"{name}: {what} differ: {str(x)[:300]} and {str(y)[:300]}")
)";

/// Opens a store of structured blocks, and says dims, volume and the range of a variable over all of them.
constexpr const char* kBlocks = R"(
import sys, vtk
if vtk.vtkVersion().GetVTKMajorVersion() * 100 + vtk.vtkVersion().GetVTKMinorVersion() < 907:
    print("old"); sys.exit(0)
reader = vtk.vtkHDFReader(); reader.SetFileName(sys.argv[1]); reader.UpdateInformation()
times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS()) or [0]
reader.UpdateTimeStep(times[-1])
def leaves(o):
    if not o.IsA("vtkCompositeDataSet"): return [o]
    it, found = o.NewIterator(), []
    it.InitTraversal()
    while not it.IsDoneWithTraversal():
        found += leaves(it.GetCurrentDataObject()); it.GoToNextItem()
    return found
for g in leaves(reader.GetOutputDataObject(0)):
    q, dims = g.GetPointData().GetArray("q"), [0, 0, 0]
    g.GetDimensions(dims)
    print(len(times), g.GetClassName(), *dims, q.GetNumberOfComponents(), *("%.9g" % v for v in q.GetRange(1)), *("%.9g" % v for v in g.GetBounds()))
)";

}  // namespace

class TestCliVtk : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_python = qEnvironmentVariable("FARFIELD_VTK_PYTHON", "python3");
    if (python("import vtk; r = vtk.vtkHDFReader()", {}).status != 0)
      QSKIP("needs a Python with VTK 9.2 or newer: set FARFIELD_VTK_PYTHON");
    QVERIFY(m_folder.isValid());
    for (int step = 0; step < 3; ++step) write(QString("mixed_%1.vtu").arg(step), mixedGrid(step));
  }
  void unstructuredGrids_data() {
    QTest::addColumn<QStringList>("inputs");
    QTest::newRow("one step") << QStringList{"mixed_1.vtu"};
    QTest::newRow("three steps") << QStringList{"mixed_0.vtu", "mixed_1.vtu", "mixed_2.vtu"};
  }
  void unstructuredGrids() {
    QFETCH(const QStringList, inputs);
    SUCCEEDS(runFarfield(QStringList{"convert"} + inputs +
                             QStringList{"-o", "grid.vtkhdf", "--open", "--overwrite", "--page-edge", "2"},
                         m_folder.path()));
    const Outcome compared = python(kCompare, QStringList{"grid.vtkhdf"} + inputs);
    QVERIFY2(compared.status == 0, compared.errors.constData());
  }
  void structuredBlocks_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<int>("steps");
    QTest::newRow("one block") << "sample://abc?size=9,8,7&curvilinear=true" << 1 << 1;
    QTest::newRow("blocks and steps") << "sample://cylinder?size=17,9,5&blocks=3&steps=2" << 3 << 2;
  }
  void structuredBlocks() {
    QFETCH(const QString, source);
    QFETCH(const int, blocks);
    QFETCH(const int, steps);
    SUCCEEDS(
        runFarfield({"convert", source, "-o", "blocks.vtkhdf", "--open", "--overwrite"}, m_folder.path()));
    const Outcome found = python(kBlocks, {"blocks.vtkhdf"});
    QVERIFY2(found.status == 0, found.errors.constData());
    if (found.out.startsWith("old")) QSKIP("needs VTK 9.7");
    const QList<QByteArray> lines = found.out.trimmed().split('\n');
    QCOMPARE(lines.size(), blocks);
    const Outcome info = runFarfield({"info", "blocks.vtkhdf", "--json", "--ranges"}, m_folder.path());
    const QJsonObject all = QJsonDocument::fromJson(info.out).object();
    double low = INFINITY, high = -INFINITY;
    for (int n = 0; n < blocks; ++n) {
      const QList<QByteArray> words = lines[n].split(' ');
      const QJsonObject block = all["blocks"].toArray()[n].toObject();
      QCOMPARE(words[0].toInt(), steps);
      QCOMPARE(words[1], QByteArray("vtkStructuredGrid"));
      for (int a = 0; a < 3; ++a) {
        QCOMPARE(words[2 + a].toInt(), block["dims"].toArray()[a].toInt());
        for (int end = 0; end < 2; ++end) {
          const double bound = block["bounds"].toArray()[end].toArray()[a].toDouble();
          QVERIFY(std::abs(words[8 + 2 * a + end].toDouble() - bound) <= 1e-6 * (1 + std::abs(bound)));
        }
      }
      low = std::min(low, words[6].toDouble());
      high = std::max(high, words[7].toDouble());
    }
    QVERIFY(low < high);
    // Component 1 is the momentum along x; the ranges are those of all steps.
    for (const QJsonValue value : all["variables"].toArray()) {
      const QJsonObject variable = value.toObject();
      if (variable["name"] != "momentum-x") continue;
      const double least = variable["min"].toDouble(), most = variable["max"].toDouble();
      QVERIFY(least < most && low >= least - 1e-6 && high <= most + 1e-6);
      if (steps == 1) QVERIFY(low <= least + 1e-6 && high >= most - 1e-6);
      return;
    }
    QFAIL("no momentum-x");
  }
  void cellsThatChangeAreRefused() {
    QByteArray other = mixedGrid(1);
    const qsizetype at = other.indexOf("Name=\"connectivity\"");
    other.replace(other.indexOf("0 1 4", at), 5, "1 0 4");
    write("other.vtu", other);
    REFUSED(runFarfield({"convert", "mixed_0.vtu", "other.vtu", "-o", "x.vtkhdf", "--open"}, m_folder.path()),
            "--option step=N");
    QVERIFY(!QFile::exists(m_folder.filePath("x.vtkhdf")));
  }

 private:
  Outcome python(const char* script, const QStringList& arguments) {
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(m_python, QStringList{"-c", script} + arguments);
    if (!process.waitForStarted()) return {};
    return outcomeOf(process);
  }
  void write(const QString& name, const QByteArray& bytes) {
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }

  QString m_python;
  QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliVtk)
#include "tst_cli_vtk.moc"
