// Pictures that are asked for while something is computed or another one is drawn: what they wait for, what they show, and what is
// asked of who quits meanwhile.

#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QStatusBar>
#include <QThread>
#include <atomic>
#include <map>
#include <mutex>

#include "app/ui/window/awaited_objects.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/written_files.h"

using namespace farfield;
using namespace farfield::test;

class TestAwaitedPictures : public QObject {
  Q_OBJECT
 private slots:
  void picturesWaitForWhatIsComputed();
  void picturesAreOfTheViewThatWasAskedFor();
  void quittingWhileAPictureIsDrawn();
  void closingWhileAPictureIsDrawn();
  void largePicturesAreStopped();
  void whatIsClosedIsNotWritten();
  void picturesAreOfTheStepThatWasAskedFor();
  void picturesAreFramedAsTheViewWas();
};

namespace {

/// Lines that take longer than anybody waits, until others are wanted.
void makeLong(Studio& studio, app::ObjectId id) {
  session::Object object = *studio.model.document().object(id);
  auto& shape = std::get<session::Streamlines>(object.shape);
  shape.seeds = session::LineSeeds{{0.5, 0.5, 3}, {5.5, 5.5, 3}, 20'000};
  shape.integrator.maxLength = 1e6;
  shape.integrator.method = session::IntegratorMethod::Rk4;
  shape.integrator.stepCells = 0.01;
  studio.model.document().setObject(id, object, "Seeds");
}

}  // namespace

/// Into a picture go results that are complete; what is still computed is awaited, and the user may say otherwise.
void TestAwaitedPictures::picturesWaitForWhatIsComputed() {
  Studio studio;
  QVERIFY(opens(studio, "sample://taylor-green?size=17"));
  auto* const notice = studio.child<QWidget>("notice");
  const auto setSeeds = [&](app::ObjectId id, std::int64_t seeds, double length) {
    session::Object object = *studio.model.document().object(id);
    auto& lines = std::get<session::Streamlines>(object.shape);
    lines.seeds = session::LineSeeds{{0.5, 0.5, 3}, {5.5, 5.5, 3}, seeds};
    lines.integrator.maxLength = length;
    lines.integrator.method = session::IntegratorMethod::Rk4;
    lines.integrator.stepCells = 0.01;
    studio.model.document().setObject(id, object, "Seeds");
  };
  const auto says = [&](const char* name) {
    return notice->isVisible() && studio.child<QLabel>("notice.text")->text().contains(name);
  };
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  const std::string name = studio.model.document().object(lines)->name;
  setSeeds(lines, 20'000, 1e6);  // takes longer than anybody waits
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Running, kPatienceMs);

  exportAs(studio, "late.png");
  QTRY_VERIFY_WITH_TIMEOUT(says("late.png") && says(name.c_str()), kPatienceMs);
  QVERIFY(!QFile::exists(studio.at("late.png")));
  // Who quits is asked: it is not written yet.
  studio.window.close();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("stopJobs"), kPatienceMs);
  QVERIFY(studio.child<QMessageBox>("stopJobs")->text().contains("late.png"));
  studio.child<QMessageBox>("stopJobs")->reject();
  QVERIFY(studio.window.isVisible());

  exportAs(studio, "too.png");
  QTRY_VERIFY_WITH_TIMEOUT(says("late.png"), kPatienceMs);  // the earliest first
  setSeeds(lines, 4, 3);
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("late.png")), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("too.png")), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!notice->isVisible(), kPatienceMs);

  // What is there already, or nothing at all.
  setSeeds(lines, 20'000, 1e6);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Running, kPatienceMs);
  exportAs(studio, "part.png");
  QTRY_VERIFY_WITH_TIMEOUT(says("part.png"), kPatienceMs);
  QTest::mouseClick(studio.child<QPushButton>("notice.button"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("part.png")), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<ui::PendingFile*>(), kPatienceMs);
  exportAs(studio, "not.png");
  QTRY_VERIFY_WITH_TIMEOUT(says("not.png"), kPatienceMs);
  QTest::mouseClick(studio.child<QPushButton>("notice.other"), Qt::LeftButton);
  setSeeds(lines, 4, 3);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QVERIFY(!QFile::exists(studio.at("not.png")));

  // What is stopped is not complete: it is said, and written once it is.
  setSeeds(lines, 20'000, 1e6);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Running, kPatienceMs);
  exportAs(studio, "stopped.png");
  QTRY_VERIFY_WITH_TIMEOUT(says("stopped.png"), kPatienceMs);
  studio.trigger("cancel");
  QTRY_VERIFY_WITH_TIMEOUT(says("stopped.png is not written") && says(name.c_str()), kPatienceMs);
  QVERIFY(studio.stateOf(lines) == app::ObjectState::Cancelled);
  QVERIFY(!QFile::exists(studio.at("stopped.png")));
  setSeeds(lines, 5, 3);
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("stopped.png")), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!notice->isVisible(), kPatienceMs);
}

