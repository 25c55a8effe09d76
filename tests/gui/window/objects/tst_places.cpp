// What is added begins where there are data, and is offered of the data that are selected, if they can have it: rings, surfaces in
// space, several data sets. Needs a display with OpenGL; skips where there is none.

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QStandardPaths>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "app/first/first_objects.h"
#include "app/model/document/plot_line.h"
#include "app/model/object_tree.h"
#include "app/model/probes.h"
#include "app/ui/panels/probe_panel.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/plots/curve_view.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/view/detail_label.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/window/panel_focus.h"
#include "plugins/vtkfile/vtk_data.h"
#include "render/qt3d/viewport.h"
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

/// A quarter of a ring around the origin, from `inner` to 1, three layers high, with a flow around.
void writeQuarterRing(const std::filesystem::path& path, double inner) {
  constexpr int kAround = 25, kAcross = 5, kUp = 3;
  std::ofstream out(path);
  out << "# vtk DataFile Version 3.0\nring\nASCII\nDATASET STRUCTURED_GRID\nDIMENSIONS " << kAcross << ' '
      << kAround << ' ' << kUp << "\nPOINTS " << kAcross * kAround * kUp << " double\n";
  std::string flow;
  for (int k = 0; k < kUp; ++k)
    for (int j = 0; j < kAround; ++j)
      for (int i = 0; i < kAcross; ++i) {
        const double r = inner + (1 - inner) * i / (kAcross - 1), angle = M_PI / 2 * j / (kAround - 1);
        const double x = r * std::cos(angle), y = r * std::sin(angle);
        out << x << ' ' << y << ' ' << 0.1 * k << '\n';
        flow += std::to_string(-y) + ' ' + std::to_string(x) + " 0\n";
      }
  out << "POINT_DATA " << kAcross * kAround * kUp << "\nVECTORS velocity double\n" << flow;
}

/// The four faces of a tetrahedron, with a vector and a number at each corner.
void writeSurface(const std::filesystem::path& path) {
  std::ofstream(path) << "# vtk DataFile Version 3.0\nsurface\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n"
                         "0 0 0\n1 0 0\n0 1 0\n0 0 1\nPOLYGONS 4 16\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
                         "POINT_DATA 4\nSCALARS heat double 1\nLOOKUP_TABLE default\n1\n2\n3\n4\n"
                         "VECTORS wind double\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n";
}

/// A pipe that turns twice: through the middle of its bounds no line along an axis meets it.
void writePipe(const std::filesystem::path& path) {
  constexpr double kWay[][3] = {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {4, 1, 0}, {4, 2, 0}, {4, 2, 1}, {4, 2, 2}};
  std::ofstream out(path);
  out << "# vtk DataFile Version 3.0\npipe\nASCII\nDATASET STRUCTURED_GRID\nDIMENSIONS 3 3 7\nPOINTS 63 double\n";
  std::string values;
  for (const auto& middle : kWay)
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) {
        out << middle[0] + 0.1 * i << ' ' << middle[1] - 0.1 * i + 0.1 * j << ' ' << middle[2] - 0.1 * j
            << '\n';
        values += std::to_string(i + j) + '\n';
      }
  out << "POINT_DATA 63\nSCALARS heat double 1\nLOOKUP_TABLE default\n" << values;
}

struct Place : Studio {
  Place() : Studio({1280, 800}, {}, {}, vtkReaders()) {
    writeQuarterRing(folder / "ring.vtk", 0.8);
    writeQuarterRing(folder / "shell.vtk", 0.985);
    writeSurface(folder / "surface.vtk");
    writePipe(folder / "pipe.vtk");
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
  session::LineSeeds rakeOf(app::ObjectId id) {
    const auto& shape = std::get<session::Streamlines>(model.document().object(id)->shape);
    return std::get<session::LineSeeds>(shape.seeds);
  }
  std::map<std::string, std::uint64_t> endsOf(app::ObjectId id) {
    return model.stage().status(id).stats.terminations;
  }
  /// As if something of the object were seen at that place under the cursor.
  void pointAt(Vec3 at, app::ObjectId id) {
    emit window.viewport().pointedAt(at, ui::ViewController::idText(id));
  }
  QString textOf(app::ObjectId id) { return app::stateText(model.stage().status(id)); }
};

}  // namespace

