// Unstructured grids of each shape, in a random order of cells and nodes: every point is found in a cell whose map gives it back,
// linear fields are exact, faces are crossed to the same point, the border is whole, and nothing depends on the budget.

#include <QTest>

#include <cmath>
#include <random>

#include "core/extract/grid_surface.h"
#include "core/fields/data/mesh_data.h"
#include "core/fields/paged/paged_data.h"
#include "tests/support/memory_mesh.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

/// Linear in space, and different along all axes.
Vec3 flowAt(Vec3 p, std::int64_t step) {
  const double s = 1 + 0.5 * static_cast<double>(step);
  return {s * (1 + 2 * p.x - p.y), s * (0.5 + p.z - 0.3 * p.x), s * (-0.2 + p.y + 0.7 * p.z)};
}

std::shared_ptr<MemoryMesh> meshOf(MeshOf kind, int along = 5) {
  auto mesh = cubeOf(kind, along, 7);
  mesh->named = {{.name = "v", .components = 3, .steps = 2},
                 {.name = "number", .components = 1, .onCells = true}};
  const MemoryMesh& its = *mesh;
  mesh->value = [&its](std::size_t variable, std::int64_t step, std::int64_t number, int component) {
    return variable == 0 ? flowAt(its.points[static_cast<std::size_t>(number)], step)[component]
                         : static_cast<double>(number);
  };
  return mesh;
}

void withSampler(const std::shared_ptr<MemoryMesh>& mesh, const std::vector<std::string>& functions,
                 const std::function<void(Sampler&, PagedData&)>& work, std::uint64_t budget = 64 << 20) {
  MemoryAccount account(budget);
  const auto data = openMesh(mesh, {.format = "test", .name = "test", .times = {0, 1}}, account);
  PagedDataOptions options;
  options.arrays = {"v", "number"};
  options.stepsAtATime = 2;
  PagedData paged(*data, account, options);
  runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler =
        paged.makeSampler(context, std::make_shared<FunctionPlan>(paged.description(), functions));
    work(*sampler, paged);
  });
}

Vec3 randomPoint(std::mt19937& random) {
  std::uniform_real_distribution<double> within(0, 1);
  const double x = within(random), y = within(random);
  return {x, y, within(random)};
}

}  // namespace

class TestUnstructured : public QObject {
  Q_OBJECT
 private slots:
  void pointsAreFoundAndLinearFieldsAreExact_data() { shapes(); }
  void pointsAreFoundAndLinearFieldsAreExact();
  void walksArriveWhereSearchesDo_data() { shapes(); }
  void walksArriveWhereSearchesDo();
  void facesAreCrossed_data() { shapes(); }
  void facesAreCrossed();
  void edgesAreCrossed_data() { shapes(); }
  void edgesAreCrossed();
  void theBorderIsWhole_data() { shapes(); }
  void theBorderIsWhole();
  void valuesOnCellsAreThoseOfTheCell();
  void betweenStepsValuesAreLinearInTime();
  void pointsMayMove_data() { shapes(); }
  void pointsMayMove();
  void smallBudgetsGiveTheSame();
  void nothingIsFoundOutside();

 private:
  static void shapes();
};

void TestUnstructured::shapes() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<int>("cells");
  QTest::addColumn<int>("borderFaces");
  QTest::newRow("hexahedra") << int(MeshOf::Hexahedra) << 125 << 150;
  QTest::newRow("wedges") << int(MeshOf::Wedges) << 250 << 200;
  QTest::newRow("tetrahedra") << int(MeshOf::Tetrahedra) << 750 << 300;
  QTest::newRow("pyramids") << int(MeshOf::Pyramids) << 750 << 150;
  QTest::newRow("hexahedra and pyramids") << int(MeshOf::HexahedraAndPyramids) << -1 << 150;
}

