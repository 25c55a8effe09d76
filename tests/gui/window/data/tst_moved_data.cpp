// A session whose data lie elsewhere now, as after they were moved or on another machine: the window asks for the file, and what was
// made of the data stays.

#include <QFileDialog>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>

#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestMovedData : public QObject {
  Q_OBJECT
 private slots:
  void theFileIsAskedFor();
  void whatLayBesideItComesWithIt();
  void aSolutionSaysWhereTheGridIs();
  void whatIsMissingIsAskedFor();
  void aGridIsChosenInPlaceOfASolution();
  void linkedFoldersLeadWhereTheSystemSays();

 private:
  static QPushButton* button(const Studio& studio) {
    for (QPushButton* const each : studio.window.findChildren<QPushButton*>())
      if (each->text().startsWith("Choose the file")) return each;
    return nullptr;
  }
  /// A grid with three solutions in the folder "before", and a session of them whose grid is called `grid`.
  static void makeSeries(Studio& studio, const char* grid) {
    QVERIFY(QDir().mkpath(studio.at("before")));
    QCOMPARE(runFarfield({"sample", "cylinder", "-o", studio.at("before/grid3d"), "--size", "17,9,9",
                          "--blocks", "2", "--steps", "3", "--format", "plot3d"})
                 .status,
             0);
    write(studio.at("work.json"), QString(R"({"farfield": 1,
      "data": {"flow": {"source": "before/%1", "solution": "before/grid3d_*.q"}},
      "objects": [{"name": "edges", "type": "outline", "data": "flow"}]})")
                                      .arg(grid)
                                      .toUtf8());
  }
  /// A session of two data sets, "flow" and "wake", in the folder "before", which is "now" called otherwise.
  static void make(Studio& studio) {
    QVERIFY(QDir().mkpath(studio.at("before/below")));
    for (const char* const name : {"before/flow.h5", "before/below/wake.h5"})
      QCOMPARE(runFarfield({"sample", "cylinder", "-o", studio.at(name), "--size", "17,13,5"}).status, 0);
    write(studio.at("work.json"), R"({"farfield": 1,
      "data": {"flow": {"source": "before/flow.h5"}, "wake": {"source": "before/below/wake.h5"}},
      "objects": [{"name": "edges", "type": "outline", "data": "flow"},
                  {"name": "more edges", "type": "outline", "data": "wake"}]})");
  }
  /// With the button beside the data, which have failed.
  static void choose(Studio& studio, const QString& file) {
    // What fails last is selected, and nobody knows which of two that is.
    QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().dataStatus("flow").state == app::DataState::Failed &&
                                 studio.model.stage().dataStatus("wake").state != app::DataState::Opening,
                             kPatienceMs);
    studio.window.pipeline().selectData("flow");
    QTest::qWait(0);
    QTRY_VERIFY_WITH_TIMEOUT(button(studio), kPatienceMs);
    button(studio)->click();
    QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>("chooseMoved"), kPatienceMs);
    QFileDialog* const dialog = studio.child<QFileDialog>("chooseMoved");
    QVERIFY2(dialog->windowTitle().contains("flow.h5"), dialog->windowTitle().toUtf8());
    emit dialog->fileSelected(file);
    dialog->reject();
  }
};

void TestMovedData::theFileIsAskedFor() {
  Studio studio;
  make(studio);
  // Its name is another, too; what is not beside it stays where it is.
  QVERIFY(QDir().mkpath(studio.at("now")));
  QVERIFY(QFile::rename(studio.at("before/flow.h5"), studio.at("now/the flow.h5")));
  studio.window.openPaths({studio.at("work.json")});
  choose(studio, studio.at("now/the flow.h5"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("flow") && studio.rests(), kPatienceMs);
  QCOMPARE(studio.session().data[0].source.front(), studio.at("now/the flow.h5").toStdString());
  QCOMPARE(studio.session().data[1].source.front(), std::string("before/below/wake.h5"));
  // The object of it is the one that there was.
  QCOMPARE(studio.session().objects.size(), 2U);
  QCOMPARE(studio.stateOf(studio.model.document().idNamed("edges")), app::ObjectState::Done);
  QVERIFY(!button(studio));
  QCOMPARE(studio.model.document().undoStack().count(), 1);
  studio.trigger("undo");
  QCOMPARE(studio.session().data[0].source.front(), std::string("before/flow.h5"));
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("flow").state, app::DataState::Failed,
                            kPatienceMs);
}

void TestMovedData::whatLayBesideItComesWithIt() {
  Studio studio;
  make(studio);
  QVERIFY(QDir().rename(studio.at("before"), studio.at("now")));
  studio.window.openPaths({studio.at("work.json")});
  choose(studio, studio.at("now/flow.h5"));
  QTRY_VERIFY_WITH_TIMEOUT(
      studio.model.stage().summary("flow") && studio.model.stage().summary("wake") && studio.rests(),
      kPatienceMs);
  QCOMPARE(studio.session().objects.size(), 2U);
  for (const char* const name : {"edges", "more edges"})
    QCOMPARE(studio.stateOf(studio.model.document().idNamed(name)), app::ObjectState::Done);
  QCOMPARE(studio.model.document().undoStack().count(), 1);
}