/// Who goes on turning the view while a picture is awaited gets the one that was asked for.
void TestAwaitedPictures::picturesAreOfTheViewThatWasAskedFor() {
  std::mutex mutex;
  std::map<std::string, scene::Camera> cameras;
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) {
    parts.drawImage = [&](const scene::Scene& drawn, std::array<int, 2> size,
                          const std::filesystem::path& path) {
      const std::lock_guard lock(mutex);
      cameras[path.filename().string()] = drawn.camera;
      QImage(size[0], size[1], QImage::Format_RGB32).save(QString::fromStdString(path.string()));
    };
  });
  QVERIFY(opens(studio, "sample://taylor-green?size=17"));
  app::Document& document = studio.model.document();
  const auto lookAlong = [&](Vec3 position) {
    session::FixedCamera camera;
    camera.position = position;
    camera.target = {3, 3, 3};
    camera.up = {0.5, 0.5, 0.5};
    document.edit("Camera", [&](app::Draft& draft) { draft.frame().camera = camera; });
  };
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  const session::Object few = *document.object(lines);
  session::Object many = few;
  auto& shape = std::get<session::Streamlines>(many.shape);
  shape.seeds = session::LineSeeds{{0.5, 0.5, 3}, {5.5, 5.5, 3}, 20'000};
  shape.integrator.maxLength = 1e6;
  shape.integrator.method = session::IntegratorMethod::Rk4;
  shape.integrator.stepCells = 0.01;
  lookAlong({3, 3, 20});
  document.setObject(lines, many, "Seeds");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Running, kPatienceMs);
  exportAs(studio, "front.png");
  lookAlong({20, 3, 3});
  exportAs(studio, "side.png");
  lookAlong({3, 20, 3});
  document.setObject(lines, few, "Seeds");
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("front.png")) && QFile::exists(studio.at("side.png")),
                           kPatienceMs);
  const std::lock_guard lock(mutex);
  QVERIFY(length(cameras.at("front.png").position - Vec3{3, 3, 20}) < 1e-6);
  QVERIFY(length(cameras.at("side.png").position - Vec3{20, 3, 3}) < 1e-6);
}

/// Who quits meanwhile is asked, and once all is there goes on to quit, but for what went wrong.
void TestAwaitedPictures::quittingWhileAPictureIsDrawn() {
  std::atomic<int> mayDraw = 0, drawn = 0;
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) {
    parts.drawImage = [&](const scene::Scene&, std::array<int, 2> size, const std::filesystem::path& path) {
      while (mayDraw <= drawn) QThread::msleep(5);
      ++drawn;
      if (path.filename() == "bad.png") throw Io("bad.png: no room", "choose another folder");
      QImage(size[0], size[1], QImage::Format_RGB32).save(QString::fromStdString(path.string()));
    };
  });
  const auto let = qScopeGuard([&] { mayDraw = 100; });  // also where something is not as it should be
  QVERIFY(opens(studio, "sample://taylor-green?size=9"));
  exportAs(studio, "drawn.png");
  QVERIFY(studio.window.findChild<ui::PendingFile*>());
  exportAs(studio, "next.png");
  studio.window.close();
  QVERIFY(studio.window.isVisible() && studio.child<QMessageBox>("stopJobs"));
  QVERIFY(studio.child<QMessageBox>("stopJobs")->text().contains("drawn.png"));
  QVERIFY(studio.child<QMessageBox>("stopJobs")->informativeText().contains("ends once it is there"));
  // Of the next one it is asked then, and said that it is on its way.
  mayDraw = 1;
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("drawn.png")), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("stopJobs")->text().contains("next.png"), kPatienceMs);
  QVERIFY(studio.window.statusBar()->currentMessage().contains("next.png"));
  studio.trigger("addSlice");
  mayDraw = 2;
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("next.png")), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("stopJobs"), kPatienceMs);
  // What was changed is asked about as ever.
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  studio.child<QMessageBox>("saveChanges")->button(QMessageBox::Cancel)->click();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  QVERIFY(studio.window.isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const auto quitWhileWriting = [&](const char* name) {
    exportAs(studio, name);
    studio.window.close();
    QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("stopJobs"), kPatienceMs);
    ++mayDraw;
    QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("stopJobs"), kPatienceMs);
  };
  quitWhileWriting("bad.png");
  QVERIFY(!studio.child<QMessageBox>("saveChanges") && studio.window.isVisible());
  while (studio.model.document().isModified()) studio.trigger("undo");
  quitWhileWriting("last.png");
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.isVisible(), kPatienceMs);
  QVERIFY(QFile::exists(studio.at("last.png")));
}

