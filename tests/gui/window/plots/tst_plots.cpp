// Plots: along a line, over time, how often values occur in the data and on an object; values where the data are, gaps where
// they are not, and files of them. Needs no OpenGL.

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTableWidget>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>
#include <vector>

#include "app/first/first_objects.h"
#include "app/model/document/line_shapes.h"
#include "app/model/document/plot_line.h"
#include "app/model/probes.h"
#include "app/ui/panels/probe_panel.h"
#include "app/ui/plots/curve_view.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/widgets/number_edit.h"
#include "core/session/json/session_json.h"
#include "plugins/zarr/zarr_data.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/zarr_sea.h"

using namespace farfield;
using namespace farfield::test;
using farfield::ui::Curve;

class TestPlots : public QObject {
  Q_OBJECT
 private slots:
  void curvesFollowTheLine();
  void endsOfTheLineAreNoProbes();
  void expressionsAreTyped();
  void whatIsTypedIsCheckedAndPutBack();
  void curvesFollowTheStep();
  void linesAreDragged();
  void keptLinesComeBack();
  void pointsAreDragged();
  void curvesAreWritten();
  void longNumbersAreNotCutOff();
  void narrowAxesHaveScales();
  void curvesOverTime();
  void curvesOverTimeBeginInTheData();
  void vectorsAreRefused();
  void unitsAreSaid();
  void lengthsHaveTheUnitOfTheAxes();

 private:
  static void type(QWidget* parent, const char* name, double value) {
    auto* const edit = parent->findChild<ui::NumberEdit*>(name);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, QString::number(value, 'g', 17));
    QTest::keyClick(edit, Qt::Key_Return);
  }
  static void keep(Studio& studio, const QString& name) {
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(studio.window.grab()
                  .toImage()
                  .convertToFormat(QImage::Format_RGB32)
                  .save(where + "/" + name + ".png"));
  }
  static std::vector<double> valuesOf(ui::PlotPanel* dialog) { return dialog->curve().curve().values; }
};

void TestPlots::curvesFollowTheLine() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotLine");
  auto* const dialog = studio.window.findChild<ui::PlotPanel*>();
  QVERIFY(dialog && dialog->isVisible());
  auto* const by = dialog->findChild<QComboBox*>("plot.by");
  by->setCurrentIndex(by->findText("velocity-x"));
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(dialog).empty() && dialog->curve().curve().up == "velocity-x",
                           kPatienceMs);
  QCOMPARE(valuesOf(dialog).size(), std::size_t(401));
  // Along x this component of the flow does not change; across it does.
  const std::vector<double> along = valuesOf(dialog);
  for (const double value : along) QVERIFY(std::abs(value - along.front()) < 1e-9);
  const Bounds bounds = studio.model.stage().summary("abc")->bounds;
  type(dialog, "plot.to.x", bounds.min.x);
  type(dialog, "plot.to.y", bounds.max.y);
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(valuesOf(dialog).back() - valuesOf(dialog)[200]) > 1e-3, kPatienceMs);
  // Half of a line that begins outside is a gap, and it is said.
  type(dialog, "plot.from.x", 2 * bounds.min.x - bounds.max.x);
  type(dialog, "plot.to.x", bounds.max.x);
  type(dialog, "plot.to.y", bounds.center().y);
  const auto gap = [&] {
    const std::vector<double> values = valuesOf(dialog);
    return values.size() == 401 && std::isnan(values.front()) && std::isnan(values[150]) &&
           std::isfinite(values[250]) && std::isfinite(values[399]);
  };
  QTRY_VERIFY_WITH_TIMEOUT(gap(), kPatienceMs);
  bool said = false;
  for (QLabel* const label : dialog->findChildren<QLabel*>())
    said |= label->text().contains("outside of the data");
  QVERIFY(said);
}

