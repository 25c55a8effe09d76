// What pictures of slabs weigh, and that many of them one behind the other still are what the volume looks like.

#include <QTest>
#include <cmath>

#include "core/fields/samples/sample_data.h"
#include "core/scene/camera.h"
#include "remote/slabd/frame_exchange.h"
#include "remote/slabd/slab_costs.h"
#include "remote/slabd/slab_painter.h"

namespace farfield::test {
namespace {

using namespace remote;

class Painted {
 public:
  explicit Painted(int edge) : m_account(std::uint64_t{512} << 20) {
    fields::ReaderRegistry readers;
    readers.add(std::make_unique<samples::SampleDataReader>());
    m_data = readers.open({{"sample://turbulence?size=" + std::to_string(edge)}, {}, {}, {}}, m_account);
    m_painter = std::make_unique<SlabPainter>(
        *m_data, m_account, SlabPainter::Options{1, std::filesystem::temp_directory_path()});
    m_show.by = "velocity-x";
    m_show.axis = 0;
    m_show.look.opacity = {{-2, 0.1}, {0, 0}, {2, 0.1}};
    m_show.look.unitLength = 0.1;
    m_show.scale.min = -2;
    m_show.scale.max = 2;
  }
  /// Of as many slabs.
  std::vector<PaintedSlab> slabs(std::uint32_t count, int pixels, bool mesh, int valueBytes = 1) {
    m_show.pixels = pixels;
    m_show.mesh = mesh;
    const Planned plan = SlabCosts(m_painter->facts()).slabs(0, count, {0});
    std::vector<PaintedSlab> all;
    for (std::uint32_t n = 0; n < plan.ranks.size(); ++n)
      all.push_back(m_painter->slab(m_show, n, plan.edges[n], plan.edges[n + 1], {}, valueBytes));
    return all;
  }
  /// From greater z, with the axes stretched.
  std::vector<PaintedSlab> slabsAlongZ(std::uint32_t count, Vec3 stretch, double unit) {
    m_show.camera.stretch = stretch;
    m_show.look.unitLength = unit;
    m_show.axis = 2;
    m_show.pixels = 96;
    const Planned plan = SlabCosts(m_painter->facts()).slabs(2, count, {0});
    std::vector<PaintedSlab> all;
    for (std::uint32_t n = 0; n < plan.ranks.size(); ++n)
      all.push_back(m_painter->slab(m_show, n, plan.edges[n], plan.edges[n + 1], {}, 2));
    return all;
  }
  /// A frame of parts along z, one behind the other.
  std::vector<double> frame(std::uint32_t count, Vec3 stretch) {
    constexpr int kSize = 80;
    const Bounds bounds = m_painter->facts().bounds;
    m_show.kind = ShowKind::Frame;
    m_show.camera = scene::cameraFor(bounds, {1, -1, 0.7}, {0, 0, 1}, 1, stretch);
    m_show.width = m_show.height = m_show.rows = kSize;
    m_show.look.unitLength = 0.1;
    const Planned plan = SlabCosts(m_painter->facts()).slabs(2, count, {0});
    std::vector<double> sum(4 * kSize * kSize);
    std::vector<float> part(sum.size());
    for (const std::size_t n : visibilityOrder(m_show.camera, 2, plan.edges)) {
      m_painter->frame(m_show, 2, plan.edges[n], plan.edges[n + 1], {}, part);
      for (std::size_t p = 0; p < sum.size(); p += 4) {
        const double clear = 1 - sum[p + 3];
        for (std::size_t c = 0; c < 4; ++c) sum[p + c] += clear * static_cast<double>(part[p + c]);
      }
    }
    return sum;
  }

