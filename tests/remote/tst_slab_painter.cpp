// What pictures of slabs weigh, and that many of them one behind the other still are what the volume looks like.

#include <QTest>
#include <cmath>

#include "core/fields/samples/sample_data.h"
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

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabPainter)
#include "tst_slab_painter.moc"
