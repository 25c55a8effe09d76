// Unstructured grids with values of cells: what the window says of them is true of cells, and their cells have one number each. Needs
// no OpenGL but for what is under the cursor.

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QStandardPaths>
#include <fstream>

#include "core/session/json/session_json.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr int kCells = 9;

enum class Values { OfBoth, OfCells };

/// Cubes in a row along x, with a number of each cell and one of each node.
void writeRow(const std::filesystem::path& path, int cells = kCells, Values values = Values::OfBoth) {
  std::ofstream out(path);
  out << "# vtk DataFile Version 3.0\nrow\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " << 4 * (cells + 1)
      << " double\n";
  for (int i = 0; i <= cells; ++i) out << i << " 0 0\n" << i << " 1 0\n" << i << " 1 1\n" << i << " 0 1\n";
  out << "CELLS " << cells << ' ' << 9 * cells << '\n';
  for (int i = 0; i < cells; ++i) {
    out << 8;
    for (int n = 0; n < 8; ++n) out << ' ' << 4 * i + n;
    out << '\n';
  }
  out << "CELL_TYPES " << cells << '\n';
  for (int i = 0; i < cells; ++i) out << "12\n";
  out << "CELL_DATA " << cells << "\nSCALARS load double 1\nLOOKUP_TABLE default\n";
  for (int i = 0; i < cells; ++i) out << i * i << '\n';
  if (values == Values::OfCells) return;
  out << "POINT_DATA " << 4 * (cells + 1) << "\nSCALARS heat double 1\nLOOKUP_TABLE default\n";
  for (int i = 0; i <= cells; ++i) out << i << '\n' << i << '\n' << i << '\n' << i << '\n';
}

std::shared_ptr<const fields::ReaderRegistry> vtkReaders() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  return readers;
}

struct Row : Studio {
  Row() : Studio({1280, 800}, {}, {}, vtkReaders()) {
    writeRow(folder / "row.vtk");
    model.open({at("row.vtk")});
    (void)QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs);
  }
  void colourBy(const std::string& function) {
    model.document().edit("Colour", [&](app::Draft& draft) { draft.object(newest()).color.by = function; });
  }
};

}  // namespace

class TestCellValues : public QObject {
  Q_OBJECT
 private slots:
  void whereNoLinesAreDrawnIsSaid();
  void numbersOfCellsThatTheFileDoesNotHaveAreNotSaid();
  void viewsStayWhereCellsChange();
  void cellsAloneAreTakenToTheNodes();
  void surfacesBeginWithValuesOfNodes();
};

void TestCellValues::whereNoLinesAreDrawnIsSaid() {
  Row row;
  QVERIFY(!row.session().objects.empty());
  row.trigger("addSlice");
  row.colourBy("load");
  row.window.pipeline().select(row.newest());
  QTRY_COMPARE_WITH_TIMEOUT(row.stateOf(row.newest()), app::ObjectState::Done, kPatienceMs);
  auto* const lines = row.child<QCheckBox>("color.lines");
  auto* const note = row.child<QLabel>("color.linesNote");
  QVERIFY(lines && note && note->isHidden());
  lines->click();
  QVERIFY(row.session().objects.back().color.bandLines);
  QVERIFY(!note->isHidden());
  QVERIFY2(note->text().contains("load"), qPrintable(note->text()));
  // Numbers of nodes have lines, and expressions have what they are made of.
  row.colourBy("heat");
  QVERIFY(note->isHidden());
  row.colourBy("2*load");
  QVERIFY(!note->isHidden());
  row.colourBy("load+heat");
  QVERIFY(note->isHidden());
  row.colourBy("load");
  QVERIFY(!note->isHidden());
  lines->click();
  QVERIFY(note->isHidden());
}

