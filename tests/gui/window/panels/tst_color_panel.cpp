// The panel of colours: maps, ranges, maps that are imported, and how others see them. A widget over a model, without a view, so that it needs
// no display.

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/ui/panels/color_panel.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/room.h"

using namespace farfield;
using namespace farfield::test;

namespace {

QByteArray fireMap() {
  return R"(<ColorMaps><ColorMap name="fire" space="RGB"><Point x="0" r="0" g="0" b="0"/>
<Point x="1" r="1" g="0" b="0"/><Point x="2" r="1" g="1" b="0"/><NaN r="0" g="1" b="0"/></ColorMap></ColorMaps>)";
}

}  // namespace

class TestColorPanel : public QObject {
  Q_OBJECT
 private slots:
  void colorsAreChosen();
  void rangesAreChosen();
  void rangesAreOfWhatIsNamed();
  void mapsAreImported();
  void importedMapsAreSeenInProperties();
  void visionIsPreviewed();
};

void TestColorPanel::colorsAreChosen() {
  Room room;
  ui::ColorPanel panel(room.model);
  panel.show();
  auto* const maps = panel.findChild<QListWidget*>("color.maps");
  QVERIFY(!maps->isVisible());  // nothing is selected
  const app::ObjectId id = room.open("sample://abc?size=17");
  panel.showObject(id);
  QVERIFY(maps->isVisible());
  QCOMPARE(maps->count(), int(color::mapNames().size()));
  QCOMPARE(maps->currentItem()->text(), QString("viridis"));
  QTest::keyClick(maps, Qt::Key_Down);
  QCOMPARE(room.color(id).map.name, std::string("cividis"));
  panel.findChild<QCheckBox*>("color.inverted")->click();
  QVERIFY(room.color(id).map.inverted);
  auto* const bands = panel.findChild<ui::NumberEdit*>("color.bands");
  QCOMPARE(bands->text(), QString());
  QCOMPARE(bands->placeholderText(), QString("smooth"));
  bands->setFocus();
  QTest::keyClicks(bands, "6");
  QTest::keyClick(bands, Qt::Key_Return);
  QCOMPARE(room.color(id).map.bands, 6);
  room.model.document().undoStack().undo();
  QCOMPARE(room.color(id).map.bands, 0);
  QVERIFY(!bands->value());
  QCOMPARE(bands->text(), QString());
  room.model.document().undoStack().undo();
  room.model.document().undoStack().undo();
  QCOMPARE(room.color(id).map.name, std::string("viridis"));
  QCOMPARE(maps->currentItem()->text(), QString("viridis"));
  panel.findChild<QCheckBox*>("color.legend")->click();
  QVERIFY(!room.model.document().session().image.legend);
  // One colour has no map.
  session::Object plain = *room.model.document().object(id);
  plain.color.by.clear();
  room.model.document().setObject(id, plain, "plain");
  QVERIFY(!maps->isVisible());
}