void TestUnstructured::pointsAreFoundAndLinearFieldsAreExact() {
  QFETCH(int, kind);
  QFETCH(int, cells);
  withSampler(meshOf(MeshOf(kind)), {"v"}, [&](Sampler& sampler, PagedData& data) {
    if (cells > 0) QCOMPARE(data.description().blocks[0].cells, cells);
    std::mt19937 random(3);
    for (int n = 0; n < 400; ++n) {
      const Vec3 point = randomPoint(random);
      Location place;
      QVERIFY(sampler.locate(point, {}, place));
      std::vector<double> v(3);
      sampler.evaluate(place, {}, v);
      const Vec3 wanted = flowAt(point, 0);
      for (int a = 0; a < 3; ++a) QVERIFY(std::abs(v[static_cast<std::size_t>(a)] - wanted[a]) < 1e-11);
      const auto flow = sampler.flowIn(place, {});
      QVERIFY(flow.has_value());
      std::visit(
          [&](const auto& its) {
            QVERIFY(length(its.position(place.xi, 0) - point) < 1e-12);
            QVERIFY(length(its.velocity(place.xi, 0) - wanted) < 1e-11);
          },
          *flow);
    }
  });
}

void TestUnstructured::walksArriveWhereSearchesDo() {
  QFETCH(int, kind);
  withSampler(meshOf(MeshOf(kind)), {"v"}, [&](Sampler& sampler, PagedData&) {
    std::mt19937 random(5);
    Location walked;
    int byWalk = 0;
    for (int n = 0; n < 300; ++n) {
      const Vec3 point = randomPoint(random);
      Location searched, near = walked;
      QVERIFY(sampler.locate(point, {}, searched));
      if (walked.valid() && sampler.locateNear(point, {}, near) == Nearness::Inside) ++byWalk;
      QVERIFY(sampler.locate(point, {}, walked));
      QCOMPARE(walked.cell, searched.cell);
      QVERIFY(length(walked.xi - searched.xi) < 1e-9);
    }
    QVERIFY2(byWalk > 250, qPrintable(QString::number(byWalk)));
  });
}

void TestUnstructured::facesAreCrossed() {
  QFETCH(int, kind);
  withSampler(meshOf(MeshOf(kind)), {"v"}, [&](Sampler& sampler, PagedData&) {
    std::mt19937 random(11);
    int crossed = 0;
    for (int n = 0; n < 400; ++n) {
      Location place;
      QVERIFY(sampler.locate(randomPoint(random), {}, place));
      const auto flow = sampler.flowIn(place, {});
      std::visit(
          [&](const auto& its) {
            using Flow = std::decay_t<decltype(its)>;
            for (int face = 0; face < 2 * Flow::kMeasures; ++face) {
              Location on = place;
              on.xi = its.onFace(its.clamped(place.xi), face);
              const Vec3 before = its.position(on.xi, 0);
              if (its.outsideBy(on.xi) > 1e-12) continue;  // the plane of the face, but not the face
              if (!sampler.crossFace(on, {}, face)) continue;
              ++crossed;
              QVERIFY(on.cell != place.cell);
              const auto next = sampler.flowIn(on, {});
              std::visit(
                  [&](const auto& other) {
                    QVERIFY2(length(other.position(on.xi, 0) - before) < 1e-12,
                             qPrintable(QString("face %1").arg(face)));
                    QVERIFY(std::abs(other.outsideBy(on.xi)) < 1e-12);
                  },
                  *next);
            }
          },
          *flow);
    }
    QVERIFY(crossed > 800);
  });
}

