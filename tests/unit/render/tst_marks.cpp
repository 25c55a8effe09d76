// Marks of places on a picture: a ring where the place is seen, words beside it that lie in the picture and on no
// others, nothing where it is not seen.
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>

#include "render/color/image.h"
#include "render/color/lettering.h"
#include "render/view/marks.h"
#include "render/view/picture_notes.h"
#include "render/view/screen_map.h"

using namespace farfield;
using namespace farfield::view;

namespace {

MarkPaper paper() {
  return {.width = 800, .height = 500, .em = 10, .stroke = 1, .widthOf = [](const std::string& text) {
            return 6.0 * static_cast<double>(text.size());
          }};
}

scene::PlaceMark markAt(Vec3 place, const char* name) {
  return {.place = place, .name = name, .found = true, .values = {{"pressure", {0.71428571}}}};
}

/// Looks down at the x-y plane; 10 data units are 500 pixels high.
scene::Camera above() {
  return {.position = {0, 0, 10},
          .target = {0, 0, 0},
          .up = {0, 1, 0},
          .orthographic = true,
          .orthographicHeight = 10};
}

template <class Part>
std::vector<Part> partsOf(const std::vector<Mark>& marks) {
  std::vector<Part> parts;
  for (const Mark& mark : marks)
    if (const auto* const part = std::get_if<Part>(&mark)) parts.push_back(*part);
  return parts;
}

/// With nothing else on the picture.
std::vector<Mark> marksOf(std::span<const scene::PlaceMark> places, bool texts, const scene::Rgba& color,
                          const scene::Camera& camera) {
  std::vector<MarkBox> taken;
  return placeMarks(places, texts, color, camera, paper(), taken);
}

}  // namespace

class TestMarks : public QObject {
  Q_OBJECT
 private slots:
  void inkIsThatOfTheColourWithNothingBehindIt() {
    for (const scene::Rgba& each : {scene::Rgba{1, 1, 1, 1}, {0, 0, 0, 1}, {0.125f, 0.19f, 0.25f, 1}}) {
      scene::Rgba bare = each;
      bare[3] = 0;
      QCOMPARE(color::inkOn(bare), color::inkOn(each));
    }
    QVERIFY(color::inkOn({1, 1, 1, 0})[0] < 0.5f);
    QVERIFY(color::inkOn({0, 0, 0, 0})[0] > 0.5f);
  }

  void ringsSurroundTheirPlace() {
    const scene::PlaceMark mark = markAt({3, -2, 0}, "1");
    const auto marks = marksOf({&mark, 1}, false, {1, 0, 0, 1}, above());
    const auto at = *ScreenMap(above(), 800, 500).project(mark.place);
    QVERIFY(!marks.empty());
    QVERIFY(partsOf<MarkWords>(marks).empty() && partsOf<MarkBox>(marks).empty());
    for (const MarkStroke& stroke : partsOf<MarkStroke>(marks)) {
      const double away = std::hypot(stroke.from[0] - at.x, stroke.from[1] - at.y);
      QVERIFY(away > 2 && away < 6);
    }
  }