void TestColorPanel::rangesAreChosen() {
  Room room;
  ui::ColorPanel panel(room.model);
  panel.show();
  const app::ObjectId id = room.open("sample://abc?size=17");
  panel.showObject(id);
  QTRY_VERIFY_WITH_TIMEOUT(room.done(id), kPatienceMs);
  auto* const least = panel.findChild<ui::NumberEdit*>("color.least");
  auto* const greatest = panel.findChild<ui::NumberEdit*>("color.greatest");
  auto* const kind = panel.findChild<QComboBox*>("color.range");
  QTRY_VERIFY_WITH_TIMEOUT(greatest->value().has_value(), kPatienceMs);
  const double automatic = *greatest->value();
  QVERIFY(automatic > 0 && !room.color(id).range);
  QTest::mouseClick(panel.findChild<QPushButton*>("color.take"), Qt::LeftButton);
  QVERIFY(room.color(id).range);
  QCOMPARE((*room.color(id).range)[1], room.model.stage().status(id).shownRange->at(1));
  QCOMPARE(kind->currentIndex(), 4);
  greatest->setFocus();
  greatest->selectAll();
  QTest::keyClicks(greatest, "100");
  QTest::keyClick(greatest, Qt::Key_Return);
  QCOMPARE((*room.color(id).range)[1], 100.0);
  // A range upside down is not taken, and it is said why.
  QSignalSpy said(&panel, &ui::ColorPanel::message);
  least->setFocus();
  least->selectAll();
  QTest::keyClicks(least, "200");
  QTest::keyClick(least, Qt::Key_Return);
  QVERIFY((*room.color(id).range)[0] < 100);
  QVERIFY(said.size() >= 1 && said.back().at(1).toBool());
  // On the way from one end to the other nobody is told off.
  const auto told = said.size();
  least->selectAll();
  QTest::keyClicks(least, "300");
  QTest::keyClick(least, Qt::Key_Tab);
  QTRY_VERIFY_WITH_TIMEOUT(greatest->hasFocus(), kPatienceMs);
  greatest->selectAll();
  QTest::keyClicks(greatest, "400");
  QTest::keyClick(greatest, Qt::Key_Return);
  QCOMPARE(*room.color(id).range, (std::array<double, 2>{300, 400}));
  QCOMPARE(said.size(), told);
  // Symmetric about 0, which no logarithm is.
  kind->setCurrentIndex(1);
  emit kind->activated(1);
  QVERIFY(room.color(id).rangeOf == session::RangeOf::Symmetric && !room.color(id).range);
  QTRY_VERIFY_WITH_TIMEOUT(
      room.model.stage().status(id).shownRange->at(0) == -room.model.stage().status(id).shownRange->at(1),
      kPatienceMs);
  panel.findChild<QCheckBox*>("color.log")->click();
  QVERIFY(room.color(id).logarithmic && room.color(id).rangeOf == session::RangeOf::Shown);
}

/// Of what is hidden nothing is computed: it has no range of the function that coloured it before.
void TestColorPanel::rangesAreOfWhatIsNamed() {
  Room room;
  ui::ColorPanel panel(room.model);
  panel.show();
  const app::ObjectId id = room.open("sample://abc?size=17");
  panel.showObject(id);
  auto* const greatest = panel.findChild<ui::NumberEdit*>("color.greatest");
  QTRY_VERIFY_WITH_TIMEOUT(room.done(id) && greatest->value(), kPatienceMs);
  const auto edit = [&](const std::function<void(session::Object&)>& how) {
    room.model.document().edit("Change", [&](app::Draft& draft) { how(draft.object(id)); });
  };
  const double before = *greatest->value();
  edit([](session::Object& its) { its.visible = false; });
  QCOMPARE(greatest->value(), std::optional(before));
  edit([](session::Object& its) { its.color.by = "velocity-x"; });
  QVERIFY(!greatest->value());
  QVERIFY(!panel.findChild<QPushButton*>("color.take")->isEnabled());
  edit([](session::Object& its) { its.visible = true; });
  QTRY_VERIFY_WITH_TIMEOUT(room.done(id) && greatest->value() && *greatest->value() != before, kPatienceMs);
  QVERIFY(panel.findChild<QPushButton*>("color.take")->isEnabled());
}

