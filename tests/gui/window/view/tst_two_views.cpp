// Two data sets compared, and no longer: the colours that were joined for it are what they were before, unless somebody changed them.
// Views beside one another are equally large, and show what one showed. Needs a display with OpenGL; skips where there is none.

#include <QApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/model/document/view_layout.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/notice_bar.h"
#include "core/session/session_camera.h"
#include "tests/gui/window/support/compared_studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// Whether all of that is in the view, and takes up most of it.
bool fills(const qt3d::Viewport& view, const Bounds& its) {
  const view::ScreenMap map(view.camera(), view.width(), view.height());
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 place;
    for (int axis = 0; axis < 3; ++axis) place[axis] = (corner >> axis & 1 ? its.max : its.min)[axis];
    const auto at = map.project(place);
    if (!at) return false;
    left = std::min(left, at->x), right = std::max(right, at->x);
    top = std::min(top, at->y), bottom = std::max(bottom, at->y);
  }
  const bool isSeen = left > 0 && right < view.width() && top > 0 && bottom < view.height();
  return isSeen && (right - left > 0.6 * view.width() || bottom - top > 0.6 * view.height());
}

}  // namespace

class TestTwoViews : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void whoLeavesHasTheColorsFromBefore();
  void sessionsKeepTheColoursFromBefore();
  void whatWasChangedMeanwhileStays();
  void closingTheOtherDataLeavesAsWell();
  void aThirdDataSetIsSaidToBeUnseen();
  void viewsAreEquallyLarge();
  void whatWasSeenStaysInSight_data();
  void whatWasSeenStaysInSight();
  void allOfWhatAViewShows();
  void whatTheFirstViewShowsIsItsWhole();
  void narrowHeadsEndWithDots();
};

void TestTwoViews::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestTwoViews::whoLeavesHasTheColorsFromBefore() {
  Compared compared;
  QVERIFY(compared.opened);
  const app::ObjectId second = compared.ids[1];
  const session::Coloring before = compared.model.document().object(second)->color;
  QVERIFY(before.map.name != "plasma");
  for (const char* const leave : {"oneView", "twoViews"}) {
    compared.trigger("compareData");
    QCOMPARE(compared.mapOf(second), std::string("plasma"));
    // What came since with the joined colours goes with them.
    const app::ObjectId later = compared.slice(compared.session().data[1].name);
    QCOMPARE(compared.mapOf(later), std::string("plasma"));
    compared.trigger(leave);
    QVERIFY(compared.model.document().object(second)->color == before);
    QCOMPARE(compared.mapOf(later), before.map.name);
    QCOMPARE(compared.mapOf(compared.ids[0]), std::string("plasma"));
    // Each of it is a step, there and back.
    compared.trigger("undo");
    QCOMPARE(compared.mapOf(second), std::string("plasma"));
    compared.trigger("redo");
    QVERIFY(compared.model.document().object(second)->color == before);
    compared.trigger("undo");
    compared.trigger(leave);
    QVERIFY(compared.model.document().object(second)->color == before);
    while (compared.session().layout.over || !compared.session().layout.views.empty())
      compared.trigger("undo");
    QVERIFY(compared.model.document().object(second)->color == before);
  }
}

/// Also where it is saved and opened again while they are compared.
void TestTwoViews::sessionsKeepTheColoursFromBefore() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.model.document().edit("Bands", [&](app::Draft& draft) {
    scene::MapChoice& map = draft.object(compared.ids[1]).color.map;
    map.name = "turbo";
    map.bands = 10;
  });
  const session::Coloring before = compared.model.document().object(compared.ids[1])->color;
  compared.trigger("compareData");
  QVERIFY(compared.model.document().object(compared.ids[1])->color != before);
  QSignalSpy saved(&compared.model, &app::AppModel::saved),
      loaded(&compared.model, &app::AppModel::sessionLoaded);
  compared.model.save(compared.at("compared.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  const session::Session was = compared.session();
  compared.model.open({compared.at("compared.json")});
  QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 1, kPatienceMs);
  QVERIFY(compared.session().objects == was.objects && compared.session().layout == was.layout);
  QTRY_VERIFY_WITH_TIMEOUT(compared.rests(), kPatienceMs);
  compared.trigger("oneView");
  QVERIFY(compared.session().objects.back().color == before);
  QVERIFY(compared.session().objects.front().color == was.objects.front().color);
}

void TestTwoViews::whatWasChangedMeanwhileStays() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.trigger("compareData");
  session::Object object = *compared.model.document().object(compared.ids[1]);
  QCOMPARE(object.color.map.name, std::string("plasma"));
  object.color.map.name = "inferno";
  compared.model.document().setObject(compared.ids[1], object, "other colours");
  compared.trigger("oneView");
  QCOMPARE(compared.mapOf(compared.ids[1]), std::string("inferno"));
}

void TestTwoViews::closingTheOtherDataLeavesAsWell() {
  Compared compared;
  QVERIFY(compared.opened);
  const std::string before = compared.mapOf(compared.ids[1]);
  compared.trigger("compareData");
  QCOMPARE(compared.mapOf(compared.ids[1]), std::string("plasma"));
  compared.model.document().removeData(compared.session().data[0].name);
  QVERIFY(!compared.session().layout.over);
  QCOMPARE(compared.mapOf(compared.ids[1]), before);
}