/// Nothing is read there: they would be rows without values.
void TestPlots::endsOfTheLineAreNoProbes() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotLine");
  const auto* const panel = studio.window.findChild<ui::ProbePanel*>();
  QTRY_VERIFY_WITH_TIMEOUT(app::plotLineOf(studio.model.document(), "abc") != 0 && studio.rests(),
                           kPatienceMs);
  QCOMPARE(panel->rows().size(), std::size_t(0));
  studio.trigger("addProbe");
  QTRY_COMPARE_WITH_TIMEOUT(panel->rows().size(), std::size_t(1), kPatienceMs);
  // What is read at probes is not read there either.
  app::showAtProbes(studio.model, {"velocity-x"}, true);
  const session::Object* const line =
      studio.model.document().object(app::plotLineOf(studio.model.document(), "abc"));
  QVERIFY(std::get<session::Probe>(line->shape).show.empty());
  QTRY_VERIFY_WITH_TIMEOUT(panel->rows().size() == 1 && panel->rows()[0].known, kPatienceMs);
}

/// As wherever a function is chosen; an object that is coloured by one brings it along.
void TestPlots::expressionsAreTyped() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotLine");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  auto* const by = panel->findChild<QComboBox*>("plot.by");
  by->setCurrentIndex(by->findText("velocity-x"));
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(panel).empty() && panel->curve().curve().up == "velocity-x",
                           kPatienceMs);
  const std::vector<double> plain = valuesOf(panel);
  by->lineEdit()->setFocus();
  by->lineEdit()->selectAll();
  QTest::keyClicks(by->lineEdit(), "velocity-x*3");
  QTest::keyClick(by->lineEdit(), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(panel).empty() && panel->curve().curve().up == "velocity-x*3",
                           kPatienceMs);
  const std::vector<double> scaled = valuesOf(panel);
  QCOMPARE(scaled.size(), plain.size());
  for (std::size_t n = 0; n < plain.size(); ++n)
    QVERIFY(std::isnan(plain[n]) || std::abs(scaled[n] - 3 * plain[n]) < 1e-5);
  by->lineEdit()->selectAll();
  QTest::keyClicks(by->lineEdit(), "velocty-x*3");
  QTest::keyClick(by->lineEdit(), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(panel->curve().accessibleDescription().contains("velocty-x"), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  studio.model.document().edit("Colour", [&](app::Draft& draft) {
    for (const app::DocumentState::Entry& each : std::vector(draft.objects()))
      draft.object(each.id).color.by = "velocity-y*2";
  });
  studio.window.pipeline().select(lines);
  studio.trigger("plotLine");
  QTRY_VERIFY_WITH_TIMEOUT(panel->curve().curve().up == "velocity-y*2", kPatienceMs);
}

/// As in the other fields where a function is typed.
void TestPlots::whatIsTypedIsCheckedAndPutBack() {
  Studio studio;
  studio.window.activateWindow();
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotLine");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  auto* const by = panel->findChild<QComboBox*>("plot.by");
  const auto up = [&] { return panel->curve().curve().up; };
  const auto problem = [&] {
    const auto* const label = studio.child<QLabel>("plot.by.error");
    return label && label->isVisible() ? label->text() : QString();
  };
  by->setFocus(Qt::TabFocusReason);
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), static_cast<QWidget*>(by), kPatienceMs);
  by->setCurrentIndex(by->findText("velocity-x"));
  QTRY_COMPARE_WITH_TIMEOUT(up(), QString("velocity-x"), kPatienceMs);
  const auto type = [&](const char* text) {
    by->lineEdit()->selectAll();
    QTest::keyClicks(by, text);
  };
  // Wrong at once, while the curve stays; and Esc puts back.
  type("velocty-x*3");
  QVERIFY2(problem().contains("velocty-x"), qPrintable(problem()));
  QTest::qWait(900);
  QCOMPARE(up(), QString("velocity-x"));
  QTest::keyClick(by, Qt::Key_Escape);
  QCOMPARE(by->currentText(), QString("velocity-x"));
  QVERIFY(problem().isEmpty());
  // What typing took when it paused, too.
  type("velocity-x*2");
  QTRY_COMPARE_WITH_TIMEOUT(up(), QString("velocity-x*2"), kPatienceMs);
  QTest::keyClick(by, Qt::Key_Escape);
  QCOMPARE(by->currentText(), QString("velocity-x"));
  QTRY_COMPARE_WITH_TIMEOUT(up(), QString("velocity-x"), kPatienceMs);
  // With Return what is wrong is said in the place of the curve, of what stands in the field then.
  const auto said = [&] { return panel->curve().accessibleDescription(); };
  type("velocty-x");
  QTest::keyClick(by, Qt::Key_Return);
  QTRY_VERIFY2_WITH_TIMEOUT(said().contains("velocty-x"), qPrintable(said()), kPatienceMs);
  type("velocity-y +");
  QVERIFY2(!said().contains("velocty-x"), qPrintable(said()));
  QTest::keyClick(by, Qt::Key_Escape);
  QCOMPARE(by->currentText(), QString("velocity-x"));
  QTRY_COMPARE_WITH_TIMEOUT(up(), QString("velocity-x"), kPatienceMs);
  // Where the keyboard goes elsewhere, nothing that is wrong stays.
  type("velocty-x");
  studio.window.viewport().setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(by->currentText(), QString("velocity-x"), kPatienceMs);
  QVERIFY(problem().isEmpty());
}

