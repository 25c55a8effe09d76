// Two and four views in one window, and two data sets compared over each other: what each of them shows, cameras that move
// together or apart, the divider, undoing, saving and reading, pictures of all of them. Needs a display with OpenGL; skips
// where there is none.

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>

#include "app/model/known_texts.h"
#include "app/model/view_layout.h"
#include "app/model/volume_looks.h"
#include "app/ui/export_image_dialog.h"
#include "app/ui/view_group.h"
#include "core/base/error.h"
#include "core/session/run/picture_text.h"
#include "core/session/session_json.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// A sample with its outline and lines, and perhaps another one beside it.
struct Split : Studio {
  explicit Split(bool second = false) : Studio(QSize(1280, 800)) {
    model.open({"sample://cylinder?size=17,17,9"});
    opened = QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs);
    if (second) {
      const std::size_t had = session().objects.size();
      model.open({"sample://abc?size=17"});
      opened &= QTest::qWaitFor([&] { return rests() && session().objects.size() > had; }, kPatienceMs);
    }
    opened &= QTest::qWaitFor([&] { return viewRests(); }, kPatienceMs);
  }
  qt3d::Viewport& view(std::size_t number) { return window.views().view(number); }
  QImage pictureOf(std::size_t number) {
    QImage image;
    bool done = false;
    view(number).capture([&](const QImage& made) {
      image = made;
      done = true;
    });
    return QTest::qWaitFor([&] { return done; }, kPatienceMs) ? image : QImage();
  }
  /// Pixels that differ from the background, without title, legend and orientation.
  int drawn(std::size_t number) {
    const QImage image = pictureOf(number).convertToFormat(QImage::Format_RGB32);
    const QRgb empty = image.pixel(image.width() / 2, 2);
    int count = 0;
    for (int y = image.height() / 5; y < image.height() * 4 / 5; ++y)
      for (int x = image.width() / 5; x < image.width() * 7 / 10; ++x) count += image.pixel(x, y) != empty;
    return count;
  }
  /// The same once it stays: data are fitted anew where legends come, and views glide there.
  int drawnAtRest(std::size_t number) {
    int last = -1, same = 0;
    for (int n = 0; n < 200 && same < 4; ++n) {
      QTest::qWait(200);
      const int now = viewRests() ? drawn(number) : -1;
      same = now >= 0 && now == last ? same + 1 : 0;
      last = now;
    }
    return last;
  }
  /// With what is in the views where it stays.
  void divide(const char* how) {
    trigger(how);
    (void)drawnAtRest(window.views().count() - 1);
  }
  /// By the menu above the view.
  void choose(int number, const QString& text) {
    QMenu* const menu = child<QToolButton>(QString("view%1.shown").arg(number))->menu();
    emit menu->aboutToShow();
    for (QAction* const action : menu->actions())
      if (action->text() == text) return action->trigger();
    QFAIL(qPrintable("no " + text));
  }
  int steps() { return model.document().undoStack().index(); }
  /// Turns a view by the mouse, and waits until that is a step.
  void turn(std::size_t number, QPoint by) {
    qt3d::Viewport& of = view(number);
    const QPoint from = of.rect().center();
    QTest::mousePress(&of, Qt::LeftButton, {}, from);
    for (int step = 1; step <= 4; ++step) {
      QMouseEvent event(QEvent::MouseMove, from + by * step / 4, of.mapToGlobal(from + by * step / 4),
                        Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(&of, &event);
    }
    QTest::mouseRelease(&of, Qt::LeftButton, {}, from + by);
    QTest::qWait(500);
  }
  bool opened = false;
};

bool sameCamera(const scene::Camera& a, const scene::Camera& b) {
  const double size = length(a.position - a.target);
  return length(a.position - b.position) < 1e-9 * size && length(a.target - b.target) < 1e-9 * size;
}

}  // namespace

