// Probes where rounding and several data meet: at edges of what is drawn, and of functions that some of the data have. Needs a display
// with OpenGL; skips where there is none.

#include <QComboBox>
#include <QLineEdit>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTimer>
#include <QUndoStack>
#include <algorithm>
#include <fstream>
#include <iomanip>
#include <limits>

#include "app/model/plot_choice.h"
#include "app/model/probes.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/panels/probe_panel.h"
#include "app/ui/plots/plot_panel.h"
#include "plugins/vtkamr/vtkamr_data.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/vtk_amr_files.h"

using namespace farfield;
using namespace farfield::test;

namespace {

std::shared_ptr<const fields::ReaderRegistry> vtkReaders() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<samples::SampleDataReader>());
  readers->add(std::make_unique<vtkamr::VtkAmrDataReader>(std::make_shared<paging::ByteStores>()));
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  return readers;
}

/// Three cells in the form of an L, somewhere on a map: x and y are what they are beside a coast, and there is nothing beyond (301.777, -63.5).
void writeCoast(const std::filesystem::path& path) {
  std::ofstream out(path);
  out << "# vtk DataFile Version 3.0\ncoast\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 18 double\n";
  std::string values;
  for (const double z : {0.0, 1.0})
    for (const double y : {-65.0, -63.5, -62.0})
      for (const double x : {300.0, 301.777, 303.0}) {
        out << std::setprecision(12) << x << ' ' << y << ' ' << z << '\n';
        values += std::to_string(x) + '\n';
      }
  out << "CELLS 3 27\n";
  for (const int low : {0, 1, 3})
    out << "8 " << low << ' ' << low + 1 << ' ' << low + 4 << ' ' << low + 3 << ' ' << low + 9 << ' '
        << low + 10 << ' ' << low + 13 << ' ' << low + 12 << '\n';
  out << "CELL_TYPES 3\n12\n12\n12\nPOINT_DATA 18\nSCALARS heat double 1\nLOOKUP_TABLE default\n" << values;
}

/// A square across the diagonal of y and z and a triangle beside it, a unit higher at each of three steps, and 10 hotter.
void writeRisingFaces(const std::filesystem::path& folder, int steps = 3) {
  std::ofstream list(folder / "rising.pvd");
  list << "<VTKFile type=\"Collection\" version=\"0.1\"><Collection>\n";
  const double points[][4] = {{0, 0, 0, 1}, {1, 0, 0, 2}, {1, 1, 1, 4}, {0, 1, 1, 3}, {2, 0, 0.5, 7}};
  for (int step = 0; step < steps; ++step) {
    const std::string name = "rising_" + std::to_string(step) + ".vtp";
    list << "<DataSet timestep=\"" << step << "\" file=\"" << name << "\"/>\n";
    std::ofstream out(folder / name);
    std::string places, heat;
    for (const auto& [x, y, z, its] : points) {
      places += std::to_string(x) + ' ' + std::to_string(y) + ' ' + std::to_string(z + step) + ' ';
      heat += std::to_string(its + 10 * step) + ' ';
    }
    out << "<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\"><PolyData>"
           "<Piece NumberOfPoints=\"5\" NumberOfPolys=\"2\"><Points><DataArray type=\"Float64\" "
           "NumberOfComponents=\"3\" format=\"ascii\">"
        << places
        << "</DataArray></Points><Polys><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 "
           "1 4 2</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 7</DataArray></Polys>"
           "<PointData><DataArray type=\"Float64\" Name=\"heat\" format=\"ascii\">"
        << heat
        << "</DataArray></PointData><CellData><DataArray type=\"Float64\" Name=\"kind\" format=\"ascii\">10 "
           "20</DataArray></CellData></Piece></PolyData></VTKFile>\n";
  }
  list << "</Collection></VTKFile>\n";
}

