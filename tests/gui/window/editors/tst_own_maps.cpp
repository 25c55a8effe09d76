// Colour maps of one's own: none is called as a built-in one is. Needs no OpenGL.

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QStandardPaths>
#include <QToolButton>
#include <QUndoStack>

#include "app/model/document/session_maps.h"
#include "app/model/document/volume_looks.h"
#include "app/ui/editors/map_editor.h"
#include "app/ui/panels/color_panel.h"
#include "app/ui/panels/property_editor.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Maps : Studio {
  explicit Maps(const QString& settings = {}) : Studio({1440, 900}, settings) {
    model.open({"sample://abc?size=9"});
    (void)QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs);
    trigger("addSlice");
    (void)QTest::qWaitFor([&] { return rests(); }, kPatienceMs);
    window.pipeline().select(newest());
    child<QWidget>("dock.colors")->show();
    child<QWidget>("dock.colors")->raise();
  }
  scene::MapChoice map() { return model.document().object(newest())->color.map; }
  int named(const char* name) const {
    return static_cast<int>(child<QListWidget>("color.maps")->findItems(name, Qt::MatchExactly).size());
  }
  /// Those that the panel of colours offers, and those that the properties of the selected object do.
  QStringList inPanel() const {
    QStringList names;
    const auto* const list = child<QListWidget>("color.maps");
    for (int row = 0; row < list->count(); ++row) names.append(list->item(row)->text());
    return names;
  }
  QComboBox* inProperties() const {
    return window.findChild<ui::PropertyEditor*>()->widget()->findChild<QComboBox*>("color.map");
  }
  QStringList offered() const {
    QStringList names;
    for (int row = 0; row < inProperties()->count(); ++row) names.append(inProperties()->itemText(row));
    return names;
  }
  /// As a hand that opens the list, or keys that do.
  void choose(const QString& name) const {
    QComboBox* const list = inProperties();
    list->setFocus();
    list->showPopup();
    list->view()->setCurrentIndex(list->model()->index(list->findText(name), 0));
    QTest::keyClick(list->view(), Qt::Key_Return);
  }
  QColor lowEndOf(const QString& name) const {
    return inProperties()->itemIcon(inProperties()->findText(name)).pixmap(64, 12).toImage().pixelColor(0, 6);
  }
};

}  // namespace

class TestOwnMaps : public QObject {
  Q_OBJECT
 private slots:
  void renamedOnesAreNoBuiltInOnes();
  void keysInARowAreOneStep();
  void importedOnesAreNoBuiltInOnes();
  void thoseOfSessionsAreKeptUnderAnotherName();
  void propertiesOfferThemToo();
  void volumesDoToo();
  void earlierVersionsKeptSomeAsBuiltInOnes();
};

void TestOwnMaps::renamedOnesAreNoBuiltInOnes() {
  Maps maps;
  maps.child<QToolButton>("color.edit")->click();
  maps.child<ui::MapEditor>("color.points")->setColor(QColor(255, 0, 0));
  auto* const name = maps.child<QLineEdit>("color.map.name");
  QTRY_VERIFY_WITH_TIMEOUT(name->isEnabled(), kPatienceMs);
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, "plasma");
  QTest::keyClick(name, Qt::Key_Return);
  QCOMPARE(maps.map().name, std::string("plasma 2"));
  QCOMPARE(name->text(), QString("plasma 2"));
  QVERIFY(!maps.map().points.empty());
  maps.child<QToolButton>("color.keep")->click();
  QCOMPARE(maps.model.settings().colorMaps().size(), std::size_t(1));
  QCOMPARE(maps.named("plasma"), 1);
  QCOMPARE(maps.named("plasma 2"), 1);
}

