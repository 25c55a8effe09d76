// What is plotted belongs to the session: which function, over what, chosen by hand and by commands, kept in the file, undone,
// and followed where objects are called something else; what the panel says beside it. So does which step
// was shown. Needs no OpenGL.

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QStandardPaths>
#include <QToolButton>
#include <cmath>
#include <vector>

#include "app/model/document/plot_line.h"
#include "app/model/probes.h"
#include "app/ui/plots/curve_view.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/typed_line.h"
#include "core/base/error.h"
#include "core/session/json/look_names.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/plot_studio.h"

using namespace farfield;
using namespace farfield::test;
using session::PlotChoice;

namespace {

struct Plots : PlotStudio {
  using PlotStudio::PlotStudio;
  /// As with the keyboard: by its letters.
  void choose(const char* name, const QString& text) const {
    QComboBox* const its = choice(name);
    its->setFocus();
    const int at = its->findText(text);
    QVERIFY2(at >= 0, qPrintable(text));
    while (its->currentIndex() != at) {
      const int before = its->currentIndex();
      QTest::keyClick(its, before < at ? Qt::Key_Down : Qt::Key_Up);
      QVERIFY(its->currentIndex() != before);
    }
  }
  bool shows(const QString& up) const {
    const ui::Curve& curve = panel().curve().curve();
    return !curve.values.empty() && curve.up == up;
  }
  void saveAs(const QString& path) {
    model.save(path);
    QTRY_VERIFY_WITH_TIMEOUT(!model.document().isModified(), kPatienceMs);
  }
  int steps() { return model.document().undoStack().count(); }
};

}  // namespace

class TestKeptPlots : public QObject {
  Q_OBJECT
 private slots:
  void linesComeBackWithTheirFunction();
  void pointsComeBack();
  void valuesOnAnObjectComeBack();
  void openedAndLookedAtIsUnchanged();
  void choicesAreUndone();
  void namesAreFollowed();
  void nothingIsPlottedWithoutItsPlace();
  void whatIsChosenAgainIsPlotted();
  void theLineOfTheDataFollowsARake();
  void wrongOnesAreRefused();
  void filesLeaveTheNumbers();
  void filesWaitForTheCurve();
  void oneStepIsNoCurve();
  void noNumbersAreNotOutside();
  void otherDataWithAPointAreOneStep();
  void theShownStepComesBack();
  void theShownStepIsSavedWhenAsked();
  void dataOfOneStepAreSavedOnce();
  void theShownStepIsRedone();
  void whatIsTypedIsPlottedAsTypingPauses();
  void pointsOverTimeAreNoEndsOfLines();
  void otherDataGetALineOfTheirOwn();

 private:
  QString path(const char* name) const { return QString::fromStdString((m_folder / name).string()); }
  TemporaryFolder m_folder;
};

void TestKeptPlots::linesComeBackWithTheirFunction() {
  const QString file = path("line.json");
  {
    Plots plots("sample://abc?size=9");
    plots.trigger("plotLine");
    plots.type("velocity-x*2");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-x*2"), kPatienceMs);
    // What makes no sense is not kept.
    plots.type("velocty-x*2");
    QVERIFY(plots.kept() && plots.kept()->by == "velocity-x*2");
    plots.saveAs(file);
  }
  Plots plots(file);
  QCOMPARE(plots.choice("by")->currentText(), QString("velocity-x*2"));
  // Asked for once more, it is the same.
  plots.trigger("plotLine");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-x*2"), kPatienceMs);
  QVERIFY(!plots.model.document().isModified());
}

void TestKeptPlots::pointsComeBack() {
  const QString file = path("time.json");
  Vec3 place;
  {
    Plots plots("sample://taylor-green?size=9&steps=3");
    plots.trigger("addProbe");
    QTRY_VERIFY_WITH_TIMEOUT(
        plots.rests() && plots.session().objects.back().type() == session::kTypeOf<session::Probe>,
        kPatienceMs);
    place = {1, 2, 0.5};
    plots.model.document().edit("Another", [&](app::Draft& draft) {
      std::get<session::Probe>(draft.object(plots.newest()).shape).points.push_back(place);
    });
    plots.trigger("plotTime");
    plots.choose("by", "velocity-y");
    QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-y"), kPatienceMs);
    const PlotChoice expected{PlotChoice::Kind::Time, "taylor-green", "velocity-y", "probes", 1};
    QVERIFY(plots.kept() == expected);
    plots.saveAs(file);
  }
  Plots plots(file);
  QCOMPARE(plots.choice("kind")->currentIndex(), 1);
  QCOMPARE(plots.choice("by")->currentText(), QString("velocity-y"));
  QCOMPARE(*plots.child<ui::NumberEdit>("plot.from.y")->value(), place.y);
  plots.window.findChild<QWidget*>("dock.plots")->show();
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-y") && plots.panel().curve().curve().values.size() == 3,
                           kPatienceMs);
}

