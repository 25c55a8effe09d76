// Line integral convolution on nets of nodes: lines stay on those of an exact vortex, the texture is alike along them and
// not across, it does not depend on the net, and its wave moves with the vector.

#include <QTest>

#include <cmath>
#include <functional>
#include <numbers>

#include "core/extract/line_convolution.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

constexpr double kTexel = 0.01;

/// Nodes (u, v) of [0, size)² at shape(u, v) with flow(point).
FlowSheet net(std::int64_t size, const std::function<Vec3(double, double)>& shape,
              const std::function<Vec3(Vec3)>& flow, std::int64_t firstU = 0) {
  FlowSheet sheet;
  sheet.resize(size, size, 3);
  std::size_t n = 0;
  for (std::int64_t v = 0; v < size; ++v)
    for (std::int64_t u = firstU; u < firstU + size; ++u, ++n) {
      sheet.points[n] = shape(static_cast<double>(u), static_cast<double>(v));
      const Vec3 vector = flow(sheet.points[n]);
      for (int a = 0; a < 3; ++a) sheet.values[3 * n + static_cast<std::size_t>(a)] = vector[a];
      sheet.usable[n] = 1;
    }
  return sheet;
}

Vec3 flat(double u, double v) {
  return {kTexel * (u - 100), kTexel * (v - 100), 0.3};
}
Vec3 vortex(Vec3 p) {
  return {-3 * p.y, 3 * p.x, 0};
}
/// Of radius 1, a texel per node; its axis is z.
Vec3 cylinder(double u, double v) {
  return {std::cos(kTexel * u), std::sin(kTexel * u), kTexel * v};
}

double correlation(const std::vector<std::array<double, 2>>& pairs) {
  double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  const auto n = static_cast<double>(pairs.size());
  for (const auto& [x, y] : pairs) a += x, b += y, aa += x * x, bb += y * y, ab += x * y;
  return (ab - a * b / n) / std::sqrt((aa - a * a / n) * (bb - b * b / n));
}

/// Of the texture at places of the vortex and at places `along` further along the circle and `across` further out,
/// in texels.
double correlationOf(const std::function<double(FlowSheet::Place)>& texture, double along, double across) {
  std::vector<std::array<double, 2>> pairs;
  for (int n = 0; n < 1500; ++n) {
    const double radius = 20 + std::fmod(0.7548776662 * n, 1.0) * 50;
    const double angle = std::fmod(0.5698402910 * n, 1.0) * 2 * std::numbers::pi;
    const auto at = [](double r, double a) {
      return FlowSheet::Place{100 + r * std::cos(a), 100 + r * std::sin(a)};
    };
    pairs.push_back({texture(at(radius, angle)), texture(at(radius + across, angle + along / radius))});
  }
  return correlation(pairs);
}

/// Nothing where the line ends.
std::optional<FlowSheet::Place> stepOn(const FlowSheet& sheet, FlowSheet::Place from, double length) {
  const auto here = sheet.at(from);
  const auto way = here ? FlowSheet::direction(*here) : std::nullopt;
  const auto step = way ? sheet.step(from, *way, length) : std::nullopt;
  return step ? std::optional(step->to) : std::nullopt;
}

}  // namespace

class TestLineConvolution : public QObject {
  Q_OBJECT
 private slots:
  void linesAreThoseOfTheFlow();
  void linesStayOnTheSurface();
  void linesEnd();
  void walkersTakeTheSameSteps();
  void togetherIsTheSame();
  void textureFollowsTheFlow();
  void theNetDoesNotMatter();
  void theWaveMovesWithTheFlow();
  void spreadIsAlike();
};

void TestLineConvolution::linesAreThoseOfTheFlow() {
  const FlowSheet sheet = net(201, flat, vortex);
  FlowSheet::Place at{150, 100};
  for (int n = 0; n < 600; ++n) {  // nearly twice around
    const auto next = stepOn(sheet, at, kTexel);
    QVERIFY(next);
    at = *next;
  }
  QVERIFY2(std::abs(std::hypot(at.u - 100, at.v - 100) - 50) < 0.02,
           std::to_string(std::hypot(at.u - 100, at.v - 100)).c_str());
  const double angle = std::fmod(600.0 / 50, 2 * std::numbers::pi);
  QVERIFY(std::abs(std::remainder(std::atan2(at.v - 100, at.u - 100) - angle, 2 * std::numbers::pi)) < 0.01);
  // backwards the same way
  const auto there = stepOn(sheet, {130, 80}, kTexel);
  const auto back = stepOn(sheet, *there, -kTexel);
  QVERIFY(std::hypot(back->u - 130, back->v - 80) < 1e-4);
}

