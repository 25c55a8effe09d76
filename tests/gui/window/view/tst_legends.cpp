// Legends in the view: they stay where they were put, and those of several data sets are apart. Needs a display with OpenGL; skips where
// there is none.

#include <QCheckBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QStandardPaths>
#include <algorithm>
#include <optional>

#include "app/model/document/volume_looks.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "app/volume_maker.h"
#include "core/session/json/session_json.h"
#include "render/color/lettering.h"
#include "render/view/marks.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// What is written over the legend there, whole; empty where there is none.
QString nameAt(qt3d::Viewport& view, QPoint place) {
  QMouseEvent over(QEvent::MouseMove, place, view.mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
  QApplication::sendEvent(&view, &over);
  return view.toolTip();
}

/// What the legend covers that is at `inside`; empty where there is none.
QRect boxAt(qt3d::Viewport& view, QPoint inside) {
  const QString name = nameAt(view, inside);
  if (name.isEmpty()) return {};
  const auto reach = [&](QPoint step) {
    QPoint at = inside;
    while (view.rect().contains(at + step) && nameAt(view, at + step) == name) at += step;
    return at;
  };
  return QRect(QPoint(reach({-1, 0}).x(), reach({0, -1}).y()), QPoint(reach({1, 0}).x(), reach({0, 1}).y()));
}

/// The same of the one over which something with `text` is written.
QRect boxOf(qt3d::Viewport& view, const QString& text) {
  constexpr int kStep = 12;
  for (int y = kStep; y < view.height(); y += kStep)
    for (int x = view.width() - kStep; x > 0; x -= kStep)
      if (nameAt(view, {x, y}).contains(text)) return boxAt(view, {x, y});
  return {};
}

/// Of all legends, in alphabetical order.
QStringList titlesIn(qt3d::Viewport& view) {
  QStringList found;
  for (int y = 6; y < view.height(); y += 12)
    for (int x = view.width() - 6; x > 0; x -= 12)
      if (const QString name = nameAt(view, {x, y}); !name.isEmpty() && !found.contains(name))
        found.append(name);
  found.sort();
  return found;
}

void typeTitle(Studio& studio, app::ObjectId id, const QString& text) {
  studio.window.pipeline().select(id);
  auto* const title = studio.child<QLineEdit>("legend.title");
  title->setText(text);
  emit title->editingFinished();
}

bool isNear(int a, int b) {
  return std::abs(a - b) <= 1;
}

bool isNear(const QRect& a, const QRect& b) {
  return isNear(a.left(), b.left()) && isNear(a.right(), b.right()) && isNear(a.top(), b.top()) &&
         isNear(a.bottom(), b.bottom());
}

}  // namespace

class TestLegends : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void theyStayWhereTheyWerePut();
  void thoseOfSeveralDataAreApart();
  void aScaleOfItsOwnHasALegendOfItsOwn();
  void whatHasAMapOfItsOwnHasALegendOfItsOwn();
  void oneScaleHasOneLegend_data();
  void oneScaleHasOneLegend();
  void axesKeepClearOfTexts();
  void numbersThatCannotBeAreSaid_data();
  void numbersThatCannotBeAreSaid();
  void logarithmicRangesBeginAboveNought();
};

void TestLegends::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

