// Plots along the lines of an object: offered where there are lines, over the way along them or over x, y or z, following the object and
// the step, kept, undone and written. Needs no OpenGL.

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QStandardPaths>
#include <algorithm>
#include <cmath>

#include "app/model/document/line_shapes.h"
#include "app/model/workshop/along_reader.h"
#include "app/ui/plots/curve_view.h"
#include "app/ui/plots/plot_panel.h"
#include "core/base/error.h"
#include "core/session/json/look_names.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/plot_studio.h"
#include "tests/support/test_data.h"

using namespace farfield;
using namespace farfield::test;
using session::PlotChoice;

namespace {

struct Plots : PlotStudio {
  using PlotStudio::PlotStudio;
  void choose(const char* name, int index) const {
    QComboBox* const its = choice(name);
    its->setFocus();
    while (its->currentIndex() != index)
      QTest::keyClick(its, its->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
  }
  /// Isolines of `by` at a value, on a slice across z.
  app::ObjectId addCut(const char* name, double value) {
    session::Object cut;
    cut.name = name;
    cut.data = session().data.front().name;
    session::Isolines lines;
    lines.by = "x";
    lines.values = {value};
    session::Slice slice;
    slice.origin = {1, 1, 2};
    slice.normal = {0, 0, 1};
    lines.on.shape = slice;
    cut.shape = lines;
    return model.document().addObject(cut);
  }
  void remove(app::ObjectId id) {
    model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(id); });
  }
  bool shows(const QString& up, std::size_t more = 0) const {
    return !curve().values.empty() && curve().up == up && curve().others.size() == more;
  }
  /// That x is there at all points: the lines are those at this value.
  bool isAt(double x) const {
    return !curve().values.empty() &&
           std::all_of(curve().values.begin(), curve().values.end(),
                       [&](double at) { return std::isnan(at) || std::abs(at - x) < 1e-9; });
  }
  void keep(const QString& name) {
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(window.grab().save(where + "/" + name + ".png"));
  }
};

constexpr int kAlong = static_cast<int>(session::PlotChoice::Kind::Along);

}  // namespace

class TestPlotsAlong : public QObject {
  Q_OBJECT
 private slots:
  void isOfferedWhereThereAreLines();
  void overTheWayAndOverPlaces();
  void beginsWithWhatIsSeen();
  void beginsAnewOfAnotherObject();
  void followsObjectAndStep();
  void isKeptAndUndone();
  void goesWithTheObject();
  void streamlinesAsTheyAreColoured();
  void functionsOfWallsAreOfLinesOnThem();
  void noMoreThanThereIsRoomFor();
  void otherPlotsAreOfWhatIsSelected();
  void wrongSessionsAreRefused();
};

void TestPlotsAlong::isOfferedWhereThereAreLines() {
  Plots plots("sample://taylor-green?size=9");
  while (!plots.session().objects.empty()) plots.remove(plots.newest());
  QAction* const action = plots.action("plotAlong");
  QTRY_VERIFY(!action->isEnabled());
  QVERIFY2(action->toolTip().contains("isolines"), qPrintable(action->toolTip()));
  // Chosen in the panel it says why there is none.
  plots.trigger("plotValues");
  plots.choose("kind", kAlong);
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().curve().text().contains("no isolines, streamlines"), kPatienceMs);
  const app::ObjectId cut = plots.addCut("cut", 1);
  QTRY_VERIFY(action->isEnabled() && !action->toolTip().contains("no isolines"));
  QTRY_VERIFY_WITH_TIMEOUT(!plots.curve().values.empty(), kPatienceMs);
  QCOMPARE(plots.choice("over")->currentData().toULongLong(), cut);
}