void TestColorPanel::mapsAreImported() {
  Room room;
  ui::ColorPanel panel(room.model);
  const app::ObjectId id = room.open("sample://abc?size=17");
  panel.showObject(id);
  QFile file(room.at("fire.xml"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(fireMap());
  file.close();
  QSignalSpy said(&panel, &ui::ColorPanel::message);
  panel.importFile(file.fileName());
  QCOMPARE(said.back().at(1).toBool(), false);
  QCOMPARE(room.color(id).map.name, std::string("fire"));
  QCOMPARE(room.color(id).map.points.size(), std::size_t(3));
  QVERIFY(room.color(id).nan == (scene::Rgba{0, 1, 0, 1}));
  auto* const maps = panel.findChild<QListWidget*>("color.maps");
  QCOMPARE(maps->currentItem()->text(), QString("fire"));
  QVERIFY(!maps->currentItem()->icon().isNull());
  // Forgotten, it stays with the object that has it.
  panel.findChild<QToolButton*>("color.forget")->click();
  QVERIFY(room.model.settings().colorMaps().empty());
  QCOMPARE(maps->currentItem()->text(), QString("fire"));
  maps->setCurrentRow(0);
  QVERIFY(room.color(id).map.points.empty());
  panel.importFile(room.at("no such file"));
  QVERIFY(said.back().at(1).toBool());
  QCOMPARE(room.color(id).map.name, maps->item(0)->text().toStdString());
}

/// As maps that everybody has; also once its points have been moved.
void TestColorPanel::importedMapsAreSeenInProperties() {
  Room room;
  ui::ColorPanel panel(room.model);
  ui::PropertyEditor properties(room.model);
  const app::ObjectId id = room.open("sample://abc?size=17");
  panel.showObject(id);
  properties.showObject(id);
  QFile file(room.at("fire.xml"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(fireMap());
  file.close();
  panel.importFile(file.fileName());
  const auto strip = [&] {
    auto* const maps = properties.findChild<QComboBox*>("color.map");
    return maps->itemIcon(maps->currentIndex()).pixmap(64, 12).toImage();
  };
  QCOMPARE(properties.findChild<QComboBox*>("color.map")->currentText(), QString("fire"));
  const auto isFire = [&] {
    const QImage its = strip();
    if (its.isNull()) return false;
    const QColor low = its.pixelColor(0, 6), high = its.pixelColor(its.width() - 1, 6);
    return low.red() < 30 && low.alpha() == 255 && high.red() > 220 && high.green() > 200 && high.blue() < 30;
  };
  QVERIFY(isFire());
  room.model.document().edit("Move a point", [&](app::Draft& draft) {
    draft.object(id).color.map.points.back().color = {0, 0, 255};
  });
  QVERIFY(!isFire());
  QVERIFY(strip().pixelColor(strip().width() - 1, 6).blue() > 200);
  room.model.document().undoStack().undo();
  QVERIFY(isFire());
  // Turned over, as it is in the picture.
  room.model.document().edit("Turn over",
                             [&](app::Draft& draft) { draft.object(id).color.map.inverted = true; });
  QVERIFY(strip().pixelColor(0, 6).red() > 220 && strip().pixelColor(strip().width() - 1, 6).red() < 30);
  room.model.document().undoStack().undo();
  QVERIFY(isFire());
}

void TestColorPanel::visionIsPreviewed() {
  Room room;
  ui::ColorPanel panel(room.model);
  const app::ObjectId id = room.open("sample://abc?size=17");
  panel.showObject(id);
  auto* const maps = panel.findChild<QListWidget*>("color.maps");
  const auto colourOf = [&](int row) {
    return maps->item(row)->icon().pixmap(120, 14).toImage().pixelColor(100, 7);
  };
  const QColor before = colourOf(0);
  QSignalSpy chosen(&panel, &ui::ColorPanel::visionChosen);
  panel.findChild<QComboBox*>("color.vision")->setCurrentIndex(4);
  QCOMPARE(chosen.size(), 1);
  const QColor after = colourOf(0);
  QVERIFY(before != after);
  QVERIFY(std::abs(after.red() - after.green()) < 3 && std::abs(after.red() - after.blue()) < 3);
  QVERIFY(!room.model.document().undoStack().canUndo() || room.color(id) == [&] {
    session::Coloring usual;
    usual.by = "velocity-magnitude";
    return usual;
  }());
}

QTEST_MAIN(TestColorPanel)
#include "tst_color_panel.moc"