void TestKeptPlots::valuesOnAnObjectComeBack() {
  const QString file = path("values.json");
  {
    Plots plots("sample://abc?size=9");
    plots.trigger("addSlice");
    QTRY_VERIFY_WITH_TIMEOUT(plots.rests(), kPatienceMs);
    plots.trigger("plotValues");
    QTRY_VERIFY_WITH_TIMEOUT(plots.panel().sums().has_value(), kPatienceMs);
    QVERIFY(plots.kept() && plots.kept()->on == plots.session().objects.back().name);
    plots.saveAs(file);
  }
  Plots plots(file);
  QCOMPARE(plots.choice("kind")->currentIndex(), 2);
  QCOMPARE(plots.choice("over")->currentText(), QString::fromStdString(plots.session().objects.back().name));
  plots.window.findChild<QWidget*>("dock.plots")->show();
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().sums().has_value(), kPatienceMs);
  QVERIFY(!plots.model.document().isModified());
}

/// A session of before has none, and gets none by being looked at.
void TestKeptPlots::openedAndLookedAtIsUnchanged() {
  const QString file = path("plain.json");
  {
    Plots plots("sample://abc?size=9");
    plots.saveAs(file);
  }
  QFile before(file);
  QVERIFY(before.open(QIODevice::ReadOnly) && !before.readAll().contains("plot"));
  Plots plots(file);
  plots.window.findChild<QWidget*>("dock.plots")->show();
  // Nor is a line shown that is not in the view.
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().curve().text().contains("Nothing is plotted"), kPatienceMs);
  QLineEdit* const edit = plots.choice("by")->lineEdit();
  edit->setFocus();
  QTest::keyClick(edit, Qt::Key_Tab);
  QVERIFY(!plots.kept() && !plots.model.document().isModified());
}

void TestKeptPlots::choicesAreUndone() {
  Plots plots("sample://abc?size=9");
  const std::size_t objects = plots.session().objects.size();
  const int before = plots.steps();
  plots.trigger("plotLine");
  // The line and what is plotted along it are one step.
  QCOMPARE(plots.steps(), before + 1);
  const QString usual = plots.choice("by")->currentText();
  plots.choose("by", "velocity-z");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-z"), kPatienceMs);
  plots.choose("kind", plots.choice("kind")->itemText(2));
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().curve().curve().bars, kPatienceMs);
  // What was met with the keys on the way is no choice.
  QCOMPARE(plots.steps(), before + 3);
  plots.trigger("undo");
  QCOMPARE(plots.choice("kind")->currentIndex(), 0);
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-z"), kPatienceMs);
  plots.trigger("undo");
  QCOMPARE(plots.choice("by")->currentText(), usual);
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows(usual), kPatienceMs);
  plots.trigger("undo");
  QCOMPARE(plots.session().objects.size(), objects);
  QVERIFY(!plots.kept());
  plots.trigger("redo");
  QVERIFY(plots.kept() && plots.kept()->by == usual.toStdString());
  // Who comes back to a list chooses anew.
  QTRY_VERIFY_WITH_TIMEOUT(plots.window.isActiveWindow(), kPatienceMs);
  const auto index = [&] { return plots.model.document().undoStack().index(); };
  const int first = index();
  for (const int visit : {1, 2}) {
    plots.choose("kind", plots.choice("kind")->itemText(visit == 1 ? 2 : 0));
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), plots.choice("kind"), kPatienceMs);
    plots.window.viewport().setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &plots.window.viewport(), kPatienceMs);
    QCOMPARE(index(), first + visit);
  }
}

