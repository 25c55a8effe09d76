// The window, driven by mouse and keys: the job that the application is for, from the start page to the
// picture, and what happens beside it. Needs a display with OpenGL; skips where there is none.

#include <QAbstractItemView>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QCommandLinkButton>
#include <QDir>
#include <QDirIterator>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>
#include <QUrl>

#include "app/ui/animation_dialog.h"
#include "app/ui/command_palette.h"
#include "app/ui/notice_bar.h"
#include "app/ui/program_job.h"
#include "app/ui/time_bar.h"
#include "app/video/ffmpeg.h"
#include "core/session/session_camera.h"
#include "core/session/session_json.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void theMainJob();
  void cancelling();
  void seedsOutsideAreSaidSo();
  void movingTheView();
  void sessionsBringTheirCamera();
  void palette();
  void paletteFindsWhatActionsDo();
  void keysAreExplained();
  void dropping();
  void wrongFilesAreExplained();
  void closingAsks();
  void openingAloneIsNoWork();
  void returnStopsNoJob();
  void foldersAreOpened();
  void viewsAreKept();
  void readingsAreOffered();
  void stepsAreAnimated();
  void turnsAreAnimated();
  void convertingBesideTheWork();
  void stoppedConversions();
  void leftWorkTakesNothingAway();
};

void TestWindow::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestWindow::theMainJob() {
  Studio studio;
  ui::MainWindow& window = studio.window;
  QVERIFY(QTest::qWaitForWindowExposed(&window));

  // The start page alone, without panels that have nothing to show.
  auto* const start = studio.child<QWidget>("startPage");
  QVERIFY(start->isVisible());
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) QVERIFY(!dock->isVisible());

  auto* const sample = studio.child<QPushButton>("sample://cylinder");
  QVERIFY(sample);
  QTest::mouseClick(sample, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  QVERIFY(!start->isVisible());
  QVERIFY(window.viewport().isVisible());
  QVERIFY(studio.child<QDockWidget>("dock.pipeline")->isVisible());
  const QSize view = window.viewport().size();
  const QRect central(view.width() / 4, view.height() / 4, view.width() / 2, view.height() / 2);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > 500, kPatienceMs);

  // First objects make way for a rake of our own.
  QTest::mouseClick(
      studio.child<QTreeView>("pipeline")->viewport(), Qt::LeftButton, {},
      studio.child<QTreeView>("pipeline")->visualRect(studio.model.tree().indexOf(studio.newest())).center());
  QTest::keyClick(studio.child<QTreeView>("pipeline"), Qt::Key_Delete);
  QCOMPARE(studio.session().objects.size(), 1U);
  studio.trigger("addStreamlines");
  QCOMPARE(studio.session().objects.size(), 2U);
  const app::ObjectId lines = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Done, kPatienceMs);
  QCOMPARE(window.pipeline().selectedObject(), lines);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > 500, kPatienceMs);

  // Coloured by pressure, through the property.
  auto* const by = studio.child<QComboBox>("color.by");
  QVERIFY(by);
  const QImage before = studio.picture();
  // A list that has only just opened takes a release for the end of the click that opened it.
  const int interval = QApplication::doubleClickInterval();
  QApplication::setDoubleClickInterval(0);
  by->showPopup();
  QApplication::setDoubleClickInterval(interval);
  QAbstractItemView* const list = by->view();
  QVERIFY(QTest::qWaitForWindowExposed(list->window()));
  const QModelIndex pressure = list->model()->index(by->findText("pressure"), 0);
  QVERIFY(pressure.isValid());
  list->scrollTo(pressure);
  QCoreApplication::processEvents();
  QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(pressure).center());
  QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(studio.model.document().object(lines)->color.by),
                            "pressure", kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.picture() != before, kPatienceMs);

  // The rake is dragged by its middle: a step of its own, both ends moved alike.
  const auto rake = [&] {
    return std::get<session::LineSeeds>(
        std::get<session::Streamlines>(studio.model.document().object(lines)->shape).seeds);
  };
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const session::LineSeeds was = rake();
  const QPoint grip = studio.pixelOf(0.5 * (was.from + was.to));
  const int steps = studio.model.document().undoStack().count();
  studio.drag(grip, grip + QPoint(25, 8));
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  const session::LineSeeds is = rake();
  QVERIFY(length(is.from - was.from) > 0.1);
  QVERIFY(length((is.from - was.from) - (is.to - was.to)) < 1e-9);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);

  // Taken back and done again.
  studio.trigger("undo");
  QVERIFY(rake() == was);
  studio.trigger("redo");
  QVERIFY(rake() == is);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(lines), app::ObjectState::Done, kPatienceMs);

  // Saved; what is saved opens as the same.
  const QString path = studio.at("wing.json");
  studio.model.save(path);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified(), kPatienceMs);
  const app::LoadedSession loaded = app::loadSession(path);
  QVERIFY2(loaded.session, qPrintable(loaded.problem));
  QCOMPARE(loaded.session->objects.size(), 2U);
  QVERIFY(loaded.session->objects[1] == *studio.model.document().object(lines));
  QVERIFY(window.windowTitle().startsWith("wing"));
  studio.trigger("copyCommand");
  QVERIFY(QApplication::clipboard()->text().contains("farfield batchvis"));
  QVERIFY(QApplication::clipboard()->text().contains("wing.json"));
}

