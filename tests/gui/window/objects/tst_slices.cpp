// Slices in the window: added, dragged and turned by their handles, and set by their properties. Needs a
// display with OpenGL; skips where there is none.

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QStandardPaths>

#include "app/ui/panels/property_editor.h"
#include "app/ui/view/object_handles.h"
#include "app/ui/view/view_controller.h"
#include "app/ui/widgets/number_edit.h"
#include "render/view/handle_drag.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestSlices : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void slicesAreDragged();
  void escapeTakesADragBack();
  void theViewStandsWhileHandlesAreDragged();
  void nothingIsReadWhileDragging();
  void isSeenCoarselyFirst();
  void valuesThatAreNoNumbersAreSaid();
  void directionsAreNotNothing();
};

void TestSlices::initTestCase() {
  skipWithoutOpenGl();
}

void TestSlices::slicesAreDragged() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=33,33,17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(studio.newest()); });
  studio.trigger("addSlice");
  const app::ObjectId id = studio.newest();
  const auto slice = [&] { return std::get<session::Slice>(studio.model.document().object(id)->shape); };
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  // Flat in the middle of a flat cylinder, where it shows most.
  const session::Slice was = slice();
  QVERIFY(was.normal == (Vec3{0, 0, 1}) && was.origin && std::abs(was.origin->z - 2) < 1e-6);
  const QSize view = studio.window.viewport().size();
  const QRect central(view.width() / 4, view.height() / 4, view.width() / 2, view.height() / 2);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > 5000, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);

  // By its knob along its normal, in one step.
  const int steps = studio.model.document().undoStack().count();
  const QPoint grip = studio.pixelOf(*was.origin);
  studio.drag(grip, grip - QPoint(0, 25));
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  const session::Slice moved = slice();
  QVERIFY(moved.normal == was.normal && moved.origin->z > was.origin->z + 0.1);
  QVERIFY(moved.origin->x == was.origin->x && moved.origin->y == was.origin->y);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  // Not out of the data.
  const QPoint above = studio.pixelOf(*moved.origin);
  studio.drag(above, above - QPoint(0, 5000));
  QVERIFY(slice().origin->z > moved.origin->z && slice().origin->z < 4);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.trigger("undo");
  QVERIFY(slice() == moved);
  studio.trigger("undo");
  QVERIFY(slice() == was);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);

  // By the tip of its normal it turns; the property says so.
  const view::ScreenMap map(studio.window.viewport().camera(), view.width(), view.height());
  const auto handle =
      ui::handleOf(*studio.model.document().object(id), studio.model.stage().summary("cylinder")->bounds);
  QVERIFY(handle);
  const auto tip = map.project(view::knobsOf(*handle, map)[1].place);
  const QPoint from(qRound(tip->x), qRound(tip->y));
  studio.drag(from, from + QPoint(60, 20));
  QVERIFY(slice().origin == was.origin);
  QVERIFY(length(cross(slice().normal, was.normal)) > 0.1);
  auto* const across = studio.child<QComboBox>("across");
  QVERIFY(across);
  QCOMPARE(across->currentText(), QString("own normal"));
  across->setCurrentIndex(across->findData("x"));
  emit across->activated(across->currentIndex());
  QVERIFY(slice().normal == (Vec3{1, 0, 0}));
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
}

/// Also of a slice that says nothing of where it is, while what is dragged is being computed, and Esc would stop that.
void TestSlices::escapeTakesADragBack() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  studio.model.open({"sample://cylinder?size=33,33,17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId id = studio.newest();
  const auto slice = [&] { return std::get<session::Slice>(studio.model.document().object(id)->shape); };
  const auto steps = [&] { return studio.model.document().undoStack().count(); };
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const Vec3 middle = *slice().origin;
  studio.model.document().edit(
      "Forget", [&](app::Draft& draft) { std::get<session::Slice>(draft.object(id).shape).origin.reset(); });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const session::Slice was = slice();
  const int before = steps();
  QWidget* const view = &studio.window.viewport();
  const QPoint grip = studio.pixelOf(middle);
  const auto move = [&](QPoint to, Qt::MouseButtons held) {
    QMouseEvent event(QEvent::MouseMove, to, view->mapToGlobal(to), Qt::NoButton, held, {});
    QApplication::sendEvent(view, &event);
  };
  view->setFocus();
  // the handle of a slice that says nothing of where it is comes with what is known of the data
  QTRY_VERIFY_WITH_TIMEOUT((move(grip, Qt::NoButton), view->cursor().shape() == Qt::PointingHandCursor),
                           kPatienceMs);
  QTest::mousePress(view, Qt::LeftButton, {}, grip);
  move(grip - QPoint(0, 25), Qt::LeftButton);
  QVERIFY(slice().origin && slice().origin->z > middle.z);
  QCOMPARE(steps(), before + 1);
  QTest::keyClick(view, Qt::Key_Escape);
  QVERIFY(slice() == was);
  QCOMPARE(steps(), before);
  move(grip - QPoint(0, 40), Qt::LeftButton);
  QTest::mouseRelease(view, Qt::LeftButton, {}, grip - QPoint(0, 40));
  QVERIFY(slice() == was);
  QCOMPARE(steps(), before);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);

  // The next one begins anew, and is one step.
  studio.drag(grip, grip - QPoint(0, 25));
  QCOMPARE(steps(), before + 1);
  QVERIFY(slice().origin && slice().origin->z > middle.z);
  studio.trigger("undo");
  QVERIFY(slice() == was);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
}

