// Programs that work beside the window: conversions, also stopped ones that go on, and what stops them. Needs a display with OpenGL;
// skips where there is none.

#include <signal.h>

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>

#include "app/model/own_functions.h"
#include "app/ui/panels/program_job.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// A second run of this program begins a job that lasts so long.
constexpr const char *kBegins = "--begins-a-job", *kAsleep = "6041";

}  // namespace

class TestJobs : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void returnStopsNoJob();
  void keysOfTheWindowGoOn();
  void jobsBeginOnceTheyMay();
  void jobsEndWithAWindowThatIsKilled();
  void convertingBesideTheWork();
  void stoppedConversions();
  void conversionsThatFailAreOffered();
  void whatBeginsJobsWaitsForTheOneThatRuns();
  void comingBackToTheRest();
};

void TestJobs::initTestCase() {
  skipWithoutOpenGl();
}

/// The window is killed while its job runs: the job ends, and works for nobody no more.
void TestJobs::jobsEndWithAWindowThatIsKilled() {
  if (!QDir("/proc/self").exists()) QSKIP("there is no /proc");
  const auto sleepers = [] {
    int found = 0;
    for (const QString& name : QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs)) {
      QFile words("/proc/" + name + "/cmdline");
      if (words.open(QIODevice::ReadOnly) &&
          words.readAll() == QByteArray("/bin/sleep") + '\0' + kAsleep + '\0')
        ++found;
    }
    return found;
  };
  QCOMPARE(sleepers(), 0);
  QProcess window;
  window.start(QCoreApplication::applicationFilePath(), {kBegins});
  QTRY_COMPARE_WITH_TIMEOUT(sleepers(), 1, kPatienceMs);
  QCOMPARE(::kill(static_cast<pid_t>(window.processId()), SIGKILL), 0);
  QVERIFY(window.waitForFinished(kPatienceMs));
  QTRY_COMPARE_WITH_TIMEOUT(sleepers(), 0, kPatienceMs);
}

void TestJobs::returnStopsNoJob() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  // A job that lasts as long as it is let.
  int done = 0, stopped = 0;
  auto* const job = new ui::ProgramJob(
      "Waiting", "/bin/sleep", {"600"},
      {.done = [&](const QString&) { ++done; }, .stopped = [&] { ++stopped; }}, &studio.window);
  job->show();
  QVERIFY(QTest::qWaitForWindowExposed(job));
  auto* const stop = job->findChild<QPushButton*>();
  QVERIFY(stop && !stop->isDefault() && !stop->autoDefault());
  // Who goes on typing while it comes up types into it.
  for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}) {
    QTest::keyClick(job->focusWidget() ? job->focusWidget() : job, key);
    QTest::keyClick(job, key);
  }
  stop->setFocus();
  QTest::keyClick(stop, Qt::Key_Return);
  QVERIFY(job->isVisible() && stop->isEnabled());
  QCOMPARE(done + stopped, 0);
  QTest::mouseClick(stop, Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(stopped, 1, kPatienceMs);
  QCOMPARE(done, 0);
}

/// Where the window of a job has come to have the keyboard.
void TestJobs::keysOfTheWindowGoOn() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  studio.model.document().edit("Half",
                               [&](app::Draft& draft) { draft.object(studio.newest()).opacity = 0.5; });
  auto* const job = new ui::ProgramJob("Waiting", "/bin/sleep", {"600"},
                                       {.done = [](const QString&) {}, .stopped = [] {}}, &studio.window);
  ui::placeAside(*job);
  job->show();
  QVERIFY(QTest::qWaitForWindowExposed(job));
  job->activateWindow();
  QTRY_VERIFY_WITH_TIMEOUT(job->isActiveWindow(), kPatienceMs);
  const auto held = [&] { return job->focusWidget() ? job->focusWidget() : job; };
  QTest::keyClick(held(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(studio.model.document().object(studio.newest())->opacity, 1.0);
  const std::size_t count = studio.session().objects.size();
  QTest::keyClick(held(), Qt::Key_3, Qt::ControlModifier);
  QCOMPARE(studio.session().objects.size(), count + 1);
  // Esc is the job's.
  auto* const stop = job->findChild<QPushButton*>();
  QVERIFY(stop && job->isVisible());
  QTest::keyClick(held(), Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("programJob"), kPatienceMs);
}

/// Such as once there is memory for them.
void TestJobs::jobsBeginOnceTheyMay() {
  Studio studio;
  const QString file = studio.at("begun");
  int asked = 0, done = 0, stopped = 0;
  bool may = false;
  const auto newJob = [&] {
    asked = 0;
    auto* const job = new ui::ProgramJob(
        "Waiting", "/bin/sh", {"-c", "> '" + file + '\''},
        {.done = [&](const QString& problem) { done += problem.isEmpty(); }, .stopped = [&] { ++stopped; }},
        &studio.window, [&] {
          ++asked;
          return may;
        });
    job->show();
    return job;
  };
  ui::ProgramJob* const job = newJob();
  QTRY_VERIFY_WITH_TIMEOUT(asked > 3, kPatienceMs);
  QVERIFY(!QFile::exists(file) && done + stopped == 0);
  // Stopped before.
  job->findChild<QPushButton*>()->click();
  QCOMPARE(stopped, 1);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("programJob"), kPatienceMs);
  newJob();
  QTRY_VERIFY_WITH_TIMEOUT(asked > 3, kPatienceMs);
  may = true;
  QTRY_COMPARE_WITH_TIMEOUT(done, 1, kPatienceMs);
  QVERIFY(QFile::exists(file));
  QCOMPARE(stopped, 1);
}