void TestWindow::cancelling() {
  Studio studio;
  studio.model.open({"sample://abc?size=33"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreamlines");
  const app::ObjectId id = studio.newest();
  session::Object object = *studio.model.document().object(id);
  auto& lines = std::get<session::Streamlines>(object.shape);
  lines.integrator.method = session::IntegratorMethod::Rk4;
  lines.integrator.stepCells = 0.002;
  lines.integrator.maxLength = 1e6;
  lines.integrator.maxSteps = 100'000'000;
  std::get<session::LineSeeds>(lines.seeds).count = 5000;
  studio.model.document().setObject(id, object, "Long");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Running, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.action("cancel")->isEnabled(), kPatienceMs);
  studio.window.viewport().setFocus();
  QTest::keyClick(&studio.window.viewport(), Qt::Key_Escape);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Cancelled, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QVERIFY(!studio.action("cancel")->isEnabled());
}

void TestWindow::seedsOutsideAreSaidSo() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const app::ObjectId id = studio.newest();
  session::Object object = *studio.model.document().object(id);
  std::get<session::Streamlines>(object.shape).seeds = session::LineSeeds{{-9, -9, -9}, {-8, -9, -9}, 3};
  studio.model.document().setObject(id, object, "Away");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(app::stateText(studio.model.stage().status(id)).contains("none of the seeds"),
                           kPatienceMs);
}

void TestWindow::movingTheView() {
  Studio studio;
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const QSize size = studio.window.viewport().size();
  const auto followsData = [&] {
    const scene::Camera wanted = session::cameraOf(studio.session(), studio.model.stage().bounds(),
                                                   double(size.width()) / size.height());
    return length(studio.window.viewport().camera().position - wanted.position) < 1e-6;
  };
  QTRY_VERIFY_WITH_TIMEOUT(followsData(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const scene::Camera first = studio.window.viewport().camera();
  studio.window.pipeline().select(0);
  const int steps = studio.model.document().undoStack().count();
  studio.drag({size.width() / 2, size.height() / 2}, {size.width() / 2 + 80, size.height() / 2});
  QVERIFY(length(studio.window.viewport().camera().position - first.position) > 0.1);
  // One movement is one step; taking it back brings the view back.
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.document().undoStack().count(), steps + 1, kPatienceMs);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(followsData(), kPatienceMs);
  studio.trigger("viewPlusZ");
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.viewport().camera().up.y > 0.99, kPatienceMs);
  studio.trigger("orthographic");
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.viewport().isOrthographic(), kPatienceMs);
}

