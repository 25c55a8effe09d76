// A series with a step that is missing or cut short, in the window: it says which and why, in one line, opens the others when it
// is told to, and plays over the gap. Needs a display with OpenGL; skips where there is none.

#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QStandardPaths>
#include <cmath>

#include "app/ui/panels/time_bar.h"
#include "app/ui/plots/curve_view.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/widgets/elided_label.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/names.h"
#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/run_program.h"

using namespace farfield;
using namespace farfield::test;

namespace {

namespace fs = std::filesystem;

constexpr int kSteps = 7, kBad = 3;

std::string stepName(int step) {
  return "flow_000" + std::to_string(step) + ".q";
}

}  // namespace

class TestBadStepsWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void badStepsAreSaidAndLeftOut_data();
  void badStepsAreSaidAndLeftOut();
  void windowsStayAsWideAsTheyAre();
  void theMomentStaysAsStepsCome();
  void sessionsShowTheMomentThatTheyWereSavedAt_data();
  void sessionsShowTheMomentThatTheyWereSavedAt();
  void patternsShowTheTimeThatTheyWereSavedAt_data();
  void patternsShowTheTimeThatTheyWereSavedAt();
  void filesThatComeAreSteps();
  void aMissingFileComesByReadingAgain();
  void curvesOverTimeHaveGaps_data();
  void curvesOverTimeHaveGaps();

 private:
  TemporaryFolder m_made;
};

void TestBadStepsWindow::initTestCase() {
  const RunResult made = runProgram({"sample", "cylinder", "-o", "flow", "--size", "17,17,5", "--steps",
                                     std::to_string(kSteps), "--format", "plot3d", "--quiet"},
                                    {.folder = m_made.path()});
  QVERIFY2(made.status == 0, made.errors.c_str());
  skipWithoutOpenGl();
}

void TestBadStepsWindow::badStepsAreSaidAndLeftOut_data() {
  QTest::addColumn<bool>("missing");
  QTest::addColumn<bool>("stops");
  QTest::newRow("missing, left out") << true << false;
  QTest::newRow("missing, stops") << true << true;
  QTest::newRow("cut short, stops") << false << true;
  QTest::newRow("cut short, left out") << false << false;
}