  /// Two places without words are the ends of a plot's line, which is there with and without a hand on it.
  void aLineJoinsTheEndsOfAPlot() {
    const std::array ends{markAt({-6, 2, 0}, "1"), markAt({5, -3, 0}, "2")};
    /// Of the strokes that go from end to end.
    const auto linesOf = [](const std::vector<Mark>& marks) {
      std::vector<MarkStroke> lines;
      for (const MarkStroke& stroke : partsOf<MarkStroke>(marks))
        if (std::hypot(stroke.to[0] - stroke.from[0], stroke.to[1] - stroke.from[1]) > 40)
          lines.push_back(stroke);
      return lines;
    };
    const scene::Rgba red{1, 0, 0, 1};
    const auto joined = linesOf(marksOf(ends, false, red, above()));
    QVERIFY(!joined.empty() && joined.back().color == red);
    const ScreenMap map(above(), 800, 500);
    for (std::size_t n = 0; n < 2; ++n) {
      const auto at = *map.project(ends[n].place);
      const PixelPoint end = n == 0 ? joined.back().from : joined.back().to;
      QVERIFY(std::hypot(end[0] - at.x, end[1] - at.y) < 6);
    }
    for (const MarkStroke& stroke : linesOf(marksOf(ends, true, red, above())))  // to words alone
      QVERIFY(std::hypot(stroke.to[0] - stroke.from[0], stroke.to[1] - stroke.from[1]) < 100);
    const std::array three{ends[0], ends[1], markAt({0, 0, 0}, "3")};
    QVERIFY(linesOf(marksOf(three, false, red, above())).empty());
    // One end behind the eye: what is before it is seen, up to the border.
    const scene::Camera within{.position = {0, 0, 0}, .target = {1, 0, 0}, .up = {0, 0, 1}};
    const std::array past{markAt({-5, -1, 0}, "1"), markAt({5, 1, 0.5}, "2")};
    const auto part = linesOf(marksOf(past, false, red, within));
    QVERIFY(!part.empty());
    for (const MarkStroke& stroke : part)
      for (const PixelPoint& end : {stroke.from, stroke.to})
        QVERIFY(end[0] >= -10 && end[0] <= 810 && end[1] >= -10 && end[1] <= 510);
    const std::array behind{markAt({-5, -1, 0}, "1"), markAt({-4, 1, 0}, "2")};
    QVERIFY(linesOf(marksOf(behind, false, red, within)).empty());
  }

  void wordsLieInThePictureAndApart() {
    std::vector<scene::PlaceMark> places;
    for (int n = 0; n < 6; ++n) places.push_back(markAt({0.2 * n, 0.1 * n, 0}, "1"));
    for (const Vec3 corner : {Vec3{7.9, 4.9, 0}, {-7.9, -4.9, 0}, {7.9, -4.9, 0}})
      places.push_back(markAt(corner, "c"));
    const auto boxes = partsOf<MarkBox>(marksOf(places, true, {1, 0, 0, 1}, above()));
    QCOMPARE(boxes.size(), places.size());
    for (std::size_t a = 0; a < boxes.size(); ++a) {
      const MarkBox& box = boxes[a];
      QVERIFY(box.corner[0] >= 0 && box.corner[0] + box.size[0] <= 800);
      QVERIFY(box.corner[1] >= 0 && box.corner[1] + box.size[1] <= 500);
      for (std::size_t b = a + 1; b < boxes.size(); ++b) {
        const bool apart = std::abs(box.corner[0] - boxes[b].corner[0]) >= box.size[0] - 1e-9 ||
                           std::abs(box.corner[1] - boxes[b].corner[1]) >= box.size[1] - 1e-9;
        QVERIFY2(apart, (std::to_string(a) + " and " + std::to_string(b)).c_str());
      }
    }
  }

  /// Wherever a place is, on a legend, beside it or between two: there is room elsewhere.
  void wordsKeepClearOfLegends() {
    const MarkBox right{{690, 20}, {100, 460}}, left{{10, 20}, {100, 200}};
    for (double x = -7.8; x < 8; x += 0.4)
      for (double y = -4.8; y < 5; y += 0.8) {
        const scene::PlaceMark mark = markAt({x, y, 0}, "1");
        std::vector<MarkBox> taken{right, left};
        const auto boxes =
            partsOf<MarkBox>(placeMarks({&mark, 1}, true, {1, 0, 0, 1}, above(), paper(), taken));
        QCOMPARE(boxes.size(), std::size_t(1));
        for (const MarkBox& legend : {right, left})
          QVERIFY2(boxes[0].corner[0] >= legend.corner[0] + legend.size[0] ||
                       boxes[0].corner[0] + boxes[0].size[0] <= legend.corner[0] ||
                       boxes[0].corner[1] >= legend.corner[1] + legend.size[1] ||
                       boxes[0].corner[1] + boxes[0].size[1] <= legend.corner[1],
                   qPrintable(QString("%1, %2").arg(x).arg(y)));
      }
  }