class TestLinkedViews : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void viewsStandBesideOneAnother();
  void camerasMoveTogetherOrApart();
  void eachShowsWhatIsChosen();
  void whatIsDoneInOneIsDone();
  void framesAreDrawnInAnyOfThem();
  void textsAreOfWhatAViewShows();
  void twoDataSetsAreCompared();
  void fourSmallViewsHaveAllLegends();
  void scaleBarsAreBesideTheDivider();
  void namesAreFollowed();
  void dividedBeforeTheFirstFit();
  void savedAndRead();
  void pictureHasAllViews();
  void handlesAreWhereTheirObjectIs();
  void comparedDataHaveOneScale();
  void comparedVolumesHaveOneScale();
};

void TestLinkedViews::initTestCase() {
  Split split;
  QVERIFY(split.opened);
  if (split.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestLinkedViews::viewsStandBesideOneAnother() {
  Split split;
  const QSize whole = split.view(0).size();
  const int before = split.steps();
  split.divide("twoViews");
  QCOMPARE(split.window.views().count(), std::size_t(2));
  QVERIFY(split.view(1).isVisible());
  QCOMPARE(split.view(0).size(), split.view(1).size());
  QVERIFY(split.view(0).geometry().right() < split.view(1).geometry().left());
  QVERIFY(std::abs(2 * split.view(0).width() - whole.width()) < 8);
  QVERIFY(sameCamera(split.view(0).camera(), split.view(1).camera()));
  // The same is drawn in both.
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 200, kPatienceMs);
  QCOMPARE(split.drawn(1), split.drawn(0));
  split.divide("fourViews");
  QCOMPARE(split.window.views().count(), std::size_t(4));
  QVERIFY(split.view(2).geometry().top() > split.view(0).geometry().bottom());
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(3) > 50, kPatienceMs);
  QCOMPARE(split.drawn(3), split.drawn(0));
  QCOMPARE(split.steps(), before + 2);
  split.trigger("undo");
  QCOMPARE(split.window.views().count(), std::size_t(2));
  QVERIFY(!split.view(3).isVisible());
  QCOMPARE(split.view(3).geometryBytes(), std::size_t(0));
  split.trigger("undo");
  QCOMPARE(split.window.views().count(), std::size_t(1));
  QCOMPARE(split.view(0).size(), whole);
  QVERIFY(split.action("oneView")->isChecked());
  split.trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 200, kPatienceMs);
}

void TestLinkedViews::camerasMoveTogetherOrApart() {
  Split split;
  split.divide("twoViews");
  const scene::Camera start = split.view(0).camera();
  // Turning the second one turns the first, and is the session's camera.
  split.turn(1, {80, 30});
  QVERIFY(!sameCamera(split.view(0).camera(), start));
  QVERIFY(sameCamera(split.view(0).camera(), split.view(1).camera()));
  const auto* const kept = std::get_if<session::FixedCamera>(&split.session().camera);
  QVERIFY(kept && length(kept->position - split.view(0).camera().position) < 1e-9 * length(kept->position));
  split.turn(0, {-40, 10});
  QVERIFY(sameCamera(split.view(0).camera(), split.view(1).camera()));
  // Apart.
  split.child<QToolButton>("view2.link")->click();
  QVERIFY(!split.action("linkCameras")->isChecked());
  const scene::Camera first = split.view(0).camera();
  const int before = split.steps();
  split.turn(1, {60, 0});
  QVERIFY(sameCamera(split.view(0).camera(), first));
  QVERIFY(!sameCamera(split.view(1).camera(), first));
  QCOMPARE(split.steps(), before + 1);
  // Commands go to the view that has the keyboard.
  split.view(1).setFocus();
  split.trigger("viewPlusX");
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(split.view(1).camera().position.x - split.view(1).camera().target.x) >
                               0.99 * length(split.view(1).camera().position - split.view(1).camera().target),
                           kPatienceMs);
  QVERIFY(sameCamera(split.view(0).camera(), first));
  QTest::qWait(800);
  split.trigger("undo");
  split.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(sameCamera(split.view(1).camera(), first), kPatienceMs);
  // Linked again.
  split.trigger("redo");
  split.trigger("linkCameras");
  QVERIFY(split.action("linkCameras")->isChecked());
  QTRY_VERIFY_WITH_TIMEOUT(sameCamera(split.view(1).camera(), first), kPatienceMs);
  // All of them at once are one step.
  split.divide("fourViews");
  for (const bool linked : {false, true}) {
    const int steps = split.steps();
    split.trigger("linkCameras");
    QCOMPARE(split.window.views().areCamerasLinked(), linked);
    QCOMPARE(split.steps(), steps + 1);
  }
  split.trigger("undo");
  for (std::size_t number = 1; number < 4; ++number) QVERIFY(split.session().layout.views[number].camera);
}

