// Colours in the window: what is drawn has the colours of the legend, one quantity has one scale, and a scale
// that the values do not fit keeps the picture. Needs a display with OpenGL; skips where there is none.

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>

#include "app/ui/editors/map_editor.h"
#include "app/ui/editors/map_points_part.h"
#include "app/ui/panels/color_panel.h"
#include "app/ui/widgets/number_edit.h"
#include "core/session/json/session_json.h"
#include "render/color/color_map.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestColors : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void drawnColoursAreThoseOfTheLegend();
  void legendsAreInTheOrderOfThePipeline();
  void thePanelHasTheLegendOfTheFunction();
  void mapsKeepTheirNames();
  void pointsComeAfterTheMap();
  void oneQuantityHasOneScale();
  void logarithmsKeepThePicture();
  void oneTinyValueTakesNoColors();
  void pointsOfAMapAreEdited();
  void mapsThatWereLeftAreStillOffered();
  void pagesOfKeysAreThoseOfPoints();
  void nothingColouredHasNoScale();
};

namespace {

/// The greatest distance, in any part, of a pixel of `area` to the nearest colour of `map`.
int worstDistance(const QImage& image, const QRect& area, const color::ColorMap& map) {
  int worst = 0;
  for (int y = area.top(); y <= area.bottom(); y += 3)
    for (int x = area.left(); x <= area.right(); x += 3) {
      const QColor seen = image.pixelColor(x, y);
      int nearest = 255;
      for (const color::Rgb8& entry : map.table())
        nearest =
            std::min(nearest, std::max({std::abs(seen.red() - entry[0]), std::abs(seen.green() - entry[1]),
                                        std::abs(seen.blue() - entry[2])}));
      worst = std::max(worst, nearest);
    }
  return worst;
}

void add(Studio& studio, const char* action) {
  studio.trigger(action);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(studio.newest()), app::ObjectState::Done, kPatienceMs);
}

}  // namespace

void TestColors::initTestCase() {
  skipWithoutOpenGl();
}

void TestColors::drawnColoursAreThoseOfTheLegend() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=25"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.model.document().edit("Remove", [&](app::Draft& draft) {
    for (const app::ObjectId id : studio.model.document().objectIds()) draft.remove(id);
  });
  add(studio, "addSlice");
  const app::ObjectId id = studio.newest();
  studio.window.pipeline().select(0);  // no handle lies over it
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const QPoint middle =
      studio.pixelOf(*std::get<session::Slice>(studio.model.document().object(id)->shape).origin);
  const QRect around(middle - QPoint(60, 20), QSize(121, 41));
  const color::ColorMap& map = color::ColorMap::named("viridis");
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), around) > 4000, kPatienceMs);
  QVERIFY2(worstDistance(studio.picture(), around, map) <= 2,
           qPrintable(QString::number(worstDistance(studio.picture(), around, map))));
  // Light is a choice, and one step.
  studio.window.pipeline().select(id);
  auto* const choice = studio.child<QComboBox>("lighting");
  QVERIFY(choice);
  QCOMPARE(choice->currentData().toString(), QString("off"));
  choice->setCurrentIndex(choice->findData("full"));
  emit choice->activated(choice->currentIndex());
  QVERIFY(studio.model.document().object(id)->lighting == scene::Lighting::Full);
  studio.window.pipeline().select(0);
  QTRY_VERIFY_WITH_TIMEOUT(worstDistance(studio.picture(), around, map) > 4, kPatienceMs);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(worstDistance(studio.picture(), around, map) <= 2, kPatienceMs);
}