void TestBadStepsWindow::badStepsAreSaidAndLeftOut() {
  QFETCH(bool, missing);
  QFETCH(bool, stops);
  const TemporaryFolder folder;
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), folder / entry.path().filename().string());
  const fs::path bad = folder / stepName(kBad);
  if (missing)
    fs::remove(bad);
  else
    fs::resize_file(bad, fs::file_size(bad) / 2);
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  auto* const bar = studio.window.findChild<ui::TimeBar*>();
  auto* const said = studio.child<QLabel>("time.leftOut");
  QVERIFY(bar && said);
  app::ObjectId id = 0;
  studio.model.document().edit("Open", [&](app::Draft& draft) {
    session::DataSource source{
        "flow", {(folder / "flow.xyz").string()}, {(folder / "flow_*.q").string()}, {}, {}};
    source.options["badSteps"] = stops ? "stop" : "skip";
    draft.frame().data.push_back(source);
    session::Object wall;
    wall.name = "wall";
    wall.data = "flow";
    wall.shape = session::GridSurface{};
    id = draft.add(wall);
  });
  const auto status = [&] { return studio.model.stage().dataStatus("flow"); };
  if (stops) {
    QTRY_VERIFY_WITH_TIMEOUT(status().state == app::DataState::Failed, kPatienceMs);
    const std::string message = status().problem.message;
    QVERIFY2(message.find("step " + std::to_string(kBad)) != std::string::npos, message.c_str());
    QVERIFY2(message.find(stepName(kBad)) != std::string::npos, message.c_str());
    QVERIFY2(message.find('\n') == std::string::npos, message.c_str());
    // What is wrong with it, not what it might be instead.
    QVERIFY2(missing || message.find("it is cut off") != std::string::npos, message.c_str());
    QVERIFY(!app::stateText(status()).contains("along each axis"));
    QVERIFY(!said->isVisible());
    // Its properties offer what helps.
    auto* const pipeline = studio.window.findChild<ui::PipelinePanel*>();
    QVERIFY(pipeline);
    pipeline->selectData("flow");
    const auto skip = [&]() -> QPushButton* {
      for (QPushButton* const button : studio.window.findChildren<QPushButton*>())
        if (button->text() == "Leave bad steps out") return button;
      return nullptr;
    };
    QTRY_VERIFY_WITH_TIMEOUT(skip() != nullptr, kPatienceMs);
    skip()->click();
  }
  QTRY_VERIFY_WITH_TIMEOUT(status().state == app::DataState::Open, kPatienceMs);
  QCOMPARE(studio.model.stage().steps(), std::int64_t{kSteps - 1});
  // One line, which names the step and the file.
  QTRY_VERIFY_WITH_TIMEOUT(said->isVisible(), kPatienceMs);
  QCOMPARE(said->text(), QString("1 left out"));
  // For which the window needs no more room than it has.
  QCoreApplication::processEvents();
  QVERIFY2(studio.window.width() <= 1024 && studio.window.minimumSizeHint().width() <= 1024,
           qPrintable(QString::number(studio.window.minimumSizeHint().width())));
  const QString line = said->accessibleDescription();
  QVERIFY2(line.startsWith(QString("flow, step %1 is left out: ").arg(kBad)), qPrintable(line));
  QVERIFY2(line.contains(QString::fromStdString(stepName(kBad))) && !line.contains('\n'), qPrintable(line));
  QVERIFY2(!line.contains("--option"), qPrintable(line));
  // Those behind it have moved up, at their own times.
  const auto& times = studio.model.stage().summary("flow")->description.times;
  QVERIFY(times[kBad] - times[kBad - 1] > 1.5 * (times[1] - times[0]));
  // Playing shows each of them.
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  studio.model.stage().setStep(0);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QSet<qint64> shown{0};
  connect(&studio.model.stage(), &app::Stage::stepChanged, bar,
          [&] { shown.insert(studio.model.stage().step()); });
  bar->playAction()->setChecked(true);
  QTRY_VERIFY_WITH_TIMEOUT(!bar->isPlaying(), kPatienceMs);
  QCOMPARE(shown.size(), kSteps - 1);
  QCOMPARE(studio.model.stage().step(), std::int64_t{kSteps - 2});
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  if (const QString pictures = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !pictures.isEmpty())
    QVERIFY(studio.window.grab()
                .toImage()
                .convertToFormat(QImage::Format_RGB32)
                .save(pictures + "/bad-steps.png"));
}