class TestPlaces : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void rakesBeginInTheData_data();
  void rakesBeginInTheData();
  void severalRakesAtATime();
  void whoMovesARakeKeepsIt();
  void whoStopsTheSearchKeepsTheRake();
  void plotsBeginInTheData();
  void surfacesSayWhatTheyAre();
  void commandsAreOfTheSelectedData();
  void menusOfWhatIsGoneDoNothing();
  void probesThatKeepToASurfaceAreInTheData();
  void linesThatGoNowhereAreSaid();
  void singleNodesAreSaid();
  void seedsInHolesAreHollow();
  void seedsFarAwayLeaveTheViewAsItIs();
  void cellsOfUnstructuredDataAreSaid();
  void whatIsNotOpenedWithTheRestIsSaid();
};

void TestPlaces::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestPlaces::rakesBeginInTheData_data() {
  QTest::addColumn<QString>("data");
  // A little of the usual rake lies outside; hardly any of it does not; and nothing of any.
  QTest::newRow("cylinder") << "sample://cylinder?size=65,17,9&blocks=1";
  QTest::newRow("ring") << "ring.vtk";
  QTest::newRow("shell") << "shell.vtk";
}

/// As one step, without a word, and nothing is computed of another place before.
void TestPlaces::rakesBeginInTheData() {
  QFETCH(QString, data);
  Place place;
  QVERIFY(place.open(data.contains(':') ? data : place.at(qPrintable(data))));
  const int steps = place.model.document().undoStack().count();
  const std::size_t objects = place.session().objects.size();
  int started = 0;
  const auto counting = QObject::connect(&place.model.engine(), &app::Engine::started, [&] { ++started; });
  place.trigger("addStreamlines");
  const app::ObjectId id = place.newest();
  QCOMPARE(place.session().objects.size(), objects + 1);
  QCOMPARE(place.window.pipeline().selectedObject(), id);
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  QObject::disconnect(counting);
  QCOMPARE(started, 1);
  QVERIFY2(!place.endsOf(id).contains("seed-outside"), qPrintable(place.textOf(id)));
  QVERIFY(!place.window.findChild<ui::MessageList*>()->allText().contains("seeds"));
  QVERIFY(length(place.rakeOf(id).to - place.rakeOf(id).from) > 0);
  QCOMPARE(place.model.document().undoStack().count(), steps + 1);
  place.trigger("undo");
  QCOMPARE(place.session().objects.size(), objects);
  place.trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  QVERIFY(!place.endsOf(id).contains("seed-outside"));
}

void TestPlaces::severalRakesAtATime() {
  Place place;
  QVERIFY(place.open(place.at("ring.vtk")));
  std::vector<app::ObjectId> ids;
  for (int n = 0; n < 3; ++n) {
    place.trigger("addStreamlines");
    ids.push_back(place.newest());
  }
  QTRY_VERIFY_WITH_TIMEOUT(place.rests(), kPatienceMs);
  for (const app::ObjectId id : ids) {
    QCOMPARE(place.stateOf(id), app::ObjectState::Done);
    QVERIFY(!place.endsOf(id).contains("seed-outside"));
  }
}

void TestPlaces::whoMovesARakeKeepsIt() {
  Place place;
  QVERIFY(place.open(place.at("ring.vtk")));
  place.trigger("addStreamlines");
  const app::ObjectId id = place.newest();
  const session::LineSeeds mine{{0.9, 0.01, 0.1}, {0.89, 0.1, 0.1}, 5};
  place.model.document().edit("Move", [&](app::Draft& draft) {
    std::get<session::Streamlines>(draft.object(id).shape).seeds = mine;
  });
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  QCOMPARE(place.rakeOf(id), mine);
  // Nor does what is looked for hold up who gives up.
  place.trigger("addStreamlines");
  place.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(place.rests(), kPatienceMs);
}

