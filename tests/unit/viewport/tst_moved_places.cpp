// What is drawn with another scale than its vertices were made for has the colours of that scale.

#include <QTest>

#include <algorithm>

#include "render/color/color_scale.h"
#include "render/qt3d/moved_places.h"
#include "render/view/vertex_arrays.h"

using namespace farfield;

class TestMovedPlaces : public QObject {
  Q_OBJECT
 private slots:
  void placesAreThoseOfTheOtherScale_data();
  void placesAreThoseOfTheOtherScale();
};

void TestMovedPlaces::placesAreThoseOfTheOtherScale_data() {
  QTest::addColumn<double>("builtMax");
  QTest::addColumn<double>("min");
  QTest::addColumn<double>("max");
  QTest::addColumn<bool>("moved");
  QTest::newRow("the same") << 1.0 << 0.0 << 1.0 << true;
  QTest::newRow("wider") << 1.0 << -50.0 << 1000.0 << true;
  QTest::newRow("narrower") << 1000.0 << 100.0 << 200.0 << true;
  QTest::newRow("much narrower") << 1e9 << 0.0 << 1.0 << false;
  // All that lies beyond a million times the first range has one place.
  QTest::newRow("so wide that places lack") << 1.0 << 0.0 << 1e9 << false;
  QTest::newRow("far below") << 1.0 << -1e9 << 0.0 << false;
  QTest::newRow("at the end of what is known") << 1.0 << 0.0 << 1e6 << false;
}

void TestMovedPlaces::placesAreThoseOfTheOtherScale() {
  QFETCH(double, builtMax);
  QFETCH(double, min);
  QFETCH(double, max);
  QFETCH(bool, moved);
  scene::ColorScale built, scale;
  built.map = scale.map = "viridis";
  built.min = 0;
  built.max = builtMax;
  scale.min = min;
  scale.max = max;
  QCOMPARE(qt3d::canBeMoved(built, scale), moved);
  if (!moved) return;
  qt3d::Look look;
  qt3d::movePlaces(look, built, scale);
  const color::Normalizer was(built), is(scale);
  for (int n = -10; n <= 20; ++n) {
    const double value = min + 0.1 * n * (max - min);
    const double kept = std::clamp(was(value), -view::kFarthestPlace, view::kFarthestPlace);
    const double seen = static_cast<float>(kept) * look.placeFactor + look.placeOffset;
    // Places outside are only told from those within.
    QVERIFY2(std::abs(std::clamp(seen, -0.5, 1.5) - std::clamp(is(value), -0.5, 1.5)) < 1e-4,
             qPrintable(QString::number(value)));
  }
}

QTEST_GUILESS_MAIN(TestMovedPlaces)
#include "tst_moved_places.moc"