void TestKeptPlots::namesAreFollowed() {
  Plots plots("sample://abc?size=9");
  plots.trigger("plotLine");
  app::Document& document = plots.model.document();
  const app::ObjectId line = plots.panel().place();
  QVERIFY(line != 0 && plots.kept()->on == document.object(line)->name);
  QCOMPARE(document.renameObject(line, "across"), QString());
  QCOMPARE(plots.kept()->on, std::string("across"));
  QCOMPARE(plots.panel().place(), line);
  QCOMPARE(document.renameData("abc", "flow"), QString());
  QCOMPARE(plots.kept()->data, std::string("flow"));
  document.removeData("flow");
  QVERIFY(!plots.kept());
  plots.trigger("undo");
  QVERIFY(plots.kept() && plots.kept()->on == "across");
  // What has no place is not plotted.
  document.edit("Remove", [&](app::Draft& draft) { draft.remove(line); });
  QVERIFY(!plots.kept());
}

/// A curve is over something in the view, or there is none.
void TestKeptPlots::nothingIsPlottedWithoutItsPlace() {
  Plots plots("sample://taylor-green?size=9&steps=3");
  const std::size_t objects = plots.session().objects.size();
  const auto isNothing = [&] {
    return plots.panel().curve().curve().values.empty() &&
           plots.panel().curve().text().contains("Nothing is plotted");
  };
  plots.trigger("plotTime");
  QTRY_COMPARE_WITH_TIMEOUT(plots.panel().curve().curve().values.size(), std::size_t(3), kPatienceMs);
  plots.trigger("undo");
  QCOMPARE(plots.session().objects.size(), objects);
  QTRY_VERIFY_WITH_TIMEOUT(isNothing(), kPatienceMs);
  QVERIFY(!plots.child<QToolButton>("plot.csv")->isEnabled());
  plots.trigger("redo");
  QTRY_COMPARE_WITH_TIMEOUT(plots.panel().curve().curve().values.size(), std::size_t(3), kPatienceMs);
  plots.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(plots.newest()); });
  QTRY_VERIFY_WITH_TIMEOUT(isNothing() && !plots.kept(), kPatienceMs);
}

/// Where nothing is plotted any more, the kind that stands there is chosen like another.
void TestKeptPlots::whatIsChosenAgainIsPlotted() {
  Plots plots("sample://taylor-green?size=9&steps=3");
  plots.trigger("plotLine");
  QTRY_VERIFY_WITH_TIMEOUT(!plots.panel().curve().curve().values.empty(), kPatienceMs);
  plots.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().curve().text().contains("Nothing is plotted"), kPatienceMs);
  QComboBox* const kind = plots.choice("kind");
  kind->setFocus();
  kind->showPopup();
  QTRY_VERIFY_WITH_TIMEOUT(kind->view()->isVisible(), kPatienceMs);
  QTest::keyClick(kind->view(), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(!plots.panel().curve().curve().values.empty(), kPatienceMs);
  QCOMPARE(plots.kept()->kind, session::PlotChoice::Kind::Line);
  plots.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().curve().text().contains("Nothing is plotted"), kPatienceMs);
}

void TestKeptPlots::theLineOfTheDataFollowsARake() {
  Plots plots("sample://abc?size=9");
  app::Document& document = plots.model.document();
  const auto plotRake = [&] {
    plots.trigger("addStreamlines");
    const app::ObjectId lines = plots.newest();
    document.edit("Rake", [&](app::Draft& draft) {
      std::get<session::Streamlines>(draft.object(lines).shape).seeds =
          session::LineSeeds{.from = {1, 1, 1}, .to = {1, 5, 1}, .count = 5};
    });
    plots.window.pipeline().select(lines);
    plots.trigger("plotLine");
    return lines;
  };
  const auto isAlong = [&](app::ObjectId id, double reach) {
    return plots.panel().place() == id && !plots.panel().curve().curve().values.empty() &&
           std::abs(plots.panel().curve().curve().ends[1] - reach) < 1e-9;
  };
  const app::ObjectId rake = plotRake();
  QTRY_VERIFY_WITH_TIMEOUT(isAlong(rake, 4), kPatienceMs);
  document.edit("Remove", [&](app::Draft& draft) { draft.remove(rake); });
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().curve().text().contains("Nothing is plotted"), kPatienceMs);
  plots.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(isAlong(rake, 4), kPatienceMs);
  // Where the data have a line of their own, it is along that.
  const app::ObjectId line = app::putPlotLine(document, "abc", {1, 1, 1}, {1, 1, 4});
  document.endMerge();
  QTRY_VERIFY_WITH_TIMEOUT(isAlong(rake, 4), kPatienceMs);
  document.edit("Remove", [&](app::Draft& draft) { draft.remove(rake); });
  QTRY_VERIFY_WITH_TIMEOUT(isAlong(line, 3), kPatienceMs);
  QCOMPARE(plots.kept()->on, document.object(line)->name);
}

