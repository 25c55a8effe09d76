// Lines compared at equal times: cubic between the vertices, standing still after the end.

#include <QTest>

#include <cmath>

#include "bench/objects/recorded_line.h"

using namespace farfield;
using namespace farfield::bench;

namespace {

/// The unit circle, `steps` vertices per unit of time, up to `end`.
RecordedLine circle(int steps, double end, double radius = 1) {
  RecordedLine line;
  for (int n = 0; n <= static_cast<int>(std::lround(std::abs(end) * steps)); ++n) {
    const double t = std::copysign(static_cast<double>(n) / steps, end);
    const double velocity[3] = {-radius * std::sin(t), radius * std::cos(t), 0};
    line.vertex({radius * std::cos(t), radius * std::sin(t), 0}, t, velocity);
  }
  return line;
}

}  // namespace

class TestRecordedLine : public QObject {
  Q_OBJECT
 private slots:
  void betweenVertices();
  void afterTheEnd();
  void deviations();
};

void TestRecordedLine::betweenVertices() {
  for (const double end : {2.0, -2.0}) {
    const RecordedLine line = circle(10, end);
    QCOMPARE(line.vertices(), std::size_t{21});
    QCOMPARE(line.endTime(), end);
    QCOMPARE(line.at(0), (Vec3{1, 0, 0}));
    // The error of cubic Hermite interpolation is h^4 / 384 of the fourth derivative, which is 1 here.
    const double t = end * 0.725;
    const Vec3 error = line.at(t) - Vec3{std::cos(t), std::sin(t), 0};
    QVERIFY(length(error) < 1.01 * 1e-4 / 384);
    QVERIFY(length(error) > 0);
  }
}

void TestRecordedLine::afterTheEnd() {
  const RecordedLine line = circle(10, 1);
  QCOMPARE(line.at(5), line.at(1));
}

void TestRecordedLine::deviations() {
  const RecordedLine truth = circle(1000, 2);
  QVERIFY(deviation(truth, truth, 40) == 0);
  QVERIFY(std::abs(deviation(circle(1000, 2, 1.5), truth, 40) - 0.5) < 1e-9);
  // A line that stops halfway is off by the chord of what is missing.
  QVERIFY(std::abs(deviation(circle(1000, 1), truth, 40) - 2 * std::sin(0.5)) < 1e-9);
  // One that goes further is compared up to the end of the other.
  QVERIFY(deviation(circle(1000, 3), truth, 40) < 1e-12);
}

QTEST_GUILESS_MAIN(TestRecordedLine)
#include "tst_recorded_line.moc"