/// Whichever of what they are of is ready first.
void TestColors::legendsAreInTheOrderOfThePipeline() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  std::map<app::ObjectId, scene::SceneItem> items;
  app::Stage& stage = studio.model.stage();
  connect(&stage, &app::Stage::itemReady, &studio.window,
          [&](app::ObjectId id, const scene::SceneItem& item) { items[id] = item; });
  add(studio, "addSlice");
  const app::ObjectId first = studio.newest();
  add(studio, "addSlice");
  const app::ObjectId second = studio.newest();
  studio.model.document().edit("Colour", [&](app::Draft& draft) {
    draft.object(first).color.by = "velocity-x";
    draft.object(second).color.by = "velocity-y";
  });
  studio.window.pipeline().select(0);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && items[first].scale.title == "velocity-x" &&
                               items[second].scale.title == "velocity-y",
                           kPatienceMs);
  const QImage picture = studio.picture();
  const QRect strip(picture.width() * 3 / 4, 0, picture.width() / 4, picture.height());
  QVERIFY(colouredPixels(picture, strip) > 1000);
  emit stage.itemGone(first);
  QTRY_VERIFY_WITH_TIMEOUT(studio.picture().copy(strip) != picture.copy(strip), kPatienceMs);
  const scene::SceneItem again = items[first];
  emit stage.itemReady(first, again, true);
  QTRY_VERIFY_WITH_TIMEOUT(studio.picture().copy(strip) == picture.copy(strip), kPatienceMs);
}

/// Of the function that there is now, also while what has another one before is still seen.
void TestColors::thePanelHasTheLegendOfTheFunction() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  add(studio, "addSlice");
  const app::ObjectId id = studio.newest();
  const auto colorBy = [&](const char* function) {
    studio.model.document().edit("Colour", [&](app::Draft& draft) { draft.object(id).color.by = function; });
  };
  auto* const shown = studio.child<QCheckBox>("legend.visible");
  auto* const title = studio.child<QLineEdit>("legend.title");
  colorBy("velocity-x");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QCOMPARE(title->placeholderText(), QString("velocity-x"));
  shown->click();
  QVERIFY(!studio.session().image.legends.at("velocity-x").visible);
  colorBy("velocity-y");
  QCOMPARE(title->placeholderText(), QString("velocity-y"));
  QVERIFY(shown->isChecked());
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QCOMPARE(title->placeholderText(), QString("velocity-y"));
  QVERIFY(shown->isChecked());
  studio.trigger("undo");
  QCOMPARE(title->placeholderText(), QString("velocity-x"));
  QVERIFY(!shown->isChecked());
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QCOMPARE(title->placeholderText(), QString("velocity-x"));
}

/// Until the session is closed: whoever tries another map can go back to what was made of one, also when the object is gone.
void TestColors::mapsThatWereLeftAreStillOffered() {
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  add(studio, "addSlice");
  studio.child<QWidget>("dock.colors")->show();
  studio.child<QWidget>("dock.colors")->raise();
  auto* const maps = studio.child<QListWidget>("color.maps");
  const auto map = [&] { return studio.model.document().object(studio.newest())->color.map; };
  const auto choose = [&](const QString& name) {
    const QList<QListWidgetItem*> found = maps->findItems(name, Qt::MatchExactly);
    if (found.size() == 1) maps->setCurrentItem(found.front());
    return found.size() == 1 && map().name == name.toStdString();
  };
  const int builtIn = maps->count();
  studio.child<QToolButton>("color.edit")->click();
  auto* const editor = studio.child<ui::MapEditor>("color.points");
  editor->setColor(QColor(255, 0, 0));
  const std::vector<scene::MapPoint> points = map().points;
  QVERIFY(!points.empty());
  QVERIFY(choose("plasma"));
  QCOMPARE(maps->count(), builtIn + 1);
  QVERIFY(choose("viridis edited"));
  QVERIFY(map().points == points);
  // Another of its kind has another name.
  QVERIFY(choose("viridis"));
  editor->setColor(QColor(0, 255, 0));
  QCOMPARE(map().name, std::string("viridis edited 2"));
  studio.trigger("undo");
  QCOMPARE(map().name, std::string("viridis"));
  QCOMPARE(maps->count(), builtIn + 1);  // what was undone was not made
  // Without the object that had it; a name that it gets is its only one.
  QVERIFY(choose("viridis edited"));
  auto* const name = studio.child<QLineEdit>("color.map.name");
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, "mine");
  QTest::keyClick(name, Qt::Key_Return);
  QCOMPARE(maps->count(), builtIn + 1);
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(studio.newest()); });
  add(studio, "addSlice");
  QVERIFY(choose("mine"));
  QVERIFY(map().points == points);
  QVERIFY(choose("plasma"));
  studio.model.document().replace(studio.session(), {});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.window.pipeline().select(studio.newest());
  QTRY_COMPARE_WITH_TIMEOUT(maps->count(), builtIn, kPatienceMs);
}