void TestWindow::sessionsBringTheirCamera() {
  Studio studio;
  QFile session(studio.at("told.json"));
  QVERIFY(session.open(QIODevice::WriteOnly));
  session.write(R"({"farfield": 1, "data": {"flow": {"source": "sample://abc?size=9"}},
    "objects": [{"name": "edges", "type": "outline", "data": "flow"}],
    "camera": {"position": [20, -15, 12], "target": [3, 3, 3], "up": [0, 0, 1]}})");
  session.close();
  studio.window.openPaths({session.fileName()});
  const auto isThere = [&] {
    const scene::Camera camera = studio.window.viewport().camera();
    return length(camera.position - Vec3{20, -15, 12}) < 1e-6 && length(camera.target - Vec3{3, 3, 3}) < 1e-6;
  };
  QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(isThere());
  // It is no change of the session's.
  QCOMPARE(studio.model.document().undoStack().count(), 0);
}

void TestWindow::paletteFindsWhatActionsDo() {
  QAction from("From +&X"), view("Reset the view"), other("Save");
  from.setToolTip("View along the x axis");
  ui::CommandPalette palette({&from, &view, &other}, nullptr);
  palette.findChild<QLineEdit*>()->setText("view");
  const auto* const list = palette.findChild<QListWidget*>();
  QCOMPARE(list->count(), 2);
  QCOMPARE(list->item(0)->text(), QString("Reset the view"));
  QCOMPARE(list->item(1)->text(), QString("From +X"));
}

void TestWindow::palette() {
  QVERIFY(ui::fitOf("as", "Add streamlines") > ui::fitOf("as", "Rename class"));
  QCOMPARE(ui::fitOf("xyz", "Add streamlines"), -1);
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.trigger("palette");
  auto* const palette = studio.window.findChild<ui::CommandPalette*>();
  QVERIFY(palette);
  auto* const line = palette->findChild<QLineEdit*>();
  QTest::keyClicks(line, "abc");
  auto* const list = palette->findChild<QListWidget*>();
  QCOMPARE(list->currentItem()->text(), "ABC flow");
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().data.size(), 1U, kPatienceMs);
  QCOMPARE(studio.session().data[0].source[0], "sample://abc");
}

void TestWindow::keysAreExplained() {
  Studio studio;
  for (const char* const name : {"keys", "settings", "about"}) {
    studio.trigger(name);
    QDialog* dialog = nullptr;
    for (QDialog* const each : studio.window.findChildren<QDialog*>())
      if (each->isVisible()) dialog = each;
    QVERIFY2(dialog, name);
    dialog->close();
    QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChildren<QDialog*>().isEmpty(), kPatienceMs);
  }
  // No two commands that can be used at the same time share a key.
  std::map<QString, QString> taken;
  for (const QAction* const action : studio.window.findChildren<QAction*>())
    for (const QKeySequence& keys : action->shortcuts()) {
      const auto [known, added] = taken.emplace(keys.toString(), action->objectName());
      QVERIFY2(added, qPrintable(keys.toString() + " is " + known->second + " and " + action->objectName()));
    }
}

void TestWindow::dropping() {
  Studio studio;
  QMimeData files;
  files.setUrls({QUrl("sample://tornado?size=9")});
  QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&studio.window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&studio.window, &drop);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QCOMPARE(studio.session().data[0].name, "tornado");
  QVERIFY(studio.model.settings().recent().contains("sample://tornado?size=9"));
}

void TestWindow::wrongFilesAreExplained() {
  Studio studio;
  QFile session(studio.at("bad.json"));
  QVERIFY(session.open(QIODevice::WriteOnly));
  session.write(R"({"farfield": 1, "data": {}, "objects": [], "camrea": "auto"})");
  session.close();
  studio.window.openPaths({session.fileName()});
  QMessageBox* box = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((box = studio.window.findChild<QMessageBox*>()) != nullptr, kPatienceMs);
  QVERIFY2(box->informativeText().contains("camrea"), qPrintable(box->informativeText()));
  box->close();

  QFile data(studio.at("noise.q"));
  QVERIFY(data.open(QIODevice::WriteOnly));
  data.write("this is no flow");
  data.close();
  studio.window.openPaths({data.fileName()});
  QTRY_VERIFY_WITH_TIMEOUT(
      studio.rests() && studio.model.stage().dataStatus("noise").state == app::DataState::Failed,
      kPatienceMs);
  QVERIFY(!app::stateText(studio.model.stage().dataStatus("noise")).isEmpty());
}

