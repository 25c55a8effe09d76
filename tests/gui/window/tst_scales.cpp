// Colours in the window are those of the legend: slices exactly, and light never changes a hue.

#include <QStandardPaths>
#include <array>
#include <cmath>

#include "render/color/color_map.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

const scene::Rgba kBackground{0, 0, 0, 1};

using Rgb = std::array<int, 3>;

/// How far a colour is from the nearest of a map.
int distanceTo(const std::vector<Rgb>& map, QRgb color) {
  int least = 1000;
  for (const auto& [r, g, b] : map)
    least = std::min(least, std::max({std::abs(r - qRed(color)), std::abs(g - qGreen(color)),
                                      std::abs(b - qBlue(color))}));
  return least;
}

std::vector<Rgb> coloursOf(const std::string& map) {
  std::vector<Rgb> colors;
  for (const auto& [r, g, b] : color::ColorMap::named(map).table()) colors.push_back({r, g, b});
  return colors;
}

}  // namespace

class TestScales : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void slicesHaveTheColoursOfTheLegend();
  void lightKeepsTheHue();

 private:
  /// A studio with the cylinder, its first objects hidden, on black without legends.
  std::unique_ptr<Studio> open(const QString& source = "sample://cylinder?size=33,25,9&blocks=1");
  /// Adds an object of a kind and waits for it, coloured by `by`.
  app::ObjectId add(Studio& studio, const char* action, const std::string& by);
  void change(Studio& studio, app::ObjectId id, const std::function<void(session::Object&)>& edit);
  void settle(Studio& studio);
};

void TestScales::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

std::unique_ptr<Studio> TestScales::open(const QString& source) {
  auto studio = std::make_unique<Studio>(QSize(1100, 800));
  studio->model.open({source});
  if (!QTest::qWaitFor([&] { return studio->session().objects.size() == 2 && studio->rests(); }, kPatienceMs))
    return studio;
  studio->model.document().edit("Alone", [&](app::Draft& draft) {
    for (const app::ObjectId id : studio->model.document().objectIds()) draft.object(id).visible = false;
    draft.frame().image.background = kBackground;
    draft.frame().image.legend = false;
  });
  return studio;
}

void TestScales::settle(Studio& studio) {
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
}

void TestScales::change(Studio& studio, app::ObjectId id, const std::function<void(session::Object&)>& edit) {
  session::Object object = *studio.model.document().object(id);
  edit(object);
  studio.model.document().setObject(id, object, "Change");
  settle(studio);
}

app::ObjectId TestScales::add(Studio& studio, const char* action, const std::string& by) {
  studio.trigger(action);
  const app::ObjectId id = studio.newest();
  change(studio, id, [&](session::Object& object) { object.color.by = by; });
  return id;
}

void TestScales::slicesHaveTheColoursOfTheLegend() {
  const auto studio = open();
  const app::ObjectId slice = add(*studio, "addSlice", "pressure");
  QCOMPARE(studio->stateOf(slice), app::ObjectState::Done);
  studio->trigger("viewIsometric");
  settle(*studio);
  const auto worst = [&] {
    const QImage image = studio->picture();
    const std::vector<Rgb> map = coloursOf("viridis");
    int most = 0, met = 0;
    // Away from the rims, where the background is mixed in, and from handles.
    for (int y = 0; y < image.height(); y += 9)
      for (int x = 3; x + 3 < image.width(); x += 9) {
        const QColor color = image.pixelColor(x, y);
        const auto isBlack = [&](int at) { return image.pixelColor(at, y).lightness() < 4; };
        if (isBlack(x) || isBlack(x - 3) || isBlack(x + 3) || color.red() > color.blue() + 120) continue;
        ++met;
        most = std::max(most, distanceTo(map, color.rgb()));
      }
    return met > 300 ? most : -1;
  };
  studio->window.pipeline().select(0);
  settle(*studio);
  QTRY_VERIFY_WITH_TIMEOUT(worst() >= 0 && worst() <= 3, kPatienceMs);
  // Those of a curved surface, on which there is light, are not: the test can see it.
  change(*studio, slice, [](session::Object& object) { object.visible = false; });
  add(*studio, "addSurface", "pressure");
  studio->window.pipeline().select(0);
  QTRY_VERIFY_WITH_TIMEOUT(worst() > 12, kPatienceMs);
}

void TestScales::lightKeepsTheHue() {
  const auto studio = open();
  studio->trigger("addSurface");
  const app::ObjectId surface = studio->newest();
  const QColor wanted(0x33, 0x88, 0xdd);
  change(*studio, surface, [&](session::Object& object) {
    object.color.by.clear();
    object.color.solid = app::colorFromText(wanted.name());
  });
  studio->window.pipeline().select(0);
  settle(*studio);
  const auto worst = [&] {
    const QImage image = studio->picture();
    int most = 0, met = 0, darkest = 255, lightest = 0;
    for (int y = 0; y < image.height(); y += 2)
      for (int x = 0; x < image.width(); x += 2) {
        const QColor color = image.pixelColor(x, y);
        // Rims are mixed with the background; what is nearly grey has no hue to speak of.
        if (color.lightness() < 40 || color.hsvSaturation() < 60) continue;
        ++met;
        darkest = std::min(darkest, color.value());
        lightest = std::max(lightest, color.value());
        most = std::max(most, std::abs(color.hsvHue() - wanted.hsvHue()));
      }
    return met > 500 && lightest > darkest ? most : 1000;
  };
  QTRY_VERIFY2_WITH_TIMEOUT(worst() <= 3, QByteArray::number(worst()), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestScales test;
  return QTest::qExec(&test, count, words);
}
#include "tst_scales.moc"
