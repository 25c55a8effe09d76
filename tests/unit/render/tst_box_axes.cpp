// Axes with numbers and the bar of known length: where they are on the picture, and what they say.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "render/view/box_axes.h"
#include "render/view/screen_map.h"

using namespace farfield;
using namespace farfield::view;

class TestBoxAxes : public QObject {
  Q_OBJECT
 private slots:
  void numbersStandAtTheirPlaces() {
    Bounds bounds;
    bounds.add(Vec3{0, 0, 0});
    bounds.add(Vec3{10, 5, 2});
    // From above, without perspective: x along the lower edge.
    scene::Camera camera = scene::orthographicCameraFor(bounds, {0, 0, 1}, {0, 1, 0}, 1.6);
    const BoxAxes axes = boxAxes(bounds, camera, 800, 500, 12);
    const ScreenMap map(camera, 800, 500);
    int found = 0;
    for (const AxisLabel& label : axes.labels) {
      if (label.text.find_first_not_of("0123456789.") != std::string::npos) continue;
      const auto at = map.project({std::stod(label.text), 0, 0});
      if (std::abs(label.place[0] - at->x) > 1 || label.place[1] < at->y) continue;
      ++found;
    }
    QVERIFY2(found >= 5, qPrintable(QString::number(found)));
    const auto has = [&](const char* text) {
      return std::any_of(axes.labels.begin(), axes.labels.end(),
                         [&](const auto& l) { return l.text == text; });
    };
    QVERIFY(has("x") && has("y"));
    QVERIFY(!has("z"));  // seen end-on
    // Twelve edges, of which those that are axes are drawn once more, and marks.
    QVERIFY(std::count_if(axes.strokes.begin(), axes.strokes.end(), [](const auto& s) { return s.faint; }) ==
            12);
  }

  // Long ones, too: all of each is in the picture, and on no number.
  void axesAreCalledAsTheDataSay() {
    const std::array<std::string, 3> names{"longitude [\u00b0]", "latitude [\u00b0]", "z [m]"};
    Bounds bounds;
    bounds.add(Vec3{-180, -90, -50});
    bounds.add(Vec3{180, 90, 0});
    constexpr double kEm = 12;
    for (const Vec3 from : {Vec3{1, -1, 0.7}, {-1, 0.3, 0.2}, {0, 0, 1}}) {
      const scene::Camera camera =
          scene::cameraFor(bounds, from, from.z < 1 ? Vec3{0, 0, 1} : Vec3{0, 1, 0}, 1.6);
      const BoxAxes axes = boxAxes(bounds, camera, 800, 500, kEm, {}, names);
      for (const char* const name : {"longitude", "latitude"}) {
        const auto found = std::find_if(axes.labels.begin(), axes.labels.end(),
                                        [&](const AxisLabel& label) { return label.text.starts_with(name); });
        QVERIFY(found != axes.labels.end());
        const double half = 0.3 * kEm * static_cast<double>(found->text.size());
        QVERIFY(found->place[0] > half && found->place[0] < 800 - half);
        for (const AxisLabel& other : axes.labels)
          QVERIFY2(&other == &*found || std::abs(other.place[1] - found->place[1]) > 0.8 * kEm ||
                       std::abs(other.place[0] - found->place[0]) > half,
                   qPrintable(QString::fromStdString(found->text + " and " + other.text)));
      }
    }
  }

  // One number alone would tell neither the scale nor the direction.
  void twoNumbersAreThere() {
    for (const auto& [low, high] : {std::pair(-0.986, -0.014), {0.3, 0.6}, {-1.4, 3.9}, {0.93, 2.96}}) {
      Bounds bounds;
      bounds.add(Vec3{low, 0, 0});
      bounds.add(Vec3{high, 0.7 * (high - low), 0.1 * (high - low)});
      for (const int width : {300, 500, 900}) {
        const scene::Camera camera = scene::orthographicCameraFor(bounds, {0, 0, 1}, {0, 1, 0}, 1.6);
        const BoxAxes axes = boxAxes(bounds, camera, width, width * 5 / 8, 12);
        const double bottom = ScreenMap(camera, width, width * 5 / 8).project(bounds.min)->y;
        const auto numbers =
            std::count_if(axes.labels.begin(), axes.labels.end(), [&](const AxisLabel& label) {
              return label.place[1] > bottom && label.text.find_first_of("0123456789") != std::string::npos;
            });
        QVERIFY2(numbers >= 2, qPrintable(QString("%1 to %2 on %3").arg(low).arg(high).arg(width)));
      }
    }
  }

