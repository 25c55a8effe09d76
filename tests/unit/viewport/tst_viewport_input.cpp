// Mouse over handles, where nothing need be drawn: what is dragged stays what it was when it was taken hold
// of, whatever is heard meanwhile of places where the cursor was before.
#include <QApplication>
#include <QMouseEvent>
#include <QPoint>
#include <QSignalSpy>
#include <QTest>

#include "render/qt3d/viewport.h"
#include "render/view/screen_map.h"

using namespace farfield;
using qt3d::Viewport;

namespace {

constexpr Vec3 kFrom{-0.5, 0, -0.5}, kTo{0.5, 0, 0.5};

view::Handle rake(const std::string& id = "rake") {
  return {id, view::HandleKind::Line, {kFrom, kTo}, {1, 0.5f, 0, 1}};
}

}  // namespace

class TestViewportInput : public QObject {
  Q_OBJECT
 private:
  std::unique_ptr<Viewport> m_view;
  std::vector<std::vector<Vec3>> m_moves;

  QPoint pixelOf(Vec3 place) {
    const auto at = view::ScreenMap(m_view->camera(), m_view->width(), m_view->height()).project(place);
    return at ? QPoint(qRound(at->x), qRound(at->y)) : QPoint(-1, -1);
  }
  // At once: no other event comes in between.
  void send(QEvent::Type type, QPoint at, Qt::MouseButtons held) {
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, m_view->mapToGlobal(at), button, held, {});
    QApplication::sendEvent(m_view.get(), &event);
  }

 private slots:
  void init() {
    m_view = std::make_unique<Viewport>();
    m_view->resize(600, 400);
    Bounds bounds;
    bounds.add(Vec3{-1, -1, -1});
    bounds.add(Vec3{1, 1, 1});
    m_view->setBounds(bounds);
    m_view->viewAlong({0, -1, 0}, {0, 0, 1}, false);
    m_view->setHandles({rake()});
    m_moves.clear();
    connect(
        m_view.get(), &Viewport::handleMoved, this,
        [this](const QString&, const std::vector<Vec3>& positions, bool) { m_moves.push_back(positions); });
  }
  void cleanup() { m_view.reset(); }

  void aDragOutlivesASearchThatBeganBefore() {
    const QPoint grip = pixelOf(kFrom);
    send(QEvent::MouseMove, {10, 10}, Qt::NoButton);  // a search is under way
    send(QEvent::MouseMove, {20, 20}, Qt::NoButton);  // and another one is to follow it
    send(QEvent::MouseButtonPress, grip, Qt::LeftButton);
    QTest::qWait(100);  // the search ends
    send(QEvent::MouseMove, grip + QPoint(30, 0), Qt::LeftButton);
    QCOMPARE(m_moves.size(), 1u);
    QVERIFY(m_moves[0][0].x > kFrom.x && m_moves[0][1].x == kTo.x);
    send(QEvent::MouseButtonRelease, grip + QPoint(30, 0), Qt::NoButton);
    QCOMPARE(m_moves.size(), 2u);
  }

  void aDragOutlivesTheCursorLeaving() {
    const QPoint grip = pixelOf(kTo);
    send(QEvent::MouseButtonPress, grip, Qt::LeftButton);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(m_view.get(), &leave);
    QCOMPARE(m_view->cursor().shape(), Qt::PointingHandCursor);
    send(QEvent::MouseMove, grip - QPoint(0, 40), Qt::LeftButton);
    QCOMPARE(m_moves.size(), 1u);
    QVERIFY(m_moves[0][1].z > kTo.z && m_moves[0][0].z == kFrom.z);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QCOMPARE(m_moves.size(), 2u);
    QCOMPARE(m_moves[1][1].z, kTo.z);
  }

  // As where a dialog opens meanwhile, and has the release.
  void aDragThatEndsElsewhereHasEnded() {
    const QPoint grip = pixelOf(kFrom);
    send(QEvent::MouseButtonPress, grip, Qt::LeftButton);
    send(QEvent::MouseMove, grip + QPoint(30, 0), Qt::LeftButton);
    QCOMPARE(m_moves.size(), 1u);
    const double there = m_moves.back()[0].x;
    for (const int away : {60, 90}) send(QEvent::MouseMove, grip + QPoint(away, 0), Qt::NoButton);
    QCOMPARE(m_moves.size(), 2u);
    QCOMPARE(m_moves.back()[0].x, there);
    // It can be taken again.
    const QPoint now = pixelOf(m_moves.back()[0]);
    send(QEvent::MouseButtonPress, now, Qt::LeftButton);
    send(QEvent::MouseMove, now + QPoint(30, 0), Qt::LeftButton);
    QCOMPARE(m_moves.size(), 3u);
    QVERIFY(m_moves.back()[0].x > there);
    send(QEvent::MouseButtonRelease, now + QPoint(30, 0), Qt::NoButton);
  }

  void aDragEndsWithItsHandle_data() {
    QTest::addColumn<int>("now");
    QTest::newRow("none") << 0;
    QTest::newRow("another's") << 1;
    QTest::newRow("another kind") << 2;
  }
  void aDragEndsWithItsHandle() {
    QFETCH(int, now);
    const QPoint grip = pixelOf(kFrom);
    send(QEvent::MouseButtonPress, grip, Qt::LeftButton);
    std::vector<view::Handle> next;
    if (now == 1) next = {rake("another")};
    if (now == 2) next = {{"rake", view::HandleKind::Box, {kFrom, kTo}, {1, 0.5f, 0, 1}}};
    m_view->setHandles(next);
    send(QEvent::MouseMove, grip + QPoint(30, 0), Qt::LeftButton);
    send(QEvent::MouseButtonRelease, grip + QPoint(30, 0), Qt::NoButton);
    QVERIFY(m_moves.empty());
  }
};

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  TestViewportInput test;
  return QTest::qExec(&test, count, words);
}
#include "tst_viewport_input.moc"