void TestPlots::curvesFollowTheStep() {
  Studio studio;
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotLine");
  auto* const dialog = studio.window.findChild<ui::PlotPanel*>();
  auto* const by = dialog->findChild<QComboBox*>("plot.by");
  by->setCurrentIndex(by->findText("velocity-magnitude"));
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(dialog).empty(), kPatienceMs);
  const std::vector<double> first = valuesOf(dialog);
  studio.model.stage().setStep(2);
  const auto changed = [&] {
    const std::vector<double> now = valuesOf(dialog);
    for (std::size_t n = 0; n < now.size() && n < first.size(); ++n)
      if (std::isfinite(now[n]) && std::abs(now[n] - first[n]) > 1e-6) return true;
    return false;
  };
  QTRY_VERIFY_WITH_TIMEOUT(changed(), kPatienceMs);
}

/// The line of a plot has handles in the view, is kept in the session and undone.
void TestPlots::linesAreDragged() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
  for (const app::ObjectId id : studio.model.document().objectIds())
    if (!std::holds_alternative<session::Streamlines>(studio.model.document().object(id)->shape))
      studio.window.pipeline().select(id);
  studio.trigger("plotLine");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(panel).empty() && studio.viewRests(), kPatienceMs);
  const app::ObjectId id = panel->place();
  QVERIFY(id != 0);
  const auto ends = [&] {
    return std::get<session::Probe>(studio.model.document().object(id)->shape).points;
  };
  const std::vector<Vec3> before = ends();
  const int steps = studio.model.document().undoStack().count();
  const auto numberOf = [&](const char* name) { return *panel->findChild<ui::NumberEdit*>(name)->value(); };
  const QPoint grip = studio.pixelOf(before[1]);
  studio.drag(grip, grip + QPoint(-40, -60));
  QVERIFY(length(ends()[1] - before[1]) > 1e-3 * length(before[1] - before[0]));
  QVERIFY(length(ends()[0] - before[0]) == 0);
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  QVERIFY(std::abs(numberOf("plot.to.y") - ends()[1].y) < 1e-12 &&
          std::abs(numberOf("plot.to.z") - ends()[1].z) < 1e-12);
  const double reach = length(ends()[1] - ends()[0]);
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(panel->curve().curve().ends[1] - reach) < 1e-9 * reach, kPatienceMs);
  // Saved, and read again.
  QVERIFY(session::parseSession(session::toJson(studio.session())).objects.back() ==
          *studio.model.document().object(id));
  studio.trigger("undo");
  QVERIFY(ends() == before);
  QVERIFY(std::abs(numberOf("plot.to.y") - before[1].y) < 1e-12);
  // Numbers that are typed move the line in the view; a probe that is pinned is another object.
  type(panel, "plot.to.z", before[1].z + 0.5);
  QCOMPARE(ends()[1].z, before[1].z + 0.5);
  QVERIFY(app::pinProbe(studio.model.document(), "abc", {1, 1, 1}, {}) != id);
  // The same line once more, not another one.
  studio.trigger("plotLine");
  QCOMPARE(panel->place(), id);
  // Along a rake: it is not moved by what is typed here.
  studio.trigger("addStreamlines");
  const app::ObjectId lines = studio.newest();
  if (const session::Seeds* const seeds = app::seedsIn(*studio.model.document().object(lines));
      seeds && std::holds_alternative<session::LineSeeds>(*seeds)) {
    const session::Object rake = *studio.model.document().object(lines);
    studio.trigger("plotLine");
    QCOMPARE(panel->place(), lines);
    type(panel, "plot.to.z", 0.25);
    QVERIFY(*studio.model.document().object(lines) == rake);
    QCOMPARE(panel->place(), id);
    QCOMPARE(ends()[1].z, 0.25);
  }
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(id); });
  QCOMPARE(panel->place(), app::ObjectId(0));
}