void TestKeptPlots::wrongOnesAreRefused() {
  const auto read = [](const char* plot) {
    return session::parseSession(
        R"({"farfield": 1, "data": {"a": {"source": "sample://abc"}}, "objects": [], "plot": )" +
        std::string(plot) + "}");
  };
  const session::Session whole =
      read(R"({"kind": "time", "data": "a", "by": "velocity-x", "on": "probes", "place": 3})");
  const PlotChoice expected{PlotChoice::Kind::Time, "a", "velocity-x", "probes", 3};
  QVERIFY(whole.plot == expected);
  QVERIFY(session::parseSession(session::toJson(whole)).plot == expected);
  const session::Session all = read(R"({"kind": "time", "data": "a", "on": "probes", "place": "all"})");
  QVERIFY(all.plot->place == session::kAllPlaces);
  QVERIFY(session::parseSession(session::toJson(all)).plot == all.plot);
  for (const char* const wrong :
       {R"({})", R"({"kind": "pie"})", R"({"kind": "line", "of": "x"})", R"({"kind": "time", "place": -1})",
        R"({"kind": "time", "place": "none"})", R"([])"})
    QVERIFY_THROWS_EXCEPTION(Invalid, (void)read(wrong));
}

/// What was written is told where all messages are.
void TestKeptPlots::filesLeaveTheNumbers() {
  Plots plots("sample://abc?size=9");
  plots.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests(), kPatienceMs);
  plots.trigger("plotValues");
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().sums().has_value(), kPatienceMs);
  const QString said = plots.child<QLabel>("plot.note")->text();
  QVERIFY(said.startsWith("Area "));
  auto* const csv = plots.child<QToolButton>("plot.csv");
  csv->click();
  QTRY_VERIFY_WITH_TIMEOUT(plots.child<QFileDialog>({}), kPatienceMs);
  auto* const files = plots.child<QFileDialog>({});
  files->setDirectory(QFileInfo(path("hist.csv")).absolutePath());
  files->selectFile("hist.csv");
  QMetaObject::invokeMethod(files, "accept");
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(path("hist.csv")).size() > 0, kPatienceMs);
  const auto* const messages = plots.window.findChild<ui::MessageList*>();
  QTRY_VERIFY_WITH_TIMEOUT(messages->allText().contains("hist.csv"), kPatienceMs);
  QCOMPARE(plots.child<QLabel>("plot.note")->text(), said);
}

/// As while time is played: the step has changed when a name has been chosen, and the curve of the new one is not there yet.
void TestKeptPlots::filesWaitForTheCurve() {
  Plots plots("sample://taylor-green?size=9&steps=5");
  plots.trigger("plotLine");
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests() && !plots.panel().curve().curve().values.empty(), kPatienceMs);
  const auto ofStep = [&](std::int64_t step) {
    plots.model.stage().setStep(step);
    const auto before = plots.panel().curve().curve().values;
    (void)QTest::qWaitFor([&] { return plots.panel().curve().curve().values != before; }, kPatienceMs);
    return plots.panel().curve().curve().values;
  };
  const auto first = ofStep(1), second = ofStep(2);
  QVERIFY(first != second);
  const auto* const messages = plots.window.findChild<ui::MessageList*>();
  const auto save = [&](const char* name, const char* said, const std::function<void()>& meanwhile) {
    auto* const csv = plots.child<QToolButton>("plot.csv");
    QTRY_VERIFY_WITH_TIMEOUT(csv->isEnabled(), kPatienceMs);
    csv->click();
    QTRY_VERIFY_WITH_TIMEOUT(plots.child<QFileDialog>({}), kPatienceMs);
    meanwhile();
    emit plots.child<QFileDialog>({})->fileSelected(path(name));
    QVERIFY2(messages->allText().contains(QString(name) + said), qPrintable(messages->allText()));
    QVERIFY(!QFile::exists(path(name)));
    plots.child<QFileDialog>({})->reject();
    QTRY_VERIFY_WITH_TIMEOUT(!plots.child<QFileDialog>({}), kPatienceMs);
  };
  save("step.csv", " is written once the curve of the step", [&] { plots.model.stage().setStep(1); });
  if (QTest::currentTestFailed()) return;
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("step.csv")), kPatienceMs);
  QFile table(path("step.csv"));
  QVERIFY(table.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = table.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), 1 + static_cast<qsizetype>(first.size()));
  for (std::size_t n = 0; n < first.size(); n += 100)
    QCOMPARE(lines[1 + static_cast<qsizetype>(n)].split(',').back().toDouble(), first[n]);
  // Where nothing is plotted any more nothing is written, and that is said.
  save("none.csv", " is not written: there is no curve.", [&] {
    plots.model.stage().setStep(2);
    plots.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(plots.newest()); });
  });
}