void TestColors::mapsKeepTheirNames() {
  ui::MapPointsPart part(nullptr);
  scene::MapChoice map("mine");
  map.points = {{0, {0, 0, 0}}, {1, {1, 1, 1}}};
  part.showMap(map, false);
  part.show();
  part.activateWindow();
  QVERIFY(QTest::qWaitForWindowExposed(&part));
  QSignalSpy renamed(&part, &ui::MapPointsPart::renamed);
  auto* const name = part.findChild<QLineEdit*>("color.map.name");
  for (const char* const typed : {" ", ""}) {
    name->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(name->hasFocus(), kPatienceMs);
    name->selectAll();
    QTest::keyClick(name, Qt::Key_Delete);
    QTest::keyClicks(name, typed);
    QTest::keyClick(name, Qt::Key_Tab);
    QCOMPARE(name->text(), QString("mine"));
  }
  QCOMPARE(renamed.count(), 0);
}

/// In the order in which the keyboard goes through them.
void TestColors::pointsComeAfterTheMap() {
  Studio studio({1280, 1000});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  add(studio, "addSlice");
  auto* const dock = studio.child<QDockWidget>("dock.colors");
  dock->raise();
  auto* const editing = studio.child<QToolButton>("color.edit");
  QTRY_VERIFY_WITH_TIMEOUT(editing->isVisible(), kPatienceMs);
  editing->click();
  studio.child<QCheckBox>("color.above")->click();
  editing->setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(editing->hasFocus(), kPatienceMs);
  QStringList met;
  for (int n = 0; n < 30 && dock->isAncestorOf(QApplication::focusWidget()); ++n) {
    if (const QString name = QApplication::focusWidget()->objectName(); name.startsWith("color."))
      met.append(name);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  }
  const auto at = [&](const char* name) { return met.indexOf(name); };
  QVERIFY2(at("color.above.color") > 0 && at("color.above") < at("color.points") &&
               at("color.above.color") < at("color.points") && at("color.points") < at("color.range"),
           qPrintable(met.join(' ')));
  // What is not possible is passed over: a built-in map has no name to change until it is edited.
  QTest::keyClick(studio.child<QWidget>("color.points"), Qt::Key_Right);
  studio.child<QToolButton>("color.point.add")->click();
  auto* const name = studio.child<QLineEdit>("color.map.name");
  QTRY_VERIFY_WITH_TIMEOUT(name->isEnabled(), kPatienceMs);
  name->setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(name->hasFocus(), kPatienceMs);
  QTest::keyClick(name, Qt::Key_Tab);
  QCOMPARE(QApplication::focusWidget()->objectName(), QString("color.keep"));
  // The dialogs say what the colour is of.
  for (const char* const button : {"color.nan", "color.point.color"}) {
    studio.child<QAbstractButton>(button)->click();
    auto* const dialog = studio.window.findChild<QColorDialog*>();
    QVERIFY2(dialog && dialog->windowTitle().startsWith("Colour of "), button);
    // In the words of the window.
    QStringList words;
    for (const QLabel* const label : dialog->findChildren<QLabel*>()) words.append(label->text());
    for (const QAbstractButton* const each : dialog->findChildren<QAbstractButton*>())
      words.append(each->text());
    words.removeAll(QString());
    for (const QString& word : words)
      QVERIFY2(!word.contains("color", Qt::CaseInsensitive) && !word.endsWith(':'), qPrintable(word));
    QVERIFY2(words.contains("&Basic colours") && words.contains("&Saturation"),
             qPrintable(words.join(" | ")));
    delete dialog;
  }
}

