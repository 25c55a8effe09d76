// The window, driven by mouse and keys: the job that the application is for, from the start page to the
// picture, and what happens beside it. Needs a display with OpenGL; skips where there is none.

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QCommandLinkButton>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardPaths>
#include <QUrl>

#include "app/ui/dialogs/command_palette.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/widgets/number_edit.h"
#include "core/session/json/session_json.h"
#include "core/session/session_camera.h"
#include "tests/gui/window/support/studio.h"

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
  void sessionsOfOthersAreReplacedOnlyWhereWanted();
  void openingAloneIsNoWork();
  void foldersAreOpened();
  void viewsAreKept();
  void readingsAreOffered();
  void speedAndLoopAreKept();
};

void TestWindow::initTestCase() {
  skipWithoutOpenGl();
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
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  // The next one is the next step: a view that was good is come back to. Holding still while a button is down ends nothing.
  const QPoint middle(size.width() / 2, size.height() / 2);
  studio.drag(middle, middle + QPoint(60, 0));
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.document().undoStack().index(), steps + 1, kPatienceMs);
  const Vec3 good = studio.window.viewport().camera().position;
  QWidget* const view = &studio.window.viewport();
  const auto move = [&](QPoint now, Qt::MouseButtons held) {
    QMouseEvent event(QEvent::MouseMove, now, view->mapToGlobal(now), Qt::NoButton, held, {});
    QApplication::sendEvent(view, &event);
  };
  move(middle, Qt::NoButton);
  QTest::mousePress(view, Qt::LeftButton, {}, middle);
  for (const int half : {1, 2}) {
    for (const int step : {1, 2, 3}) move(middle + QPoint(0, half * 20 + step * 5), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(studio.model.document().undoStack().index(), steps + 2, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  }
  QTest::mouseRelease(view, Qt::LeftButton, {}, middle + QPoint(0, 60));
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(length(studio.window.viewport().camera().position - good) < 1e-6, kPatienceMs);
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
    // Within a small screen, all of it: what has no room is scrolled.
    QVERIFY2(dialog->width() <= 1000 && dialog->minimumSizeHint().height() <= 600,
             qPrintable(QString("%1 is %2 wide, at least %3 high")
                            .arg(name)
                            .arg(dialog->width())
                            .arg(dialog->minimumSizeHint().height())));
    if (auto* const area = dialog->findChild<QScrollArea*>("cheatSheet.area")) {
      QTRY_VERIFY_WITH_TIMEOUT(area->viewport()->width() >= area->widget()->minimumSizeHint().width(),
                               kPatienceMs);
      dialog->resize(dialog->width(), 400);
      QTRY_VERIFY_WITH_TIMEOUT(area->verticalScrollBar()->maximum() > 0, kPatienceMs);
      QTest::keyClick(dialog->focusWidget(), Qt::Key_PageDown);
      QTRY_VERIFY_WITH_TIMEOUT(area->verticalScrollBar()->value() > 0, kPatienceMs);
    }
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

/// Two windows, or a window and an editor of text, have one session open: neither replaces unasked what the other one saved.
void TestWindow::sessionsOfOthersAreReplacedOnlyWhereWanted() {
  Studio studio, other;
  const QString path = studio.at("shared.json");
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.model.save(path);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.document().path(), path, kPatienceMs);
  other.model.open({path});
  QTRY_COMPARE_WITH_TIMEOUT(other.model.document().path(), path, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(other.rests(), kPatienceMs);
  other.trigger("addSlice");
  other.trigger("save");
  QTRY_VERIFY_WITH_TIMEOUT(!other.model.document().isModified(), kPatienceMs);
  QVERIFY(!other.child<QMessageBox>("changedElsewhere"));
  const auto slices = [&] {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).count("\"slice\"") : -1;
  };
  const auto theirs = slices();

  studio.trigger("addIsosurface");
  studio.trigger("save");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("changedElsewhere"), kPatienceMs);
  QCOMPARE(slices(), theirs);
  QTest::keyClick(studio.child<QMessageBox>("changedElsewhere"), Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("changedElsewhere"), kPatienceMs);
  QVERIFY(studio.model.document().isModified());
  QCOMPARE(slices(), theirs);

  studio.trigger("save");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("changedElsewhere"), kPatienceMs);
  for (QAbstractButton* const button : studio.child<QMessageBox>("changedElsewhere")->buttons())
    if (button->text().remove('&') == "Replace it") button->click();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified(), kPatienceMs);
  QVERIFY(slices() < theirs);
  // From then on it is the own one.
  studio.trigger("addSlice");
  studio.trigger("save");
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified(), kPatienceMs);
  QVERIFY(!studio.child<QMessageBox>("changedElsewhere"));
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

/// Who plays so plays so the next time as well.
void TestWindow::speedAndLoopAreKept() {
  const TemporaryFolder folder;
  const QString settings = QString::fromStdString((folder.path() / "settings.ini").string());
  for (const bool again : {false, true}) {
    Studio studio({1280, 800}, settings);
    studio.model.open({"sample://taylor-green?size=9&steps=3"});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
    auto* const bar = studio.window.findChild<ui::TimeBar*>();
    QAction* const loop = bar->stepActions().back();
    auto* const speed = bar->findChild<ui::NumberEdit*>("time.speed");
    QVERIFY(speed);
    QCOMPARE(speed->accessibleName(), QString("Speed"));
    QCOMPARE(loop->isChecked(), again);
    QCOMPARE(speed->value(), again ? 0.5 : 8);
    loop->setChecked(true);
    speed->selectAll();
    QTest::keyClicks(speed, "0.5");
    QTest::keyClick(speed, Qt::Key_Return);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestWindow test;
  return QTest::qExec(&test, count, words);
}
#include "tst_window.moc"
