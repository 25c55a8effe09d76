// Shear at walls against an exact flow: a viscous fluid between two cylinders, the outer of which turns (Couette). The
// grid is stretched, skewed and wavy, so that no line of it is at a right angle to a wall. Errors fall with the square
// of the cells' size, at the edges of the block as well.

#include <QTest>

#include <cmath>
#include <map>
#include <numbers>

#include "core/base/error.h"
#include "core/extract/integrate_surfaces.h"
#include "core/fields/data/box_data.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::extract;
using namespace farfield::test;

namespace {

constexpr double kViscosity = 0.02, kMach = 0.5, kDensity = 1.3;
constexpr double kOuterRadius = 2, kTurning = 0.7;
/// The flow is V = A r + B / r around the axis; the inner cylinder, of radius 1, is at rest.
constexpr double kA = kTurning * kOuterRadius * kOuterRadius / (kOuterRadius * kOuterRadius - 1), kB = -kA;
/// mu r d(V / r)/dr = -2 mu B / r^2; at the outer wall the fluid is on the other side.
constexpr double kInnerShear = -2 * kViscosity * kB,
                 kOuterShear = 2 * kViscosity * kB / (kOuterRadius * kOuterRadius);

Vec3 velocityAt(Vec3 p) {
  const double radius = std::hypot(p.x, p.y), speed = kA * radius + kB / radius;
  return {-speed * p.y / radius, speed * p.x / radius, 0};
}

/// Indices: one along the angle (a quarter of a turn), one from the inner cylinder to the outer, one along the axis; `across`
/// is the one between the cylinders.
struct Gap {
  Index3 dims;
  int across = 2;
  bool blanks = false;
  Vec3 place(const Index3& n) const {
    double share[3];
    for (int a = 0; a < 3; ++a)
      share[a] = static_cast<double>(n[static_cast<std::size_t>(a)]) /
                 static_cast<double>(dims[static_cast<std::size_t>(a)] - 1);
    const double s = share[across], around = share[(across + 1) % 3], along = share[(across + 2) % 3];
    const double radius = 1 + s - 0.3 * s * (1 - s);
    const double angle = std::numbers::pi / 2 * around + 0.4 * s + 0.1 * std::sin(2 * along + s);
    return {radius * std::cos(angle), radius * std::sin(angle),
            along + 0.2 * s + 0.05 * std::sin(3 * around)};
  }
  bool isBlank(const Index3& n) const {
    return blanks && n[static_cast<std::size_t>((across + 1) % 3)] == 5 &&
           n[static_cast<std::size_t>((across + 2) % 3)] == 4;
  }
};

std::shared_ptr<paging::ComputedReader> readerOf(const Gap& gap, bool viscous) {
  paging::DatasetDescription description;
  description.times = {0};
  description.attributes["mach"] = "0.5";
  if (viscous) description.attributes["viscosity"] = "0.02";
  paging::BlockDescription grid;
  grid.dims = gap.dims;
  grid.hasIblank = true;
  grid.bounds.add(Vec3{-3, -3, -3});
  grid.bounds.add(Vec3{3, 3, 3});
  description.blocks.push_back(grid);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(gap.dims, gap.dims);
  description.arrays.push_back({"xyz", 0, whole, 1, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
  description.arrays.push_back({"iblank", 0, whole, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
  description.arrays.push_back({"velocity", 0, whole, 1, 3, ScalarType::F64, {}});
  description.arrays.push_back({"density", 0, whole, 1, 1, ScalarType::F64, {}});
  return nodewiseReader(description,
                        [gap](std::uint32_t array, std::int64_t, const Index3& node, NodeValues& values) {
                          const Vec3 point = gap.place(node);
                          if (array == 0) values.put(point);
                          if (array == 1) values.put(static_cast<std::int16_t>(gap.isBlank(node) ? 0 : 1));
                          if (array == 2) values.put(velocityAt(point));
                          if (array == 3) values.put(kDensity);
                        });
}

const std::vector<std::string> kNames{"wall-shear-stress", "wall-shear-stress-magnitude", "skin-friction",
                                      "skin-friction-vector", "y-plus"};

struct Nodes final : SurfaceSink {
  void patch(std::size_t, const SurfacePatch& patch) override {
    for (std::size_t n = 0; n < patch.points.size() / 3; ++n) {
      const Vec3 point{patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]};
      const auto own = patch.values.subspan(9 * n, 9);
      const std::vector<double> values(own.begin(), own.end());
      // patches agree at their borders
      const auto [known, isNew] = at.try_emplace({point.x, point.y, point.z}, values);
      if (!isNew) agree = agree && known->second == values;
    }
  }
  std::map<std::array<double, 3>, std::vector<double>> at;
  bool agree = true;
};

IndexBox sheetOf(const Gap& gap, std::int64_t index) {
  IndexBox sheet{{0, 0, 0}, gap.dims};
  sheet.first[static_cast<std::size_t>(gap.across)] = index;
  sheet.size[static_cast<std::size_t>(gap.across)] = 1;
  return sheet;
}

Nodes valuesOn(const Gap& gap, std::int64_t index, int pageEdge = 8) {
  MemoryAccount account(std::uint64_t{16} << 20);
  const auto data = fields::openBoxes(readerOf(gap, true), {pageEdge, false, "gap"}, {}, account);
  const fields::FunctionPlan functions(data->description(), kNames);
  fields::PagedDataOptions options;
  options.arrays = functions.arrays();
  options.resultBytesPerTask = surfaceTaskBytes(functions);
  fields::PagedData paged(*data, account, options);
  const GridSurface surface(data->description(), 0, sheetOf(gap, index));
  Nodes nodes;
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    for (std::size_t n = 0; n < surface.patchCount(); ++n)
      surface.extract(n, paged, context, functions, 0, nodes);
  });
  return nodes;
}

/// The largest error of the shear, relative to it.
double errorOf(const Nodes& nodes, double shear) {
  double most = 0;
  for (const auto& [place, values] : nodes.at) {
    const double radius = std::hypot(place[0], place[1]);
    const Vec3 wanted{-shear * place[1] / radius, shear * place[0] / radius, 0};
    most = std::max(most, length(Vec3{values[0], values[1], values[2]} - wanted) / std::abs(shear));
  }
  return most;
}

}  // namespace

class TestWallFunctions : public QObject {
  Q_OBJECT
 private slots:
  void shearIsOfSecondOrder_data();
  void shearIsOfSecondOrder();
  void othersFollowFromTheShear();
  void blankedNodesAreNotUsed();
  void pagesDoNotMatter();
  void integralsHaveThem();
  void thereIsNoneAwayFromWalls();
  void needAViscosity();
};

void TestWallFunctions::shearIsOfSecondOrder_data() {
  QTest::addColumn<int>("across");
  QTest::addColumn<bool>("outer");
  for (int across = 0; across < 3; ++across)
    for (const bool outer : {false, true})
      QTest::addRow("%c %s", "ijk"[across], outer ? "outer" : "inner") << across << outer;
}

void TestWallFunctions::shearIsOfSecondOrder() {
  QFETCH(int, across);
  QFETCH(bool, outer);
  double errors[2];
  for (const int level : {0, 1}) {
    const std::int64_t cells = level == 0 ? 20 : 40;
    const Gap gap{{cells + 1, cells + 1, cells + 1}, across};
    const Nodes nodes = valuesOn(gap, outer ? cells : 0);
    QVERIFY(nodes.agree);
    QCOMPARE(nodes.at.size(), static_cast<std::size_t>((cells + 1) * (cells + 1)));
    errors[level] = errorOf(nodes, outer ? kOuterShear : kInnerShear);
  }
  QVERIFY2(errors[1] < 0.01 && errors[0] > 3.2 * errors[1],
           qPrintable(QString("%1, then %2").arg(errors[0]).arg(errors[1])));
}

void TestWallFunctions::othersFollowFromTheShear() {
  const Gap gap{{25, 22, 19}, 1};
  for (const auto& [place, values] : valuesOn(gap, 0).at) {
    const double shear = length(Vec3{values[0], values[1], values[2]});
    QVERIFY(std::abs(values[3] - shear) < 1e-15);
    QVERIFY(std::abs(values[4] - shear / (0.5 * kMach * kMach)) < 1e-14);
    QVERIFY(length(Vec3{values[5], values[6], values[7]} -
                   (1 / (0.5 * kMach * kMach)) * Vec3{values[0], values[1], values[2]}) < 1e-14);
    // the first nodes lie on a cylinder: their height above the tangent plane is a little less than the gap between the two
    const double s = 1.0 / 21, height = s - 0.3 * s * (1 - s);
    const double wanted = height * std::sqrt(kDensity * shear) / kViscosity;
    QVERIFY2(values[8] < wanted * 1.001 && values[8] > wanted * 0.97,
             qPrintable(QString("%1 of %2").arg(values[8]).arg(wanted)));
  }
}

void TestWallFunctions::blankedNodesAreNotUsed() {
  Gap gap{{30, 30, 30}, 2};
  gap.blanks = true;
  const Nodes nodes = valuesOn(gap, 0);
  QVERIFY(nodes.agree);
  QVERIFY(nodes.at.size() < 900 && nodes.at.size() > 880);
  QVERIFY(errorOf(nodes, kInnerShear) < 0.02);
}

void TestWallFunctions::pagesDoNotMatter() {
  const Gap gap{{34, 23, 12}, 2};
  const Nodes small = valuesOn(gap, 11, 4), large = valuesOn(gap, 11, 16);
  QVERIFY(small.agree && small.at == large.at);
}

void TestWallFunctions::integralsHaveThem() {
  const Gap gap{{41, 41, 41}, 2};
  MemoryAccount account(std::uint64_t{16} << 20);
  const auto data = fields::openBoxes(readerOf(gap, true), {8, false, "gap"}, {}, account);
  const fields::FunctionPlan functions(data->description(), {"wall-shear-stress-magnitude"});
  const SurfaceIntegrator integrator(functions);
  SurfaceJob job;
  job.rows = account.claim(Purpose::Results, 1 << 16, "rows");
  fields::PagedDataOptions options;
  options.arrays = functions.arrays();
  const std::vector<IntegralSurface> surfaces{
      OrientedSurface{GridSurface(data->description(), 0, sheetOf(gap, 0)), true}};
  options.resultBytesPerTask = integralTaskBytes(integrator, surfaces);
  fields::PagedData paged(*data, account, options);
  const SurfaceIntegral found = integrateSurfaces(surfaces, integrator, paged, job).front();
  QVERIFY(std::abs(found.functions[0].integral[0] / found.area / kInnerShear - 1) < 2e-3);
}

void TestWallFunctions::thereIsNoneAwayFromWalls() {
  const Gap gap{{12, 12, 12}, 2};
  for (const auto& [place, values] : valuesOn(gap, 5).at)
    for (const double value : values) QVERIFY(std::isnan(value));
}

void TestWallFunctions::needAViscosity() {
  const Gap gap{{5, 5, 5}, 2};
  MemoryAccount account(std::uint64_t{16} << 20);
  const auto data = fields::openBoxes(readerOf(gap, false), {8, false, "gap"}, {}, account);
  QVERIFY_EXCEPTION_THROWN(fields::FunctionPlan(data->description(), {"skin-friction"}), NotFound);
  // PLOT3D's headers have a Reynolds number
  std::map<std::string, std::string> attributes{{"mach.0", "2"}, {"reynolds.0", "400"}};
  QCOMPARE(fields::ReferenceState::from(attributes).viscosity, 0.005);
  attributes["viscosity"] = "0.5";
  QCOMPARE(fields::ReferenceState::from(attributes).viscosity, 0.5);
  attributes["viscosity"] = "-1";
  QVERIFY_EXCEPTION_THROWN(fields::ReferenceState::from(attributes), Invalid);
}

QTEST_APPLESS_MAIN(TestWallFunctions)
#include "tst_wall_functions.moc"