void TestPlaces::whoStopsTheSearchKeepsTheRake() {
  Place place;
  QVERIFY(place.open(place.at("ring.vtk")));
  int answers = 0;
  const auto counting =
      QObject::connect(&place.model.engine(), &app::Engine::probed,
                       [&](const app::ProbeAnswer& answer) { answers += answer.rake.has_value(); });
  const auto disconnected = qScopeGuard([&] { QObject::disconnect(counting); });
  place.trigger("addStreamlines");
  const app::ObjectId id = place.newest();
  const session::LineSeeds first = place.rakeOf(id);
  QVERIFY(place.action("cancel")->isEnabled());
  place.trigger("cancel");
  const int steps = place.model.document().undoStack().count();
  QTRY_COMPARE_WITH_TIMEOUT(answers, 1, kPatienceMs);
  QCoreApplication::sendPostedEvents();
  QCOMPARE(place.rakeOf(id), first);
  QCOMPARE(place.stateOf(id), app::ObjectState::Cancelled);
  QCOMPARE(place.model.document().undoStack().count(), steps);
  // Computed where it stands, when that is asked for.
  place.model.stage().recompute(id);
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  QCOMPARE(place.rakeOf(id), first);
}

/// Nothing is offered that can never be there; what a session has of it says why there is nothing.
/// Where nobody has said where: also of other data, which are opened while the panel is seen.
void TestPlaces::plotsBeginInTheData() {
  Place place;
  QVERIFY(place.open(place.at("pipe.vtk")));
  place.trigger("plotLine");
  auto* const panel = place.window.findChild<ui::PlotPanel*>();
  QVERIFY(panel && panel->isVisible());
  const auto isThere = [&] {
    const std::vector<double>& values = panel->curve().curve().values;
    return std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  };
  QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
  const auto line = [&] { return app::plotLineOf(place.model.document(), "pipe"); };
  QVERIFY(line() != 0 && panel->place() == line());
  place.trigger("undo");  // one step
  QCOMPARE(line(), app::ObjectId(0));
  const auto said = [&] { return panel->curve().accessibleDescription(); };
  QTRY_VERIFY2_WITH_TIMEOUT(said().contains("Nothing is plotted"), qPrintable(said()), kPatienceMs);
  // By hand.
  auto* const kind = panel->findChild<QComboBox*>("plot.kind");
  const auto choose = [&](int which) {
    kind->setCurrentIndex(which);
    emit kind->activated(which);
  };
  choose(1);
  QTRY_VERIFY2_WITH_TIMEOUT(said().contains("one step only: "), qPrintable(said()), kPatienceMs);
  place.model.document().clear();
  QVERIFY(place.open(place.at("ring.vtk")));
  QTRY_VERIFY2_WITH_TIMEOUT(panel->isVisible() && said().contains("Nothing is plotted"), qPrintable(said()),
                            kPatienceMs);
  choose(0);
  QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
  choose(1);
  QTRY_VERIFY2_WITH_TIMEOUT(panel->isVisible() && said().contains("one step only: velocity"),
                            qPrintable(said()), kPatienceMs);
}

