#include <QTest>

#include <array>

#include "render/view/box_order.h"

using namespace farfield;

class TestBoxOrder : public QObject {
  Q_OBJECT
 private slots:
  void planesDecide();
};

// Two boxes side by side: middles would say otherwise where one is long.
void TestBoxOrder::planesDecide() {
  const Bounds small{{0, 0, 0}, {1, 1, 1}}, longOne{{1, 0, 0}, {50, 1, 1}};
  scene::Camera camera;
  camera.position = {2, -3, 0.5};
  camera.target = {1, 0.5, 0.5};
  camera.up = {0, 0, 1};
  using Order = std::vector<std::size_t>;
  const std::array boxes{small, longOne}, turned{longOne, small};
  QCOMPARE(view::frontToBack(boxes, camera), (Order{1, 0}));
  QCOMPARE(view::frontToBack(turned, camera), (Order{0, 1}));
  camera.position = {-5, -3, 0.5};
  QCOMPARE(view::frontToBack(boxes, camera), (Order{0, 1}));
  // Without perspective the direction alone counts.
  camera.orthographic = true;
  camera.orthographicHeight = 5;
  camera.position = {60, 0.5, 0.5};
  camera.target = {50, 0.5, 0.5};
  QCOMPARE(view::frontToBack(boxes, camera), (Order{1, 0}));
  camera.position = {40, 0.5, 0.5};
  QCOMPARE(view::frontToBack(boxes, camera), (Order{0, 1}));
  // Three in a row, and none.
  const std::array row{Bounds{{4, 0, 0}, {5, 1, 1}}, Bounds{{0, 0, 0}, {1, 1, 1}},
                       Bounds{{2, 0, 0}, {3, 1, 1}}};
  QCOMPARE(view::frontToBack(row, camera), (Order{1, 2, 0}));
  QVERIFY(view::frontToBack({}, camera).empty());
}

QTEST_GUILESS_MAIN(TestBoxOrder)
#include "tst_box_order.moc"
