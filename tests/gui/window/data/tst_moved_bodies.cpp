// Bodies of VTK's files in the window: as they are stored, until somebody has their nodes moved by a vector. Needs a display with OpenGL;
// skips where there is none.

#include <QComboBox>
#include <QStandardPaths>
#include <QUndoStack>
#include <fstream>

#include "app/ui/panels/pipeline_panel.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

std::shared_ptr<const fields::ReaderRegistry> vtkReaders() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  return readers;
}

/// A cube with two vectors: one lifts it by 3, the other moves it along x by 1.
void writeCube(const std::filesystem::path& path) {
  std::ofstream out(path);
  out << "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
         "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1\nCELLS 1 9\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 1\n12\n"
         "POINT_DATA 8\n";
  for (const char* const its : {"wind double\n|1 0 0\n", "DISPL double\n|0 0 3\n"}) {
    const std::string text = its;
    const std::size_t bar = text.find('|');
    out << "VECTORS " << text.substr(0, bar);
    for (int node = 0; node < 8; ++node) out << text.substr(bar + 1);
  }
}

struct Cube : Studio {
  Cube() : Studio({1280, 800}, {}, {}, vtkReaders()) {
    writeCube(folder / "cube.vtk");
    model.open({at("cube.vtk")});
    opened = QTest::qWaitFor([&] { return rests() && session().objects.size() == 2; }, kPatienceMs);
  }
  Bounds bounds() {
    const auto summary = model.stage().summary("cube");
    return summary ? summary->bounds : Bounds{};
  }
  std::string said(const char* option) {
    const auto& options = session().data.front().options;
    const auto found = options.find(option);
    return found == options.end() ? std::string() : session::textOf(found->second);
  }
  QComboBox* choice(const QString& option) {
    window.pipeline().selectData("cube");
    QComboBox* list = nullptr;
    const auto isThere = [&] {
      return rests() && (list = child<QComboBox>("data.choice." + option)) != nullptr;
    };
    return QTest::qWaitFor(isThere, kPatienceMs) ? list : nullptr;
  }
  bool choose(const QString& option, const QString& text, Vec3 least) {
    QComboBox* const list = choice(option);
    const int at = list ? list->findText(text) : -1;
    if (at < 0) return false;
    list->setCurrentIndex(at);
    emit list->activated(at);
    return QTest::qWaitFor([&] { return rests() && bounds().min == least; }, kPatienceMs);
  }
  bool opened = false;
};

}  // namespace

class TestMovedBodies : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void theyAreMovedIfAsked();
};

void TestMovedBodies::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

/// Each choice is a step; what is shown follows, and the session keeps it.
void TestMovedBodies::theyAreMovedIfAsked() {
  Cube cube;
  QVERIFY(cube.opened);
  QCOMPARE(cube.bounds().min.z, 0.0);
  QVERIFY(cube.said("shape").empty());
  QVERIFY(cube.choice("shape"));
  QCOMPARE(cube.choice("shape")->currentIndex(), 0);
  QVERIFY(!cube.child<QComboBox>("data.choice.displacement"));
  QUndoStack& undo = cube.model.document().undoStack();
  const int steps = undo.index();
  QVERIFY(cube.choose("shape", "Moved by a vector", {0, 0, 3}));
  QCOMPARE(cube.said("shape"), std::string("displaced"));
  QCOMPARE(undo.index(), steps + 1);
  QVERIFY(cube.choice("displacement"));
  QCOMPARE(cube.choice("displacement")->currentText(), QString("DISPL"));
  const app::ObjectId surface = cube.newest();
  QTRY_VERIFY_WITH_TIMEOUT(cube.rests() && cube.model.stage().status(surface).bounds.max.z == 4, kPatienceMs);
  QVERIFY(cube.choose("displacement", "wind", {1, 0, 0}));
  QVERIFY(cube.choose("factor", "10", {10, 0, 0}));
  QCOMPARE(cube.said("factor"), std::string("10"));
  QCOMPARE(undo.index(), steps + 3);
  QVERIFY(cube.choose("shape", "As stored", {0, 0, 0}));
  for (int n = 0; n < 4; ++n) undo.undo();
  QTRY_VERIFY_WITH_TIMEOUT(cube.rests() && cube.bounds().min == Vec3{}, kPatienceMs);
  QVERIFY(cube.said("shape").empty() && cube.said("factor").empty() && cube.said("displacement").empty());
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestMovedBodies test;
  return QTest::qExec(&test, count, words);
}
#include "tst_moved_bodies.moc"