void TestPlaces::surfacesSayWhatTheyAre() {
  Place place;
  QVERIFY(place.open(place.at("surface.vtk")));
  QVERIFY(std::holds_alternative<session::GridSurface>(place.session().objects.back().shape));
  for (const char* const name : {"addSlice", "addIsosurface", "addVolume", "addStreamlines"}) {
    QVERIFY2(!place.action(name)->isEnabled(), name);
    QVERIFY2(place.action(name)->toolTip().contains("surface in space"),
             qPrintable(place.action(name)->toolTip()));
  }
  for (const char* const name : {"addSurface", "addOutline", "addIsolines", "addArrows"}) {
    QVERIFY2(place.action(name)->isEnabled(), name);
    place.trigger(name);
    QTRY_VERIFY2_WITH_TIMEOUT(place.rests(), name, kPatienceMs);
    QVERIFY2(place.stateOf(place.newest()) == app::ObjectState::Done,
             qPrintable(place.textOf(place.newest())));
  }
  session::Object slice;
  slice.name = "cut";
  slice.data = place.session().data.front().name;
  slice.shape = session::Slice{.origin = Vec3{0.2, 0.2, 0.2}, .normal = {1, 0, 0}, .offsets = {}};
  session::Object surface = slice;
  surface.shape = session::Isosurface{.by = "heat", .values = {2.5}};
  surface.name = "level";
  for (const session::Object& object : {slice, surface}) {
    const app::ObjectId id = place.model.document().addObject(object);
    QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.stateOf(id) == app::ObjectState::Done, kPatienceMs);
    QVERIFY2(place.textOf(id).contains("surface in space"), qPrintable(place.textOf(id)));
    QVERIFY2(!place.textOf(id).contains("Move") && !place.textOf(id).contains("Slide"),
             qPrintable(place.textOf(id)));
  }
}

void TestPlaces::commandsAreOfTheSelectedData() {
  Place place;
  QVERIFY(place.open("sample://abc?size=9"));
  const std::string solid = place.session().data.front().name;
  QVERIFY(place.open(place.at("surface.vtk")));
  const std::string surface = place.session().data.back().name;
  const auto isOffered = [&] { return place.action("addSlice")->isEnabled(); };
  place.window.pipeline().selectData(surface);
  QTRY_VERIFY_WITH_TIMEOUT(!isOffered(), kPatienceMs);
  QVERIFY(place.action("addSlice")->toolTip().contains("surface in space"));
  place.window.pipeline().selectData(solid);
  QTRY_VERIFY_WITH_TIMEOUT(isOffered(), kPatienceMs);
  // An object stands for its data.
  place.window.pipeline().select(place.newest());
  QTRY_VERIFY_WITH_TIMEOUT(!isOffered(), kPatienceMs);
  // Where nothing is selected it goes to the first.
  place.window.pipeline().select(0);
  QTRY_VERIFY_WITH_TIMEOUT(isOffered(), kPatienceMs);
  place.trigger("addSlice");
  QCOMPARE(place.session().objects.back().data, solid);
}

/// Another session may come while a menu is open.
void TestPlaces::menusOfWhatIsGoneDoNothing() {
  Place place;
  QVERIFY(place.open("sample://abc?size=9"));
  place.window.pipeline().select(place.newest());
  bool chosen = false;
  QTimer::singleShot(0, &place.window, [&] {
    auto* const menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    place.model.document().clear();
    chosen = menu && !menu->actions().isEmpty() && menu->actions().front()->text() == "Hide";
    if (chosen) menu->actions().front()->trigger();
    if (menu) menu->close();
  });
  emit place.window.pipeline().menuWanted(place.window.mapToGlobal(QPoint(10, 100)));
  QVERIFY(chosen);
  QVERIFY(place.session().objects.empty());
}