  // The mark of an axis that goes up and the minus of its number would join to one dash.
  void numbersKeepOffTheirMarks() {
    constexpr double kEm = 12;
    for (const double low : {-1.0, -0.1, -0.01, -100.0}) {
      Bounds bounds;
      bounds.add(Vec3{0, 0, low});
      bounds.add(Vec3{-low, -low, 0});
      const scene::Camera camera = scene::orthographicCameraFor(bounds, {0, 1, 0}, {0, 0, 1}, 1.6);
      const BoxAxes axes = boxAxes(bounds, camera, 800, 500, kEm);
      int found = 0;
      for (const AxisLabel& label : axes.labels) {
        if (label.text.find("\u2212") != 0 && label.text.find('-') != 0) continue;
        const double half = 0.5 * 0.55 * kEm * static_cast<double>(QString::fromStdString(label.text).size());
        double nearest = 1e9;  // of ends of marks at its height
        for (const AxisStroke& stroke : axes.strokes)
          if (std::abs(stroke.from[1] - stroke.to[1]) < 0.1 && std::abs(stroke.to[1] - label.place[1]) < 2 &&
              std::abs(stroke.from[0] - stroke.to[0]) < kEm)
            nearest = std::min(nearest, std::abs(stroke.to[0] - label.place[0]) - half);
        if (nearest > 1e8) continue;
        ++found;
        QVERIFY2(nearest > 1.5,
                 qPrintable(QString("%1: %2").arg(QString::fromStdString(label.text)).arg(nearest)));
      }
      QVERIFY(found >= 2);
    }
  }

  // Also where something lies beside the axis: then they stand on its other side.
  void numbersGoToTheOtherSide() {
    Bounds bounds;
    bounds.add(Vec3{0, 0, 0});
    bounds.add(Vec3{10, 10, 10});
    const scene::Camera camera = scene::orthographicCameraFor(bounds, {0, -1, 0}, {0, 0, 1}, 1.6);
    const ScreenMap map(camera, 800, 500);
    const double low = map.project(bounds.min)->y, high = map.project(bounds.max)->y;
    const auto upright =
        [&](const BoxAxes& axes) {  // numbers beside the upright axis, by their places across
          std::vector<double> places;
          for (const AxisLabel& label : axes.labels)
            if (label.text.find_first_not_of("0123456789.") == std::string::npos &&
                label.place[1] < low - 5 && label.place[1] > high - 5)
              places.push_back(label.place[0]);
          return places;
        };
    const std::vector<double> usual = upright(boxAxes(bounds, camera, 800, 500, 12));
    QVERIFY(usual.size() >= 2);
    const double axis = usual[0] < 400 ? map.project(bounds.min)->x : map.project(bounds.max)->x;
    const bool left = usual[0] < axis;
    const PixelRect legend{{left ? 0 : axis + 2, 0}, {left ? axis - 2 : 798 - axis, 500}};
    const std::vector<double> others = upright(boxAxes(bounds, camera, 800, 500, 12, {&legend, 1}));
    QVERIFY(others.size() >= 2);
    for (const double place : others) QVERIFY(left ? place > axis : place < axis);
  }

  void labelsKeepOutOfTheBox() {
    Bounds bounds;
    bounds.add(Vec3{-1, -2, -3});
    bounds.add(Vec3{1, 2, 3});
    for (const Vec3 from : {Vec3{1, -1, 0.7}, {-1, 0.3, 0.2}, {0.2, 1, -0.5}}) {
      const scene::Camera camera = scene::cameraFor(bounds, from, {0, 0, 1}, 1.6);
      const BoxAxes axes = boxAxes(bounds, camera, 800, 500, 12);
      QVERIFY(axes.labels.size() >= 6);
      const auto middle = *ScreenMap(camera, 800, 500).project(bounds.center());
      for (const AxisLabel& label : axes.labels)
        QVERIFY(std::hypot(label.place[0] - middle.x, label.place[1] - middle.y) > 60);
    }
  }

