// Two data sets compared over each other: the divider, what is written on either side of it, and the scale that both have. Needs a display
// with OpenGL; skips where there is none.

#include <QStandardPaths>
#include <algorithm>
#include <array>
#include <utility>

#include "app/model/document/volume_looks.h"
#include "tests/gui/window/support/split_studio.h"

using namespace farfield;
using namespace farfield::test;

class TestComparedData : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void twoDataSetsAreCompared();
  void scaleBarsAreBesideTheDivider();
  void comparedDataHaveOneScale();
  void comparedVolumesHaveOneScale();
};

void TestComparedData::initTestCase() {
  Split split;
  QVERIFY(split.opened);
  if (split.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestComparedData::twoDataSetsAreCompared() {
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

/// The divider hides nothing that is written: each side has a bar in the middle of its part.
void TestComparedData::scaleBarsAreBesideTheDivider() {
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

void TestComparedData::comparedDataHaveOneScale() {
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
void TestComparedData::comparedVolumesHaveOneScale() {
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
  TestComparedData test;
  return QTest::qExec(&test, count, words);
}
#include "tst_compared_data.moc"
