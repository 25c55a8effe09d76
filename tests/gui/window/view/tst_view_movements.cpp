// Movements of views become steps a moment after they end: what a command finds that is given before that, and what happens meanwhile.

#include <QStandardPaths>
#include <QToolButton>

#include "app/ui/view/view_group.h"
#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/written_files.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Turned : Studio {
  Turned() { isOpen = opens(*this, "sample://cylinder?size=17,17,9") && settles(); }
  bool settles() {
    return QTest::qWaitFor([&] { return viewRests(); }, kPatienceMs);
  }
  /// By the mouse. Nothing is waited for.
  void turn(std::size_t number, QPoint by) {
    qt3d::Viewport& of = window.views().view(number);
    const QPoint from = of.rect().center();
    QTest::mousePress(&of, Qt::LeftButton, {}, from);
    for (int step = 1; step <= 4; ++step) {
      QMouseEvent event(QEvent::MouseMove, from + by * step / 4, of.mapToGlobal(from + by * step / 4),
                        Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(&of, &event);
    }
    QTest::mouseRelease(&of, Qt::LeftButton, {}, from + by);
  }
  scene::Camera camera(std::size_t number) { return window.views().view(number).camera(); }
  bool isAt(std::size_t number, const scene::Camera& wanted) {
    return length(camera(number).position - wanted.position) < 1e-9 * length(wanted.position - wanted.target);
  }
  /// Two views that move apart.
  bool divide() {
    trigger("twoViews");
    if (!settles()) return false;
    child<QToolButton>("view2.link")->click();
    // None of its timers is known here.
    QTest::qWait(800);
    return !action("linkCameras")->isChecked();
  }
  bool isOpen = false;
};

}  // namespace

class TestViewMovements : public QObject {
  Q_OBJECT
 private slots:
  void undoTakesBackTheMovementFirst();
  void savingKeepsWhereTheViewIs();
  void viewsStayInTheHand();
  void eachMovementIsAStep();
  void numbersAreOfTheActiveView();
};

/// Not the edit before it, with which the movement would take away what could be done again.
void TestViewMovements::undoTakesBackTheMovementFirst() {
  Turned studio;
  QVERIFY(studio.isOpen);
  app::Document& document = studio.model.document();
  const scene::Camera before = studio.camera(0);
  document.edit("Title", [](app::Draft& draft) { draft.frame().image.title = "Wake"; });
  studio.turn(0, {80, 20});
  const scene::Camera after = studio.camera(0);
  QVERIFY(!studio.isAt(0, before));
  studio.trigger("undo");
  QCOMPARE(studio.session().image.title, std::string("Wake"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.isAt(0, before), kPatienceMs);
  QVERIFY(studio.settles());
  QVERIFY(studio.action("redo")->isEnabled());
  studio.trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.isAt(0, after), kPatienceMs);
  // While it still glides there, nothing of the way becomes a step.
  studio.trigger("undo");
  studio.trigger("undo");
  QVERIFY(studio.session().image.title.empty());
  studio.trigger("redo");
  studio.trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.isAt(0, after), kPatienceMs);
}

void TestViewMovements::savingKeepsWhereTheViewIs() {
  Turned studio;
  QVERIFY(studio.isOpen);
  app::Document& document = studio.model.document();
  studio.model.save(studio.at("turned.json"));
  QTRY_VERIFY_WITH_TIMEOUT(!document.path().isEmpty() && !document.isModified(), kPatienceMs);
  studio.turn(0, {50, 0});
  QVERIFY(!studio.action("save")->isEnabled());  // nothing to be saved yet
  QTest::keyClick(&studio.window.viewport(), Qt::Key_S, Qt::ControlModifier);
  QTRY_VERIFY_WITH_TIMEOUT(!document.isModified(), kPatienceMs);
  QVERIFY(studio.settles());
  const QUndoStack& steps = document.undoStack();
  QVERIFY2(!document.isModified(), qPrintable(steps.text(steps.index() - 1)));
}

/// What is computed meanwhile has nothing to say about a view that somebody turns.
void TestViewMovements::viewsStayInTheHand() {
  Turned studio;
  QVERIFY(studio.isOpen && studio.divide());
  const scene::Camera before = studio.camera(1);
  studio.turn(1, {60, 0});
  QVERIFY(!studio.isAt(1, before));
  const scene::Camera turned = studio.camera(1);
  emit studio.model.stage().boundsChanged();
  emit studio.model.document().layoutChanged();
  QVERIFY(studio.isAt(1, turned));
  // A place that the session gives it is news.
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.isAt(1, before), kPatienceMs);
}

void TestViewMovements::eachMovementIsAStep() {
  Turned studio;
  QVERIFY(studio.isOpen && studio.divide());
  const QUndoStack& steps = studio.model.document().undoStack();
  const int before = steps.index();
  studio.turn(1, {60, 0});
  QTRY_COMPARE_WITH_TIMEOUT(steps.index(), before + 1, kPatienceMs);
  const scene::Camera between = studio.camera(1);
  studio.turn(1, {0, 40});
  QTRY_COMPARE_WITH_TIMEOUT(steps.index(), before + 2, kPatienceMs);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.isAt(1, between), kPatienceMs);
}

/// Also where another one becomes that while the dialog is open.
void TestViewMovements::numbersAreOfTheActiveView() {
  Turned studio;
  QVERIFY(studio.isOpen && studio.divide());
  studio.turn(1, {60, 0});
  QVERIFY(studio.settles());
  studio.window.views().view(1).setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(&studio.window.views().active() == &studio.window.views().view(1), kPatienceMs);
  studio.trigger("camera");
  auto* const dialog = studio.child<QDialog>("cameraDialog");
  QVERIFY(dialog);
  auto* const x = dialog->findChild<ui::NumberEdit*>("camera.position.x");
  QCOMPARE(*x->value(), studio.camera(1).position.x);
  studio.window.activateWindow();
  studio.window.views().view(0).setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(&studio.window.views().active() == &studio.window.views().view(0), kPatienceMs);
  QCOMPARE(*x->value(), studio.camera(0).position.x);
  const scene::Camera first = studio.camera(0), second = studio.camera(1);
  x->setFocus();
  x->selectAll();
  QTest::keyClicks(x, QString::number(first.position.x + 1, 'g', 17));
  QTest::keyClick(x, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(studio.camera(0).position.x - first.position.x - 1) < 1e-9, kPatienceMs);
  QCOMPARE(studio.camera(0).position.y, first.position.y);
  QVERIFY(studio.isAt(1, second));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestViewMovements test;
  return QTest::qExec(&test, count, words);
}
#include "tst_view_movements.moc"