void TestColors::oneQuantityHasOneScale() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  add(studio, "addSlice");
  const app::ObjectId slice = studio.newest();
  add(studio, "addSurface");
  const app::ObjectId surface = studio.newest();
  session::Object likeIt = *studio.model.document().object(surface);
  likeIt.color.by = studio.model.document().object(slice)->color.by;
  studio.model.document().setObject(surface, likeIt, "The same function");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const auto range = [&](app::ObjectId id) { return *studio.model.stage().status(id).shownRange; };
  const auto color = [&](app::ObjectId id) { return studio.model.document().object(id)->color; };
  QCOMPARE(color(slice).by, color(surface).by);
  QTRY_VERIFY_WITH_TIMEOUT(range(slice) == range(surface), kPatienceMs);

  const auto shared = range(slice);
  // What is changed of one is changed of both, as one step.
  studio.window.pipeline().select(slice);
  auto* const greatest = studio.child<ui::NumberEdit>("color.greatest");
  const int steps = studio.model.document().undoStack().count();
  greatest->setFocus();
  greatest->selectAll();
  QTest::keyClicks(greatest, "7");
  QTest::keyClick(greatest, Qt::Key_Return);
  QCOMPARE((*color(surface).range)[1], 7.0);
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  QTRY_COMPARE_WITH_TIMEOUT(range(surface)[1], 7.0, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(range(slice)[1], 7.0, kPatienceMs);
  studio.trigger("undo");
  QVERIFY(!color(slice).range && !color(surface).range);
  QTRY_VERIFY_WITH_TIMEOUT(range(slice) == shared && range(surface) == shared, kPatienceMs);

  // Set apart, it has the range of its own values.
  studio.child<QCheckBox>("color.apart")->click();
  QVERIFY(color(slice).apart && !color(surface).apart);
  QTRY_VERIFY_WITH_TIMEOUT(range(slice) != range(surface), kPatienceMs);
  QVERIFY(range(slice)[0] >= shared[0] && range(slice)[1] <= shared[1]);
  studio.child<QCheckBox>("color.apart")->click();
  QTRY_VERIFY_WITH_TIMEOUT(range(slice) == shared && range(surface) == shared, kPatienceMs);
  // Hidden, an object has no part in it.
  studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(slice).visible = false; });
  const auto alone = range(surface);
  studio.model.document().edit("Show", [&](app::Draft& draft) { draft.object(slice).visible = true; });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && range(surface) == shared, kPatienceMs);
  QVERIFY(alone[0] >= shared[0] && alone[1] <= shared[1]);
}

void TestColors::logarithmsKeepThePicture() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  add(studio, "addSlice");
  const app::ObjectId id = studio.newest();
  session::Object signedOne = *studio.model.document().object(id);
  signedOne.color.by = "velocity-x";
  studio.model.document().setObject(id, signedOne, "By a component");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && (*studio.model.stage().status(id).shownRange)[0] < 0,
                           kPatienceMs);
  studio.window.pipeline().select(id);
  auto* const note = studio.child<QLabel>("color.logNote");
  QVERIFY(note->isHidden());
  studio.child<QCheckBox>("color.log")->click();
  QTRY_VERIFY_WITH_TIMEOUT((*studio.model.stage().status(id).shownRange)[0] > 0, kPatienceMs);
  QCOMPARE(studio.stateOf(id), app::ObjectState::Done);
  QVERIFY(studio.model.stage().status(id).hasPicture);
  QVERIFY(!note->isHidden());
  // Below the range they can have a colour of their own.
  studio.child<QCheckBox>("color.below")->click();
  QVERIFY(studio.model.document().object(id)->color.below);
  studio.model.document().edit("Magenta", [&](app::Draft& draft) {
    draft.object(id).color.below = scene::Rgba{1, 0, 1, 1};
  });
  const auto magenta = [&] {
    const QImage image = studio.picture();
    int count = 0;
    for (int y = 0; y < image.height(); y += 2)
      for (int x = 0; x < image.width(); x += 2) count += image.pixelColor(x, y) == QColor(255, 0, 255);
    return count;
  };
  QTRY_VERIFY_WITH_TIMEOUT(magenta() > 500, kPatienceMs);
}

