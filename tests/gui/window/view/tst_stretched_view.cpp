// Axes that are stretched in the window: offered for data that are seen as a line, typed, undone, kept with the session; what is
// pointed at and dragged stays in the data. Needs a display with OpenGL; skips where there is none.

#include <QClipboard>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>

#include "app/model/document/kept_views.h"
#include "app/ui/view/camera_dialog.h"
#include "app/ui/view/stretch_dialog.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/widgets/number_edit.h"
#include "core/session/json/session_json.h"
#include "core/session/session_camera.h"
#include "tests/gui/window/support/flat_ocean.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Ocean : Studio {
  explicit Ocean(const std::string& spacing = "1000,1000,4", QSize size = {1280, 800})
      : Studio(size, {}, {}, readersWithRaw()) {
    window.openPaths({at("ocean.raw")}, writeOcean(at("ocean.raw"), spacing));
    opened = QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs) &&
             QTest::qWaitFor([&] { return viewRests(); }, kPatienceMs);
  }
  Vec3 kept() { return session::stretchOf(session().camera); }
  Vec3 seen() { return window.viewport().camera().stretch; }
  bool restsWith(Vec3 stretch) {
    return QTest::qWaitFor([&] { return viewRests() && seen() == stretch; }, kPatienceMs);
  }
  /// How high the data are on the screen, in pixels.
  double height() {
    const Bounds bounds = model.stage().bounds();
    const Vec3 middle = bounds.center();
    return std::abs(pixelOf({middle.x, middle.y, bounds.min.z}).y() -
                    pixelOf({middle.x, middle.y, bounds.max.z}).y());
  }
  int undone() { return model.document().undoStack().index(); }
  void add(const char* action) {
    trigger(action);
    const app::ObjectId id = newest();
    opened = opened && QTest::qWaitFor([&] { return stateOf(id) == app::ObjectState::Done && viewRests(); },
                                       kPatienceMs);
  }
  bool opened = false;
};

const Vec3 kFilled{1, 1, 1000};

void type(ui::NumberEdit* edit, const char* text) {
  edit->setFocus();
  edit->selectAll();
  QTest::keyClicks(edit, text);
  QTest::keyClick(edit, Qt::Key_Return);
}

}  // namespace

class TestStretchedView : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void itIsOfferedForFlatData();
  void itIsNotOfferedForOthers();
  void numbersAreTyped();
  void escPutsNumbersBack();
  void aMovedViewKeepsLookingThere();
  void theCameraCarriesIt();
  void whatIsPointedAtIsInTheData();
  void planesAreDragged();
  void oneViewOfTwoIsStretched();
};

void TestStretchedView::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestStretchedView::itIsOfferedForFlatData() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  auto* const notice = ocean.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  QCOMPARE(notice->text(), QString("The data are 1341 times as long along x as along z."));
  // Nothing is done unasked.
  QVERIFY(ocean.kept() == scene::kUnstretched && ocean.seen() == scene::kUnstretched);
  const double flat = ocean.height();
  QVERIFY2(flat < 2, qPrintable(QString::number(flat)));
  const int steps = ocean.undone();
  ocean.child<QPushButton>("notice.button")->click();
  QVERIFY(!notice->isVisible());
  QVERIFY(ocean.kept() == kFilled);
  QVERIFY(ocean.restsWith(kFilled));
  QVERIFY2(ocean.height() > 100, qPrintable(QString::number(ocean.height())));
  // All of it is in the view, and it is one step.
  const Bounds bounds = ocean.model.stage().bounds();
  for (const Vec3& each : {bounds.min, bounds.max})
    QVERIFY(ocean.window.viewport().rect().contains(ocean.pixelOf(each)));
  QCOMPARE(ocean.undone(), steps + 1);
  QVERIFY(session::parseSession(session::toJson(ocean.session())).camera == ocean.session().camera);
  // Looked at from elsewhere it stays so; undone it is as it was, and the line does not come back.
  ocean.trigger("viewMinusY");
  QVERIFY(ocean.restsWith(kFilled));
  ocean.trigger("resetView");
  QVERIFY(ocean.restsWith(kFilled));
  while (ocean.undone() > steps) ocean.trigger("undo");
  QVERIFY(ocean.restsWith(scene::kUnstretched));
  QVERIFY(!notice->isVisible());
}

void TestStretchedView::itIsNotOfferedForOthers() {
  Ocean cubic("1000,1000,1000");
  QVERIFY(cubic.opened);
  QVERIFY(!cubic.child<ui::NoticeBar>("notice")->isVisible());
  // And no longer once the data are gone.
  Ocean left;
  QVERIFY(left.opened);
  auto* const notice = left.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  left.model.document().clear();
  QVERIFY(!notice->isVisible());
}

