// Histograms in one pass: every value counts once, in the interval where it belongs, whatever came first.
#include <QTest>
#include <cmath>
#include <numeric>
#include <random>

#include "app/model/workshop/item_sums.h"
#include "app/model/workshop/value_histogram.h"

using namespace farfield;
using namespace farfield::app;

namespace {

/// The same by sorting into intervals of a known range.
std::vector<double> expected(const std::vector<double>& values, double low, double high, std::size_t count) {
  std::vector<double> bars(count, 0.0);
  for (const double value : values)
    ++bars[std::min(count - 1,
                    static_cast<std::size_t>((value - low) / (high - low) * static_cast<double>(count)))];
  return bars;
}

/// A square of two triangles in the plane z = 1, with the values x + 2 y.
class Square final : public scene::TriangleGeometry {
 public:
  explicit Square(bool turned = false, bool border = false) : m_turned(turned), m_border(border) {}
  void visit(const std::function<void(const scene::TriangleChunk&)>& draw) const override {
    const std::vector<double> points{0, 0, 1, 3, 0, 1, 3, 2, 1, 0, 2, 1}, scalars{0, 3, 7, 4};
    const double up = m_turned ? -1 : 1;
    const std::vector<double> normals{0, 0, up, 0, 0, up, 0, 0, up, 0, 0, up};
    const std::vector<std::uint32_t> triangles{0, 1, 2, 0, 2, 3};
    draw({points, normals, scalars, triangles, {}, m_border});
  }

 private:
  bool m_turned, m_border;
};

class Corner final : public scene::LineGeometry {
 public:
  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    const std::vector<double> points{0, 0, 0, 3, 0, 0, 3, 4, 0, 9, 9, 9, 9, 9, 10}, scalars{1, 1, 3, NAN, 5};
    const std::vector<std::uint32_t> lengths{3, 2};
    draw({points, scalars, lengths});
  }
};

}  // namespace