  void labelsKeepOutOfOneAnother() {
    Bounds bounds;
    bounds.add(Vec3{-10, -10, 0});
    bounds.add(Vec3{10, 10, 2});
    constexpr double kEm = 12;
    int seen = 0;
    for (int n = 0; n < 36; ++n) {
      const double angle = n * 0.1745;
      const Vec3 from{std::cos(angle), std::sin(angle), 0.4};
      const BoxAxes axes = boxAxes(bounds, scene::cameraFor(bounds, from, {0, 0, 1}, 1.6), 640, 600, kEm);
      seen += static_cast<int>(axes.labels.size());
      for (const AxisLabel& a : axes.labels)
        for (const AxisLabel& b : axes.labels) {
          if (&a == &b) continue;
          // digits are more than half as wide as letters are high
          const auto width = [](const AxisLabel& label) {
            return 0.55 * kEm * static_cast<double>(QString::fromStdString(label.text).size());
          };
          const bool beside = std::abs(a.place[0] - b.place[0]) >= 0.5 * (width(a) + width(b));
          const bool above = std::abs(a.place[1] - b.place[1]) >= 0.9 * kEm;
          QVERIFY2(beside || above,
                   qPrintable(QString("%1: %2 and %3")
                                  .arg(n)
                                  .arg(QString::fromStdString(a.text), QString::fromStdString(b.text))));
        }
    }
    // what there is room for is written
    QVERIFY2(seen > 36 * 9, qPrintable(QString::number(seen)));
  }

  /// A legend all along an axis: its name stands nearer, or on the other side, and not on the legend.
  void namesKeepOffLegends() {
    constexpr double kEm = 10;
    constexpr int kWide = 600, kHigh = 400;
    Bounds bounds;
    bounds.add(Vec3{-120, -80, 0});
    bounds.add(Vec3{120, 80, 1});
    scene::Camera camera;
    camera.position = {0, 0, 500};
    camera.orthographic = true;
    camera.orthographicHeight = 220;
    const auto nameOf = [](const BoxAxes& axes) {
      const auto found = std::find_if(axes.labels.begin(), axes.labels.end(),
                                      [](const AxisLabel& label) { return label.text == "y"; });
      return found == axes.labels.end() ? PixelPoint{-1, -1} : found->place;
    };
    const PixelPoint usual = nameOf(boxAxes(bounds, camera, kWide, kHigh, kEm));
    const bool left = usual[0] < 0.5 * kWide;
    for (const double gap : {2.4, 1.8, 1.2, 0.4}) {  // letters, between the axis and the legend
      const double axis = usual[0] + (left ? 3.2 : -3.2) * kEm;
      const double edge = axis + (left ? -gap : gap) * kEm;
      const PixelRect legend =
          left ? PixelRect{{0, 0}, {edge, kHigh}} : PixelRect{{edge, 0}, {kWide - edge, kHigh}};
      const BoxAxes axes = boxAxes(bounds, camera, kWide, kHigh, kEm, {&legend, 1});
      const PixelPoint place = nameOf(axes);
      QVERIFY2(left ? place[0] > edge + 0.3 * kEm : place[0] > 0 && place[0] < edge - 0.3 * kEm,
               qPrintable(QString("%1: at %2, the legend begins at %3").arg(gap).arg(place[0]).arg(edge)));
      for (const AxisLabel& other : axes.labels)
        QVERIFY(other.text == "y" || std::abs(other.place[0] - place[0]) > 0.8 * kEm ||
                std::abs(other.place[1] - place[1]) > 0.9 * kEm);
    }
  }

  /// Where the box fills the picture, names and numbers come nearer to it, and not over one another.
  void labelsKeepApartAtTheEdgesOfThePicture() {
    constexpr double kEm = 10;
    Bounds bounds;
    bounds.add(Vec3{-180, -80, 0});
    bounds.add(Vec3{180, 80, 1});
    for (const double height : {150.0, 165.0, 180.0, 200.0, 240.0})
      for (const int pixels : {90, 120, 200, 400}) {
        scene::Camera camera;
        camera.position = {0, 0, 500};
        camera.orthographic = true;
        camera.orthographicHeight = height;
        const int width = pixels * 360 / 190;
        const BoxAxes axes = boxAxes(bounds, camera, width, pixels, kEm);
        for (const char* const name : {"x", "y"})
          QVERIFY(std::any_of(axes.labels.begin(), axes.labels.end(),
                              [&](const AxisLabel& label) { return label.text == name; }));
        for (const AxisLabel& a : axes.labels) {
          QVERIFY(a.place[0] > 0 && a.place[0] < width && a.place[1] > 0 && a.place[1] < pixels);
          for (const AxisLabel& b : axes.labels) {
            if (&a == &b) continue;
            const auto letters = [](const AxisLabel& label) {
              return 0.55 * kEm * static_cast<double>(QString::fromStdString(label.text).size());
            };
            const bool beside = std::abs(a.place[0] - b.place[0]) >= 0.5 * (letters(a) + letters(b));
            const bool above = std::abs(a.place[1] - b.place[1]) >= 0.9 * kEm;
            QVERIFY2(beside || above,
                     qPrintable(QString("%1 of %2 pixels: %3 and %4")
                                    .arg(height)
                                    .arg(pixels)
                                    .arg(QString::fromStdString(a.text), QString::fromStdString(b.text))));
          }
        }
      }
  }