void TestKeptPlots::oneStepIsNoCurve() {
  Plots plots("sample://abc?size=9");
  plots.trigger("plotTime");
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().curve().accessibleDescription().contains("one step only: "),
                           kPatienceMs);
  QVERIFY(plots.panel().curve().curve().values.empty());
  QVERIFY(!plots.child<QToolButton>("plot.csv")->isEnabled());
}

/// A place in the data where the function has no value is a gap as well, for another reason.
void TestKeptPlots::noNumbersAreNotOutside() {
  Plots plots("sample://cylinder?size=33,17,9&blocks=1&steps=3");
  const auto note = [&] { return plots.child<QLabel>("plot.note")->text(); };
  plots.trigger("plotLine");
  plots.type("velocity-x");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-x") && note().endsWith("lie outside of the data."),
                           kPatienceMs);
  const QString outside = note();
  const int count = outside.section(' ', 0, 0).toInt();
  QVERIFY2(count > 0 && count < 401, qPrintable(outside));
  plots.type("log(0-1-velocity-x*velocity-x)");
  QTRY_VERIFY_WITH_TIMEOUT(note().contains("not a number"), kPatienceMs);
  QCOMPARE(note(), outside + QString(" At %1 of 401 points it is not a number.").arg(401 - count));
  plots.trigger("plotTime");
  // A place in the data is sought first.
  QTRY_VERIFY_WITH_TIMEOUT(plots.kept() && plots.kept()->kind == PlotChoice::Kind::Time, kPatienceMs);
  plots.type("log(0-1-velocity-x*velocity-x)");
  QTRY_COMPARE_WITH_TIMEOUT(note(), QString("At 3 of 3 steps it is not a number."), kPatienceMs);
}