void TestJobs::convertingBesideTheWork() {
  Studio studio;
  QProcess sample;
  sample.setWorkingDirectory(QString::fromStdString(studio.folder.path().string()));
  sample.start(studio.parts().program,
               {"sample", "cylinder", "-o", "wing", "--size", "9,9,9", "--steps", "3", "--format", "plot3d"});
  QVERIFY(sample.waitForFinished(kPatienceMs) && sample.exitCode() == 0);
  // The solutions are found beside the grid.
  studio.window.openPaths({studio.at("wing.xyz")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  QCOMPARE(studio.session().data[0].solution, std::vector{studio.at("wing_[0-9]*.q").toStdString()});
  QCOMPARE(studio.model.stage().steps(), 3);
  // The step that is shown stays, in the bar as in the picture.
  app::Stage& stage = studio.model.stage();
  stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const auto staysAtItsStep = [&] {
    return stage.steps() == 3 && stage.step() == 1 &&
           studio.window.findChild<ui::NumberEdit*>("time.step")->value() == 1;
  };
  studio.window.pipeline().selectData("wing");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QPushButton>("convert"), kPatienceMs);
  studio.window.convertDataTo("wing", studio.at("wing.h5"));
  QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(studio.session().data[0].source[0]), studio.at("wing.h5"),
                            kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().summary("wing"), kPatienceMs);
  QCOMPARE(studio.model.stage().summary("wing")->description.format, "farfield");
  QCOMPARE(studio.session().objects.size(), 2U);
  QVERIFY(staysAtItsStep());
  // Functions that the user defined stay, also one that came while the store was made, and what they colour.
  app::Document& document = studio.model.document();
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().summary("wing"), kPatienceMs);
  app::defineFunction(document, "wing", "twice", "2*density");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const app::ObjectId slice = studio.newest();
  session::Object coloured = *document.object(slice);
  coloured.color.by = "twice";
  document.setObject(slice, coloured, "Colour by");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.window.convertDataTo("wing", studio.at("again.h5"));
  QCOMPARE(document.renameData("wing", "flow"), QString());
  app::defineFunction(document, "flow", "thrice", "3*density");
  QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(studio.session().data[0].source[0]), studio.at("again.h5"),
                            kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().summary("flow"), kPatienceMs);
  QCOMPARE(studio.model.stage().summary("flow")->description.format, "farfield");
  QVERIFY(studio.session().data[0].solution.empty());
  QCOMPARE(app::ownFunctions(studio.session(), "flow").size(), 2U);
  QCOMPARE(studio.stateOf(slice), app::ObjectState::Done);
  for (int n = 0; n < 6; ++n) {
    studio.trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  }
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().summary("wing"), kPatienceMs);
  QCOMPARE(studio.model.stage().summary("wing")->description.format, "plot3d");
  QVERIFY(staysAtItsStep());
  // Of data with fewer steps it is the last, and the objects are those of it.
  studio.model.document().edit("One step", [&](app::Draft& draft) {
    draft.frame().data[0].solution = {studio.at("wing_0000.q").toStdString()};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && stage.summary("wing") && stage.steps() == 1, kPatienceMs);
  QCOMPARE(stage.step(), 0);
}

