// x, y and z as functions: where nodes are, of every kind of block, by themselves and in expressions, for samplers and surfaces; and
// that whatever else has such a name goes before them.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "core/base/error.h"
#include "core/extract/isosurface.h"
#include "core/fields/data/box_data.h"
#include "core/fields/data/mesh_data.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/ranges/seen_ranges.h"
#include "core/fields/samples/sample_data.h"
#include "tests/support/memory_mesh.h"
#include "tests/support/one_task.h"
#include "tests/unit/extract/known_surfaces.h"

using namespace farfield;
using namespace farfield::extract;
using namespace farfield::fields;

namespace {

enum class GridOf { Regular, Rectilinear, Bent, Both, Cells };

/// The cube from -1 to 1 in nodes that are 2/19 apart.
Block cube() {
  constexpr double kStep = 2.0 / 19;
  Block block{{20, 20, 20}, {}, {}, true, {-1, -1, -1}, {kStep, kStep, kStep}};
  block.place = [](const Index3& n) { return Vec3{-1, -1, -1} + kStep * toVec3(n); };
  return block;
}

/// The same with axes whose nodes are ever farther apart.
class Rectilinear final : public paging::BoxReader {
 public:
  Rectilinear() {
    paging::GridAxes axes;
    for (auto& axis : axes)
      for (int n = 0; n < 20; ++n) axis.push_back(-1 + 2 * std::pow(n / 19.0, 1.3));
    paging::BlockDescription block;
    block.dims = {20, 20, 20};
    block.kind = paging::GridKind::Rectilinear;
    block.bounds.add(Vec3{-1, -1, -1});
    block.bounds.add(Vec3{1, 1, 1});
    block.axes = std::make_shared<const paging::GridAxes>(axes);
    m_description.times = {0};
    m_description.blocks.push_back(block);
    m_description.arrays.push_back(
        {"g", 0, paging::PageLayout::ofExtent(block.dims, block.dims), 1, 1, ScalarType::F64, {}});
  }
  const paging::DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t, std::int64_t, const IndexBox& box, std::span<std::byte> out) const override {
    const paging::GridAxes& axes = *m_description.blocks[0].axes;
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      const Index3 in = unlinear(n, box.size);
      Vec3 at;
      for (std::size_t a = 0; a < 3; ++a)
        at[static_cast<int>(a)] = axes[a][static_cast<std::size_t>(box.first[a] + in[a])];
      const double value = linearFunction(at);
      std::memcpy(out.data() + static_cast<std::size_t>(n) * sizeof value, &value, sizeof value);
    }
  }

 private:
  paging::DatasetDescription m_description;
};

std::unique_ptr<OpenData> open(GridOf kind, MemoryAccount& account) {
  const BoxDataOptions how{.pageEdge = 8, .threads = false, .name = "field"};
  switch (kind) {
    case GridOf::Regular:
      return withPlaces(openBoxes(readerOf({cube()}, squaredRadius), how, {}, account));
    case GridOf::Rectilinear:
      return withPlaces(openBoxes(std::make_shared<Rectilinear>(), how, {}, account));
    case GridOf::Bent:
      return withPlaces(openBoxes(readerOf({bentCube(20)}, squaredRadius), how, {}, account));
    case GridOf::Both: {
      // beside one another: one with coordinates in its data and one without
      Block other = bentCube(12);
      other.place = [place = other.place](const Index3& n) { return Vec3{2, 0, 0} + place(n); };
      return withPlaces(openBoxes(readerOf({cube(), other}, squaredRadius), how, {}, account));
    }
    case GridOf::Cells: {
      auto mesh = test::cubeOf(test::MeshOf::Tetrahedra, 10, 3);
      for (Vec3& point : mesh->points) point = 2.0 * point - Vec3{1, 1, 1};
      mesh->named = {{.name = "g", .onCells = true}};
      mesh->value = [](std::size_t, std::int64_t, std::int64_t, int) { return 3.0; };
      return withPlaces(openMesh(mesh, {.format = "test", .name = "mesh"}, account));
    }
  }
  return nullptr;
}

void addKinds() {
  QTest::addColumn<GridOf>("kind");
  QTest::newRow("regular") << GridOf::Regular;
  QTest::newRow("rectilinear") << GridOf::Rectilinear;
  QTest::newRow("curvilinear") << GridOf::Bent;
  QTest::newRow("regular beside curvilinear") << GridOf::Both;
  QTest::newRow("cells, with values on them") << GridOf::Cells;
}

