// Structured zones of CGNS with values at the centres of cells: blocks reach to the ends of the grid, meet, and have its bounds.

#include <QTest>

#include "core/base/error.h"
#include "core/fields/paged/paged_data.h"
#include "plugins/cgns/cgns_data.h"
#include "tests/support/array_checks.h"
#include "tests/support/one_task.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/unit/cgns/cgns_maker.h"

using namespace farfield;
using namespace farfield::test;

class TestCgnsCells : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_path = (m_folder.path() / "a.cgns").string(); }
  void cellsAndRind();
  void zonesMeet();
  void conditionsLeaveNoGap();
  void axesOfOneCell();
  void realGridsHaveTheirBounds();

 private:
  std::unique_ptr<fields::OpenData> open(std::map<std::string, std::string> options = {}) {
    const cgns::CgnsDataReader reader(std::make_shared<paging::ByteStores>());
    return reader.open({.sources = {m_path}, .options = std::move(options)}, m_account);
  }
  /// Empty where no cell is.
  std::vector<double> at(const fields::OpenData& data, const std::string& function, Vec3 point) {
    fields::PagedDataOptions options;
    options.arrays = {function};
    fields::PagedData paged(data, m_account, options);
    std::vector<double> values;
    runOneTask(paged, [&](tasks::TaskContext& context) {
      const auto sampler = paged.makeSampler(
          context, std::make_shared<fields::FunctionPlan>(paged.description(), options.arrays));
      fields::Location place;
      if (!sampler->locate(point, {0}, place)) return;
      values.resize(static_cast<std::size_t>(sampler->valueCount()));
      sampler->evaluate(place, {0}, values);
    });
    return values;
  }
  /// Whether the value there is `wanted`, but for rounding.
  bool is(const fields::OpenData& data, Vec3 point, double wanted) {
    const std::vector<double> values = at(data, "p", point);
    return values.size() == 1 && std::abs(values.front() - wanted) < 1e-12;
  }
  static const paging::NamedSurface& surface(const fields::OpenData& data, const std::string& name) {
    for (const paging::NamedSurface& its : data.description().surfaces)
      if (its.name == name) return its;
    throw Invalid("no surface " + name);
  }

  TemporaryFolder m_folder;
  std::string m_path;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestCgnsCells::cellsAndRind() {
  {
    CgnsMaker file(m_path);
    file.base();
    file.structured("z", {4, 3, 2});
    file.points("z", {2, 3, 4}, boxPoints(4, 3, 2));
    file.solution("z", "Cells", true);
    // a plane before and two behind along i, one behind along j
    file.integers("Base/z/Cells/Rind", "Rind_t", {6}, {1, 2, 0, 1, 0, 0});
    file.values("z", "Cells", "p", {1, 3, 6}, counted(18));
    file.values("z", "Cells", "wrong", {1, 2, 3}, counted(6));
    file.condition("z", "end", "BCWall", "Vertex", {2, 3}, {4, 1, 1, 4, 3, 2});
  }
  const auto data = open();
  // the centres and the ends, which have the values of the cells beside them
  const paging::BlockDescription& block = data->description().blocks.front();
  QCOMPARE(block.dims, (Index3{5, 4, 3}));
  std::vector<double> values, points;
  for (const double z : {0.0, 1.0, 2.0})
    for (const double y : {0.0, 0.5, 1.5, 2.0})
      for (const auto& [x, value] : {std::pair{0.0, 1}, {0.5, 1}, {2.0, 2}, {4.5, 3}, {6.0, 3}}) {
        values.push_back(value + (y > 1 ? 6 : 0));
        points.insert(points.end(), {x, y, z});
      }
  QCOMPARE(allValues(*data->boxReader(), "p"), values);
  QCOMPARE(allValues(*data->boxReader(), "xyz"), points);
  QCOMPARE(block.bounds.max, (Vec3{6, 2, 2}));
  QVERIFY(is(*data, {5.9, 0.1, 0.1}, 3));
  const std::vector<std::string> said = data->explanation();
  QVERIFY(std::any_of(said.begin(), said.end(),
                      [](const std::string& line) { return line.starts_with("left out: wrong"); }));
  QCOMPARE(surface(*data, "end").nodes.first, (Index3{4, 0, 0}));
  QCOMPARE(surface(*data, "end").nodes.size, (Index3{1, 4, 3}));
  QCOMPARE(open({{"on", "nodes"}})->description().blocks.front().dims, (Index3{4, 3, 2}));
}