void TestPlotsAlong::overTheWayAndOverPlaces() {
  Plots plots("sample://taylor-green?size=17");
  plots.window.pipeline().select(plots.addCut("cut", 1));
  plots.trigger("plotAlong");
  QCOMPARE(plots.choice("over")->currentText(), QString("cut"));
  QVERIFY(plots.choice("over")->isVisible() && plots.choice("across")->isVisible());
  QVERIFY(!plots.child<QWidget>("plot.from.x")->isVisible());
  plots.type("2*y-z+3, pressure");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("2*y-z+3", 1), kPatienceMs);
  QVERIFY2(plots.note().startsWith("One line of "), qPrintable(plots.note()));
  const ui::Curve byWay = plots.curve();
  QVERIFY(byWay.places.front() == 0 && std::abs(byWay.places.back() - 2 * M_PI) < 1e-9);
  plots.choose("across", 2);
  QTRY_COMPARE(plots.curve().across.left(1), QString("y"));
  for (std::size_t n = 0; n < plots.curve().values.size(); ++n)
    QVERIFY(std::abs(plots.curve().values[n] - (2 * plots.curve().places[n] - 2 + 3)) < 1e-9);
  plots.keep("along-isoline");
  const QString table = plots.at("along.csv"), drawing = plots.at("along.svg");
  QVERIFY(plots.panel().writeCsv(table) && plots.panel().curve().writeSvg(drawing));
  QFile file(table);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> rows = file.readAll().trimmed().split('\n');
  QCOMPARE(rows[0], QByteArray("line,distance,x,y,z,2*y-z+3,pressure"));
  QCOMPARE(rows.size(), static_cast<qsizetype>(plots.curve().values.size()) + 1);
  const QList<QByteArray> last = rows.back().split(',');
  QVERIFY(last[0] == "0" && last[1].toDouble() == byWay.places.back() &&
          last[6].toDouble() == plots.curve().others[0].values.back());
  // Two lines, with a gap between.
  auto both = *plots.model.document().object(plots.newest());
  std::get<session::Isolines>(both.shape).values = {1, 3};
  plots.model.document().setObject(plots.newest(), both, "Values");
  QTRY_VERIFY_WITH_TIMEOUT(plots.note().startsWith("2 lines of "), kPatienceMs);
  QCOMPARE(std::count_if(plots.curve().values.begin(), plots.curve().values.end(),
                         [](double value) { return std::isnan(value); }),
           1);
}

void TestPlotsAlong::beginsWithWhatIsSeen() {
  Plots plots("sample://taylor-green?size=9");
  session::Object plane;
  plane.name = "plane";
  plane.data = plots.session().data.front().name;
  session::Slice slice;
  slice.origin = {1, 1, 2};
  slice.normal = {0, 0, 1};
  plane.shape = slice;
  plane.color.by = "pressure";
  plots.model.document().addObject(plane);
  const app::ObjectId cut = plots.addCut("cut", 1);
  session::Object on = *plots.model.document().object(cut);
  std::get<session::Isolines>(on.shape).on = {"plane", slice};
  plots.model.document().setObject(cut, on, "Lay on the plane");
  plots.window.pipeline().select(cut);
  plots.trigger("plotAlong");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("pressure"), kPatienceMs);
  // With the plane its lines move.
  session::Object moved = *plots.model.document().object(plots.model.document().idNamed("plane"));
  std::get<session::Slice>(moved.shape).origin = Vec3{1, 1, 3};
  plots.type("z");
  plots.model.document().setObject(plots.model.document().idNamed("plane"), moved, "Move");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("z") && plots.isAt(3), kPatienceMs);
}

/// With what is seen of it, also after another plot: a velocity is 0 all over a wall. What was chosen for these lines stays.
void TestPlotsAlong::beginsAnewOfAnotherObject() {
  Plots plots("sample://cylinder?size=17,17,5");
  session::Object wall;
  wall.name = "wall";
  wall.data = plots.session().data.front().name;
  session::GridSurface sheet;
  sheet.range[1] = {0, 0};
  wall.shape = sheet;
  wall.color.by = "pressure";
  plots.model.document().addObject(wall);
  const app::ObjectId cut = plots.addCut("cut", 0.1), plain = plots.addCut("plain", 0.2);
  for (const auto& [id, name] : {std::pair(cut, "wall"), std::pair(plain, "")}) {
    session::Object on = *plots.model.document().object(id);
    std::get<session::Isolines>(on.shape).on = {name, sheet};
    plots.model.document().setObject(id, on, "Lay on the wall");
  }
  plots.trigger("plotLine");
  plots.type("velocity-magnitude");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-magnitude"), kPatienceMs);
  const auto function = [&] { return plots.choice("by")->currentText(); };
  plots.window.pipeline().select(cut);
  plots.trigger("plotAlong");
  QCOMPARE(function(), QString("pressure"));
  plots.type("velocity-x");
  plots.trigger("plotAlong");
  QCOMPARE(function(), QString("velocity-x"));
  // On a wall in one colour.
  plots.window.pipeline().select(plain);
  plots.trigger("plotAlong");
  QCOMPARE(function(), QString("pressure"));
  // Chosen in the list they begin as by the command.
  plots.type("velocity-x");
  auto* const along = plots.choice("over");
  along->setCurrentIndex(along->findData(qulonglong(cut)));
  emit along->activated(along->currentIndex());
  QCOMPARE(function(), QString("pressure"));
  along->setCurrentIndex(along->findData(qulonglong(plain)));
  emit along->activated(along->currentIndex());
  QCOMPARE(function(), QString("pressure"));
  // What was along the others is not saved as of these.
  plots.type("x");
  const QString file = plots.at("along.csv");
  QTRY_VERIFY_WITH_TIMEOUT(plots.isAt(0.2) && plots.panel().writeCsv(file), kPatienceMs);
  plots.window.pipeline().select(cut);
  plots.trigger("plotAlong");
  plots.type("x");
  bool isWrong = false;
  const auto isThere = [&] {
    const bool isSaved = plots.panel().writeCsv(file);
    isWrong |= isSaved && !plots.isAt(0.1);
    return isSaved && plots.isAt(0.1);
  };
  QVERIFY(!isThere());
  QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
  QVERIFY(!isWrong);
}