/// Calls `visit(place, values)` at random places inside.
template <class Visit>
void sampled(const OpenData& data, MemoryAccount& account, const std::vector<std::string>& names,
             const Visit& visit) {
  const auto functions = std::make_shared<const FunctionPlan>(data.description(), names);
  PagedDataOptions options;
  options.arrays = functions->arrays();
  PagedData paged(data, account, options);
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(context, functions);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> along(-0.9, 0.9);
    std::vector<double> values(static_cast<std::size_t>(functions->outputCount()));
    int found = 0;
    for (int n = 0; n < 200; ++n) {
      const Vec3 at{along(random), along(random), along(random)};
      Location location;
      if (!sampler->locate(at, {}, location)) continue;
      sampler->evaluate(location, {}, values);
      visit(at, values);
      ++found;
    }
    QVERIFY(found > 150);
  });
}

struct Triangles final : KeptTriangles {
  std::uint64_t misses = 0;
};

Triangles isosurface(const OpenData& data, MemoryAccount& account, const std::string& by, double value) {
  const SurfaceFunctions functions{
      std::make_shared<FunctionPlan>(data.description(), std::vector<std::string>{by, "g"}),
      FunctionPlan(data.description(), {by}), FunctionPlan(data.description(), {"g"})};
  PagedDataOptions options;
  options.arrays = functions.all->arrays();
  options.resultBytesPerTask = isosurfaceTaskBytes(data.description(), functions);
  PagedData paged(data, account, options);
  const std::vector<double> values{value};
  const Isosurface surface(data.description(), values);
  Triangles kept;
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    for (std::size_t n = 0; n < surface.taskCount(); ++n)
      surface.extract(n, paged, context, functions, 0, kept);
  });
  kept.misses = paged.cache().counters().misses;
  return kept;
}

}  // namespace

Q_DECLARE_METATYPE(GridOf)

class TestPlaceFunctions : public QObject {
  Q_OBJECT
 private slots:
  void areThePlacesThatAreProbed_data();
  void areThePlacesThatAreProbed();
  void surfacesOfThemAreWhereTheyShouldBe_data();
  void surfacesOfThemAreWhereTheyShouldBe();
  void theirRangesAreThoseOfTheBlocks_data();
  void theirRangesAreThoseOfTheBlocks();
  void onlyPagesNearASurfaceAreNeeded();
  void whatDataCallSoGoesBefore();
  void whatUsersDefineGoesBefore();
  void whatUsersDefineIsMadeOfThem();
  void nothingOfThemIsHandedOn();
};

void TestPlaceFunctions::areThePlacesThatAreProbed_data() {
  addKinds();
}

void TestPlaceFunctions::areThePlacesThatAreProbed() {
  QFETCH(GridOf, kind);
  MemoryAccount account(std::uint64_t{32} << 20);
  const auto data = open(kind, account);
  const std::vector<FunctionInfo> places = placeFunctions(data->description());
  QCOMPARE(places.size(), std::size_t{3});
  for (const FunctionInfo& place : places) QVERIFY(isPlace(place) && place.components == 1);
  // They are behind all others, and none of those that data begin with.
  for (const FunctionInfo& function : availableFunctions(data->description())) QVERIFY(!isPlace(function));
  sampled(*data, account, {"x", "y", "z", "2*x-y+1", "x-z"},
          [](const Vec3& at, const std::vector<double>& values) {
            for (int a = 0; a < 3; ++a) QVERIFY(std::abs(values[static_cast<std::size_t>(a)] - at[a]) < 1e-9);
            QVERIFY(std::abs(values[3] - (2 * at.x - at.y + 1)) < 1e-9);
            QVERIFY(std::abs(values[4] - (at.x - at.z)) < 1e-9);
          });
  // Together with what the data have.
  if (kind == GridOf::Cells)
    sampled(*data, account, {"g*z"}, [](const Vec3& at, const std::vector<double>& values) {
      QVERIFY(std::abs(values[0] - 3 * at.z) < 1e-9);
    });
  else
    sampled(*data, account, {"g-(2+3*x-5*y+7*z)"},
            [](const Vec3&, const std::vector<double>& values) { QVERIFY(std::abs(values[0]) < 1e-12); });
}

