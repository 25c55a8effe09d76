// Files that are written anew while they are open, in the window: it names the file, offers to read the data again above the view and
// among the properties, and keeps everything that was made of them.

#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QUndoStack>
#include <chrono>

#include "app/model/own_functions.h"
#include "app/ui/widgets/notice_bar.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/run_program.h"
#include "tests/support/vti_file.h"

using namespace farfield;
using namespace farfield::test;

namespace fs = std::filesystem;

namespace {

std::string stepName(int step) {
  return "flow_000" + std::to_string(step) + ".q";
}

}  // namespace

class TestChangedFiles : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void theFileIsNamedAndReadAgain_data();
  void theFileIsNamedAndReadAgain();
  void whatCannotBeReadIsSaid();
  void filesOfTheSameSizeAreNoticed();
  void commandsSayWhyNot();
  void whatIsKeptWaitsForTheFiles();

 private:
  /// A wall of three steps, seen at the first of them.
  struct Flow : Studio {
    explicit Flow(const fs::path& made) : from(made) {
      fs::copy(made / "flow.xyz", folder / "flow.xyz");
      for (int step = 0; step < 3; ++step) put(step, step);
      model.document().edit("Open", [&](app::Draft& draft) {
        draft.frame().data.push_back(
            {"flow", {(folder / "flow.xyz").string()}, {(folder / "flow_*.q").string()}, {}, {}});
        session::Object wall;
        wall.name = "wall";
        wall.data = "flow";
        wall.shape = session::GridSurface{};
        wall.color.by = "velocity-magnitude";
        id = draft.add(wall);
      });
    }
    void put(int step, int as) const {
      fs::copy_file(from / stepName(step), folder / stepName(as), fs::copy_options::overwrite_existing);
    }
    bool isDone() { return stateOf(id) == app::ObjectState::Done && rests(); }
    ui::NoticeBar& notice() { return *window.findChild<ui::NoticeBar*>(); }
    QPushButton* offer() {
      for (QPushButton* const each : notice().findChildren<QPushButton*>())
        if (each->isVisible() && each->text() == "Read again") return each;
      return nullptr;
    }
    fs::path from;
    app::ObjectId id = 0;
  };
  TemporaryFolder m_made;
};

void TestChangedFiles::initTestCase() {
  const RunResult made = runProgram({"sample", "cylinder", "-o", "flow", "--size", "17,17,5", "--steps", "4",
                                     "--format", "plot3d", "--quiet"},
                                    {.folder = m_made.path()});
  QVERIFY2(made.status == 0, made.errors.c_str());
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestChangedFiles::theFileIsNamedAndReadAgain_data() {
  QTest::addColumn<QString>("by");
  for (const char* const by : {"notice", "object", "data", "command", "key", "key of the data"})
    QTest::newRow(by) << QString(by);
}

void TestChangedFiles::theFileIsNamedAndReadAgain() {
  QFETCH(QString, by);
  Flow flow(m_made.path());
  QVERIFY(QTest::qWaitForWindowExposed(&flow.window));
  QTRY_VERIFY_WITH_TIMEOUT(flow.isDone() && flow.model.stage().steps() == 3, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(flow.viewRests(), kPatienceMs);
  flow.window.pipeline().select(flow.id);
  const session::Session before = flow.session();
  const int steps = flow.model.document().undoStack().count();
  auto* const inProperties = flow.child<QPushButton>("properties.readAgain");
  QVERIFY(inProperties && !inProperties->isVisible());
  flow.put(3, 2);
  flow.model.stage().setStep(2);
  QTRY_COMPARE_WITH_TIMEOUT(flow.stateOf(flow.id), app::ObjectState::Failed, kPatienceMs);
  // In words of people: the file, and what to do.
  QTRY_COMPARE_WITH_TIMEOUT(flow.notice().text(), QString("flow_0002.q has changed since it was opened."),
                            kPatienceMs);
  QVERIFY(flow.offer());
  QCOMPARE(
      flow.child<QLabel>("properties.note")->text(),
      QString("flow_0002.q has changed since it was opened; “Read again” takes the data as they are now"));
  QVERIFY(inProperties->isVisible() && inProperties->width() <= inProperties->parentWidget()->width());
  if (const QString pictures = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !pictures.isEmpty())
    QVERIFY(flow.window.grab().save(pictures + "/changed-files.png"));
  if (by == "notice") {
    flow.offer()->click();
  } else if (by == "object") {
    inProperties->click();
  } else if (by == "data") {
    flow.window.pipeline().selectData("flow");
    QTRY_VERIFY_WITH_TIMEOUT(flow.child<QPushButton>("data.readAgain"), kPatienceMs);
    flow.child<QPushButton>("data.readAgain")->click();
  } else if (by == "command") {
    QVERIFY(flow.action("readAgain")->isEnabled());
    flow.trigger("readAgain");
  } else if (by == "key") {
    QTest::keyClick(&flow.window.viewport(), Qt::Key_F5, Qt::ControlModifier);
  } else {
    flow.window.pipeline().selectData("flow");
    QTest::keyClick(&flow.window.viewport(), Qt::Key_F5);
  }
  QTRY_VERIFY_WITH_TIMEOUT(flow.isDone(), kPatienceMs);
  QVERIFY(!flow.offer() && !inProperties->isVisible());
  QCOMPARE(flow.model.stage().step(), 2);
  QCOMPARE(flow.model.document().undoStack().count(), steps);
  QVERIFY(flow.session().objects == before.objects && flow.session().data == before.data &&
          flow.session().camera == before.camera);
  // It is what was written there.
  const auto& times = flow.model.stage().summary("flow")->description.times;
  QVERIFY(times.size() == 3 && times[2] - times[1] > 1.5 * (times[1] - times[0]));
}

/// A file of arrays that lie in a row, written once more as a model does that runs with other numbers.
void TestChangedFiles::filesOfTheSameSizeAreNoticed() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  const fs::path path = studio.folder / "box.vti";
  const auto write = [&](float scale) {
    const auto value = [=](int i, int, int, int) { return scale * static_cast<float>(i); };
    writeVti(path, 33, {{"a", 1, value}, {"b", 1, value}});
  };
  write(1);
  app::ObjectId id = 0;
  studio.model.document().edit("Open", [&](app::Draft& draft) {
    draft.frame().data.push_back({"box", {path.string()}, {}, {}, {}});
    session::Object wall;
    wall.name = "wall";
    wall.data = "box";
    wall.shape = session::GridSurface{};
    wall.color.by = "a";
    id = draft.add(wall);
  });
  const auto isDone = [&] { return studio.stateOf(id) == app::ObjectState::Done && studio.rests(); };
  QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
  const auto size = fs::file_size(path);
  write(2);
  fs::last_write_time(path, fs::file_time_type::clock::now() + std::chrono::seconds(2));
  QCOMPARE(fs::file_size(path), size);
  studio.model.document().edit("Colour", [&](app::Draft& draft) { draft.object(id).color.by = "b"; });
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Failed, kPatienceMs);
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  QTRY_COMPARE_WITH_TIMEOUT(notice->text(), QString("box.vti has changed since it was opened."), kPatienceMs);
  studio.trigger("readAgain");
  QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
}

