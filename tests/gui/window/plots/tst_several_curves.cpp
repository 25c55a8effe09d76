// Several curves in one plot: of functions typed with commas between, and of several data sets, told apart in the key and by two axes,
// written as one table and one drawing, kept and undone like one. Needs no OpenGL.

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStandardPaths>
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/model/own_functions.h"
#include "app/model/probes.h"
#include "app/ui/plots/curve_axes.h"
#include "app/ui/plots/curve_key.h"
#include "app/ui/plots/curve_view.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/widgets/look.h"
#include "core/base/error.h"
#include "core/session/json/look_names.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/plot_studio.h"

using namespace farfield;
using namespace farfield::test;
using farfield::ui::Curve;
using farfield::ui::Side;

namespace {

struct Plots : PlotStudio {
  using PlotStudio::PlotStudio;
  /// All of them are there.
  bool shows(const QStringList& names) const {
    QStringList shown;
    for (std::size_t n = 0; n < curve().count(); ++n) shown.append(curve().nameOf(n));
    return !curve().values.empty() && shown == names;
  }
  /// Data beside those that are open; what they are called.
  QString openBeside(const QString& what) {
    const std::size_t had = session().objects.size();
    model.open({what});
    (void)QTest::qWaitFor([&] { return rests() && session().objects.size() > had; }, kPatienceMs);
    return QString::fromStdString(session().data.back().name);
  }
  void chooseAllData() const { QTest::keyClick(child<QCheckBox>("plot.allData"), Qt::Key_Space); }
  void keep(const QString& name) {
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(window.grab().save(where + "/" + name + ".png"));
  }
};

QList<QByteArray> linesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().split('\n') : QList<QByteArray>{};
}

Curve::Other other(const QString& name, std::vector<double> values, const QString& units = {}) {
  return {name, std::move(values), name, units};
}
Curve several(const std::vector<Curve::Other>& all) {
  Curve curve;
  for (std::size_t n = 0; n < all.size(); ++n) curve.take(n, all[n]);
  return curve;
}

/// By which letters and lines are read (WCAG 2).
double contrast(const QColor& a, const QColor& b) {
  const auto light = [](const QColor& color) {
    const auto linear = [](double part) {
      return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
  };
  return (std::max(light(a), light(b)) + 0.05) / (std::min(light(a), light(b)) + 0.05);
}

}  // namespace

class TestSeveralCurves : public QObject {
  Q_OBJECT
 private slots:
  void alongALine();
  void overTime();
  void atAllProbes();
  void ofAllData();
  void ofAllDataOverTime();
  void dataWithoutValuesThereHaveNoTimes();
  void allDataAreForLinesAndTimes();
  void areKeptAndUndone();
  void oneThatIsRemovedLeavesTheOthers();
  void wrongOnesAreNamed();
  void theFirstIsCounted();
  void axesFollowUnitsAndSizes();
  void theyAreToldApart();
  void standUprightHoweverLow();
};

void TestSeveralCurves::alongALine() {
  Plots plots("sample://abc?size=17");
  plots.trigger("plotLine");
  plots.type("velocity-y");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-y"}), kPatienceMs);
  const std::vector<double> alone = plots.curve().values;
  plots.type("velocity-x, velocity-y, max(velocity-x, 100)*10");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x", "velocity-y", "max(velocity-x, 100)*10"}), kPatienceMs);
  QCOMPARE(plots.curve().others[0].values, alone);
  for (const double value : plots.curve().others[1].values) QCOMPARE(value, 1000.0);
  // What is of another size has an axis of its own, and the key says which.
  const ui::CurveAxes& axes = plots.panel().curve().axes();
  QVERIFY(axes.hasRight && axes.sides == (std::vector{Side::Left, Side::Left, Side::Right}));
  const QString table = plots.at("several.csv"), drawing = plots.at("several.svg");
  QVERIFY(plots.panel().writeCsv(table) && plots.panel().curve().writeSvg(drawing));
  const QList<QByteArray> lines = linesOf(table);
  QCOMPARE(lines.size(), 402);
  QCOMPARE(lines[0], QByteArray("distance,x,y,z,velocity-x,velocity-y,\"max(velocity-x, 100)*10\""));
  QCOMPARE(lines[100].split(',').size(), 7);
  QCOMPARE(lines[100].split(',')[5].toDouble(), alone[99]);
  QFile svg(drawing);
  QVERIFY(svg.open(QIODevice::ReadOnly));
  const QByteArray drawn = svg.readAll();
  for (const char* const name : {">velocity-x<", ">velocity-y<", "(right)"})
    QVERIFY2(drawn.contains(name), name);
  QVERIFY(drawn.contains("stroke-dasharray"));
  plots.keep("several-light");
  ui::applyTheme(app::Theme::Dark);
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().palette().color(QPalette::Base).lightness() < 128, kPatienceMs);
  plots.keep("several-dark");
  ui::applyTheme(app::Theme::Light);
}