void TestPlaceFunctions::surfacesOfThemAreWhereTheyShouldBe_data() {
  addKinds();
}

void TestPlaceFunctions::surfacesOfThemAreWhereTheyShouldBe() {
  QFETCH(GridOf, kind);
  MemoryAccount account(std::uint64_t{32} << 20);
  const auto data = open(kind, account);
  const Triangles plane = isosurface(*data, account, "x", 0.123);
  QVERIFY(std::abs(plane.area() - 4) < 1e-6);
  plane.forEachTriangle([](const auto& triangle) {
    for (const Vec3& corner : triangle) QVERIFY(std::abs(corner.x - 0.123) < 1e-12);
  });
  const Triangles cylinder = isosurface(*data, account, "sqrt(x*x+y*y)", 0.6);
  QVERIFY(std::abs(cylinder.area() - 2 * std::numbers::pi * 0.6 * 2) < 0.15);
  cylinder.forEachTriangle([](const auto& triangle) {
    for (const Vec3& corner : triangle) QVERIFY(std::abs(std::hypot(corner.x, corner.y) - 0.6) < 0.05);
  });
}

void TestPlaceFunctions::theirRangesAreThoseOfTheBlocks_data() {
  addKinds();
}

void TestPlaceFunctions::theirRangesAreThoseOfTheBlocks() {
  QFETCH(GridOf, kind);
  MemoryAccount account(std::uint64_t{32} << 20);
  const auto data = open(kind, account);
  const auto range = placeRangeOf(data->description(), "x");
  QVERIFY(range.has_value());
  QVERIFY(std::abs((*range)[0] + 1) < 1e-12 &&
          std::abs((*range)[1] - (kind == GridOf::Both ? 3 : 1)) < 1e-12);
  const auto seen = seenRangeOf({}, data->description(), "x");
  QVERIFY(seen && seen->all == *range);
  // An expression of them takes nothing from what is seen of the others.
  const SeenValues others = seenValues(*data, availableFunctions(data->description()), account, {});
  const auto defined = withDefinitions(open(kind, account), {{"far", "x*x+g"}});
  const SeenValues all = seenValues(*defined, availableFunctions(defined->description()), account, {});
  for (const auto& [name, its] : others.ranges) QVERIFY2(all.ranges.contains(name), name.c_str());
}

void TestPlaceFunctions::onlyPagesNearASurfaceAreNeeded() {
  MemoryAccount account(std::uint64_t{32} << 20);
  // Of x alone the pages of g that a plane meets, and those of places there.
  const auto data = open(GridOf::Regular, account);
  const std::uint64_t near = isosurface(*data, account, "x", -0.9).misses;
  const std::uint64_t all = isosurface(*data, account, "0*g+x", -0.9).misses;
  QVERIFY2(near < all, (std::to_string(near) + " of " + std::to_string(all)).c_str());
}

void TestPlaceFunctions::whatDataCallSoGoesBefore() {
  MemoryAccount account(std::uint64_t{32} << 20);
  paging::DatasetDescription description;
  description.times = {0};
  paging::BlockDescription block;
  block.kind = paging::GridKind::Regular;
  block.dims = {5, 5, 5};
  block.bounds.add(Vec3{0, 0, 0});
  block.bounds.add(Vec3{4, 4, 4});
  description.blocks.push_back(block);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(block.dims, block.dims);
  // one number is called x, and a vector as coordinates are in other data
  description.arrays.push_back({"x", 0, whole, 1, 1, ScalarType::F64, {}});
  description.arrays.push_back({"xyz", 0, whole, 1, 3, ScalarType::F64, {}});
  const auto reader = std::make_shared<paging::ComputedReader>(
      description, [](std::uint32_t, std::int64_t, const IndexBox&, std::span<std::byte> out) {
        const double value = 42;
        for (std::size_t n = 0; n < out.size(); n += sizeof value)
          std::memcpy(out.data() + n, &value, sizeof value);
      });
  const auto data =
      withPlaces(openBoxes(reader, {.pageEdge = 4, .threads = false, .name = "named"}, {}, account));
  const std::vector<FunctionInfo> places = placeFunctions(data->description());
  QCOMPARE(places.size(), std::size_t{2});
  QCOMPARE(places.front().name, std::string("y"));
  QVERIFY(!placeRangeOf(data->description(), "x") && placeRangeOf(data->description(), "y"));
  const auto functions = std::make_shared<const FunctionPlan>(
      data->description(), std::vector<std::string>{"x", "y", "xyz-x", "x+z"});
  PagedDataOptions options;
  options.arrays = functions->arrays();
  PagedData paged(*data, account, options);
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(context, functions);
    Location location;
    QVERIFY(sampler->locate({1.5, 2.25, 3.5}, {}, location));
    std::array<double, 4> values{};
    sampler->evaluate(location, {}, values);
    QCOMPARE(values[0], 42.0);
    QCOMPARE(values[1], 2.25);
    QCOMPARE(values[2], 42.0);
    QCOMPARE(values[3], 45.5);
  });
}