/// A box whose functions are called "a", "a, b" and "c", and are 1, 2 and 3 everywhere.
void writeCommas(const std::filesystem::path& path) {
  std::ofstream out(path);
  out << "<VTKFile type=\"ImageData\" version=\"0.1\" byte_order=\"LittleEndian\"><ImageData WholeExtent=\"0 1 0 1 0 "
         "1\" Origin=\"0 0 0\" Spacing=\"1 1 1\"><Piece Extent=\"0 1 0 1 0 1\"><PointData>";
  int value = 0;
  for (const char* const name : {"a", "a, b", "c"}) {
    out << "<DataArray type=\"Float64\" Name=\"" << name << "\" format=\"ascii\">";
    ++value;
    for (int node = 0; node < 8; ++node) out << value << ' ';
    out << "</DataArray>";
  }
  out << "</PointData></Piece></ImageData></VTKFile>\n";
}

/// How often the cursor rests on something else: in less than a curve takes.
constexpr int kCursorMs = 5;

struct Place : Studio {
  Place() : Studio({1280, 800}, {}, {}, vtkReaders()) {
    writeCoast(folder / "coast.vtk");
    writeRisingFaces(folder.path());
    writeCommas(folder / "commas.vti");
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
  /// As if something of the object were seen at that place under the cursor.
  void pointAt(Vec3 at, app::ObjectId id) {
    emit window.viewport().pointedAt(at, ui::ViewController::idText(id));
  }
  /// In the list of probes, as somebody types it.
  void readAlso(const QString& text) {
    child<QWidget>("dock.probes")->show();
    child<QWidget>("dock.probes")->raise();
    QLineEdit* const line = child<QComboBox>("probes.add")->lineEdit();
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    QTest::keyClick(line, Qt::Key_Return);
  }
  std::vector<std::string> shown(app::ObjectId id) {
    return std::get<session::Probe>(model.document().object(id)->shape).show;
  }
  const std::vector<app::ProbeRow>& probed() { return window.findChild<ui::ProbePanel*>()->rows(); }
};

}  // namespace

class TestProbePlaces : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void placesAtEdgesAreInTheData();
  void probesOfSeveralDataReadWhatTheseHave();
  void namesWithCommasAreNames();
  void facesOfSurfacesInSpaceAreRead();
  void facesAreFollowedOverTime();
  void theSearchForAFaceGoesOn();
  void facesOfEachStepAreReadWhereTheyChange();
  void noLineRunsInASurface();
  void cellsOfAdaptiveGridsHaveTheirOwnValue();
};

void TestProbePlaces::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