void TestSeveralCurves::overTime() {
  Plots plots("sample://taylor-green?size=9&steps=4");
  plots.trigger("plotTime");
  QTRY_VERIFY_WITH_TIMEOUT(!plots.curve().values.empty(), kPatienceMs);
  plots.type("velocity-x, velocity-magnitude");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x", "velocity-magnitude"}), kPatienceMs);
  QCOMPARE(plots.curve().others[0].values.size(), std::size_t(4));
  QVERIFY(plots.panel().writeCsv(plots.at("time.csv")));
  const QList<QByteArray> lines = linesOf(plots.at("time.csv"));
  QCOMPARE(lines.size(), 5);
  QCOMPARE(lines[0], QByteArray("step,time,velocity-x,velocity-magnitude"));
  for (int n = 0; n < 4; ++n) {
    const QList<QByteArray> cells = lines[n + 1].split(',');
    QCOMPARE(cells[2].toDouble(), plots.curve().values[std::size_t(n)]);
    QCOMPARE(cells[3].toDouble(), plots.curve().others[0].values[std::size_t(n)]);
  }
}

/// Each place has a curve with its name, in one plot and one table; it is a choice that is kept.
void TestSeveralCurves::atAllProbes() {
  TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "all.json").string());
  const QStringList both{"velocity-x at probes 1", "velocity-x at probes 2"};
  {
    Plots plots("sample://taylor-green?size=9&steps=4");
    app::Document& document = plots.model.document();
    auto* const all = plots.child<QCheckBox>("plot.all");
    const app::ObjectId probes = app::pinProbe(document, "taylor-green", {1, 2, 0.5}, {});
    plots.trigger("plotTime");
    plots.type("velocity-x");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}), kPatienceMs);
    const std::vector<double> first = plots.curve().values;
    QVERIFY(!all->isVisible());  // there is one
    app::pinProbe(document, "taylor-green", {2, 1, 0.5}, {});
    QTRY_VERIFY_WITH_TIMEOUT(all->isVisible(), kPatienceMs);
    QTest::keyClick(all, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both), kPatienceMs);
    QCOMPARE(plots.curve().values, first);
    QVERIFY(!plots.panel().curve().axes().hasRight);
    QVERIFY(plots.panel().writeCsv(plots.at("all.csv")));
    const QList<QByteArray> lines = linesOf(plots.at("all.csv"));
    QCOMPARE(lines[0], QByteArray("step,time,velocity-x at probes 1,velocity-x at probes 2"));
    QCOMPARE(lines[2].split(',')[3].toDouble(), plots.curve().others[0].values[1]);
    // Names are followed, places too, and it is undone.
    QCOMPARE(document.renameObject(probes, "here"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x at here 1", "velocity-x at here 2"}), kPatienceMs);
    plots.trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both), kPatienceMs);
    plots.keep("several-probes");
    plots.trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}) && !all->isChecked(), kPatienceMs);
    plots.trigger("redo");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both), kPatienceMs);
    plots.type("velocity-x, velocity-y");
    QTRY_COMPARE_WITH_TIMEOUT(plots.curve().count(), std::size_t(4), kPatienceMs);
    QCOMPARE(plots.curve().nameOf(3), QString("velocity-y at probes 2"));
    plots.type("velocity-x");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both), kPatienceMs);
    plots.model.save(file);
    QTRY_VERIFY_WITH_TIMEOUT(!document.isModified(), kPatienceMs);
  }
  Plots plots(file);
  plots.window.findChild<QWidget*>("dock.plots")->show();
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both), kPatienceMs);
  QVERIFY(!plots.model.document().isModified());
}