/// However long a title is typed: the corner next to one of the view stays, so that nothing jumps, and nothing leaves the view.
void TestLegends::theyStayWhereTheyWerePut() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty() && studio.viewRests(),
                           kPatienceMs);
  studio.window.pipeline().select(studio.newest());
  qt3d::Viewport& view = studio.window.viewport();
  const std::string function = studio.model.document().object(studio.newest())->color.by;
  auto* const title = studio.child<QLineEdit>("legend.title");
  const auto type = [&](const QString& text) {
    title->setText(text);
    emit title->editingFinished();
  };
  struct Corner {
    std::array<double, 2> place;
    bool isRight, isBelow;
  };
  for (const Corner& corner : {Corner{{0.3, 0.3}, false, false}, Corner{{0.8, 0.8}, true, true}}) {
    studio.model.document().edit("Place", [&](app::Draft& draft) {
      draft.frame().image.legends = {{function, {.place = corner.place}}};
    });
    const QPoint inside(corner.isRight ? view.width() * 79 / 100 : view.width() * 32 / 100,
                        corner.isBelow ? view.height() * 68 / 100 : view.height() * 32 / 100);
    QTRY_VERIFY_WITH_TIMEOUT(
        boxAt(view, inside).width() > 20 && boxAt(view, inside).width() < view.width() / 4, kPatienceMs);
    const QRect before = boxAt(view, inside);
    const int steps = studio.model.document().undoStack().index();
    // Ever longer ones, the last of several lines.
    for (
        const char* const text :
        {"a title that is long", "a title that is long, and then some more of it",
         "a title that is long, and then some more of it, so that it has no room in a single line, nor in two of "
         "them, and becomes higher as well"}) {
      type(text);
      QTRY_COMPARE_WITH_TIMEOUT(nameAt(view, inside), QString(text), kPatienceMs);
      const QRect now = boxAt(view, inside);
      QVERIFY2(corner.isRight ? isNear(now.right(), before.right()) : isNear(now.left(), before.left()),
               text);
      QVERIFY2(corner.isBelow ? isNear(now.bottom(), before.bottom()) : isNear(now.top(), before.top()),
               text);
      QVERIFY2(view.rect().contains(now), text);
    }
    const QRect grown = boxAt(view, inside);
    QVERIFY(grown.height() > before.height() && grown.width() > before.width() * 5 / 4);
    // And back, also where it had grown beyond the middle.
    type("");
    QTRY_VERIFY_WITH_TIMEOUT(boxAt(view, inside).width() == before.width(), kPatienceMs);
    const QRect now = boxAt(view, inside);
    QVERIFY(isNear(now.left(), before.left()) && isNear(now.top(), before.top()));
    type("wider than it was");
    typeNumber(studio.child<QLineEdit>("legend.size"), "1.5");
    QTRY_VERIFY_WITH_TIMEOUT(boxAt(view, inside).height() > before.height() * 5 / 4, kPatienceMs);
    const QRect large = boxAt(view, inside);
    QVERIFY(corner.isRight ? isNear(large.right(), before.right()) : isNear(large.left(), before.left()));
    QVERIFY(corner.isBelow ? isNear(large.bottom(), before.bottom()) : isNear(large.top(), before.top()));
    // One step each, with the place that it takes.
    while (studio.model.document().undoStack().index() > steps) studio.trigger("undo");
    QCOMPARE(studio.session().image.legends.at(function).place, std::optional(corner.place));
    QTRY_COMPARE_WITH_TIMEOUT(boxAt(view, inside), before, kPatienceMs);
  }
}

