// The main states of the window, as pictures. With FARFIELD_SCREENSHOTS naming a folder they are written
// there: so the pictures of the user guide are made (docs/user/take_screenshots). Without, it checks that
// every state can be reached and shows what it is about.

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QStandardPaths>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoStack>
#include <utility>

#include "app/model/document/view_layout.h"
#include "app/model/probes.h"
#include "app/ui/dialogs/animation_dialog.h"
#include "app/ui/dialogs/calculator.h"
#include "app/ui/dialogs/command_palette.h"
#include "app/ui/dialogs/connect_dialog.h"
#include "app/ui/dialogs/guide.h"
#include "app/ui/editors/map_editor.h"
#include "app/ui/panels/view_panel.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/view/camera_dialog.h"
#include "app/ui/view/stretch_dialog.h"
#include "app/ui/view/view_group.h"
#include "app/volume_maker.h"
#include "tests/gui/window/support/flat_ocean.h"
#include "tests/gui/window/support/remote_readers.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/volume_sight.h"
#include "tests/remote/server_process.h"

using namespace farfield;
using namespace farfield::test;

class TestScreenshots : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void guide();
  void readings();
  void surfacesAndVolumes();
  void connecting();
  void severalViews();
  void writingColoursHelp();
  void stretchedAxes();

 private:
  /// Until it looks as it did a moment before.
  static bool isStill(QWidget& widget) {
    QImage last;
    return QTest::qWaitFor(
        [&] {
          const QImage before = std::exchange(last, widget.grab().toImage());
          return !before.isNull() && before == last;
        },
        kPatienceMs);
  }
  /// The window with `over`, a window of its own, at its place on it.
  void take(Studio& studio, const QString& name, QWidget* over = nullptr);
  void settle(Studio& studio);
};

void TestScreenshots::initTestCase() {
  skipWithoutOpenGl();
}

void TestScreenshots::settle(Studio& studio) {
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  // What is shown is what there is to be shown, in full detail and with its legends.
  const auto shown = [&] {
    return studio.window.viewport().grab().toImage().convertToFormat(QImage::Format_RGB32) ==
           studio.picture().convertToFormat(QImage::Format_RGB32);
  };
  QTRY_VERIFY_WITH_TIMEOUT(shown(), kPatienceMs);
}

void TestScreenshots::take(Studio& studio, const QString& name, QWidget* over) {
  QImage image = studio.window.grab().toImage().convertToFormat(QImage::Format_RGB32);
  if (over) {
    QPainter painter(&image);
    const QPoint at = over->mapToGlobal(QPoint(0, 0)) - studio.window.mapToGlobal(QPoint(0, 0));
    painter.setPen(QColor(128, 128, 128));
    painter.drawRect(QRect(at, over->size()).adjusted(-1, -1, 0, 0));
    painter.drawPixmap(at, over->grab());
  }
  const QString folder = qEnvironmentVariable("FARFIELD_SCREENSHOTS");
  if (folder.isEmpty()) return;
  QVERIFY(QDir().mkpath(folder));
  QVERIFY(image.save(folder + '/' + name + ".png"));
}

