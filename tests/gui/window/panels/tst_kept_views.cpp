// Kept views in their panel: pictures that show what is seen from there, flying there by a click, renaming, replacing,
// forgetting, undoing. Needs a display with OpenGL; skips where there is none.

#include <QListWidget>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/model/object_tree.h"
#include "app/ui/panels/view_panel.h"
#include "app/ui/view/view_controller.h"
#include "app/ui/view/view_group.h"
#include "core/session/json/session_json.h"
#include "core/session/session_camera.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Views : Studio {
  explicit Views(QSize size = QSize(1440, 900)) : Studio(size) {
    model.open({"sample://cylinder?size=33,33,9"});
    if (!QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs)) return;
    auto* const dock = child<QWidget>("dock.views");
    dock->show();
    dock->raise();
    (void)QTest::qWaitFor([&] { return viewRests(); }, kPatienceMs);
  }
  QListWidget& list() { return window.findChild<ui::ViewPanel*>()->list(); }
  void click(int row) {
    const QRect place = list().visualItemRect(list().item(row));
    QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, place.center());
  }
  QImage pictureOf(int row) { return list().item(row)->icon().pixmap(list().iconSize()).toImage(); }
  /// Pixels that differ from the most frequent colour: something is drawn there.
  int drawnPixels(int row) {
    const QImage image = pictureOf(row).convertToFormat(QImage::Format_RGB32);
    const QRgb empty = image.pixel(4, 4);
    int count = 0;
    for (int y = 2; y < image.height() - 2; ++y)
      for (int x = 2; x < image.width() - 2; ++x) count += image.pixel(x, y) != empty;
    return count;
  }
};

}  // namespace

class TestKeptViews : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void picturesShowWhatIsSeen();
  void viewsAreRenamedReplacedForgotten();
  void allThatWasSeenIsSeenInNarrowerViews();
  void whatIsShownOrHiddenLeavesTheView();
  void viewsOfTheirOwnAreKeptAndFlownTo();
};