/// Two data sets show one function: each legend is moved, titled and hidden by itself, and follows its data's name.
void TestLegends::thoseOfSeveralDataAreApart() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const auto opens = [&](const char* name) {
    const std::size_t had = studio.session().objects.size();
    studio.model.open({name});
    return QTest::qWaitFor(
        [&] { return studio.rests() && studio.session().objects.size() > had && studio.viewRests(); },
        kPatienceMs);
  };
  QVERIFY(opens("sample://abc?size=9"));
  const app::ObjectId first = studio.newest();
  QVERIFY(opens("sample://tornado?size=9"));
  const app::ObjectId second = studio.newest();
  app::Document& document = studio.model.document();
  const auto name = [&](app::ObjectId id) { return QString::fromStdString(document.object(id)->name); };
  document.renameObject(first, "one");
  document.renameObject(second, "two");
  const std::string function = document.object(first)->color.by;
  QCOMPARE(document.object(second)->color.by, function);
  qt3d::Viewport& view = studio.window.viewport();
  const QString one = ", " + name(first), two = ", " + name(second);
  QTRY_VERIFY_WITH_TIMEOUT(!boxOf(view, one).isEmpty() && !boxOf(view, two).isEmpty(), kPatienceMs);
  const int steps = document.undoStack().index();
  const auto& looks = studio.session().image.legends;
  // Until it is seen where it was put, not on its way.
  const auto drag = [&](const QString& which, const char* data, QPoint to) {
    studio.drag(boxOf(view, which).center(), to);
    return QTest::qWaitFor(
        [&] {
          const QRect now = boxOf(view, which);
          const auto look = looks.find(data + (':' + function));
          if (now.isEmpty() || look == looks.end() || !look->second.place) return false;
          const auto [x, y] = *look->second.place;
          return std::abs(now.left() - x * (view.width() - now.width())) <= 2 &&
                 std::abs(now.top() - y * (view.height() - now.height())) <= 2;
        },
        kPatienceMs);
  };
  // By hand, one after the other.
  const QRect before = boxOf(view, two);
  QVERIFY(drag(one, "abc", {view.width() / 4, view.height() / 2}));
  QCOMPARE(looks.size(), std::size_t(1));
  QVERIFY(looks.contains("abc:" + function));
  QVERIFY(boxOf(view, two).left() > view.width() / 2 && !before.isEmpty());
  const QRect moved = boxOf(view, one);
  QVERIFY(drag(two, "tornado", {view.width() / 2, view.height() / 2}));
  QVERIFY(looks.contains("tornado:" + function));
  QVERIFY(isNear(boxOf(view, one), moved));
  QCOMPARE(document.undoStack().index(), steps + 2);
  // In the panel.
  const QRect other = boxOf(view, two);
  studio.window.pipeline().select(first);
  auto* const title = studio.child<QLineEdit>("legend.title");
  title->setText("speed of the first");
  emit title->editingFinished();
  QTRY_VERIFY_WITH_TIMEOUT(boxOf(view, "speed of the first").left() == moved.left(), kPatienceMs);
  // As it was typed, without the names of objects.
  QCOMPARE(nameAt(view, boxOf(view, "speed of the first").center()), QString("speed of the first"));
  QVERIFY(isNear(boxOf(view, two), other));
  QCOMPARE(looks.at("tornado:" + function).title, std::string());
  studio.child<QCheckBox>("legend.visible")->click();
  QTRY_VERIFY_WITH_TIMEOUT(boxOf(view, "speed of the first").isEmpty(), kPatienceMs);
  QVERIFY(isNear(boxOf(view, two), other));
  studio.window.pipeline().select(second);
  QVERIFY(studio.child<QCheckBox>("legend.visible")->isChecked());
  // They go by names of data, and with them.
  QVERIFY(document.renameData("tornado", "storm").isEmpty());
  QVERIFY(looks.contains("storm:" + function) && !looks.contains("tornado:" + function));
  QTRY_VERIFY_WITH_TIMEOUT(isNear(boxOf(view, two), other), kPatienceMs);
  document.removeData("abc");
  QCOMPARE(looks.size(), std::size_t(1));
  while (document.undoStack().index() > steps) studio.trigger("undo");
  QVERIFY(looks.empty());
  QTRY_VERIFY_WITH_TIMEOUT(!boxOf(view, one).isEmpty() && isNear(boxOf(view, two), before), kPatienceMs);
  // What stands in one place together, as sessions have it, comes apart where one is taken, and the other stays.
  document.edit("Place", [&](app::Draft& draft) {
    draft.frame().image.legends = {{function, {.place = {{0.3, 0.5}}}}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(
      boxOf(view, one).right() < view.width() / 2 && boxOf(view, two).right() < view.width() / 2,
      kPatienceMs);
  const QRect stays = boxOf(view, one);
  QVERIFY(drag(two, "tornado", {view.width() * 5 / 8, view.height() / 2}));
  QVERIFY(isNear(boxOf(view, one).left(), stays.left()) && isNear(boxOf(view, one).top(), stays.top()));
}

/// Title, digits and place of either are not those of the other, whichever they are given to, and go with the object.
void TestLegends::aScaleOfItsOwnHasALegendOfItsOwn() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  const app::ObjectId slice = studio.newest();
  app::Document& document = studio.model.document();
  const std::string function = document.object(lines)->color.by;
  document.edit("Its own", [&](app::Draft& draft) {
    session::Coloring& color = draft.object(slice).color;
    color.by = function;
    color.apart = true;
    color.map.name = "plasma";
    color.range = {{0.5, 1.5}};
    // As older sessions have it: of both.
    draft.frame().image.legends = {{function, {.title = "of both"}}};
  });
  document.renameObject(slice, "cut");
  qt3d::Viewport& view = studio.window.viewport();
  const auto& looks = studio.session().image.legends;
  const auto type = [&](app::ObjectId id, const QString& text) { typeTitle(studio, id, text); };
  // They have one title, and are still told apart.
  document.renameObject(lines, "lines");
  QTRY_COMPARE_WITH_TIMEOUT(titlesIn(view), (QStringList{"of both, cut", "of both, lines"}), kPatienceMs);
  const int steps = document.undoStack().index();
  type(slice, "its own");
  QCOMPARE(looks.at("abc/cut:" + function).title, std::string("its own"));
  QTRY_COMPARE_WITH_TIMEOUT(titlesIn(view), (QStringList{"its own", "of both"}), kPatienceMs);
  typeNumber(studio.child<QLineEdit>("legend.digits"), "2");
  QCOMPARE(looks.at("abc/cut:" + function).digits, 2);
  QCOMPARE(looks.at(function), (scene::LegendLook{.title = "of both"}));
  studio.window.pipeline().select(lines);
  QCOMPARE(studio.child<QLineEdit>("legend.digits")->text(), QString());
  while (document.undoStack().index() > steps) studio.trigger("undo");
  // The other way round.
  type(lines, "the others'");
  QTRY_COMPARE_WITH_TIMEOUT(titlesIn(view), (QStringList{"of both", "the others'"}), kPatienceMs);
  // By hand, and the object's name is followed.
  const QRect other = boxOf(view, "the others'");
  studio.drag(boxOf(view, "of both").center(), {view.width() / 4, view.height() / 2});
  QTRY_VERIFY_WITH_TIMEOUT(boxOf(view, "of both").center().x() < view.width() / 2, kPatienceMs);
  QVERIFY(boxOf(view, "the others'").left() > view.width() / 2 && !other.isEmpty());
  QVERIFY(looks.at("abc/cut:" + function).place && !looks.at("abc:" + function).place);
  document.renameObject(slice, "plane");
  QVERIFY(looks.contains("abc/plane:" + function) && !looks.contains("abc/cut:" + function));
  // Saved and read it is the same.
  const session::Session again = session::parseSession(session::toJson(studio.session()));
  QVERIFY(again.image.legends == looks);
  document.edit("Remove", [&](app::Draft& draft) { draft.remove(slice); });
  QVERIFY(!looks.contains("abc/plane:" + function));
}

/// A volume and a slice of one function: two maps are two legends, each with a title, a place and a tick of its own.
void TestLegends::whatHasAMapOfItsOwnHasALegendOfItsOwn() {
  Studio studio({1280, 800}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  studio.trigger("addVolume");
  const app::ObjectId volume = studio.newest();
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  app::Document& document = studio.model.document();
  document.renameObject(slice, "cut");
  document.renameObject(volume, "body");
  const QString function = QString::fromStdString(session::shownFunction(*document.object(volume)));
  const std::string by = function.toStdString();
  const auto colored = [&](const std::string& map) {
    document.edit("Colours", [&](app::Draft& draft) {
      if (document.object(lines)) draft.remove(lines);
      for (const app::ObjectId id : {slice, volume}) {
        session::Object& object = draft.object(id);
        object = app::withPlainColors(object);
        object.color.by = by;
        object.color.map.name = id == slice ? map : "viridis";
      }
    });
  };
  colored("plasma");
  qt3d::Viewport& view = studio.window.viewport();
  const auto& looks = studio.session().image.legends;
  QTRY_COMPARE_WITH_TIMEOUT(titlesIn(view), (QStringList{function + ", body", function + ", cut"}),
                            kPatienceMs);
  const int steps = document.undoStack().index();
  for (const app::ObjectId id : {slice, volume}) typeTitle(studio, id, "the cut's");
  QTRY_COMPARE_WITH_TIMEOUT(titlesIn(view), (QStringList{"the cut's, body", "the cut's, cut"}), kPatienceMs);
  typeTitle(studio, volume, "the body's");
  QTRY_COMPARE_WITH_TIMEOUT(titlesIn(view), (QStringList{"the body's", "the cut's"}), kPatienceMs);
  studio.drag(boxOf(view, "the body's").center(), {view.width() / 4, view.height() / 2});
  QTRY_VERIFY_WITH_TIMEOUT(boxOf(view, "the body's").center().x() < view.width() / 2, kPatienceMs);
  QVERIFY(boxOf(view, "the cut's").left() > view.width() / 2);
  studio.child<QCheckBox>("legend.visible")->click();
  QTRY_COMPARE_WITH_TIMEOUT(titlesIn(view), QStringList{"the cut's"}, kPatienceMs);
  QVERIFY(!looks.at("abc/body:" + by).visible && looks.at("abc:" + by).visible);
  // One map is one legend, that of the data; and what the volume had is there when it is seen by itself again.
  colored("viridis");
  QTRY_COMPARE_WITH_TIMEOUT(titlesIn(view), QStringList{"the cut's"}, kPatienceMs);
  QVERIFY(studio.child<QCheckBox>("legend.visible")->isChecked());
  document.edit("Remove", [&](app::Draft& draft) { draft.remove(slice); });
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QCheckBox>("legend.visible")->isChecked(), kPatienceMs);
  studio.child<QCheckBox>("legend.visible")->click();
  QTRY_COMPARE_WITH_TIMEOUT(titlesIn(view), QStringList{"the body's"}, kPatienceMs);
  while (document.undoStack().index() > steps) studio.trigger("undo");
  QVERIFY(looks.empty());
}

void TestLegends::oneScaleHasOneLegend_data() {
  QTest::addColumn<bool>("logarithmic");
  QTest::newRow("linear") << false;
  QTest::newRow("logarithmic") << true;  // of which places cannot be moved on the map
}

/// Also while what takes longer to be computed and loaded is still as it was.
void TestLegends::oneScaleHasOneLegend() {
  QFETCH(bool, logarithmic);
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://tornado?size=33"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  studio.trigger("addLic");
  const app::ObjectId texture = studio.newest();
  QVERIFY(slice != texture);
  app::Document& document = studio.model.document();
  document.edit("Colours", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds())
      if (id != slice && id != texture) draft.remove(id);
    for (const app::ObjectId id : {slice, texture}) {
      session::Coloring& color = draft.object(id).color;
      color.by = "velocity-magnitude";
      color.range.reset();
      color.apart = false;
      color.logarithmic = logarithmic;
    }
  });
  qt3d::Viewport& view = studio.window.viewport();
  const auto rests = [&] {
    return studio.viewRests() && studio.stateOf(slice) == app::ObjectState::Done &&
           studio.stateOf(texture) == app::ObjectState::Done;
  };
  QTRY_VERIFY_WITH_TIMEOUT(rests() && !boxOf(view, "velocity-magnitude").isEmpty(), kPatienceMs);
  const int x = boxOf(view, "velocity-magnitude").center().x();
  // Several of one function are told apart by what they are of.
  const auto names = [&] {
    QStringList found;
    for (int part = 1; part < 16; ++part)
      if (const QString name = nameAt(view, {x, view.height() * part / 16}); !name.isEmpty())
        found.append(name);
    return found;
  };
  for (const double place : {0.2, 0.4, 0.45, 0.3}) {
    const auto before = studio.model.stage().status(slice).shownRange;
    document.edit("Move", [&](app::Draft& draft) {
      std::get<session::Slice>(draft.object(slice).shape).origin = {0, 0, place};
    });
    QStringList seen;
    QVERIFY(QTest::qWaitFor(
        [&] {
          for (const QString& name : names())
            if (!seen.contains(name)) seen.append(name);
          return rests();
        },
        kPatienceMs));
    QCOMPARE(seen, QStringList{"velocity-magnitude"});
    QVERIFY(studio.model.stage().status(slice).shownRange != before);
    QCOMPARE(studio.model.stage().status(texture).shownRange, studio.model.stage().status(slice).shownRange);
  }
}