void TestTwoViews::narrowHeadsEndWithDots() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.trigger("compareData");
  const std::string name = compared.session().data[0].name;
  compared.model.document().renameData(name,
                                       "a name that is longer than the line above the view has room for");
  auto* const head = compared.child<QToolButton>("view1.shown");
  QVERIFY(head);
  head->parentWidget()->setMaximumWidth(160);
  QTRY_VERIFY_WITH_TIMEOUT(head->parentWidget()->width() <= 160, kPatienceMs);
  QVERIFY2(head->text().startsWith("1 ·") && head->text().endsWith(QChar(0x2026)), qPrintable(head->text()));
  QTRY_VERIFY_WITH_TIMEOUT(head->width() >= head->sizeHint().width(), kPatienceMs);
}

/// Nothing of it would be in the view, and nobody would know why.
void TestTwoViews::aThirdDataSetIsSaidToBeUnseen() {
  Compared compared;
  QVERIFY(compared.opened);
  compared.trigger("compareData");
  const auto& bar = *compared.window.findChild<ui::NoticeBar*>();
  const auto opens = [&](const char* name) {
    const std::size_t had = compared.session().objects.size();
    compared.model.open({name});
    return QTest::qWaitFor([&] { return compared.rests() && compared.session().objects.size() > had; },
                           kPatienceMs);
  };
  QVERIFY(opens("sample://tornado?size=9"));
  QVERIFY(bar.isVisible() && bar.says("unseen/tornado"));
  QVERIFY2(bar.text().contains("data tornado are not seen") && bar.text().contains("cylinder and abc"),
           qPrintable(bar.text()));
  QPushButton* show = nullptr;
  for (QPushButton* const each : bar.findChildren<QPushButton*>())
    if (each->text() == "Compare it with cylinder") show = each;
  QVERIFY(show && show->isVisible());
  QTest::mouseClick(show, Qt::LeftButton);
  QCOMPARE(compared.session().layout.views[1].data, std::string("tornado"));
  QVERIFY(compared.session().layout.over && !bar.says("unseen/tornado"));
  QCOMPARE(compared.mapOf(compared.slice("tornado")), std::string("plasma"));
  compared.trigger("oneView");
  // Of views that show all there is nothing to say, of those that show other data there is.
  QVERIFY(opens("sample://abc?size=9&steps=2") && !bar.isVisible());
  compared.trigger("twoViews");
  for (const std::size_t number : {0U, 1U}) app::showDataIn(compared.model.document(), number, "cylinder");
  QVERIFY(opens("sample://taylor-green?size=9") && bar.says("unseen/taylor-green"));
  QVERIFY2(bar.text().contains("each view shows other data"), qPrintable(bar.text()));
  compared.trigger("oneView");
  QVERIFY(!bar.says("unseen/taylor-green"));
}

void TestTwoViews::viewsAreEquallyLarge() {
  Compared compared;
  QVERIFY(compared.opened);
  ui::ViewGroup& views = compared.window.views();
  for (const char* const how : {"twoViews", "fourViews"}) {
    compared.trigger(how);
    for (const int more : {0, 1, 2, 3}) {
      compared.window.resize(1281 + more, 801 + more);
      QTRY_COMPARE_WITH_TIMEOUT(compared.window.size(), QSize(1281 + more, 801 + more), kPatienceMs);
      QTest::qWait(50);
      for (std::size_t number = 1; number < views.count(); ++number)
        QCOMPARE(views.view(number).size(), views.view(0).size());
      // They fill what is theirs.
      const QRect last = views.view(views.count() - 1).geometry();
      QCOMPARE(last.right(), views.rect().right());
      QCOMPARE(last.bottom(), views.rect().bottom());
    }
  }
}

void TestTwoViews::whatWasSeenStaysInSight_data() {
  QTest::addColumn<bool>("flat");
  QTest::newRow("perspective") << false;
  QTest::newRow("without") << true;
}