/// What is said of steps that are left out takes no room from a window that has none to spare: it goes below the numbers.
void TestBadStepsWindow::windowsStayAsWideAsTheyAre() {
  const TemporaryFolder folder;
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), folder / entry.path().filename().string());
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const auto open = [&](const char* name) {
    studio.model.document().edit("Open", [&](app::Draft& draft) {
      session::DataSource source{
          name, {(folder / "flow.xyz").string()}, {(folder / "flow_*.q").string()}, {}, {}};
      source.options["badSteps"] = "skip";
      draft.frame().data.assign(1, source);
    });
    return QTest::qWaitFor(
        [&] { return studio.rests() && studio.model.stage().dataStatus(name).state == app::DataState::Open; },
        kPatienceMs);
  };
  auto* const bar = studio.window.findChild<ui::TimeBar*>();
  auto* const said = studio.child<ui::ElidedLabel>("time.leftOut");
  QVERIFY(bar && said && open("whole"));
  QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), kPatienceMs);
  // As narrow as it can be, between panels at both sides.
  const auto most = [&] { return bar->minimumWidth(); };
  QTRY_VERIFY_WITH_TIMEOUT(most() > 0 && most() < bar->width(), kPatienceMs);
  const int before = most();
  bar->setMaximumWidth(before);
  QTRY_COMPARE_WITH_TIMEOUT(bar->width(), before, kPatienceMs);
  fs::remove(folder / stepName(kBad));
  studio.model.document().edit("Close", [](app::Draft& draft) { draft.frame().data.clear(); });
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().steps(), std::int64_t{1}, kPatienceMs);
  QVERIFY(open("missing"));
  QTRY_VERIFY_WITH_TIMEOUT(said->isVisible(), kPatienceMs);
  // Whole, and seen.
  QTRY_COMPARE_WITH_TIMEOUT(said->shownText(), QString("1 left out"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(said->visibleRegion().boundingRect() == said->rect(), kPatienceMs);
  QCOMPARE(most(), before);
  QCOMPARE(bar->width(), before);
  // Beside the numbers again where there is room.
  bar->setMaximumWidth(QWIDGETSIZE_MAX);
  auto* const time = studio.child<QLabel>("time.now");
  QTRY_VERIFY_WITH_TIMEOUT(bar->width() > before && said->mapTo(bar, QPoint()).y() <
                                                        time->mapTo(bar, QPoint(0, time->height())).y(),
                           kPatienceMs);
}

/// Files that were bad or missing are whole: read again, the data are at the same moment, though it has another number; and of a file that
/// nobody has named it is said that it is left out.
void TestBadStepsWindow::theMomentStaysAsStepsCome() {
  constexpr int kMissing = 4;
  const TemporaryFolder folder;
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), folder / entry.path().filename().string());
  const fs::path cut = folder / stepName(1), missing = folder / stepName(kMissing);
  session::DataSource source{"flow", {(folder / "flow.xyz").string()}, {}, {}, {}};
  for (int step = 0; step < kSteps; ++step)
    if (step != kMissing) source.solution.push_back((folder / stepName(step)).string());
  source.options["badSteps"] = "skip";
  fs::resize_file(cut, fs::file_size(cut) / 2);
  fs::remove(missing);
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  app::ObjectId id = 0;
  studio.model.document().edit("Open", [&](app::Draft& draft) {
    draft.frame().data.push_back(source);
    session::Object wall;
    wall.name = "wall";
    wall.data = "flow";
    wall.shape = session::GridSurface{};
    id = draft.add(wall);
  });
  app::Stage& stage = studio.model.stage();
  auto* const said = studio.child<QLabel>("time.leftOut");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && stage.steps() == kSteps - 2, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(said->text(), QString("2 left out"), kPatienceMs);
  stage.setStep(3);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const double moment = stage.timeOf(3);
  for (const int step : {1, kMissing})
    fs::copy(m_made.path() / stepName(step), folder / stepName(step), fs::copy_options::overwrite_existing);
  studio.window.pipeline().selectData("flow");
  studio.trigger("readAgain");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && stage.steps() == kSteps - 1, kPatienceMs);
  QCOMPARE(stage.timeOf(stage.step()), moment);
  QCOMPARE(stage.step(), std::int64_t{4});
  QCOMPARE(studio.child<ui::NumberEdit>("time.step")->value(), 4);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(said->isVisible());
  QCOMPARE(said->text(), QString("1 left out"));
  const QString line = said->accessibleDescription();
  QVERIFY2(line.contains(QString::fromStdString(stepName(kMissing))) && line.contains("is there now"),
           qPrintable(line));
}

void TestBadStepsWindow::sessionsShowTheMomentThatTheyWereSavedAt_data() {
  QTest::addColumn<int>("saved");
  QTest::addColumn<int>("shown");  // of all steps
  QTest::addColumn<QString>("said");
  QTest::newRow("before it") << 2 << 2 << "";
  QTest::newRow("the last one") << 6 << 6 << "";
  QTest::newRow("a bad one")
      << 3 << 4 << "flow: step 3, which was to be shown, is left out: the one after it is shown.";
  QTest::newRow("the first one")
      << 0 << 1 << "flow: step 0, which was to be shown, is left out: the one after it is shown.";
  QTest::newRow("bad and the last one")
      << 6 << 5 << "flow: step 6, which was to be shown, is left out: the one before it is shown.";
}