  void wordsOfObjectsKeepClearOfOneAnother() {
    std::vector<MarkBox> taken;
    std::vector<MarkBox> boxes;
    for (int n = 0; n < 5; ++n) {
      const scene::PlaceMark mark = markAt({0.05 * n, 0, 0}, "1");
      for (const MarkBox& box :
           partsOf<MarkBox>(placeMarks({&mark, 1}, true, {1, 0, 0, 1}, above(), paper(), taken)))
        boxes.push_back(box);
    }
    QCOMPARE(boxes.size(), std::size_t(5));
    for (std::size_t a = 0; a < boxes.size(); ++a)
      for (std::size_t b = a + 1; b < boxes.size(); ++b)
        QVERIFY2(std::abs(boxes[a].corner[0] - boxes[b].corner[0]) >= boxes[a].size[0] - 1e-9 ||
                     std::abs(boxes[a].corner[1] - boxes[b].corner[1]) >= boxes[a].size[1] - 1e-9,
                 (std::to_string(a) + " and " + std::to_string(b)).c_str());
  }

  /// In pictures, too: the legend is as if there were no words beside it.
  void legendsOfPicturesAreNotCovered() {
    scene::Scene scene;
    scene.camera = above();
    scene.items.resize(2);
    scene.items[0].colored = true;
    scene.items[0].scale = {.title = "pressure", .min = 0, .max = 2};
    const auto drawn = [&] {
      color::Image image(1024, 700);
      std::fill(image.bytes().begin(), image.bytes().end(), std::uint8_t{255});
      return std::pair(writeNotes(image, scene), image);
    };
    const auto [boxes, plain] = drawn();
    QCOMPARE(boxes.size(), std::size_t(1));
    const color::LegendBox& legend = boxes[0];
    // beside the legend, where words would go to the right
    const double pixel = 10.0 / 700;
    scene.items[1].marks = {markAt({(legend.left - 20 - 512) * pixel, 0, 0}, "1")};
    const auto [same, marked] = drawn();
    QVERIFY(plain != marked);
    for (int y = legend.top; y < legend.bottom; ++y)
      QVERIFY(std::equal(plain.pixel(legend.left, y), plain.pixel(legend.right, y),
                         marked.pixel(legend.left, y)));
  }

  /// From wherever the data are seen: where a name would lie on the title or a text, there is room beside them.
  void axesKeepClearOfWhatIsWritten() {
    const Bounds bounds{{-4, -2.2, -2}, {4, 2.2, 2}};
    const std::array<std::string, 3> names{"longitude (degrees_east)", "latitude (degrees_north)",
                                           "height (m)"};
    const std::string title =
        "a title that is as long as the picture is wide, and then some words more than that, "
        "which stand in the second line";
    const std::vector<scene::TextNote> texts{{.text = "a text in the lower right corner", .place = {1, 1}}};
    const std::vector<MarkBox> written = writtenBoxes(title, texts, paper());
    QCOMPARE(written.size(), std::size_t(2));
    const auto meets = [&](const MarkWords& words) {
      const double half = 3.0 * static_cast<double>(words.text.size());
      return std::any_of(written.begin(), written.end(), [&](const MarkBox& box) {
        return words.place[0] + half > box.corner[0] && words.place[0] - half < box.corner[0] + box.size[0] &&
               words.place[1] + 5 > box.corner[1] && words.place[1] - 5 < box.corner[1] + box.size[1];
      });
    };
    int before = 0;
    for (int turn = 0; turn < 36; ++turn)
      for (const double up : {0.2, 0.7, 1.5}) {
        const double angle = turn * 0.1745;
        scene::Camera camera = above();
        camera.up = {0, 0, 1};
        camera.position = {10 * std::cos(angle), 10 * std::sin(angle), 10 * up};
        for (const bool keeps : {false, true})
          for (const MarkWords& words : partsOf<MarkWords>(
                   axesMarks(bounds, camera, paper(), keeps ? written : std::vector<MarkBox>{}, names))) {
            if (!keeps) before += meets(words);
            if (keeps)
              QVERIFY2(!meets(words),
                       qPrintable(
                           QString("%1: %2, %3").arg(QString::fromStdString(words.text)).arg(turn).arg(up)));
          }
      }
    QVERIFY(before > 0);
  }