/// What is drawn at a coast has a value: its place is off the edge of the cells by rounding alone.
void TestProbePlaces::placesAtEdgesAreInTheData() {
  Place place;
  QVERIFY(place.open(place.at("coast.vtk")));
  place.trigger("addSlice");
  const app::ObjectId slice = place.newest();
  // Right above the edge: no way towards the eye leads into the data.
  place.model.document().edit("Camera", [](app::Draft& draft) {
    draft.frame().camera = session::FixedCamera{.position = {302.4, -63.5, 10},
                                                .target = {302.4, -63.5, 0},
                                                .up = {0, 1, 0},
                                                .orthographicHeight = {}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.viewRests(), kPatienceMs);
  const auto isRead = [&](std::size_t count) {
    return place.probed().size() == count && place.probed().back().known;
  };
  // At once, and once the data have answered.
  const Vec3 seen{302.4, -63.5 + 1e-5, 0.5};
  ui::ViewController& controller = *place.window.findChild<ui::ViewController*>();
  for (const bool answered : {false, true}) {
    place.pointAt(seen, slice);
    if (answered)
      QTRY_VERIFY_WITH_TIMEOUT(controller.hovered() && controller.hovered()->isPlaced, kPatienceMs);
    const int steps = place.model.document().undoStack().index();
    place.trigger("pinProbe");
    QTRY_VERIFY_WITH_TIMEOUT(isRead(1) && place.probed()[0].found, kPatienceMs);
    QVERIFY(place.probed()[0].place.y <= -63.5 && length(place.probed()[0].place - seen) < 1e-3);
    QCOMPARE(place.probed()[0].values[0].first, std::string("heat"));
    QVERIFY(std::abs(place.probed()[0].values[0].second[0] - 302.4) < 1e-3);
    QCOMPARE(place.model.document().undoStack().index(), steps + 1);
    place.trigger("undo");
    QCOMPARE(place.probed().size(), std::size_t(0));
  }
  // What lies beside it as one can see stays beside it.
  place.pointAt({302.4, -63.4, 0.5}, slice);
  place.trigger("pinProbe");
  QTRY_VERIFY_WITH_TIMEOUT(isRead(1), kPatienceMs);
  QVERIFY(!place.probed()[0].found);
}

/// A function that some of the data do not have takes nothing from the probes in these.
void TestProbePlaces::probesOfSeveralDataReadWhatTheseHave() {
  Place place;
  QVERIFY(place.open(place.at("coast.vtk")) && place.open("sample://abc?size=9"));
  app::Document& document = place.model.document();
  const std::string coast = place.session().data[0].name, flow = place.session().data[1].name;
  const app::ObjectId onCoast = app::pinProbe(document, coast, {301, -64, 0.5}, {});
  const app::ObjectId inFlow =
      app::pinProbe(document, flow, place.model.stage().summary(flow)->bounds.center(), {"velocity-x"});
  const auto isRead = [&] {
    return place.probed().size() == 2 && place.probed()[0].known && place.probed()[1].known;
  };
  QTRY_VERIFY_WITH_TIMEOUT(isRead() && place.rests(), kPatienceMs);
  place.readAlso("heat");
  QTRY_COMPARE_WITH_TIMEOUT(place.shown(onCoast), std::vector<std::string>{"heat"}, kPatienceMs);
  QCOMPARE(place.shown(inFlow), std::vector<std::string>{"velocity-x"});
  // Each takes its own of several.
  place.readAlso("heat*2, velocity-y");
  QTRY_COMPARE_WITH_TIMEOUT(place.shown(onCoast), (std::vector<std::string>{"heat", "heat*2"}), kPatienceMs);
  QCOMPARE(place.shown(inFlow), (std::vector<std::string>{"velocity-x", "velocity-y"}));
  QTRY_VERIFY_WITH_TIMEOUT(isRead() && place.probed()[0].values.size() == 2 &&
                               place.probed()[1].values.size() == 2 && place.rests(),
                           kPatienceMs);
  for (const app::ObjectId id : {onCoast, inFlow}) QCOMPARE(place.stateOf(id), app::ObjectState::Done);
  const QTableWidget& table = place.window.findChild<ui::ProbePanel*>()->table();
  QCOMPARE(table.columnCount(), 4 + 4);
  QCOMPARE(table.item(1, 4)->text(), QString());  // an empty cell
}

/// A comma separates functions, unless it is a part of the name of one.
void TestProbePlaces::namesWithCommasAreNames() {
  Place place;
  QVERIFY(place.open(place.at("commas.vti")));
  const std::string data = place.session().data[0].name;
  const app::ObjectId probes = app::pinProbe(place.model.document(), data, {0.25, 0.5, 0.5}, {"a, b"});
  const auto reads = [&](const std::vector<std::pair<std::string, std::vector<double>>>& values) {
    return place.probed().size() == 1 && place.probed()[0].values == values && place.rests();
  };
  QTRY_VERIFY_WITH_TIMEOUT(reads({{"a, b", {2}}}), kPatienceMs);
  place.readAlso("c, a, b");
  QTRY_VERIFY_WITH_TIMEOUT(reads({{"c", {3}}, {"a, b", {2}}}), kPatienceMs);
  app::showAtProbes(place.model, {"a, b"}, false);
  QCOMPARE(place.shown(probes), std::vector<std::string>{"c"});
  app::showAtProbes(place.model, {"a, b"}, true);
  QCOMPARE(place.shown(probes), (std::vector<std::string>{"c", "a, b"}));
  // In the properties, and in plots.
  place.window.pipeline().select(probes);
  QLineEdit* const field = place.child<QLineEdit>("show");
  QCOMPARE(field->text(), QString("c, a, b"));
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, "a, b, a");
  QTest::keyClick(field, Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(place.shown(probes), (std::vector<std::string>{"a, b", "a"}), kPatienceMs);
  QCOMPARE(app::plottedFunctions(*place.model.stage().summary(data), "c, a, b"),
           (std::vector<std::string>{"c", "a, b"}));
}

/// What is drawn under the cursor is told, and pinned: the values of that face.
void TestProbePlaces::facesOfSurfacesInSpaceAreRead() {
  Place place;
  QVERIFY(place.open(place.at("rising.pvd")));
  place.model.document().edit("Camera", [](app::Draft& draft) {
    draft.frame().camera = session::FixedCamera{
        .position = {1, -3, 4}, .target = {1, 0.5, 0.5}, .up = {0, 0, 1}, .orthographicHeight = {}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.viewRests(), kPatienceMs);
  ui::ViewController& controller = *place.window.findChild<ui::ViewController*>();
  QString said;
  QObject::connect(&controller, &ui::ViewController::probed, &controller,
                   [&](const QString& text) { said = text; });
  const Vec3 seen{0.25, 0.5, 0.5};
  QWidget* const view = &place.window.viewport();
  const QPoint at = place.pixelOf(seen);
  QMouseEvent over(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
  QApplication::sendEvent(view, &over);
  QTRY_VERIFY_WITH_TIMEOUT(controller.hovered() && controller.hovered()->isPlaced && said.contains("heat "),
                           kPatienceMs);
  QVERIFY2(!said.contains("cell ") && said.contains("kind 10"), qPrintable(said));
  // On the face: as high as it is there.
  const Vec3 found = controller.hovered()->place;
  QVERIFY(length(found - seen) < 0.02 && std::abs(found.z - found.y) < 1e-12);
  const int steps = place.model.document().undoStack().index();
  place.trigger("pinProbe");
  QTRY_VERIFY_WITH_TIMEOUT(place.probed().size() == 1 && place.probed()[0].known, kPatienceMs);
  QVERIFY(place.probed()[0].found);
  const auto valueOf = [&](const std::string& name) {
    for (const auto& [its, values] : place.probed()[0].values)
      if (its == name) return values.front();
    return std::numeric_limits<double>::quiet_NaN();
  };
  QVERIFY(std::abs(valueOf("heat") - (1 + found.x + 2 * found.y)) < 1e-9);
  QCOMPARE(place.model.document().undoStack().index(), steps + 1);
  place.trigger("undo");
  // One that nobody pointed for is put onto it.
  QVERIFY(place.action("addProbe")->isEnabled());
  place.trigger("addProbe");
  QTRY_VERIFY_WITH_TIMEOUT(place.probed().size() == 1 && place.probed()[0].known, kPatienceMs);
  QVERIFY(place.probed()[0].found);
}

/// Where a surface moves it is the same place of it at all steps that is plotted.
void TestProbePlaces::facesAreFollowedOverTime() {
  Place place;
  QVERIFY(place.open(place.at("rising.pvd")));
  const std::string data = place.session().data.front().name;
  // On the face at the second step.
  app::pinProbe(place.model.document(), data, {0.25, 0.5, 1.5}, {"heat"});
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.probed().size() == 1 && place.probed()[0].known,
                           kPatienceMs);
  QVERIFY(!place.probed()[0].found);
  place.model.stage().setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.probed()[0].known && place.probed()[0].found, kPatienceMs);
  QVERIFY(std::abs(place.probed()[0].values[0].second[0] - 12.25) < 1e-9);
  place.trigger("plotTime");
  auto* const panel = place.window.findChild<ui::PlotPanel*>();
  const auto values = [&] { return panel->curve().curve().values; };
  QTRY_VERIFY_WITH_TIMEOUT(values().size() == 3 && std::isfinite(values()[2]), kPatienceMs);
  for (int step = 0; step < 3; ++step)
    QVERIFY(std::abs(values()[static_cast<std::size_t>(step)] - (2.25 + 10 * step)) < 1e-9);
  QCOMPARE(place.probed().size(), std::size_t(1));
}

/// A point under the cursor goes before it, again and again.
void TestProbePlaces::theSearchForAFaceGoesOn() {
  Place place;
  constexpr int kSteps = 400;
  writeRisingFaces(place.folder.path(), kSteps);
  QVERIFY(place.open(place.at("rising.pvd")));
  QTRY_COMPARE_WITH_TIMEOUT(place.model.stage().steps(), kSteps, kPatienceMs);
  app::Engine& engine = place.model.engine();
  app::CurveRequest request;
  request.dataKey = place.model.stage().keyOf(place.session().data.front().name);
  request.kind = app::CurveRequest::Kind::Time;
  // As typed: beside the face by more than rounding, so that every step is looked at.
  request.places = {{0.25, 0.5, 0.5 + kSteps / 2 + 1e-4}};
  request.functions = {"heat"};
  request.count = kSteps;
  std::optional<app::CurveAnswer> answer;
  connect(&engine, &app::Engine::curveRead, this, [&](const app::CurveAnswer& its) {
    if (its.part == 1) answer = its;
  });
  QTimer cursor;
  cursor.setInterval(kCursorMs);
  app::ProbeRequest point;
  point.dataKey = request.dataKey;
  point.point = {0.25, 0.5, 0.5};
  point.functions = {"heat"};
  connect(&cursor, &QTimer::timeout, this, [&] {
    ++point.number;
    engine.probe(point);
  });
  engine.readCurve(request);
  cursor.start();
  QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), kPatienceMs);
  QVERIFY2(answer->problem.empty(), answer->problem.c_str());
  for (const std::size_t step : {0, kSteps - 1})
    QVERIFY(std::abs(answer->values.front()[step] - (2.25 + 10.0 * static_cast<double>(step))) < 1e-3);
}

/// There is none to follow: at each step it is that which lies there.
void TestProbePlaces::facesOfEachStepAreReadWhereTheyChange() {
  Place place;
  for (int step = 0; step < 3; ++step) {
    const int faces = step + 1;
    std::ofstream out(place.folder / ("strip_" + std::to_string(step) + ".vtk"));
    out << "# vtk DataFile Version 3.0\nstrip\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " << 2 * (faces + 1)
        << " double\n";
    for (int n = 0; n <= faces; ++n) out << n << " 0 0\n" << n << " 1 1\n";
    out << "CELLS " << faces << ' ' << 5 * faces << '\n';
    for (int n = 0; n < faces; ++n)
      out << "4 " << 2 * n << ' ' << 2 * n + 2 << ' ' << 2 * n + 3 << ' ' << 2 * n + 1 << '\n';
    out << "CELL_TYPES " << faces << '\n';
    for (int n = 0; n < faces; ++n) out << "9\n";
    out << "POINT_DATA " << 2 * (faces + 1) << "\nSCALARS heat double 1\nLOOKUP_TABLE default\n";
    for (int n = 0; n <= 2 * faces + 1; ++n) out << 10 * step << '\n';
  }
  QVERIFY(place.open(place.at("strip_*.vtk")));
  QTRY_COMPARE_WITH_TIMEOUT(place.model.stage().steps(), 3, kPatienceMs);
  app::pinProbe(place.model.document(), place.session().data.front().name, {0.5, 0.5, 0.5}, {"heat"});
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.probed().size() == 1 && place.probed()[0].found,
                           kPatienceMs);
  place.trigger("plotTime");
  auto* const panel = place.window.findChild<ui::PlotPanel*>();
  const auto values = [&] { return panel->curve().curve().values; };
  QTRY_VERIFY_WITH_TIMEOUT(values().size() == 3 && std::isfinite(values()[2]), kPatienceMs);
  for (int step = 0; step < 3; ++step) QCOMPARE(values()[static_cast<std::size_t>(step)], 10.0 * step);
}