void TestPlots::pointsAreDragged() {
  Studio studio;
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
  studio.trigger("plotTime");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(panel).empty() && studio.viewRests(), kPatienceMs);
  const app::ObjectId id = panel->place();
  QVERIFY(id != 0);
  const auto point = [&] {
    return std::get<session::Probe>(studio.model.document().object(id)->shape).points[0];
  };
  const Vec3 before = point();
  const QPoint grip = studio.pixelOf(before);
  studio.drag(grip, grip + QPoint(30, -40));
  QVERIFY(length(point() - before) > 1e-3);
  QVERIFY(std::abs(*panel->findChild<ui::NumberEdit*>("plot.from.x")->value() - point().x) < 1e-12);
  studio.trigger("undo");
  QVERIFY(point() == before);
  QVERIFY(std::abs(*panel->findChild<ui::NumberEdit*>("plot.from.x")->value() - before.x) < 1e-12);
}

/// A session that is opened shows the line that it keeps, in the panel as in the view.
void TestPlots::keptLinesComeBack() {
  TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "kept.json").string());
  const auto end = [](Studio& studio) {
    return studio.child<ui::NumberEdit>("plot.to.x")->value().value_or(NAN);
  };
  {
    Studio studio;
    studio.model.open({"sample://abc?size=9"});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
    studio.trigger("plotLine");
    type(studio.window.findChild<ui::PlotPanel*>(), "plot.to.x", 1.25);
    studio.model.save(path);
    QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified(), kPatienceMs);
  }
  Studio studio;
  studio.model.open({path});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(end(studio), 1.25, kPatienceMs);
  // Nothing was chosen by that, or changed.
  const auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  QVERIFY(panel->place() != 0);
  QVERIFY(studio.window.pipeline().selectedObject() != panel->place());
  QVERIFY(!studio.model.document().isModified());
  // It is, with its handles, where it is asked for.
  const std::size_t objects = studio.session().objects.size();
  studio.trigger("plotLine");
  QCOMPARE(studio.window.pipeline().selectedObject(), panel->place());
  QCOMPARE(studio.session().objects.size(), objects);
}