void TestPlotsAlong::followsObjectAndStep() {
  Plots plots("sample://taylor-green?size=17&steps=3");
  const app::ObjectId cut = plots.addCut("cut", 1);
  plots.window.pipeline().select(cut);
  plots.trigger("plotAlong");
  plots.type("x, pressure");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("x", 1) && plots.isAt(1), kPatienceMs);
  const std::vector<double> atFirst = plots.curve().others[0].values;
  plots.model.stage().setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("x", 1) && plots.curve().others[0].values != atFirst, kPatienceMs);
  // Also while it is hidden.
  auto moved = *plots.model.document().object(cut);
  moved.visible = false;
  std::get<session::Isolines>(moved.shape).values = {2.5};
  plots.model.document().setObject(cut, moved, "Move");
  QTRY_VERIFY_WITH_TIMEOUT(plots.isAt(2.5), kPatienceMs);
}

void TestPlotsAlong::isKeptAndUndone() {
  Plots plots("sample://taylor-green?size=9");
  plots.addCut("first", 1);
  const app::ObjectId second = plots.addCut("second", 2);
  plots.window.pipeline().select(second);
  plots.trigger("plotAlong");
  plots.type("x");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("x") && plots.isAt(2), kPatienceMs);
  plots.choose("across", 3);
  const PlotChoice expected{session::PlotChoice::Kind::Along,
                            plots.session().data.front().name,
                            "x",
                            "second",
                            0,
                            PlotChoice::Over::Z};
  QTRY_VERIFY(plots.kept() == expected);
  const QString file = plots.at("along.json");
  plots.model.save(file);
  QTRY_VERIFY_WITH_TIMEOUT(!plots.model.document().isModified(), kPatienceMs);
  QVERIFY(session::readSession(file.toStdString()).plot == expected);
  plots.choose("over", plots.choice("over")->findText("first"));
  QTRY_VERIFY_WITH_TIMEOUT(plots.isAt(1), kPatienceMs);
  plots.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(plots.kept() == expected && plots.isAt(2), kPatienceMs);
  QCOMPARE(plots.choice("across")->currentIndex(), 3);
  // Opened again it is there.
  Plots again(file);
  again.trigger("plotValues");
  again.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(again.shows("x") && again.isAt(2), kPatienceMs);
  QVERIFY(again.choice("over")->currentText() == "second" && again.choice("across")->currentIndex() == 3);
}

void TestPlotsAlong::goesWithTheObject() {
  Plots plots("sample://taylor-green?size=9");
  const app::ObjectId cut = plots.addCut("cut", 1);
  plots.window.pipeline().select(cut);
  plots.trigger("plotAlong");
  QTRY_VERIFY_WITH_TIMEOUT(!plots.curve().values.empty(), kPatienceMs);
  session::Object renamed = *plots.model.document().object(cut);
  renamed.name = "station";
  plots.model.document().setObject(cut, renamed, "Rename");
  QTRY_VERIFY(plots.kept() && plots.kept()->on == "station");
  plots.remove(cut);
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().curve().text().startsWith("Nothing is plotted."), kPatienceMs);
  QVERIFY(!plots.kept());
  plots.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(plots.kept() && plots.kept()->on == "station" && !plots.curve().values.empty(),
                           kPatienceMs);
}

void TestPlotsAlong::streamlinesAsTheyAreColoured() {
  Plots plots("sample://abc?size=17");
  plots.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests(), kPatienceMs);
  plots.window.pipeline().select(plots.newest());
  plots.trigger("plotAlong");
  plots.type("velocity-x, velocity-magnitude");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-x", 1), kPatienceMs);
  // Of each seed both ways are one line.
  const auto* const seeds = app::seedsIn(*plots.model.document().object(plots.newest()));
  QVERIFY(seeds);
  const auto count = std::get<session::LineSeeds>(*seeds).count;
  QVERIFY2(plots.note().startsWith(QString("%1 lines of ").arg(count)), qPrintable(plots.note()));
  plots.keep("along-streamlines");
  // Of the many points above one place of the axis that is read which is near to the cursor.
  plots.type("velocity-x");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-x"), kPatienceMs);
  ui::CurveView& view = plots.panel().curve();
  QSignalSpy pointed(&view, &ui::CurveView::pointedAt);
  const auto valueAt = [&](double height) {
    const QPointF at(0.6 * view.width(), height * view.height());
    QMouseEvent event(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(&view, &event);
    const int point = pointed.back().front().toInt();
    return point < 0 ? std::nan("") : plots.curve().values[static_cast<std::size_t>(point)];
  };
  const double high = valueAt(0.25), low = valueAt(0.8);
  QVERIFY2(high > low + 1, qPrintable(QString("%1 %2").arg(high).arg(low)));
}

