// Isosurfaces in the window: added, slid from value to value, undone in one step, several values at once. Needs a
// display with OpenGL; skips where there is none.

#include <QComboBox>
#include <QSlider>
#include <QStandardPaths>

#include "app/first/first_objects.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestIsosurfaces : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void valuesAreSlid();
};

void TestIsosurfaces::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestIsosurfaces::valuesAreSlid() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=33"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(studio.newest()); });
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  const auto surface = [&] {
    return std::get<session::Isosurface>(studio.model.document().object(id)->shape);
  };
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  // In the middle of what was seen of the data, so that there is something to see.
  const session::Isosurface was = surface();
  const auto summary = studio.model.stage().summary(studio.model.document().object(id)->data);
  const auto range = app::usualRange(*summary, was.by);
  QVERIFY(range && was.values.size() == 1);
  QVERIFY(was.values[0] > (*range)[0] && was.values[0] < (*range)[1]);
  const std::uint64_t triangles = studio.model.stage().status(id).stats.count;
  QVERIFY(triangles > 1000);
  const QSize view = studio.window.viewport().size();
  const QRect central(view.width() / 4, view.height() / 4, view.width() / 2, view.height() / 2);
  const QImage before = studio.picture();

  studio.model.document().edit("Colour",
                               [&](app::Draft& draft) { draft.object(id).color.by = "velocity-x"; });
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);

  // The slider moves it while it is down; letting go ends one step.
  auto* const slider = studio.child<QSlider>("value.slider");
  QVERIFY(slider);
  const int steps = studio.model.document().undoStack().count();
  slider->setSliderDown(true);
  const int start = slider->value();
  for (int n = 1; n <= 8; ++n) {
    slider->setValue(start + 6 * n);
    QVERIFY(surface().values[0] > was.values[0]);
    QTest::qWait(20);
  }
  slider->setSliderDown(false);
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  const double slid = surface().values[0];
  QVERIFY(std::abs(slid - ((*range)[0] + ((*range)[1] - (*range)[0]) * slider->value() / slider->maximum())) <
          1e-9);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(studio.model.stage().status(id).stats.count != triangles);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(studio.picture() != before);
  // For the guide.
  if (const QString folder = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !folder.isEmpty())
    QVERIFY(studio.window.grab()
                .toImage()
                .convertToFormat(QImage::Format_RGB32)
                .save(folder + "/isosurface.png"));
  studio.trigger("undo");
  QVERIFY(surface() == was);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QCOMPARE(studio.model.stage().status(id).stats.count, triangles);

  // Two values, coloured by which.
  studio.model.document().edit("Two", [&](app::Draft& draft) {
    std::get<session::Isosurface>(draft.object(id).shape).values = {was.values[0], slid};
    draft.object(id).color.by = "value";
  });
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(!studio.child<QSlider>("value.slider"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > 5000, kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestIsosurfaces test;
  return QTest::qExec(&test, count, words);
}
#include "tst_isosurfaces.moc"