void TestWindow::closingAsks() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  studio.window.close();
  QVERIFY(studio.window.isVisible());
  auto* const box = studio.child<QMessageBox>("saveChanges");
  QVERIFY(box);
  QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
  QVERIFY(studio.window.isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  studio.window.close();
  QTest::mouseClick(studio.child<QMessageBox>("saveChanges")->button(QMessageBox::Discard), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.isVisible(), kPatienceMs);
}

void TestWindow::openingAloneIsNoWork() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  app::Document& document = studio.model.document();
  QVERIFY(!document.isModified() && !document.undoStack().isClean());
  QVERIFY(!studio.window.isWindowModified());
  QVERIFY(studio.action("save")->isEnabled());
  // What is done to it is work, until it is taken back.
  studio.trigger("addSlice");
  QVERIFY(document.isModified() && studio.window.isWindowModified());
  studio.trigger("undo");
  QVERIFY(!document.isModified() && !studio.window.isWindowModified());
  studio.trigger("redo");
  QVERIFY(document.isModified() && studio.window.isWindowModified());
  studio.trigger("undo");
  // More data are no more work, and a new document asks nothing either.
  studio.model.open({"sample://tornado?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().data.size() == 2 && studio.viewRests(), kPatienceMs);
  QVERIFY(!document.isModified());
  studio.trigger("new");
  QVERIFY(!studio.child<QMessageBox>("saveChanges"));
  QVERIFY(document.isEmpty());
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  // In a session that has a file, opening is a change of it.
  studio.model.save(studio.at("abc.json"));
  QTRY_VERIFY_WITH_TIMEOUT(document.undoStack().isClean(), kPatienceMs);
  studio.model.open({"sample://tornado?size=9"});
  QVERIFY(document.isModified());
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().data.size() == 2 && studio.viewRests(), kPatienceMs);
  document.clear();
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  studio.window.close();
  QVERIFY(!studio.child<QMessageBox>("saveChanges"));
  QVERIFY(!studio.window.isVisible());
}

void TestWindow::returnStopsNoJob() {
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

void TestWindow::foldersAreOpened() {
  Studio studio;
  const QString folder = studio.at("case of two");
  QVERIFY(QDir().mkpath(folder));
  const Outcome made = runFarfield(
      {"sample", "tornado", "-o", folder + "/wing", "--format", "plot3d", "--size", "9"}, studio.at("."));
  QVERIFY2(made.status == 0, made.errors);
  const QList<QFileInfo> files = QDir(folder).entryInfoList(QDir::Files);
  QVERIFY(files.size() >= 2);
  studio.trigger("openFolder");
  auto* const dialog = studio.child<QFileDialog>("openFolder");
  QVERIFY(dialog);
  dialog->setDirectory(studio.at("."));
  auto* const name = dialog->findChild<QLineEdit*>("fileNameEdit");
  QVERIFY(name);
  name->setText(folder);
  QVERIFY(QMetaObject::invokeMethod(dialog, "accept"));
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  QCOMPARE(studio.session().data.size(), std::size_t(1));
  QVERIFY(!studio.session().data[0].solution.empty());
  QCOMPARE(studio.model.settings().lastFolder(), QFileInfo(folder).absolutePath());
  // Dropped on the window
  studio.model.document().clear();
  QMimeData dropped;
  dropped.setUrls({QUrl::fromLocalFile(folder)});
  QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &dropped, Qt::LeftButton, {});
  QApplication::sendEvent(&studio.window, &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(200, 200), Qt::CopyAction, &dropped, Qt::LeftButton, {});
  QApplication::sendEvent(&studio.window, &drop);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  QCOMPARE(studio.session().data.size(), std::size_t(1));
}

