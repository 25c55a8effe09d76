// Textures of patches in parts: together they are what one task makes, however many there are, tiny sheets have many where their
// cells are large, and each stops soon when it is told to.

#include <QTest>

#include <cmath>

#include "core/extract/surface_texture.h"
#include "core/tasks/scheduler.h"
#include "tests/support/formula_data.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

constexpr std::int64_t kNodesU = 5, kNodesV = 4;

/// Few nodes far apart, bent, with a hole.
FlowSheet tinySheet() {
  FlowSheet sheet;
  sheet.resize(kNodesU, kNodesV, 4);
  std::size_t n = 0;
  for (std::int64_t j = 0; j < kNodesV; ++j)
    for (std::int64_t i = 0; i < kNodesU; ++i, ++n) {
      const auto u = static_cast<double>(i), v = static_cast<double>(j);
      sheet.points[n] = {u + 0.1 * v, v - 0.2 * std::sin(u), 0.05 * u * v};
      const double values[] = {1 - v, u - 2, 0.1 * u, u * v};
      std::copy(std::begin(values), std::end(values),
                sheet.values.begin() + static_cast<std::ptrdiff_t>(4 * n));
      sheet.usable[n] = 1;
    }
  sheet.usable[0] = 0;
  return sheet;
}

detail::TexelRows texelsOf(int perCell) {
  const auto places = [&](std::int64_t nodes) {
    std::vector<double> all;
    for (std::int64_t n = 0; n <= (nodes - 1) * perCell; ++n) all.push_back(static_cast<double>(n) / perCell);
    return all;
  };
  return {places(kNodesU), places(kNodesV)};
}

struct Collected final : SurfaceSink {
  struct Patch {
    std::vector<double> points, normals, values;
    std::vector<std::uint32_t> triangles;
    bool operator==(const Patch&) const = default;
  };
  void patch(std::size_t, const SurfacePatch& patch) override {
    patches.push_back({{patch.points.begin(), patch.points.end()},
                       {patch.normals.begin(), patch.normals.end()},
                       {patch.values.begin(), patch.values.end()},
                       {patch.triangles.begin(), patch.triangles.end()}});
    if (stopping) stopping->request_stop();
  }
  std::vector<Patch> patches;
  std::stop_source* stopping = nullptr;
};

void inTask(const std::function<void(tasks::TaskContext&)>& work, const std::stop_token& stop = {}) {
  tasks::TaskGroup group;
  group.name = "parts";
  group.count = 1;
  group.run = [&](std::size_t, tasks::TaskContext& context) { work(context); };
  tasks::makeScheduler({.kind = tasks::SchedulerKind::Serial})->run(group, stop);
}

}  // namespace

class TestTextureParts : public QObject {
  Q_OBJECT
 private slots:
  void togetherTheyAreTheWhole();
  void areThoseOfStretchedSurfaces();
  void stopSoon();
  void areAsManyAsTheWorkIs();

 private:
  const FlowSheet m_sheet = tinySheet();
  const LineConvolution m_lines{0.02, 8};
  const std::vector<Vec3> m_normals = std::vector<Vec3>(kNodesU * kNodesV, Vec3{0, 0, 1});
};

void TestTextureParts::togetherTheyAreTheWhole() {
  const detail::TexelRows texels = texelsOf(50);
  const auto drawnIn = [&](std::size_t of) {
    Collected all;
    for (std::size_t number = 0; number < of; ++number)
      inTask([&](tasks::TaskContext& context) {
        detail::drawTexels(m_sheet, texels, m_normals, false, {number, of}, m_lines, context, number, all);
      });
    return all.patches;
  };
  const std::vector<Collected::Patch> whole = drawnIn(1);
  QCOMPARE(whole.size(), 4u * 5);
  std::size_t triangles = 0;
  for (const Collected::Patch& patch : whole) triangles += patch.triangles.size() / 3;
  QCOMPARE(triangles, 2u * 50 * 50 * ((kNodesU - 1) * (kNodesV - 1) - 1));
  for (const std::size_t of : {2, 3, 7, 20, 64})
    QVERIFY2(drawnIn(of) == whole, qPrintable(QString::number(of)));
}

