// What is written over the picture, where the camera is, and how pictures are exported. Needs a display with OpenGL;
// skips where there is none.

#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>

#include "app/model/fields/picture_fields.h"
#include "app/ui/dialogs/animation_dialog.h"
#include "app/ui/dialogs/export_image_dialog.h"
#include "app/ui/view/camera_dialog.h"
#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/in_sight.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestNotes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void legendsAreMoved();
  void legendsComeWithTheirObjects();
  void longNamesAreTold();
  void textsAndAxesAreWritten();
  void unknownNamesAreSaid();
  void whatWasTypedIsUndone();
  void textsAreOfDataThatAreThere();
  void theCameraIsSet();
  void partsAreZoomedTo();
  void keysFrameWhatIsZoomedTo();
  void picturesAreExported();
  void nothingIsSavedUnasked();

 private:
  static void open(Studio& studio, const char* source) {
    QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
    studio.model.open({source});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  }
};

namespace {

/// Pixels that differ between two pictures in a part of them.
int different(const QImage& a, const QImage& b, const QRect& area) {
  int count = 0;
  const QRect inside = area & a.rect() & b.rect();
  for (int y = inside.top(); y <= inside.bottom(); ++y)
    for (int x = inside.left(); x <= inside.right(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  return count;
}

}  // namespace

void TestNotes::initTestCase() {
  skipWithoutOpenGl();
}

void TestNotes::legendsAreMoved() {
  Studio studio;
  open(studio, "sample://abc?size=17");
  studio.window.pipeline().select(0);
  qt3d::Viewport& shown = studio.window.viewport();
  const QSize view = shown.size();
  // From farther away, so that no line reaches to where the legend goes.
  const QPoint grab(view.width() / 2, view.height() / 2);
  QWheelEvent wheel(QPointF(grab), shown.mapToGlobal(QPointF(grab)), {}, {0, -480}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&shown, &wheel);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const QRect right(view.width() * 7 / 8, 0, view.width() / 8, view.height()),
      left(0, 0, view.width() / 8, view.height() / 2);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), right) > 500, kPatienceMs);
  const std::string function = studio.model.document().object(studio.newest())->color.by;
  const int steps = studio.model.document().undoStack().count();
  // By the mouse, from the middle of the bar to the upper left.
  QPoint grip;
  const QImage before = studio.picture();
  for (int x = right.left(); x < view.width() && grip.isNull(); ++x)
    if (colouredPixels(before, QRect(x, view.height() / 2, 3, 3)) == 9)
      grip = QPoint(x + 1, view.height() / 2);
  QVERIFY(!grip.isNull());
  // Esc puts it back, and what it would stop otherwise goes on.
  const auto hold = [&](QPoint to) {
    QMouseEvent event(QEvent::MouseMove, to, shown.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&shown, &event);
  };
  shown.setFocus();
  QTest::mousePress(&shown, Qt::LeftButton, {}, grip);
  hold(grip - QPoint(60, 20));
  QVERIFY(studio.session().image.legends.contains(function));
  QTest::keyClick(&shown, Qt::Key_Escape);
  QVERIFY(studio.session().image.legends.empty());
  hold(grip - QPoint(90, 20));
  QTest::mouseRelease(&shown, Qt::LeftButton, {}, grip - QPoint(90, 20));
  QVERIFY(studio.session().image.legends.empty());
  QCOMPARE(studio.model.document().undoStack().count(), steps);
  QTRY_VERIFY_WITH_TIMEOUT(studio.picture() == before, kPatienceMs);
  // So it does with the camera.
  const scene::Camera camera = shown.camera();
  const QPoint middle(view.width() / 3, view.height() / 3);
  QTest::mousePress(&shown, Qt::LeftButton, {}, middle);
  hold(middle + QPoint(80, 30));
  QVERIFY(!ui::sameCamera(shown.camera(), camera));
  QTest::keyClick(&shown, Qt::Key_Escape);
  QVERIFY(ui::sameCamera(shown.camera(), camera));
  QTest::mouseRelease(&shown, Qt::LeftButton, {}, middle + QPoint(80, 30));
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QCOMPARE(studio.model.document().undoStack().count(), steps);

  studio.drag(grip, QPoint(20, 40));
  const auto& looks = studio.session().image.legends;
  QVERIFY(looks.contains(function) && looks.at(function).place);
  QVERIFY((*looks.at(function).place)[0] < 0.05 && (*looks.at(function).place)[1] < 0.1);
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), right) < 50, kPatienceMs);
  QVERIFY(colouredPixels(studio.picture(), left) > 500);
  // Sized, titled and hidden in the panel.
  studio.window.pipeline().select(studio.newest());
  const QImage small = studio.picture();
  typeNumber(studio.child<QLineEdit>("legend.size"), "1.5");
  QCOMPARE(studio.session().image.legends.at(function).size, 1.5);
  QTRY_VERIFY_WITH_TIMEOUT(different(small, studio.picture(), left) > 500, kPatienceMs);
  auto* const title = studio.child<QLineEdit>("legend.title");
  title->setText("speed");
  emit title->editingFinished();
  QCOMPARE(studio.session().image.legends.at(function).title, std::string("speed"));
  studio.child<QCheckBox>("legend.visible")->click();
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), left) < 50, kPatienceMs);
  studio.child<QPushButton>("legend.reset")->click();
  QVERIFY(studio.session().image.legends.empty());
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), right) > 500, kPatienceMs);
}