/// Two runs are compared: along one line, in one table and one drawing; it is a choice that is kept.
void TestSeveralCurves::ofAllData() {
  TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "all.json").string());
  QStringList both;
  {
    Plots plots("sample://abc?size=17");
    plots.trigger("plotLine");
    plots.type("velocity-x");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}), kPatienceMs);
    const std::vector<double> alone = plots.curve().values;
    const QString first = plots.choice("data")->currentText();
    auto* const all = plots.child<QCheckBox>("plot.allData");
    QVERIFY(!all->isVisible());  // there is nothing to compare
    const QString second = plots.openBeside("sample://taylor-green?size=9");
    QTRY_VERIFY_WITH_TIMEOUT(all->isVisible(), kPatienceMs);
    plots.chooseAllData();
    both = {first + ": velocity-x", second + ": velocity-x"};
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both), kPatienceMs);
    QCOMPARE(plots.curve().values, alone);
    QVERIFY(plots.curve().others[0].values != alone);
    QVERIFY(!plots.panel().curve().axes().hasRight);  // it is one quantity
    QCOMPARE(plots.kept()->data, std::string(session::kAllData));
    QVERIFY(plots.panel().writeCsv(plots.at("all.csv")) &&
            plots.panel().curve().writeSvg(plots.at("all.svg")));
    const QList<QByteArray> lines = linesOf(plots.at("all.csv"));
    QCOMPARE(lines.size(), 402);
    QCOMPARE(lines[0], QString("distance,x,y,z," + both.join(',')).toUtf8());
    QCOMPARE(lines[100].split(',')[4].toDouble(), alone[99]);
    QFile svg(plots.at("all.svg"));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    QVERIFY(svg.readAll().contains((both[1] + '<').toUtf8()));
    plots.keep("all-data");
    // Back to one, with its line and function.
    plots.trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}) && plots.curve().values == alone, kPatienceMs);
    QVERIFY(!all->isChecked());
    plots.trigger("redo");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both), kPatienceMs);
    plots.model.save(file);
    QTRY_VERIFY_WITH_TIMEOUT(!plots.model.document().isModified(), kPatienceMs);
    // Of what one of them alone has.
    app::defineFunction(plots.model.document(), first.toStdString(), "mine", "velocity-x*2");
    QTRY_VERIFY_WITH_TIMEOUT(plots.choice("by")->findText("mine") >= 0 && plots.rests(), kPatienceMs);
    plots.type("mine, velocity-x");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({first + ": mine", both[0], both[1]}), kPatienceMs);
    QVERIFY2(plots.note().contains(second + " has no mine."), qPrintable(plots.note()));
    plots.window.viewport().setFocus();
    app::removeFunctions(plots.model, first.toStdString(), {"mine"});
    QCOMPARE(plots.session().plot->by, std::string("velocity-x"));
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both), kPatienceMs);
    plots.trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({first + ": mine", both[0], both[1]}), kPatienceMs);
    // The data that the line is not of are closed.
    plots.model.document().removeData(second.toStdString());
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"mine", "velocity-x"}), kPatienceMs);
  }
  Plots plots(file);
  plots.window.findChild<QWidget*>("dock.plots")->show();
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both), kPatienceMs);
  QVERIFY(!plots.model.document().isModified());
}

/// Each has the times of its own steps; the curve of one goes on past those of the other.
void TestSeveralCurves::ofAllDataOverTime() {
  Plots plots("sample://taylor-green?size=9&steps=3");
  plots.trigger("plotTime");
  QTRY_VERIFY_WITH_TIMEOUT(!plots.curve().values.empty(), kPatienceMs);
  plots.type("velocity-x");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}), kPatienceMs);
  const std::vector<double> alone = plots.curve().values;
  const QString first = plots.choice("data")->currentText();
  const QString second = plots.openBeside("sample://taylor-green?size=9&steps=5");
  QTRY_VERIFY_WITH_TIMEOUT(plots.child<QCheckBox>("plot.allData")->isVisible(), kPatienceMs);
  plots.chooseAllData();
  const QStringList both{first + ": velocity-x", second + ": velocity-x"};
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows(both) && plots.curve().places.size() == 5, kPatienceMs);
  const std::vector<double>& longer = plots.curve().others[0].values;
  QVERIFY(std::equal(alone.begin(), alone.end(), longer.begin()));
  for (const std::size_t n : {std::size_t(3), std::size_t(4)}) {
    QCOMPARE(plots.curve().values[n], ui::kElsewhere);
    QVERIFY(std::isfinite(longer[n]));
  }
  QVERIFY(plots.panel().writeCsv(plots.at("time.csv")));
  const QList<QByteArray> lines = linesOf(plots.at("time.csv"));
  QCOMPARE(lines[0], QString("time," + both.join(',')).toUtf8());
  QCOMPARE(lines.size(), 6);
  QVERIFY(lines[5].split(',')[1].isEmpty() && lines[5].split(',')[2].toDouble() == longer[4]);
  plots.keep("all-data-over-time");
}