void TestLinkedViews::eachShowsWhatIsChosen() {
  Split split;
  // Few lines, so that a slice is seen beside them.
  session::Object lines = *split.model.document().object(split.newest());
  std::get<session::Streamlines>(lines.shape).seeds = session::SpreadSeeds{8};
  split.model.document().setObject(split.newest(), lines, "Seed");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  split.divide("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 200, kPatienceMs);
  const int without = split.drawn(1);
  split.trigger("addSlice");
  split.window.pipeline().select(0);  // no handle is drawn
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  const QString slice = QString::fromStdString(split.session().objects.back().name);
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > without + 1000, kPatienceMs);
  const int whole = split.drawn(0);
  split.choose(2, slice);
  QVERIFY(split.child<QToolButton>("view2.shown")->text().contains("2 of 3"));
  // but for a few pixels at the edges of lines
  const auto near = [](int drawn, int expected) { return std::abs(drawn - expected) < 300; };
  QTRY_VERIFY_WITH_TIMEOUT(near(split.drawn(1), without), kPatienceMs);
  QVERIFY(split.drawn(0) > without + 1000);
  // It stays hidden there while it changes.
  session::Object object = *split.model.document().object(split.newest());
  std::get<session::Slice>(object.shape).normal = {1, 0, 0};
  split.model.document().setObject(split.newest(), object, "Turn");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests() && split.drawn(0) != whole, kPatienceMs);
  QVERIFY(near(split.drawn(1), without));
  split.trigger("undo");
  split.choose(2, "All objects");
  QTRY_VERIFY_WITH_TIMEOUT(near(split.drawn(1), whole), kPatienceMs);
}