void TestPlaceFunctions::whatUsersDefineGoesBefore() {
  MemoryAccount account(std::uint64_t{32} << 20);
  const auto data = withDefinitions(open(GridOf::Regular, account), {{"x", "100*z"}, {"high", "x+y"}});
  QCOMPARE(placeFunctions(data->description()).size(), std::size_t{2});
  sampled(*data, account, {"x", "high"}, [](const Vec3& at, const std::vector<double>& values) {
    QVERIFY(std::abs(values[0] - 100 * at.z) < 1e-9);
    QVERIFY(std::abs(values[1] - (100 * at.z + at.y)) < 1e-9);
  });
  QVERIFY_THROWS_EXCEPTION(Invalid, (void)withDefinitions(open(GridOf::Regular, account), {{"x", "2*x"}}));
}

/// Though data get definitions first, and places after them.
void TestPlaceFunctions::whatUsersDefineIsMadeOfThem() {
  MemoryAccount account(std::uint64_t{32} << 20);
  const std::map<std::string, std::string> definitions{{"far", "0*g+x*(z+3)"}, {"turned", "-y, x, far"}};
  auto grid = openBoxes(readerOf({cube()}, squaredRadius), {.pageEdge = 8, .threads = false, .name = "field"},
                        {}, account);
  const auto data = withPlaces(withDefinitions(std::move(grid), definitions));
  sampled(*data, account, {"x", "y", "far", "turned-x", "turned-z"},
          [](const Vec3& at, const std::vector<double>& values) {
            QVERIFY(std::abs(values[0] - at.x) < 1e-9);
            QVERIFY(std::abs(values[2] - at.x * (at.z + 3)) < 1e-9);
            QCOMPARE(values[3], -values[1]);
            QCOMPARE(values[4], values[2]);
          });
  // As all data are opened, and where nothing has places, to be converted.
  ReaderRegistry readers;
  readers.add(std::make_unique<samples::SampleDataReader>());
  for (const char* const url : {"sample://turbulence?size=9", "sample://abc?size=9"}) {
    for (const bool forConversion : {false, true}) {
      OpenRequest request{.sources = {url}, .options = {{"function.far", "2*x+z"}, {"function.up", "far+y"}}};
      request.forConversion = forConversion;
      const auto opened = readers.open(request, account);
      const std::vector<FunctionInfo> all = availableFunctions(opened->description());
      const bool isListed = std::any_of(all.begin(), all.end(),
                                        [](const FunctionInfo& function) { return function.name == "up"; });
      QVERIFY2(isListed != forConversion, url);
      QVERIFY(opened->description().attributes.contains("function.up"));
      request.options["function.up"] = "far+nothing";
      QVERIFY_THROWS_EXCEPTION(Invalid, (void)readers.open(request, account));
    }
  }
}

void TestPlaceFunctions::nothingOfThemIsHandedOn() {
  MemoryAccount account(std::uint64_t{32} << 20);
  ReaderRegistry readers;
  readers.add(std::make_unique<samples::SampleDataReader>());
  OpenRequest request{.sources = {"sample://turbulence?size=9"}};
  auto data = readers.open(request, account);
  const std::size_t arrays = data->description().arrays.size();
  QCOMPARE(placeFunctions(data->description()).size(), std::size_t{3});
  data = withoutPlaces(std::move(data));
  QCOMPARE(data->description().arrays.size(), arrays - 1);
  QVERIFY(placeFunctions(data->description()).empty());
  request.forConversion = true;
  QCOMPARE(readers.open(request, account)->description().arrays.size(), arrays - 1);
}

QTEST_GUILESS_MAIN(TestPlaceFunctions)
#include "tst_place_functions.moc"