/// Files of a session are gone once it is opened again: without them the other steps have other numbers.
void TestBadStepsWindow::sessionsShowTheMomentThatTheyWereSavedAt() {
  QFETCH(int, saved);
  QFETCH(int, shown);
  QFETCH(QString, said);
  const TemporaryFolder folder;
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), folder / entry.path().filename().string());
  const QString path = QString::fromStdString((folder / "kept.json").string());
  double moment = 0;
  {
    Studio studio({1024, 700});
    studio.model.document().edit("Open", [&](app::Draft& draft) {
      session::DataSource source{"flow", {(folder / "flow.xyz").string()}, {}, {}, {}};
      for (int step = 0; step < kSteps; ++step) source.solution.push_back((folder / stepName(step)).string());
      draft.frame().data.push_back(source);
      session::Object wall;
      wall.name = "wall";
      wall.data = "flow";
      wall.shape = session::GridSurface{};
      draft.add(wall);
    });
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().steps() == kSteps, kPatienceMs);
    studio.model.stage().setStep(saved);
    moment = studio.model.stage().timeOf(shown);
    studio.model.save(path);
    QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified() && fs::exists(folder / "kept.json"),
                             kPatienceMs);
  }
  // The first one is gone, and the fourth is cut off; or the last.
  fs::remove(folder / stepName(0));
  const bool last = shown < saved;
  const fs::path cut = folder / stepName(last ? kSteps - 1 : kBad);
  fs::resize_file(cut, fs::file_size(cut) / 2);
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.openSession(path);
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().dataStatus("flow").state == app::DataState::Failed,
                           kPatienceMs);
  studio.window.pipeline().selectData("flow");
  const auto skip = [&]() -> QPushButton* {
    for (QPushButton* const button : studio.window.findChildren<QPushButton*>())
      if (button->text() == "Leave bad steps out") return button;
    return nullptr;
  };
  QTRY_VERIFY_WITH_TIMEOUT(skip() != nullptr, kPatienceMs);
  skip()->click();
  app::Stage& stage = studio.model.stage();
  QTRY_VERIFY_WITH_TIMEOUT(stage.dataStatus("flow").state == app::DataState::Open && studio.rests(),
                           kPatienceMs);
  QCOMPARE(stage.steps(), std::int64_t{kSteps - 2});
  QCOMPARE(stage.timeOf(stage.step()), moment);
  QCOMPARE(studio.child<ui::NumberEdit>("time.step")->value(), static_cast<double>(stage.step()));
  QCOMPARE(studio.stateOf(studio.newest()), app::ObjectState::Done);
  const QString all = studio.window.findChild<ui::MessageList*>()->allText();
  QVERIFY2(said.isEmpty() ? !all.contains("was to be shown") : all.contains(said), qPrintable(all));
}

void TestBadStepsWindow::patternsShowTheTimeThatTheyWereSavedAt_data() {
  QTest::addColumn<QList<int>>("gone");
  QTest::addColumn<int>("shown");  // of all steps
  QTest::addColumn<bool>("isSaid");
  QTest::newRow("none is gone") << QList<int>{} << 4 << false;
  QTest::newRow("the first one is gone") << QList<int>{0} << 4 << false;
  QTest::newRow("those after it are gone") << QList<int>{5, 6} << 4 << false;
  QTest::newRow("it is gone, and one after it") << QList<int>{0, 4, 5} << 3 << true;
}

