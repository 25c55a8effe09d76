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
  std::vector<PaintedSlab> slabs(std::uint32_t count, int pixels, bool mesh) {
    m_show.pixels = pixels;
    m_show.mesh = mesh;
    const Planned plan = SlabCosts(m_painter->facts()).slabs(0, count, {0});
    std::vector<PaintedSlab> all;
    for (std::uint32_t n = 0; n < plan.ranks.size(); ++n)
      all.push_back(m_painter->slab(m_show, n, plan.edges[n], plan.edges[n + 1], {}));
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
  std::vector<double> sum(slabs.front().rgba.size());
  for (auto slab = slabs.rbegin(); slab != slabs.rend(); ++slab)
    for (std::size_t p = 0; p < sum.size(); p += 4) {
      const double clear = 1 - sum[p + 3];
      for (std::size_t c = 0; c < 4; ++c) sum[p + c] += clear * slab->rgba[p + c] / 255.0;
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

/// Each is rounded to bytes: errors add up, as the square root of their number.
void TestSlabPainter::manySlabsLoseLittle() {
  Painted painted(72);
  const std::vector<double> whole = composed(painted.slabs(1, 96, false));
  for (const std::uint32_t count : {8u, 16u, 32u, 64u}) {
    const double equal = decibels(whole, composed(painted.slabs(count, 96, false)));
    qInfo("%u slabs: %.1f dB", count, equal);
    QVERIFY2(equal >= 40, qPrintable(QString::number(equal)));
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