  // However far one zooms in: few places are tried, and numbers stand where they are seen, or at the border beside it.
  void zoomedInNumbersAreThoseOfWhatIsSeen_data() {
    QTest::addColumn<bool>("fromAbove");
    QTest::addColumn<bool>("atEdge");
    QTest::newRow("from above") << true << false;
    QTest::newRow("from above, at an edge") << true << true;
    QTest::newRow("aslant") << false << false;
    QTest::newRow("aslant, at an edge") << false << true;
  }
  void zoomedInNumbersAreThoseOfWhatIsSeen() {
    QFETCH(bool, fromAbove);
    QFETCH(bool, atEdge);
    constexpr double kEm = 12;
    Bounds bounds;
    bounds.add(Vec3{1, 1, 1});  // no powers of ten on axes
    bounds.add(Vec3{11, 6, 3});
    const Vec3 from = fromAbove ? Vec3{0, 0, 1} : Vec3{1, -1, 0.7},
               up = fromAbove ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const scene::Camera whole = scene::orthographicCameraFor(bounds, from, up, 1.6);
    for (double zoom = 1; zoom < 1e20; zoom *= 10) {
      scene::Camera camera = whole;
      camera.orthographicHeight /= zoom;
      if (atEdge) {  // that has x along it
        const Vec3 move = Vec3{3.3, 1, 1} - camera.target;
        camera.target = camera.target + move;
        camera.position = camera.position + move;
      }
      const BoxAxes axes = boxAxes(bounds, camera, 800, 500, kEm);
      QVERIFY(axes.labels.size() < 60);
      const ScreenMap map(camera, 800, 500);
      int numbers = 0;
      for (const AxisLabel& label : axes.labels) {
        QVERIFY(label.place[0] > 0 && label.place[0] < 800 && label.place[1] > 0 && label.place[1] < 500);
        bool isNumber = false;
        const double value = QString::fromStdString(label.text).toDouble(&isNumber);
        if (!isNumber || !fromAbove) continue;
        // From above, x grows to the right and y upwards: its column or its row is that of the place.
        const auto place = map.project({value, value, 1});
        const double half = 0.4 * kEm * static_cast<double>(label.text.size());  // it is all in the picture
        QVERIFY2(std::abs(label.place[0] - place->x) < std::max(half, 2 * kEm) ||
                     std::abs(label.place[1] - place->y) < 2 * kEm,
                 qPrintable(QString("%1 at a zoom of %2: column %3, not %4; row %5, not %6")
                                .arg(QString::fromStdString(label.text))
                                .arg(zoom)
                                .arg(label.place[0])
                                .arg(place->x)
                                .arg(label.place[1])
                                .arg(place->y)));
        ++numbers;
      }
      if (fromAbove && zoom < 1e3) QVERIFY(numbers >= 4);
      if (!fromAbove && zoom > 10 && !atEdge) QCOMPARE(axes.labels.size(), std::size_t{0});
    }
  }

  void nothingWhereItMakesNoSense() {
    QVERIFY(boxAxes({}, {}, 800, 500, 12).strokes.empty());
    Bounds bounds;
    bounds.add(Vec3{-1, -1, -1});
    bounds.add(Vec3{1, 1, 1});
    scene::Camera inside;
    inside.position = {0, 0, 0.1};
    inside.target = {0, 0, -1};
    QVERIFY(boxAxes(bounds, inside, 800, 500, 12).strokes.empty());
  }

  void barsHaveRoundLengths() {
    Bounds bounds;
    bounds.add(Vec3{0, 0, 0});
    for (const double size : {1e-6, 0.37, 12.0, 4.2e8}) {
      bounds.max = {size, size, size};
      const scene::Camera camera = scene::orthographicCameraFor(bounds, {0, 0, 1}, {0, 1, 0}, 1.6);
      const auto bar = scaleBar(camera, 800, 500);
      QVERIFY(bar && bar->pixels <= 160.001 && bar->pixels > 60);
      const double length = bar->pixels * camera.orthographicHeight / 500;
      const double digits = length / std::pow(10.0, std::floor(std::log10(length) + 1e-9));
      QVERIFY2(std::abs(digits - 1) < 1e-6 || std::abs(digits - 2) < 1e-6 || std::abs(digits - 5) < 1e-6,
               qPrintable(QString::number(length)));
    }
  }
};

QTEST_APPLESS_MAIN(TestBoxAxes)
#include "tst_box_axes.moc"
