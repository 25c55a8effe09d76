// Derivatives of values of cells: of a flow that grows evenly its rate, at every node and every point up to the ends of blocks,
// whatever the kind of block and however few its cells; the same bytes whatever box is asked for; no stripes where blocks meet.

#include <QTest>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/extract/slice.h"
#include "core/extract/surface_integral.h"
#include "core/fields/paged/paged_data.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/support/one_task.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::vtkfile;
using namespace farfield::test;

namespace {

constexpr const char* kKinds[] = {"image", "rectilinear", "sheared"};

std::string array(const std::string& name, int components, const std::string& values) {
  return "<DataArray type=\"Float64\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\" format=\"ascii\">" + values + "</DataArray>";
}

/// Where node `at` is, which may be between nodes.
Vec3 pointAt(const std::string& kind, Vec3 at) {
  if (kind == "sheared") return {at.x + 0.3 * at.z, at.y, at.z + 0.2 * at.x};
  return at;
}

/// Cells from layer `low` of z on. The velocity is (z, 0, 0) at their centres; the pressure bends.
std::string file(const std::string& kind, const Index3& cells, std::int64_t low = 0) {
  // of a rectilinear grid the lower half of the layers is twice as thick
  const auto along = [&](std::size_t a, std::int64_t n) {
    const auto place = static_cast<double>(n + (a == 2 ? low : 0));
    return kind == "rectilinear" && a == 2 ? place + std::min(place, 4.0) : place;
  };
  std::ostringstream points, velocity, pressure, axes[3];
  points.precision(17), velocity.precision(17), pressure.precision(17);
  for (std::int64_t k = 0; k <= cells[2]; ++k)
    for (std::int64_t j = 0; j <= cells[1]; ++j)
      for (std::int64_t i = 0; i <= cells[0]; ++i) {
        const Vec3 point = pointAt(kind, {along(0, i), along(1, j), along(2, k)});
        points << point.x << ' ' << point.y << ' ' << point.z << ' ';
        if (i == cells[0] || j == cells[1] || k == cells[2]) continue;
        const Vec3 centre =
            pointAt(kind, {along(0, i) + 0.5, along(1, j) + 0.5, (along(2, k) + along(2, k + 1)) / 2});
        velocity << centre.z << " 0 0 ";
        pressure << 10 + std::sin(centre.x + 2 * centre.y - 3 * centre.z) << ' ';
      }
  std::string extent, grid;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t first = a == 2 ? low : 0;
    extent += std::to_string(first) + " " + std::to_string(first + cells[a]) + " ";
    for (std::int64_t n = 0; n <= cells[a]; ++n) axes[a] << along(a, n) << ' ';
  }
  std::string type = "ImageData", attributes;
  if (kind == "image") attributes = " Origin=\"0 0 0\" Spacing=\"1 1 1\"";
  if (kind == "sheared")
    type = "StructuredGrid", grid = "<Points>" + array("Points", 3, points.str()) + "</Points>";
  if (kind == "rectilinear")
    type = "RectilinearGrid", grid = "<Coordinates>" + array("x", 1, axes[0].str()) +
                                     array("y", 1, axes[1].str()) + array("z", 1, axes[2].str()) +
                                     "</Coordinates>";
  return "<VTKFile type=\"" + type + "\" version=\"1.0\" byte_order=\"LittleEndian\"><" + type +
         " WholeExtent=\"" + extent + "\"" + attributes + "><Piece Extent=\"" + extent + "\">" + grid +
         "<CellData>" + array("velocity", 3, velocity.str()) + array("pressure", 1, pressure.str()) +
         "</CellData></Piece></" + type + "></VTKFile>";
}

/// Integrates what it gets.
class Patches final : public extract::SurfaceSink {
 public:
  Patches(const extract::SurfaceIntegrator& integrator, extract::IntegralSum& sum)
      : m_integrator(integrator), m_sum(sum) {}
  void patch(std::size_t, const extract::SurfacePatch& patch) override {
    std::vector<double> row(m_integrator.sumCount());
    m_integrator.clear(row);
    m_integrator.addTriangles(patch, row);
    m_sum.add(row);
  }

 private:
  const extract::SurfaceIntegrator& m_integrator;
  extract::IntegralSum& m_sum;
};

std::uint64_t noBytes(const fields::FunctionPlan&) {
  return 0;
}

}  // namespace

class TestVtkGradients : public QObject {
  Q_OBJECT
 private slots:
  void ratesAreExactEverywhere_data();
  void ratesAreExactEverywhere();
  void everyBoxHasTheSameBytes_data();
  void everyBoxHasTheSameBytes();
  void slicesBesideTheEndsAreWhole();
  void blocksMeetWithoutStripes();
  void thereAreNoWalls();