/// A point on an edge of the face, where all its own corners are those of other
/// faces as well.
void TestUnstructured::edgesAreCrossed() {
  QFETCH(int, kind);
  withSampler(meshOf(MeshOf(kind)), {"v"}, [&](Sampler& sampler, PagedData&) {
    std::mt19937 random(11);
    int crossed = 0;
    for (int n = 0; n < 400; ++n) {
      Location place;
      QVERIFY(sampler.locate(randomPoint(random), {}, place));
      const auto flow = sampler.flowIn(place, {});
      std::visit(
          [&](const auto& its) {
            using Flow = std::decay_t<decltype(its)>;
            for (int face = 0; face < 2 * Flow::kMeasures; ++face)
              for (int other = 0; other < 2 * Flow::kMeasures; ++other) {
                Location on = place;
                on.xi = its.onFace(its.onFace(its.clamped(place.xi), other), face);
                const Vec3 before = its.position(on.xi, 0);
                const bool isNoFace = face == 6 || other == 6;  // where the slanted measure is 0
                if (isNoFace || other == face || its.outsideBy(on.xi) > 1e-12) continue;
                if (!sampler.crossFace(on, {}, face)) continue;
                ++crossed;
                const auto next = sampler.flowIn(on, {});
                std::visit(
                    [&](const auto& beyond) {
                      QVERIFY2(length(beyond.position(on.xi, 0) - before) < 1e-12,
                               qPrintable(QString("face %1, edge %2").arg(face).arg(other)));
                      QVERIFY(std::abs(beyond.outsideBy(on.xi)) < 1e-12);
                    },
                    *next);
              }
          },
          *flow);
    }
    QVERIFY2(crossed > 800, qPrintable(QString::number(crossed)));
  });
}

void TestUnstructured::theBorderIsWhole() {
  QFETCH(int, kind);
  QFETCH(int, borderFaces);
  class Areas final : public extract::SurfaceSink {
   public:
    Vec3 sum;
    double area = 0, volume = 0;
    void patch(std::size_t, const extract::SurfacePatch& patch) override {
      for (std::size_t t = 0; t < patch.triangles.size(); t += 3) {
        const auto point = [&](std::size_t n) {
          const double* const p = patch.points.data() + std::size_t{3} * patch.triangles[t + n];
          return Vec3{p[0], p[1], p[2]};
        };
        const Vec3 vector = 0.5 * cross(point(1) - point(0), point(2) - point(0));
        sum = sum + vector;
        area += length(vector);
        volume += dot(vector, point(0)) / 3;
      }
    }
  } areas;
  withSampler(meshOf(MeshOf(kind)), {"v"}, [&](Sampler&, PagedData& data) {
    const paging::NamedSurface& border = data.description().surfaces.front();
    QCOMPARE(border.nodes.size[0], borderFaces);
  });
  MemoryAccount account(64 << 20);
  const auto data =
      openMesh(meshOf(MeshOf(kind)), {.format = "test", .name = "test", .times = {0, 1}}, account);
  PagedDataOptions options;
  options.arrays = {"v", "number"};
  PagedData paged(*data, account, options);
  const paging::NamedSurface& border = data->description().surfaces.front();
  const extract::GridSurface surface(data->description(), 0, border.nodes);
  const FunctionPlan plan(data->description(), {"v", "number"});
  runOneTask(paged, [&](tasks::TaskContext& context) {
    for (std::size_t n = 0; n < surface.patchCount(); ++n) surface.extract(n, paged, context, plan, 0, areas);
  });
  QVERIFY(length(areas.sum) < 1e-12);
  QVERIFY(std::abs(areas.area - 6) < 1e-12);
  QVERIFY(std::abs(areas.volume - 1) < 1e-12);  // normals point out
}

void TestUnstructured::valuesOnCellsAreThoseOfTheCell() {
  const auto mesh = meshOf(MeshOf::Tetrahedra);
  withSampler(mesh, {"number"}, [&](Sampler& sampler, PagedData&) {
    for (std::int64_t cell = 0; cell < static_cast<std::int64_t>(mesh->cellNodes.size()); cell += 7) {
      Location place;
      QVERIFY(sampler.locate(mesh->centre(cell), {}, place));
      double number = -1;
      sampler.evaluate(place, {}, {&number, 1});
      // a mean of corners, of which one counts four times, is inside
      QVERIFY(std::abs(number - static_cast<double>(cell)) < 1e-9);
    }
  });
}