/// Not over an empty view, before anything that they are about is seen.
void TestNotes::legendsComeWithTheirObjects() {
  Studio studio;
  qt3d::Viewport& view = studio.window.viewport();
  QStringList shown;
  connect(&view, &qt3d::Viewport::itemShown, &view, [&](const QString& id) { shown.append(id); });
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2, kPatienceMs);
  const QString lines = QString::number(studio.newest());
  QElapsedTimer since;
  since.start();
  const auto legend = [&] {
    const QImage now = view.grab().toImage();
    return colouredPixels(now, QRect(now.width() * 7 / 8, 0, now.width() / 8, now.height()));
  };
  while (!shown.contains(lines) && !since.hasExpired(kPatienceMs)) {
    const int seen = legend();
    if (!shown.contains(lines)) QVERIFY2(seen < 50, qPrintable(QString::number(seen)));
    QTest::qWait(1);
  }
  QVERIFY(shown.contains(lines));
  QTRY_VERIFY_WITH_TIMEOUT(legend() > 500, kPatienceMs);
}

/// What is broken or cut in a legend is whole in its tooltip.
void TestNotes::longNamesAreTold() {
  Studio studio;
  open(studio, "sample://abc?size=9");
  const std::string function = studio.model.document().object(studio.newest())->color.by;
  const std::string name =
      "a name of a quantity that is much too long for any legend of any picture whatsoever";
  studio.model.document().edit("Title", [&](app::Draft& draft) {
    draft.frame().image.legends[function].title = name;
    draft.frame().image.legends[function].place = {{0, 0}};
  });
  qt3d::Viewport& view = studio.window.viewport();
  const auto toldAt = [&](QPoint place) {
    QMouseEvent over(QEvent::MouseMove, place, view.mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(&view, &over);
    return view.toolTip();
  };
  QTRY_COMPARE_WITH_TIMEOUT(toldAt({20, 20}), QString::fromStdString(name), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(toldAt(QPoint(2, view.height() - 2)).isEmpty(), kPatienceMs);
}

void TestNotes::textsAndAxesAreWritten() {
  Studio studio;
  open(studio, "sample://taylor-green?size=9&steps=3");
  studio.window.pipeline().select(0);
  const QSize view = studio.window.viewport().size();
  const QRect below(view.width() / 2, view.height() - 60, view.width() / 2, 60);
  const QImage before = studio.picture();
  auto* const text = studio.child<QLineEdit>("image.text");
  QVERIFY(text);
  text->setText("t = {time}");
  emit text->editingFinished();
  QCOMPARE(studio.session().image.notes.texts.size(), std::size_t(1));
  QTRY_VERIFY_WITH_TIMEOUT(different(before, studio.picture(), below) > 40, kPatienceMs);
  // It says another time at another step.
  const QImage first = studio.picture();
  studio.model.stage().setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && different(first, studio.picture(), below) > 10, kPatienceMs);
  for (const char* const name : {"image.axes", "image.scaleBar"}) {
    const QImage plain = studio.picture();
    studio.child<QCheckBox>(name)->click();
    QTRY_VERIFY2_WITH_TIMEOUT(different(plain, studio.picture(), plain.rect()) > 100, name, kPatienceMs);
  }
  QVERIFY(studio.session().image.notes.axes && studio.session().image.notes.scaleBar);
}

/// What a name stands for nobody can guess: which there are is said, and one that is none is seen as it was typed.
void TestNotes::unknownNamesAreSaid() {
  Studio studio;
  open(studio, "sample://taylor-green?size=9&steps=3");
  studio.window.activateWindow();
  studio.window.pipeline().select(0);
  studio.child<QWidget>("dock.properties")->raise();
  for (const char* const name : {"image.title", "image.text"}) {
    auto* const edit = studio.child<QLineEdit>(name);
    QTRY_VERIFY_WITH_TIMEOUT(edit && edit->isVisible(), kPatienceMs);
    edit->setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), edit, kPatienceMs);
    const auto remark = [&] {
      auto* const label = studio.child<QLabel>(QString(name) + ".error");
      return label && label->isVisible() ? label->text() : QString();
    };
    QTest::keyClicks(edit, "t = {time}");
    QVERIFY(remark().isEmpty());
    QTest::keyClicks(edit, ", Mach {march}");
    QVERIFY2(remark().contains("{march}") && remark().contains("{date}"), qPrintable(remark()));
    // It is taken all the same, and still said to who stays.
    QTest::keyClick(edit, Qt::Key_Return);
    const auto& image = studio.session().image;
    QCOMPARE(QString(name) == "image.title" ? image.title : image.notes.texts.at(0).text,
             std::string("t = {time}, Mach {march}"));
    QVERIFY(remark().contains("{march}"));
    QVERIFY(edit->toolTip().contains("{march}"));
    studio.window.viewport().setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(remark().isEmpty(), kPatienceMs);
  }
  QVERIFY(studio.child<QLineEdit>("image.text")->toolTip().contains("{step}"));
}

