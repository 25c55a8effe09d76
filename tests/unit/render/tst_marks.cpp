// Marks of places on a picture: a ring where the place is seen, words beside it that lie in the picture and on no
// others, nothing where it is not seen.
#include <QTest>
#include <algorithm>
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

}  // namespace

class TestMarks : public QObject {
  Q_OBJECT
 private slots:
  void ringsSurroundTheirPlace() {
    const scene::PlaceMark mark = markAt({3, -2, 0}, "1");
    const auto marks = placeMarks({&mark, 1}, false, {1, 0, 0, 1}, above(), paper());
    const auto at = *ScreenMap(above(), 800, 500).project(mark.place);
    QVERIFY(!marks.empty());
    QVERIFY(partsOf<MarkWords>(marks).empty() && partsOf<MarkBox>(marks).empty());
    for (const MarkStroke& stroke : partsOf<MarkStroke>(marks)) {
      const double away = std::hypot(stroke.from[0] - at.x, stroke.from[1] - at.y);
      QVERIFY(away > 2 && away < 6);
    }
  }

  void wordsLieInThePictureAndApart() {
    std::vector<scene::PlaceMark> places;
    for (int n = 0; n < 6; ++n) places.push_back(markAt({0.2 * n, 0.1 * n, 0}, "1"));
    for (const Vec3 corner : {Vec3{7.9, 4.9, 0}, {-7.9, -4.9, 0}, {7.9, -4.9, 0}})
      places.push_back(markAt(corner, "c"));
    const auto boxes = partsOf<MarkBox>(placeMarks(places, true, {1, 0, 0, 1}, above(), paper()));
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

  void whatIsNotSeenHasNone() {
    const scene::PlaceMark behind = markAt({0, 0, 30}, "1"), beside = markAt({100, 0, 0}, "2");
    scene::Camera camera = above();
    camera.orthographic = false;
    QVERIFY(placeMarks({&behind, 1}, true, {}, camera, paper()).empty());
    QVERIFY(placeMarks({&beside, 1}, true, {}, camera, paper()).empty());
    camera.position = camera.target;
    QVERIFY(placeMarks({&beside, 1}, true, {}, camera, paper()).empty());
  }

  void linesSayWhatIsKnown() {
    scene::PlaceMark mark = markAt({0, 0, 0}, "3");
    mark.values.push_back({"velocity", {1, 2.5, -3}});
    const auto lines = linesOf(mark);
    QCOMPARE(lines.size(), std::size_t(2));
    QCOMPARE(lines[0], std::string("3: pressure 0.71429"));
    QCOMPARE(lines[1], std::string("velocity (1, 2.5, −3)"));
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
};

QTEST_GUILESS_MAIN(TestMarks)
#include "tst_marks.moc"