/// What is drawn is flat, and rounded: a probe along a wall has the values of the wall all the same, in one step.
void TestPlaces::probesThatKeepToASurfaceAreInTheData() {
  Place place;
  QVERIFY(place.open(place.at("ring.vtk")));
  app::Document& document = place.model.document();
  app::ObjectId wall = 0;
  document.edit("Faces alone", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds()) draft.remove(id);
    const std::string& data = document.session().data.front().name;
    wall = draft.add(app::firstSurface(*place.model.stage().summary(data), data));
  });
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.stateOf(wall) == app::ObjectState::Done, kPatienceMs);
  document.edit("Camera", [](app::Draft& draft) {
    draft.frame().camera = session::FixedCamera{
        .position = {4, 3, 2}, .target = {0.6, 0.6, 0.1}, .up = {0, 0, 1}, .orthographicHeight = {}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(place.viewRests(), kPatienceMs);
  const auto onWall = [](double angle, double height) {
    return Vec3{std::cos(angle), std::sin(angle), height};
  };
  const app::ObjectId id =
      app::pinProbe(document, place.session().data.front().name, 0.95 * onWall(0.5, 0.1), {"velocity"});
  place.window.pipeline().select(id);
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.viewRests(), kPatienceMs);
  const auto where = [&] { return std::get<session::Probe>(document.object(id)->shape).points.front(); };
  const auto isFound = [&] {
    const auto& rows = place.window.findChild<ui::ProbePanel*>()->rows();
    return rows.size() == 1 && rows[0].known && rows[0].found && rows[0].place == where();
  };
  QWidget* const view = &place.window.viewport();
  const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons held,
                        Qt::KeyboardModifiers keys) {
    QMouseEvent event(type, at, view->mapToGlobal(at), button, held, keys);
    QApplication::sendEvent(view, &event);
  };
  const scene::Camera camera = place.window.viewport().camera();
  for (int n = 0; n < 6; ++n) {
    const Vec3 before = where();
    const int steps = document.undoStack().index();
    const auto isOverIt = [&] {
      send(QEvent::MouseMove, place.pixelOf(where()), Qt::NoButton, Qt::NoButton, {});
      return view->cursor().shape() == Qt::PointingHandCursor;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isOverIt(), kPatienceMs);
    const QPoint from = place.pixelOf(before), to = place.pixelOf(onWall(0.35 + 0.11 * n, 0.03 + 0.025 * n));
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton, {});
    send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton, Qt::LeftButton, Qt::ControlModifier);
    send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton, Qt::ControlModifier);
    const auto isThere = [&] { return (place.pixelOf(where()) - to).manhattanLength() <= 3; };
    // Also where it is let go before what is under the cursor has been found.
    if (n % 2 == 0) QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(isFound(), qPrintable(QString("drag %1").arg(n)), kPatienceMs);
    QVERIFY(isThere());
    QVERIFY(ui::sameCamera(place.window.viewport().camera(), camera));
    QCOMPARE(document.undoStack().index(), steps + 1);
    QVERIFY(std::abs(std::hypot(where().x, where().y) - 1) < 0.02);
  }
}

/// As where a vector is given in a part of the grid alone, or is 0: no line, and why.
void TestPlaces::linesThatGoNowhereAreSaid() {
  Place place;
  std::ofstream file(place.folder / "gap.vtk");
  file
      << "# vtk DataFile Version 3.0\ngap\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 9 9 9\nORIGIN 0 0 0\n"
         "SPACING 1 1 1\nPOINT_DATA 729\nVECTORS nowhere float\n";
  for (int n = 0; n < 729; ++n) file << (n == 0 ? "1 0 0\n" : "nan nan nan\n");
  file << "VECTORS still float\n";
  for (int n = 0; n < 729; ++n) file << (n == 0 ? "1 0 0\n" : "0 0 0\n");
  file.close();
  QVERIFY(place.open(place.at("gap.vtk")));
  place.trigger("addStreamlines");
  const app::ObjectId id = place.newest();
  const auto show = [&](const char* vector) {
    place.model.document().edit("Vector", [&](app::Draft& draft) {
      std::get<session::Streamlines>(draft.object(id).shape).vector = {vector};
    });
    return QTest::qWaitFor([&] { return place.rests() && place.stateOf(id) == app::ObjectState::Done; },
                           kPatienceMs);
  };
  QVERIFY(show("nowhere"));
  QVERIFY2(place.textOf(id).contains("not a number"), qPrintable(place.textOf(id)));
  QVERIFY(place.window.findChild<ui::MessageList*>()->allText().contains("not a number"));
  QVERIFY(show("still"));
  QVERIFY2(place.textOf(id).contains("the vector is 0"), qPrintable(place.textOf(id)));
}