/// Also while the keyboard is still where it was typed, and it does not come back when the keyboard leaves.
void TestNotes::whatWasTypedIsUndone() {
  Studio studio;
  open(studio, "sample://abc?size=9");
  studio.window.activateWindow();
  const std::string function = studio.model.document().object(studio.newest())->color.by;
  const auto legend = [&] {
    const auto& looks = studio.session().image.legends;
    return looks.contains(function) ? looks.at(function).title : std::string();
  };
  const auto picture = [&] { return studio.session().image.title; };
  const auto undone = [&](QWidget* panel, const char* name, const auto& title) {
    panel->show();
    panel->raise();
    auto* const edit = studio.child<QLineEdit>(name);
    QTRY_VERIFY_WITH_TIMEOUT(edit->isVisible(), kPatienceMs);
    edit->setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), edit, kPatienceMs);
    QTest::keyClicks(edit, "flow");
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(title(), std::string("flow"));
    studio.trigger("undo");
    QCOMPARE(title(), std::string());
    QCOMPARE(edit->text(), QString());
    studio.window.viewport().setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio.window.viewport(), kPatienceMs);
    QCOMPARE(title(), std::string());
    QVERIFY(studio.action("redo")->isEnabled());
  };
  studio.window.pipeline().select(studio.newest());
  undone(studio.child<QWidget>("dock.colors"), "legend.title", legend);
  studio.window.pipeline().select(0);
  undone(studio.child<QWidget>("dock.properties"), "image.title", picture);
}