/// What is written at an axis goes where no text of the picture is. (One of spaces shows what is below it.)
void TestLegends::axesKeepClearOfTexts() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty() && studio.viewRests(),
                           kPatienceMs);
  app::Document& document = studio.model.document();
  const auto write = [&](bool axes, const std::vector<scene::TextNote>& texts) {
    document.edit("Write", [&](app::Draft& draft) {
      draft.frame().image.legend = false;
      draft.frame().image.notes.axes = axes;
      draft.frame().image.notes.texts = texts;
    });
  };
  write(true, {});
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  qt3d::Viewport& view = studio.window.viewport();
  const double em = color::letterPixels(view.width(), view.height());
  QFont font = view.font();
  font.setPixelSize(qRound(em));
  const view::MarkPaper paper{.width = double(view.width()),
                              .height = double(view.height()),
                              .em = em,
                              .widthOf = [metrics = QFontMetricsF(font)](const std::string& text) {
                                return metrics.horizontalAdvance(QString::fromStdString(text));
                              }};
  std::optional<view::MarkWords> lowest;
  for (const view::Mark& mark : view::axesMarks(studio.model.stage().bounds(), view.camera(), paper))
    if (const auto* const words = std::get_if<view::MarkWords>(&mark);
        words && (!lowest || words->place[1] > lowest->place[1]))
      lowest = *words;
  QVERIFY(lowest);
  const QPoint middle(qRound(lowest->place[0]), qRound(lowest->place[1]));
  const int half = qRound(0.3 * em);
  const auto there = [&] {
    return studio.picture().copy(QRect(middle - QPoint(half, half), middle + QPoint(half, half)));
  };
  const QImage written = there();
  write(false, {});
  QTRY_VERIFY_WITH_TIMEOUT(there() != written, kPatienceMs);
  const QImage empty = there();
  // In the middle of a text around it.
  scene::TextNote note{.text = "                    "};
  const view::MarkBox box = view::textBoxes({&note, 1}, paper).front();
  const double margin = 0.66 * em;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double room = (axis == 0 ? paper.width : paper.height) - 2 * margin - box.size[axis];
    note.place[axis] = std::clamp((lowest->place[axis] - 0.5 * box.size[axis] - margin) / room, 0.0, 1.0);
  }
  write(true, {note});
  const auto isOnTop = [&] {
    const view::MarkBox its = view::textBoxes({&note, 1}, paper).front();
    return std::abs(its.corner[1] + 0.5 * its.size[1] - lowest->place[1]) < 0.5 * em;
  };
  QVERIFY(isOnTop());
  QTRY_VERIFY_WITH_TIMEOUT(there() == empty, kPatienceMs);
  write(true, {});
  QTRY_VERIFY_WITH_TIMEOUT(there() == written, kPatienceMs);
  write(true, {note});
  QTRY_VERIFY_WITH_TIMEOUT(there() == empty, kPatienceMs);
}