/// A view of all that nobody has moved: what is dragged moves in it, and is fitted in when that is asked for.
void TestSlices::theViewStandsWhileHandlesAreDragged() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=33,33,17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("Hide the others", [&](app::Draft& draft) {
    for (const app::ObjectId other : studio.model.document().objectIds())
      draft.object(other).visible = other == id;
  });
  const auto slice = [&] { return std::get<session::Slice>(studio.model.document().object(id)->shape); };
  const auto rests = [&] { return studio.stateOf(id) == app::ObjectState::Done && studio.viewRests(); };
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  const auto camera = [&] { return studio.window.viewport().camera(); };
  const scene::Camera before = camera();
  const Vec3 middle = *slice().origin;

  const QPoint grip = studio.pixelOf(middle);
  studio.drag(grip, grip - QPoint(0, 25));
  const session::Slice moved = slice();
  QVERIFY(moved.origin->z > middle.z + 0.1);
  QTRY_VERIFY_WITH_TIMEOUT(rests() && studio.model.stage().bounds().min.z > middle.z + 0.05, kPatienceMs);
  QVERIFY(ui::sameCamera(camera(), before));
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(rests() && studio.model.stage().bounds().min.z < middle.z + 0.05, kPatienceMs);
  QVERIFY(ui::sameCamera(camera(), before));
  studio.trigger("redo");
  QVERIFY(slice() == moved);
  QTRY_VERIFY_WITH_TIMEOUT(rests() && studio.model.stage().bounds().min.z > middle.z + 0.05, kPatienceMs);
  QVERIFY(ui::sameCamera(camera(), before));

  // All of it is looked at when that is asked for, and what is typed is followed as ever.
  studio.trigger("resetView");
  QTRY_VERIFY_WITH_TIMEOUT(rests() && !ui::sameCamera(camera(), before), kPatienceMs);
  const QPoint there = studio.pixelOf(*moved.origin);
  studio.drag(there, there + QPoint(0, 25));
  QTRY_VERIFY_WITH_TIMEOUT(rests() && studio.model.stage().bounds().min.z < moved.origin->z - 0.05,
                           kPatienceMs);
  const scene::Camera held = camera();
  studio.model.document().edit("Type", [&](app::Draft& draft) {
    std::get<session::Slice>(draft.object(id).shape).normal = {1, 0, 0};
  });
  QTRY_VERIFY_WITH_TIMEOUT(rests() && !ui::sameCamera(camera(), held), kPatienceMs);
}

/// What was under the cursor before is not there any longer, whatever is dragged.
void TestSlices::nothingIsReadWhileDragging() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=33,33,17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId id = studio.newest();
  const auto slice = [&] { return std::get<session::Slice>(studio.model.document().object(id)->shape); };
  QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done && studio.viewRests(), kPatienceMs);
  QLabel* said = nullptr;
  for (QLabel* const label : studio.window.findChildren<QLabel*>())
    if (label->accessibleName() == "Under the cursor") said = label;
  QVERIFY(said);
  QWidget* const view = &studio.window.viewport();
  const auto move = [&](QPoint to, Qt::MouseButtons held) {
    QMouseEvent event(QEvent::MouseMove, to, view->mapToGlobal(to), Qt::NoButton, held, {});
    QApplication::sendEvent(view, &event);
  };
  const QPoint grip = studio.pixelOf(*slice().origin);
  for (const QPoint from : {grip, grip + QPoint(60, 0)}) {  // the handle, and the view
    const session::Slice was = slice();
    QTRY_VERIFY_WITH_TIMEOUT((move(from, Qt::NoButton), !said->text().isEmpty()), kPatienceMs);
    QTest::mousePress(view, Qt::LeftButton, {}, from);
    move(from - QPoint(0, 8), Qt::LeftButton);
    move(from - QPoint(0, 16), Qt::LeftButton);
    QVERIFY2(said->text().isEmpty(), qPrintable(said->text()));
    if (from == grip) QVERIFY(slice() != was);
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);  // another picture, while the cursor rests
    QVERIFY2(said->text().isEmpty(), qPrintable(said->text()));
    // And at once again where it is let go.
    QTest::mouseRelease(view, Qt::LeftButton, {}, from - QPoint(0, 16));
    QTRY_VERIFY_WITH_TIMEOUT(!said->text().isEmpty(), kPatienceMs);
    if (from == grip) studio.trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  }
}