void TestPlots::curvesAreWritten() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotLine");
  auto* const dialog = studio.window.findChild<ui::PlotPanel*>();
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(dialog).empty(), kPatienceMs);
  const QString table = studio.at("curve.csv"), drawing = studio.at("curve.svg");
  QVERIFY(dialog->writeCsv(table) && dialog->curve().writeSvg(drawing));
  QFile file(table);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), 402);
  QVERIFY(lines[0].startsWith("distance,x,y,z,"));
  QCOMPARE(lines[201].split(',').size(), 5);
  QCOMPARE(lines[401].split(',')[4].toDouble(), valuesOf(dialog).back());
  QFile svg(drawing);
  QVERIFY(svg.open(QIODevice::ReadOnly));
  const QByteArray drawn = svg.readAll();
  QVERIFY(drawn.contains("<svg"));
  // Other programs find the letters, and draw them as large as they are here.
  QVERIFY(drawn.contains("font-family=\"sans-serif\""));
  const QByteArray size = QByteArray::number(dialog->curve().fontInfo().pixelSize());
  QVERIFY2(drawn.contains("font-size=\"" + size + '"'), drawn.mid(drawn.indexOf("font-size"), 20));
  // For paper, whatever the theme of the screen.
  ui::applyTheme(app::Theme::Dark);
  QVERIFY(dialog->curve().writeSvg(studio.at("dark.svg")));
  ui::applyTheme(app::Theme::Light);
  QFile dark(studio.at("dark.svg"));
  QVERIFY(dark.open(QIODevice::ReadOnly));
  QCOMPARE(dark.readAll(), drawn);
  QVERIFY(!dialog->writeCsv("/no such folder/curve.csv"));
  keep(studio, "plot-line");
}

/// On the axes of plots, over columns of probes, in the legend; parts of vectors are in the lists.
void TestPlots::unitsAreSaid() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<zarr::ZarrDataReader>(std::make_shared<paging::ByteStores>()));
  Studio studio({1280, 800}, {}, {}, readers);
  writeSea(studio.folder / "sea");
  session::Session session;
  session.data.push_back({.name = "sea",
                          .source = {(studio.folder / "sea").string()},
                          .solution = {},
                          .reader = {},
                          .options = {}});
  session.data[0].options["vectors"] = session::OptionValue("wind=u,v,w");
  session::Object surface;
  surface.name = "map";
  surface.data = "sea";
  surface.shape = session::GridSurface{};
  surface.color.by = "wind-magnitude";
  session::Object probe;
  probe.name = "probes";
  probe.data = "sea";
  probe.shape = session::Probe{.points = {{1, 1, 0}}, .show = {"heat", "wind", "heat*heat"}};
  session.objects = {surface, probe};
  studio.model.document().replace(session, {}, true);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.stateOf(studio.newest()) == app::ObjectState::Done,
                           kPatienceMs);
  const auto summary = studio.model.stage().summary("sea");
  const std::vector<std::string> listed = app::scalarFunctions(*summary);
  QVERIFY(std::find(listed.begin(), listed.end(), "wind-magnitude") != listed.end());
  const app::ObjectId map = studio.model.document().objectIds().front();
  QCOMPARE(studio.model.stage().status(map).scale.legend.title, std::string("wind-magnitude [m s-1]"));

  auto* const table = studio.child<QTableWidget>("probes.table");
  const auto headAt = [&](int column) {
    const QTableWidgetItem* const head = table->horizontalHeaderItem(column);
    return head ? head->text() : QString();
  };
  QTRY_COMPARE_WITH_TIMEOUT(headAt(4), QString("heat [K]"), kPatienceMs);
  QCOMPARE(headAt(5), QString("wind [m s-1]"));
  QCOMPARE(headAt(6), QString("heat*heat"));

  studio.trigger("plotTime");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  auto* const by = panel->findChild<QComboBox*>("plot.by");
  QTRY_VERIFY_WITH_TIMEOUT(by->findText("wind-magnitude") >= 0, kPatienceMs);
  by->setCurrentIndex(by->findText("wind-magnitude"));
  QTRY_COMPARE_WITH_TIMEOUT(panel->curve().curve().up, QString("wind-magnitude [m s-1]"), kPatienceMs);
  QCOMPARE(panel->curve().curve().across, QString("time"));  // its numbers are dates
  keep(studio, "plot-units");
}