  void whatIsNotSeenHasNone() {
    const scene::PlaceMark behind = markAt({0, 0, 30}, "1"), beside = markAt({100, 0, 0}, "2");
    scene::Camera camera = above();
    camera.orthographic = false;
    QVERIFY(marksOf({&behind, 1}, true, {}, camera).empty());
    QVERIFY(marksOf({&beside, 1}, true, {}, camera).empty());
    camera.position = camera.target;
    QVERIFY(marksOf({&beside, 1}, true, {}, camera).empty());
  }

  void linesSayWhatIsKnown() {
    scene::PlaceMark mark = markAt({0, 0, 0}, "3");
    mark.values.push_back({"velocity", {1, 2.5, -3}});
    const auto lines = linesOf(mark);
    QCOMPARE(lines.size(), std::size_t(2));
    QCOMPARE(lines[0], std::string("3: pressure 0.71429"));
    QCOMPARE(lines[1], std::string("velocity (1, 2.5, −3)"));
    mark.values = {{"pressure", {}}};  // is being read
    QCOMPARE(linesOf(mark), std::vector<std::string>{"3: pressure \u2026"});
    mark.found = false;
    QCOMPARE(linesOf(mark), std::vector<std::string>{"3: outside of the data"});
  }

  void picturesShowThem() {
    scene::Scene scene;
    scene.camera = above();
    scene.items.emplace_back();
    scene.items.back().color = {1, 0, 0, 1};
    scene.items.back().marks = {markAt({0, 0, 0}, "1")};
    const auto reds = [&] {
      color::Image image(400, 250);
      std::fill(image.bytes().begin(), image.bytes().end(), std::uint8_t{255});
      writeNotes(image, scene);
      int count = 0;
      for (int y = 115; y < 135; ++y)
        for (int x = 190; x < 210; ++x) {
          const auto* const pixel = image.pixel(x, y);
          count += pixel[0] > 200 && pixel[1] < 120;
        }
      return count;
    };
    QVERIFY(reds() > 8);
    scene.items.back().opacity = 0;
    QCOMPARE(reds(), 0);
  }

  /// As in one of four views.
  void wordsAreBrokenInNarrowPictures() {
    MarkPaper narrow = paper();
    narrow.width = 170;
    scene::PlaceMark place = markAt({0.4, 0.3, 0}, "1");
    place.values.push_back({"velocity-of-the-undisturbed-flow", {1, -0.123456, 1e-7}});
    std::vector<MarkBox> taken;
    const auto marks = placeMarks({&place, 1}, true, {1, 0, 0, 1}, above(), narrow, taken);
    const auto boxes = partsOf<MarkBox>(marks);
    QCOMPARE(boxes.size(), 1U);
    QVERIFY(boxes[0].corner[0] >= 0 && boxes[0].corner[0] + boxes[0].size[0] <= narrow.width);
    std::string all;
    for (const MarkWords& words : partsOf<MarkWords>(marks)) {
      QVERIFY2(words.place[0] + narrow.widthOf(words.text) <= narrow.width, words.text.c_str());
      all += words.text + ' ';
    }
    // The numbers are all there; of the name, which has no room, its beginning.
    QVERIFY2(all.starts_with("1: pressure 0.71429 velocity-of") && all.ends_with("(1, −0.12346, 1×10⁻⁷) "),
             all.c_str());
  }