void TestLegends::numbersThatCannotBeAreSaid_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QStringList>("wrong");
  QTest::addColumn<QString>("good");
  QTest::addColumn<QString>("said");
  QTest::newRow("size") << "legend.size" << QStringList{"9", "0.1", "-1", "large"} << "2.5"
                        << "A number from 0.3 to 4 is needed here.";
  QTest::newRow("digits") << "legend.digits" << QStringList{"13", "0", "2.5"} << "5"
                          << "A whole number from 1 to 12 is needed here.";
  QTest::newRow("numbers") << "legend.labels" << QStringList{"25", "1", "many"} << "3"
                           << "A whole number from 2 to 24 is needed here.";
  QTest::newRow("bands") << "color.bands" << QStringList{"65", "1", "7.5"} << "7"
                         << "A whole number from 2 to 64 is needed here.";
}

/// They stay while they are typed, red, and what may stand there is said beside them; what is shown does not change.
void TestLegends::numbersThatCannotBeAreSaid() {
  QFETCH(QString, name);
  QFETCH(QStringList, wrong);
  QFETCH(QString, good);
  QFETCH(QString, said);
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty() && studio.viewRests(),
                           kPatienceMs);
  studio.window.pipeline().select(studio.newest());
  studio.child<QDockWidget>("dock.colors")->raise();
  auto* const field = studio.child<ui::NumberEdit>(name);
  QVERIFY(field);
  QTRY_VERIFY_WITH_TIMEOUT(field->isVisible(), kPatienceMs);
  const QString before = field->text();
  const session::Session unchanged = studio.session();
  const int steps = studio.model.document().undoStack().index();
  for (const QString& typed : wrong) {
    field->setFocus(Qt::TabFocusReason);
    field->selectAll();
    QTest::keyClicks(field, typed);
    QCOMPARE(field->text(), typed);
    QVERIFY2(field->palette().color(QPalette::Text) == ui::warningColor(), qPrintable(typed));
    // When typing pauses, without leaving the field.
    const auto words = [&] { return studio.child<QLabel>(name + ".error"); };
    QTRY_VERIFY2_WITH_TIMEOUT(words() && words()->isVisible() && words()->text() == said, qPrintable(typed),
                              kPatienceMs);
    QCOMPARE(field->text(), typed);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(field->text(), before);
    QVERIFY(words() && words()->isVisible());
    QVERIFY2(studio.session() == unchanged, qPrintable(typed));
  }
  // A number that can be is one step, whose undo empties the field again, or puts back what was there.
  typeNumber(field, qPrintable(good));
  QVERIFY(studio.session() != unchanged);
  QCOMPARE(field->text(), good);
  QCOMPARE(studio.model.document().undoStack().index(), steps + 1);
  studio.trigger("undo");
  QVERIFY(studio.session() == unchanged);
  QCOMPARE(field->text(), before);
  // Nothing that was typed changes nothing.
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(studio.session() == unchanged);
}

