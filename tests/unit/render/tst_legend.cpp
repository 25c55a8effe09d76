// Words in pictures: text and legends.
#include <QTest>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "render/color/color_map.h"
#include "render/color/legend.h"
#include "render/color/lettering.h"
#include "render/color/text.h"

using namespace farfield;
using namespace farfield::color;
using scene::ColorScale;
using scene::Rgba;

namespace {

constexpr Rgba kWhite{1, 1, 1, 1}, kBlack{0, 0, 0, 1};

Image blank(int width, int height, const Rgba& color) {
  Image image(width, height);
  image.fill(0, 0, width, height, color);
  return image;
}

// The smallest box around all pixels that differ from `background`.
PixelBox inked(const Image& image, const Rgba& background, PixelBox within) {
  PixelBox box{image.width(), image.height(), 0, 0};
  for (int y = within.top; y < within.bottom; ++y)
    for (int x = within.left; x < within.right; ++x)
      if (std::abs(image.pixel(x, y)[0] - 255 * background[0]) > 2 ||
          std::abs(image.pixel(x, y)[1] - 255 * background[1]) > 2 ||
          std::abs(image.pixel(x, y)[2] - 255 * background[2]) > 2) {
        box.left = std::min(box.left, x), box.right = std::max(box.right, x + 1);
        box.top = std::min(box.top, y), box.bottom = std::max(box.bottom, y + 1);
      }
  return box;
}
PixelBox inked(const Image& image, const Rgba& background) {
  return inked(image, background, {0, 0, image.width(), image.height()});
}

bool overlap(const PixelBox& a, const PixelBox& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool hasFont() {
  try {
    Font font(12);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

std::vector<ColorScale> someScales(int count) {
  std::vector<ColorScale> scales;
  for (int i = 0; i < count; ++i) {
    ColorScale scale{.title = "quantity " + std::to_string(i), .min = -1.234567 * i, .max = 98.7654321 + i};
    if (i % 3 == 1) scale.title = "a rather long_name of a variable that does not end soon";
    if (i % 3 == 1) scale.min = 1e-7, scale.max = 3e4 + i, scale.logarithmic = true;
    if (i % 3 == 2) scale.min = 2e-9, scale.max = 5e-9 + 1e-9 * i;
    scales.push_back(scale);
  }
  return scales;
}

}  // namespace

class TestLegend : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (!hasFont()) QSKIP("no font is installed");
  }

  void textStandsOnItsBaseLine() {
    const Font font(40);
    Image image = blank(200, 100, kWhite);
    font.draw(image, 20, 70, "HE", kBlack);
    const PixelBox box = inked(image, kWhite);
    QCOMPARE(box.bottom, 70);
    QVERIFY(std::abs((box.bottom - box.top) - font.capHeight()) <= 1);
    QVERIFY(box.left >= 20 && box.left <= 28);
    QVERIFY(std::abs(box.right - (20 + font.width("HE"))) <= 6);
  }

  void widthAddsUp() {
    const Font font(20);
    QCOMPARE(font.width(""), 0.0);
    QVERIFY(font.width("mm") > 1.9 * font.width("m"));
    QVERIFY(font.width("mm") < 2.1 * font.width("m"));
    QVERIFY(Font(40).width("word") > 1.9 * font.width("word"));
  }

  void strangeTextDoesNoHarm() {
    const Font font(20);
    Image image = blank(50, 30, kWhite);
    for (const char* text : {"\xff\xfe broken", "\xe4\xbd", "日本語", "10⁻⁷", "\xf0\x9f\x98\x80", "\x01\n\t"})
      font.draw(image, -5, 20, text, kBlack);
    QVERIFY(font.width("\xff") > 0);
  }

  void longTextIsCutWithDots() {
    const Font font(16);
    QCOMPARE(font.elided("short", 500), std::string("short"));
    const std::string cut = font.elided("a very long title that cannot fit", 100);
    QVERIFY(cut.ends_with("…"));
    QVERIFY(font.width(cut) <= 100);
    const auto lines = font.wrapped("total temperature ratio", 120, 2);
    QCOMPARE(int(lines.size()), 2);
    for (const std::string& line : lines) QVERIFY(font.width(line) <= 120);
    // A unit keeps together where it fits.
    QCOMPARE(font.wrapped("TEMP [DEG C]", font.width("TEMP [DEG C"), 3),
             (std::vector<std::string>{"TEMP", "[DEG C]"}));
    QCOMPARE(font.wrapped("q [kg m]", font.width("[kg"), 3), (std::vector<std::string>{"q", "[kg", "m]"}));
    // Names of functions have hyphens.
    const auto parts = font.wrapped("pressure-gradient-magnitude", 1.2 * font.width("pressure-gradient-"), 3);
    QCOMPARE(parts, (std::vector<std::string>{"pressure-gradient-", "magnitude"}));
    QCOMPARE(font.wrapped("density", 120, 2), std::vector<std::string>{"density"});
    for (const std::string& line : font.wrapped("onewordthatismuchtoolongforit and more", 60, 2))
      QVERIFY(font.width(line) <= 60);
  }

  void longNamesAreToldApart() {
    const Font font(16);
    // A name without a place to break is broken all the same, and nothing of it is lost.
    const std::string word = "vorticitymagnitudeofthemeanflow";
    std::string whole;
    for (const std::string& line : font.wrapped(word, 0.4 * font.width(word), 4)) {
      QVERIFY(font.width(line) <= 0.4 * font.width(word));
      whole += line;
    }
    QCOMPARE(whole, word);
    // Where even that is not enough, beginning and end are there.
    const std::string cut = font.wrapped("density-averaged-temperature-fluctuation-squared", 90, 1).front();
    QVERIFY(font.width(cut) <= 90);
    QVERIFY2(cut.starts_with("den") && cut.ends_with("red") && cut.find("…") != std::string::npos,
             cut.c_str());
    const std::vector<std::string> parts =
        font.wrapped("sqrt(density)*velocity", 0.7 * font.width("sqrt(density)*velocity"), 3);
    QCOMPARE(parts, (std::vector<std::string>{"sqrt(density)*", "velocity"}));
    QCOMPARE(font.widestWord("sqrt(density)*velocity"), font.width("density)"));
    QCOMPARE(font.widestWord("static temperature"), font.width("temperature"));
    // Or, where words are to stay whole, as much of them as fits.
    const std::vector<std::string> elided = font.wrapped(
        "mean concentration of it", 0.8 * font.width("concentration"), 4, Font::LongWords::Elide);
    QCOMPARE(elided.size(), std::size_t{3});
    QCOMPARE(elided[0], std::string("mean"));
    QVERIFY2(elided[1].starts_with("conc") && elided[1].ends_with("tion") &&
                 elided[1].find("…") != std::string::npos,
             elided[1].c_str());
    QCOMPARE(elided[2], std::string("of it"));
    QCOMPARE(font.elidedInMiddle("größer als ß", 1000), std::string("größer als ß"));
    QCOMPARE(font.elidedInMiddle("größer", 1), std::string("…"));
  }

  void legendsAreWholeAndApart_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("all");
    QTest::newRow("one") << 1280 << 800 << 1 << true;
    QTest::newRow("three") << 1280 << 800 << 3 << true;
    QTest::newRow("twelve") << 1280 << 800 << 12 << true;
    QTest::newRow("small") << 320 << 240 << 2 << false;
    QTest::newRow("tiny") << 40 << 30 << 2 << false;
    QTest::newRow("one pixel") << 1 << 1 << 1 << false;
    QTest::newRow("large") << 3840 << 2160 << 3 << true;
    QTest::newRow("portrait") << 600 << 1200 << 3 << true;
    QTest::newRow("hundred") << 1280 << 800 << 100 << false;
  }
  void legendsAreWholeAndApart() {
    QFETCH(int, width);
    QFETCH(int, height);
    QFETCH(int, count);
    QFETCH(bool, all);
    Image image = blank(width, height, kWhite);
    const auto boxes = drawLegends(image, someScales(count), kWhite);
    if (all) QCOMPARE(int(boxes.size()), count);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const PixelBox& box = boxes[i];
      QVERIFY(box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height);
      for (std::size_t j = 0; j < i; ++j) QVERIFY(!overlap(box, boxes[j]));
      // The words keep inside of the box: nothing touches its rim.
      const PixelBox ink = inked(image, kWhite, box);
      QVERIFY(ink.left > box.left && ink.right < box.right && ink.top > box.top && ink.bottom < box.bottom);
    }
    // And nothing is drawn outside of the boxes.
    for (const PixelBox& box : boxes) image.fill(box.left, box.top, box.right, box.bottom, kWhite);
    const PixelBox rest = inked(image, kWhite);
    QVERIFY(rest.left >= rest.right);
  }

  /// As in one of four views of a small window: no quantity is left without its bar, and a title is not cut while it has room below.
  void smallViewsHaveAllLegends() {
    const std::string title = "A long title of the picture, that of step ";
    std::vector<Image> pictures;
    for (const char* const step : {"1", "2"}) {
      scene::Scene scene;
      scene.title = title + step;
      for (const char* const name : {"pressure-gradient-magnitude", "velocity-magnitude",
                                     "sqrt(velocity-x^2+velocity-y^2)/pressure"}) {
        scene.items.emplace_back();
        scene.items.back().colored = true;
        scene.items.back().scale = {.title = name, .min = 0.2, .max = 3.3};
      }
      pictures.push_back(blank(185, 222, kWhite));
      const auto boxes = annotate(pictures.back(), scene);
      QCOMPARE(int(boxes.size()), 3);
      const PixelBox lines = inked(pictures.back(), kWhite, {0, 0, 185, boxes[0].top});
      QVERIFY2(lines.bottom > 30 && lines.right < 185, qPrintable(QString::number(lines.bottom)));
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        QVERIFY(boxes[i].left > 0 && boxes[i].right <= 185 && boxes[i].bottom <= 222);
        for (std::size_t j = 0; j < i; ++j) QVERIFY(!overlap(boxes[i], boxes[j]));
      }
    }
    QVERIFY(!(pictures[0] == pictures[1]));
  }

  void oneLegendFitsItsStrip() {
    for (const auto& [width, height] : {std::pair(1280, 800), std::pair(1920, 1080), std::pair(3840, 2160)}) {
      Image image = blank(width, height, kWhite);
      const ColorScale scale{.title = "velocity magnitude", .min = 0.4, .max = 5.2};
      const auto boxes = drawLegends(image, std::span(&scale, 1), kWhite);
      QCOMPARE(int(boxes.size()), 1);
      QVERIFY(boxes[0].left >= (1 - kLegendStrip - 0.005) * width);
    }
  }

  void barShowsTheMapUpwards() {
    Image image = blank(1280, 800, kWhite);
    const ColorScale scale{.title = "t", .map = "viridis"};
    const auto boxes = drawLegends(image, std::span(&scale, 1), kWhite);
    QCOMPARE(int(boxes.size()), 1);
    const auto table = ColorMap::named("viridis").table();
    // Along a column inside of the bar both ends of the map appear, the high one above.
    int highest = -1, lowest = -1;
    const int x = boxes[0].left + 18;
    for (int y = boxes[0].top; y < boxes[0].bottom; ++y) {
      const std::uint8_t* p = image.pixel(x, y);
      const auto near = [&](Rgb8 c) {
        return std::abs(p[0] - c[0]) + std::abs(p[1] - c[1]) + std::abs(p[2] - c[2]) < 12;
      };
      if (highest < 0 && near(table.back())) highest = y;
      if (near(table.front())) lowest = y;
    }
    QVERIFY(highest > 0 && lowest > highest + 200);
  }

  // Placed, sized, titled and numbered by hand; only letters have a rim, and no veil lies over the data.
  void legendsLookAsTheyAreWanted() {
    const Rgba data{0.2f, 0.6f, 0.3f, 1};
    Image image = blank(1280, 800, data);
    ColorScale scale{.title = "pressure", .map = "grey", .min = 0.123456789, .max = 9.87654321};
    scale.legend.place = {{0, 1}};
    const auto usual = drawLegends(image, std::span(&scale, 1), kWhite);
    QCOMPARE(int(usual.size()), 1);
    QCOMPARE(usual[0].left, 0);
    QCOMPARE(usual[0].bottom, 800);
    QCOMPARE(usual[0].function, std::string("pressure"));
    const std::uint8_t* corner = image.pixel(usual[0].left + 1, usual[0].top + 1);
    QVERIFY(corner[0] == 51 && corner[1] == 153 && corner[2] == 77);
    scale.legend.size = 1.5;
    image = blank(1280, 800, data);
    const auto larger = drawLegends(image, std::span(&scale, 1), kWhite);
    QVERIFY(larger[0].right - larger[0].left > 1.3 * (usual[0].right - usual[0].left));
    QVERIFY(larger[0].bottom - larger[0].top > 1.3 * (usual[0].bottom - usual[0].top));
    // Fewer digits are narrower; another title, and more numbers, are other pictures.
    scale.legend = {.place = {{1, 0}}, .digits = 2};
    Image narrow = blank(1280, 800, kWhite);
    const auto two = drawLegends(narrow, std::span(&scale, 1), kWhite);
    QCOMPARE(two[0].right, 1280);
    scale.legend.digits = 12;
    Image wide = blank(1280, 800, kWhite);
    const auto twelve = drawLegends(wide, std::span(&scale, 1), kWhite);
    QVERIFY(twelve[0].right - twelve[0].left > two[0].right - two[0].left + 30);
    for (const auto& change : {+[](scene::LegendLook& look) { look.title = "p"; },
                               +[](scene::LegendLook& look) { look.labels = 20; }}) {
      ColorScale other = scale;
      change(other.legend);
      Image changed = blank(1280, 800, kWhite);
      drawLegends(changed, std::span(&other, 1), kWhite);
      QVERIFY(!(changed == wide));
    }
    scale.legend.visible = false;
    Image none = blank(1280, 800, kWhite);
    QVERIFY(drawLegends(none, std::span(&scale, 1), kWhite).empty());
    QVERIFY(none == blank(1280, 800, kWhite));
  }

  // Behind a transparent picture anything may lie; over what is drawn in it letters have their rim.
  void lettersHaveARimWhereSomethingIsDrawn() {
    const Rgba dark{0.2f, 0.1f, 0.3f, 1}, clear{1, 1, 1, 0};
    const auto written = [](Image image, const Rgba& background) {
      const Lettering letters(image, background);
      letters.write(10, 60, "pressure", letters.ink());
      return image;
    };
    const Image drawn = written(blank(200, 100, dark), clear);
    QVERIFY(drawn == written(blank(200, 100, dark), kWhite));
    const Image alone = written(Image(200, 100), clear);
    int inked = 0, pale = 0;
    for (int y = 0; y < 100; ++y)
      for (int x = 0; x < 200; ++x) {
        if (alone.pixel(x, y)[3] > 0) {
          ++inked;
          QVERIFY(alone.pixel(x, y)[0] < 60);
        }
        if (drawn.pixel(x, y)[0] > 120) ++pale;
      }
    QVERIFY(inked > 50);
    QVERIFY(pale > 50);
  }

  void linesAreDrawnInAnyDirection() {
    for (const auto& [x, y] : {std::pair(90.0, 20.0), {20.0, 90.0}, {90.0, 90.0}, {20.0, 20.5}}) {
      Image image = blank(100, 100, kWhite);
      image.line({20, 20}, {x, y}, 2, kBlack);
      QVERIFY(image.pixel(20, 20)[0] < 160);
      QVERIFY(image.pixel(int(0.5 * (20 + x)), int(0.5 * (20 + y)))[0] < 160);
      const PixelBox box = inked(image, kWhite);
      QVERIFY(box.left >= 18 && box.top >= 18 && box.right <= x + 3 && box.bottom <= y + 3);
    }
    // Far outside of the picture it ends, and does no harm.
    Image image = blank(50, 30, kWhite);
    image.line({-1e7, -2e7}, {1e7, 3e7}, 3, kBlack);
    image.line({NAN, 0}, {1, 1}, 3, kBlack);
  }

  void inkContrastsWithTheBackground() {
    const ColorScale scale{.title = "HHHH", .map = "grey"};
    for (const Rgba& background : {kWhite, kBlack, Rgba{0.1f, 0.1f, 0.3f, 1}, Rgba{0.8f, 0.8f, 0.6f, 1}}) {
      Image image = blank(1280, 800, background);
      const auto boxes = drawLegends(image, std::span(&scale, 1), background);
      QCOMPARE(int(boxes.size()), 1);
      double most = 0;
      const auto title = PixelBox{boxes[0].left, boxes[0].top, boxes[0].right, boxes[0].top + 30};
      for (int y = title.top; y < title.bottom; ++y)
        for (int x = title.left; x < title.right; ++x)
          most = std::max(most, std::abs(image.pixel(x, y)[1] / 255.0 - background[1]));
      QVERIFY(most > 0.45);
    }
  }

  void equalScalesShareALegend() {
    Image image = blank(1280, 800, kWhite);
    ColorScale named{.title = "density"}, unnamed{};
    const std::vector<ColorScale> scales{named, unnamed, named};
    QCOMPARE(int(drawLegends(image, scales, kWhite).size()), 1);
    named.max = 2;
    QCOMPARE(int(drawLegends(image, std::vector{scales[0], named}, kWhite).size()), 2);
  }

  void titleAndLegendKeepApart() {
    scene::Scene scene;
    scene.title = std::string(400, 'W');
    scene::SceneItem item;
    item.colored = true;
    for (int i = 0; i < 4; ++i) {
      item.scale.title = "quantity " + std::to_string(i);
      scene.items.push_back(item);
    }
    Image image = blank(800, 500, kWhite);
    const auto boxes = annotate(image, scene);
    QCOMPARE(int(boxes.size()), 4);
    int top = image.height();
    for (const PixelBox& box : boxes) top = std::min(top, box.top);
    for (const PixelBox& box : boxes) image.fill(box.left, box.top, box.right, box.bottom, kWhite);
    const PixelBox title = inked(image, kWhite);
    QVERIFY(title.bottom > title.top && title.bottom <= top);
    QVERIFY(title.left > 0 && title.right < 800);
  }

  void legendsOfOneTitleSayWhoseTheyAre() {
    const auto drawn = [](double otherMax, bool named) {
      scene::Scene scene;
      for (const char* const name : {"wall", "lines"}) {
        scene::SceneItem item;
        if (named) item.name = name;
        item.colored = true;
        item.scale.title = "pressure";
        if (item.name == "lines" || scene.items.size() == 1) item.scale.max = otherMax;
        scene.items.push_back(item);
      }
      Image image = blank(800, 500, kWhite);
      const auto boxes = annotate(image, scene);
      const auto bytes = image.bytes();
      return std::pair(boxes.size(), std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
    };
    const auto plain = drawn(7, false), named = drawn(7, true);
    QCOMPARE(plain.first, 2u);
    QCOMPARE(named.first, 2u);
    QCOMPARE(named.second == plain.second, !hasFont());
    // One legend for both needs no name.
    QCOMPARE(drawn(1, true).first, 1u);
    QVERIFY(drawn(1, true).second == drawn(1, false).second);
  }

  /// Also one that begins as the function is called.
  void typedTitlesStayAsTheyAre() {
    const auto drawn = [](const std::string& title, bool named) {
      scene::Scene scene;
      for (const char* const name : {"wall", "lines"}) {
        scene::SceneItem item;
        if (named) item.name = name;
        item.colored = true;
        item.scale = {.title = "pressure", .legend = {.title = scene.items.empty() ? title : "p of lines"}};
        item.scale.max = scene.items.empty() ? 1 : 7;
        scene.items.push_back(item);
      }
      Image image = blank(800, 500, kWhite);
      annotate(image, scene);
      const auto bytes = image.bytes();
      return std::vector<std::uint8_t>(bytes.begin(), bytes.end());
    };
    const std::string typed = "pressure [Pa] of a wall";
    QVERIFY(drawn(typed, true) == drawn(typed, false));
    // With its units alone it is called as it would be by itself, and that of another bar may be the same.
    QCOMPARE(drawn("pressure [Pa]", true) == drawn("pressure [Pa]", false), !hasFont());
  }

  void whatIsAlikeHasOneLegendBesideAnother() {
    // Two objects of one data set with the same scale, and one of another data set.
    for (const std::size_t alike : {2, 3, 5}) {
      scene::Scene scene;
      for (std::size_t n = 0; n <= alike; ++n) {
        scene::SceneItem item;
        item.name = "object " + std::to_string(n);
        item.colored = true;
        item.scale.title = "pressure";
        if (n == alike) item.scale.max = 7;
        scene.items.push_back(item);
      }
      Image image = blank(800, 500, kWhite);
      QCOMPARE(annotate(image, scene).size(), 2u);
    }
  }

  void legendsGoToTheLeft() {
    for (const std::size_t count : {1u, 2u, 5u}) {
      std::vector<ColorScale> scales = someScales(static_cast<int>(count));
      scales.push_back(scales.front());  // shares the place of the first
      scales.push_back({.title = "placed", .legend = {.place = {{0.9, 0.1}}}});
      std::vector<ColorScale*> all;
      for (ColorScale& scale : scales) all.push_back(&scale);
      placeAtLeft(all);
      QVERIFY(scales[count].legend == scales[0].legend);
      QCOMPARE(scales.back().legend.place->at(0), 0.9);
      Image image = blank(400, 600, kWhite);
      scales.pop_back();
      const auto boxes = drawLegends(image, scales, kWhite);
      QCOMPARE(boxes.size(), count);
      for (std::size_t n = 0; n < count; ++n) {
        QVERIFY(boxes[n].left < 20 && boxes[n].right < 200 && boxes[n].bottom <= 600);
        if (n > 0) QVERIFY(boxes[n].top >= boxes[n - 1].bottom);
      }
      // Below a title, and whole at the bottom.
      const auto below = drawLegends(image, scales, kWhite, 90);
      QCOMPARE(below.size(), count);
      for (std::size_t n = 0; n < count; ++n) {
        QVERIFY(below[n].top >= 90 && below[n].bottom < 598);
        if (n > 0) QVERIFY(below[n].top >= below[n - 1].bottom);
      }
    }
  }

  /// Small views with long names have short bars, as at the right.
  void legendsAtTheLeftStandApart_data() {
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("count");
    for (const int height : {240, 340, 420, 700})
      for (const int count : {2, 3}) QTest::addRow("%d of %d", count, height) << height << count;
  }
  void legendsAtTheLeftStandApart() {
    QFETCH(int, height);
    QFETCH(int, count);
    std::vector<ColorScale> scales;
    for (int n = 0; n < count; ++n)
      scales.push_back({.title = "velocity-magnitude of object " + std::to_string(n) + ", streamlines",
                        .max = n + 0.5,
                        .below = scene::Rgba{0, 0, 0, 1},
                        .above = scene::Rgba{1, 0, 0, 1}});
    std::vector<ColorScale*> all;
    for (ColorScale& scale : scales) all.push_back(&scale);
    placeAtLeft(all);
    Image image = blank(height, height, kWhite);
    const auto boxes = drawLegends(image, scales, kWhite);
    QCOMPARE(int(boxes.size()), count);
    for (std::size_t n = 0; n < boxes.size(); ++n) {
      QVERIFY(boxes[n].top >= 0 && boxes[n].bottom <= height);
      if (n > 0)
        QVERIFY2(boxes[n].top >= boxes[n - 1].bottom,
                 qPrintable(QString("%1, %2").arg(boxes[n].top).arg(boxes[n - 1].bottom)));
    }
  }

  // What is said of a function's legend is said of all that it has, so one place is that of all.
  void legendsOfAFunctionKeepTogether_data() {
    QTest::addColumn<double>("x");
    QTest::addColumn<double>("y");
    QTest::addColumn<int>("height");
    for (const int height : {200, 900})
      for (const double at : {0.0, 0.4, 1.0}) QTest::addRow("%g of %d", at, height) << at << 1 - at << height;
  }
  void legendsOfAFunctionKeepTogether() {
    QFETCH(double, x);
    QFETCH(double, y);
    QFETCH(int, height);
    std::vector<ColorScale> scales;
    for (const char* const name : {"pressure, lines", "pressure, surface", "pressure, slice"})
      scales.push_back({.title = "pressure", .max = 1.0 + double(scales.size()), .legend = {.title = name}});
    scales.insert(scales.begin() + 1, {.title = "density"});
    for (ColorScale& scale : scales)
      if (scale.title == "pressure") scale.legend.place = {{x, y}};
    Image image = blank(height, height, kWhite);
    const auto boxes = drawLegends(image, scales, kWhite);
    QCOMPARE(int(boxes.size()), 4);
    for (std::size_t n = 0; n < 3; ++n) {
      QVERIFY(boxes[n].name != "density");
      QVERIFY(boxes[n].top >= 0 && boxes[n].bottom <= height && boxes[n].right <= height);
      if (n > 0) QVERIFY(boxes[n].top >= boxes[n - 1].bottom);
      // Together they are where one of that size would be.
      const PixelBox& group = boxes[n].group;
      QCOMPARE(group.top, boxes[0].top);
      QCOMPARE(group.bottom, boxes[2].bottom);
      QVERIFY(std::abs(group.left - x * (height - (group.right - group.left))) <= 1);
      QVERIFY(std::abs(group.top - y * (height - (group.bottom - group.top))) <=
              3);  // a part of a pixel each
    }
    QCOMPARE(boxes[3].group.bottom, boxes[3].bottom);
  }

  /// What their place leaves free is known before they are drawn.
  void placedLegendsAreMeasured() {
    scene::Scene scene;
    scene.background = kWhite;
    const std::array<double, 2> place{0.9, 0.8};
    for (const char* const title : {"p", "a title that is a good deal longer than the bar is wide"}) {
      scene.items.assign(1, {});
      scene.items[0].colored = true;
      scene.items[0].scale = {.title = "pressure", .legend = {.title = title, .place = place}};
      Image image = blank(800, 600, kWhite);
      const auto boxes = annotate(image, scene);
      const auto size = placedSize(scene, "pressure", place, 800, 600);
      QVERIFY(boxes.size() == 1 && size);
      QCOMPARE(double(boxes[0].right - boxes[0].left), (*size)[0]);
      QVERIFY(std::abs(boxes[0].bottom - boxes[0].top - (*size)[1]) < 1);
      QVERIFY(std::abs(boxes[0].left - place[0] * (800 - (*size)[0])) <= 0.5);
      QVERIFY(std::abs(boxes[0].top - place[1] * (600 - (*size)[1])) <= 0.5);
      QVERIFY(!placedSize(scene, "density", place, 800, 600));
      QVERIFY(!placedSize(scene, "pressure", {0, 0}, 800, 600));
    }
  }

  void senselessScaleIsRefused() {
    Image image = blank(200, 100, kWhite);
    const ColorScale scale{.title = "t", .map = "none"};
    QVERIFY_EXCEPTION_THROWN(drawLegends(image, std::span(&scale, 1), kWhite), Invalid);
  }
};

#ifdef FARFIELD_SANITIZED
// fontconfig keeps a few hundred bytes of its own for the life of the process.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig\n";
}
#endif

QTEST_APPLESS_MAIN(TestLegend)
#include "tst_legend.moc"