/// The status bar says it as long as it is so.
void TestSlices::isSeenCoarselyFirst() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=129"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  auto* const detail = studio.child<QLabel>("detail");
  QVERIFY(detail);
  QTRY_VERIFY_WITH_TIMEOUT(detail->text().isEmpty(), kPatienceMs);
  bool loading = false;
  connect(&studio.window.viewport(), &qt3d::Viewport::itemLoading, &studio.window, [&] { loading = true; });
  connect(&studio.window.viewport(), &qt3d::Viewport::itemHeld, &studio.window, [&] { loading = false; });
  QStringList said;
  connect(&studio.model.stage(), &app::Stage::statusChanged, &studio.window, [&] {
    if (said.isEmpty() || said.back() != detail->text()) said.append(detail->text());
  });
  studio.trigger("addSlice");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const auto wasCoarse = [&] {
    return std::any_of(said.begin(), said.end(), [](const QString& text) { return text.contains("coarse"); });
  };
  // As while it is dragged: what is coarse is waited for then, and else is seen only where there is a processor for it soon.
  studio.model.stage().setUrgent(id);
  QElapsedTimer since;
  since.start();
  for (int n = 0; !since.hasExpired(kPatienceMs) && !wasCoarse(); ++n) {
    studio.model.document().edit("Move", [&](app::Draft& draft) {
      std::get<session::Slice>(draft.object(id).shape).normal = {0.01 * (n % 200), 0.2, 1};
    });
    QTest::qWait(20);
  }
  studio.model.stage().setUrgent(0);
  QVERIFY2(wasCoarse(), qPrintable(said.join("|")));
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(detail->text().isEmpty(), kPatienceMs);  // once it is drawn

  // While it is dragged, too; in the end all of it is there.
  const auto origin = *std::get<session::Slice>(studio.model.document().object(id)->shape).origin;
  const QPoint grip = studio.pixelOf(origin);
  studio.drag(grip, grip - QPoint(0, 30));
  QVERIFY(*std::get<session::Slice>(studio.model.document().object(id)->shape).origin != origin);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(!studio.model.stage().status(id).coarse);
  QTRY_VERIFY_WITH_TIMEOUT(detail->text().isEmpty(), kPatienceMs);
  QVERIFY(studio.model.stage().status(id).complete);

  // All of it is drawn, so that nothing of the view's own comes between what is told of it below.
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && !loading, kPatienceMs);
  QVERIFY(!studio.picture().isNull() && !studio.picture().isNull());
  QTRY_VERIFY_WITH_TIMEOUT(detail->text().isEmpty(), kPatienceMs);

  // What the view cannot hold whole is said as well, for as long.
  emit studio.window.viewport().itemHeld(QString::number(id), 0.25);
  QVERIFY2(detail->text().contains("25 %"), qPrintable(detail->text()));
  emit studio.window.viewport().itemHeld(QString::number(id), 1);
  QVERIFY(detail->text().isEmpty());

  // Computed, and not drawn yet: said as long as it is so, and not when it is over at once.
  qt3d::Viewport& view = studio.window.viewport();
  emit view.itemLoading(QString::number(id));
  QVERIFY(detail->text().isEmpty());
  const QString name = QString::fromStdString(studio.model.document().object(id)->name);
  QTRY_COMPARE_WITH_TIMEOUT(detail->text(), name + ": being drawn", kPatienceMs);
  emit view.settled();  // with what was there before
  QVERIFY(!detail->text().isEmpty());
  emit view.itemHeld(QString::number(id), 1);
  emit view.itemShown(QString::number(id));
  QVERIFY(!detail->text().isEmpty());
  emit view.settled();
  QVERIFY(detail->text().isEmpty());
  // A view that was turned says so where it stays coarse, not while pictures follow one another.
  const auto saysSo = [&] { return detail->text() == "the view: being drawn"; };
  QElapsedTimer waited;
  // Another picture, which is all of it, may come with its end or without.
  for (const bool withPicture : {false, true}) {
    waited.start();
    do {  // again where the view was about to be drawn finely just then
      emit view.frameDrawn(10);
      QVERIFY(detail->text().isEmpty());
    } while (!QTest::qWaitFor(saysSo, 5000) && !waited.hasExpired(kPatienceMs));
    QVERIFY2(saysSo(), qPrintable(detail->text()));
    if (withPicture) emit view.frameDrawn(5000);
    emit view.settled();
    QVERIFY(detail->text().isEmpty());
  }
  // Of what is hidden nothing is said.
  emit view.itemHeld(QString::number(id), 0.25);
  QVERIFY(!detail->text().isEmpty());
  studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(id).visible = false; });
  QVERIFY(detail->text().isEmpty());
}