/// A range that begins where there is no logarithm is not the one that is used, and the panel says which is.
void TestLegends::logarithmicRangesBeginAboveNought() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(studio.newest()), app::ObjectState::Done, kPatienceMs);
  const app::ObjectId id = studio.newest();
  studio.window.pipeline().select(id);
  auto* const least = studio.child<ui::NumberEdit>("color.least");
  auto* const note = studio.child<QLabel>("color.logNote");
  auto* const ends = studio.child<QLabel>("color.ends");
  QVERIFY(least && note && ends);
  const auto isRed = [&] { return least->palette().color(QPalette::Text) == ui::warningColor(); };
  studio.model.document().edit("Range", [&](app::Draft& draft) {
    draft.object(id).color.range = {{-1, 2.5}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && ends->text().startsWith("-1 "), kPatienceMs);
  QVERIFY(!isRed() && note->isHidden());
  studio.child<QCheckBox>("color.log")->click();
  QTRY_COMPARE_WITH_TIMEOUT(ends->text(), QString("0.00025 … 2.5"), kPatienceMs);
  QVERIFY(isRed() && !note->isHidden());
  QVERIFY2(note->text().contains("begin at 0.00025"), qPrintable(note->text()));
  QCOMPARE(least->text(), QString("-1"));
  studio.model.document().edit("Range", [&](app::Draft& draft) {
    draft.object(id).color.range = {{0.5, 2.5}};
  });
  QTRY_COMPARE_WITH_TIMEOUT(ends->text(), QString("0.5 … 2.5"), kPatienceMs);
  QVERIFY(!isRed());
  QVERIFY2(note->isHidden() || !note->text().contains("begin at"), qPrintable(note->text()));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLegends test;
  return QTest::qExec(&test, count, words);
}
#include "tst_legends.moc"