void TestPlotsAlong::functionsOfWallsAreOfLinesOnThem() {
  NEEDS_DATA("data/plot3d/bluntfinq.bin");
  const TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "fin.json").string());
  const auto path = [](const char* name) {
    return QString::fromStdString(dataPath(std::string("data/plot3d/") + name).string());
  };
  test::write(file, QString(R"({ "farfield": 1, "data": { "fin": { "source": "%1", "solution": "%2" } },
    "objects": [ { "name": "station", "type": "isolines", "data": "fin", "by": "y", "value": 1.5,
        "on": { "type": "grid-surface", "block": 0, "range": { "k": 0 } } },
      { "name": "lines", "type": "streamlines", "data": "fin", "direction": "forward",
        "seeds": { "type": "points", "points": [[-3, 1, 1]] } } ],
    "plot": { "kind": "along", "on": "station", "by": "wall-shear-stress-magnitude, velocity-magnitude", "over": "x" } })")
                        .arg(path("bluntfinxyz.bin"), path("bluntfinq.bin"))
                        .toUtf8());
  Plots plots(file);
  plots.trigger("plotValues");
  plots.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("wall-shear-stress-magnitude", 1), kPatienceMs);
  const std::vector<double>& shear = plots.curve().values;
  QVERIFY(*std::max_element(shear.begin(), shear.end()) > 1e-4);
  for (const double speed : plots.curve().others[0].values) QCOMPARE(speed, 0.0);
  // Of others it is said, and not as of colours.
  plots.choose("over", plots.choice("over")->findText("lines"));
  plots.type("wall-shear-stress-magnitude");
  const auto said = [&] { return plots.panel().curve().text(); };
  QTRY_VERIFY_WITH_TIMEOUT(said().contains("values on walls only"), kPatienceMs);
  QVERIFY2(said().startsWith('\''), qPrintable(said()));
}

void TestPlotsAlong::noMoreThanThereIsRoomFor() {
  Plots plots("sample://abc?size=65");
  session::Object lines;
  lines.name = "many";
  lines.data = plots.session().data.front().name;
  session::Isolines shape;
  shape.by = "x";
  shape.count = 900;
  session::Slice slice;
  const auto bounds = plots.model.stage().summary(lines.data)->bounds;
  slice.origin = bounds.center();
  slice.normal = {0, 0, 1};
  shape.on.shape = slice;
  lines.shape = shape;
  plots.window.pipeline().select(plots.model.document().addObject(lines));
  plots.trigger("plotAlong");
  QTRY_VERIFY_WITH_TIMEOUT(!plots.curve().values.empty(), kPatienceMs);
  QVERIFY2(plots.note().contains("more than are plotted"), qPrintable(plots.note()));
  QVERIFY(plots.curve().values.size() <= 2 * app::AlongReader::kMostPoints);
}

/// After a plot along lines, too; nor does the window go on waiting for lines that nobody wants any more.
void TestPlotsAlong::otherPlotsAreOfWhatIsSelected() {
  Plots plots("sample://taylor-green?size=65");
  plots.trigger("addSlice");
  const app::ObjectId slice = plots.newest();
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests(), kPatienceMs);
  plots.window.pipeline().select(plots.addCut("cut", 1));
  plots.trigger("plotAlong");
  plots.window.pipeline().select(slice);
  plots.trigger("plotValues");
  QCOMPARE(plots.choice("over")->currentData().toULongLong(), slice);
  QTRY_VERIFY(plots.kept() && plots.kept()->on == plots.model.document().object(slice)->name);
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests() && !plots.model.stage().isBusy(), kPatienceMs);
}

void TestPlotsAlong::wrongSessionsAreRefused() {
  const auto problemOf = [](const char* plot) {
    try {
      (void)session::parseSession(std::string(R"({ "farfield": 1, "data": {}, "objects": [], "plot": )") +
                                  plot + "}");
    } catch (const Error& error) {
      return QString::fromStdString(error.what());
    }
    return QString();
  };
  QVERIFY(problemOf(R"({ "kind": "along", "over": "w" })").contains("plot.over"));
  QVERIFY(problemOf(R"({ "kind": "line", "over": "x" })").contains("plot.over"));
  QVERIFY(problemOf(R"({ "kind": "along", "place": 1 })").contains("plot.place"));
  QVERIFY(problemOf(R"({ "kind": "around" })").contains("along"));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestPlotsAlong test;
  return QTest::qExec(&test, count, words);
}
#include "tst_plots_along.moc"