/// There was a gap of a cell between blocks, where no point was found.
void TestCgnsCells::zonesMeet() {
  {
    CgnsMaker file(m_path);
    file.base();
    for (const std::string zone : {"a", "b"}) {
      file.structured(zone, {4, 3, 3});
      auto points = boxPoints(4, 3, 3);
      // the second lies beyond the first, and counts from the other end; both are askew
      for (std::size_t n = 0; n < points.size(); n += 3) {
        if (zone == "b") points[n] = 12 - points[n];
        points[n + 1] += 0.1 * points[n] + 0.07 * points[n + 2];
      }
      file.points(zone, {3, 3, 4}, points);
      file.solution(zone, "Cells", true);
      file.values(zone, "Cells", "p", {2, 2, 3}, std::vector<double>(12, zone == "a" ? 1 : 2));
    }
  }
  const auto data = open();
  QCOMPARE(data->description().blocks.size(), std::size_t{2});
  for (const double x : {0.01, 3.0, 5.5, 5.99, 6.01, 6.5, 9.0, 11.99})
    QVERIFY2(is(*data, {x, 1.1 + 0.1 * x, 1.7}, x < 6 ? 1 : 2), std::to_string(x).c_str());
  // the same places on the face of both, to the last digit
  std::array<std::vector<double>, 2> faces;
  const auto& arrays = data->boxReader()->description().arrays;
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    if (!arrays[n].isGrid()) continue;
    std::vector<double>& face = faces[static_cast<std::size_t>(arrays[n].block)];
    face.resize(3 * 4 * 4);
    data->boxReader()->read(static_cast<std::uint32_t>(n), 0, {{4, 0, 0}, {1, 4, 4}},
                            std::as_writable_bytes(std::span(face)));
  }
  QCOMPARE(faces[0], faces[1]);
}

/// Two conditions on a face of a block, side by side.
void TestCgnsCells::conditionsLeaveNoGap() {
  {
    CgnsMaker file(m_path);
    file.base();
    file.structured("z", {5, 3, 3});
    file.points("z", {3, 3, 5}, boxPoints(5, 3, 3));
    file.solution("z", "Cells", true);
    file.values("z", "Cells", "p", {2, 2, 4}, counted(16));
    file.condition("z", "left", "BCWall", "Vertex", {2, 3}, {1, 1, 1, 3, 3, 1});
    file.condition("z", "right", "BCWall", "KFaceCenter", {2, 3}, {3, 1, 1, 4, 2, 1});
    file.condition("z", "top", "BCWall", "Vertex", {2, 3}, {1, 1, 3, 5, 3, 3});
  }
  const auto data = open();
  QCOMPARE(data->description().blocks.front().dims, (Index3{6, 4, 4}));
  QCOMPARE(surface(*data, "left").nodes.first, (Index3{0, 0, 0}));
  QCOMPARE(surface(*data, "left").nodes.size, (Index3{3, 4, 1}));
  QCOMPARE(surface(*data, "right").nodes.first, (Index3{2, 0, 0}));
  QCOMPARE(surface(*data, "right").nodes.size, (Index3{4, 4, 1}));
  QCOMPARE(surface(*data, "top").nodes.first, (Index3{0, 0, 3}));
  QCOMPARE(surface(*data, "top").nodes.size, (Index3{6, 4, 1}));
}

/// A zone that is one cell thick was a sheet.
void TestCgnsCells::axesOfOneCell() {
  {
    CgnsMaker file(m_path);
    file.base();
    file.structured("z", {3, 3, 2});
    file.points("z", {2, 3, 3}, boxPoints(3, 3, 2));
    file.solution("z", "Cells", true);
    file.values("z", "Cells", "p", {1, 2, 2}, counted(4));
  }
  const auto data = open();
  QCOMPARE(data->description().blocks.front().dims, (Index3{4, 4, 3}));
  for (const double z : {0.0, 0.3, 1.0, 1.9}) QVERIFY(is(*data, {2.5, 0.2, z}, 1));
  QVERIFY(at(*data, "p", {2.5, 0.2, 2.1}).empty());
}

/// A half cone of 14 zones that meet, whose bounds VTK's reader gives.
void TestCgnsCells::realGridsHaveTheirBounds() {
  NEEDS_DATA("data/hdf/multiple_zones_fields.cgns");
  m_path = dataPath("data/hdf/multiple_zones_fields.cgns").string();
  const auto data = open();
  Bounds bounds;
  for (const paging::BlockDescription& block : data->description().blocks) {
    bounds.add(block.bounds.min);
    bounds.add(block.bounds.max);
  }
  const Bounds wanted{{-0.015, -0.55, 0}, {1.524, 0.55, 0.55}};
  for (int a = 0; a < 3; ++a) {
    QVERIFY2(std::abs(bounds.min[a] - wanted.min[a]) < 1e-6, std::to_string(bounds.min[a]).c_str());
    QVERIFY2(std::abs(bounds.max[a] - wanted.max[a]) < 1e-6, std::to_string(bounds.max[a]).c_str());
  }
}

QTEST_GUILESS_MAIN(TestCgnsCells)
#include "tst_cgns_cells.moc"