  /// The box's axes fill the picture, so that numbers stand where the bar would.
  void scaleBarsGiveWayToNumbers() {
    Bounds bounds;
    bounds.add(Vec3{-7, -4.4, 0});
    bounds.add(Vec3{7, 4.4, 1});
    const auto axes = axesMarks(bounds, above(), paper());
    const std::vector<MarkBox> numbers = boxesOf(axes, paper());
    QVERIFY(numbers.size() > 8);
    const auto covers = [&](const std::vector<Mark>& bar) {
      const std::vector<MarkBox> words = boxesOf(bar, paper());
      std::vector<MarkBox> own = partsOf<MarkBox>(bar);
      own.insert(own.end(), words.begin(), words.end());
      return std::any_of(own.begin(), own.end(), [&](const MarkBox& a) {
        return std::any_of(numbers.begin(), numbers.end(), [&](const MarkBox& b) {
          return a.corner[0] < b.corner[0] + b.size[0] && b.corner[0] < a.corner[0] + a.size[0] &&
                 a.corner[1] < b.corner[1] + b.size[1] && b.corner[1] < a.corner[1] + a.size[1];
        });
      });
    };
    QVERIFY(covers(scaleBarMarks(above(), paper())));
    const auto bar = scaleBarMarks(above(), paper(), {}, numbers);
    QCOMPARE(partsOf<MarkBox>(bar).size(), 6U);  // each with a rim
    QVERIFY(!covers(bar));
  }

