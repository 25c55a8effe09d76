// Grid surfaces and outlines of a spherical shell, whose areas and normals are known: every cell once,
// blanked cells left out, normals along the radius, borders of patches equal, and the same bytes however the
// data are paged.

#include <QTest>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "core/base/error.h"
#include "core/extract/grid_surface.h"
#include "core/extract/outline.h"
#include "core/fields/data/box_data.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::extract;
using namespace farfield::test;

namespace {

/// i: longitude, j: latitude (60 degrees to each side of the equator), k: radius from 1 to 2.
constexpr Index3 kDims{61, 40, 5};
constexpr double kMaxLatitude = std::numbers::pi / 3;

Vec3 shellPoint(const Index3& node) {
  const double longitude = 2 * std::numbers::pi * static_cast<double>(node[0]) / (kDims[0] - 1);
  const double latitude = kMaxLatitude * (2 * static_cast<double>(node[1]) / (kDims[1] - 1) - 1);
  const double radius = 1 + static_cast<double>(node[2]) / (kDims[2] - 1);
  return {radius * std::cos(latitude) * std::cos(longitude),
          radius * std::cos(latitude) * std::sin(longitude), radius * std::sin(latitude)};
}
bool isHole(const Index3& node) {
  return node[0] >= 20 && node[0] <= 24 && node[1] == 17;
}

std::shared_ptr<paging::ComputedReader> shellReader() {
  paging::DatasetDescription description;
  description.times = {0};
  paging::BlockDescription grid;
  grid.dims = kDims;
  grid.hasIblank = true;
  grid.bounds.add(Vec3{-2, -2, -2});
  grid.bounds.add(Vec3{2, 2, 2});
  description.blocks.push_back(grid);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(kDims, kDims);
  description.arrays.push_back({"xyz", 0, whole, 1, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
  description.arrays.push_back({"iblank", 0, whole, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
  description.arrays.push_back({"height", 0, whole, 1, 1, ScalarType::F64, {}});
  return nodewiseReader(description,
                        [](std::uint32_t array, std::int64_t, const Index3& node, NodeValues& values) {
                          if (array == 0) values.put(shellPoint(node));
                          if (array == 1) values.put(static_cast<std::int16_t>(isHole(node) ? 0 : 1));
                          if (array == 2) values.put(shellPoint(node).z);
                        });
}

struct Collected final : SurfaceSink {
  struct Patch {
    std::vector<double> points, normals, values;
    std::vector<std::uint32_t> triangles;
    bool operator==(const Patch&) const = default;
  };
  void patch(std::size_t number, const SurfacePatch& patch) override {
    patches[number] = {{patch.points.begin(), patch.points.end()},
                       {patch.normals.begin(), patch.normals.end()},
                       {patch.values.begin(), patch.values.end()},
                       {patch.triangles.begin(), patch.triangles.end()}};
  }
  std::map<std::size_t, Patch> patches;
};

void withShell(
    int edge, std::uint64_t budgetBytes,
    const std::function<void(fields::PagedData&, tasks::TaskContext&, const fields::FunctionPlan&)>& work) {
  MemoryAccount account(budgetBytes);
  const auto data = fields::openBoxes(shellReader(), {edge, false, "shell"}, {}, account);
  const fields::FunctionPlan functions(data->description(), {"height"});
  fields::PagedDataOptions options;
  options.arrays = {"height"};
  options.resultBytesPerTask = surfaceTaskBytes(functions);
  fields::PagedData paged(*data, account, options);
  test::runOneTask(paged, [&](tasks::TaskContext& context) { work(paged, context, functions); });
}

Collected extractAll(const IndexBox& nodes, int edge, std::uint64_t budgetBytes, double beyond = 0) {
  Collected collected;
  withShell(edge, budgetBytes,
            [&](fields::PagedData& data, tasks::TaskContext& context, const fields::FunctionPlan& functions) {
              const GridSurface surface(data.description(), 0, nodes, beyond);
              for (std::size_t n = 0; n < surface.patchCount(); ++n)
                surface.extract(n, data, context, functions, 0, collected);
            });
  return collected;
}

Vec3 at(const std::vector<double>& xyz, std::uint32_t n) {
  return {xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2]};
}

constexpr IndexBox kOuter{{0, 0, 4}, {kDims[0], kDims[1], 1}};

}  // namespace

class TestGridSurface : public QObject {
  Q_OBJECT
 private slots:
  void areaAndCountsAreRight();
  void normalsAreUnitAlongTheRadius();
  void bordersAgree();
  void pagesDoNotMatter();
  void everyOrientation();
  void betweenNodes();
  void wrongRangesAreRefused();
  void outlineRunsAlongTheEdges();
};

void TestGridSurface::areaAndCountsAreRight() {
  const Collected surface = extractAll(kOuter, 8, 8 << 20);
  double area = 0;
  std::size_t triangles = 0;
  for (const auto& [number, patch] : surface.patches) {
    for (std::size_t t = 0; t < patch.triangles.size(); t += 3) {
      const Vec3 a = at(patch.points, patch.triangles[t]), b = at(patch.points, patch.triangles[t + 1]),
                 c = at(patch.points, patch.triangles[t + 2]);
      area += 0.5 * length(cross(b - a, c - a));
    }
    triangles += patch.triangles.size() / 3;
    for (std::size_t n = 0; n < patch.values.size(); ++n) QCOMPARE(patch.values[n], patch.points[3 * n + 2]);
  }
  // Five blanked nodes in a row blank 6 x 2 cells.
  QCOMPARE(triangles, static_cast<std::size_t>(2 * ((kDims[0] - 1) * (kDims[1] - 1) - 12)));
  const double zone = 2 * std::numbers::pi * 4 * 2 * std::sin(kMaxLatitude);
  const double cell = zone / ((kDims[0] - 1) * (kDims[1] - 1));
  QVERIFY(std::abs(area - zone) < 0.005 * zone + 20 * cell);
  QVERIFY(area < zone);
}

void TestGridSurface::normalsAreUnitAlongTheRadius() {
  const Collected surface = extractAll(kOuter, 8, 8 << 20);
  for (const auto& [number, patch] : surface.patches)
    for (std::uint32_t n = 0; n < patch.points.size() / 3; ++n) {
      const Vec3 normal = at(patch.normals, n), radial = at(patch.points, n);
      QVERIFY(std::abs(length(normal) - 1) < 1e-12);
      // u x v is the direction of k, outwards.
      QVERIFY(dot(normal, radial) / length(radial) > 0.99);
    }
}

void TestGridSurface::bordersAgree() {
  const Collected surface = extractAll(kOuter, 8, 8 << 20);
  std::map<std::array<double, 3>, std::array<double, 3>> seen;
  int shared = 0;
  for (const auto& [number, patch] : surface.patches)
    for (std::size_t n = 0; n + 2 < patch.points.size(); n += 3) {
      const std::array<double, 3> point{patch.points[n], patch.points[n + 1], patch.points[n + 2]};
      const std::array<double, 3> normal{patch.normals[n], patch.normals[n + 1], patch.normals[n + 2]};
      const auto [place, fresh] = seen.emplace(point, normal);
      if (fresh) continue;
      ++shared;
      QCOMPARE(place->second, normal);
    }
  QVERIFY(shared > 100);
}

void TestGridSurface::pagesDoNotMatter() {
  const Collected reference = extractAll(kOuter, 8, 8 << 20);
  for (const auto& [edge, budget] : {std::pair{4, 400 << 10}, {8, 400 << 10}, {16, 8 << 20}, {64, 16 << 20}})
    QVERIFY(extractAll(kOuter, edge, static_cast<std::uint64_t>(budget)).patches == reference.patches);
}

void TestGridSurface::everyOrientation() {
  for (int fixed = 0; fixed < 3; ++fixed) {
    IndexBox nodes{{0, 0, 0}, kDims};
    nodes.first[static_cast<std::size_t>(fixed)] = 2;
    nodes.size[static_cast<std::size_t>(fixed)] = 1;
    const Collected surface = extractAll(nodes, 8, 8 << 20);
    std::set<std::array<double, 3>> points;
    for (const auto& [number, patch] : surface.patches)
      for (std::size_t n = 0; n + 2 < patch.points.size(); n += 3)
        points.insert({patch.points[n], patch.points[n + 1], patch.points[n + 2]});
    for (const auto& point : points) {
      const Vec3 p{point[0], point[1], point[2]};
      if (fixed == 2) QVERIFY(std::abs(length(p) - 1.5) < 1e-12);
      if (fixed == 1)
        QVERIFY(std::abs(std::asin(p.z / length(p)) - kMaxLatitude * (4.0 / (kDims[1] - 1) - 1)) < 1e-12);
    }
    QVERIFY(points.size() > 100);
  }
}

/// A shell between two shells of nodes: nodes lie on the radius between, values follow, and holes are those of both.
void TestGridSurface::betweenNodes() {
  const Collected sheet = extractAll({{0, 0, 2}, {kDims[0], kDims[1], 1}}, 8, 8 << 20);
  const Collected between = extractAll({{0, 0, 2}, {kDims[0], kDims[1], 1}}, 8, 8 << 20, 0.25);
  QCOMPARE(between.patches.size(), sheet.patches.size());
  for (const auto& [number, patch] : between.patches) {
    const Collected::Patch& below = sheet.patches.at(number);
    QVERIFY(patch.triangles == below.triangles);
    for (std::uint32_t n = 0; n < patch.values.size(); ++n) {
      const Vec3 point = at(patch.points, n);
      QVERIFY(std::abs(length(point) - 1.5625) < 1e-14);
      QVERIFY(length((1.5 / 1.5625) * point - at(below.points, n)) < 1e-14);
      QVERIFY(std::abs(patch.values[n] - point.z) < 1e-14);
      QVERIFY(std::abs(length(at(patch.normals, n)) - 1) < 1e-12);
    }
  }
  const Collected small = extractAll({{0, 0, 2}, {kDims[0], kDims[1], 1}}, 4, 8 << 20, 0.25);
  QVERIFY(small.patches == between.patches);
  withShell(8, 8 << 20, [](fields::PagedData& data, tasks::TaskContext&, const fields::FunctionPlan&) {
    QVERIFY_EXCEPTION_THROWN(GridSurface(data.description(), 0, {{0, 0, 4}, {kDims[0], kDims[1], 1}}, 0.5),
                             Invalid);
  });
}

void TestGridSurface::wrongRangesAreRefused() {
  const paging::DatasetDescription description = shellReader()->description();
  QVERIFY_EXCEPTION_THROWN(GridSurface(description, 1, kOuter), Invalid);
  QVERIFY_EXCEPTION_THROWN(GridSurface(description, 0, {{0, 0, 5}, {61, 40, 1}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(GridSurface(description, 0, {{0, 0, 0}, kDims}), Invalid);
  QVERIFY_EXCEPTION_THROWN(GridSurface(description, 0, {{0, 0, 0}, {61, 1, 1}}), Invalid);
}

void TestGridSurface::outlineRunsAlongTheEdges() {
  withShell(8, 8 << 20,
            [](fields::PagedData& data, tasks::TaskContext& context, const fields::FunctionPlan&) {
              const std::size_t nodes[] = {61, 61, 61, 61, 40, 40, 40, 40, 5, 5, 5, 5};
              for (std::size_t edge = 0; edge < kEdgesPerBlock; ++edge) {
                std::vector<Vec3> line;
                extractEdge(edge, 0, data, context, 0, [&](Vec3 point) { line.push_back(point); });
                QCOMPARE(line.size(), nodes[edge]);
                const IndexBox box = edgeNodes(kDims, edge);
                QCOMPARE(line.front(), shellPoint(box.first));
              }
            });
}

QTEST_APPLESS_MAIN(TestGridSurface)
#include "tst_grid_surface.moc"