/// A program whose conversions take far longer than it takes to stop them, while what goes on with one is short.
QString writeSlowProgram(const TemporaryFolder& folder) {
  const QString program = QString::fromStdString((folder.path() / "slow").string());
  QFile script(program);
  if (!script.open(QIODevice::WriteOnly)) return {};
  const QByteArray real = '\'' + programPath().toUtf8() + '\'';
  script.write(
      "#!/bin/sh\nbefore=; for each; do [ \"$before\" = -o ] && out=$each; before=$each; done\n"
      "case \" $* \" in *' --resume '*) rm -f \"$out.part\" \"$out.part.journal\"; exec " +
      real + " \"$@\";; esac\nexec " + real +
      " convert 'sample://turbulence?size=1025' -o \"$out\" --overwrite --memory 64M\n");
  script.close();
  return script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner) ? program : QString();
}

/// As where the disk is full: there is space to be made, and then the rest, or what is there is removed.
void TestJobs::conversionsThatFailAreOffered() {
  const TemporaryFolder folder;
  const QString program = QString::fromStdString((folder.path() / "full").string());
  QFile script(program);
  QVERIFY(script.open(QIODevice::WriteOnly));
  // No file grows beyond 4 MiB.
  script.write(
      "#!/bin/sh\nbefore=; for each; do [ \"$before\" = -o ] && out=$each; before=$each; done\n"
      "ulimit -f 8192; trap '' XFSZ\nexec '" +
      programPath().toUtf8() +
      "' convert 'sample://turbulence?size=129' -o \"$out\" --overwrite --memory 64M\n");
  script.close();
  QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) { parts.program = program; });
  const QString store = studio.at("flow.h5"), part = store + ".part";
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.window.convertDataTo(studio.session().data[0].name, store);
  auto* const notice = studio.child<QWidget>("notice");
  const auto offers = [&] {
    const QList<QLabel*> labels = notice->findChildren<QLabel*>();
    return notice->isVisible() && std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
             return label->text().contains("Conversion stopped");
           });
  };
  QTRY_VERIFY_WITH_TIMEOUT(offers(), kPatienceMs);
  QVERIFY(QFile::exists(part));
  const QList<QAbstractButton*> buttons = notice->findChildren<QAbstractButton*>();
  const auto remove = std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton* button) {
    return button->text().contains("Remove them");
  });
  QVERIFY(remove != buttons.end());
  (*remove)->click();
  QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(part), kPatienceMs);
}

/// There is one job at a time: what would begin another says so, before it is asked for.
void TestJobs::whatBeginsJobsWaitsForTheOneThatRuns() {
  const TemporaryFolder folder;
  const QString program = writeSlowProgram(folder);
  QVERIFY(!program.isEmpty());
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) { parts.program = program; });
  QProcess sample;
  sample.setWorkingDirectory(QString::fromStdString(folder.path().string()));
  sample.start(programPath(), {"sample", "cylinder", "-o", "wing", "--size", "9,9,9", "--format", "plot3d"});
  QVERIFY(sample.waitForFinished(kPatienceMs) && sample.exitCode() == 0);
  studio.window.openPaths({QString::fromStdString((folder / "wing.xyz").string())});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.action("convert")->isEnabled(), kPatienceMs);
  const QStringList names{"convert", "exportAnimation"};
  const auto areFree = [&](bool free) {
    for (const QString& name : names) {
      const QAction* const action = studio.action(qPrintable(name));
      if (action->isEnabled() != free || action->toolTip().isEmpty() ||
          action->toolTip().contains("Another job is running") == free ||
          action->statusTip() != action->toolTip())
        return false;
    }
    return true;
  };
  QVERIFY(areFree(true));
  // Nor is it offered where the data are described.
  studio.window.pipeline().selectData(studio.session().data[0].name);
  const auto isOffered = [&] {
    const auto* const button = studio.child<QPushButton>("convert");
    return button && button->isEnabled() && !button->toolTip().contains("Another job is running");
  };
  QTRY_VERIFY_WITH_TIMEOUT(isOffered(), kPatienceMs);
  studio.window.convertDataTo(studio.session().data[0].name, studio.at("box.h5"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QDialog>("programJob"), kPatienceMs);
  QVERIFY(areFree(false));
  QVERIFY(!isOffered() && studio.child<QPushButton>("convert"));
  // Nor when something else changes meanwhile.
  studio.model.document().edit("Half",
                               [&](app::Draft& draft) { draft.object(studio.newest()).opacity = 0.5; });
  QVERIFY(areFree(false));
  studio.child<QDialog>("programJob")->reject();
  QTRY_VERIFY_WITH_TIMEOUT(areFree(true) && isOffered(), kPatienceMs);
}