/// A point of theirs is looked for, and comes with the choice: one undo takes both back.
void TestKeptPlots::otherDataWithAPointAreOneStep() {
  Plots plots("sample://taylor-green?size=9&steps=3");
  plots.model.open({"sample://cylinder?size=33,17,9&blocks=1&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests() && plots.session().data.size() == 2, kPatienceMs);
  const std::string first = plots.session().data[0].name, second = plots.session().data[1].name;
  plots.trigger("plotTime");
  QTRY_VERIFY_WITH_TIMEOUT(plots.kept() && plots.kept()->kind == PlotChoice::Kind::Time, kPatienceMs);
  auto* const data = plots.choice("data");
  const QString was = data->currentText();
  const std::string other = was.toStdString() == first ? second : first;
  const std::size_t objects = plots.session().objects.size();
  const int steps = plots.model.document().undoStack().index();
  data->setCurrentIndex(data->findText(QString::fromStdString(other)));
  emit data->activated(data->currentIndex());
  QTRY_VERIFY_WITH_TIMEOUT(plots.kept() && plots.kept()->data == other, kPatienceMs);
  QCOMPARE(plots.session().objects.size(), objects + 1);
  QCOMPARE(plots.model.document().undoStack().index(), steps + 1);
  plots.trigger("undo");
  QCOMPARE(plots.session().objects.size(), objects);
  QVERIFY(plots.kept()->data == was.toStdString() && data->currentText() == was);
}

/// Of the session that was saved, without being an edit of it.
void TestKeptPlots::theShownStepComesBack() {
  const QString file = path("step.json");
  {
    Plots plots("sample://taylor-green?size=9&steps=5");
    plots.model.stage().setStep(3);
    plots.saveAs(file);
    plots.model.stage().setStep(1);
    QVERIFY(!plots.model.document().isModified());
  }
  Plots plots(file);
  QCOMPARE(plots.model.stage().step(), std::int64_t{3});
  QCOMPARE(plots.session().shownStep, std::int64_t{3});
  QVERIFY(!plots.model.document().isModified());
  // Chosen once, it is not gone back to.
  plots.model.stage().setStep(0);
  plots.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests() && plots.session().data.size() == 2, kPatienceMs);
  QCOMPARE(plots.model.stage().step(), std::int64_t{0});
  plots.saveAs(file);
  QFile saved(file);
  QVERIFY(saved.open(QIODevice::ReadOnly) && !saved.readAll().contains("shown"));
}

/// Where nothing but the step is other than in the file, of which closing does not ask.
void TestKeptPlots::theShownStepIsSavedWhenAsked() {
  Plots plots("sample://taylor-green?size=9&steps=5");
  QTRY_VERIFY_WITH_TIMEOUT(plots.viewRests(), kPatienceMs);
  const QString file = path("asked.json");
  /// -1: it is still being written.
  const auto savedStep = [&]() -> std::int64_t {
    QFile saved(file);
    if (plots.model.document().path() != file || plots.model.document().isModified() ||
        !saved.open(QIODevice::ReadOnly))
      return -1;
    return session::parseSession(saved.readAll().toStdString()).shownStep;
  };
  plots.model.stage().setStep(3);
  plots.saveAs(file);
  QTRY_COMPARE_WITH_TIMEOUT(savedStep(), std::int64_t{3}, kPatienceMs);
  for (const std::int64_t step : {1, 0}) {
    plots.model.stage().setStep(step);
    QTRY_VERIFY_WITH_TIMEOUT(plots.rests(), kPatienceMs);
    QVERIFY(!plots.model.document().isModified() && !plots.window.isWindowModified());
    QVERIFY(plots.action("save")->isEnabled());
    plots.trigger("save");
    QTRY_COMPARE_WITH_TIMEOUT(savedStep(), step, kPatienceMs);
  }
}

void TestKeptPlots::dataOfOneStepAreSavedOnce() {
  Plots plots("sample://abc?size=9");
  QTRY_VERIFY_WITH_TIMEOUT(plots.viewRests(), kPatienceMs);
  plots.saveAs(path("still.json"));
  QTRY_VERIFY_WITH_TIMEOUT(!plots.action("save")->isEnabled(), kPatienceMs);
}

/// Steps are no part of undo, but data are, and take their steps with them.
void TestKeptPlots::theShownStepIsRedone() {
  Plots plots("sample://taylor-green?size=9&steps=5");
  plots.model.stage().setStep(3);
  while (!plots.session().data.empty()) plots.trigger("undo");
  QCOMPARE(plots.model.stage().step(), std::int64_t{0});
  while (plots.action("redo")->isEnabled()) plots.trigger("redo");
  QTRY_COMPARE_WITH_TIMEOUT(plots.model.stage().step(), std::int64_t{3}, kPatienceMs);
  // Other data begin at their beginning.
  while (!plots.session().data.empty()) plots.trigger("undo");
  plots.model.open({"sample://taylor-green?size=7&steps=6"});
  QTRY_COMPARE_WITH_TIMEOUT(plots.model.stage().steps(), std::int64_t{6}, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests(), kPatienceMs);
  QCOMPARE(plots.model.stage().step(), std::int64_t{0});
}

/// Without Return, as in the properties; what is not finished stays as it is, and the whole of it is one step.
void TestKeptPlots::whatIsTypedIsPlottedAsTypingPauses() {
  Plots plots("sample://abc?size=9");
  plots.trigger("plotLine");
  const QString usual = plots.choice("by")->currentText();
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows(usual), kPatienceMs);
  const int before = plots.steps();
  QLineEdit* const edit = plots.choice("by")->lineEdit();
  edit->setFocus();
  edit->selectAll();
  QTest::keyClicks(edit, "velocity-x*2");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-x*2"), kPatienceMs);
  QVERIFY(plots.kept() && plots.kept()->by == "velocity-x*2");
  QTest::keyClicks(edit, "+");
  QTest::qWait(3 * ui::kTypingPauseMs);
  QCOMPARE(edit->text(), QString("velocity-x*2+"));
  QVERIFY(plots.shows("velocity-x*2"));
  QTest::keyClicks(edit, "1");
  QTRY_VERIFY_WITH_TIMEOUT(plots.shows("velocity-x*2+1"), kPatienceMs);
  QCOMPARE(edit->cursorPosition(), int(edit->text().size()));
  QCOMPARE(plots.steps(), before + 1);
  plots.trigger("undo");
  QCOMPARE(edit->text(), usual);
}