/// Their steps are none of the plot: neither its axis nor its table goes on to them. Why they are not there is said.
void TestSeveralCurves::dataWithoutValuesThereHaveNoTimes() {
  Plots plots("sample://taylor-green?size=9&steps=3");
  plots.trigger("plotTime");
  QTRY_VERIFY_WITH_TIMEOUT(!plots.curve().values.empty(), kPatienceMs);
  plots.type("velocity-x");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}), kPatienceMs);
  const std::vector<double> places = plots.curve().places;
  const std::array<double, 2> ends = plots.curve().ends;
  const QString first = plots.choice("data")->currentText();
  const QString second = plots.openBeside("sample://tornado?size=9&steps=9");  // which lies elsewhere
  QTRY_VERIFY_WITH_TIMEOUT(plots.child<QCheckBox>("plot.allData")->isVisible(), kPatienceMs);
  plots.chooseAllData();
  const QString outside = "At 9 of 9 steps the point lies outside of " + second + '.';
  QTRY_VERIFY2_WITH_TIMEOUT(plots.note().contains(outside), qPrintable(plots.note()), kPatienceMs);
  QVERIFY(plots.shows({first + ": velocity-x"}));
  QCOMPARE(plots.curve().places, places);
  QCOMPARE(plots.curve().ends, ends);
  QVERIFY(plots.panel().writeCsv(plots.at("one.csv")));
  QCOMPARE(linesOf(plots.at("one.csv"))[0], QString("step,time," + first + ": velocity-x").toUtf8());
}

/// Others are of one: the choice is not there, and a session that makes it is refused.
void TestSeveralCurves::allDataAreForLinesAndTimes() {
  Plots plots("sample://abc?size=9");
  plots.trigger("plotLine");
  plots.type("velocity-x");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}), kPatienceMs);
  plots.openBeside("sample://taylor-green?size=9");
  QTRY_VERIFY_WITH_TIMEOUT(plots.child<QCheckBox>("plot.allData")->isVisible(), kPatienceMs);
  plots.chooseAllData();
  QTRY_COMPARE_WITH_TIMEOUT(plots.curve().count(), std::size_t(2), kPatienceMs);
  plots.choice("kind")->setFocus();
  QTest::keyClick(plots.choice("kind"), Qt::Key_Down);
  QTest::keyClick(plots.choice("kind"), Qt::Key_Down);
  QVERIFY(!plots.child<QCheckBox>("plot.allData")->isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(plots.curve().bars && plots.curve().across == "velocity-x", kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(plots.kept()->data, std::string("abc"), kPatienceMs);
  QVERIFY_THROWS_EXCEPTION(
      Invalid, (void)session::parseSession(
                   R"({"farfield": 1, "data": {}, "objects": [], "plot": {"kind": "values", "data": "*"}})"));
}

void TestSeveralCurves::areKeptAndUndone() {
  TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "several.json").string());
  {
    Plots plots("sample://abc?size=9");
    plots.trigger("plotLine");
    plots.type("velocity-x");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}), kPatienceMs);
    plots.window.viewport().setFocus();
    plots.type("velocity-x, velocity-z");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x", "velocity-z"}), kPatienceMs);
    plots.trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}), kPatienceMs);
    plots.trigger("redo");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x", "velocity-z"}), kPatienceMs);
    plots.model.save(file);
    QTRY_VERIFY_WITH_TIMEOUT(!plots.model.document().isModified(), kPatienceMs);
  }
  Plots plots(file);
  QCOMPARE(plots.choice("by")->currentText(), QString("velocity-x, velocity-z"));
  plots.window.findChild<QWidget*>("dock.plots")->show();
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x", "velocity-z"}), kPatienceMs);
  QVERIFY(!plots.model.document().isModified());
}

