// Maps mixed from a few colours, and how colours look to people who see them differently.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "render/color/color_map.h"
#include "render/color/color_spaces.h"
#include "render/color/color_vision.h"
#include "render/color/diverging_map.h"
#include "render/color/interpolated_map.h"

using namespace farfield;
using namespace farfield::color;

namespace {

bool near(const Rgb8& a, const Rgb8& b, int tolerance = 2) {
  for (std::size_t c = 0; c < 3; ++c)
    if (std::abs(a[c] - b[c]) > tolerance) return false;
  return true;
}

ColorMap made(MixingSpace space, const std::vector<MixingPoint>& points) {
  scene::MapChoice choice("made");
  choice.points = writtenOut(space, points);
  return ColorMap::of(choice);
}

const std::vector<MixingPoint> kRedToBlue{{0, {1, 0, 0}}, {1, {0, 0, 1}}};

}  // namespace

class TestMapMaking : public QObject {
  Q_OBJECT
 private slots:
  void spacesMixAsVtkDoes() {
    // Middles of red and blue, of VTK's own test of its colour transfer function and by its formulas.
    QVERIFY(near(made(MixingSpace::Rgb, kRedToBlue).table()[128], {128, 0, 128}));
    QVERIFY(near(made(MixingSpace::Step, kRedToBlue).table()[128], {0, 0, 255}));
    QVERIFY(near(made(MixingSpace::Step, kRedToBlue).table()[0], {255, 0, 0}));
    // Red is at 0, blue at 2/3 of the circle: the short way leads over magenta, the other over green.
    QVERIFY(near(made(MixingSpace::Hsv, kRedToBlue).table()[128], {253, 0, 255}, 4));
    QVERIFY(near(made(MixingSpace::HsvNoWrap, kRedToBlue).table()[128], {0, 255, 3}, 4));
    const Rgb8 lab = made(MixingSpace::Lab, kRedToBlue).table()[128];
    QVERIFY2(near(lab, {202, 0, 136}, 3),
             qPrintable(QString("%1 %2 %3").arg(lab[0]).arg(lab[1]).arg(lab[2])));
  }

  void divergingMapsAreMorelands() {
    const Rgb8 low{59, 76, 192}, high{180, 4, 38};
    const auto table = divergingTable(low, high);
    const ColorMap map =
        made(MixingSpace::Diverging, {{-3, {low[0] / 255.0, low[1] / 255.0, low[2] / 255.0}},
                                      {5, {high[0] / 255.0, high[1] / 255.0, high[2] / 255.0}}});
    for (int i = 0; i < ColorMap::kEntries; ++i)
      QVERIFY(near(map.table()[std::size_t(i)], table[std::size_t(i)], 2));
  }

  void labAndItsPolarFormGoBothWays() {
    for (int r = 0; r < 256; r += 15)
      for (int g = 0; g < 256; g += 15)
        for (int b = 0; b < 256; b += 15) {
          const Rgb8 color{std::uint8_t(r), std::uint8_t(g), std::uint8_t(b)};
          QVERIFY(near(rgbOf(labOf(color)), color, 1));
          QVERIFY(near(rgbOf(labOfMsh(mshOf(labOf(color)))), color, 1));
        }
  }

  void fewPointsSayItAll() {
    QCOMPARE(writtenOut(MixingSpace::Rgb, kRedToBlue).size(), std::size_t(2));
    QVERIFY(writtenOut(MixingSpace::Lab, kRedToBlue).size() < 40);
    const auto steps =
        writtenOut(MixingSpace::Step,
                   std::vector<MixingPoint>{{0, {0, 0, 0}}, {1, {1, 0, 0}}, {2, {0, 1, 0}}, {4, {0, 0, 1}}});
    QVERIFY(steps.size() <= 8);
    QCOMPARE(steps.front().place, 0.0);
    QCOMPARE(steps.back().place, 1.0);
    for (std::size_t i = 1; i < steps.size(); ++i) QVERIFY(steps[i - 1].place <= steps[i].place);
  }

  void nonsenseIsRefused_data() {
    QTest::addColumn<int>("which");
    for (int i = 0; i < 7; ++i) QTest::addRow("%d", i) << i;
  }
  void nonsenseIsRefused() {
    QFETCH(int, which);
    const double nan = std::numeric_limits<double>::quiet_NaN(), huge = 1.7e308;
    const std::vector<MixingPoint> wrong[] = {{},
                                              {{0, {}}},
                                              {{1, {}}, {0, {}}},
                                              {{1, {}}, {1, {}}},
                                              {{0, {nan, 0, 0}}, {1, {}}},
                                              {{nan, {}}, {1, {}}},
                                              {{-huge, {}}, {huge, {}}}};
    QVERIFY_EXCEPTION_THROWN(writtenOut(MixingSpace::Lab, wrong[which]), Invalid);
  }

  void blackIsNoTrouble() {
    for (const MixingSpace space : {MixingSpace::Diverging, MixingSpace::Hsv, MixingSpace::Lab}) {
      const ColorMap map = made(space, {{0, {0, 0, 0}}, {0.5, {0, 0, 0}}, {1, {1, 1, 1}}});
      QVERIFY(near(map.table()[60], {0, 0, 0}, 0));
      QVERIFY(near(map.table()[255], {255, 255, 255}, 1));
    }
  }

  void greysLookTheSameToEverybody() {
    for (const Vision vision : {Vision::Usual, Vision::Protanopia, Vision::Deuteranopia, Vision::Tritanopia,
                                Vision::Achromatopsia}) {
      const VisionFilter filter(vision);
      for (int v = 0; v < 256; ++v) {
        const Rgb8 grey{std::uint8_t(v), std::uint8_t(v), std::uint8_t(v)};
        QVERIFY(near(filter(grey), grey, v < 16 ? 2 : 1));
      }
    }
  }

  void whatIsConfusedLooksAlike() {
    // Red and green of about the same lightness: apart to most, close without green cones.
    const Rgb8 red{190, 60, 60}, green{105, 115, 40};
    const auto apart = [](const Rgb8& a, const Rgb8& b) {
      const Triple x = labOf(a), y = labOf(b);
      return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
    };
    const VisionFilter filter(Vision::Deuteranopia);
    QVERIFY(apart(filter(red), filter(green)) < 0.5 * apart(red, green));
    const Rgb8 none = VisionFilter(Vision::Achromatopsia)(red);
    QVERIFY(none[0] == none[1] && none[1] == none[2]);
  }

  void picturesKeepTheirAlpha() {
    std::vector<std::uint32_t> pixels{0xFFBE3C3C, 0x00BE3C3C, 0xFFBE3C3C, 0x80FFFFFF};
    const auto before = pixels;
    VisionFilter(Vision::Usual).apply(pixels);
    QVERIFY(pixels == before);
    const VisionFilter filter(Vision::Protanopia);
    filter.apply(pixels);
    const Rgb8 seen = filter({0xBE, 0x3C, 0x3C});
    QCOMPARE(pixels[0], 0xFF000000u | std::uint32_t(seen[0] << 16 | seen[1] << 8 | seen[2]));
    QCOMPARE(pixels[1], pixels[0] & 0xFFFFFFu);
    QCOMPARE(pixels[2], pixels[0]);
    QCOMPARE(pixels[3] >> 24, 0x80u);
  }
};

QTEST_APPLESS_MAIN(TestMapMaking)
#include "tst_map_making.moc"