/// There is a picture of it all the same, and nobody waits for more.
void TestPlaces::singleNodesAreSaid() {
  Place place;
  std::ofstream(place.folder / "one.vtk")
      << "# vtk DataFile Version 3.0\none\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 1 1 1\nORIGIN 0 0 0\n"
         "SPACING 1 1 1\nPOINT_DATA 1\nSCALARS heat float 1\nLOOKUP_TABLE default\n1\n";
  QVERIFY(place.open(place.at("one.vtk")));
  place.trigger("resetView");
  const auto& detail = *place.child<ui::DetailLabel>("detail");
  QTRY_VERIFY_WITH_TIMEOUT(place.viewRests(), kPatienceMs);
  const app::ObjectId outline = place.model.document().objectIds().front();
  QTRY_VERIFY2_WITH_TIMEOUT(place.textOf(outline).contains("a single node"),
                            qPrintable(place.textOf(outline)), kPatienceMs);
  QTest::qWait(500);
  QTRY_VERIFY2_WITH_TIMEOUT(detail.text().isEmpty(), qPrintable(detail.text()), kPatienceMs);
  QVERIFY(!place.picture().isNull());
}

/// They lie within the bounds of the data, and have no lines all the same.
void TestPlaces::seedsInHolesAreHollow() {
  Place place;
  QVERIFY(place.open(place.at("ring.vtk")));
  place.trigger("addStreamlines");
  const app::ObjectId id = place.newest();
  const auto isThere = [&] { return place.stateOf(id) == app::ObjectState::Done && place.viewRests(); };
  QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
  place.trigger("viewPlusZ");
  const auto rakeFrom = [&](double inner) {
    place.model.document().edit("Move", [&](app::Draft& draft) {
      std::get<session::Streamlines>(draft.object(id).shape).seeds =
          session::LineSeeds{{inner, 0.3, 0.1}, {0.9, 0.3, 0.1}, 9};
    });
  };
  const auto isHollow = [&](double x) {
    const QImage seen = place.window.viewport().grab().toImage();
    const QPoint at = place.pixelOf({x, 0.3, 0.1}) * seen.devicePixelRatio();
    return seen.rect().contains(at) && seen.pixelColor(at).lightness() > 240;
  };
  rakeFrom(0.1);
  QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
  QVERIFY2(place.textOf(id).startsWith("7 of 9 seeds lie outside"), qPrintable(place.textOf(id)));
  // The ends and the middle are knobs.
  for (const double x : {0.2, 0.3, 0.4, 0.6, 0.7}) QTRY_VERIFY_WITH_TIMEOUT(isHollow(x), kPatienceMs);
  QVERIFY(!isHollow(0.8));
  // Moved, they are told anew.
  rakeFrom(0.8);
  QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
  for (const double x : {0.8125, 0.825, 0.8375, 0.875}) QTRY_VERIFY_WITH_TIMEOUT(!isHollow(x), kPatienceMs);
  place.trigger("undo");
  for (const double x : {0.2, 0.7}) QTRY_VERIFY_WITH_TIMEOUT(isHollow(x), kPatienceMs);
}