/// Pointing, clicking and dragging handles in the second view.
void TestLinkedViews::whatIsDoneInOneIsDone() {
  Split split;
  split.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  split.divide("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 2000, kPatienceMs);
  const auto plane = [&] { return *std::get<session::Slice>(split.session().objects.back().shape).origin; };
  const Vec3 was = plane();
  const QSize size = split.view(1).size();
  const auto knob = view::ScreenMap(split.view(1).camera(), size.width(), size.height()).project(was);
  QVERIFY(knob.has_value());
  const QPoint from(qRound(knob->x), qRound(knob->y));
  qt3d::Viewport& second = split.view(1);
  const auto move = [&](QPoint to, Qt::MouseButtons held) {
    QMouseEvent event(QEvent::MouseMove, to, second.mapToGlobal(to), Qt::NoButton, held, {});
    QApplication::sendEvent(&second, &event);
  };
  move(from, Qt::NoButton);
  QTest::mousePress(&second, Qt::LeftButton, {}, from);
  for (int step = 1; step <= 4; ++step) move(from + QPoint(0, 8 * step), Qt::LeftButton);
  QTest::mouseRelease(&second, Qt::LeftButton, {}, from + QPoint(0, 32));
  QVERIFY2(length(plane() - was) > 0, "the slice stayed where it was");
  split.trigger("undo");
  QVERIFY(length(plane() - was) == 0);
}

/// Wherever the hand draws it; and then it is waited for in none.
void TestLinkedViews::framesAreDrawnInAnyOfThem() {
  Split split;
  split.divide("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests() && split.drawn(1) > 200, kPatienceMs);
  QCOMPARE(&split.window.views().active(), &split.view(0));
  const auto away = [&](std::size_t number) {
    const scene::Camera camera = split.view(number).camera();
    return length(camera.position - camera.target);
  };
  const double before = away(1);
  split.trigger("zoomBox");
  const QSize size = split.view(1).size();
  const QPoint corner(size.width() / 8, size.height() / 8);
  qt3d::Viewport& second = split.view(1);
  const QPoint from = second.rect().center() - corner, to = second.rect().center() + corner;
  QTest::mousePress(&second, Qt::LeftButton, {}, from);
  for (int step = 1; step <= 4; ++step) {
    const QPoint at = from + (to - from) * step / 4;
    QMouseEvent event(QEvent::MouseMove, at, second.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&second, &event);
  }
  QTest::mouseRelease(&second, Qt::LeftButton, {}, to);
  QVERIFY(!split.action("zoomBox")->isChecked());
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(before / away(1) - 4) < 0.2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  // A drag in the one that the keys are in turns it again.
  const double near = away(0);
  const Vec3 was = split.view(0).camera().position;
  split.turn(0, {40, 0});
  QVERIFY(std::abs(away(0) - near) < 1e-6 * near && length(split.view(0).camera().position - was) > 0);
}

/// Steps and times, of the data that have the most of them there.
void TestLinkedViews::textsAreOfWhatAViewShows() {
  Studio studio;
  for (const char* const sample :
       {"sample://taylor-green?size=9&steps=3", "sample://tornado?size=9&steps=5"}) {
    const std::size_t had = studio.session().objects.size();
    studio.model.open({sample});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() > had, kPatienceMs);
  }
  studio.trigger("twoViews");
  const std::string first = studio.session().data[0].name;
  studio.model.document().edit("Title", [&](app::Draft& draft) {
    draft.frame().image.title = "{step}: {time}";
    for (const session::Object& object : studio.session().objects)
      if (object.data != first) draft.frame().layout.views[0].hidden.push_back(object.name);
  });
  studio.model.stage().setStep(2);
  const auto said = [&](std::size_t view) {
    return app::withKnownTexts(studio.session().image, studio.model, view).title;
  };
  const auto timeOf = [&](std::size_t data) {
    const auto summary = studio.model.stage().summary(studio.session().data[data].name);
    return session::pictureText("{step}: {time}", summary->description, 2);
  };
  QVERIFY(timeOf(0) != timeOf(1));
  QCOMPARE(said(0), timeOf(0));
  QCOMPARE(said(1), timeOf(1));
}

void TestLinkedViews::twoDataSetsAreCompared() {
  {
    Split one;
    one.trigger("compareData");  // there is nothing to compare with
    QCOMPARE(one.window.views().count(), std::size_t(1));
    QVERIFY(one.action("oneView")->isChecked());
  }
  Split split(true);
  QVERIFY(split.opened);
  split.trigger("compareData");
  QCOMPARE(split.window.views().count(), std::size_t(2));
  QCOMPARE(split.view(0).geometry(), split.view(1).geometry());
  const auto& layout = split.session().layout;
  QCOMPARE(layout.views[0].data, split.session().data[0].name);
  QCOMPARE(layout.views[1].data, split.session().data[1].name);
  QVERIFY(split.child<QToolButton>("view2.shown")
              ->text()
              .contains(QString::fromStdString(split.session().data[1].name)));
  QVERIFY(!split.child<QToolButton>("view2.link")->isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(0) > 200 && split.drawn(1) > 200, kPatienceMs);
  QVERIFY(split.pictureOf(0) != split.pictureOf(1));
  // The second one is seen right of the divider alone.
  const int width = split.view(1).width();
  QVERIFY(!split.view(1).mask().contains(QPoint(width / 2 - 4, 100)));
  QVERIFY(split.view(1).mask().contains(QPoint(width / 2 + 4, 100)));
  auto* const divider = split.child<QWidget>("viewDivider");
  QVERIFY(divider->isVisible());
  const int before = split.steps();
  const QPoint hold = divider->rect().center();
  QTest::mousePress(divider, Qt::LeftButton, {}, hold);
  for (int step = 1; step <= 3; ++step) {
    const QPoint to = divider->mapFromGlobal(
        split.window.views().mapToGlobal(QPoint(width / 2 - 50 * step, divider->y() + hold.y())));
    QMouseEvent event(QEvent::MouseMove, to, divider->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(divider, &event);
  }
  QTest::mouseRelease(divider, Qt::LeftButton, {}, hold);
  QVERIFY(std::abs(split.session().layout.divider - double(width / 2 - 150) / width) < 0.01);
  QVERIFY(split.view(1).mask().contains(QPoint(width / 2 - 140, 100)));
  QCOMPARE(split.steps(), before + 1);
  // Esc puts it back.
  const double moved = split.session().layout.divider;
  divider->setFocus();
  QTest::mousePress(divider, Qt::LeftButton, {}, hold);
  const auto drag = [&] {
    const QPoint to = hold + QPoint(70, 0);
    QMouseEvent event(QEvent::MouseMove, to, divider->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(divider, &event);
  };
  drag();
  QVERIFY(split.session().layout.divider > moved);
  QTest::keyClick(divider, Qt::Key_Escape);
  QCOMPARE(split.session().layout.divider, moved);
  drag();
  QTest::mouseRelease(divider, Qt::LeftButton, {}, hold + QPoint(70, 0));
  QCOMPARE(split.session().layout.divider, moved);
  QCOMPARE(split.steps(), before + 1);
  // By keys, too.
  const double was = split.session().layout.divider;
  QTest::keyClick(divider, Qt::Key_Right);
  QVERIFY(split.session().layout.divider > was);
  // Both move together.
  split.turn(1, {200, 20});
  QVERIFY(sameCamera(split.view(0).camera(), split.view(1).camera()));
  // One of them is closed: there is nothing to compare with any more.
  split.model.document().removeData(split.session().data[1].name);
  QCOMPARE(split.window.views().count(), std::size_t(1));
  split.trigger("undo");
  QCOMPARE(split.window.views().count(), std::size_t(2));
}

/// Of a small window: three quantities have three legends, each as it is told by its name.
void TestLinkedViews::fourSmallViewsHaveAllLegends() {
  Split split;
  QVERIFY(split.opened);
  split.window.resize(1024, 700);
  QStringList functions;
  for (const char* const function : {"velocity-magnitude", "vorticity-magnitude", "pressure"}) {
    split.trigger("addSlice");
    split.model.document().edit("Colour",
                                [&](app::Draft& draft) { draft.object(split.newest()).color.by = function; });
    functions.append(function);
  }
  split.divide("fourViews");
  qt3d::Viewport& view = split.view(3);
  const auto told = [&] {
    QStringList names;
    for (int y = 0; y < view.height(); y += 8) {
      const QPoint place(view.width() - 40, y);
      QMouseEvent over(QEvent::MouseMove, place, view.mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
      QApplication::sendEvent(&view, &over);
      if (!view.toolTip().isEmpty() && !names.contains(view.toolTip())) names.append(view.toolTip());
    }
    return names;
  };
  QTRY_COMPARE_WITH_TIMEOUT(told().size(), functions.size(), kPatienceMs);
  for (const QString& function : functions)
    QVERIFY2(!told().filter(function).isEmpty(), qPrintable(told().join(", ")));
}

/// The divider hides nothing that is written: each side has a bar in the middle of its part.
void TestLinkedViews::scaleBarsAreBesideTheDivider() {
  Split split(true);
  QVERIFY(split.opened);
  split.divide("compareData");
  const auto pictures = [&] {
    return std::array{split.pictureOf(0).convertToFormat(QImage::Format_RGB32),
                      split.pictureOf(1).convertToFormat(QImage::Format_RGB32)};
  };
  const auto before = pictures();
  split.model.document().edit("Bar", [](app::Draft& draft) { draft.frame().image.notes.scaleBar = true; });
  // What the bar has changed, from the left to the right.
  const auto changed = [&](const std::array<QImage, 2>& now, std::size_t side) {
    int least = now[side].width(), greatest = -1;
    for (int y = now[side].height() * 4 / 5; y < now[side].height(); ++y)
      for (int x = 0; x < now[side].width(); ++x)
        if (now[side].pixel(x, y) != before[side].pixel(x, y)) {
          least = std::min(least, x);
          greatest = std::max(greatest, x);
        }
    return std::pair(least, greatest);
  };
  std::array<QImage, 2> after;
  QTRY_VERIFY_WITH_TIMEOUT(
      (after = pictures(), changed(after, 0).second >= 0 && changed(after, 1).second >= 0), kPatienceMs);
  const auto* const divider = split.child<QWidget>("viewDivider");
  const double ratio = split.window.devicePixelRatioF();
  const auto [leftFrom, leftTo] = changed(after, 0);
  const auto [rightFrom, rightTo] = changed(after, 1);
  QVERIFY2(leftTo < ratio * divider->x(), qPrintable(QStringLiteral("%1 %2").arg(leftFrom).arg(leftTo)));
  QVERIFY2(rightFrom > ratio * (divider->x() + divider->width()),
           qPrintable(QStringLiteral("%1 %2").arg(rightFrom).arg(rightTo)));
}

void TestLinkedViews::namesAreFollowed() {
  Split split(true);
  app::Document& document = split.model.document();
  split.divide("twoViews");
  const std::string name = split.session().objects.front().name;
  app::showIn(document, 1, name, false);
  app::showDataIn(document, 0, split.session().data[1].name);
  QVERIFY(document.renameObject(document.objectIds().front(), "box").isEmpty());
  QCOMPARE(split.session().layout.views[1].hidden, std::vector<std::string>{"box"});
  QVERIFY(document.renameData(split.session().data[1].name, "other").isEmpty());
  QCOMPARE(split.session().layout.views[0].data, std::string("other"));
  document.edit("remove", [&](app::Draft& draft) { draft.remove(document.objectIds().front()); });
  QVERIFY(split.session().layout.views[1].hidden.empty());
  document.removeData("other");
  QVERIFY(split.session().layout.views[0].data.empty());
}

/// A view that has never been fitted has no camera to keep: the one that views begin with sees nothing.
void TestLinkedViews::dividedBeforeTheFirstFit() {
  Studio studio(QSize(1280, 800));
  studio.model.open({"sample://cylinder?size=17,17,9"});
  // At once: neither data nor bounds are there.
  studio.trigger("twoViews");
  studio.trigger("linkCameras");
  studio.trigger("keepView");
  QVERIFY(std::holds_alternative<session::AutoCamera>(studio.session().camera));
  for (const session::SideView& side : studio.session().layout.views) QVERIFY(!side.camera);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  QCOMPARE(studio.window.views().count(), std::size_t(2));
  QVERIFY(studio.window.views().areCamerasLinked());
  QVERIFY(studio.action("linkCameras")->isChecked());
  const Bounds bounds = studio.model.stage().bounds();
  for (const std::size_t number : {std::size_t(0), std::size_t(1)}) {
    qt3d::Viewport& view = studio.window.views().view(number);
    const auto isSeen = [&] {
      const auto at = view::ScreenMap(view.camera(), view.width(), view.height()).project(bounds.center());
      return at && view.rect().contains(qRound(at->x), qRound(at->y));
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSeen(), kPatienceMs);
  }
  for (const session::NamedView& kept : studio.session().views)
    QVERIFY(std::holds_alternative<session::AutoCamera>(kept.camera));
}

void TestLinkedViews::savedAndRead() {
  Split split(true);
  split.divide("twoViews");
  split.choose(1, "Only " + QString::fromStdString(split.session().data[0].name));
  split.child<QToolButton>("view2.link")->click();
  const session::ViewLayout layout = split.session().layout;
  QVERIFY(layout.views[1].camera.has_value());
  QVERIFY(session::parseSession(session::toJson(split.session())).layout == layout);
  // A window that opens it has the same views.
  const QString path = split.at("two.json");
  split.model.save(path);
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(path) && !split.model.document().isModified(), kPatienceMs);
  split.trigger("new");
  QCOMPARE(split.window.views().count(), std::size_t(1));
  split.window.openPaths({path});
  QTRY_VERIFY_WITH_TIMEOUT(split.window.views().count() == 2 && split.rests(), kPatienceMs);
  QVERIFY(split.session().layout == layout);
  QTRY_VERIFY_WITH_TIMEOUT(sameCamera(split.view(1).camera(),
                                      [&] {
                                        scene::Camera camera;
                                        camera.position = layout.views[1].camera->position;
                                        camera.target = layout.views[1].camera->target;
                                        return camera;
                                      }()),
                           kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(split.drawn(1) > 200, kPatienceMs);
  // What a file must not say.
  for (const char* const wrong :
       {R"({"views": [{}]})", R"({"views": [{}, {}, {}, {}], "over": true})",
        R"({"views": [{}, {}], "divider": 2})",
        R"({"views": [{"camera": {"position": [0, 0, 1], "target": [0, 0, 0], "up": [0, 1, 0]}}, {}]})",
        R"({"views": [{}, {"camera": "auto"}]})", R"({"over": true})"}) {
    const std::string text =
        R"({"farfield": 1, "data": {}, "objects": [], "layout": )" + std::string(wrong) + "}";
    QVERIFY_THROWS_EXCEPTION(Invalid, (void)session::parseSession(text));
  }
}

void TestLinkedViews::pictureHasAllViews() {
  Split split;
  split.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  split.divide("twoViews");
  app::showIn(split.model.document(), 1, split.session().objects.back().name, false);
  const QString path = split.at("two.png");
  split.trigger("exportImage");
  auto* const size = split.window.findChild<ui::ExportImageDialog*>();
  QVERIFY(size);
  QCOMPARE(size->sizePixels()[0], split.window.views().width());
  size->findChild<QSpinBox*>("export.width")->setValue(1001);
  size->findChild<QSpinBox*>("export.height")->setValue(700);
  size->accept();
  auto* const files = split.window.findChild<QFileDialog*>();
  QVERIFY(files);
  emit files->fileSelected(path);
  files->close();
  QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(path), kPatienceMs);
  const QImage image(path);
  QCOMPARE(image.size(), QSize(1001, 700));
  // Parted unevenly it is filled all the same.
  QCOMPARE(image.pixelColor(1000, 5), image.pixelColor(998, 5));
  QVERIFY(image.pixelColor(500, 5) != image.pixelColor(998, 5));  // the line between them
  const int left = colouredPixels(image, QRect(100, 140, 300, 420)),
            right = colouredPixels(image, QRect(600, 140, 300, 420));
  QVERIFY2(left > right + 1000, qPrintable(QString("%1 %2").arg(left).arg(right)));
}

void TestLinkedViews::handlesAreWhereTheirObjectIs() {
  Split split;
  split.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(split.viewRests(), kPatienceMs);
  split.divide("twoViews");
  const std::string name = split.session().objects.back().name;
  const auto orange = [&](std::size_t number) {
    const QImage image = split.pictureOf(number);
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QColor seen = image.pixelColor(x, y);
        count += seen.red() > 220 && std::abs(seen.green() - 153) < 24 && seen.blue() < 70;
      }
    return count;
  };
  QTRY_VERIFY_WITH_TIMEOUT(orange(0) > 40 && orange(1) > 40, kPatienceMs);
  app::showIn(split.model.document(), 1, name, false);
  QTRY_VERIFY_WITH_TIMEOUT(orange(1) < 5, kPatienceMs);
  QVERIFY(orange(0) > 40);
  split.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(orange(1) > 40, kPatienceMs);
}

void TestLinkedViews::comparedDataHaveOneScale() {
  Split split(true);
  QVERIFY(split.opened);
  app::Document& document = split.model.document();
  std::vector<app::ObjectId> ids;
  for (const session::DataSource& source : std::vector(split.session().data)) {
    split.window.pipeline().selectData(source.name);
    split.trigger("addSlice");
    session::Object object = *document.object(split.newest());
    object.color.by = "velocity-x";
    object.color.range.reset();
    if (ids.empty()) object.color.map.name = "plasma";
    document.setObject(split.newest(), object, "colour");
    ids.push_back(split.newest());
  }
  QTRY_VERIFY_WITH_TIMEOUT(split.rests(), kPatienceMs);
  const auto scaleOf = [&](app::ObjectId id) { return split.model.stage().status(id).scale; };
  const auto alike = [&] {
    return scaleOf(ids[0]).min == scaleOf(ids[1]).min && scaleOf(ids[0]).max == scaleOf(ids[1]).max;
  };
  QVERIFY(!alike());
  const scene::ColorScale first = scaleOf(ids[0]), second = scaleOf(ids[1]);
  split.trigger("compareData");
  QTRY_VERIFY_WITH_TIMEOUT(alike(), kPatienceMs);
  QCOMPARE(scaleOf(ids[0]).min, std::min(first.min, second.min));
  QCOMPARE(scaleOf(ids[0]).max, std::max(first.max, second.max));
  // And equal colours are equal values.
  QCOMPARE(document.object(ids[1])->color.map.name, std::string("plasma"));
  QTRY_COMPARE_WITH_TIMEOUT(scaleOf(ids[1]).map.name, std::string("plasma"), kPatienceMs);
  // One is set apart, and has its own again.
  session::Object apart = *document.object(ids[0]);
  apart.color.apart = true;
  document.setObject(ids[0], apart, "apart");
  QTRY_VERIFY_WITH_TIMEOUT(scaleOf(ids[0]).max == first.max && scaleOf(ids[0]).min == first.min, kPatienceMs);
  split.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(alike(), kPatienceMs);
  split.trigger("oneView");
  QTRY_VERIFY_WITH_TIMEOUT(!alike(), kPatienceMs);
  // All of it is undone with the comparison.
  split.trigger("undo");
  split.trigger("undo");
  QVERIFY(document.object(ids[1])->color.map.name != "plasma");
}

/// Those of the left, also where it is of one and slices are of the other; and each has its own again.
void TestLinkedViews::comparedVolumesHaveOneScale() {
  Split split(true);
  QVERIFY(split.opened);
  app::Document& document = split.model.document();
  std::vector<app::ObjectId> ids;
  for (const session::DataSource& source : std::vector(split.session().data))
    for (const char* const add : {"addVolume", "addSlice"}) {
      split.window.pipeline().selectData(source.name);
      split.trigger(add);
      ids.push_back(split.newest());
    }
  QTRY_VERIFY_WITH_TIMEOUT(split.rests(), kPatienceMs);
  document.edit("Colours", [&](app::Draft& draft) {
    for (const app::ObjectId id : ids) {
      session::Object& object = draft.object(id);
      object = app::withPlainColors(object);
      object.color = {};
      object.color.by = "velocity-x";
    }
    for (const app::ObjectId id : {ids[0], ids[1]}) {
      draft.object(id).color.range = {{-0.5, 0.25}};
      draft.object(id).color.map.name = "plasma";
    }
  });
  QTRY_VERIFY_WITH_TIMEOUT(split.rests(), kPatienceMs);
  std::vector<session::Coloring> before;
  for (const app::ObjectId id : ids) before.push_back(document.object(id)->color);
  split.trigger("compareData");
  for (const app::ObjectId id : ids) {
    QVERIFY(document.object(id)->color.range == before[0].range);
    QCOMPARE(document.object(id)->color.map.name, std::string("plasma"));
  }
  split.trigger("oneView");
  for (std::size_t n = 0; n < ids.size(); ++n) QVERIFY(document.object(ids[n])->color == before[n]);
  // Of the volume alone the slice takes the range.
  document.edit("Hide", [&](app::Draft& draft) { draft.remove(ids[1]); });
  split.trigger("compareData");
  QVERIFY(document.object(ids[3])->color.range == before[0].range);
  QVERIFY(document.object(ids[3])->color.map.name != "plasma");
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLinkedViews test;
  return QTest::qExec(&test, count, words);
}
#include "tst_linked_views.moc"