/// It is of one colour then, which means nothing, and has no legend.
void TestSlices::valuesThatAreNoNumbersAreSaid() {
  Studio studio;
  studio.model.open({"sample://cylinder?size=17,17,9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId id = studio.newest();
  const auto said = [&] { return app::stateText(studio.model.stage().status(id)); };
  const auto colour = [&](const char* by) {
    studio.model.document().edit("Colour", [&](app::Draft& draft) { draft.object(id).color.by = by; });
  };
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY2(said().isEmpty(), qPrintable(said()));
  colour("velocity-magnitude/0");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && said().contains("is a number here"), kPatienceMs);
  QVERIFY2(said().contains("velocity-magnitude/0"), qPrintable(said()));
  colour("velocity-magnitude");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && said().isEmpty(), kPatienceMs);
}

/// Number by number 1, 0, 0 becomes 0, 1, 0; nothing but zeros is said, and goes where the row is left.
void TestSlices::directionsAreNotNothing() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  studio.model.open({"sample://cylinder?size=17,13,5&blocks=1"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("Turn", [&](app::Draft& draft) {
    std::get<session::Slice>(draft.object(id).shape).normal = {1, 0, 0};
  });
  const auto normal = [&] {
    return std::get<session::Slice>(studio.model.document().object(id)->shape).normal;
  };
  const auto edits = [&] {
    return studio.window.findChild<ui::PropertyEditor*>()
        ->widget()
        ->findChild<QWidget*>("field.normal")
        ->findChildren<ui::NumberEdit*>();
  };
  const auto says = [&] {
    const QLabel* const said = studio.child<QLabel>("field.normal.error");
    return said && said->isVisible() && said->text().contains("direction");
  };
  const auto numbers = [&] {
    QStringList all;
    for (const ui::NumberEdit* const each : edits()) all.append(each->text());
    return all.join(' ');
  };
  QTRY_COMPARE_WITH_TIMEOUT(numbers(), QString("1 0 0"), kPatienceMs);
  edits()[0]->setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), static_cast<QWidget*>(edits()[0]), kPatienceMs);
  edits()[0]->selectAll();
  QTest::keyClicks(edits()[0], "0");
  QTRY_VERIFY_WITH_TIMEOUT(says(), kPatienceMs);
  QVERIFY(normal() == (Vec3{1, 0, 0}));
  QTest::keyClick(edits()[0], Qt::Key_Tab);
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), static_cast<QWidget*>(edits()[1]), kPatienceMs);
  QVERIFY(says());
  QTest::keyClicks(edits()[1], "1");
  QTRY_VERIFY_WITH_TIMEOUT(normal() == (Vec3{0, 1, 0}), kPatienceMs);
  QVERIFY(!says());
  QTest::keyClick(edits()[1], Qt::Key_Return);
  QCOMPARE(numbers(), QString("0 1 0"));
  // Nothing but zeros, which are left so.
  edits()[1]->selectAll();
  QTest::keyClicks(edits()[1], "0");
  QTRY_VERIFY_WITH_TIMEOUT(says(), kPatienceMs);
  for (int n = 0; n < 2; ++n) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  QTRY_COMPARE_WITH_TIMEOUT(numbers(), QString("0 1 0"), kPatienceMs);
  QVERIFY(normal() == (Vec3{0, 1, 0}));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestSlices test;
  return QTest::qExec(&test, count, words);
}
#include "tst_slices.moc"