void TestKeptViews::initTestCase() {
  Views views;
  if (views.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestKeptViews::picturesShowWhatIsSeen() {
  Views views;
  views.trigger("viewPlusX");
  views.trigger("keepView");
  views.trigger("viewPlusZ");
  views.child<QToolButton>("views.keep")->click();
  QCOMPARE(views.list().count(), 2);
  QTRY_VERIFY_WITH_TIMEOUT(views.drawnPixels(0) > 100 && views.drawnPixels(1) > 100, kPatienceMs);
  QVERIFY(views.pictureOf(0) != views.pictureOf(1));
  if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
    QVERIFY(
        views.window.grab().toImage().convertToFormat(QImage::Format_RGB32).save(where + "/kept-views.png"));
  const auto second = views.session().camera;
  const int steps = views.model.document().undoStack().index();
  views.click(0);
  QVERIFY(views.session().camera == views.session().views[0].camera);
  QTRY_VERIFY_WITH_TIMEOUT(views.viewRests(), kPatienceMs);
  // It is looked at along x, all of it as it was kept.
  const scene::Camera camera = views.window.viewport().camera();
  const Vec3 way = camera.position - camera.target;
  QVERIFY(std::abs(way.x) > 0.999 * length(way));
  QCOMPARE(views.model.document().undoStack().index(), steps + 1);
  views.trigger("undo");
  QVERIFY(views.session().camera == second);
}

void TestKeptViews::viewsAreRenamedReplacedForgotten() {
  Views views(QSize(1024, 700));
  views.trigger("viewPlusX");
  views.trigger("keepView");
  views.trigger("viewPlusY");
  views.trigger("keepView");
  QTRY_VERIFY_WITH_TIMEOUT(views.drawnPixels(0) > 50 && views.drawnPixels(1) > 50, kPatienceMs);
  const QImage first = views.pictureOf(0);
  // By typing; a name that is taken is refused.
  QSignalSpy told(views.window.findChild<ui::ViewPanel*>(), &ui::ViewPanel::message);
  views.list().item(0)->setText("from the front");
  QCOMPARE(views.session().views[0].name, std::string("from the front"));
  QCOMPARE(views.pictureOf(0), first);
  views.list().item(1)->setText("from the front");
  QCOMPARE(told.size(), 1);
  QCOMPARE(views.list().item(1)->text(), QString::fromStdString(views.session().views[1].name));
  QVERIFY(views.session().views[1].name != views.session().views[0].name);
  // Another place to look from has another picture.
  views.trigger("viewPlusZ");
  QTRY_VERIFY_WITH_TIMEOUT(views.viewRests(), kPatienceMs);
  views.list().setCurrentRow(0);
  views.child<QToolButton>("views.replace")->click();
  QVERIFY(views.session().views[0].camera == views.session().camera);
  QTRY_VERIFY_WITH_TIMEOUT(views.drawnPixels(0) > 50 && views.pictureOf(0) != first, kPatienceMs);
  views.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(views.pictureOf(0) == first, kPatienceMs);
  // Replaced again while its picture is drawn: that picture is not kept, it is of where it looked from before.
  views.trigger("viewPlusZ");
  QTRY_VERIFY_WITH_TIMEOUT(views.viewRests(), kPatienceMs);
  views.list().setCurrentRow(0);
  views.window.findChild<ui::ViewPanel*>()->drawAgain();
  QTest::qWait(350);  // likely in the middle of it
  views.child<QToolButton>("views.replace")->click();
  QTRY_VERIFY_WITH_TIMEOUT(views.drawnPixels(0) > 50 && views.pictureOf(0) != first, kPatienceMs);
  views.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(views.pictureOf(0) == first, kPatienceMs);
  if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
    QVERIFY(views.window.grab()
                .toImage()
                .convertToFormat(QImage::Format_RGB32)
                .save(where + "/kept-views-small.png"));
  const session::Session again = session::parseSession(session::toJson(views.session()));
  QCOMPARE(again.views.size(), std::size_t(2));
  views.list().setCurrentRow(0);
  views.child<QToolButton>("views.remove")->click();
  QCOMPARE(views.session().views.size(), std::size_t(1));
  QCOMPARE(views.list().count(), 1);
  // The next one is not chosen instead, to be replaced or forgotten by what was meant for the first.
  QCOMPARE(views.list().currentRow(), -1);
  QVERIFY(!views.child<QToolButton>("views.remove")->isEnabled());
  views.trigger("undo");
  QCOMPARE(views.list().count(), 2);
  QCOMPARE(views.list().item(0)->text(), QString("from the front"));
}

void TestKeptViews::allThatWasSeenIsSeenInNarrowerViews() {
  Views views;
  views.model.document().edit("Look", [](app::Draft& draft) {
    session::FixedCamera camera;
    camera.position = {0, -6, 0.5};
    camera.target = {0, 0, 0.5};
    draft.frame().camera = camera;
  });
  QTRY_VERIFY_WITH_TIMEOUT(views.viewRests(), kPatienceMs);
  const auto sees = [&](Vec3 place) {
    const qt3d::Viewport& view = views.window.viewport();
    const auto at = view::ScreenMap(view.camera(), view.width(), view.height()).project(place);
    return at && view.rect().contains(qRound(at->x), qRound(at->y));
  };
  // Near the edges of what is seen.
  const QSize size = views.window.viewport().size();
  const double up = 0.97 * 6 * std::tan(15 * std::numbers::pi / 180),
               aside = up * size.width() / size.height();
  const Vec3 edges[] = {{aside, 0, 0.5}, {-aside, 0, 0.5}, {0, 0, 0.5 + up}, {0, 0, 0.5 - up}};
  const auto seesAll = [&] { return std::all_of(std::begin(edges), std::end(edges), sees); };
  QVERIFY(seesAll() && !sees({1.1 * aside, 0, 0.5}));
  views.trigger("keepView");
  const auto kept = views.session().views[0].camera;
  const auto flies = [&] {
    views.trigger("viewPlusX");
    if (!QTest::qWaitFor([&] { return views.viewRests(); }, kPatienceMs)) return false;
    const int steps = views.model.document().undoStack().index();
    views.click(0);
    return QTest::qWaitFor([&] { return views.viewRests(); }, kPatienceMs) &&
           views.model.document().undoStack().index() == steps + 1;
  };
  for (const char* const arrangement : {"twoViews", "fourViews"}) {
    views.trigger(arrangement);
    QTRY_VERIFY_WITH_TIMEOUT(views.viewRests(), kPatienceMs);
    QVERIFY(flies());
    QVERIFY2(seesAll(), arrangement);
    // With the room that there was it is the view that was kept.
    views.trigger("oneView");
    QTRY_VERIFY_WITH_TIMEOUT(views.viewRests(), kPatienceMs);
    QVERIFY2(seesAll() && !sees({1.1 * aside, 0, 0.5}), arrangement);
  }
  QVERIFY(flies());
  QVERIFY(views.session().camera == kept);
  // One that was kept before anybody knew how wide it was is flown to as it is, and so it is saved.
  QVERIFY(session::parseSession(session::toJson(views.session())).views == views.session().views);
  views.model.document().edit("Old", [](app::Draft& draft) { draft.frame().views[0].aspect.reset(); });
  views.trigger("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(views.viewRests(), kPatienceMs);
  QVERIFY(flies());
  QVERIFY(views.session().camera == kept);
}

/// Small data beside large ones fill the view: what is ticked then is seen from where one is, until all is asked for again.
void TestKeptViews::whatIsShownOrHiddenLeavesTheView() {
  Views views;
  views.model.open({"sample://taylor-green?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(views.model.stage().summary("taylor-green") && views.viewRests(), kPatienceMs);
  app::ObjectTree& tree = views.model.tree();
  const auto tick = [&](app::ObjectId id, bool on) {
    QVERIFY(tree.setData(tree.indexOf(id), on ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole));
    const app::ObjectState wanted = on ? app::ObjectState::Done : app::ObjectState::Hidden;
    QTRY_VERIFY_WITH_TIMEOUT(views.stateOf(id) == wanted && views.viewRests(), kPatienceMs);
  };
  app::ObjectId large = 0;
  for (const app::ObjectId id : views.model.document().objectIds())
    if (const session::Object& object = *views.model.document().object(id); object.data == "cylinder") {
      tick(id, false);
      if (std::holds_alternative<session::Outline>(object.shape)) large = id;
    }
  QVERIFY(large);
  const auto camera = [&] { return views.window.viewport().camera(); };
  const auto isAuto = [&] { return std::holds_alternative<session::AutoCamera>(views.session().camera); };
  for (const char* const how : {"fit", "resetView"}) {
    views.trigger(how);
    QTRY_VERIFY_WITH_TIMEOUT(views.viewRests() && isAuto(), kPatienceMs);
    const scene::Camera near = camera();
    const int steps = views.model.document().undoStack().index();
    tick(large, true);
    QVERIFY(ui::sameCamera(camera(), near));
    // The document says so, as a part of that step, and a file will.
    QVERIFY(!isAuto() && ui::sameCamera(session::cameraOf(views.session(), {}, 1), near));
    QCOMPARE(views.model.document().undoStack().index(), steps + 1);
    views.trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(views.viewRests() && isAuto(), kPatienceMs);
    QVERIFY(ui::sameCamera(camera(), near));
    views.trigger("redo");
    QTRY_VERIFY_WITH_TIMEOUT(views.viewRests() && views.stateOf(large) == app::ObjectState::Done,
                             kPatienceMs);
    QVERIFY(ui::sameCamera(camera(), near));
    // All of it, when it is asked for; and without the large data it stays so.
    views.trigger("fit");
    QTRY_VERIFY_WITH_TIMEOUT(views.viewRests() && isAuto(), kPatienceMs);
    const scene::Camera far = camera();
    QVERIFY(length(far.position - far.target) > 1.5 * length(near.position - near.target));
    tick(large, false);
    QVERIFY(ui::sameCamera(camera(), far));
  }
}

/// Kept, replaced and flown to is the view that was clicked last, where it looks from a place of its own.
void TestKeptViews::viewsOfTheirOwnAreKeptAndFlownTo() {
  Views views(QSize(1280, 800));
  views.trigger("twoViews");
  views.trigger("linkCameras");
  qt3d::Viewport& second = views.window.views().view(1);
  second.setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(views.window.views().activeOnItsOwn(), std::size_t{1}, kPatienceMs);
  const auto own = [&] { return views.session().layout.views.at(1).camera; };
  QVERIFY(own());
  const auto first = views.session().camera;
  const auto look = [&](const char* const action) {
    const auto before = own();
    views.trigger(action);
    QTRY_VERIFY_WITH_TIMEOUT(own() != before && views.viewRests(), kPatienceMs);
  };
  look("viewPlusX");
  views.trigger("keepView");
  const auto kept = own();
  QVERIFY(views.session().views.at(0).camera == app::AnyCamera(*kept));
  QVERIFY(std::abs(kept->position.x - kept->target.x) > 0.99 * length(kept->position - kept->target));
  look("viewPlusZ");
  views.trigger("keepView");
  QVERIFY(views.session().views.at(1).camera == app::AnyCamera(*own()));
  // There, and the first view stays where it is.
  views.click(0);
  QVERIFY(own() == kept);
  QTRY_VERIFY_WITH_TIMEOUT(ui::sameCamera(second.camera(), session::cameraOf(*kept)), kPatienceMs);
  QVERIFY(views.session().camera == first);
  views.list().setCurrentRow(1);
  views.child<QToolButton>("views.replace")->click();
  QVERIFY(views.session().views.at(1).camera == app::AnyCamera(*kept));
  // One that is fitted to what is shown is so there as well.
  views.model.document().edit("kept elsewhere", [](app::Draft& draft) {
    draft.frame().views[1].camera = session::AutoCamera{{0, -1, 0}, {0, 0, 1}};
  });
  views.click(1);
  const Vec3 way = own()->position - own()->target;
  QVERIFY(std::abs(way.y) > 0.99 * length(way));
  QVERIFY(views.session().camera == first);
  // The first one once more.
  views.window.viewport().setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(views.window.views().activeOnItsOwn(), std::size_t{0}, kPatienceMs);
  const auto before = own();
  views.click(0);
  QVERIFY(views.session().camera == app::AnyCamera(*kept));
  QVERIFY(own() == before);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestKeptViews test;
  return QTest::qExec(&test, count, words);
}
#include "tst_kept_views.moc"
