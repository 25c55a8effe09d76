// Surfaces of unstructured grids in the window: lines and textures on them, and what these begin with.
// Needs a display with OpenGL; skips where there is none.

#include <QStandardPaths>
#include <fstream>

#include "app/model/object_tree.h"
#include "core/session/json/on_surface.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

std::shared_ptr<const fields::ReaderRegistry> vtkReaders() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<samples::SampleDataReader>());
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  return readers;
}

/// The four faces of a tetrahedron, with a vector and a number at each corner.
void writeSurface(const std::filesystem::path& path) {
  std::ofstream(path) << "# vtk DataFile Version 3.0\nsurface\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n"
                         "0 0 0\n1 0 0\n0 1 0\n0 0 1\nPOLYGONS 4 16\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
                         "POINT_DATA 4\nSCALARS heat double 1\nLOOKUP_TABLE default\n1\n2\n3\n4\n"
                         "VECTORS wind double\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n";
}

/// Two layers of hexahedra, with a vector.
void writeBricks(const std::filesystem::path& path) {
  constexpr int kAlong = 7, kUp = 3;
  const auto node = [](int i, int j, int k) { return i + kAlong * (j + kAlong * k); };
  std::ofstream out(path);
  out << "# vtk DataFile Version 3.0\nbricks\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS "
      << kAlong * kAlong * kUp << " double\n";
  for (int k = 0; k < kUp; ++k)
    for (int j = 0; j < kAlong; ++j)
      for (int i = 0; i < kAlong; ++i) out << i << ' ' << j << ' ' << k << '\n';
  constexpr int kCells = (kAlong - 1) * (kAlong - 1) * (kUp - 1);
  out << "CELLS " << kCells << ' ' << 9 * kCells << '\n';
  for (int k = 0; k + 1 < kUp; ++k)
    for (int j = 0; j + 1 < kAlong; ++j)
      for (int i = 0; i + 1 < kAlong; ++i) {
        out << 8;
        for (int up = 0; up < 2; ++up)
          out << ' ' << node(i, j, k + up) << ' ' << node(i + 1, j, k + up) << ' '
              << node(i + 1, j + 1, k + up) << ' ' << node(i, j + 1, k + up);
        out << '\n';
      }
  out << "CELL_TYPES " << kCells << '\n';
  for (int n = 0; n < kCells; ++n) out << "12\n";
  out << "POINT_DATA " << kAlong * kAlong * kUp << "\nVECTORS wind double\n";
  for (int n = 0; n < kAlong * kAlong * kUp; ++n) out << "1 0.3 0\n";
}

struct Place : Studio {
  Place() : Studio({1280, 800}, {}, {}, vtkReaders()) {
    writeSurface(folder / "surface.vtk");
    writeBricks(folder / "bricks.vtk");
  }
  bool open(const QString& what) {
    const std::size_t before = session().data.size();
    model.open({what});
    return QTest::qWaitFor(
        [&] {
          return rests() && session().data.size() == before + 1 && !session().objects.empty() &&
                 session().objects.back().data == session().data.back().name;
        },
        kPatienceMs);
  }
  QString textOf(app::ObjectId id) { return app::stateText(model.stage().status(id)); }
};

}  // namespace

class TestFaces : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void linesAndTexturesLieOnThem();
  void linesOnAWallFollowTheShearThatASolverWrites();
};

void TestFaces::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

/// On the selected surface, of cells and in space; as on walls of structured grids.
void TestFaces::linesAndTexturesLieOnThem() {
  Place place;
  for (const char* const file : {"bricks.vtk", "surface.vtk"}) {
    QVERIFY(place.open(place.at(file)));
    place.trigger("addSurface");
    QTRY_VERIFY_WITH_TIMEOUT(place.rests(), kPatienceMs);
    const app::ObjectId wall = place.newest();
    const std::string name = place.model.document().object(wall)->name;
    for (const char* const action : {"addSurfaceLines", "addLic"}) {
      place.window.pipeline().select(wall);
      place.trigger(action);
      const app::ObjectId id = place.newest();
      place.model.document().edit("Coarse", [&](app::Draft& draft) {
        if (auto* const lic = std::get_if<session::Lic>(&draft.object(id).shape)) lic->resolution = 100;
      });
      QTRY_VERIFY_WITH_TIMEOUT(place.rests(), kPatienceMs);
      const app::ObjectStatus status = place.model.stage().status(id);
      QVERIFY2(status.state == app::ObjectState::Done && status.stats.points > 0,
               qPrintable(action + (": " + place.textOf(id))));
      QVERIFY2(place.textOf(id).isEmpty(), qPrintable(place.textOf(id)));
      QCOMPARE(session::surfaceUnder(*place.model.document().object(id))->name, name);
    }
  }
}

/// On the walls of most solvers the velocity is 0, and the shear is a vector that they write.
void TestFaces::linesOnAWallFollowTheShearThatASolverWrites() {
  Place place;
  const std::filesystem::path path = place.folder / "solver.vtk";
  std::filesystem::copy_file(place.folder / "bricks.vtk", path);
  std::ofstream out(path, std::ios::app);
  out << "VECTORS wallShearStress double\n";
  for (int n = 0; n < 7 * 7 * 3; ++n) out << "0.2 0.7 0\n";
  out.close();
  QVERIFY(place.open(place.at("solver.vtk")));
  place.trigger("addSurface");
  place.trigger("addSurfaceLines");
  QTRY_VERIFY_WITH_TIMEOUT(place.rests(), kPatienceMs);
  const session::Object& lines = *place.model.document().object(place.newest());
  QCOMPARE(std::get<session::SurfaceLines>(lines.shape).vector, std::vector<std::string>{"wallShearStress"});
  QVERIFY(place.model.stage().status(place.newest()).stats.points > 0);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestFaces test;
  return QTest::qExec(&test, count, words);
}
#include "tst_faces.moc"