/// Values that hardly differ are told apart by their last digits.
void TestPlots::longNumbersAreNotCutOff() {
  ui::CurveView view;
  view.resize(360, 240);
  view.showCurve({.across = "x", .up = "density", .values = {0.99999985, 0.9999999, 1, 0.99999985}});
  const QImage picture = view.grab().toImage().convertToFormat(QImage::Format_RGB32);
  const QRgb paper = picture.pixel(0, 0);
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < picture.height(); ++y)
      QVERIFY2(picture.pixel(x, y) == paper, qPrintable(QString("ink at %1, %2").arg(x).arg(y)));
}

/// From one number nobody reads a scale. What is drawn is read from the drawing that it writes.
void TestPlots::narrowAxesHaveScales() {
  TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "narrow.svg").string());
  ui::CurveView view;
  for (const int width : {320, 350, 420, 700}) {
    view.resize(width, 240);
    view.showCurve(
        {.across = "time", .up = "y", .ends = {423.2, 484}, .places = {423.2, 484}, .values = {1, 2}});
    QVERIFY(view.writeSvg(file));
    QFile svg(file);
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray drawn = svg.readAll();
    static const QRegularExpression kNumber(">(4\\d\\d)</text>");
    const qsizetype numbers = QString::fromUtf8(drawn).count(kNumber);
    QVERIFY2(numbers >= 3, qPrintable(QString("%1 at %2").arg(numbers).arg(width)));
  }
}

void TestPlots::curvesOverTime() {
  Studio studio;
  studio.model.open({"sample://taylor-green?size=9&steps=4"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("plotTime");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  QVERIFY(panel->isVisible());
  auto* const by = panel->findChild<QComboBox*>("plot.by");
  by->setCurrentIndex(by->findText("velocity-magnitude"));
  const Bounds bounds = studio.model.stage().summary("taylor-green")->bounds;
  type(panel, "plot.from.x", bounds.center().x + 0.7);
  type(panel, "plot.from.y", bounds.center().y + 0.3);
  const auto decays = [&] {
    const std::vector<double> values = valuesOf(panel);
    if (values.size() != 4 || panel->curve().curve().up != "velocity-magnitude") return false;
    for (std::size_t n = 1; n < 4; ++n)
      if (!(values[n] < values[n - 1])) return false;
    return values[3] > 0;
  };
  QTRY_VERIFY_WITH_TIMEOUT(decays(), kPatienceMs);
  // What Return has taken is a step of the session, and nothing that the field itself takes back.
  by->lineEdit()->setFocus();
  by->lineEdit()->selectAll();
  QTest::keyClicks(by->lineEdit(), "velocity-magnitude");
  QTest::keyClick(by->lineEdit(), Qt::Key_Return);
  QVERIFY(!by->lineEdit()->isUndoAvailable());
  QTRY_VERIFY_WITH_TIMEOUT(decays(), kPatienceMs);
  // An exact solution: exp(-2 nu t), the same at every place, and linear between nodes.
  const Curve curve = panel->curve().curve();
  QCOMPARE(curve.places.size(), std::size_t(4));
  for (std::size_t n = 1; n < 4; ++n)
    QVERIFY(std::abs(curve.values[n] / curve.values[0] -
                     std::exp(-0.2 * (curve.places[n] - curve.places[0]))) < 1e-5);
  QCOMPARE(*curve.marked, studio.model.stage().timeOf(0));
  studio.model.stage().setStep(2);
  QTRY_COMPARE_WITH_TIMEOUT(*panel->curve().curve().marked, studio.model.stage().timeOf(2), kPatienceMs);
  const QString table = studio.at("time.csv");
  QVERIFY(panel->writeCsv(table));
  QFile file(table);
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), 5);
  QCOMPARE(lines[0], QByteArray("step,time,velocity-magnitude"));
  QCOMPARE(lines[4].split(',')[2].toDouble(), curve.values[3]);
  keep(studio, "plot-time");
  type(panel, "plot.from.x", bounds.max.x + 100);
  QTRY_VERIFY_WITH_TIMEOUT(!valuesOf(panel).empty() && std::isnan(valuesOf(panel)[0]), kPatienceMs);
  QVERIFY(panel->findChild<QLabel*>("plot.note")->text().contains("outside"));
}

