// Files of a series that are bad, missing or changed: pictures, animations and commands are of the steps that the window shows, whatever has become
// of the files since, and say what they lack. Needs a display with OpenGL; skips where there is none.

#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>

#include "app/model/kept_steps.h"
#include "app/ui/widgets/message_list.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/written_files.h"
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

class TestKeptSteps : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void animationsAreOfTheStepsThatWereSeen();
  void whatCannotBeginIsSaid();
  void commandsAreOfTheStepsThatWereSeen();
  void picturesSayWhatCouldNotBeComputed();

 private:
  TemporaryFolder m_made;
};

void TestKeptSteps::initTestCase() {
  const RunResult made = runProgram({"sample", "cylinder", "-o", "flow", "--size", "17,17,5", "--steps",
                                     std::to_string(kSteps), "--format", "plot3d", "--quiet"},
                                    {.folder = m_made.path()});
  QVERIFY2(made.status == 0, made.errors.c_str());
  skipWithoutOpenGl();
}

/// Files may become bad, or good, after they were opened: a run of its own has the steps of the window still, or says what is in the way.
void TestKeptSteps::animationsAreOfTheStepsThatWereSeen() {
  Studio studio;
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), studio.folder / entry.path().filename().string());
  const auto cut = [&](int step) {
    const fs::path file = studio.folder / stepName(step);
    fs::resize_file(file, fs::file_size(file) / 2);
  };
  const auto mend = [&](int step) {
    fs::copy(m_made.path() / stepName(step), studio.folder / stepName(step),
             fs::copy_options::overwrite_existing);
  };
  cut(kBad);
  studio.model.document().edit("Open", [&](app::Draft& draft) {
    session::DataSource source{
        "flow", {studio.at("flow.xyz").toStdString()}, {studio.at("flow_*.q").toStdString()}, {}, {}};
    source.options["badSteps"] = "skip";
    draft.frame().data.push_back(source);
    session::Object wall;
    wall.name = "wall";
    wall.data = "flow";
    wall.shape = session::GridSurface{};
    wall.color.by = "pressure";
    draft.add(wall);
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().steps() == kSteps - 1, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  ui::AnimationChoice choice;
  choice.kind = ui::AnimationChoice::Kind::Steps;
  choice.first = 3;
  choice.last = 4;
  choice.sizePixels = {320, 200};
  const auto said = [&] { return studio.window.findChild<ui::MessageList*>()->allText(); };
  const auto pictures = [&](const char* folder) {
    QDir().mkpath(studio.at(folder));
    studio.window.exportAnimationTo(studio.at(folder), choice);
    std::vector<QImage> drawn;
    if (!QTest::qWaitFor(
            [&] { return said().contains("Wrote the pictures of the steps to " + studio.at(folder)); },
            kPatienceMs))
      return drawn;
    for (const QString& file : filesIn(studio.at(folder), "*.png"))
      drawn.emplace_back(studio.at(folder) + '/' + file);
    return drawn;
  };
  const std::vector<QImage> before = pictures("before");
  QCOMPARE(before.size(), std::size_t{2});
  // The one that was left out is good now.
  mend(kBad);
  QVERIFY(pictures("mended") == before);
  // And another one is bad.
  cut(1);
  QDir().mkpath(studio.at("cut"));
  studio.window.exportAnimationTo(studio.at("cut"), choice);
  const QString file = QString::fromStdString(stepName(1));
  const auto problem = [&] {
    for (const QString& line : said().split('\n'))
      if (line.contains(file) && line.contains("step 1: ")) return line;
    return QString();
  };
  QTRY_VERIFY_WITH_TIMEOUT(!problem().isEmpty(), kPatienceMs);
  QVERIFY2(problem().contains("“Read again”") && !problem().contains("badSteps"), qPrintable(problem()));
  QVERIFY2(problem().contains("Pictures of the steps: ") && !problem().contains("farfield: "),
           qPrintable(problem()));
  QVERIFY(filesIn(studio.at("cut"), "*.png").isEmpty());
  // It is said where one looks, and can be gone on with once the reason is gone.
  const auto* const notice = studio.child<QLabel>("notice.text");
  QTRY_VERIFY2_WITH_TIMEOUT(notice->isVisible() && notice->text().contains("0 of 2 pictures are in"),
                            qPrintable(notice->text()), kPatienceMs);
  // The same of one that is gone, which a pattern does not find.
  fs::remove(studio.folder / stepName(4));
  mend(1);
  studio.window.exportAnimationTo(studio.at("cut"), choice);
  QTRY_VERIFY_WITH_TIMEOUT(said().contains(QString::fromStdString(stepName(4)) + ": is not there any more"),
                           kPatienceMs);
  mend(4);
  // A command that is copied says it as well.
  QSignalSpy saved(&studio.model, &app::AppModel::saved);
  studio.model.save(studio.at("series.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  QApplication::clipboard()->clear();
  studio.trigger("copyCommand");
  const auto command = [] { return QApplication::clipboard()->text(); };
  QTRY_VERIFY2_WITH_TIMEOUT(command().contains(QString("--set data.flow.options.badSteps=%1").arg(kBad)),
                            qPrintable(command()), kPatienceMs);
  // Files that have come since are none of these steps: the last one may be half written.
  const auto known = app::knownSteps(studio.model.document(), studio.model.stage());
  session::Session session = studio.session();
  fs::copy(m_made.path() / stepName(1), studio.folder / stepName(kSteps));
  cut(kSteps);
  QCOMPARE(app::keepSteps(session, known), QString());
  QCOMPARE(session.data.front().solution.size(), std::size_t{kSteps});
  QCOMPARE(fs::path(session.data.front().solution.back()).filename().string(), stepName(kSteps - 1));
}

/// As where the folder of the data has been moved.
void TestKeptSteps::whatCannotBeginIsSaid() {
  Studio studio;
  fs::create_directory(studio.folder / "case");
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), studio.folder / "case" / entry.path().filename().string());
  studio.model.document().edit("Open", [&](app::Draft& draft) {
    draft.frame().data.push_back({"flow",
                                  {studio.at("case/flow.xyz").toStdString()},
                                  {studio.at("case/flow_*.q").toStdString()},
                                  {},
                                  {}});
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().steps() == kSteps, kPatienceMs);
  fs::rename(studio.folder / "case", studio.folder / "moved");
  ui::AnimationChoice choice;
  choice.kind = ui::AnimationChoice::Kind::Steps;
  choice.last = 1;
  choice.sizePixels = {320, 200};
  QDir().mkpath(studio.at("film"));
  studio.window.exportAnimationTo(studio.at("film"), choice);
  const auto* const notice = studio.child<QLabel>("notice.text");
  QTRY_VERIFY2_WITH_TIMEOUT(
      notice->isVisible() && notice->text().contains("No picture of the animation was made"),
      qPrintable(notice->text()), kPatienceMs);
  QVERIFY2(notice->text().contains("flow_"), qPrintable(notice->text()));
  fs::rename(studio.folder / "moved", studio.folder / "case");
  studio.child<QPushButton>("notice.button")->click();
  QTRY_COMPARE_WITH_TIMEOUT(filesIn(studio.at("film"), "*.png").size(), 2, kPatienceMs);
}

/// A file that was missing when the others were opened has come: the command that is copied names the files that the window has, so that
/// its numbers of steps are those of the window.
void TestKeptSteps::commandsAreOfTheStepsThatWereSeen() {
  Studio studio;
  constexpr int kMissing = 1;
  static_assert(kMissing < kBad);
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), studio.folder / entry.path().filename().string());
  fs::remove(studio.folder / stepName(kMissing));
  fs::resize_file(studio.folder / stepName(kBad), fs::file_size(studio.folder / stepName(kBad)) / 2);
  studio.model.document().edit("Open", [&](app::Draft& draft) {
    session::DataSource source{
        "flow", {studio.at("flow.xyz").toStdString()}, {studio.at("flow_*.q").toStdString()}, {}, {}};
    source.options["badSteps"] = "skip";
    draft.frame().data.push_back(source);
    session::Object frame;
    frame.name = "frame";
    frame.data = "flow";
    frame.shape = session::Outline{};
    draft.add(frame);
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().steps() == kSteps - 2, kPatienceMs);
  for (const int step : {kMissing, kBad})
    fs::copy(m_made.path() / stepName(step), studio.folder / stepName(step),
             fs::copy_options::overwrite_existing);
  QSignalSpy saved(&studio.model, &app::AppModel::saved);
  studio.model.save(studio.at("series.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  QApplication::clipboard()->clear();
  studio.trigger("copyCommand");
  QTRY_VERIFY_WITH_TIMEOUT(!QApplication::clipboard()->text().isEmpty(), kPatienceMs);
  const QString command = QApplication::clipboard()->text();
  QVERIFY2(command.contains(QString("data.flow.options.badSteps=%1").arg(kBad - 1)), qPrintable(command));
  const QString files = command.section("data.flow.solution=", 1, 1).section(']', 0, 0);
  QCOMPARE(files.count(".q"), kSteps - 1);
  QVERIFY2(!files.contains(QString::fromStdString(stepName(kMissing))), qPrintable(command));
}

/// Of a step whose file was cut off after it was opened there is less than was seen: what is not in a picture is said.
void TestKeptSteps::picturesSayWhatCouldNotBeComputed() {
  Studio studio;
  for (const auto& entry : fs::directory_iterator(m_made.path()))
    fs::copy(entry.path(), studio.folder / entry.path().filename().string());
  studio.model.document().edit("Open", [&](app::Draft& draft) {
    draft.frame().data.push_back(
        {"flow", {studio.at("flow.xyz").toStdString()}, {studio.at("flow_*.q").toStdString()}, {}, {}});
    session::Object wall;
    wall.name = "wall";
    wall.data = "flow";
    wall.shape = session::GridSurface{};
    wall.color.by = "pressure";
    draft.add(wall);
    session::Object frame = wall;
    frame.name = "frame";
    frame.shape = session::Outline{};
    frame.color = {};
    draft.add(frame);
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().steps() == kSteps, kPatienceMs);
  const auto says = [&](const QString& text) {
    return studio.window.findChild<ui::MessageList*>()->allText().contains(text);
  };
  exportAs(studio, "whole.png");
  QTRY_VERIFY_WITH_TIMEOUT(says("Wrote " + studio.at("whole.png")), kPatienceMs);
  QVERIFY(!says("without"));
  const fs::path file = studio.folder / stepName(5);
  fs::resize_file(file, fs::file_size(file) / 2);
  studio.model.stage().setStep(5);
  const app::ObjectId wall = studio.model.document().objectIds().front();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(wall), app::ObjectState::Failed, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  exportAs(studio, "bad.png");
  QTRY_VERIFY_WITH_TIMEOUT(
      says("Wrote " + studio.at("bad.png") + " without this, which could not be computed: wall."),
      kPatienceMs);
  // As a line above the view, too, behind the one that says what has become of the file.
  const auto stands = [&] {
    return studio.child<QLabel>("notice.text")->text() ==
           "Wrote bad.png without this, which could not be computed: wall.";
  };
  if (!stands()) QTest::mouseClick(studio.child<QWidget>("notice.count"), Qt::LeftButton);
  QVERIFY(studio.child<QWidget>("notice")->isVisible() && stands());
  QVERIFY(!studio.child<QPushButton>("notice.button")->isVisible());
  // Nor is it waited for where its geometry is wanted.
  std::optional<app::Problem> problem;
  studio.model.engine().writeGeometry(wall, studio.at("bad.vtp"),
                                      [&](const std::optional<app::Problem>& its) { problem = its; });
  QTRY_VERIFY_WITH_TIMEOUT(problem, kPatienceMs);
  QVERIFY2(problem->message.find("could not be computed") != std::string::npos, problem->message.c_str());
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestKeptSteps test;
  return QTest::qExec(&test, count, words);
}
#include "tst_kept_steps.moc"