void TestStretchedView::numbersAreTyped() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  ocean.trigger("stretch");
  auto* const dialog = ocean.window.findChild<ui::StretchDialog*>();
  QVERIFY(dialog && dialog->isVisible());
  auto* const z = dialog->findChild<ui::NumberEdit*>("stretch.z");
  const int steps = ocean.undone();
  type(z, "500");
  QVERIFY((ocean.kept() == Vec3{1, 1, 500}));
  QVERIFY(ocean.restsWith({1, 1, 500}));
  QVERIFY(dialog->isVisible());  // Return took the number, and nothing else
  QCOMPARE(ocean.undone(), steps + 1);
  // What cannot be a stretch changes nothing.
  type(z, "0");
  type(z, "-3");
  QVERIFY((ocean.kept() == Vec3{1, 1, 500}));
  z->clearFocus();
  dialog->findChild<QPushButton*>("stretch.fill")->click();
  QVERIFY(ocean.restsWith(kFilled));
  dialog->findChild<QPushButton*>("stretch.none")->click();
  QVERIFY(ocean.restsWith(scene::kUnstretched));
  QCOMPARE(ocean.undone(), steps + 3);
  ocean.trigger("undo");
  QVERIFY(ocean.restsWith(kFilled));
  QTRY_COMPARE_WITH_TIMEOUT(z->value().value_or(0), 1000.0, kPatienceMs);
  dialog->close();
}

/// Esc puts a number back that took effect while it was typed, and leaves nothing to undo; then it closes the dialog.
void TestStretchedView::escPutsNumbersBack() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  ocean.trigger("stretch");
  auto* const dialog = ocean.window.findChild<ui::StretchDialog*>();
  QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
  auto* const z = dialog->findChild<ui::NumberEdit*>("stretch.z");
  const int steps = ocean.undone();
  z->setFocus();
  z->selectAll();
  QTest::keyClicks(z, "500");
  QVERIFY(ocean.restsWith({1, 1, 500}));
  QTest::keyClick(z, Qt::Key_Escape);
  QCOMPARE(z->text(), QString("1"));
  QVERIFY(ocean.restsWith(scene::kUnstretched));
  QCOMPARE(ocean.undone(), steps);
  QVERIFY(dialog->isVisible());
  // Arrow keys the same.
  for (int times = 0; times < 3; ++times) QTest::keyClick(z, Qt::Key_Up);
  QVERIFY(ocean.kept() != scene::kUnstretched);
  QTest::keyClick(z, Qt::Key_Escape);
  QVERIFY(ocean.kept() == scene::kUnstretched);
  QCOMPARE(ocean.undone(), steps);
  // What was taken by Return stays.
  type(z, "20");
  QVERIFY((ocean.kept() == Vec3{1, 1, 20}));
  const QPointer<ui::StretchDialog> open(dialog);
  QTest::keyClick(z, Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(!open || !open->isVisible(), kPatienceMs);
  QVERIFY((ocean.kept() == Vec3{1, 1, 20}));
}

void TestStretchedView::aMovedViewKeepsLookingThere() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  const QPoint middle = ocean.window.viewport().rect().center();
  ocean.drag(middle, middle + QPoint(40, 25));
  ocean.drag(middle, middle + QPoint(90, -30), Qt::MiddleButton);
  QTRY_VERIFY_WITH_TIMEOUT(
      std::holds_alternative<session::FixedCamera>(ocean.session().camera) && ocean.viewRests(), kPatienceMs);
  const auto lookedAt = [&] {
    const scene::Camera camera = ocean.window.viewport().camera();
    return scene::unstretched(camera.target, camera.stretch);
  };
  const Vec3 was = lookedAt();
  ocean.trigger("stretch");
  auto* const dialog = ocean.window.findChild<ui::StretchDialog*>();
  dialog->findChild<QPushButton*>("stretch.fill")->click();
  QVERIFY(ocean.restsWith(kFilled));
  QVERIFY(std::holds_alternative<session::FixedCamera>(ocean.session().camera));
  // Above the sea it looks as far past it as before.
  QVERIFY(std::abs(lookedAt().x - was.x) < 1 && std::abs(lookedAt().y - was.y) < 1);
  // Turning, panning and fitting go on in it.
  ocean.drag(middle, middle + QPoint(-40, 10));
  ocean.trigger("fit");
  QVERIFY(ocean.restsWith(kFilled));
  QVERIFY(ocean.kept() == kFilled);
  dialog->close();
}

void TestStretchedView::theCameraCarriesIt() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  ocean.trigger("keepView");
  ocean.trigger("camera");
  auto* const dialog = ocean.window.findChild<ui::CameraDialog*>();
  type(dialog->findChild<ui::NumberEdit*>("camera.stretch.z"), "700");
  QVERIFY(ocean.restsWith({1, 1, 700}));
  dialog->findChild<QPushButton*>("camera.copy")->click();
  const QString copied = QApplication::clipboard()->text();
  QVERIFY2(copied.contains("\"stretch\":[1.0,1.0,700.0]"), qPrintable(copied));
  // A kept view has its own.
  ocean.trigger("keepView");
  QCOMPARE(ocean.session().views.size(), std::size_t(2));
  QVERIFY(session::stretchOf(ocean.session().views[0].camera) == scene::kUnstretched);
  QVERIFY((session::stretchOf(ocean.session().views[1].camera) == Vec3{1, 1, 700}));
  app::goToView(ocean.model.document(), ocean.session().views[0].name, {1.5});
  QVERIFY(ocean.restsWith(scene::kUnstretched));
  dialog->findChild<QPushButton*>("camera.paste")->click();
  QVERIFY(ocean.restsWith({1, 1, 700}));
  QTRY_VERIFY_WITH_TIMEOUT((ocean.kept() == Vec3{1, 1, 700}), kPatienceMs);
  dialog->close();
  QVERIFY(session::toJson(ocean.session()).find("\"stretch\"") != std::string::npos);
}