/// One's own, and what is made of it; it comes back with it.
void TestSeveralCurves::oneThatIsRemovedLeavesTheOthers() {
  Plots plots("sample://abc?size=9");
  const std::string data = plots.session().data.front().name;
  app::defineFunction(plots.model.document(), data, "mine", "velocity-x*2");
  QTRY_VERIFY_WITH_TIMEOUT(plots.model.stage().summary(data) && plots.rests(), kPatienceMs);
  plots.trigger("plotLine");
  const QStringList all{"mine", "velocity-x", "10*mine"};
  plots.type(all.join(", "));
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows(all), kPatienceMs);
  plots.window.viewport().setFocus();
  app::removeFunctions(plots.model, data, {"mine"});
  QCOMPARE(plots.session().plot->by, std::string("velocity-x"));
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x"}), kPatienceMs);
  plots.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows(all), kPatienceMs);
}

void TestSeveralCurves::wrongOnesAreNamed() {
  Plots plots("sample://abc?size=9");
  plots.trigger("plotLine");
  QTRY_VERIFY_WITH_TIMEOUT(!plots.curve().values.empty(), kPatienceMs);
  plots.type("velocity-x, velocty-y");
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().curve().text().contains("velocty-y"), kPatienceMs);
  QVERIFY(!plots.session().plot || plots.session().plot->by != "velocity-x, velocty-y");
  QStringList many;
  for (int n = 1; n < 20; ++n) many.append(QString("velocity-x*%1").arg(n));
  plots.type(many.join(", "));
  QTRY_VERIFY2_WITH_TIMEOUT(plots.panel().curve().text().contains("at most 12"),
                            qPrintable(plots.panel().curve().text()), kPatienceMs);
}

/// How often values of several functions occur is not one picture.
void TestSeveralCurves::theFirstIsCounted() {
  Plots plots("sample://abc?size=9");
  plots.trigger("plotLine");
  plots.type("velocity-x, velocity-y");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows({"velocity-x", "velocity-y"}), kPatienceMs);
  plots.choice("kind")->setCurrentIndex(2);
  QTRY_VERIFY_WITH_TIMEOUT(plots.curve().bars && plots.curve().across == "velocity-x", kPatienceMs);
  QCOMPARE(plots.curve().count(), std::size_t(1));
  QVERIFY2(plots.note().contains("first"), qPrintable(plots.note()));
}

void TestSeveralCurves::axesFollowUnitsAndSizes() {
  const auto sides = [](const std::vector<Curve::Other>& all) { return ui::axesOf(several(all)).sides; };
  // Of about one size: one axis. Ten times as long is still read.
  QVERIFY(sides({other("a", {0, 2}), other("b", {0.9, 1.2})}) == (std::vector{Side::Left, Side::Left}));
  QVERIFY(sides({other("a", {0, 2}), other("b", {0, 30})}) == (std::vector{Side::Left, Side::Right}));
  QVERIFY(sides({other("a", {0, 1}), other("b", {300, 301})}) == (std::vector{Side::Left, Side::Right}));
  // One value is where it is near; gaps are nowhere.
  QVERIFY(sides({other("a", {0, 2}), other("b", {1, 1})}) == (std::vector{Side::Left, Side::Left}));
  QVERIFY(sides({other("a", {0, 2}), other("b", {NAN, NAN})}) == (std::vector{Side::Left, Side::Left}));
  // One unit has one axis, however small; two units have two, however alike.
  const ui::CurveAxes small = ui::axesOf(several({other("u", {0, 100}, "m/s"), other("v", {0, 1}, "m/s")}));
  QVERIFY(!small.hasRight);
  QVERIFY2(small.note.contains("v takes less than a tenth"), qPrintable(small.note));
  QVERIFY(sides({other("p", {0, 1}, "Pa"), other("T", {0, 1}, "K")}) ==
          (std::vector{Side::Left, Side::Right}));
  // A third one shares an axis, which is said.
  const ui::CurveAxes three = ui::axesOf(
      several({other("p", {0, 1e5}, "Pa"), other("T", {0, 300}, "K"), other("u", {0, 90}, "m/s")}));
  QVERIFY(three.sides == (std::vector{Side::Left, Side::Right, Side::Right}));
  QCOMPARE(three.rangeOf(Side::Right)[1], 300.0);
  QVERIFY2(three.note.contains("u shares"), qPrintable(three.note));
  // Of one curve nothing is said.
  QVERIFY(ui::axesOf(several({other("a", {0, 2})})).note.isEmpty());
  // Once they are apart they stay so from step to step; others begin anew.
  ui::CurveView view;
  const auto isApart = [&](const std::vector<Curve::Other>& all, bool isPart = false) {
    Curve curve = several(all);
    curve.isPart = isPart;
    view.showCurve(curve);
    return view.axes().hasRight;
  };
  QVERIFY(!isApart({other("a", {0, 2}), other("b", {1, 2})}));
  QVERIFY(isApart({other("a", {0, 2}), other("b", {0, 30})}));
  QVERIFY(isApart({other("a", {0, 2}), other("b", {1, 2})}));
  for (int time = 0; time < 2; ++time) {  // what shares an axis is said each time
    QVERIFY(isApart({other("p", {0, 1e5}, "Pa"), other("T", {0, 300}, "K"), other("u", {0, 90}, "m/s")}));
    QVERIFY2(view.axes().note.contains("u shares"), qPrintable(view.axes().note));
  }
  QVERIFY(isApart({other("a", {0, 2}), other("b", {0, 30})}));
  QVERIFY(isApart({other("a", {0, 2}), other("b", {1, 2})}));
  QCOMPARE(view.axes().rangeOf(Side::Right)[0], 1.0);
  QVERIFY(!isApart({other("a", {0, 2}), other("c", {1, 2})}));
  // What is read in part tells nothing of the rest.
  QVERIFY(isApart({other("a", {0, 0.1}), other("c", {1, 2})}, true));
  QVERIFY(!isApart({other("a", {0, 2}), other("c", {1, 2})}));
}