  /// In a view that is narrower than what is said in the place of a bar, it takes lines, none of them cut off or over another.
  void whyThereIsNoScaleIsReadInNarrowViews() {
    scene::Camera camera = above();
    camera.position = {7, 7, 7};
    camera.up = {0, 0, 1};
    camera.stretch = {1, 4, 1};
    MarkPaper narrow = paper();
    narrow.width = 150;
    const std::vector<MarkWords> lines = partsOf<MarkWords>(scaleBarMarks(camera, narrow));
    QVERIFY(lines.size() > 1);
    std::string all;
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const double half = 0.5 * narrow.widthOf(lines[n].text);
      QVERIFY2(lines[n].place[0] - half >= 0 && lines[n].place[0] + half <= narrow.width,
               lines[n].text.c_str());
      if (n > 0) QVERIFY(lines[n].place[1] - lines[n - 1].place[1] >= narrow.em);
      all += (n > 0 ? " " : "") + lines[n].text;
    }
    QVERIFY(lines.back().place[1] < narrow.height);
    const std::vector<MarkWords> wide = partsOf<MarkWords>(scaleBarMarks(camera, paper()));
    QCOMPARE(wide.size(), 1U);
    QCOMPARE(all, wide.front().text);
  }

  /// A line that is aslant, as edges of boxes are, is kept off, and not all of what lies beside it.
  void strokesCoverLittle() {
    const MarkPaper its = paper();
    const std::vector<Mark> strokes{MarkStroke{{100, 100}, {300, 400}, 1, its.ink},
                                    MarkStroke{{500, 100}, {700, 100}, 1, {0, 0, 0, 0.2f}}};
    const std::vector<MarkBox> boxes = boxesOf(strokes, its);
    const auto covers = [&](PixelPoint at) {
      return std::any_of(boxes.begin(), boxes.end(), [&](const MarkBox& box) {
        return at[0] >= box.corner[0] && at[0] <= box.corner[0] + box.size[0] && at[1] >= box.corner[1] &&
               at[1] <= box.corner[1] + box.size[1];
      });
    };
    for (const double way : {0.0, 0.31, 0.5, 0.99}) QVERIFY(covers({100 + 200 * way, 100 + 300 * way}));
    QVERIFY(!covers({290, 110}) && !covers({110, 390}));
    QVERIFY(!covers({600, 100}));  // it is faint
  }

  /// Dark letters on what is dark are read from a ground about as wide as their strokes.
  void lettersAreReadOnWhatIsDark() {
    color::Image image(200, 60);
    image.fill(0, 0, 200, 60, {0.1f, 0.1f, 0.12f, 1});
    const color::Lettering letters(image, {1, 1, 1, 1}, 2);
    if (!letters.hasFont()) QSKIP("no font");
    letters.write(20, 40, "I", letters.ink());
    int light = 0;
    for (int x = 0; x < 200; ++x) light += image.bytes()[4 * (200 * 32 + static_cast<std::size_t>(x))] > 150;
    QVERIFY2(light >= 6, qPrintable(QString::number(light)));
  }

  void theCrossKeepsClearOfLegends() {
    const MarkBox legend{{10, 300}, {90, 190}};
    QCOMPARE(placeOfOrientation(60, 440, 50, 800, {}), 60.0);
    const double at = placeOfOrientation(60, 440, 50, 800, {&legend, 1});
    QVERIFY(at - 50 >= 100 && at < 200);
    // Where there is no room at all it is where it belongs.
    QCOMPARE(placeOfOrientation(60, 440, 50, 150, {&legend, 1}), 60.0);
  }

  void scaleBarsGiveWayToTexts_data() {
    QTest::addColumn<int>("height");
    QTest::addColumn<QString>("text");
    for (const int height : {160, 300, 500, 900})
      for (const char* const text : {"Mach 2.95, t = 1.39", "two\nlines"})
        QTest::addRow("%d %s", height, text) << height << QString(text);
  }
  void scaleBarsGiveWayToTexts() {
    QFETCH(int, height);
    QFETCH(QString, text);
    scene::Scene scene;
    scene.camera = above();
    const auto written = [&](bool bar, bool note) {
      scene.notes.scaleBar = bar;
      scene.notes.texts.clear();
      if (note) scene.notes.texts.push_back({.text = text.toStdString()});
      color::Image image(3 * height / 2, height);
      std::fill(image.bytes().begin(), image.bytes().end(), std::uint8_t{255});
      writeNotes(image, scene);
      return image;
    };
    const color::Image blank = written(false, false), words = written(false, true),
                       both = written(true, true);
    QVERIFY(words != blank && both != words);
    int top = height, bottom = -1, left = words.width(), right = -1;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < words.width(); ++x)
        if (!std::equal(words.pixel(x, y), words.pixel(x, y) + 4, blank.pixel(x, y))) {
          top = std::min(top, y), bottom = std::max(bottom, y);
          left = std::min(left, x), right = std::max(right, x);
        }
    QVERIFY(top <= bottom);
    // Nothing is where the text is but the text.
    for (int y = top; y <= bottom; ++y)
      QVERIFY(std::equal(both.pixel(left, y), both.pixel(right, y) + 4, words.pixel(left, y)));
  }

  /// Where a new text is in the window: two legends make room for it, and one that is nowhere near stays where it was.
  void legendsKeepClearOfATextBelow() {
    scene::Scene scene;
    scene.camera = above();
    const auto written = [&](std::size_t legends, const char* text) {
      scene.items.assign(legends, {});
      for (std::size_t n = 0; n < legends; ++n) {
        scene.items[n].colored = true;
        scene.items[n].scale = {.title = "function " + std::to_string(n), .min = 0, .max = 2};
      }
      scene.notes.texts = {{.text = text, .place = {1, 0.97}}};
      color::Image image(1024, 700);
      std::fill(image.bytes().begin(), image.bytes().end(), std::uint8_t{255});
      return std::pair(writeNotes(image, scene), image);
    };
    bool reachedBelow = false;
    for (const std::size_t legends : {2, 3, 5}) {
      const auto [without, blank] = written(legends, "");
      const auto [boxes, image] = written(legends, "made by the solver; two\nlines, n = 5");
      QCOMPARE(boxes.size(), legends);
      color::Image sheet = image;
      const color::Lettering letters(sheet, scene.background);
      const MarkPaper page = paperOf(sheet, scene.background, letters);
      const auto top = static_cast<int>(textBoxes(scene.notes.texts, page)[0].corner[1]);
      reachedBelow |= without.back().bottom > top;
      for (const color::LegendBox& box : boxes) QVERIFY(box.bottom <= top);
      for (std::size_t n = 1; n < legends; ++n) QVERIFY(boxes[n].top >= boxes[n - 1].bottom);
    }
    QVERIFY(reachedBelow);
    const auto [alone, blank] = written(1, "");
    const auto [boxes, image] = written(1, "made by the solver");
    QCOMPARE(boxes[0].top, alone[0].top);
    QCOMPARE(boxes[0].bottom, alone[0].bottom);
  }

  /// Of a picture of which two scenes have a part each: nothing of it lies in the other part, and the name is below the title.
  void partsOfPicturesHaveTheirOwnNotes() {
    scene::Scene scene;
    scene.camera = above();
    scene.items.resize(1);
    scene.items[0].colored = true;
    scene.items[0].scale = {.title = "pressure", .min = 0, .max = 2};
    const auto written = [&](const NotesPart& part) {
      color::Image image(1024, 700);
      std::fill(image.bytes().begin(), image.bytes().end(), std::uint8_t{255});
      std::vector<color::LegendBox> boxes = writeNotes(image, scene, part);
      return std::pair(std::move(boxes), std::move(image));
    };
    /// What differs: first and last column and row.
    const auto changed = [](const color::Image& a, const color::Image& b) {
      std::array<int, 4> box{a.width(), -1, a.height(), -1};
      for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
          if (!std::equal(a.pixel(x, y), a.pixel(x, y) + 4, b.pixel(x, y)))
            box = {std::min(box[0], x), std::max(box[1], x), std::min(box[2], y), std::max(box[3], y)};
      return box;
    };
    color::Image blank(1024, 700);
    std::fill(blank.bytes().begin(), blank.bytes().end(), std::uint8_t{255});
    for (const auto& [left, width] : {std::pair(0, 400), std::pair(400, 624)}) {
      scene.title.clear();
      scene.items[0].colored = scene.notes.scaleBar = scene.notes.orientation = true;
      const auto [boxes, plain] = written({left, width, {}});
      QCOMPARE(boxes.size(), std::size_t(1));
      QVERIFY(boxes[0].left >= left && boxes[0].right <= left + width);
      const std::array<int, 4> all = changed(blank, plain);
      QVERIFY(all[0] >= left && all[1] < left + width);
      // The directions are at the left of it.
      QVERIFY(all[0] < left + 60 && all[3] > 600);
      const std::array<int, 4> name = changed(plain, written({left, width, "wing"}).second);
      QVERIFY(name[1] >= 0 && name[3] < 40);
      QVERIFY(left == 0 ? name[1] > width - 30 && name[1] < width : name[0] < left + 30 && name[0] >= left);
      scene.title = "A wing in a wind that is so long that it takes all of the width of both of the parts";
      scene.items[0].colored = scene.notes.scaleBar = scene.notes.orientation = false;
      const color::Image titled = written({left, width, {}}).second;
      const std::array<int, 4> title = changed(blank, titled),
                               below = changed(titled, written({left, width, "wing"}).second);
      QVERIFY(below[1] >= 0 && below[2] > title[3]);
    }
  }

  // As legends do.
  void textsPushTheDirectionsAside() {
    const MarkPaper page = paper();
    const MarkBox part{{0, 0}, {page.width, page.height}};
    const auto reach = [&](const std::vector<Mark>& marks) {
      double least = page.width;
      for (const Mark& mark : marks)
        if (const auto* const stroke = std::get_if<MarkStroke>(&mark))
          least = std::min({least, stroke->from[0], stroke->to[0]});
      return least;
    };
    const scene::TextNote note{.text = "t = 12 s, step 4", .place = {0, 1}};
    const std::vector<MarkBox> written = textBoxes(std::span(&note, 1), page);
    QCOMPARE(written.size(), std::size_t{1});
    QVERIFY(reach(orientationMarks(above(), page, part, {})) < written[0].corner[0] + written[0].size[0]);
    QVERIFY(reach(orientationMarks(above(), page, part, written)) >
            written[0].corner[0] + written[0].size[0]);
  }
};

QTEST_GUILESS_MAIN(TestMarks)
#include "tst_marks.moc"