void TestCellValues::numbersOfCellsThatTheFileDoesNotHaveAreNotSaid() {
  Row row;
  QVERIFY(!row.session().objects.empty());
  QTRY_VERIFY_WITH_TIMEOUT(row.viewRests(), kPatienceMs);
  if (row.picture().isNull()) QSKIP("no OpenGL on this display");
  row.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(row.stateOf(row.newest()) == app::ObjectState::Done && row.viewRests(),
                           kPatienceMs);
  row.window.viewport().setHandles({});
  QString said;
  connect(row.window.findChild<ui::ViewController*>(), &ui::ViewController::probed, this,
          [&](const QString& text) { said = text; });
  QWidget* const view = &row.window.viewport();
  const auto point = [&](Vec3 place) {
    const QPoint now = row.pixelOf(place);
    QMouseEvent event(QEvent::MouseMove, now, view->mapToGlobal(now), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(view, &event);
  };
  // Moved again and again, as a hand does: a picture may just be on its way.
  bool found = false;
  for (int time = 0; time < 100 && !found; ++time) {
    point({7.4 + 0.01 * (time % 2), 0.4, 0.5});
    found = QTest::qWaitFor([&] { return said.contains("load "); }, 500);
  }
  QVERIFY(found);
  QVERIFY2(!said.contains("cell"), qPrintable(said));
}

/// What has fewer cells at the next step is seen to have become smaller.
void TestCellValues::viewsStayWhereCellsChange() {
  Studio studio({1280, 800}, {}, {}, vtkReaders());
  writeRow(studio.folder / "row_0.vtk");
  writeRow(studio.folder / "row_1.vtk", 3);
  studio.model.openData({{studio.at("row_*.vtk"), {}}});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QCOMPARE(studio.model.stage().steps(), 2);
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  const scene::Camera before = studio.window.viewport().camera();
  const double length = studio.model.stage().bounds().max.x;
  studio.model.stage().setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().bounds().max.x < length, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const scene::Camera after = studio.window.viewport().camera();
  QCOMPARE(after.position.x, before.position.x);
  QCOMPARE(after.position.z, before.position.z);
  QCOMPARE(after.target.x, before.target.x);
}

/// Numbers of cells alone have no isosurface and no isolines: both say which choice of the data gives them, and it does.
void TestCellValues::cellsAloneAreTakenToTheNodes() {
  Studio studio({1280, 800}, {}, {}, vtkReaders());
  writeRow(studio.folder / "row.vtk", kCells, Values::OfCells);
  studio.model.open({studio.at("row.vtk")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addIsosurface");
  const app::ObjectId surface = studio.newest();
  studio.trigger("addSlice");
  studio.window.pipeline().select(studio.newest());
  studio.trigger("addIsolines");
  const app::ObjectId lines = studio.newest();
  const auto points = [&](app::ObjectId id) { return studio.model.stage().status(id).stats.points; };
  const auto says = [&](app::ObjectId id) { return app::stateText(studio.model.stage().status(id)); };
  const auto isDone = [&] {
    return studio.rests() && studio.stateOf(surface) == app::ObjectState::Done &&
           studio.stateOf(lines) == app::ObjectState::Done;
  };
  QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
  QCOMPARE(points(surface), 0U);
  QCOMPARE(points(lines), 0U);
  for (const char* const word : {"belong to cells", "“Values”", "“of cells, at nodes”"})
    QVERIFY2(says(surface).contains(word), qPrintable(says(surface)));
  QCOMPARE(says(lines), says(surface));

  studio.window.pipeline().selectData("row");
  QComboBox* values = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((values = studio.child<QComboBox>("data.choice.on")), kPatienceMs);
  QCOMPARE(values->currentIndex(), 0);
  QVERIFY2(values->itemText(1).startsWith("of cells, at nodes"), qPrintable(values->itemText(1)));
  values->setCurrentIndex(1);
  emit values->activated(1);
  QTRY_VERIFY_WITH_TIMEOUT(isDone() && points(surface) > 0 && points(lines) > 0, kPatienceMs);
  QCOMPARE(session::textOf(studio.session().data.front().options.at("on")), std::string("cells-at-nodes"));
  QVERIFY2(!says(surface).contains("Nothing"), qPrintable(says(surface)));

  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(isDone() && points(surface) == 0 && points(lines) == 0, kPatienceMs);
  QVERIFY(!studio.session().data.front().options.contains("on"));
  studio.trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(isDone() && points(surface) > 0 && points(lines) > 0, kPatienceMs);
}

/// Also where somebody has named an expression of values of cells, which is listed before those of the file.
void TestCellValues::surfacesBeginWithValuesOfNodes() {
  Row row;
  QVERIFY(!row.session().objects.empty());
  row.model.document().edit("Keep", [](app::Draft& draft) {
    draft.frame().data.front().options["function.a2"] = std::string("load^2");
  });
  const auto isKnown = [&] {
    const auto summary = row.model.stage().summary(row.session().data.front().name);
    return summary && std::any_of(summary->functions.begin(), summary->functions.end(),
                                  [](const fields::FunctionInfo& its) { return its.name == "a2"; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(isKnown() && row.rests(), kPatienceMs);
  row.trigger("addIsosurface");
  QCOMPARE(std::get<session::Isosurface>(row.session().objects.back().shape).by, std::string("heat"));
  row.trigger("undo");
  row.trigger("addSlice");
  row.window.pipeline().select(row.newest());
  row.colourBy("a2");
  row.trigger("addIsolines");
  QCOMPARE(std::get<session::Isolines>(row.session().objects.back().shape).by, std::string("heat"));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestCellValues test;
  return QTest::qExec(&test, count, words);
}
#include "tst_cell_values.moc"