/// As the window names series: nobody knows how many files the pattern found.
void TestBadStepsWindow::patternsShowTheTimeThatTheyWereSavedAt() {
  QFETCH(QList<int>, gone);
  QFETCH(int, shown);
  QFETCH(bool, isSaid);
  const TemporaryFolder folder;
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), folder / entry.path().filename().string());
  const QString path = QString::fromStdString((folder / "kept.json").string());
  double moment = 0;
  {
    Studio studio({1024, 700});
    studio.model.document().edit("Open", [&](app::Draft& draft) {
      draft.frame().data.push_back(
          {"flow", {(folder / "flow.xyz").string()}, {(folder / "flow_*.q").string()}, {}, {}});
      session::Object wall;
      wall.name = "wall";
      wall.data = "flow";
      wall.shape = session::GridSurface{};
      draft.add(wall);
    });
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().steps() == kSteps, kPatienceMs);
    studio.model.stage().setStep(4);
    moment = studio.model.stage().timeOf(shown);
    studio.model.save(path);
    QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified() && fs::exists(folder / "kept.json"),
                             kPatienceMs);
  }
  for (const int step : gone) fs::remove(folder / stepName(step));
  Studio studio({1024, 700});
  studio.model.openSession(path);
  app::Stage& stage = studio.model.stage();
  QTRY_VERIFY_WITH_TIMEOUT(stage.dataStatus("flow").state == app::DataState::Open && studio.rests(),
                           kPatienceMs);
  QCOMPARE(stage.steps(), std::int64_t{kSteps - gone.size()});
  QCOMPARE(stage.timeOf(stage.step()), moment);
  const QString all = studio.window.findChild<ui::MessageList*>()->allText();
  QVERIFY2(all.contains("No step is at the time") == isSaid, qPrintable(all));
}