/// Of a vector that points out of it only the part along it counts, whatever the cells' shape.
void TestLineConvolution::linesStayOnTheSurface() {
  const auto flow = [](Vec3 p) { return Vec3{-p.y + 5 * p.x, p.x + 5 * p.y, 0.5}; };
  const FlowSheet sheet = net(161, cylinder, flow);
  FlowSheet::Place at{20, 20};
  for (int n = 0; n < 100; ++n) at = *stepOn(sheet, at, kTexel);
  // along the helix: 1 around to 0.5 up, and as long as its steps
  const double around = at.u - 20, up = at.v - 20;
  QVERIFY2(std::abs(up / around - 0.5) < 1e-3, std::to_string(up / around).c_str());
  QVERIFY2(std::abs(std::hypot(around, up) - 100) < 0.1, std::to_string(std::hypot(around, up)).c_str());
  // the same with cells three times as long and askew
  const FlowSheet other = net(
      81, [](double u, double v) { return cylinder(3 * u + 0.4 * v, v); }, flow);
  FlowSheet::Place to{4, 20};
  for (int n = 0; n < 100; ++n) to = *stepOn(other, to, kTexel);
  const double aroundIt = 3 * (to.u - 4) + 0.4 * (to.v - 20);
  QVERIFY2(std::abs(aroundIt - around) < 0.3 && std::abs(to.v - 20 - up) < 0.3,
           (std::to_string(aroundIt - around) + ", " + std::to_string(to.v - 20 - up)).c_str());
}

void TestLineConvolution::linesEnd() {
  FlowSheet sheet = net(21, flat, [](Vec3) { return Vec3{1, 0, 0}; });
  QVERIFY(!sheet.at({-0.01, 3}) && !sheet.at({20.01, 3}) && !sheet.at({std::nan(""), 3}) &&
          sheet.at({20, 20}));
  sheet.usable[10 + 21 * 10] = 0;
  // the four cells around it
  for (const double u : {9.5, 10.0, 10.5})
    for (const double v : {9.5, 10.5}) QVERIFY(!sheet.at({u, v}));
  // its neighbours belong to others
  QVERIFY(sheet.at({9, 9.5}) && sheet.at({11, 10}) && sheet.at({10, 11}) && !stepOn(sheet, {9, 9.5}, kTexel));
  QVERIFY(!stepOn(sheet, {20, 5}, kTexel) && stepOn(sheet, {20, 5}, -kTexel));
  const FlowSheet still = net(21, flat, [](Vec3) { return Vec3{0, 0, 4}; });  // across it
  QVERIFY(!stepOn(still, {5, 5}, kTexel));
  const LineConvolution lines(kTexel, 20);
  const FlowWalker walker(still);
  QCOMPARE(lines.at(walker, {40, 5}).light, 0.5);
  QVERIFY(lines.at(walker, {5, 5}).light >= 0 && lines.at(walker, {5, 5}).light <= 1);
}

/// As the sheet does, as far as it does: on lattices, askew ones, and on nets that are none; beside nodes that are not usable.
void TestLineConvolution::walkersTakeTheSameSteps() {
  const auto askew = [](double u, double v) {
    return Vec3{kTexel * (u + 0.4 * v - 40), kTexel * (v - 40), 0.1 * u};
  };
  const auto bent = [](double u, double v) {
    return Vec3{kTexel * (u - 40 + 3 * std::sin(v / 9)), kTexel * (v - 40 + 2 * std::cos(u / 7)),
                0.001 * u * v};
  };
  const auto flow = [](Vec3 p) { return Vec3{-3 * p.y + 1.1, 3 * p.x - 0.2, p.x * p.y}; };
  for (const auto& [shape, lattice] : {std::pair<std::function<Vec3(double, double)>, bool>{flat, true},
                                       {askew, true},
                                       {askew, false},
                                       {bent, false},
                                       {cylinder, false}}) {
    FlowSheet sheet = net(81, shape, flow);
    sheet.isLattice = lattice;
    for (int n = 0; n < 40; ++n) sheet.usable[static_cast<std::size_t>(n * 163 % (81 * 81))] = 0;
    const FlowWalker walker(sheet);
    int steps = 0;
    for (double v = 0; v <= 80; v += 2.5)
      for (double u = 0; u <= 80; u += 2.5)
        for (const double length : {kTexel, -kTexel}) {
          std::optional<FlowSheet::Place> at = FlowSheet::Place{u, v};
          std::size_t taken = 0;
          std::array<FlowWalker::Line, 1> line;
          std::array<bool, 1> going{true};
          QCOMPARE(walker.start({u, v}, line[0]), sheet.at({u, v}).has_value());
          if (!sheet.at({u, v})) continue;
          while (taken < 25) {
            walker.goOn(line, {length}, going);
            if (!going[0]) break;
            ++taken;
            at = stepOn(sheet, *at, length);
            QVERIFY(at);
            const auto there = sheet.at(*at);
            QVERIFY(there);
            const double off = farfield::length(there->point - line[0].point());
            QVERIFY2(off < 1e-12, std::to_string(off).c_str());
          }
          if (taken < 25) {
            const auto next = stepOn(sheet, *at, length);
            QVERIFY(!next || !sheet.at(*next));
          }
          steps += static_cast<int>(taken);
        }
    QVERIFY(steps > 20000);
  }
}