void TestUnstructured::betweenStepsValuesAreLinearInTime() {
  withSampler(meshOf(MeshOf::Wedges), {"v"}, [&](Sampler& sampler, PagedData&) {
    const Vec3 point{0.31, 0.62, 0.47};
    Location place;
    const FieldTime half{.step = 0, .weight = 0.25};
    QVERIFY(sampler.locate(point, half, place));
    std::vector<double> v(3);
    sampler.evaluate(place, half, v);
    const Vec3 wanted = 0.75 * flowAt(point, 0) + 0.25 * flowAt(point, 1);
    for (int a = 0; a < 3; ++a) QVERIFY(std::abs(v[static_cast<std::size_t>(a)] - wanted[a]) < 1e-12);
  });
}

/// At the second step everything is moved, stretched and turned; between the steps points are on straight ways.
void TestUnstructured::pointsMayMove() {
  QFETCH(int, kind);
  const auto mesh = meshOf(MeshOf(kind));
  const auto moved = [](Vec3 p) { return Vec3{2 + 1.5 * p.x, 1 - p.z, p.y + 0.25 * p.x}; };
  mesh->moved.emplace_back();
  for (const Vec3& point : mesh->points) mesh->moved[0].push_back(moved(point));
  withSampler(mesh, {"v"}, [&](Sampler& sampler, PagedData& data) {
    // the bounds are those of all steps
    QVERIFY(length(data.bounds().max - Vec3{3.5, 1, 1.25}) < 1e-12);
    std::mt19937 random(5);
    for (int n = 0; n < 200; ++n) {
      const Vec3 point = randomPoint(random);
      const double weight = n % 3 == 0 ? 0 : n % 3 == 1 ? 0.375 : 1;
      const FieldTime time = weight == 1 ? FieldTime{.step = 1} : FieldTime{.step = 0, .weight = weight};
      const Vec3 now = (1 - weight) * point + weight * moved(point);
      Location place;
      QVERIFY(sampler.locate(now, time, place));
      std::vector<double> v(3);
      sampler.evaluate(place, time, v);
      // values belong to nodes, which take them along
      const Vec3 wanted = (1 - weight) * flowAt(point, 0) + weight * flowAt(point, 1);
      for (int a = 0; a < 3; ++a) QVERIFY(std::abs(v[static_cast<std::size_t>(a)] - wanted[a]) < 1e-10);
    }
    Location place;
    QVERIFY(!sampler.locate({0.1, 0.1, 0.1}, FieldTime{.step = 1}, place));
    QVERIFY(!sampler.locate({3, 0.5, 0.9}, FieldTime{.step = 0}, place));
  });
}

void TestUnstructured::smallBudgetsGiveTheSame() {
  const auto mesh = meshOf(MeshOf::HexahedraAndPyramids, 12);
  std::vector<double> all;
  for (const std::uint64_t budget : {std::uint64_t{64} << 20, std::uint64_t{2400} << 10}) {
    std::vector<double> values;
    withSampler(
        mesh, {"v", "number"},
        [&](Sampler& sampler, PagedData&) {
          std::mt19937 random(17);
          for (int n = 0; n < 200; ++n) {
            Location place;
            QVERIFY(sampler.locate(randomPoint(random), {}, place));
            std::vector<double> v(4);
            sampler.evaluate(place, {}, v);
            values.insert(values.end(), v.begin(), v.end());
          }
        },
        budget);
    if (all.empty())
      all = values;
    else
      QVERIFY(all == values);
  }
}

void TestUnstructured::nothingIsFoundOutside() {
  withSampler(meshOf(MeshOf::Tetrahedra), {"v"}, [&](Sampler& sampler, PagedData&) {
    Location place;
    for (const Vec3 point : {Vec3{1.001, 0.5, 0.5}, Vec3{0.5, -0.001, 0.5}, Vec3{5, 5, 5}})
      QVERIFY(!sampler.locate(point, {}, place));
    QVERIFY(sampler.locate({0.5, 0.5, 0.999}, {}, place));
    QCOMPARE(int(sampler.locateNear({0.5, 0.5, 1.002}, {}, place)), int(Nearness::Beyond));
  });
}

QTEST_APPLESS_MAIN(TestUnstructured)
#include "tst_unstructured.moc"