class TestValueHistogram : public QObject {
  Q_OBJECT
 private slots:
  void everyValueCountsOnce() {
    std::mt19937 random(7);
    std::normal_distribution<double> bell(3, 2);
    std::vector<double> values;
    for (int n = 0; n < 100'000; ++n) values.push_back(bell(random));
    for (const bool sorted : {false, true}) {
      if (sorted) std::sort(values.begin(), values.end());
      ValueHistogram found;
      for (const double value : values) found.add(value);
      QCOMPARE(found.weight(), 100'000.0);
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      QCOMPARE(*found.least(), *low);
      QCOMPARE(*found.greatest(), *high);
      const std::vector<double> bars = found.bars(40), wanted = expected(values, *low, *high, 40);
      QCOMPARE(std::accumulate(bars.begin(), bars.end(), 0.0), 100'000.0);
      for (std::size_t n = 0; n < bars.size(); ++n)
        QVERIFY2(std::abs(bars[n] - wanted[n]) < 20 + 0.02 * wanted[n], std::to_string(n).c_str());
    }
  }

  void rangesGrowBothWays() {
    ValueHistogram found;
    for (const double value : {1.0, 1.0, 1e-6 + 1.0, -5e6, 2e9, -2e9, 0.0}) found.add(value);
    QCOMPARE(*found.least(), -2e9);
    QCOMPARE(*found.greatest(), 2e9);
    const std::vector<double> bars = found.bars(4);
    QCOMPARE(bars[0], 1.0);
    QCOMPARE(bars[3], 1.0);
    QCOMPARE(bars[1] + bars[2], 5.0);
  }

  void whatIsNoNumberIsCountedApart() {
    ValueHistogram found;
    QVERIFY(found.bars(10).empty() && !found.least() && !found.mean());
    for (const double value : {NAN, INFINITY, -INFINITY}) found.add(value);
    QCOMPARE(found.notFinite(), 3.0);
    QVERIFY(found.bars(10).empty());
    found.add(2, 0.5);
    found.add(2, 1.5);
    QCOMPARE(found.bars(10), std::vector<double>{2.0});
    QCOMPARE(*found.mean(), 2.0);
    // As far apart as numbers can be: the range has no width that is a number.
    found.add(-1e308);
    found.add(1.7e308);
    QCOMPARE(found.weight(), 4.0);
  }

  /// As if each piece were cut into many small ones.
  void piecesAreSpreadOverTheirValues() {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> part(0, 1), weight(0.1, 2);
    for (const std::size_t corners : {2U, 3U})
      for (const bool same : {false, true}) {  // two of three
        ValueHistogram found, wanted;
        double sum = 0, all = 0;
        for (int piece = 0; piece < 20; ++piece) {
          std::vector<double> values;
          for (std::size_t n = 0; n < corners; ++n) values.push_back(10 * part(random) - 3);
          if (same && corners == 3) values[piece % 2] = values[2];
          const double its = weight(random);
          found.addSpread(values, its);
          all += its;
          constexpr int kCuts = 300;
          int pieces = 0;
          for (int u = 0; u < kCuts; ++u)
            for (int v = 0; v < (corners == 2 ? 1 : kCuts); ++v) pieces += corners == 2 || u + v < kCuts;
          for (int u = 0; u < kCuts; ++u)
            for (int v = 0; v < (corners == 2 ? 1 : kCuts); ++v) {
              if (corners == 3 && u + v >= kCuts) continue;
              const double s = (u + 1.0 / corners) / kCuts, t = corners == 2 ? 0 : (v + 1.0 / 3) / kCuts;
              const double value =
                  values[0] + s * (values[1] - values[0]) + (corners == 3 ? t * (values[2] - values[0]) : 0);
              wanted.add(value, its / pieces);
              sum += value * its / pieces;
            }
        }
        QVERIFY(std::abs(found.weight() - all) < 1e-9);
        QVERIFY(std::abs(*found.mean() - sum / all) < 0.02);
        const std::vector<double> bars = found.bars(20, -3, 7), others = wanted.bars(20, -3, 7);
        QVERIFY(std::abs(std::accumulate(bars.begin(), bars.end(), 0.0) - all) < 1e-9);
        for (std::size_t n = 0; n < bars.size(); ++n)
          QVERIFY2(std::abs(bars[n] - others[n]) < 0.02 * all, std::to_string(n).c_str());
      }
    ValueHistogram one;
    one.addSpread(std::vector<double>{2, 2, 2}, 3);
    one.addSpread(std::vector<double>{2, NAN, 2}, 5);
    QCOMPARE(one.bars(10), std::vector<double>{3.0});
    QCOMPARE(one.notFinite(), 5.0);
    one.addSpread(std::vector<double>{-1e308, 1.7e308}, 1);
    QCOMPARE(one.weight(), 4.0);
  }

  /// Whatever way the corners go around: to where the normals point, and out of the data where these end.
  void normalsOfBordersPointOut() {
    for (const bool border : {false, true}) {
      scene::SceneItem item;
      item.triangles = std::make_shared<Square>(true, border);
      const auto sums = sumsOf(item);
      QCOMPARE(sums->vectorArea, Vec3({0, 0, border ? 6.0 : -6.0}));
      QCOMPARE(sums->through, Vec3({0, 0, border ? 21.0 : -21.0}));
      QCOMPARE(sums->integral, 6 * 3.5);
    }
  }

  void surfacesAreSummedByArea() {
    scene::SceneItem item;
    item.triangles = std::make_shared<Square>();
    const auto sums = sumsOf(item);
    QVERIFY(sums && sums->isSurface);
    QCOMPARE(sums->size, 6.0);
    QCOMPARE(sums->vectorArea, Vec3({0, 0, 6}));
    QCOMPARE(sums->integral, 6 * 3.5);  // linear: the area times the value in the middle
    QCOMPARE(sums->through, Vec3({0, 0, 21}));
    QCOMPARE(sums->least, 0.0);
    QCOMPARE(sums->greatest, 7.0);
  }

  void linesAreSummedByLength() {
    scene::SceneItem item;
    QVERIFY(!sumsOf(item));
    item.lines = std::make_shared<Corner>();
    const auto sums = sumsOf(item);
    QVERIFY(sums && !sums->isSurface);
    QCOMPARE(sums->size, 8.0);
    QCOMPARE(sums->valued, 7.0);  // one end of the last piece has no value
    QCOMPARE(sums->integral, 3.0 * 1 + 4.0 * 2);
    QVERIFY(sums->values.notFinite() > 0);
    QCOMPARE(sums->least, 1.0);
    QCOMPARE(sums->greatest, 3.0);
  }
};

QTEST_GUILESS_MAIN(TestValueHistogram)
#include "tst_value_histogram.moc"