void TestWindow::viewsAreKept() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("viewPlusX");
  studio.trigger("keepView");
  QCOMPARE(studio.session().views.size(), 1U);
  const auto kept = studio.session().camera;
  QVERIFY(studio.session().views[0].camera == kept);
  studio.trigger("viewPlusZ");
  QVERIFY(!(studio.session().camera == kept));
  emit studio.child<QMenu>("keptViews")->aboutToShow();
  studio.trigger("keptView");
  QVERIFY(studio.session().camera == kept);
  // Kept by the file, too.
  const session::Session again = session::parseSession(session::toJson(studio.session()));
  QCOMPARE(again.views.size(), 1U);
}

void TestWindow::readingsAreOffered() {
  Studio studio;
  // Two blocks 2x1x1 and 6x1x1 in f32, or one block 2x2x1 in f64 with iblank: 124 bytes each.
  const std::int32_t head[] = {2, 2, 1, 1, 6, 1, 1};
  QFile file(studio.at("both.xyz"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(reinterpret_cast<const char*>(head), sizeof head);
  file.resize(124);
  file.close();
  studio.window.openPaths({file.fileName()});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("both").state, app::DataState::Failed,
                            kPatienceMs);
  studio.window.pipeline().selectData("both");
  QTRY_COMPARE_WITH_TIMEOUT(studio.window.findChildren<QCommandLinkButton*>("reading").size(), 2,
                            kPatienceMs);
  for (QCommandLinkButton* const button : studio.window.findChildren<QCommandLinkButton*>("reading")) {
    if (button->text() != QStringLiteral("2 × 2 × 1")) continue;
    QTest::mouseClick(button, Qt::LeftButton);
    break;
  }
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("both"), kPatienceMs);
  QCOMPARE(studio.model.stage().summary("both")->description.blocks.size(), 1U);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty(), kPatienceMs);
  // Seen to be the wrong one, the other is a click away, and nothing of the first is left.
  studio.window.pipeline().selectData("both");
  const auto offered = [&] {
    QList<QCommandLinkButton*> buttons;
    for (auto* const button : studio.window.findChildren<QCommandLinkButton*>("reading"))
      if (button->isVisible()) buttons.append(button);
    return buttons;
  };
  QTRY_COMPARE_WITH_TIMEOUT(offered().size(), 2, kPatienceMs);
  QCOMPARE(offered()[0]->isEnabled() + offered()[1]->isEnabled(), 1);
  QTest::mouseClick(offered()[0]->isEnabled() ? offered()[0] : offered()[1], Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("both") &&
                               studio.model.stage().summary("both")->description.blocks.size() == 2,
                           kPatienceMs);
  const auto another = studio.session().data[0].options;
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("both") &&
                               studio.model.stage().summary("both")->description.blocks.size() == 1,
                           kPatienceMs);
  QVERIFY(studio.session().data[0].options != another);
}

void TestWindow::stepsAreAnimated() {
  Studio studio;
  studio.model.open({"sample://taylor-green?steps=4&size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("exportAnimation");
  auto* const dialog = studio.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog && dialog->choice().kind == ui::AnimationChoice::Kind::Steps);
  QCOMPARE(dialog->choice().last, 3);
  dialog->findChild<QSpinBox*>("every")->setValue(2);
  const ui::AnimationChoice choice = dialog->choice();
  QVERIFY(dialog->findChild<QLabel*>("count")->text().startsWith("2 "));
  dialog->reject();
  const std::uint64_t budget = studio.model.engine().memoryBytes();
  const int done = studio.model.document().undoStack().count();
  QVERIFY(QDir().mkpath(studio.at("steps")));
  studio.window.exportAnimationTo(studio.at("steps"), choice);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.engine().memoryBytes(), budget - budget / 2, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.engine().memoryBytes(), budget, kPatienceMs);
  const QStringList files = QDir(studio.at("steps")).entryList({"*.png"});
  QCOMPARE(files.size(), 2);
  QVERIFY(files[0].contains("_0000") && files[1].contains("_0002"));
  QVERIFY(studio.action("exportAnimation")->isEnabled());
  QCOMPARE(studio.model.document().undoStack().count(), done);
}

