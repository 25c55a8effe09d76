#pragma once
// A window whose view can be divided: what is drawn in each part, turned by the mouse, and chosen above it.

#include <QImage>
#include <QMenu>
#include <QMouseEvent>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <cstddef>

#include "app/ui/view/view_group.h"
#include "tests/gui/window/support/studio.h"

namespace farfield::test {

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

inline bool sameCamera(const scene::Camera& a, const scene::Camera& b) {
  const double size = length(a.position - a.target);
  return length(a.position - b.position) < 1e-9 * size && length(a.target - b.target) < 1e-9 * size;
}

}  // namespace farfield::test