/// The middle of a ring is none of it.
void TestPlots::curvesOverTimeBeginInTheData() {
  Studio studio;
  studio.model.open({"sample://cylinder?size=65,17,9&blocks=1&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const std::size_t objects = studio.session().objects.size();
  studio.trigger("plotTime");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  const auto isWhole = [&] {
    const std::vector<double> values = valuesOf(panel);
    return values.size() == 3 && std::all_of(values.begin(), values.end(),
                                             [](double value) { return std::isfinite(value) && value != 0; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(panel->place() != 0 && isWhole(), kPatienceMs);
  QCOMPARE(studio.session().objects.size(), objects + 1);
  const Vec3 place =
      std::get<session::Probe>(studio.model.document().object(panel->place())->shape).points[0];
  QVERIFY2(std::hypot(place.x, place.y) > 0.5, qPrintable(QString("%1, %2").arg(place.x).arg(place.y)));
  // Undone as one step, and put there again.
  studio.trigger("undo");
  QCOMPARE(studio.session().objects.size(), objects);
  studio.trigger("plotTime");
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), objects + 1, kPatienceMs);
}

void TestPlots::vectorsAreRefused() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QSignalSpy answered(&studio.model.engine(), &app::Engine::curveRead);
  app::CurveAnswer answer;
  connect(&studio.model.engine(), &app::Engine::curveRead, this,
          [&](const app::CurveAnswer& its) { answer = its; });
  app::CurveRequest request;
  request.dataKey = studio.model.stage().keyOf("abc");
  request.to = {1, 0, 0};
  request.count = 5;
  for (const char* const function : {"velocity", "no-such-function"}) {
    request.functions = {function};
    answer = {};
    studio.model.engine().readCurve(request);
    QTRY_COMPARE_WITH_TIMEOUT(answer.request.functions, std::vector<std::string>{function}, kPatienceMs);
    QVERIFY(answer.values.empty() && !answer.problem.empty());
  }
}

/// Where all axes have one. Angles are no lengths.
void TestPlots::lengthsHaveTheUnitOfTheAxes() {
  for (const bool isMap : {false, true}) {
    auto readers = std::make_shared<fields::ReaderRegistry>();
    readers->add(std::make_unique<zarr::ZarrDataReader>(std::make_shared<paging::ByteStores>()));
    Studio studio({1280, 800}, {}, {}, readers);
    const std::filesystem::path sea = studio.folder / "sea";
    writeSea(sea);
    for (const auto& [name, axis] : {std::pair("lon", "X"), std::pair("lat", "Y")})
      if (!isMap)
        std::ofstream(sea / name / ".zattrs")
            << R"({"_ARRAY_DIMENSIONS": [")" << name << R"("], "units": "km", "axis": ")" << axis << "\"}";
    studio.model.open({QString::fromStdString(sea.string())});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
    studio.trigger("plotLine");
    auto* const panel = studio.window.findChild<ui::PlotPanel*>();
    QTRY_COMPARE_WITH_TIMEOUT(
        panel->curve().curve().across,
        isMap ? QString("distance from the first point") : QString("distance from the first point [km]"),
        kPatienceMs);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestPlots test;
  return QTest::qExec(&test, count, words);
}
#include "tst_plots.moc"