/// Who begins anew meanwhile is asked as well; and what is on its way is said until it is there, whatever menus say.
void TestAwaitedPictures::closingWhileAPictureIsDrawn() {
  std::atomic<bool> mayDraw = false;
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) {
    parts.drawImage = [&](const scene::Scene&, std::array<int, 2> size, const std::filesystem::path& path) {
      while (!mayDraw) QThread::msleep(5);
      QImage(size[0], size[1], QImage::Format_RGB32).save(QString::fromStdString(path.string()));
    };
  });
  const auto let = qScopeGuard([&] { mayDraw = true; });
  QVERIFY(opens(studio, "sample://taylor-green?size=9"));
  exportAs(studio, "drawn.png");
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.statusBar()->currentMessage().contains("drawn.png"), kPatienceMs);
  studio.window.statusBar()->showMessage("What a command does");
  studio.window.statusBar()->clearMessage();
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.statusBar()->currentMessage().contains("drawn.png"), kPatienceMs);
  const auto asked = [&] { return studio.child<QMessageBox>("unwritten"); };
  studio.trigger("new");
  QVERIFY(asked() && asked()->text().contains("drawn.png"));
  asked()->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!asked(), kPatienceMs);
  QVERIFY(!studio.session().data.empty());
  // Without an answer it goes on once the picture is there.
  studio.trigger("new");
  QVERIFY(asked());
  mayDraw = true;
  QTRY_VERIFY_WITH_TIMEOUT(!asked() && QFile::exists(studio.at("drawn.png")), kPatienceMs);
  if (auto* const save = studio.child<QMessageBox>("saveChanges"))
    save->button(QMessageBox::Discard)->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().data.empty(), kPatienceMs);
}