void TestMovedData::aSolutionSaysWhereTheGridIs() {
  Studio studio;
  makeSeries(studio, "grid3d.xyz");
  QVERIFY(QDir().rename(studio.at("before"), studio.at("now")));
  studio.window.openPaths({studio.at("work.json")});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("flow").state, app::DataState::Failed,
                            kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(button(studio), kPatienceMs);
  button(studio)->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>("chooseMoved"), kPatienceMs);
  QFileDialog* const dialog = studio.child<QFileDialog>("chooseMoved");
  // Either of them can be chosen.
  QVERIFY2(dialog->windowTitle().contains("grid3d.xyz") && dialog->windowTitle().contains("grid3d_*.q"),
           dialog->windowTitle().toUtf8());
  emit dialog->fileSelected(studio.at("now/grid3d_0001.q"));
  dialog->reject();
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("flow") && studio.rests(), kPatienceMs);
  QCOMPARE(studio.session().data[0].source.front(), studio.at("now/grid3d.xyz").toStdString());
  QCOMPARE(studio.model.stage().steps(), std::int64_t{3});
  QCOMPARE(studio.stateOf(studio.model.document().idNamed("edges")), app::ObjectState::Done);
}

/// The solutions alone have moved.
void TestMovedData::whatIsMissingIsAskedFor() {
  Studio studio;
  makeSeries(studio, "grid3d.xyz");
  QVERIFY(QDir().mkpath(studio.at("now")));
  const QStringList solutions = QDir(studio.at("before")).entryList({"*.q"});
  QCOMPARE(solutions.size(), 3);
  for (const QString& name : solutions)
    QVERIFY(QFile::rename(studio.at("before/") + name, studio.at("now/") + name));
  studio.window.openPaths({studio.at("work.json")});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("flow").state, app::DataState::Failed,
                            kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(button(studio), kPatienceMs);
  button(studio)->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>("chooseMoved"), kPatienceMs);
  QFileDialog* const dialog = studio.child<QFileDialog>("chooseMoved");
  QVERIFY2(dialog->windowTitle().contains("grid3d_*.q") && !dialog->windowTitle().contains("grid3d.xyz"),
           dialog->windowTitle().toUtf8());
  dialog->reject();
}

void TestMovedData::aGridIsChosenInPlaceOfASolution() {
  Studio studio;
  makeSeries(studio, "other.q");
  QVERIFY(QFile::copy(studio.at("before/grid3d_0001.q"), studio.at("before/other.q")));
  studio.window.openPaths({studio.at("work.json")});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("flow").state, app::DataState::Failed,
                            kPatienceMs);
  studio.window.pipeline().selectData("flow");
  const auto offered = [&] {
    const auto all = studio.window.findChildren<QPushButton*>();
    return std::any_of(all.begin(), all.end(), [](const QPushButton* each) {
      return each->text().startsWith("Choose the grid") && each->isVisible();
    });
  };
  QTRY_VERIFY_WITH_TIMEOUT(offered(), kPatienceMs);
  studio.model.giveGrid("flow", studio.at("before/grid3d.xyz"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("flow") && studio.rests(), kPatienceMs);
  // Its solutions are all there still.
  QCOMPARE(studio.session().data[0].solution.front(), std::string("before/grid3d_*.q"));
  QCOMPARE(studio.model.stage().steps(), std::int64_t{3});
}

/// A session that is opened through a link finds the data that it names by ".."; so do data that are named that way, and what is saved.
void TestMovedData::linkedFoldersLeadWhereTheSystemSays() {
  Studio studio;
  QVERIFY(QDir().mkpath(studio.at("real/deep/sessions")) && QDir().mkpath(studio.at("use")));
  QVERIFY(QFile::link("../real/deep/sessions", studio.at("use/link")));
  QCOMPARE(runFarfield({"sample", "abc", "-o", studio.at("real/deep/d.h5"), "--size", "5"}).status, 0);
  const QString session = studio.at("real/deep/sessions/s.json");
  for (const char* const way : {"use/link/s.json", "use/link/../sessions/s.json"}) {
    write(session, R"({"farfield": 1, "data": {"d": {"source": "../d.h5"}},
      "objects": [{"name": "edges", "type": "outline", "data": "d"}]})");
    studio.window.openPaths({studio.at(way)});
    QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("d") && studio.rests(), kPatienceMs);
    QVERIFY(QFileInfo(studio.model.document().path()).isFile());
    QSignalSpy saved(&studio.model, &app::AppModel::saved);
    studio.model.save(studio.model.document().path());
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
    const session::Session written = session::readSession(session.toStdString());
    QVERIFY2(std::filesystem::equivalent(written.resolve(written.data[0].source[0]),
                                         studio.at("real/deep/d.h5").toStdString()),
             written.data[0].source[0].c_str());
    studio.trigger("new");
    QTRY_VERIFY_WITH_TIMEOUT(studio.session().data.empty(), kPatienceMs);
  }
  studio.window.openPaths({studio.at("use/link/../d.h5")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().data.size() == 1 && studio.rests(), kPatienceMs);
  QVERIFY(studio.model.stage().summary("d"));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestMovedData test;
  return QTest::qExec(&test, count, words);
}
#include "tst_moved_data.moc"