/// It is not offered, and says why; who asks for it in the panel is told so, and nothing is added.
void TestProbePlaces::noLineRunsInASurface() {
  Place place;
  QVERIFY(place.open(place.at("rising.pvd")));
  QAction* const plot = place.action("plotLine");
  QVERIFY(!plot->isEnabled());
  QVERIFY2(plot->toolTip().contains("surface in space"), qPrintable(plot->toolTip()));
  QVERIFY(place.action("plotTime")->isEnabled() && place.action("plotValues")->isEnabled());
  const std::size_t objects = place.session().objects.size();
  const int steps = place.model.document().undoStack().index();
  place.child<QWidget>("dock.plots")->show();
  place.child<QWidget>("dock.plots")->raise();
  auto* const panel = place.window.findChild<ui::PlotPanel*>();
  QTRY_VERIFY2_WITH_TIMEOUT(panel->curve().accessibleDescription().contains("surface in space"),
                            qPrintable(panel->curve().accessibleDescription()), kPatienceMs);
  auto* const from = place.child<QLineEdit>("plot.from.x");
  from->setFocus();
  from->selectAll();
  QTest::keyClicks(from, "0.5");
  QTest::keyClick(from, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(place.rests(), kPatienceMs);
  QCOMPARE(place.session().objects.size(), objects);
  // Other data have one.
  QVERIFY(place.open(place.at("coast.vtk")));
  place.window.pipeline().selectData(place.session().data.back().name);
  QTRY_VERIFY_WITH_TIMEOUT(plot->isEnabled(), kPatienceMs);
  QVERIFY(plot->toolTip().contains("curve"));
  QVERIFY(place.model.document().undoStack().index() > steps);
}

/// The number that the file has, as farfield probe gives it, and not one between the centres of cells.
void TestProbePlaces::cellsOfAdaptiveGridsHaveTheirOwnValue() {
  Place place;
  const AmrSample sample;
  QVERIFY(place.open(QString::fromStdString(writeVtkAmr(sample, place.folder.path(), "boxes"))));
  const Vec3 centre = sample.centre(2, {14, 15, 16});
  const Vec3 point = centre + 0.3 * sample.spacingOf(2);
  QCOMPARE(sample.holder(point)[0], 2u);
  place.trigger("addSlice");
  place.model.document().edit("Slice", [&](app::Draft& draft) {
    std::get<session::Slice>(draft.object(place.newest()).shape).origin = point;
  });
  QTRY_VERIFY_WITH_TIMEOUT(place.rests(), kPatienceMs);
  place.pointAt(point, place.newest());
  place.trigger("pinProbe");
  QTRY_VERIFY_WITH_TIMEOUT(place.probed().size() == 1 && place.probed()[0].known, kPatienceMs);
  const auto& values = place.probed()[0].values;
  const auto linear =
      std::find_if(values.begin(), values.end(), [](const auto& each) { return each.first == "linear"; });
  QVERIFY(linear != values.end());
  QVERIFY(std::abs(AmrSample::linear(point) - AmrSample::linear(centre)) > 1e-3);
  QVERIFY(std::abs(linear->second[0] - AmrSample::linear(centre)) < 1e-9);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestProbePlaces test;
  return QTest::qExec(&test, count, words);
}
#include "tst_probe_places.moc"