/// Once the data are gone whose time a title says, it says that of the others.
void TestNotes::textsAreOfDataThatAreThere() {
  Studio studio;
  open(studio, "sample://taylor-green?size=9&steps=9");
  const std::string gone = studio.session().data.front().name;
  studio.model.open({"sample://cylinder?size=9&steps=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().data.size() == 2, kPatienceMs);
  const auto call = [&](const char* title) {
    studio.model.document().edit("Title", [&](app::Draft& draft) { draft.frame().image.title = title; });
  };
  studio.model.stage().setStep(3);
  call("t = {time}");
  studio.model.document().edit("Remove", [&](app::Draft& draft) {
    for (const app::DocumentState::Entry& each : std::vector(draft.objects())) draft.remove(each.id);
    draft.frame().image.legend = false;
  });
  const auto title = [&] {
    (void)QTest::qWaitFor([&] { return studio.viewRests(); }, kPatienceMs);
    return studio.picture().copy(0, 0, 400, 60);
  };
  const QImage before = title();
  studio.model.document().removeData(gone);
  QCOMPARE(studio.model.stage().step(), std::int64_t{3});
  const QImage after = title();
  QVERIFY(after != before);
  call("");
  QVERIFY(title() != after);
  call("t = {time}");
  QCOMPARE(title(), after);
}

void TestNotes::theCameraIsSet() {
  Studio studio;
  open(studio, "sample://abc?size=9");
  studio.trigger("camera");
  auto* const dialog = studio.window.findChild<ui::CameraDialog*>();
  QVERIFY(dialog && dialog->isVisible());
  const auto camera = [&] { return studio.window.viewport().camera(); };
  auto* const x = dialog->findChild<ui::NumberEdit*>("camera.position.x");
  QVERIFY(dialog->focusWidget() == x);  // the keyboard begins at the top
  x->setFocus();
  x->selectAll();
  QTest::keyClicks(x, "25");
  QTest::keyClick(x, Qt::Key_Return);
  QCOMPARE(camera().position.x, 25.0);
  QVERIFY(dialog->isVisible());  // Return took the number, and nothing else
  // What cannot be is said of the number that it is about, and whole.
  auto* const angle = dialog->findChild<ui::NumberEdit*>("camera.angle");
  angle->setFocus();
  angle->selectAll();
  QTest::keyClicks(angle, "179.5");  // which no session can hold
  QTest::keyClick(angle, Qt::Key_Return);
  const auto labels = dialog->findChildren<QLabel*>();
  const auto said = std::find_if(labels.begin(), labels.end(),
                                 [](const QLabel* each) { return each->text().contains("179°"); });
  QVERIFY(said != labels.end() && (*said)->heightForWidth((*said)->width()) <= (*said)->height());
  QVERIFY(camera().fieldOfViewDegrees < 179);
  // Copied, changed and pasted: where it was, also from a session's text.
  auto* const copy = dialog->findChild<QPushButton*>("camera.copy");
  copy->setFocus();
  QTest::keyClick(copy, Qt::Key_Return);
  const scene::Camera was = camera();
  QVERIFY(QApplication::clipboard()->text().contains("\"position\""));
  studio.trigger("viewPlusX");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(length(camera().position - was.position) > 1);
  dialog->findChild<QPushButton*>("camera.paste")->click();
  QVERIFY(length(camera().position - was.position) < 1e-9 && length(camera().target - was.target) < 1e-9);
  // What looks along what is up is none.
  const scene::Camera pasted = camera();
  for (const char* const text : {"no camera", "{\"position\": [1,2,3], \"target\": [1,2,3]}",
                                 "{\"position\": [0,0,3], \"target\": [0,0,1], \"up\": [0,0,1]}"}) {
    QApplication::clipboard()->setText(text);
    dialog->findChild<QPushButton*>("camera.paste")->click();
    QVERIFY(ui::sameCamera(camera(), pasted));
  }
  // It comes into the session once it rests, as a step.
  QTRY_VERIFY_WITH_TIMEOUT(std::holds_alternative<session::FixedCamera>(studio.session().camera),
                           kPatienceMs);
  dialog->close();
}

void TestNotes::partsAreZoomedTo() {
  Studio studio;
  open(studio, "sample://abc?size=9");
  const auto camera = [&] { return studio.window.viewport().camera(); };
  const QSize view = studio.window.viewport().size();
  const scene::Camera before = camera();
  const QPoint at = studio.pixelOf(studio.model.stage().bounds().center());
  studio.trigger("zoomBox");
  QVERIFY(studio.action("zoomBox")->isChecked());
  QVERIFY2(studio.window.statusBar()->currentMessage().contains("frame"),
           qPrintable(studio.window.statusBar()->currentMessage()));
  studio.drag(at - QPoint(view.width() / 8, view.height() / 8),
              at + QPoint(view.width() / 8, view.height() / 8));
  QVERIFY(!studio.action("zoomBox")->isChecked());
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  // Four times as near, and what was in the middle of the box is in that of the view.
  const double times = length(before.position - before.target) / length(camera().position - camera().target);
  QVERIFY2(std::abs(times - 4) < 0.2, qPrintable(QString::number(times)));
  // The next drag turns again.
  const scene::Camera zoomed = camera();
  studio.drag(QPoint(view.width() / 2, view.height() / 2), QPoint(view.width() / 2 + 50, view.height() / 2));
  QVERIFY(std::abs(length(camera().position - camera().target) - length(zoomed.position - zoomed.target)) <
          1e-6);
  QVERIFY(length(camera().position - zoomed.position) > 0);
  // All of the selected object.
  studio.window.pipeline().select(studio.newest());
  studio.trigger("fitSelection");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const Bounds bounds = studio.model.stage().status(studio.newest()).bounds;
  for (const Vec3& each : {bounds.min, bounds.max})
    QVERIFY(studio.window.viewport().rect().contains(studio.pixelOf(each)));
  // Upright, dragging sideways leaves the horizon level. It is the axis that was up in the view that was chosen, however that was rolled
  // since, and it is named.
  studio.trigger("resetView");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  for (int times = 0; times < 3; ++times)
    studio.drag(QPoint(view.width() / 2, view.height() / 2),
                QPoint(view.width() / 2 + 90, view.height() / 2 - 200));
  studio.trigger("turntable");
  QCOMPARE(studio.window.viewport().upwards(), (Vec3{0, 0, 1}));
  QVERIFY2(studio.window.statusBar()->currentMessage().contains("the z axis"),
           qPrintable(studio.window.statusBar()->currentMessage()));
  studio.trigger("turntable");
  studio.trigger("resetView");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  studio.action("turntable")->setChecked(true);
  studio.drag(QPoint(view.width() / 2, view.height() / 2),
              QPoint(view.width() / 2 + 160, view.height() / 2 + 70));
  QVERIFY(std::abs(scene::axesOf(camera()).right.z) < 1e-9);
  // So do arrow keys, which end before the pole.
  studio.window.viewport().setFocus();
  for (int times = 0; times < 2; ++times) QTest::keyClick(&studio.window.viewport(), Qt::Key_Left);
  for (int times = 0; times < 14; ++times) QTest::keyClick(&studio.window.viewport(), Qt::Key_Up);
  QVERIFY(std::abs(scene::axesOf(camera()).right.z) < 1e-9);
  QVERIFY(scene::axesOf(camera()).up.z > 0);
  // After a look from above, too, where another axis points up.
  studio.trigger("viewPlusZ");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(std::abs(camera().up.y) > 0.99);
  for (int times = 0; times < 2; ++times) QTest::keyClick(&studio.window.viewport(), Qt::Key_Right);
  for (int times = 0; times < 4; ++times) QTest::keyClick(&studio.window.viewport(), Qt::Key_Up);
  QVERIFY(std::abs(scene::axesOf(camera()).right.z) < 1e-9);
  const double tilt = scene::axesOf(camera()).up.z;
  QVERIFY2(tilt > 0.1, qPrintable(QString::number(tilt)));
  studio.action("turntable")->setChecked(false);
}

void TestNotes::keysFrameWhatIsZoomedTo() {
  Studio studio;
  open(studio, "sample://abc?size=9");
  qt3d::Viewport& viewport = studio.window.viewport();
  QAction* const action = studio.action("zoomBox");
  // While it waits its button is down; Esc and the button itself end that, and the view stays.
  const scene::Camera before = viewport.camera();
  viewport.setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(viewport.hasFocus(), kPatienceMs);
  QTest::keyClick(&viewport, Qt::Key_B);
  QVERIFY(action->isChecked());
  QTest::keyClick(&viewport, Qt::Key_Right);
  QTest::keyClick(&viewport, Qt::Key_Escape);
  QVERIFY(!action->isChecked());
  action->trigger();
  QVERIFY(action->isChecked());
  action->trigger();
  QVERIFY(!action->isChecked());
  QVERIFY(viewport.camera() == before);
  // A frame comes with the first key; it is moved to the right and made wider than it was.
  const QImage without = studio.picture();
  QTest::keyClick(&viewport, Qt::Key_B);
  QTest::keyClick(&viewport, Qt::Key_Right);
  const QImage framed = studio.picture();
  QVERIFY(framed != without);
  QVERIFY(viewport.camera() == before);  // arrows turn nothing now
  for (int n = 0; n < 4; ++n) QTest::keyClick(&viewport, Qt::Key_Left, Qt::ShiftModifier);
  for (int n = 0; n < 4; ++n) QTest::keyClick(&viewport, Qt::Key_Up, Qt::ShiftModifier);
  QVERIFY(studio.picture() != framed);
  const double width = viewport.width(), height = viewport.height(), step = height / 40;
  const view::ScreenMap map(before, width, height);
  const double frameWidth = width / 2 - 4 * step, frameHeight = height / 2 - 4 * step;
  const double middle = width / 4 + step + frameWidth / 2;
  QTest::keyClick(&viewport, Qt::Key_Return);
  QVERIFY(!action->isChecked());
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const scene::Camera after = viewport.camera();
  const double times = length(before.position - before.target) / length(after.position - after.target);
  const double expected = std::min(width / frameWidth, height / frameHeight);
  QVERIFY2(std::abs(times - expected) < 0.05 * expected, qPrintable(QString::number(times)));
  // What was in the middle of the frame is in that of the view.
  const auto target = map.project(after.target);
  QVERIFY(target && std::abs(target->x - middle) < 3 &&
          std::abs(target->y - (height / 4 + frameHeight / 2)) < 3);
  // Keys turn again.
  QTest::keyClick(&viewport, Qt::Key_Right);
  QVERIFY(!(viewport.camera() == after));
}

void TestNotes::picturesAreExported() {
  Studio studio;
  open(studio, "sample://abc?size=9");
  const QSize view = studio.window.viewport().size();
  // A legend over what is dark, whose letters have a light rim.
  studio.trigger("addSlice");
  const std::string function = studio.model.document().object(studio.newest())->color.by;
  studio.model.document().edit("Legend", [&](app::Draft& draft) {
    draft.frame().image.legends[function].place = {{0.5, 0.5}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const QImage before = studio.picture().convertToFormat(QImage::Format_RGB32);
  studio.trigger("exportImage");
  auto* size = studio.window.findChild<ui::ExportImageDialog*>();
  QVERIFY(size);
  // As large as the view; what is typed replaces the number.
  QCOMPARE(size->sizePixels()[0], view.width());
  QCOMPARE(size->sizePixels()[1], view.height());
  auto* const width = size->findChild<QSpinBox*>("export.width");
  QTRY_VERIFY_WITH_TIMEOUT(width->hasFocus() && width->findChild<QLineEdit*>()->hasSelectedText(),
                           kPatienceMs);
  QTest::keyClicks(width, "320");
  size->findChild<QSpinBox*>("export.height")->setValue(200);
  size->findChild<QCheckBox*>("export.transparent")->setChecked(true);
  size->accept();
  auto* const files = studio.window.findChild<QFileDialog*>();
  QVERIFY(files);
  const QString path = studio.at("picture.png");
  emit files->fileSelected(path);
  files->close();
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path) && !QImage(path).isNull(), kPatienceMs);
  const QImage made(path);
  QCOMPARE(made.size(), QSize(320, 200));
  QCOMPARE(made.pixelColor(2, 2).alpha(), 0);
  QVERIFY(colouredPixels(made, made.rect()) > 100);
  // The view looks as before, and its letters have their rims.
  QCOMPARE(studio.picture().convertToFormat(QImage::Format_RGB32), before);
  // The session keeps the size for the next time.
  QCOMPARE(studio.session().image.sizePixels[0], 320);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<ui::ExportImageDialog*>(), kPatienceMs);
  studio.trigger("exportImage");
  size = studio.window.findChild<ui::ExportImageDialog*>();
  QCOMPARE(size->sizePixels()[0], 320);
  QVERIFY(size->isTransparent());
  size->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<ui::ExportImageDialog*>(), kPatienceMs);
  // So it is seen there, and offered where pictures of steps and turns are made.
  studio.trigger("picture");
  auto* const nothing = studio.child<QCheckBox>("image.transparent");
  QVERIFY(nothing && nothing->isChecked() && isInSight(studio.window, nothing));
  const auto offered = [&] {
    studio.trigger("exportAnimation");
    auto* const dialog = studio.child<ui::AnimationDialog>("animation");
    const bool on = dialog && dialog->choice().nothingBehind &&
                    dialog->findChild<QCheckBox*>("nothingBehind")->isVisible();
    if (dialog) dialog->reject();
    return on;
  };
  QVERIFY(offered());
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animation"), kPatienceMs);
  // Another colour is no other answer to what is behind it.
  session::Session other = studio.session();
  for (const app::PictureField& its : app::pictureFields(other, {}))
    if (its.field.key == "image.background") its.set(other, "#102030");
  QVERIFY(other.image.background[0] < 0.1F && app::hasNothingBehind(other.image));
  nothing->click();
  QVERIFY(studio.session().image.background == (scene::Rgba{1, 1, 1, 1}));
  studio.trigger("undo");
  QVERIFY(app::hasNothingBehind(studio.session().image) && nothing->isChecked());
  nothing->click();
  QVERIFY(!offered());
}

void TestNotes::nothingIsSavedUnasked() {
  Studio studio;
  open(studio, "sample://abc?size=9");
  const QString path = studio.at("work.json");
  studio.model.save(path);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified(), kPatienceMs);
  studio.trigger("addSlice");
  QVERIFY(studio.model.document().isModified());
  QApplication::clipboard()->setText("before");
  studio.trigger("copyCommand");
  auto* const asked = studio.child<QMessageBox>("saveForCommand");
  QVERIFY(asked && asked->isVisible());
  QVERIFY(studio.model.document().isModified());
  asked->done(QMessageBox::Cancel);
  QVERIFY(studio.model.document().isModified());
  QCOMPARE(QApplication::clipboard()->text(), QString("before"));
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("saveForCommand"), kPatienceMs);
  studio.trigger("copyCommand");
  studio.child<QMessageBox>("saveForCommand")->done(QMessageBox::Save);
  QTRY_VERIFY_WITH_TIMEOUT(QApplication::clipboard()->text().contains("work.json"), kPatienceMs);
  QVERIFY(!studio.model.document().isModified());
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestNotes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_notes.moc"