/// What a conversion that was stopped has written is not left without a word: it goes on, or it is removed.
void TestJobs::stoppedConversions() {
  const TemporaryFolder folder;
  const QString program = writeSlowProgram(folder);
  QVERIFY(!program.isEmpty());
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) { parts.program = program; });
  const QString store = studio.at("flow.h5"), part = store + ".part";
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  auto* const notice = studio.child<QWidget>("notice");
  const std::string name = studio.session().data[0].name;
  const auto stop = [&] {
    auto* const job = studio.child<QDialog>("programJob");
    if (!job) return false;
    job->reject();
    return true;
  };
  // The budget stays the user's, and it is said that it is shared; a new one is shared as well.
  const auto budget = [&] { return studio.child<QLineEdit>("memory.bytes")->text(); };
  const auto said = [&] {
    return studio.child<QLabel>("status.budget")->text() + '\n' +
           studio.child<QLabel>("status.budget")->toolTip() + '\n' +
           studio.child<QLabel>("memory.used")->toolTip();
  };
  const app::Engine& engine = studio.model.engine();
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  QTRY_VERIFY2_WITH_TIMEOUT(said().contains("budget 1.0 GiB") && !said().contains("shared"),
                            qPrintable(said()), kPatienceMs);
  const QString before = budget();
  studio.window.convertDataTo(name, store);
  QTRY_VERIFY2_WITH_TIMEOUT(said().contains("budget 1.0 GiB, shared") && said().count("512.0 MiB") >= 3,
                            qPrintable(said()), kPatienceMs);
  QCOMPARE(budget(), before);
  QCOMPARE(engine.memoryBytes(), 512 * kMiB);
  studio.model.setMemoryBytes(768 * kMiB);
  QCOMPARE(engine.memoryBytes(), 256 * kMiB);
  QTRY_VERIFY2_WITH_TIMEOUT(said().contains("budget 768.0 MiB, shared"), qPrintable(said()), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(budget(), QString("768.0 MiB"), kPatienceMs);
  // Never so little that the two together have more: it is said why, and what there was is there again.
  const auto isRefused = [&](const char* name) {
    const auto* const label = studio.child<QLabel>(name);
    return label && label->isVisible() && label->text().contains("528 ") &&
           label->text().contains("512.0 MiB") && budget() == "768.0 MiB" &&
           engine.memoryBytes() == 256 * kMiB;
  };
  auto* const line = studio.child<QLineEdit>("memory.bytes");
  line->setFocus();
  line->selectAll();
  QTest::keyClicks(line, "300M");
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY2(isRefused("memory.bytes.error"), qPrintable(budget()));
  if (const QString pictures = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !pictures.isEmpty())
    QVERIFY(studio.window.grab().save(pictures + "/lent-budget.png"));
  auto* const slider = studio.child<QSlider>("memory.budget");
  const int place = slider->value();
  delete studio.child<QLabel>("memory.bytes.error");
  slider->setFocus();
  QTest::keyClick(slider, Qt::Key_Home);
  QVERIFY2(isRefused("memory.bytes.error"), qPrintable(budget()));
  QCOMPARE(slider->value(), place);
  studio.trigger("settings");
  auto* const box = studio.child<QLineEdit>("settings.memory");
  QVERIFY(box && box->toolTip().contains("528 MiB") && box->toolTip().contains("512.0 MiB"));
  box->setFocus();
  box->selectAll();
  QTest::keyClicks(box, "300");
  QTest::keyClick(box, Qt::Key_Return);
  QVERIFY2(isRefused("settings.memory.error"), qPrintable(budget()));
  studio.child<QDialog>("settings")->close();
  // There is one at a time, which has what is lent.
  studio.window.convertDataTo(name, studio.at("other.h5"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.statusBar()->currentMessage().contains("Another job is running"),
                           kPatienceMs);
  QCOMPARE(studio.window.findChildren<QDialog*>("programJob").size(), 1);
  QCOMPARE(engine.memoryBytes(), 256 * kMiB);
  // What has no page yet is not worth a word.
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(part).size() > 1'000'000, kPatienceMs);
  QVERIFY(stop());
  QTRY_COMPARE_WITH_TIMEOUT(engine.memoryBytes(), 768 * kMiB, kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(!said().contains("shared"), qPrintable(said()), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  QVERIFY2(studio.child<QLabel>("notice.text")->text().contains("flow.h5"),
           qPrintable(studio.child<QLabel>("notice.text")->text()));
  QVERIFY(!QFile::exists(store) && QFile::exists(part));
  QTest::mouseClick(studio.child<QPushButton>("notice.other"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(part) && !QFile::exists(part + ".journal"), kPatienceMs);
  QVERIFY(!notice->isVisible());

  studio.window.convertDataTo(name, store);
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(part).size() > 1'000'000, kPatienceMs);
  QVERIFY(stop());
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  QTest::mouseClick(studio.child<QPushButton>("notice.button"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(studio.session().data[0].source[0]), store,
                            3 * kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().summary(name), kPatienceMs);
  QVERIFY(!QFile::exists(part) && !QFile::exists(part + ".journal"));
  // What is said next has no other button.
  studio.child<ui::NoticeBar>("notice")->say("something", "button", [] {});
  QVERIFY(studio.child<QPushButton>("notice.button")->isVisible() &&
          !studio.child<QPushButton>("notice.other")->isVisible());
}

/// Who comes back another day and converts to the same name is asked: hours of work may lie there.
void TestJobs::comingBackToTheRest() {
  const TemporaryFolder folder;
  const QString program = writeSlowProgram(folder);
  QVERIFY(!program.isEmpty());
  const QString store = QString::fromStdString((folder.path() / "flow.h5").string()), part = store + ".part";
  const auto slow = [&](app::AppParts& parts) { parts.program = program; };
  const auto open = [](Studio& studio) {
    studio.model.open({"sample://abc?size=9"});
    return QTest::qWaitFor([&] { return studio.rests() && !studio.session().objects.empty(); }, kPatienceMs);
  };
  const auto stop = [&](Studio& studio) {
    QDialog* const job = studio.child<QDialog>("programJob");
    if (!job) return false;
    job->reject();
    return QTest::qWaitFor([&] { return studio.child<QWidget>("notice")->isVisible(); }, kPatienceMs);
  };
  {
    Studio before({1280, 800}, {}, {}, nullptr, slow);
    QVERIFY(open(before));
    before.window.convertDataTo(before.session().data[0].name, store);
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(part).size() > 1'000'000, kPatienceMs);
    QVERIFY(!before.child<QMessageBox>("goOnConverting") && stop(before));
  }
  const qint64 written = QFileInfo(part).size();
  Studio studio({1280, 800}, {}, {}, nullptr, slow);
  QVERIFY(open(studio));
  const std::string name = studio.session().data[0].name;
  const auto asked = [&] { return studio.child<QMessageBox>("goOnConverting"); };
  const auto press = [&](const char* text) {
    for (QAbstractButton* const button : asked()->buttons())
      if (button->text() == text) return button->click(), true;
    return false;
  };
  studio.window.convertDataTo(name, store);
  QTRY_VERIFY_WITH_TIMEOUT(asked(), kPatienceMs);
  QVERIFY2(asked()->text().contains("flow.h5"), qPrintable(asked()->text()));
  QVERIFY(!studio.child<QDialog>("programJob"));
  // Nothing happens to it unless somebody says so.
  QTest::keyClick(asked(), Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(!asked(), kPatienceMs);
  QVERIFY(!studio.child<QDialog>("programJob"));
  QCOMPARE(QFileInfo(part).size(), written);
  studio.window.convertDataTo(name, store);
  QTRY_VERIFY_WITH_TIMEOUT(asked(), kPatienceMs);
  QVERIFY(press("&Begin anew"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QDialog>("programJob"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(part).size() > 1'000'000, kPatienceMs);
  QVERIFY(stop(studio));
  QVERIFY(!QFile::exists(store) && QFile::exists(part));
  studio.window.convertDataTo(name, store);
  QTRY_VERIFY_WITH_TIMEOUT(asked(), kPatienceMs);
  QTest::keyClick(asked(), Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(studio.session().data[0].source[0]), store,
                            3 * kPatienceMs);
  QVERIFY(QFile::exists(store) && !QFile::exists(part));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  if (count == 2 && QByteArray(words[1]) == kBegins) {
    new ui::ProgramJob("Waiting", "/bin/sleep", {kAsleep}, {.done = [](const QString&) {}, .stopped = [] {}},
                       nullptr);
    return QApplication::exec();
  }
  TestJobs test;
  return QTest::qExec(&test, count, words);
}
#include "tst_jobs.moc"