/// In a stretched space texels are shaded as those of a surface that lies there, and lie where the data are.
void TestTextureParts::areThoseOfStretchedSurfaces() {
  const Vec3 stretch{1, 4, 8};  // without rounding
  FlowSheet there = tinySheet(), here = tinySheet();
  here.stretch = stretch;
  for (std::size_t n = 0; n < there.points.size(); ++n) {
    here.points[n] = there.points[n] = times(there.points[n], stretch);
    for (int a = 0; a < 3; ++a) there.values[4 * n + static_cast<std::size_t>(a)] *= stretch[a];
  }
  const auto drawn = [&](const FlowSheet& sheet) {
    Collected all;
    inTask([&](tasks::TaskContext& context) {
      detail::drawTexels(sheet, texelsOf(50), m_normals, false, {}, m_lines, context, 0, all);
    });
    return all.patches;
  };
  const std::vector<Collected::Patch> seen = drawn(here), whole = drawn(there);
  QCOMPARE(seen.size(), whole.size());
  for (std::size_t n = 0; n < seen.size(); ++n) {
    QVERIFY(seen[n].triangles == whole[n].triangles);
    for (std::size_t i = 0; i < seen[n].points.size(); ++i)
      QCOMPARE(seen[n].points[i] * stretch[static_cast<int>(i % 3)], whole[n].points[i]);
    constexpr std::size_t kWidth = 4 + kShadeValues;
    for (std::size_t i = 0; i < seen[n].values.size(); ++i)
      if (i % kWidth < 3)
        QCOMPARE(seen[n].values[i] * stretch[static_cast<int>(i % kWidth)], whole[n].values[i]);
      else
        QCOMPARE(seen[n].values[i], whole[n].values[i]);
  }
}

void TestTextureParts::stopSoon() {
  const detail::TexelRows texels = texelsOf(400);
  std::stop_source stop;
  Collected all;
  all.stopping = &stop;
  QVERIFY_EXCEPTION_THROWN(inTask(
                               [&](tasks::TaskContext& context) {
                                 detail::drawTexels(m_sheet, texels, m_normals, false, {}, m_lines, context,
                                                    0, all);
                               },
                               stop.get_token()),
                           Cancelled);
  QCOMPARE(all.patches.size(), 1u);
}

void TestTextureParts::areAsManyAsTheWorkIs() {
  const auto partsOf = [](std::int64_t nodes, double texels) {
    paging::DatasetDescription description = test::formulaDescription({nodes, nodes, 1});
    description.blocks[0].bounds.add(Vec3{0, 0, 0});
    description.blocks[0].bounds.add(Vec3{3, 4, 0});
    const GridSurface surface(description, 0, {{0, 0, 0}, {nodes, nodes, 1}});
    return texturePartsOf(surface, description, LineConvolution(5 / texels, 20));
  };
  QCOMPARE(partsOf(5, 100), 1u);
  // A second's work and more is shared.
  QVERIFY(partsOf(5, 1000) > 30);
  QVERIFY(partsOf(5, 16384) > partsOf(5, 1000) && partsOf(5, 16384) < 1000);
  QVERIFY(partsOf(33, 1000) < partsOf(5, 1000));
  // Where there are many patches each is one task as it is.
  QCOMPARE(partsOf(400, 1000), 1u);
  // While memory is only planned the bounds are unknown.
  paging::DatasetDescription unknown = test::formulaDescription({5, 4, 1});
  unknown.blocks[0].bounds = {};
  const GridSurface surface(unknown, 0, {{0, 0, 0}, {5, 4, 1}});
  QCOMPARE(texturePartsOf(surface, unknown, LineConvolution(1, 20)), 1u);
}

QTEST_APPLESS_MAIN(TestTextureParts)
#include "tst_texture_parts.moc"