void TestLineConvolution::togetherIsTheSame() {
  FlowSheet sheet = net(81, flat, vortex);
  for (int n = 0; n < 40; ++n) sheet.usable[static_cast<std::size_t>(n * 163 % (81 * 81))] = 0;
  const FlowWalker walker(sheet);
  const LineConvolution lines(kTexel, 12);
  std::vector<FlowSheet::Place> places;
  for (double v = -1; v <= 81; v += 3.7)
    for (double u = -1; u <= 81; u += 2.3) places.push_back({u, v});
  std::vector<LineConvolution::Shade> shades(places.size());
  lines.shade(walker, places, shades);
  for (std::size_t n = 0; n < places.size(); ++n) {
    const LineConvolution::Shade alone = lines.at(walker, places[n]);
    QVERIFY(shades[n].light == alone.light && shades[n].cosine == alone.cosine &&
            shades[n].sine == alone.sine);
  }
}

void TestLineConvolution::textureFollowsTheFlow() {
  const FlowSheet sheet = net(201, flat, vortex);
  const LineConvolution lines(kTexel, 20);
  const FlowWalker walker(sheet);
  const auto light = [&](FlowSheet::Place at) { return lines.at(walker, at).light; };
  const double along = correlationOf(light, 6, 0), across = correlationOf(light, 0, 6);
  QVERIFY2(along > 0.75, std::to_string(along).c_str());
  QVERIFY2(std::abs(across) < 0.15, std::to_string(across).c_str());
  // so it is not that of the vortex turned by a small angle
  const double aslant = correlationOf(light, 6, 3);
  QVERIFY2(aslant < 0.3, std::to_string(aslant).c_str());
}

void TestLineConvolution::theNetDoesNotMatter() {
  const LineConvolution lines(kTexel, 15);
  const FlowSheet whole = net(201, flat, vortex), part = net(90, flat, vortex, 60);
  const FlowWalker inWhole(whole), inPart(part);
  int unlike = 0, all = 0;
  for (double v = 20; v < 70; v += 1.7)
    for (double u = 80; u < 130; u += 1.3, ++all)
      unlike += std::abs(lines.at(inWhole, {u, v}).light - lines.at(inPart, {u - 60, v}).light) > 1e-6;
  // a step that ends on the border of a grain may fall to either side
  QVERIFY2(unlike * 100 < all, (std::to_string(unlike) + " of " + std::to_string(all)).c_str());
}

void TestLineConvolution::theWaveMovesWithTheFlow() {
  const FlowSheet sheet = net(201, flat, vortex);
  const FlowWalker walker(sheet);
  const int reach = 19;
  const LineConvolution lines(kTexel, reach);
  // A quarter of a wave later the texture is that of a quarter of a wave behind.
  const double shift = (reach + 1) / 4.0;
  std::vector<std::array<double, 2>> behind, ahead;
  for (int n = 0; n < 1500; ++n) {
    const double radius = 25 + std::fmod(0.7548776662 * n, 1.0) * 45;
    const double angle = std::fmod(0.5698402910 * n, 1.0) * 2 * std::numbers::pi;
    const auto at = [&](double a) {
      return lines.at(walker, {100 + radius * std::cos(a), 100 + radius * std::sin(a)});
    };
    const LineConvolution::Shade here = at(angle);
    const double later = -here.sine;  // turned by 90 degrees
    behind.push_back({later, at(angle - shift / radius).cosine});
    ahead.push_back({later, at(angle + shift / radius).cosine});
  }
  QVERIFY2(correlation(behind) > 0.5, std::to_string(correlation(behind)).c_str());
  QVERIFY2(correlation(ahead) < -0.3, std::to_string(correlation(ahead)).c_str());
}

/// Grey in the mean, and as much of it dark and light where lines are short as where they are long.
void TestLineConvolution::spreadIsAlike() {
  const FlowSheet sheet = net(201, flat, vortex);
  const FlowWalker walker(sheet);
  for (const int reach : {1, 8, 40}) {
    const LineConvolution lines(kTexel, reach);
    double sum = 0, squares = 0;
    int count = 0;
    for (double v = 60; v < 140; v += 2.3)
      for (double u = 60; u < 140; u += 2.3, ++count) {
        const double light = lines.at(walker, {u, v}).light;
        QVERIFY(light >= 0 && light <= 1);
        sum += light, squares += light * light;
      }
    const double mean = sum / count, deviation = std::sqrt(squares / count - mean * mean);
    QVERIFY2(
        std::abs(mean - 0.5) < 0.06 && deviation > 0.15 && deviation < 0.33,
        (std::to_string(reach) + ": " + std::to_string(mean) + ", " + std::to_string(deviation)).c_str());
  }
}

QTEST_APPLESS_MAIN(TestLineConvolution)
#include "tst_line_convolution.moc"