void TestSeveralCurves::theyAreToldApart() {
  for (const app::Theme theme : {app::Theme::Light, app::Theme::Dark}) {
    ui::applyTheme(theme);
    const QPalette colors = QApplication::palette();
    for (std::size_t n = 0; n < 12; ++n) {
      const QPen pen = ui::penOfCurve(n, colors);
      QVERIFY(contrast(pen.color(), colors.color(QPalette::Base)) >= 3);
      for (std::size_t other = 0; other < n; ++other) {
        const QPen its = ui::penOfCurve(other, colors);
        QVERIFY(its.color() != pen.color() || its.dashPattern() != pen.dashPattern());
        // Nor by the pattern alone as long as there are few.
        if (n < 5) QVERIFY(its.color() != pen.color() && its.dashPattern() != pen.dashPattern());
      }
    }
  }
  ui::applyTheme(app::Theme::Light);
}

/// The key gives way, by whole rows, before the plot has no height: what is read below must not be above.
void TestSeveralCurves::standUprightHoweverLow() {
  ui::CurveView view;
  std::vector<Curve::Other> all;
  for (const char* const name : {"a", "b", "c", "d", "e"}) all.push_back(other(name, {10, 15}));
  const int line = view.fontMetrics().height();
  int seen = 0, counted = 0;
  for (int height = view.minimumHeight(); height < 20 * line; height += line / 2) {
    view.resize(30 * line, height);
    view.showCurve(several(all));
    const QString drawn = QString::fromUtf8(view.svg());
    const auto heightOf = [&](const char* label) {
      const QRegularExpression text(QString("<text[^>]* y=\"([-0-9.]+)\"[^>]*>%1</text>").arg(label));
      const auto found = text.match(drawn);
      return found.hasMatch() ? found.captured(1).toDouble() : -1;
    };
    // Names that have no room are counted.
    int named = 0, others = 0;
    for (const char* const name : {"a", "b", "c", "d", "e"}) {
      const auto found = QRegularExpression(QString(">%1( … and (\\d+) more)?<").arg(name)).match(drawn);
      named += found.hasMatch();
      if (!found.captured(2).isEmpty()) others = found.captured(2).toInt();
    }
    counted += others > 0;
    if (named > 0) QCOMPARE(named + others, 5);
    const double low = heightOf("10"), high = heightOf("15");
    if (low < 0 || high < 0) continue;
    ++seen;
    QVERIFY2(low > high, qPrintable(QString("%1 %2 at %3").arg(low).arg(high).arg(height)));
  }
  QVERIFY2(seen > 10 && counted > 1, qPrintable(QString("%1 %2").arg(seen).arg(counted)));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestSeveralCurves test;
  return QTest::qExec(&test, count, words);
}
#include "tst_several_curves.moc"