/// Two nodes of 289 have about 1e-12, the others far more: the colours are for these, and the panel says so.
void TestColors::oneTinyValueTakesNoColors() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  add(studio, "addSlice");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("By a distance", [&](app::Draft& draft) {
    auto& its = draft.object(id);
    its.color.by = "(velocity-x - 1)^2 + (velocity-y + 0.317837245)^2 + 1e-12";
    session::Slice slice;
    slice.index = session::IndexSlice{2, {8}, {}};
    its.shape = slice;
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().status(id).shownRange &&
                               (*studio.model.stage().status(id).shownRange)[0] < 1e-6,
                           kPatienceMs);
  studio.window.pipeline().select(id);
  auto* const note = studio.child<QLabel>("color.logNote");
  QVERIFY(note->isHidden());
  studio.child<QCheckBox>("color.log")->click();
  QTRY_VERIFY_WITH_TIMEOUT((*studio.model.stage().status(id).shownRange)[0] > 1e-6, kPatienceMs);
  QVERIFY((*studio.model.stage().status(id).shownRange)[0] < 0.2);
  QVERIFY(!note->isHidden() && note->text().contains("far below"));
  // Whoever wants all of it says so.
  studio.model.document().edit("By hand", [&](app::Draft& draft) {
    draft.object(id).color.range = {{1e-12, 100}};
  });
  QTRY_VERIFY_WITH_TIMEOUT((*studio.model.stage().status(id).shownRange)[0] == 1e-12, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(note->isHidden(), kPatienceMs);
}

/// By the mouse and by keys; what is drawn has the new colours, and the session carries them.
void TestColors::pointsOfAMapAreEdited() {
  // As few as give the colours.
  for (const std::string& name : color::mapNames()) {
    scene::MapChoice choice("some");
    choice.points = ui::pointsOf(name);
    QVERIFY2(choice.points.size() < 120, name.c_str());
    const color::ColorMap written = color::ColorMap::of(choice), &known = color::ColorMap::named(name);
    for (std::size_t n = 0; n < color::ColorMap::kEntries; ++n)
      for (std::size_t c = 0; c < 3; ++c)
        QVERIFY2(std::abs(int(written.table()[n][c]) - int(known.table()[n][c])) <= 4, name.c_str());
  }
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=25"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  add(studio, "addSlice");
  const app::ObjectId id = studio.newest();
  studio.child<QWidget>("dock.colors")->show();
  studio.child<QWidget>("dock.colors")->raise();
  auto* const editor = studio.child<ui::MapEditor>("color.points");
  QVERIFY(editor && !editor->isVisible());
  studio.child<QToolButton>("color.edit")->click();
  QVERIFY(editor->isVisible());
  const auto map = [&] { return studio.model.document().object(id)->color.map; };
  QVERIFY(map().points.empty());  // looking changes nothing
  const std::size_t count = editor->points().size();
  const int steps = studio.model.document().undoStack().index();
  editor->setFocus();
  QTest::keyClick(editor, Qt::Key_Insert);
  QCOMPARE(map().points.size(), count + 1);
  QCOMPARE(map().name, std::string("viridis edited"));
  QCOMPARE(editor->chosen(), std::size_t(1));
  editor->setColor(QColor(255, 0, 0));
  QCOMPARE(map().points[1].color, (std::array<std::uint8_t, 3>{255, 0, 0}));
  // Dragged, as one step.
  const double was = map().points[1].place;
  const auto at = [&](double place) {
    return QPoint(qRound(7 + place * (editor->width() - 14)), editor->height() - 8);
  };
  const int before = studio.model.document().undoStack().index();
  const double wanted = (was + map().points[2].place) / 2;
  QTest::mousePress(editor, Qt::LeftButton, {}, at(was));
  for (const double place : {(was + wanted) / 2, wanted}) {
    QMouseEvent event(QEvent::MouseMove, at(place), editor->mapToGlobal(at(place)), Qt::NoButton,
                      Qt::LeftButton, {});
    QApplication::sendEvent(editor, &event);
  }
  QTest::mouseRelease(editor, Qt::LeftButton, {}, at(wanted));
  QVERIFY(std::abs(map().points[1].place - wanted) < 0.01);
  QCOMPARE(studio.model.document().undoStack().index(), before + 1);
  // The scale that is shown has it, and the session.
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().status(id).scale.map.points == map().points, kPatienceMs);
  QVERIFY(session::parseSession(session::toJson(studio.session())).objects.back().color.map == map());
  // In numbers; the ends stay.
  QTest::keyClick(editor, Qt::Key_PageUp);
  QVERIFY(!studio.child<QWidget>("color.point.place")->isEnabled());
  QTest::keyClick(editor, Qt::Key_Delete);
  QCOMPARE(map().points.size(), count + 1);
  QTest::keyClick(editor, Qt::Key_PageDown);
  QTest::keyClick(editor, Qt::Key_Delete);
  QCOMPARE(map().points.size(), count);
  QVERIFY(studio.model.document().object(id) != nullptr);  // the object was not what was removed
  // Named, and kept for other sessions.
  auto* const name = studio.child<QLineEdit>("color.map.name");
  name->setFocus();
  name->selectAll();
  QTest::keyClicks(name, "mine");
  QTest::keyClick(name, Qt::Key_Return);
  QCOMPARE(map().name, std::string("mine"));
  studio.child<QToolButton>("color.keep")->click();
  const auto kept = studio.model.settings().colorMaps();
  QVERIFY(std::any_of(kept.begin(), kept.end(),
                      [&](const scene::MapChoice& each) { return each.points == map().points; }));
  // What becomes of it afterwards is another one: the list has no two of one name.
  editor->setColor(QColor(0, 255, 0));
  QCOMPARE(map().name, std::string("mine edited"));
  editor->setColor(QColor(0, 0, 255));
  QCOMPARE(map().name, std::string("mine edited"));
  while (studio.model.document().undoStack().index() > steps) studio.trigger("undo");
  QVERIFY(map().points.empty() && map().name == "viridis");
  QCOMPARE(editor->points().size(), count);
}