void TestScreenshots::severalViews() {
  Studio studio({1280, 820});
  ui::MainWindow& window = studio.window;
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  studio.model.open({"sample://cylinder"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  app::Document& document = studio.model.document();
  const std::string lines = studio.session().objects[1].name;
  studio.trigger("addSlice");
  document.edit("Slice", [&](app::Draft& draft) { draft.object(studio.newest()).color.by = "pressure"; });
  const std::string slice = studio.session().objects.back().name;
  studio.trigger("addIsosurface");
  const std::string surface = studio.session().objects.back().name;
  const auto settleAll = [&] {
    settle(studio);
    for (std::size_t number = 0; number < window.views().count(); ++number) {
      qt3d::Viewport& view = window.views().view(number);
      const auto shown = [&] {
        QImage whole;
        bool done = false;
        view.capture([&](const QImage& made) {
          whole = made;
          done = true;
        });
        return QTest::qWaitFor([&] { return done; }, kPatienceMs) &&
               view.grab().toImage().convertToFormat(QImage::Format_RGB32) ==
                   whole.convertToFormat(QImage::Format_RGB32);
      };
      QTRY_VERIFY_WITH_TIMEOUT(shown(), kPatienceMs);
    }
  };
  studio.trigger("fourViews");
  for (const auto& [view, hidden] :
       {std::pair{0, slice}, {0, surface}, {1, lines}, {1, surface}, {2, lines}, {2, slice}})
    app::showIn(document, static_cast<std::size_t>(view), hidden, false);
  window.views().setCamerasLinked(true);
  window.pipeline().select(0);
  settleAll();
  take(studio, "four-views");

  // The same flow, and one that swings: a pressure each, over each other.
  document.clear();
  studio.model.open({"sample://taylor-green?steps=12"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.model.open({"sample://abc"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() > 3, kPatienceMs);
  studio.trigger("compareData");
  window.pipeline().select(0);
  settleAll();
  take(studio, "compare");
}

void TestScreenshots::writingColoursHelp() {
  Studio studio({1280, 820});
  ui::MainWindow& window = studio.window;
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  studio.model.open({"sample://cylinder"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.trigger("addSlice");
  studio.model.document().edit("Write", [&](app::Draft& draft) {
    draft.object(draft.objects()[1].id).visible = false;
    session::Object& slice = draft.object(draft.objects().back().id);
    slice.color.by = "pressure";
    slice.color.map.bands = 12;
    slice.color.map.name = "cool-warm";
    session::ImageSettings& image = draft.frame().image;
    image.title = "Flow around a cylinder";
    image.notes.texts.push_back({"pressure, in twelve bands", {0.5, 0.96}, 1});
    image.notes.axes = image.notes.scaleBar = true;
  });
  settle(studio);
  auto* const colours = studio.child<QDockWidget>("dock.colors");
  colours->raise();
  settle(studio);
  QVERIFY(isStill(window));
  take(studio, "colours");
  // A point of the map in another colour, while the panel stands by itself.
  studio.model.document().edit(
      "Smooth", [&](app::Draft& draft) { draft.object(draft.objects().back().id).color.map.bands = 0; });
  studio.child<QToolButton>("color.edit")->click();
  auto* const points = studio.child<ui::MapEditor>("color.points");
  points->setFocus();
  for (int n = 0; n < 3; ++n) QTest::keyClick(points, Qt::Key_PageDown);
  QTest::keyClick(points, Qt::Key_Insert);
  points->setColor(QColor(240, 200, 60));
  settle(studio);
  QVERIFY(isStill(window));
  take(studio, "map-points", colours);
  studio.trigger("calculator");
  auto* const calculator = window.findChild<ui::Calculator*>();
  QVERIFY(calculator);
  QTest::keyClicks(calculator->findChild<QLineEdit*>("calculator.name"), "polytropic");
  calculator->findChild<QComboBox*>("calculator.expression")->lineEdit()->setText("pressure/density^1.4");
  QVERIFY(isStill(*calculator));
  take(studio, "calculator", calculator);
  calculator->close();
  studio.model.document().edit("Bands", [&](app::Draft& draft) {
    auto& map = draft.object(draft.objects().back().id).color.map;
    map = {};
    map.name = "cool-warm";
    map.bands = 12;
  });
  window.pipeline().select(0);
  studio.child<QDockWidget>("dock.properties")->raise();
  settle(studio);
  QVERIFY(isStill(window));
  take(studio, "writing");
  studio.trigger("guide");
  auto* const guide = window.findChild<ui::Guide*>();
  QVERIFY(guide);
  auto* const search = guide->findChild<QLineEdit*>("guide.search");
  QTest::keyClicks(search, "streamlines");
  QTest::keyClick(search, Qt::Key_Return);
  QVERIFY(isStill(*guide));
  take(studio, "guide", guide);
  guide->close();
}

void TestScreenshots::stretchedAxes() {
  Studio studio({1280, 820}, {}, {}, readersWithRaw());
  ui::MainWindow& window = studio.window;
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  window.openPaths({studio.at("ocean.raw")}, writeOcean(studio.at("ocean.raw")));
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.child<QPushButton>("notice.button")->click();
  studio.trigger("addSlice");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(studio.newest()), app::ObjectState::Done, kPatienceMs);
  studio.model.document().edit(
      "Axes", [](app::Draft& draft) { draft.frame().image.notes = {.scaleBar = true, .axes = true}; });
  studio.trigger("stretch");
  auto* const dialog = window.findChild<ui::StretchDialog*>();
  QVERIFY(dialog);
  QTRY_COMPARE_WITH_TIMEOUT(studio.window.viewport().camera().stretch.z, 1000.0, kPatienceMs);
  settle(studio);
  QVERIFY(isStill(*dialog));
  // The view alone: this window draws no volumes.
  QPixmap view = window.viewport().grab();
  QPainter painter(&view);
  const QPoint corner(view.width() - dialog->width() - 8, 8);
  painter.drawPixmap(corner, dialog->grab());
  painter.drawRect(QRect(corner, dialog->size()).adjusted(-1, -1, 0, 0));
  painter.end();
  if (const QString folder = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !folder.isEmpty())
    QVERIFY(view.toImage().convertToFormat(QImage::Format_RGB32).save(folder + "/stretched.png"));
  dialog->close();
}

void TestScreenshots::guide() {
  Studio studio({1280, 820});
  ui::MainWindow& window = studio.window;
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  QVERIFY(isStill(window));
  take(studio, "start");

  studio.model.open({"sample://cylinder"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  settle(studio);
  take(studio, "opened");

  studio.trigger("addStreamlines");
  const app::ObjectId lines = studio.newest();
  session::Object object = *studio.model.document().object(lines);
  object.name = "rake";
  object.color.by = "pressure";
  auto& its = std::get<session::Streamlines>(object.shape);
  its.seeds = session::LineSeeds{{-6, -4, 2}, {-6, 4, 2}, 40};
  studio.model.document().setObject(lines, object, "Rake");
  studio.model.document().edit("Hide", [&](app::Draft& draft) {
    draft.object(studio.model.document().objectIds()[1]).visible = false;
  });
  settle(studio);
  take(studio, "rake");

  studio.trigger("addSlice");
  studio.model.document().edit("Both", [&](app::Draft& draft) {
    draft.object(studio.newest()).color.by = "pressure";
    draft.object(studio.newest()).color.map.name = "cool-warm";
  });
  settle(studio);
  take(studio, "slice");
  studio.trigger("undo");
  studio.trigger("undo");
  studio.window.pipeline().selectData("cylinder");
  settle(studio);
  take(studio, "data");

  studio.trigger("palette");
  auto* const palette = window.findChild<ui::CommandPalette*>();
  QVERIFY(palette);
  QTest::keyClicks(palette->findChild<QLineEdit*>(), "view");
  QVERIFY(isStill(*palette));
  take(studio, "palette", palette);
  palette->close();

  studio.trigger("exportAnimation");
  auto* const animation = window.findChild<ui::AnimationDialog*>();
  QVERIFY(animation);
  QVERIFY(isStill(*animation));
  take(studio, "animation", animation);
  animation->reject();

  studio.model.document().clear();
  studio.trigger("theme");
  studio.model.open({"sample://taylor-green?steps=12"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  studio.model.document().edit("Dark", [](app::Draft& draft) {
    draft.frame().image.background = {0.09f, 0.1f, 0.12f, 1};
  });
  studio.model.stage().setStep(6);
  settle(studio);
  take(studio, "time");
}

void TestScreenshots::readings() {
  Studio studio({1280, 820});
  app::Document& document = studio.model.document();
  studio.model.open({"sample://cylinder?size=49,49,9&steps=21"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  document.edit("Slice", [&](app::Draft& draft) {
    draft.object(document.objectIds()[1]).visible = false;
    draft.object(slice).color.by = "pressure";
    draft.object(slice).color.map.name = "cool-warm";
    std::get<session::Slice>(draft.object(slice).shape).normal = {0, 0, 1};
  });
  studio.model.stage().setStep(4);
  const Bounds bounds = studio.model.stage().summary("cylinder")->bounds;
  const double z = bounds.center().z;
  app::pinProbe(document, "cylinder", {-1.4, 0.6, z}, {"pressure", "velocity"});
  app::pinProbe(document, "cylinder", {1.8, -1.2, z}, {});
  studio.child<QDockWidget>("dock.probes")->show();
  studio.child<QDockWidget>("dock.probes")->raise();
  studio.window.pipeline().select(slice);
  settle(studio);
  take(studio, "probes");

  studio.trigger("plotTime");
  const auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  QTRY_VERIFY_WITH_TIMEOUT(panel->findChild<QToolButton*>("plot.csv")->isEnabled(), kPatienceMs);
  settle(studio);
  QVERIFY(isStill(studio.window));
  take(studio, "plot");

  studio.trigger("plotValues");
  auto* const over = panel->findChild<QComboBox*>("plot.over");
  over->setCurrentIndex(over->findText("slice", Qt::MatchContains));
  emit over->activated(over->currentIndex());
  auto* const sums = panel->findChild<QLabel*>("plot.note");
  QTRY_VERIFY_WITH_TIMEOUT(sums->text().startsWith("Area"), kPatienceMs);
  settle(studio);
  QVERIFY(isStill(studio.window));
  take(studio, "histogram");

  studio.trigger("camera");
  auto* const camera = studio.window.findChild<ui::CameraDialog*>();
  QVERIFY(camera);
  QVERIFY(isStill(*camera));
  take(studio, "camera", camera);
  camera->close();

  studio.child<QDockWidget>("dock.properties")->raise();
  document.edit("Cut", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds())
      if (id != slice) draft.object(id).visible = false;
    session::Object& object = draft.object(slice);
    object.edges = true;
    object.color.map.bands = 12;
    object.color.bandLines = true;
    draft.frame().image.clip.planes = {{{0, 0.2, z}, {0, -1, 0}}};
  });
  studio.window.pipeline().select(0);
  settle(studio);
  take(studio, "cut");

  document.undoStack().undo();
  studio.child<QDockWidget>("dock.views")->raise();
  for (const char* const view : {"viewPlusZ", "viewIsometric", "viewMinusX"}) {
    studio.trigger(view);
    studio.trigger("keepView");
  }
  QVERIFY(app::renameView(document, "view", "from above").isEmpty());
  studio.trigger("viewIsometric");
  settle(studio);
  auto& list = studio.window.findChild<ui::ViewPanel*>()->list();
  QCOMPARE(list.count(), 3);
  const auto isDrawn = [&](int row) {
    const QImage image = list.item(row)->icon().pixmap(list.iconSize()).toImage();
    for (int y = 4; y < image.height() - 4; ++y)
      for (int x = 4; x < image.width() - 4; ++x)
        if (image.pixel(x, y) != image.pixel(3, 3)) return true;
    return false;
  };
  QTRY_VERIFY_WITH_TIMEOUT(isDrawn(0) && isDrawn(1) && isDrawn(2), kPatienceMs);
  QVERIFY(isStill(studio.window));
  take(studio, "views");
}

void TestScreenshots::surfacesAndVolumes() {
  Studio studio({1280, 820}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=49"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addIsosurface");
  const app::ObjectId surface = studio.newest();
  studio.model.document().edit("Surface", [&](app::Draft& draft) {
    std::get<session::Isosurface>(draft.object(surface).shape).by = "velocity-magnitude";
    std::get<session::Isosurface>(draft.object(surface).shape).values = {2.6};
    draft.object(surface).color.by = "velocity-x";
    draft.object(studio.model.document().objectIds()[1]).visible = false;
  });
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(surface), app::ObjectState::Done, kPatienceMs);
  settle(studio);
  QVERIFY(isStill(studio.window));
  take(studio, "isosurface");

  studio.model.document().clear();
  addVolume(studio, "sample://marschner-lobb?size=65");
  studio.child<QDockWidget>("dock.volume")->raise();
  settle(studio);
  QVERIFY(isStill(studio.window));
  take(studio, "volume-panel");
}

void TestScreenshots::connecting() {
  const TemporaryFolder folder;
  const auto at = [&](const char* name) { return QString::fromStdString((folder / name).string()); };
  QVERIFY(QDir().mkpath(at("data/runs/older")));
  QCOMPARE(runFarfield({"sample", "tornado", "-o", at("data/runs/tornado.h5"), "--size", "64,64,64"}).status,
           0);
  QCOMPARE(runFarfield({"sample", "cylinder", "-o", at("data/runs/cylinder"), "--format", "plot3d"}).status,
           0);
  QCOMPARE(
      runFarfield({"sample", "turbulence", "-o", at("data/runs/turbulence.h5"), "--size", "48,48,48"}).status,
      0);
  // the port of the guide; where it is taken, another
  auto server = std::make_unique<ServerProcess>(
      QStringList{"--root", at("data"), "--listen", "127.0.0.1:4780"}, at("data"));
  if (server->address.isEmpty())
    server = std::make_unique<ServerProcess>(QStringList{"--root", at("data")}, at("data"));
  QVERIFY2(!server->address.isEmpty(), server->errors());

  Studio studio({1280, 820}, {}, {}, remoteReaders());
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.trigger("connect");
  auto* const dialog = studio.window.findChild<ui::ConnectDialog*>();
  QVERIFY(dialog);
  auto* const place = dialog->findChild<QLineEdit*>("connect.place");
  place->setText("far://" + server->address + "/runs");
  QTest::keyClick(place, Qt::Key_Return);
  auto* const list = dialog->findChild<QTreeWidget*>("connect.folder");
  QTRY_COMPARE_WITH_TIMEOUT(list->topLevelItemCount(), 5, kPatienceMs);
  const auto found = list->findItems("tornado.h5", Qt::MatchExactly);
  QCOMPARE(found.size(), 1);
  list->setCurrentItem(found.front());
  QVERIFY(isStill(*dialog));
  take(studio, "connect", dialog);
  QTest::mouseClick(dialog->findChild<QPushButton*>("connect.open"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  settle(studio);
  take(studio, "remote");
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestScreenshots test;
  return QTest::qExec(&test, count, words);
}
#include "tst_screenshots.moc"
