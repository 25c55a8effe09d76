// Colour maps of one's own: none is called as a built-in one is. Needs no OpenGL.

#include <QApplication>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QStandardPaths>
#include <QToolButton>

#include "app/ui/color_panel.h"
#include "app/ui/map_editor.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Maps : Studio {
  Maps() : Studio({1440, 900}) {
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
};

}  // namespace

class TestOwnMaps : public QObject {
  Q_OBJECT
 private slots:
  void renamedOnesAreNoBuiltInOnes();
  void importedOnesAreNoBuiltInOnes();
  void thoseOfSessionsAreKeptUnderAnotherName();
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

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestOwnMaps test;
  return QTest::qExec(&test, count, words);
}
#include "tst_own_maps.moc"