 private:
  MemoryAccount m_account;
  std::unique_ptr<fields::OpenData> m_data;
  std::unique_ptr<SlabPainter> m_painter;
  ShowRequest m_show;
};

/// One behind the other, from greater coordinates.
std::vector<double> composed(const std::vector<PaintedSlab>& slabs) {
  const SlabHead& first = slabs.front().head;
  std::vector<double> sum(4 * static_cast<std::size_t>(first.width) * static_cast<std::size_t>(first.height));
  for (auto slab = slabs.rbegin(); slab != slabs.rend(); ++slab) {
    const std::uint8_t* const bytes = slab->rgba.data();
    const auto value = [&](std::size_t at) {
      return slab->head.valueBytes == 2 ? (bytes[2 * at] + 256 * bytes[2 * at + 1]) / 65535.0
                                        : bytes[at] / 255.0;
    };
    for (std::size_t p = 0; p < sum.size(); p += 4) {
      const double clear = 1 - sum[p + 3];
      for (std::size_t c = 0; c < 4; ++c) sum[p + c] += clear * value(p + c);
    }
  }
  return sum;
}

double decibels(const std::vector<double>& one, const std::vector<double>& other) {
  double sum = 0;
  for (std::size_t n = 0; n < one.size(); ++n) sum += std::pow(one[n] - other[n], 2);
  return sum > 0 ? 10 * std::log10(static_cast<double>(one.size()) / sum) : 99;
}

std::uint64_t bytesOfAll(const std::vector<PaintedSlab>& slabs) {
  std::uint64_t bytes = 0;
  for (std::uint32_t n = 0; n < slabs.size(); ++n)
    bytes += bytesOf(slabs[n].head).size() + bytesOf(sentPixels(n, slabs[n])).size();
  return bytes;
}

}  // namespace

class TestSlabPainter : public QObject {
  Q_OBJECT
 private slots:
  void manySlabsLoseLittle();
  void bytesGrowWithTheArea();
  void axesAreStretched();
};

/// Each is rounded to bytes, and errors add up: where there are more than a few they have 16 bits.
void TestSlabPainter::manySlabsLoseLittle() {
  Painted painted(72);
  const std::vector<double> whole = composed(painted.slabs(1, 96, false, 2));
  for (const std::uint32_t count : {8u, 16u, 32u, 64u}) {
    const std::vector<PaintedSlab> bytes = painted.slabs(count, 96, false),
                                   fine = painted.slabs(count, 96, false, 2);
    const double ofBytes = decibels(whole, composed(bytes)), ofFine = decibels(whole, composed(fine));
    qInfo("%u slabs: %.1f dB in bytes (%llu of them), %.1f dB in 16 bits (%llu bytes)", count, ofBytes,
          static_cast<unsigned long long>(bytesOfAll(bytes)), ofFine,
          static_cast<unsigned long long>(bytesOfAll(fine)));
    QVERIFY2(ofBytes >= 40, qPrintable(QString::number(ofBytes)));
    QVERIFY2(ofFine >= 60, qPrintable(QString::number(ofFine)));
    QVERIFY(bytesOfAll(fine) < 4 * bytesOfAll(bytes));
    QCOMPARE(valueBytesFor(count), count > 16 ? 2 : 1);
  }
}

/// Twice the nodes along each axis, eight times the data: pictures as fine as the data take about four times the bytes.
void TestSlabPainter::bytesGrowWithTheArea() {
  const std::uint64_t fewer = bytesOfAll(Painted(64).slabs(8, 64, true)),
                      more = bytesOfAll(Painted(128).slabs(8, 128, true));
  qInfo("64^3: %llu bytes, 128^3: %llu bytes", static_cast<unsigned long long>(fewer),
        static_cast<unsigned long long>(more));
  QVERIFY(fewer > 10000);
  QVERIFY(static_cast<double>(more) < 4.4 * static_cast<double>(fewer));
  QVERIFY(static_cast<double>(more) > 2 * static_cast<double>(fewer));
}

/// A ray along an axis that is twice as long passes twice as much, and parts of a frame are cut where the data are.
void TestSlabPainter::axesAreStretched() {
  Painted painted(48);
  const std::vector<double> plain = composed(painted.slabsAlongZ(4, {1, 1, 1}, 0.1)),
                            alike = composed(painted.slabsAlongZ(4, {2, 2, 2}, 0.2)),
                            longer = composed(painted.slabsAlongZ(4, {1, 1, 2}, 0.2)),
                            denser = composed(painted.slabsAlongZ(4, {1, 1, 2}, 0.1));
  QVERIFY(plain == alike);
  qInfo("along the stretched axis %.1f dB, with another unit %.1f dB", decibels(plain, longer),
        decibels(plain, denser));
  QVERIFY(decibels(plain, longer) >= 40);
  QVERIFY(decibels(plain, denser) < 30);
  const std::vector<double> whole = painted.frame(1, {1, 1, 3}), parts = painted.frame(5, {1, 1, 3});
  QVERIFY2(decibels(whole, parts) >= 60, qPrintable(QString::number(decibels(whole, parts))));
  QVERIFY(decibels(whole, painted.frame(1, {1, 1, 1})) < 30);
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabPainter)
#include "tst_slab_painter.moc"