 private:
  std::unique_ptr<fields::OpenData> open(const std::string& name, const std::string& text) {
    const std::string path = (m_folder.path() / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return VtkDataReader().open({.sources = {path}, .options = {}}, m_account);
  }
  /// Calls work(paged, context, functions) in a task.
  template <class Work>
  void with(const fields::OpenData& data, const std::string& function, const Work& work,
            std::uint64_t (*bytes)(const fields::FunctionPlan&) = noBytes) {
    const auto functions =
        std::make_shared<fields::FunctionPlan>(data.description(), std::vector<std::string>{function});
    fields::PagedDataOptions options;
    options.arrays = {"velocity", "pressure"};
    options.resultBytesPerTask = bytes(*functions);
    fields::PagedData paged(data, m_account, options);
    runOneTask(paged, [&](tasks::TaskContext& context) { work(paged, context, functions); });
  }

  TemporaryFolder m_folder;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestVtkGradients::ratesAreExactEverywhere_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("i");
  QTest::addColumn<int>("j");
  QTest::addColumn<int>("k");
  for (const char* const kind : kKinds)
    for (const auto& cells :
         {Index3{4, 4, 8}, Index3{2, 4, 8}, Index3{4, 4, 2}, Index3{1, 4, 8}, Index3{1, 1, 8}}) {
      // what changes along a single cell that leans nobody knows
      if (std::string(kind) == "sheared" && cells[0] == 1) continue;
      const QString name = QString("%1 %2 x %3 x %4").arg(kind).arg(cells[0]).arg(cells[1]).arg(cells[2]);
      QTest::newRow(qPrintable(name)) << QString(kind) << static_cast<int>(cells[0])
                                      << static_cast<int>(cells[1]) << static_cast<int>(cells[2]);
    }
}

void TestVtkGradients::ratesAreExactEverywhere() {
  QFETCH(QString, kind);
  QFETCH(int, i);
  QFETCH(int, j);
  QFETCH(int, k);
  const std::string its = kind.toStdString();
  const auto data = open("grid.vt" + std::string(its == "image"     ? "i"
                                                 : its == "sheared" ? "s"
                                                                    : "r"),
                         file(its, {i, j, k}));
  const Index3 dims = data->description().blocks[0].dims;
  QCOMPARE(dims, (Index3{i + 2, j + 2, k + 2}));
  with(*data, "vorticity", [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
    paging::Cursor cursor(paged.cache(), context, paged.plan().mode);
    const fields::BlockSlots bound = paged.bind(cursor, 0, *functions);
    std::vector<double> found(static_cast<std::size_t>(3 * product(dims)));
    fields::BoxFunctions(*functions)
        .compute(cursor, bound, paged.description().blocks[0], {{0, 0, 0}, dims}, found);
    for (std::size_t n = 0; n < found.size(); n += 3)
      QVERIFY2(
          length(Vec3{found[n], found[n + 1] - 1, found[n + 2]}) < 1e-12,
          qPrintable(
              QString("node %1: %2 %3 %4").arg(n / 3).arg(found[n]).arg(found[n + 1]).arg(found[n + 2])));
  });
  with(*data, "vorticity", [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
    const auto sampler = paged.makeSampler(context, functions);
    const double depth = its == "rectilinear" ? k + std::min(k, 4) : k;
    for (const double share : {0.0, 0.03, 0.0625, 0.1, 0.5, 0.93, 0.97, 1.0}) {
      const Vec3 point = pointAt(its, {share * i, 0.5 * j, share * depth});
      fields::Location place;
      QVERIFY(sampler->locate(point, {}, place));
      std::array<double, 3> found{};
      sampler->evaluate(place, {}, found);
      QVERIFY2(std::abs(found[1] - 1) < 1e-12, qPrintable(QString("%1: %2").arg(share).arg(found[1])));
    }
  });
}

void TestVtkGradients::everyBoxHasTheSameBytes_data() {
  QTest::addColumn<QString>("kind");
  for (const char* const kind : kKinds) QTest::newRow(kind) << QString(kind);
}

void TestVtkGradients::everyBoxHasTheSameBytes() {
  QFETCH(QString, kind);
  const std::string its = kind.toStdString();
  const auto data = open("bends.vt" + std::string(its == "image"     ? "i"
                                                  : its == "sheared" ? "s"
                                                                     : "r"),
                         file(its, {3, 4, 5}));
  with(*data, "pressure-gradient",
       [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
         const paging::BlockDescription& block = paged.description().blocks[0];
         paging::Cursor cursor(paged.cache(), context, paged.plan().mode);
         const fields::BlockSlots bound = paged.bind(cursor, 0, *functions);
         std::vector<double> whole(static_cast<std::size_t>(3 * product(block.dims)));
         fields::BoxFunctions boxes(*functions);
         boxes.compute(cursor, bound, block, {{0, 0, 0}, block.dims}, whole);
         const auto of = [&](const Index3& node) { return whole.data() + 3 * linear(node, block.dims); };
         for (const Index3& size : {Index3{1, 1, 1}, Index3{2, 2, 2}, Index3{5, 1, 1}, Index3{1, 6, 7}}) {
           Index3 first;
           for (first[2] = 0; first[2] + size[2] <= block.dims[2]; ++first[2])
             for (first[1] = 0; first[1] + size[1] <= block.dims[1]; ++first[1])
               for (first[0] = 0; first[0] + size[0] <= block.dims[0]; ++first[0]) {
                 std::vector<double> part(static_cast<std::size_t>(3 * product(size)));
                 boxes.compute(cursor, bound, block, {first, size}, part);
                 for (std::int64_t n = 0; n < product(size); ++n) {
                   const Index3 in = unlinear(n, size);
                   const Index3 node{first[0] + in[0], first[1] + in[1], first[2] + in[2]};
                   QVERIFY(std::memcmp(part.data() + 3 * n, of(node), 3 * sizeof(double)) == 0);
                 }
               }
         }
         // an end has the derivatives of its centre
         QVERIFY(std::memcmp(of({0, 0, 0}), of({1, 1, 1}), 3 * sizeof(double)) == 0);
         QVERIFY(std::memcmp(of({2, 5, 3}), of({2, 4, 3}), 3 * sizeof(double)) == 0);
       });
}

/// The integral of a vorticity of 1 is the area.
void TestVtkGradients::slicesBesideTheEndsAreWhole() {
  const auto data = open("shear.vtr", file("rectilinear", {4, 4, 8}));
  for (const double z : {0.1, 0.5, 1.0, 1.7, 11.5}) {
    with(
        *data, "vorticity-magnitude",
        [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
          const extract::SurfaceIntegrator integrator(*functions);
          extract::IntegralSum sum(integrator);
          Patches sink(integrator, sum);
          const extract::Slice slice(data->description(), extract::Plane({2, 2, z}, {0, 0, 1}));
          for (std::size_t n = 0; n < slice.taskCount(); ++n)
            slice.extract(n, paged, context, *functions, 0, sink);
          const extract::SurfaceIntegral found = sum.result(false);
          QVERIFY(std::abs(found.area - 16) < 1e-12);
          QVERIFY2(std::abs(found.functions[0].integral[0] - 16) < 1e-12,
                   qPrintable(QString("z %1: %2").arg(z).arg(found.functions[0].integral[0])));
        },
        [](const fields::FunctionPlan& functions) { return extract::sliceTaskBytes(functions); });
  }
}

void TestVtkGradients::blocksMeetWithoutStripes() {
  std::ofstream(m_folder.path() / "low.vts", std::ios::binary) << file("sheared", {4, 4, 4});
  std::ofstream(m_folder.path() / "high.vts", std::ios::binary) << file("sheared", {4, 4, 4}, 4);
  const auto data = open(
      "both.vtm",
      "<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\" byte_order=\"LittleEndian\"><vtkMultiBlockDataSet>"
      "<DataSet index=\"0\" file=\"low.vts\"/><DataSet index=\"1\" file=\"high.vts\"/></vtkMultiBlockDataSet></VTKFile>");
  QCOMPARE(data->description().blocks.size(), std::size_t{2});
  with(*data, "vorticity-magnitude",
       [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
         const auto sampler = paged.makeSampler(context, functions);
         for (int n = 0; n <= 80; ++n) {
           fields::Location place;
           QVERIFY(sampler->locate(pointAt("sheared", {2.2, 1.7, 0.1 * n}), {}, place));
           double found = 0;
           sampler->evaluate(place, {}, {&found, 1});
           QVERIFY2(std::abs(found - 1) < 1e-12, qPrintable(QString("z %1: %2").arg(0.1 * n).arg(found)));
         }
       });
}

/// On a face there is the value of the cell beside it, and not that of the wall.
void TestVtkGradients::thereAreNoWalls() {
  auto description = open("walls.vts", file("sheared", {4, 4, 4}))->description();
  description.attributes["viscosity"] = "0.1";
  const auto isShear = [](const fields::FunctionInfo& function) { return function.onWalls; };
  const auto found = fields::availableFunctions(description);
  QVERIFY(std::none_of(found.begin(), found.end(), isShear));
  description.attributes.erase("samples");
  const auto ofNodes = fields::availableFunctions(description);
  QVERIFY(std::any_of(ofNodes.begin(), ofNodes.end(), isShear));
}

QTEST_GUILESS_MAIN(TestVtkGradients)
#include "tst_vtk_gradients.moc"