/// A plot over time begins in the middle of the data, and a line goes through all of them, whichever of the two was there before.
void TestKeptPlots::pointsOverTimeAreNoEndsOfLines() {
  Plots plots("sample://taylor-green?size=9&steps=3");
  plots.window.findChild<QWidget*>("dock.plots")->show();
  const Bounds bounds = plots.model.stage().summary("taylor-green")->bounds;
  const auto from = [&](char axis) {
    return *plots.child<ui::NumberEdit>(QString("plot.from.%1").arg(QChar(axis)))->value();
  };
  QCOMPARE(from('x'), bounds.min.x);
  plots.choose("kind", plots.choice("kind")->itemText(1));
  QCOMPARE(from('x'), bounds.center().x);
  plots.choose("kind", plots.choice("kind")->itemText(0));
  QCOMPARE(from('x'), bounds.min.x);
  plots.trigger("undo");
  while (plots.kept()) plots.trigger("undo");
  const int undone = plots.model.document().undoStack().index();
  plots.trigger("plotTime");
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().place() != 0, kPatienceMs);
  QCOMPARE(plots.choice("kind")->currentIndex(), 1);
  while (plots.model.document().undoStack().index() > undone) plots.trigger("undo");
  QCOMPARE(plots.choice("kind")->currentIndex(), 0);
  QCOMPARE(from('x'), bounds.min.x);
  // Left at a plot over time, the panel is of other data.
  plots.trigger("plotTime");
  QTRY_VERIFY_WITH_TIMEOUT(plots.panel().place() != 0, kPatienceMs);
  plots.model.document().replace({}, {}, true);
  plots.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests() && plots.model.stage().summary("abc"), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(plots.choice("data")->currentText(), QString("abc"), kPatienceMs);
  QCOMPARE(plots.choice("kind")->currentIndex(), 1);
  QCOMPARE(from('x'), plots.model.stage().summary("abc")->bounds.center().x);
}

/// Whoever chooses other data sees where in them the curve is, and moves that: not the line in the data before.
void TestKeptPlots::otherDataGetALineOfTheirOwn() {
  Plots plots("sample://taylor-green?size=9&steps=3");
  plots.model.open({"sample://abc?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(plots.rests() && plots.model.stage().summary("abc"), kPatienceMs);
  const auto dataOf = [&](app::ObjectId id) {
    const session::Object* const object = plots.model.document().object(id);
    return object ? object->data : std::string();
  };
  plots.window.pipeline().selectData("taylor-green");
  plots.trigger("plotLine");
  const app::ObjectId first = plots.panel().place();
  QCOMPARE(dataOf(first), "taylor-green");
  const int before = plots.steps();
  plots.choose("data", "abc");
  const app::ObjectId second = plots.panel().place();
  QVERIFY(second && second != first && app::isPlotLine(*plots.model.document().object(second)));
  QCOMPARE(dataOf(second), "abc");
  // It is selected, so that it has handles; one step, with the choice.
  QCOMPARE(plots.window.pipeline().selectedObject(), second);
  QCOMPARE(plots.steps(), before + 1);
  QVERIFY(plots.kept() && plots.kept()->data == "abc" &&
          plots.kept()->on == plots.model.document().object(second)->name);
  const auto from = [&] { return *plots.child<ui::NumberEdit>("plot.from.x")->value(); };
  plots.model.document().edit("Move", [&](app::Draft& draft) {
    std::get<session::Probe>(draft.object(second).shape).points[0].x = 0.5;
  });
  QCOMPARE(from(), 0.5);
  plots.trigger("undo");
  plots.trigger("undo");
  QVERIFY(!plots.model.document().object(second));
  QCOMPARE(plots.choice("data")->currentText(), QString("taylor-green"));
  plots.trigger("redo");
  QCOMPARE(dataOf(plots.panel().place()), "abc");
  // There is one already.
  plots.choose("data", "taylor-green");
  QCOMPARE(plots.panel().place(), first);
  // A point over time, too.
  plots.choose("kind", plots.choice("kind")->itemText(1));
  plots.choose("data", "abc");
  QTRY_COMPARE_WITH_TIMEOUT(dataOf(plots.panel().place()), "abc", kPatienceMs);
  QVERIFY(!app::isPlotLine(*plots.model.document().object(plots.panel().place())));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestKeptPlots test;
  return QTest::qExec(&test, count, words);
}
#include "tst_kept_plots.moc"