void TestWindow::turnsAreAnimated() {
  Studio studio;
  studio.model.open({"sample://cylinder"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const int done = studio.model.document().undoStack().count();
  ui::AnimationChoice choice;
  choice.pictures = 4;
  choice.axis = ui::AnimationChoice::Axis::Z;
  choice.sizePixels = {320, 200};
  if (!app::findFfmpeg().empty()) choice.video = ".mp4";
  QVERIFY(QDir().mkpath(studio.at("turn")));
  studio.window.exportAnimationTo(studio.at("turn"), choice);
  // The data changes meanwhile; the pictures do not.
  studio.model.document().undoStack().undo();
  QVERIFY(studio.session().objects.empty());
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  const QStringList files = QDir(studio.at("turn")).entryList({"*.png"}, QDir::Files, QDir::Name);
  QCOMPARE(files.size(), 4);
  const QStringList films = QDir(studio.at("turn")).entryList({"*.mp4"}, QDir::Files);
  QCOMPARE(films.size(), choice.video.isEmpty() ? 0 : 1);
  std::vector<QImage> pictures;
  for (const QString& file : files) {
    pictures.emplace_back(studio.at("turn") + '/' + file);
    QCOMPARE(pictures.back().size(), QSize(320, 200));
    QVERIFY(colouredPixels(pictures.back(), pictures.back().rect()) > 100);
  }
  QVERIFY(pictures[0] != pictures[1] && pictures[1] != pictures[2] && pictures[2] != pictures[3]);
  studio.model.document().undoStack().redo();
  QCOMPARE(studio.model.document().undoStack().count(), done);

  // Stopped: what is written stays, nothing more comes.
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  choice.pictures = 3000;
  QVERIFY(QDir().mkpath(studio.at("long")));
  const auto written = [&] { return QDir(studio.at("long")).entryList({"*.png"}).size(); };
  studio.window.exportAnimationTo(studio.at("long"), choice);
  QTRY_VERIFY_WITH_TIMEOUT(written() >= 2, kPatienceMs);
  auto* const stop = studio.child<QProgressDialog>("animationJob")->findChild<QPushButton*>();
  for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Space})
    QTest::keyClick(studio.child<QProgressDialog>("animationJob"), key);
  QVERIFY(!stop->autoDefault() && !stop->isDefault());
  QVERIFY(!studio.child<QProgressDialog>("animationJob")->wasCanceled());
  stop->click();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  const auto count = written();
  QVERIFY(count < 3000);
  // Pictures are drawn one after the other: what had been asked for before this one would be there.
  bool drawn = false;
  studio.model.engine().draw(
      {}, scene::Scene{}, [](const scene::Scene&) {}, [&](const auto&) { drawn = true; });
  QTRY_VERIFY_WITH_TIMEOUT(drawn, kPatienceMs);
  QCOMPARE(written(), count);
}

