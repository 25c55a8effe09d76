// Colour maps, scales, marks, and pictures as files.
#include <png.h>

#include <QTest>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/error.h"
#include "render/color/color_map.h"
#include "render/color/color_scale.h"
#include "render/color/image.h"
#include "render/color/imported_map.h"
#include "render/color/png_writer.h"
#include "render/color/shader_source.h"
#include "render/color/ticks.h"
#include "tests/support/file_contents.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::color;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// CIE L* of a colour: what "monotone to the eye" is judged by.
double lightness(Rgb8 color) {
  const double weights[3] = {0.2126, 0.7152, 0.0722};
  double y = 0;
  for (int c = 0; c < 3; ++c) {
    const double v = color[c] / 255.0;
    y += weights[c] * (v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
  }
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

std::string labelsOf(const Ticks& ticks) {
  std::string all;
  for (const Tick& tick : ticks.ticks)
    if (!tick.label.empty()) all += (all.empty() ? "" : " ") + tick.label;
  return all;
}

Image pattern(int width, int height, bool opaque) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::uint8_t* p = image.pixel(x, y);
      p[0] = std::uint8_t(7 * x + y), p[1] = std::uint8_t(x * y), p[2] = std::uint8_t(255 - x);
      p[3] = opaque ? 255 : std::uint8_t(3 * x + 5 * y);
    }
  return image;
}

Image readPng(const std::filesystem::path& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&png, path.c_str())) return {};
  png.format = PNG_FORMAT_RGBA;
  Image image(int(png.width), int(png.height));
  if (!png_image_finish_read(&png, nullptr, image.bytes().data(), 0, nullptr)) return {};
  return image;
}

}  // namespace

class TestColor : public QObject {
  Q_OBJECT
 private slots:
  /// A list of as many things as a megabyte holds: each was held against all before it, for minutes.
  void wideMapFilesTakeNoTime() {
    std::string text = "[";
    for (int n = 0; n < 400000; ++n) text += "{},";
    text += "{\"RGBPoints\": [0, 0, 0, 0, 1, 1, 1, 1]}]";
    QCOMPARE(color::mapsFromJson(text).size(), std::size_t{1});
  }

  void namesAreKnown() {
    QCOMPARE(mapNames(),
             (std::vector<std::string>{"viridis", "cividis", "cool-warm", "plasma", "turbo",   "grey",
                                       "batlow",  "hawaii",  "lajolla",   "oslo",   "thermal", "haline",
                                       "deep",    "ice",     "speed",     "YlGnBu", "vik",     "berlin",
                                       "balance", "RdBu",    "Spectral",  "romaO",  "phase"}));
    for (const std::string& name : mapNames()) QCOMPARE(ColorMap::named(name).name(), name);
    QCOMPARE(&ColorMap::named("gray"), &ColorMap::named("grey"));
  }

  void unknownNameListsTheNames() {
    try {
      ColorMap::named("jet");
      QFAIL("no error");
    } catch (const Invalid& error) {
      const std::string line = error.what();
      QVERIFY(line.find("jet") != std::string::npos);
      for (const std::string& name : mapNames()) QVERIFY(line.find(name) != std::string::npos);
    }
  }