/// The view was fitted to the whole of a rake, also where its end had been typed far away.
void TestPlaces::seedsFarAwayLeaveTheViewAsItIs() {
  Place place;
  QVERIFY(place.open("sample://abc?size=9"));
  place.trigger("addStreamlines");
  const app::ObjectId id = place.newest();
  const auto isThere = [&] { return place.stateOf(id) == app::ObjectState::Done && place.viewRests(); };
  QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
  const auto distance = [&] {
    const scene::Camera camera = place.window.viewport().camera();
    return length(camera.position - camera.target);
  };
  const Bounds data = place.model.stage().summary("abc")->bounds, before = place.model.stage().bounds();
  const double away = distance();
  for (const double x : {1e6, 1e9, 1e30, 1e25}) {
    session::LineSeeds rake = place.rakeOf(id);
    rake.from = data.center();
    rake.to = Vec3{x, rake.from.y, rake.from.z};
    if (x == 1e25) std::swap(rake.from, rake.to);
    place.model.document().edit("Move", [&](app::Draft& draft) {
      std::get<session::Streamlines>(draft.object(id).shape).seeds = rake;
    });
    QTRY_VERIFY_WITH_TIMEOUT(isThere() && place.endsOf(id).contains("seed-outside"), kPatienceMs);
    const Bounds now = place.model.stage().bounds();
    QVERIFY2(now.min == before.min && now.max == before.max, qPrintable(QString::number(x)));
    // Where the legend is another one, the view may be a little further away.
    QVERIFY2(distance() < 1.5 * away && distance() > away / 1.5, qPrintable(QString::number(x)));
  }
}

/// Nodes alone do not tell them.
void TestPlaces::cellsOfUnstructuredDataAreSaid() {
  Place place;
  std::ofstream(place.folder / "two.vtk")
      << "# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
         "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\nCELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10\n10\n"
         "POINT_DATA 5\nSCALARS heat double 1\nLOOKUP_TABLE default\n1\n2\n3\n4\n5\n";
  const auto saidOf = [&](const QString& data) {
    QStringList said;
    if (!place.open(data)) return said;
    place.window.pipeline().selectData(place.session().data.back().name);
    for (const QLabel* const label : place.window.findChild<ui::PropertyEditor*>()->findChildren<QLabel*>())
      if (label->isVisible()) said.append(label->text());
    return said;
  };
  const QStringList two = saidOf(place.at("two.vtk"));
  const auto behind = [](const QStringList& said, const char* label) {
    return said.value(said.indexOf(label) + 1);
  };
  QCOMPARE(behind(two, "Nodes"), QString("5"));
  QCOMPARE(behind(two, "Cells"), QString("2"));
  QCOMPARE(behind(two, "Block"), QString("unstructured"));
  QVERIFY2(two.filter("5 \u00d7 1").isEmpty(), qPrintable(two.join('\n')));
  const QStringList ring = saidOf(place.at("ring.vtk"));
  QCOMPARE(behind(ring, "Cells"), QString("192"));
  QCOMPARE(behind(ring, "Block"), QString("5 \u00d7 25 \u00d7 3"));
}

/// What is opened says so in the place of what was said of the rest.
void TestPlaces::whatIsNotOpenedWithTheRestIsSaid() {
  Place place;
  QVERIFY(QDir().mkpath(place.at("nothing")));
  QMimeData dragged;
  dragged.setUrls({QUrl::fromLocalFile(place.at("ring.vtk")), QUrl::fromLocalFile(place.at("nothing"))});
  QDragEnterEvent enter(QPoint(500, 300), Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&place.window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(500, 300), Qt::CopyAction, &dragged, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&place.window, &drop);
  auto* const notice = place.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(place.rests() && place.session().objects.size() > 1, kPatienceMs);
  QVERIFY(notice->isVisible());
  QVERIFY2(notice->text().contains("nothing in the folder " + place.at("nothing")),
           qPrintable(notice->text()));
  const auto* const messages = place.child<QDockWidget>("dock.messages");
  place.child<QDockWidget>("dock.memory")->raise();
  QTRY_VERIFY_WITH_TIMEOUT(!ui::PanelFocus::isInSight(messages), kPatienceMs);
  place.child<QPushButton>("notice.button")->click();
  QVERIFY(!notice->isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(ui::PanelFocus::isInSight(messages), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestPlaces test;
  return QTest::qExec(&test, count, words);
}
#include "tst_places.moc"