void TestChangedFiles::whatCannotBeReadIsSaid() {
  Flow flow(m_made.path());
  QVERIFY(QTest::qWaitForWindowExposed(&flow.window));
  QTRY_VERIFY_WITH_TIMEOUT(flow.isDone() && flow.model.stage().steps() == 3, kPatienceMs);
  fs::resize_file(flow.folder / stepName(1), fs::file_size(flow.folder / stepName(1)) / 2);
  flow.trigger("readAgain");
  QTRY_VERIFY_WITH_TIMEOUT(
      flow.notice().text().startsWith("flow could not be read again, and is as it was: "), kPatienceMs);
  QVERIFY2(flow.notice().text().contains(QString::fromStdString(stepName(1))),
           qPrintable(flow.notice().text()));
  QVERIFY(flow.isDone());
  // Once the other program is ready.
  flow.put(1, 1);
  QVERIFY(flow.offer());
  flow.offer()->click();
  QTRY_VERIFY_WITH_TIMEOUT(!flow.offer() && flow.isDone(), kPatienceMs);
  // Data that are gone ask for nothing.
  fs::resize_file(flow.folder / stepName(1), fs::file_size(flow.folder / stepName(1)) / 2);
  flow.trigger("readAgain");
  QTRY_VERIFY_WITH_TIMEOUT(flow.offer(), kPatienceMs);
  flow.model.document().removeData("flow");
  QTRY_VERIFY_WITH_TIMEOUT(!flow.offer(), kPatienceMs);
}

void TestChangedFiles::commandsSayWhyNot() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QAction* const read = studio.action("readAgain");
  QVERIFY(!read->isEnabled());
  QCOMPARE(read->statusTip(), QString("No data are open."));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QVERIFY(!read->isEnabled());
  QCOMPARE(read->statusTip(), QString("A sample is computed, not read."));
  studio.model.open({"sample://tornado?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().data.size() == 2, kPatienceMs);
  studio.window.pipeline().select(0);
  QCOMPARE(read->statusTip(), QString("Select the data in the pipeline, of which there are several."));
}

/// A function of one's own opens the data anew: while their folder is away they are seen as they were, and it is said what is missing.
void TestChangedFiles::whatIsKeptWaitsForTheFiles() {
  Flow flow(m_made.path());
  QVERIFY(QTest::qWaitForWindowExposed(&flow.window));
  QTRY_VERIFY_WITH_TIMEOUT(flow.isDone() && flow.viewRests(), kPatienceMs);
  flow.model.stage().setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(flow.isDone() && flow.viewRests(), kPatienceMs);
  flow.window.pipeline().selectData("flow");
  const QImage before = flow.picture();
  const fs::path grid = flow.folder / "flow.xyz", away = flow.folder / "away";
  fs::rename(grid, away);
  app::defineFunction(flow.model.document(), "flow", "twice", "pressure*2");
  QTRY_VERIFY_WITH_TIMEOUT(flow.offer(), kPatienceMs);
  QVERIFY2(
      flow.notice().text().contains("could not be read again") && flow.notice().text().contains("flow.xyz"),
      qPrintable(flow.notice().text()));
  QVERIFY(flow.isDone() && flow.model.stage().step() == 2);
  QTRY_VERIFY_WITH_TIMEOUT(flow.viewRests(), kPatienceMs);
  // The line above the view takes room of it.
  const auto drawn = [](const QImage& picture) {
    const QRgb empty = picture.pixel(1, picture.height() / 2);
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) count += picture.pixel(x, y) != empty;
    return count;
  };
  QVERIFY(drawn(before) > 1000 && drawn(flow.picture()) > drawn(before) / 2);
  fs::rename(away, grid);
  QTest::mouseClick(flow.offer(), Qt::LeftButton);
  const auto isKnown = [&] {
    const auto summary = flow.model.stage().summary("flow");
    return summary && summary->description.attributes.contains("function.twice");
  };
  QTRY_VERIFY_WITH_TIMEOUT(isKnown() && flow.isDone() && flow.viewRests(), kPatienceMs);
  QVERIFY(!flow.offer() && flow.model.stage().step() == 2);
  QCOMPARE(flow.picture(), before);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestChangedFiles test;
  return QTest::qExec(&test, count, words);
}
#include "tst_changed_files.moc"