  void endsAreThePublishedOnes_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("low");
    QTest::addColumn<QByteArray>("middle");
    QTest::addColumn<QByteArray>("high");
    QTest::newRow("viridis") << "viridis" << QByteArray("440154") << QByteArray("21918c")
                             << QByteArray("fde725");
    QTest::newRow("plasma") << "plasma" << QByteArray("0d0887") << QByteArray("cc4778")
                            << QByteArray("f0f921");
    QTest::newRow("cividis") << "cividis" << QByteArray("00224e") << QByteArray("7d7c78")
                             << QByteArray("fee838");
    QTest::newRow("turbo") << "turbo" << QByteArray("30123b") << QByteArray("a4fc3c") << QByteArray("7a0403");
    QTest::newRow("cool-warm") << "cool-warm" << QByteArray("3b4cc0") << QByteArray("dddddd")
                               << QByteArray("b40426");
    QTest::newRow("grey") << "grey" << QByteArray("000000") << QByteArray("808080") << QByteArray("ffffff");
  }
  void endsAreThePublishedOnes() {
    QFETCH(QString, name);
    QFETCH(QByteArray, low);
    QFETCH(QByteArray, middle);
    QFETCH(QByteArray, high);
    const auto table = ColorMap::named(name.toStdString()).table();
    const auto near = [](Rgb8 color, const QByteArray& hex, int tolerance) {
      const QByteArray wanted = QByteArray::fromHex(hex);
      for (int c = 0; c < 3; ++c)
        if (std::abs(color[c] - int(std::uint8_t(wanted[c]))) > tolerance) return false;
      return true;
    };
    QVERIFY(near(table.front(), low, 0));
    QVERIFY(near(table[128], middle, 2));
    QVERIFY(near(table.back(), high, 0));
  }

  void perceptualMapsBrightenEvenly() {
    for (const char* name : {"viridis", "cividis", "plasma", "grey"}) {
      const auto table = ColorMap::named(name).table();
      for (int i = 8; i < 256; i += 8) {
        const double step = lightness(table[i]) - lightness(table[i - 8]);
        QVERIFY2(step > 0.5 && step < 6, name);
      }
    }
  }

  void divergingMapIsBrightestInTheMiddle() {
    const auto table = ColorMap::named("cool-warm").table();
    for (int i = 4; i < 256; i += 4) {
      const double step = lightness(table[i]) - lightness(table[i - 4]);
      if (i <= 124) QVERIFY(step > 0);
      if (i >= 136) QVERIFY(step < 0);
    }
  }

  void mapInterpolatesAndClamps() {
    const ColorMap& grey = ColorMap::named("grey");
    QCOMPARE(grey.at(-1)[0], 0.0f);
    QCOMPARE(grey.at(2)[1], 1.0f);
    QVERIFY(std::abs(grey.at(0.3)[2] - 0.3) < 1e-6);
  }

  void scalesPlaceValues() {
    scene::ColorScale scale{.title = {}, .map = "grey", .min = 2, .max = 6};
    const Normalizer linear(scale);
    QCOMPARE(linear(2), 0.0);
    QCOMPARE(linear(5), 0.75);
    QCOMPARE(linear(8), 1.5);
    QVERIFY(std::isnan(linear(kNan)));
    scale.min = 0.01, scale.max = 100, scale.logarithmic = true;
    const Normalizer logarithmic(scale);
    QVERIFY(std::abs(logarithmic(1) - 0.5) < 1e-12);
    QVERIFY(std::abs(logarithmic(0.1) - 0.25) < 1e-12);
    QVERIFY(std::isnan(logarithmic(kNan)));
    QVERIFY(logarithmic(0) < 0 && logarithmic(-1) < 0);
  }

  void choicesTurnMapsOverAndCutThemIntoBands() {
    const ColorMap& plain = ColorMap::named("viridis");
    const auto same = [](const Rgb8& a, const Rgb8& b) {
      return std::abs(a[0] - b[0]) <= 1 && std::abs(a[1] - b[1]) <= 1 && std::abs(a[2] - b[2]) <= 1;
    };
    QVERIFY(std::equal(plain.table().begin(), plain.table().end(),
                       ColorMap::of(scene::MapChoice("viridis")).table().begin()));
    scene::MapChoice choice("viridis");
    choice.inverted = true;
    QVERIFY(std::equal(plain.table().begin(), plain.table().end(), ColorMap::of(choice).table().rbegin()));
    choice = "viridis";
    choice.bands = 5;
    const ColorMap bands = ColorMap::of(choice);
    QVERIFY(same(bands.table()[0], plain.table()[0]) && same(bands.table()[255], plain.table()[255]));
    std::set<Rgb8> colors(bands.table().begin(), bands.table().end());
    QCOMPARE(colors.size(), std::size_t(5));
    for (int band = 0; band < 5; ++band)  // each is as wide as any other
      QVERIFY(std::abs(std::count(bands.table().begin(), bands.table().end(),
                                  bands.table()[std::size_t(25 + 51 * band)]) -
                       51) <= 1);
  }

  void mapsCanBeWrittenOut() {
    scene::MapChoice choice("mine");
    choice.points = {{0, {0, 0, 0}}, {0.5, {200, 0, 0}}, {0.5, {0, 0, 200}}, {1, {255, 255, 255}}};
    const ColorMap map = ColorMap::of(choice);
    QCOMPARE(map.name(), std::string("mine"));
    QVERIFY((map.table()[0] == Rgb8{0, 0, 0}) && (map.table()[255] == Rgb8{255, 255, 255}));
    QVERIFY(map.table()[127][0] >= 198 && map.table()[127][2] == 0);
    QVERIFY(map.table()[128][0] <= 3 && map.table()[128][2] >= 200);
    QVERIFY(std::abs(map.table()[64][0] - 100) <= 1);
    const auto refused = [](std::vector<scene::MapPoint> points) {
      scene::MapChoice wrong("wrong");
      wrong.points = std::move(points);
      try {
        ColorMap::of(wrong);
      } catch (const Invalid&) {
        return true;
      }
      return false;
    };
    QVERIFY(refused({{0, {}}}));
    QVERIFY(refused({{0, {}}, {1, {}}, {0.5, {}}}));
    QVERIFY(refused({{0, {}}, {kNan, {}}}));
    QVERIFY(refused(std::vector<scene::MapPoint>(257)));
  }

  void marksOfBandsStandBetweenThem() {
    const Ticks ticks = bandTicks(0, 2, false, 8, 8);
    QCOMPARE(ticks.ticks.size(), std::size_t(7));
    QCOMPARE(ticks.ticks[2].label, std::string("0.75"));
    QCOMPARE(ticks.ticks[2].place, 0.375);
    const Ticks many = bandTicks(0, 1, false, 64, 8);
    QCOMPARE(many.ticks.size(), std::size_t(63));
    QVERIFY(std::count_if(many.ticks.begin(), many.ticks.end(),
                          [](const Tick& tick) { return !tick.label.empty(); }) <= 8);
    const Ticks decades = bandTicks(0.01, 100, true, 4, 8);
    QCOMPARE(decades.ticks[1].label, std::string("1"));
    QVERIFY(std::abs(decades.ticks[1].value - 1) < 1e-12);
    QVERIFY(bandTicks(3, 3, false, 5, 8).ticks.empty());
    // Numbers of one legend have as many decimals as one another, ends and borders alike.
    const auto labels = [](const Ticks& its) {
      std::string all = its.first;
      for (const Tick& tick : its.ticks) all += ' ' + tick.label;
      return all + ' ' + its.last;
    };
    QCOMPARE(labels(bandTicks(0.2752, 3.0961, false, 8, 8)),
             std::string("0.275 0.628 0.980 1.333 1.686 2.038 2.391 2.743 3.096"));
    QCOMPARE(labels(bandTicks(1, 2, true, 8, 8)),
             std::string("1.00 1.09 1.19 1.30 1.41 1.54 1.68 1.83 2.00"));
    QCOMPARE(labels(bandTicks(0, 2, false, 4, 8)), std::string("0.0 0.5 1.0 1.5 2.0"));
    QCOMPARE(labels(bandTicks(0, 4, false, 4, 8)), std::string("0 1 2 3 4"));
    // Of a common power of ten all are parts.
    const Ticks small = bandTicks(1e-7, 2e-7, true, 2, 8);
    QCOMPARE(small.exponent, -9);
    QCOMPARE(labels(small), std::string("100 141 200"));
  }

  void extremeScalesStayFinite() {
    constexpr double kMax = std::numeric_limits<double>::max();
    const Normalizer wide(scene::ColorScale{.title = {}, .min = -kMax, .max = kMax});
    QVERIFY(std::abs(wide(0) - 0.5) < 1e-12);
    QCOMPARE(Normalizer(scene::ColorScale{.title = {}, .min = 3, .max = 3})(3), 0.5);
    QCOMPARE(Normalizer(scene::ColorScale{.title = {}, .min = 3, .max = 3})(17), 0.5);
  }

  void senselessScalesAreRefused() {
    const auto refused = [](const scene::ColorScale& scale) {
      try {
        checkScale(scale);
      } catch (const Invalid&) {
        return true;
      }
      return false;
    };
    QVERIFY(refused({.title = {}, .map = "rainbow"}));
    QVERIFY(refused({.title = {}, .min = 1, .max = 0}));
    QVERIFY(refused({.title = {}, .min = kNan}));
    QVERIFY(refused({.title = {}, .min = 0, .max = 1, .logarithmic = true}));
    QVERIFY(!refused({.title = {}, .min = 1, .max = 1, .logarithmic = true}));
  }

  void linearMarks_data() {
    QTest::addColumn<double>("min");
    QTest::addColumn<double>("max");
    QTest::addColumn<int>("most");
    QTest::addColumn<QString>("labels");
    QTest::addColumn<int>("exponent");
    QTest::addColumn<QString>("ends");
    QTest::newRow("unit") << 0.0 << 1.0 << 6 << "0.0 0.2 0.4 0.6 0.8 1.0" << 0 << "0.0 1.0";
    QTest::newRow("odd ends") << 0.213 << 1.732 << 5 << "0.5 1.0 1.5" << 0 << "0.21 1.73";
    QTest::newRow("negative") << -35.0 << 35.0 << 4 << "−20 0 20" << 0 << "−35 35";
    QTest::newRow("pressure") << 101325.0 << 101500.0 << 5 << "101.35 101.40 101.45 101.50" << 3
                              << "101.325 101.50";
    QTest::newRow("tiny") << 0.0 << 3e-8 << 4 << "0 10 20 30" << -9 << "0 30";
    QTest::newRow("huge") << 1e300 << 5e300 << 5 << "1 2 3 4 5" << 300 << "1 5";
    QTest::newRow("small beside a power of ten")
        << 5.5e-18 << 1e-12 << 6 << "0.2 0.4 0.6 0.8 1.0" << -12 << "0 1.0";
    QTest::newRow("small, not nothing") << 4e-7 << 1.0 << 6 << "0.2 0.4 0.6 0.8 1.0" << 0 << "4×10⁻⁷ 1.0";
    QTest::newRow("next to nothing") << 4e-10 << 1.9 << 5 << "0.0 0.5 1.0 1.5" << 0 << "0.0 1.9";
    QTest::newRow("noise") << 8.65956e-17 << 1.9 << 5 << "0.0 0.5 1.0 1.5" << 0 << "0.0 1.9";
    QTest::newRow("ends between marks") << 0.1926 << 4.9775 << 6 << "1 2 3 4" << 0 << "0.19 4.98";
    QTest::newRow("an end near a mark") << -2.007 << 0.722 << 4 << "−2 −1 0" << 0 << "−2 0.72";
    QTest::newRow("a few units") << 3.0 << 8.0 << 8 << "3 4 5 6 7 8" << 0 << "3 8";
  }
  void linearMarks() {
    QFETCH(double, min);
    QFETCH(double, max);
    QFETCH(int, most);
    QFETCH(QString, labels);
    QFETCH(int, exponent);
    QFETCH(QString, ends);
    const Ticks ticks = linearTicks(min, max, most);
    QCOMPARE(QString::fromStdString(labelsOf(ticks)), labels);
    QCOMPARE(ticks.exponent, exponent);
    QCOMPARE(QString::fromStdString(ticks.first + " " + ticks.last), ends);
    for (const Tick& tick : ticks.ticks) {
      QVERIFY(tick.place >= 0 && tick.place <= 1);
      QVERIFY(std::abs(min + tick.place * (max - min) - tick.value) <= 1e-9 * std::abs(max - min));
    }
  }

  void marksAreNeverTooMany() {
    for (double min : {-7.3, 0.0, 0.99, 123.4})
      for (double span : {1e-6, 0.037, 1.0, 2.5, 9.99, 1e7, 3e250})
        for (int most = 2; most <= 8; ++most) {
          const Ticks ticks = linearTicks(min, min + span, most);
          QVERIFY(int(ticks.ticks.size()) <= most);
          QVERIFY(most < 4 || !ticks.ticks.empty());
        }
  }

  void emptyRangeHasNoMarks() {
    const Ticks ticks = linearTicks(2.5, 2.5, 5);
    QVERIFY(ticks.ticks.empty());
    QCOMPARE(ticks.first, std::string("2.5"));
    QCOMPARE(ticks.first, ticks.last);
    // 429.6 - 423.2 of single precision
    QCOMPARE(linearTicks(6.399994, 6.399994, 5).first, std::string("6.4"));
  }

  void logarithmicMarks() {
    QCOMPARE(labelsOf(logarithmicTicks(0.01, 100, 8)), std::string("0.01 0.1 1 10 100"));
    QCOMPARE(labelsOf(logarithmicTicks(1e-6, 1e-3, 8)), std::string("10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³"));
    // Less than one and a half decades: as on a linear scale, but at their logarithmic places.
    const Ticks narrow = logarithmicTicks(1, 9, 8);
    QCOMPARE(labelsOf(narrow), std::string("2 4 6 8"));
    QVERIFY(std::abs(narrow.ticks[0].place - std::log(2.0) / std::log(9.0)) < 1e-9);
    const Ticks wide = logarithmicTicks(1e-20, 1e20, 6);
    int labels = 0;
    for (const Tick& tick : wide.ticks) labels += !tick.label.empty();
    QVERIFY(labels >= 3 && labels <= 6);
    // Minor marks: 2 ... 9 of each decade.
    QCOMPARE(int(logarithmicTicks(1, 100, 8).ticks.size()), 19);
  }

  void numbersAreShort() {
    QCOMPARE(plainNumber(13.717000007, 1e-6), 13.717);
    QCOMPARE(plainNumber(-423.20001, 1e-4), -423.2);
    QCOMPARE(plainNumber(13.717000007, 0), 13.717000007);
    QCOMPARE(plainNumber(3e-9, 1e-12), 3e-9);
    QCOMPARE(plainNumber(0, 0), 0.0);
    QCOMPARE(formatNumber(0, 3), std::string("0"));
    QCOMPARE(formatNumber(0.25, 3), std::string("0.25"));
    QCOMPARE(formatNumber(-1.5, 4), std::string("−1.5"));
    QCOMPARE(formatNumber(1.2e-7, 3), std::string("1.2×10⁻⁷"));
    QCOMPARE(formatNumber(1e12, 3), std::string("1×10¹²"));
  }

  void picturesBlend() {
    Image image(4, 4);
    image.fill(0, 0, 4, 4, {1, 1, 1, 1});
    image.fill(1, 1, 3, 3, {1, 0, 0, 0.5f});
    QCOMPARE(int(image.pixel(0, 0)[1]), 255);
    QCOMPARE(int(image.pixel(1, 1)[0]), 255);
    QCOMPARE(int(image.pixel(2, 2)[1]), 128);
    image.fill(-5, 3.5, 99, 99, {0, 0, 0, 1});  // half of the last row
    QCOMPARE(int(image.pixel(3, 3)[0]), 128);
    image.blend(99, -1, {0, 0, 0, 1});  // outside: nothing
    Image clear(1, 1);
    clear.blend(0, 0, {1, 0.5f, 0, 0.25f});
    QCOMPARE(int(clear.pixel(0, 0)[0]), 255);
    QCOMPARE(int(clear.pixel(0, 0)[3]), 64);
  }

  /// As axes have that are seen from deep within the data.
  void linesReachFarBeyondThePicture() {
    const auto drawn = [](std::array<double, 2> from, std::array<double, 2> to) {
      Image image(9, 9);
      image.fill(0, 0, 9, 9, {1, 1, 1, 1});
      image.line(from, to, 1, {0, 0, 0, 1});
      int count = 0;
      for (int y = 0; y < 9; ++y)
        for (int x = 0; x < 9; ++x) count += image.pixel(x, y)[0] < 128;
      return count;
    };
    QCOMPARE(drawn({-1e12, 4.5}, {1e12, 4.5}), 9);
    QCOMPARE(drawn({4.5, -1e12}, {4.5, 1e12}), 9);
    QCOMPARE(drawn({-5, -5}, {14, 14}), 9);
    for (const double far : {1e6, 1e12, -1e12}) {
      QCOMPARE(drawn({-20, far}, {20, far + 1}), 0);
      QCOMPARE(drawn({far, -20}, {far + 1, 20}), 0);
      QCOMPARE(drawn({-2 * far, 3 * far}, {far, 3 * far}), 0);
      QCOMPARE(drawn({far, far}, {2 * far, 3 * far}), 0);
    }
  }

  void senselessSizesAreRefused() {
    for (const auto& [width, height] :
         {std::pair(0, 10), std::pair(10, -1), std::pair(16385, 1), std::pair(16384, 16384)})
      QVERIFY_EXCEPTION_THROWN(Image(width, height), Invalid);
  }

  void pngHoldsThePicture() {
    const test::TemporaryFolder folder;
    for (const bool opaque : {true, false}) {
      const Image image = pattern(67, 31, opaque);
      writePng(image, folder / "a.png");
      QVERIFY(readPng(folder / "a.png") == image);
      writePng(image, folder / "b.png");
      const std::string bytes = test::fileContents(folder / "a.png");
      QCOMPARE(bytes, test::fileContents(folder / "b.png"));
      for (const char* chunk : {"tIME", "tEXt", "iTXt", "zTXt"})
        QVERIFY(bytes.find(chunk) == std::string::npos);
    }
  }

  void pngSaysTexts() {
    const test::TemporaryFolder folder;
    const Image image = pattern(9, 7, true);
    writePng(image, folder / "a.png", {{"Title", "wing"}, {"Description", "Flügel"}, {"Software", ""}});
    QVERIFY(readPng(folder / "a.png") == image);
    const std::string bytes = test::fileContents(folder / "a.png");
    QVERIFY(bytes.find(std::string("tEXtTitle\0wing", 14)) != std::string::npos);
    QVERIFY(bytes.find(std::string("iTXtDescription\0\0\0\0\0Flügel", 27)) != std::string::npos);
    QVERIFY(bytes.find("Software") < bytes.find("IDAT"));
  }

  void failedPngLeavesNothing() {
    const test::TemporaryFolder folder;
    QVERIFY_EXCEPTION_THROWN(writePng(pattern(8, 8, true), folder / "missing" / "a.png"), Error);
    QVERIFY(std::filesystem::is_empty(folder.path()));
  }

  void shadersAreBuiltIn() {
    const std::string source = shaderSource("line.frag", "#define PEEL 0");
    QVERIFY(source.starts_with("#version 330 core\n#define PEEL 0\n"));
    QVERIFY(source.find("#include") == std::string::npos);
    QVERIFY(source.find("vec3 shade(") != std::string::npos);
    QVERIFY_EXCEPTION_THROWN(shaderSource("none.frag"), NotFound);
  }
};

QTEST_APPLESS_MAIN(TestColor)
#include "tst_color.moc"