void TestWindow::convertingBesideTheWork() {
  Studio studio;
  QProcess sample;
  sample.setWorkingDirectory(QString::fromStdString(studio.folder.path().string()));
  sample.start(studio.parts().program,
               {"sample", "cylinder", "-o", "wing", "--size", "9,9,9", "--steps", "3", "--format", "plot3d"});
  QVERIFY(sample.waitForFinished(kPatienceMs) && sample.exitCode() == 0);
  // The solutions are found beside the grid.
  studio.window.openPaths({studio.at("wing.xyz")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  QCOMPARE(studio.session().data[0].solution.size(), 3U);
  // The step that is shown stays, in the bar as in the picture.
  app::Stage& stage = studio.model.stage();
  stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const auto staysAtItsStep = [&] {
    return stage.steps() == 3 && stage.step() == 1 &&
           studio.window.findChild<ui::TimeBar*>()->findChild<QSpinBox*>()->value() == 1;
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
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().summary("wing"), kPatienceMs);
  QCOMPARE(studio.model.stage().summary("wing")->description.format, "plot3d");
  QVERIFY(staysAtItsStep());
  // Of data with fewer steps it is the last, and the objects are those of it.
  studio.model.document().edit("One step",
                               [](app::Draft& draft) { draft.frame().data[0].solution.resize(1); });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && stage.summary("wing") && stage.steps() == 1, kPatienceMs);
  QCOMPARE(stage.step(), 0);
}

/// What a conversion that was stopped has written is not left without a word: it goes on, or it is removed.
void TestWindow::stoppedConversions() {
  // What is stopped takes far longer than the stop; what goes on with it is short.
  const TemporaryFolder folder;
  const QString program = QString::fromStdString((folder.path() / "slow").string());
  QFile script(program);
  QVERIFY(script.open(QIODevice::WriteOnly));
  const QByteArray real = '\'' + programPath().toUtf8() + '\'';
  script.write(
      "#!/bin/sh\nbefore=; for each; do [ \"$before\" = -o ] && out=$each; before=$each; done\n"
      "case \" $* \" in *' --resume '*) rm -f \"$out.part\" \"$out.part.journal\"; exec " +
      real + " \"$@\";; esac\nexec " + real +
      " convert 'sample://turbulence?size=1025' -o \"$out\" --overwrite --memory 64M\n");
  script.close();
  QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
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
  studio.window.convertDataTo(name, store);
  // What has no page yet is not worth a word.
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(part).size() > 1'000'000, kPatienceMs);
  QVERIFY(stop());
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

void TestWindow::leftWorkTakesNothingAway() {
  Studio studio;
  session::Session left;
  left.data.push_back({"left", {"sample://abc?size=9"}, {}, {}, {}});
  session::Object outline;
  outline.name = "left outline";
  outline.data = "left";
  outline.shape = session::Outline{};
  left.objects.push_back(outline);
  const QString folder = studio.at("data") + "/recovery/gone";
  QVERIFY(QDir().mkpath(folder));
  QFile file(folder + "/work.json");
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QJsonDocument(QJsonObject{{"path", "/somewhere/wing.json"},
                                       {"changed", "2026-11-21T12:00:00.000Z"},
                                       {"name", "wing"},
                                       {"folder", "/somewhere"},
                                       {"session", QString::fromStdString(session::toJson(left))}})
                 .toJson());
  file.close();
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const session::Session own = studio.session();
  auto* const notice = studio.child<QWidget>("notice");
  QVERIFY(!notice->isVisible());

  // Named files, or work that was begun before the answer came: a line above the view, and no question.
  for (const auto how : {ui::MainWindow::Offer::AsNotice, ui::MainWindow::Offer::AsQuestion}) {
    studio.window.offerLeftWork(how);
    QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
    QVERIFY(studio.child<QLabel>("notice.text")->text().contains("wing.json"));
    QVERIFY(!studio.child<QMessageBox>("recovery"));
    QTest::mouseClick(studio.child<QToolButton>("notice.close"), Qt::LeftButton);
    QVERIFY(!notice->isVisible());
  }
  QVERIFY(studio.session() == own);
  QVERIFY(QFile::exists(folder + "/work.json"));

  // On demand it is asked about, and what is open asks to be saved first.
  studio.trigger("recover");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  const auto press = [&](const char* box, const QString& name) {
    for (QAbstractButton* const button : studio.child<QMessageBox>(box)->buttons())
      if (button->text().remove('&') == name) return button->click();
    QFAIL(qPrintable("there is no " + name));
  };
  press("recovery", "Restore");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  QVERIFY(studio.session() == own);
  press("saveChanges", "Cancel");
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  QVERIFY(studio.session() == own);
  QVERIFY(QFile::exists(folder + "/work.json"));

  studio.trigger("recover");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  press("recovery", "Restore");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  press("saveChanges",
        studio.child<QMessageBox>("saveChanges")->button(QMessageBox::Discard)->text().remove('&'));
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 1U, kPatienceMs);
  QCOMPARE(studio.session().objects[0].name, "left outline");
  QVERIFY(studio.model.document().isModified());
  // What was left goes when this program has made it safe.
  QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(folder + "/work.json"), kPatienceMs);
  int kept = 0;
  for (QDirIterator files(studio.at("data"), {"work.json"}, QDir::Files, QDirIterator::Subdirectories);
       files.hasNext(); files.next())
    ++kept;
  QCOMPARE(kept, 1);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestWindow test;
  return QTest::qExec(&test, count, words);
}
#include "tst_window.moc"