void TestTwoViews::whatWasSeenStaysInSight() {
  QFETCH(bool, flat);
  Studio studio({1280, 800});
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  // A camera that was chosen by hand.
  studio.action("orthographic")->setChecked(flat);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  qt3d::Viewport& first = studio.window.viewport();
  studio.drag(first.rect().center(), first.rect().center() + QPoint(37, 11));
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const auto isCamera = [&](const scene::Camera& camera) {
    return studio.viewRests() && ui::sameCamera(first.camera(), camera);
  };
  const scene::Camera before = first.camera();
  QVERIFY(std::holds_alternative<session::FixedCamera>(studio.session().camera));
  const auto kept = studio.session().camera;
  // Places at the edges of what is seen, at the depth of what is looked at.
  std::vector<Vec3> edges;
  const double aspect = double(first.width()) / first.height();
  const double high = flat ? 0.5 * before.orthographicHeight
                           : length(before.position - before.target) *
                                 std::tan(0.5 * before.fieldOfViewDegrees * std::numbers::pi / 180);
  const scene::CameraAxes axes = scene::axesOf(before);
  for (const double way : {-0.98, 0.98}) {
    edges.push_back(before.target + way * aspect * high * axes.right);
    edges.push_back(before.target + way * high * axes.up);
  }
  const auto seesAll = [&](qt3d::Viewport& view) {
    const view::ScreenMap map(view.camera(), view.width(), view.height());
    return std::all_of(edges.begin(), edges.end(), [&](Vec3 place) {
      const auto at = map.project(place);
      return at && view.rect().contains(qRound(at->x), qRound(at->y));
    });
  };
  QVERIFY(seesAll(first));
  const int steps = studio.model.document().undoStack().count();
  studio.trigger("twoViews");
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && seesAll(first), kPatienceMs);
  QVERIFY(ui::sameCamera(studio.window.views().view(1).camera(), first.camera()));
  // From the same place, and that is the session's camera, which commands and pictures take.
  QVERIFY(length(first.camera().position - before.position) < 1e-9 * length(before.position));
  const auto& fixed = std::get<session::FixedCamera>(studio.session().camera);
  QVERIFY(ui::sameCamera(session::cameraOf(fixed), first.camera()));
  const scene::Camera two = first.camera();
  // There and back, by any way.
  studio.trigger("fourViews");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && seesAll(first), kPatienceMs);
  studio.trigger("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(isCamera(two), kPatienceMs);
  studio.trigger("oneView");
  QTRY_VERIFY_WITH_TIMEOUT(isCamera(before), kPatienceMs);
  QVERIFY(studio.session().camera == kept);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(isCamera(two), kPatienceMs);
  // Turned meanwhile it sees as much as at first, from where it is.
  studio.drag(first.rect().center(), first.rect().center() + QPoint(-60, 20));
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const scene::Camera turned = first.camera();
  QVERIFY(!ui::sameCamera(turned, two));
  studio.trigger("oneView");
  scene::Camera wanted = turned;
  wanted.fieldOfViewDegrees = before.fieldOfViewDegrees;
  wanted.orthographicHeight = before.orthographicHeight;
  QTRY_VERIFY_WITH_TIMEOUT(isCamera(wanted), kPatienceMs);
}

/// A view that moves on its own and shows one of two data sets: all of it is all of that.
void TestTwoViews::allOfWhatAViewShows() {
  Compared studio;
  QVERIFY(studio.opened);
  studio.trigger("twoViews");
  app::showDataIn(studio.model.document(), 1, studio.session().data[1].name);
  studio.child<QToolButton>("view2.link")->click();
  qt3d::Viewport& view = studio.window.views().view(1);
  view.setFocus();
  const Bounds its = studio.model.stage().summary(studio.session().data[1].name)->bounds;
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(!fills(view, its));  // the other one is larger
  for (const char* const how : {"fit", "resetView", "viewPlusX"}) {
    studio.trigger(how);
    QTRY_VERIFY2_WITH_TIMEOUT(fills(view, its), how, kPatienceMs);
  }
}

/// The same of the first view, while the other one moves on its own; and its axes are those of what it shows, in pictures, too.
void TestTwoViews::whatTheFirstViewShowsIsItsWhole() {
  Compared studio;
  QVERIFY(studio.opened);
  app::Document& document = studio.model.document();
  const std::string large = studio.session().data[0].name, small = studio.session().data[1].name;
  document.edit("Axes", [&](app::Draft& draft) {
    draft.frame().image.notes.axes = true;
    draft.frame().image.legend = false;
  });
  studio.trigger("twoViews");
  app::showDataIn(document, 0, small);
  app::showDataIn(document, 1, large);
  qt3d::Viewport& view = studio.window.viewport();
  const Bounds its = studio.model.stage().summary(small)->bounds;
  const auto rests = [&] { return studio.viewRests() && studio.rests(); };
  // Both look from one place: there is room for what the other one shows.
  studio.trigger("fit");
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  QVERIFY(!fills(view, its));
  studio.child<QToolButton>("view2.link")->click();
  view.setFocus();
  for (const char* const how : {"fit", "resetView", "viewPlusX"}) {
    studio.trigger(how);
    QTRY_VERIFY2_WITH_TIMEOUT(fills(view, its), how, kPatienceMs);
  }
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  // Once nothing else is there at all, the axes are where they were.
  const QImage seen = studio.picture(), written = exported(studio, "both.png", {900, 500});
  QVERIFY(!seen.isNull() && written.size() == QSize(900, 500));
  document.edit("Hide", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds())
      if (document.object(id)->data == large) draft.object(id).visible = false;
  });
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  QVERIFY(fills(view, its));
  QTRY_VERIFY_WITH_TIMEOUT(studio.picture() == seen, kPatienceMs);
  const QRect left(0, 0, 440, 500);
  QVERIFY(exported(studio, "one.png", {900, 500}).copy(left) == written.copy(left));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestTwoViews test;
  return QTest::qExec(&test, count, words);
}
#include "tst_two_views.moc"