/// A series that is opened as its files, a grid with those of its solutions that are there, while a simulation writes more of them.
void TestBadStepsWindow::filesThatComeAreSteps() {
  Studio studio;
  const auto add = [&](const std::string& name) { fs::copy(m_made.path() / name, studio.folder / name); };
  add("flow.xyz");
  for (int step = 0; step < 3; ++step) add(stepName(step));
  app::Stage& stage = studio.model.stage();
  stage.watchEvery(std::chrono::milliseconds(50));
  studio.window.openPaths({studio.at("flow.xyz")});
  const auto has = [&](std::int64_t steps) { return studio.rests() && stage.steps() == steps; };
  QTRY_VERIFY_WITH_TIMEOUT(has(3) && !studio.session().objects.empty(), kPatienceMs);
  stage.setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  // The last step is followed, and no edit is made of it.
  const int edits = studio.model.document().undoStack().index();
  add(stepName(3));
  QTRY_VERIFY_WITH_TIMEOUT(has(4) && stage.step() == 3, kPatienceMs);
  QCOMPARE(studio.model.document().undoStack().index(), edits);
  QCOMPARE(studio.child<ui::NumberEdit>("time.step")->value(), 3);
  // What is no step of it stays out.
  fs::copy(m_made.path() / stepName(0), studio.folder / "flow_mean.q");
  // Read again takes what has come since the last look.
  stage.watchEvery(std::chrono::hours(1));
  add(stepName(4));
  studio.window.pipeline().selectData("flow");
  studio.trigger("readAgain");
  QTRY_VERIFY_WITH_TIMEOUT(has(5), kPatienceMs);
  // Opened again from the list of files, with those that came while it was closed.
  const QString recent = studio.model.settings().recent().value(0);
  QVERIFY2(ui::recentText(recent).endsWith("flow.xyz + flow_*.q"), qPrintable(ui::recentText(recent)));
  studio.model.document().removeData("flow");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().data.empty(), kPatienceMs);
  add(stepName(5));
  studio.window.openRecent(recent);
  QTRY_VERIFY_WITH_TIMEOUT(has(6), kPatienceMs);
  // Saved, it goes with its folder, and reads as people write it.
  const fs::path moved = studio.folder / "moved";
  fs::create_directory(moved);
  QSignalSpy saved(&studio.model, &app::AppModel::saved);
  studio.model.save(studio.at("series.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  for (const char* const name : {"flow.xyz", "series.json"}) fs::copy(studio.folder / name, moved / name);
  for (int step = 0; step < kSteps; ++step) fs::copy(m_made.path() / stepName(step), moved / stepName(step));
  studio.model.openSession(studio.at("moved/series.json"));
  QTRY_VERIFY_WITH_TIMEOUT(has(kSteps), kPatienceMs);
}

/// One in the middle, which was not there to be opened.
void TestBadStepsWindow::aMissingFileComesByReadingAgain() {
  Studio studio;
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    if (entry.path().filename() != stepName(kBad))
      fs::copy(entry.path(), studio.folder / entry.path().filename().string());
  const app::Stage& stage = studio.model.stage();
  studio.window.openPaths({studio.at("flow.xyz")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && stage.steps() == kSteps - 1, kPatienceMs);
  auto* const said = studio.child<QLabel>("time.leftOut");
  QTRY_VERIFY_WITH_TIMEOUT(said->isVisible() && said->text() == "1 left out", kPatienceMs);
  fs::copy(m_made.path() / stepName(kBad), studio.folder / stepName(kBad));
  studio.window.pipeline().selectData("flow");
  studio.trigger("readAgain");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && stage.steps() == kSteps && !said->isVisible(), kPatienceMs);
}

void TestBadStepsWindow::curvesOverTimeHaveGaps_data() {
  QTest::addColumn<QList<int>>("bad");
  QTest::newRow("one") << QList<int>{3};
  QTest::newRow("two") << QList<int>{2, 4};
  QTest::newRow("all: there is none") << QList<int>{0, 1, 2, 3, 4, 5, 6};
}

/// At the steps whose files are not what they were; the others are plotted, and what is wrong with these is said.
void TestBadStepsWindow::curvesOverTimeHaveGaps() {
  Studio studio;
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), studio.folder / entry.path().filename().string());
  studio.model.document().edit("Open", [&](app::Draft& draft) {
    draft.frame().data.push_back(
        {"flow", {studio.at("flow.xyz").toStdString()}, {studio.at("flow_*.q").toStdString()}, {}, {}});
    session::Object frame;
    frame.name = "frame";
    frame.data = "flow";
    frame.shape = session::Outline{};
    draft.add(frame);
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().steps() == kSteps, kPatienceMs);
  const auto cut = [&](int step) {
    fs::resize_file(studio.folder / stepName(step), fs::file_size(studio.folder / stepName(step)) / 2);
  };
  QFETCH(QList<int>, bad);
  for (const int step : bad) cut(step);
  studio.trigger("plotTime");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  const auto values = [&] { return panel->curve().curve().values; };
  if (bad.size() == kSteps) {
    QTRY_VERIFY_WITH_TIMEOUT(
        panel->curve().accessibleDescription().contains(QString::fromStdString(stepName(0))), kPatienceMs);
    QVERIFY(values().empty());
    return;
  }
  QTRY_VERIFY_WITH_TIMEOUT(!values().empty() && std::isfinite(values().back()), kPatienceMs);
  QCOMPARE(values().size(), std::size_t{kSteps});
  for (int step = 0; step < kSteps; ++step)
    QCOMPARE(std::isfinite(values()[static_cast<std::size_t>(step)]), !bad.contains(step));
  const QString note = studio.child<QLabel>("plot.note")->text();
  QVERIFY2(note.contains(bad.size() > 1 ? "gaps at steps 2, 4" : "gap at step 3") &&
               note.contains(QString::fromStdString(stepName(bad.front()))) && !note.contains("outside"),
           qPrintable(note));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestBadStepsWindow test;
  return QTest::qExec(&test, count, words);
}
#include "tst_bad_steps_window.moc"