/// Keys that follow each other move a point in one step, as a hand does.
void TestOwnMaps::keysInARowAreOneStep() {
  Maps maps;
  maps.child<QToolButton>("color.edit")->click();
  auto* const points = maps.child<ui::MapEditor>("color.points");
  points->setFocus();
  QTest::keyClick(points, Qt::Key_PageDown);
  const double before = points->points()[1].place;
  const int steps = maps.model.document().undoStack().index();
  for (int n = 0; n < 5; ++n) QTest::keyClick(points, Qt::Key_Left, Qt::ShiftModifier);
  const double moved = points->points()[1].place;
  QVERIFY(moved < before && maps.map().points[1].place == moved);
  QCOMPARE(maps.model.document().undoStack().index(), steps + 1);
  // Another point is another step, and so is the same one after something else.
  QTest::keyClick(points, Qt::Key_PageDown);
  QTest::keyClick(points, Qt::Key_Left, Qt::ShiftModifier);
  QCOMPARE(maps.model.document().undoStack().index(), steps + 2);
  points->setColor(QColor(255, 0, 0));
  QCOMPARE(maps.model.document().undoStack().index(), steps + 3);
  for (int n = 0; n < 3; ++n) maps.trigger("undo");
  QCOMPARE(maps.model.document().undoStack().index(), steps);
  QCOMPARE(points->points()[1].place, before);
  // What was undone is not taken once more where the keyboard goes.
  QTest::keyClick(points, Qt::Key_Left, Qt::ShiftModifier);
  maps.trigger("undo");
  maps.child<QListWidget>("color.maps")->setFocus();
  QCOMPARE(maps.model.document().undoStack().index(), steps);
}

