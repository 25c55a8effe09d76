// Particles whose times, ages and lengths end where cells and intervals do,
// where sums are off by rounding: all come as far as they should.

#include <QTest>

#include <cmath>

#include "core/flow/particle.h"
#include "tests/unit/flow/formula_sampler.h"

using namespace farfield;
using namespace farfield::flow;
using namespace farfield::test;

namespace {

constexpr Vec3 kFlow{2.5, 1.25, 0};
constexpr int kIntervals = 8;
double timeOf(int interval) {
  return 0.1 * interval;
}

/// Its path from the release to the last time, or its end.
Particle wayOf(Vec3 seed, double release, const LineOptions& options, Line& line) {
  GridSampler grid(4, 32, [](Vec3) { return kFlow; });
  PlainContext context;
  Particle particle = Particle::released(seed, release);
  for (int n = 0; n < kIntervals && particle.alive(); ++n) {
    if (timeOf(n + 1) <= release) continue;
    SampledField field(grid, n, timeOf(n), timeOf(n + 1));
    advance(particle, timeOf(n + 1), field, options, context, line);
  }
  return particle;
}

}  // namespace

class TestParticleEnds : public QObject {
  Q_OBJECT
 private slots:
  void evenFlowsGoFromNodeToNode();
  void releasesNextToAStep();
  void agesAndLengthsEndAtSteps();
  void agesThatAreLostInTheTimes();
};

/// In each interval a particle goes from face to face: what is left of the
/// time, or of the cell, is rounding.
void TestParticleEnds::evenFlowsGoFromNodeToNode() {
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 8; ++y) {
      const Vec3 seed{-4 + 0.25 * x, -4 + 0.25 * y, -3.9};
      for (const double off : {0.0, 1e-16, 3e-16, -1e-16}) {
        Line line;
        const Particle particle = wayOf(seed + Vec3{off, 0, 0}, 0, {}, line);
        QCOMPARE(int(particle.termination), int(Termination::None));
        QCOMPARE(particle.time, timeOf(kIntervals));
        QVERIFY(length(particle.position - (seed + timeOf(kIntervals) * kFlow)) < 1e-12);
        for (std::size_t n = 1; n < line.times.size(); ++n) QVERIFY(line.times[n] > line.times[n - 1]);
      }
    }
}

void TestParticleEnds::releasesNextToAStep() {
  const Vec3 seed{-3.1, -3.3, -3.9};
  for (const double release : {std::nextafter(timeOf(3), 0), std::nextafter(timeOf(3), 1), timeOf(3) - 4e-17})
    for (const Vec3 from : {seed, Vec3{-4, -4, -3.9}}) {
      Line line;
      const Particle particle = wayOf(from, release, {}, line);
      QCOMPARE(int(particle.termination), int(Termination::None));
      QVERIFY(length(particle.position - (from + (timeOf(kIntervals) - release) * kFlow)) < 1e-12);
    }
}

void TestParticleEnds::agesAndLengthsEndAtSteps() {
  const double pace = length(kFlow);
  for (int n = 1; n < kIntervals; ++n)
    for (const double off : {0.0, 1e-17, 1e-16, -1e-16})
      for (const Vec3 seed : {Vec3{-4, -4, -3.9}, Vec3{-3.1, -3.3, -3.9}}) {
        Line line;
        LineOptions age;
        age.maxTime = timeOf(n) + off;
        Particle particle = wayOf(seed, 0, age, line);
        QCOMPARE(int(particle.termination), int(Termination::MaxTime));
        QVERIFY(std::abs(particle.time - age.maxTime) < 1e-15);
        QVERIFY(length(particle.position - (seed + age.maxTime * kFlow)) < 1e-12);
        LineOptions reach;
        reach.maxLength = timeOf(n) * pace + off;
        particle = wayOf(seed, 0, reach, line);
        QCOMPARE(int(particle.termination), int(Termination::MaxLength));
        QVERIFY(particle.length >= reach.maxLength);
      }
}

void TestParticleEnds::agesThatAreLostInTheTimes() {
  Line line;
  LineOptions options;
  options.maxTime = 1e-18;
  const Particle particle = wayOf({-3.1, -3.3, -3.9}, 0.25, options, line);
  QCOMPARE(int(particle.termination), int(Termination::MaxTime));
  QCOMPARE(particle.vertices, std::int64_t{1});
  QCOMPARE(line.points.size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(TestParticleEnds)
#include "tst_particle_ends.moc"