void TestStretchedView::whatIsPointedAtIsInTheData() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  ocean.child<QPushButton>("notice.button")->click();
  QVERIFY(ocean.restsWith(kFilled));
  ocean.add("addSlice");
  QVERIFY(ocean.opened);
  QSignalSpy pointed(&ocean.window.viewport(), &qt3d::Viewport::pointedAt);
  // A place of the horizontal slice, beside its knob.
  const Vec3 middle = ocean.model.stage().bounds().center(),
             place{middle.x + 9000, middle.y + 5000, middle.z};
  const QPoint at = ocean.pixelOf(place);
  const auto move = [&](QPoint to) {
    QMouseEvent event(QEvent::MouseMove, to, ocean.window.viewport().mapToGlobal(to), Qt::NoButton,
                      Qt::NoButton, {});
    QApplication::sendEvent(&ocean.window.viewport(), &event);
  };
  move(at);
  QTRY_VERIFY_WITH_TIMEOUT(!pointed.isEmpty(), kPatienceMs);
  const Vec3 found = pointed.last()[0].value<Vec3>();
  QVERIFY2(std::abs(found.z - middle.z) < 0.01 && std::abs(found.x - place.x) < 300 &&
               std::abs(found.y - place.y) < 300,
           qPrintable(QString("%1 %2 %3").arg(found.x).arg(found.y).arg(found.z)));
}

void TestStretchedView::planesAreDragged() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  ocean.child<QPushButton>("notice.button")->click();
  QVERIFY(ocean.restsWith(kFilled));
  ocean.add("addSlice");
  QVERIFY(ocean.opened);
  const app::ObjectId id = ocean.newest();
  const auto slice = [&] { return std::get<session::Slice>(ocean.model.document().object(id)->shape); };
  ocean.window.pipeline().select(id);
  const Vec3 was = slice().origin.value_or(ocean.model.stage().bounds().center());
  const QPoint knob = ocean.pixelOf(was);
  const QPoint goal = ocean.pixelOf({was.x, was.y, was.z + 10});
  QVERIFY(knob.y() - goal.y() > 20);
  ocean.drag(knob, goal);
  const session::Slice moved = slice();
  QVERIFY2(std::abs(moved.origin->z - was.z - 10) < 1, qPrintable(QString::number(moved.origin->z)));
  QCOMPARE(moved.origin->x, was.x);
  QCOMPARE(moved.origin->y, was.y);
  QVERIFY((moved.normal == Vec3{0, 0, 1}));
  ocean.trigger("undo");
  QVERIFY(std::abs(slice().origin.value_or(was).z - was.z) < 1e-9);
}

void TestStretchedView::oneViewOfTwoIsStretched() {
  Ocean ocean("1000,1000,4", {1440, 900});
  QVERIFY(ocean.opened);
  ocean.trigger("twoViews");
  QTRY_VERIFY_WITH_TIMEOUT(ocean.window.views().count() == 2 && ocean.viewRests(), kPatienceMs);
  qt3d::Viewport& second = ocean.window.views().view(1);
  // Together with the first while they are linked.
  ocean.child<QPushButton>("notice.button")->click();
  QVERIFY(ocean.restsWith(kFilled));
  QTRY_VERIFY_WITH_TIMEOUT(second.camera().stretch == kFilled, kPatienceMs);
  // Apart, only the one that is active.
  ocean.window.views().setCamerasLinked(false);
  second.setFocus();
  QTest::mouseClick(&second, Qt::LeftButton, {}, QPoint(5, 5));
  QTRY_VERIFY_WITH_TIMEOUT(&ocean.window.views().active() == &second, kPatienceMs);
  ocean.trigger("stretch");
  auto* const dialog = ocean.window.findChild<ui::StretchDialog*>();
  dialog->findChild<QPushButton*>("stretch.none")->click();
  QTRY_VERIFY_WITH_TIMEOUT(second.camera().stretch == scene::kUnstretched, kPatienceMs);
  QVERIFY(ocean.seen() == kFilled && ocean.kept() == kFilled);
  QTRY_VERIFY_WITH_TIMEOUT(ocean.session().layout.views.size() == 2 &&
                               ocean.session().layout.views[1].camera &&
                               ocean.session().layout.views[1].camera->stretch == scene::kUnstretched,
                           kPatienceMs);
  dialog->close();
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestStretchedView test;
  return QTest::qExec(&test, count, words);
}
#include "tst_stretched_view.moc"