/// Drawn as it is, a large one takes its time: how far it is is seen, Stop and Esc end it in its middle, and nothing of it is left.
void TestAwaitedPictures::largePicturesAreStopped() {
  Studio studio;
  QVERIFY(opens(studio, "sample://taylor-green?size=65"));
  studio.trigger("addIsosurface");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.model.document().edit("Large", [&](app::Draft& draft) {
    draft.object(studio.newest()).opacity = 0.5;
    draft.frame().image.sizePixels = {6000, 4000};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  for (const bool byKey : {true, false}) {
    exportAs(studio, "large.png");
    const auto job = [&] { return studio.child<QProgressDialog>("pictureJob"); };
    QTRY_VERIFY_WITH_TIMEOUT(job() && job()->isVisible() && job()->value() > 0, kPatienceMs);
    QVERIFY2(job()->labelText().contains("large.png"), qPrintable(job()->labelText()));
    QVERIFY(!job()->isActiveWindow());  // the work goes on where it was
    if (byKey)
      QTest::keyClick(job(), Qt::Key_Escape);
    else
      QTest::mouseClick(job()->findChild<QPushButton*>(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<ui::PendingFile*>() && !job(), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(studio.window.statusBar()->currentMessage(),
                              QString("Stopped: large.png is not written."), kPatienceMs);
    QCOMPARE(filesIn(studio.at(""), "*large*"), QStringList());
  }
  // Small ones are there before anybody asks.
  studio.model.document().edit("Small", [&](app::Draft& draft) {
    draft.frame().image.sizePixels = {64, 64};
  });
  exportAs(studio, "small.png");
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("small.png")), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QProgressDialog>("pictureJob"), kPatienceMs);
}

/// A picture of what was open is no picture of what is open now.
void TestAwaitedPictures::whatIsClosedIsNotWritten() {
  Studio studio;
  QVERIFY(opens(studio, "sample://taylor-green?size=17"));
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  session::Object object = *studio.model.document().object(lines);
  auto& shape = std::get<session::Streamlines>(object.shape);
  shape.seeds = session::LineSeeds{{0.5, 0.5, 3}, {5.5, 5.5, 3}, 20'000};
  shape.integrator.maxLength = 1e6;  // takes longer than anybody waits
  shape.integrator.method = session::IntegratorMethod::Rk4;
  shape.integrator.stepCells = 0.01;
  studio.model.document().setObject(lines, object, "Seeds");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Running, kPatienceMs);
  exportAs(studio, "late.png");
  QTRY_COMPARE_WITH_TIMEOUT(studio.window.findChildren<ui::PendingFile*>().size(), 1, kPatienceMs);
  // Asked for once more it is one file still, and is not written where one of the two is taken back.
  exportAs(studio, "late.png");
  QTest::qWait(0);
  QCOMPARE(studio.window.findChildren<ui::PendingFile*>().size(), 1);
  studio.model.document().clear();
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChildren<ui::PendingFile*>().isEmpty(), kPatienceMs);
  QVERIFY(!studio.child<QWidget>("notice")->isVisible());
  QVERIFY2(studio.window.statusBar()->currentMessage().contains("late.png is not written"),
           qPrintable(studio.window.statusBar()->currentMessage()));
  QVERIFY(opens(studio, "sample://abc?size=9"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QVERIFY(!QFile::exists(studio.at("late.png")));
}

/// Another step that is shown while a picture is awaited is not the one that was asked for: it waits until that is shown again.
void TestAwaitedPictures::picturesAreOfTheStepThatWasAskedFor() {
  std::mutex mutex;
  std::map<std::string, std::string> titles;
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) {
    parts.drawImage = [&](const scene::Scene& drawn, std::array<int, 2> size,
                          const std::filesystem::path& path) {
      const std::lock_guard lock(mutex);
      titles[path.filename().string()] = drawn.title;
      QImage(size[0], size[1], QImage::Format_RGB32).save(QString::fromStdString(path.string()));
    };
  });
  QVERIFY(opens(studio, "sample://taylor-green?steps=4&size=17"));
  app::Document& document = studio.model.document();
  app::Stage& stage = studio.model.stage();
  document.edit("Title", [](app::Draft& draft) { draft.frame().image.title = "n {step}"; });
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  const session::Object few = *document.object(lines);
  const auto says = [&](const char* text) {
    return studio.child<QWidget>("notice")->isVisible() &&
           studio.child<QLabel>("notice.text")->text().contains(text);
  };
  const auto isWritten = [&](const char* name, const char* title) {
    const std::lock_guard lock(mutex);
    return QFile::exists(studio.at(name)) && titles.at(name) == title;
  };
  stage.setStep(1);
  makeLong(studio, lines);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Running, kPatienceMs);
  exportAs(studio, "late.png");
  QTRY_VERIFY_WITH_TIMEOUT(says("late.png is written once"), kPatienceMs);
  stage.setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(says("late.png is of step 1, and step 2 is shown now"), kPatienceMs);
  document.setObject(lines, few, "Seeds");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QVERIFY(!QFile::exists(studio.at("late.png")));
  QVERIFY(says("late.png is of step 1"));
  QCOMPARE(studio.child<QPushButton>("notice.button")->text(), QString("Back to step 1"));
  QTest::mouseClick(studio.child<QPushButton>("notice.button"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(isWritten("late.png", "n 1"), kPatienceMs);
  QCOMPARE(stage.step(), std::int64_t{1});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QWidget>("notice")->isVisible(), kPatienceMs);

  // Whoever comes back while it is computed still waits for it; whoever does not want it any more says so.
  makeLong(studio, lines);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Running, kPatienceMs);
  exportAs(studio, "again.png");
  stage.setStep(3);
  exportAs(studio, "not.png");
  stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(says("again.png is written once"), kPatienceMs);
  document.setObject(lines, few, "Seeds");
  QTRY_VERIFY_WITH_TIMEOUT(isWritten("again.png", "n 1"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(says("not.png is of step 3, and step 1 is shown now"), kPatienceMs);
  QTest::mouseClick(studio.child<QPushButton>("notice.other"), Qt::LeftButton);
  stage.setStep(3);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QVERIFY(!studio.window.findChild<ui::PendingFile*>() && !QFile::exists(studio.at("not.png")));

  // So does geometry.
  stage.setStep(2);
  makeLong(studio, lines);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Running, kPatienceMs);
  studio.trigger("exportGeometry");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  emit studio.child<QFileDialog>({})->fileSelected(QFileInfo(studio.settingsFile).absolutePath());
  studio.child<QFileDialog>({})->close();
  QTRY_VERIFY_WITH_TIMEOUT(says("is written once"), kPatienceMs);
  stage.setStep(0);
  QTRY_VERIFY_WITH_TIMEOUT(says("is of step 2, and step 0 is shown now"), kPatienceMs);
  document.setObject(lines, few, "Seeds");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const QString file = studio.at((few.name + ".vtp").c_str());
  QVERIFY(!QFile::exists(file));
  QTest::mouseClick(studio.child<QPushButton>("notice.button"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), kPatienceMs);
  QCOMPARE(stage.step(), std::int64_t{2});
}

/// The line that says what is awaited takes room from the view, and the view fits itself into the rest; the picture does not.
void TestAwaitedPictures::picturesAreFramedAsTheViewWas() {
  struct Drawn {
    scene::Camera camera;
    std::array<int, 2> size;
  };
  std::mutex mutex;
  std::map<std::string, Drawn> pictures;
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) {
    parts.drawImage = [&](const scene::Scene& drawn, std::array<int, 2> size,
                          const std::filesystem::path& path) {
      const std::lock_guard lock(mutex);
      pictures[path.filename().string()] = {drawn.camera, size};
      QImage(size[0], size[1], QImage::Format_RGB32).save(QString::fromStdString(path.string()));
    };
  });
  QVERIFY(opens(studio, "sample://taylor-green?size=17"));
  app::Document& document = studio.model.document();
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  const session::Object few = *document.object(lines);
  const auto isThere = [&](const char* name) { return QFile::exists(studio.at(name)); };
  for (const bool isFixed : {false, true}) {
    const char *const at = isFixed ? "fixed.png" : "auto.png", *const waited = isFixed ? "fixed_waited.png"
                                                                                       : "auto_waited.png";
    if (isFixed) {
      session::FixedCamera camera;
      camera.position = {3, 3, 20};
      camera.target = {3, 3, 3};
      camera.up = {0, 1, 0};
      document.edit("Camera", [&](app::Draft& draft) { draft.frame().camera = camera; });
      QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    }
    const int height = studio.window.viewport().height();
    exportAs(studio, at);
    QTRY_VERIFY_WITH_TIMEOUT(isThere(at), kPatienceMs);
    makeLong(studio, lines);
    QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Running, kPatienceMs);
    QCOMPARE(studio.window.viewport().height(), height);
    exportAs(studio, waited);
    QTRY_VERIFY_WITH_TIMEOUT(studio.window.viewport().height() < height, kPatienceMs);
    document.setObject(lines, few, "Seeds");
    QTRY_VERIFY_WITH_TIMEOUT(isThere(waited), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(studio.window.viewport().height(), height, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
    const std::lock_guard lock(mutex);
    QCOMPARE(pictures.at(waited).size, pictures.at(at).size);
    QVERIFY2(ui::sameCamera(pictures.at(waited).camera, pictures.at(at).camera), waited);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestAwaitedPictures test;
  return QTest::qExec(&test, count, words);
}
#include "tst_awaited_pictures.moc"