void TestOwnMaps::importedOnesAreNoBuiltInOnes() {
  Maps maps;
  QFile file(maps.at("maps.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(R"([{"ColorSpace": "RGB", "Name": "viridis", "RGBPoints": [0, 0, 0, 0, 1, 1, 1, 1]}])");
  file.close();
  auto* const panel = maps.window.findChild<ui::ColorPanel*>();
  // The same file again is the same map.
  for (int n = 0; n < 2; ++n) {
    panel->importFile(file.fileName());
    QCOMPARE(maps.map().name, std::string("viridis 2"));
    QCOMPARE(maps.named("viridis"), 1);
    QCOMPARE(maps.named("viridis 2"), 1);
  }
  QCOMPARE(maps.model.settings().colorMaps().size(), std::size_t(1));
  // Another one of that name takes the place of none, imported or kept.
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(R"([{"ColorSpace": "RGB", "Name": "viridis", "RGBPoints": [0, 1, 0, 0, 1, 0, 1, 0]}])");
  file.close();
  panel->importFile(file.fileName());
  QCOMPARE(maps.map().name, std::string("viridis 3"));
  QCOMPARE(maps.model.settings().colorMaps().size(), std::size_t(2));
  maps.child<QToolButton>("color.edit")->click();
  maps.child<ui::MapEditor>("color.points")->setColor(QColor(0, 0, 255));
  auto* const name = maps.child<QLineEdit>("color.map.name");
  QTRY_VERIFY_WITH_TIMEOUT(name->isEnabled(), kPatienceMs);
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, "viridis 3");
  QTest::keyClick(name, Qt::Key_Return);
  maps.child<QToolButton>("color.keep")->click();
  QCOMPARE(maps.model.settings().colorMaps().size(), std::size_t(3));
  QCOMPARE(maps.map().name, std::string("viridis 3 2"));
  for (const char* const each : {"viridis", "viridis 2", "viridis 3", "viridis 3 2"})
    QCOMPARE(maps.named(each), 1);
}

void TestOwnMaps::thoseOfSessionsAreKeptUnderAnotherName() {
  Maps maps;
  maps.model.document().edit("Map", [&](app::Draft& draft) {
    draft.object(maps.newest()).color.map.points = {{0, {0, 0, 0}}, {1, {255, 0, 0}}};
  });
  QCOMPARE(maps.map().name, std::string("viridis"));
  maps.child<QToolButton>("color.edit")->click();
  maps.child<QToolButton>("color.keep")->click();
  QCOMPARE(maps.map().name, std::string("viridis 2"));
  QCOMPARE(maps.model.settings().colorMaps().front().name, std::string("viridis 2"));
  QVERIFY(!maps.child<QToolButton>("color.keep")->isEnabled());
  QCOMPARE(maps.named("viridis"), 1);
}

/// One list, wherever a map is chosen.
void TestOwnMaps::propertiesOfferThemToo() {
  Maps maps;
  QCOMPARE(maps.offered(), maps.inPanel());
  scene::MapChoice red("red"), green("green");
  red.points = {{0, {255, 0, 0}}, {1, {0, 0, 0}}};
  green.points = {{0, {0, 255, 0}}, {1, {0, 0, 0}}};
  maps.model.settings().addColorMap(red);
  QVERIFY(maps.offered().contains("red"));
  QCOMPARE(maps.offered(), maps.inPanel());
  QVERIFY(maps.lowEndOf("red").red() > 240 && maps.lowEndOf("red").green() == 0);
  const scene::MapChoice before = maps.map();
  maps.choose("red");
  QCOMPARE(maps.map(), red);
  QCOMPARE(maps.inProperties()->currentText(), QString("red"));
  maps.trigger("undo");
  QCOMPARE(maps.map(), before);
  // Another object's own map is there, as it is while it is edited, and one that no object has any more.
  const app::ObjectId other = maps.model.document().objectIds().front();
  QVERIFY(other != maps.newest());
  maps.model.document().edit("Map", [&](app::Draft& draft) { draft.object(other).color = {}; });
  maps.model.document().edit("Map", [&](app::Draft& draft) {
    draft.object(other).color.by = "velocity-x";
    draft.object(other).color.map = green;
  });
  QVERIFY(maps.offered().contains("green"));
  QVERIFY(maps.lowEndOf("green").green() > 240 && maps.lowEndOf("green").blue() == 0);
  QWidget* const page = maps.window.findChild<ui::PropertyEditor*>()->widget();
  maps.model.document().edit("Move a point", [&](app::Draft& draft) {
    draft.object(other).color.map.points.front().color = {0, 0, 255};
  });
  QVERIFY(maps.lowEndOf("green").blue() > 240 && maps.lowEndOf("green").green() == 0);
  QCOMPARE(maps.window.findChild<ui::PropertyEditor*>()->widget(), page);
  maps.model.document().edit("Map", [&](app::Draft& draft) { draft.object(other).color.map = "plasma"; });
  QVERIFY(maps.offered().contains("green"));
  QCOMPARE(maps.offered(), maps.inPanel());
  maps.choose("green");
  QCOMPARE(maps.map().name, std::string("green"));
  QCOMPARE(maps.map().points.front().color, (std::array<std::uint8_t, 3>{0, 0, 255}));
  maps.model.settings().removeColorMap("red");
  QVERIFY(!maps.offered().contains("red"));
  QCOMPARE(maps.offered(), maps.inPanel());
}

void TestOwnMaps::volumesDoToo() {
  Maps maps;
  scene::MapChoice red("red");
  red.points = {{0, {255, 0, 0}}, {1, {0, 0, 0}}};
  maps.model.settings().addColorMap(red);
  maps.trigger("addVolume");
  QTRY_VERIFY_WITH_TIMEOUT(maps.rests(), kPatienceMs);
  maps.window.pipeline().select(maps.newest());
  QCOMPARE(maps.offered(), maps.inPanel());
  maps.choose("red");
  QCOMPARE(app::withPlainColors(*maps.model.document().object(maps.newest())).color.map, red);
}

void TestOwnMaps::earlierVersionsKeptSomeAsBuiltInOnes() {
  TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "settings.ini").string());
  scene::MapChoice kept("viridis");
  kept.points = {{0, {0, 0, 0}}, {1, {255, 0, 0}}};
  {
    app::Settings settings(file);
    settings.addColorMap(kept);
    kept.name = "viridis 2";
    kept.points.back().color = {0, 255, 0};
    settings.addColorMap(kept);
  }
  Maps maps(file);
  QCOMPARE(maps.inPanel().count("viridis"), qsizetype(1));
  QCOMPARE(maps.offered(), maps.inPanel());
  // Each is still there, under a name that no other has.
  const auto known = maps.model.settings().colorMaps();
  QCOMPARE(known.size(), std::size_t(2));
  QCOMPARE(known[0].name, std::string("viridis 3"));
  QCOMPARE(known[0].points.back().color, (std::array<std::uint8_t, 3>{255, 0, 0}));
  QCOMPARE(known[1], kept);
  maps.choose("viridis 3");
  QCOMPARE(maps.map(), known[0]);
  QVERIFY(maps.child<QToolButton>("color.forget")->isEnabled());
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestOwnMaps test;
  return QTest::qExec(&test, count, words);
}
#include "tst_own_maps.moc"