/// Where no seed lies in the data there are no lines, no range and no legend; they come back with the lines.
/// Also where there are steps to go through.
void TestColors::pagesOfKeysAreThoseOfPoints() {
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=5"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  add(studio, "addSlice");
  studio.child<QWidget>("dock.colors")->raise();
  auto* const editor = studio.child<ui::MapEditor>("color.points");
  studio.child<QToolButton>("color.edit")->click();
  QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible(), kPatienceMs);
  editor->setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(editor->hasFocus(), kPatienceMs);
  const std::int64_t step = studio.model.stage().step();
  for (const std::size_t wanted : {1, 2}) {
    QTest::keyClick(editor, Qt::Key_PageDown);
    QCOMPARE(editor->chosen(), wanted);
  }
  QTest::keyClick(editor, Qt::Key_PageUp);
  QCOMPARE(editor->chosen(), std::size_t{1});
  QCOMPARE(studio.model.stage().step(), step);
  // A place that is typed beyond a neighbour is said to be.
  auto* const place = studio.child<ui::NumberEdit>("color.point.place");
  const QString before = place->text();
  place->setFocus();
  place->selectAll();
  QTest::keyClicks(place, "0.99");
  QTest::keyClick(place, Qt::Key_Return);
  const auto* const said = studio.child<QLabel>("color.point.place.error");
  QVERIFY(said && said->isVisible());
  QCOMPARE(place->text(), before);
  // With Ctrl they are of time.
  QTest::keyClick(editor, Qt::Key_PageDown, Qt::ControlModifier);
  QCOMPARE(studio.model.stage().step(), std::int64_t{4});
  QCOMPARE(editor->chosen(), std::size_t{1});
}

void TestColors::nothingColouredHasNoScale() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  app::Document& document = studio.model.document();
  document.edit("Remove", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds()) draft.remove(id);
  });
  add(studio, "addStreamlines");
  const app::ObjectId lines = studio.newest();
  const auto seed = [&](Vec3 from, Vec3 to) {
    document.edit("Seeds", [&](app::Draft& draft) {
      session::Object& object = draft.object(lines);
      object.color.by = "velocity-magnitude";
      std::get<session::Streamlines>(object.shape).seeds = session::LineSeeds{from, to, 4};
    });
  };
  studio.window.pipeline().select(lines);
  auto* const least = studio.child<ui::NumberEdit>("color.least");
  auto* const greatest = studio.child<ui::NumberEdit>("color.greatest");
  const auto legendIsSeen = [&] {
    const QImage image = studio.picture();
    return colouredPixels(image, QRect(image.width() * 6 / 7, 0, image.width() / 7, image.height())) > 500;
  };
  seed({1, 1, 1}, {5, 5, 5});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && least->value() && greatest->value(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && legendIsSeen(), kPatienceMs);
  seed({100, 100, 100}, {101, 101, 101});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !least->value() && !greatest->value(), kPatienceMs);
  QVERIFY(!studio.model.stage().status(lines).shownRange);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && !legendIsSeen(), kPatienceMs);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && least->value() && greatest->value(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && legendIsSeen(), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestColors test;
  return QTest::qExec(&test, count, words);
}
#include "tst_colors.moc"
