// Values of cells taken to the nodes of unstructured grids: each node has the mean of the cells around it, of every step its own. What is
// read in pieces, or under a small budget, is the same to the byte.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/error.h"
#include "core/fields/data/mesh_data.h"
#include "tests/support/array_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/memory_mesh.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A number and a vector of each cell at two steps, and one of each node.
std::shared_ptr<MemoryMesh> meshOf(MeshOf kind, int along = 4) {
  auto mesh = cubeOf(kind, along, 11);
  mesh->named = {{.name = "ofNodes"},
                 {.name = "p", .onCells = true, .steps = 2},
                 {.name = "v", .components = 3, .onCells = true}};
  mesh->value = [](std::size_t variable, std::int64_t step, std::int64_t number, int component) {
    return std::sin(static_cast<double>(number)) + static_cast<double>(variable) +
           10 * static_cast<double>(step) + 100 * component;
  };
  return mesh;
}

std::unique_ptr<OpenData> opened(const std::shared_ptr<const paging::MeshInput>& mesh, MemoryAccount& account,
                                 bool atNodes = true) {
  return openMesh(mesh, {.format = "test", .name = "test", .times = {0, 1}, .cellsAtNodes = atNodes},
                  account);
}

/// By its place, the mean at each node: sums of cells in the order of their numbers.
std::map<std::array<double, 3>, double> meansOf(const MemoryMesh& mesh, std::size_t variable,
                                                std::int64_t step, int component) {
  std::vector<double> sums(mesh.points.size());
  std::vector<int> counts(mesh.points.size());
  for (std::size_t cell = 0; cell < mesh.cellNodes.size(); ++cell) {
    const double value = mesh.value(variable, step, static_cast<std::int64_t>(cell), component);
    if (std::isnan(value)) continue;
    std::vector<std::int32_t> nodes(mesh.cellNodes[cell].begin(), mesh.cellNodes[cell].end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const std::int32_t node : nodes) {
      sums[static_cast<std::size_t>(node)] += value;
      ++counts[static_cast<std::size_t>(node)];
    }
  }
  std::map<std::array<double, 3>, double> means;
  for (std::size_t n = 0; n < sums.size(); ++n)
    means[{mesh.points[n].x, mesh.points[n].y, mesh.points[n].z}] =
        counts[n] > 0 ? sums[n] / counts[n] : kNone;
  return means;
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// Whether all nodes have the means that they should.
bool hasMeans(const OpenData& data, const MemoryMesh& mesh) {
  const paging::BoxReader& reader = *data.boxReader();
  const std::vector<double> places = allValues(reader, "xyz");
  for (std::size_t variable = 1; variable < mesh.named.size(); ++variable) {
    const paging::MeshVariable& its = mesh.named[variable];
    const auto components = static_cast<std::size_t>(its.components);
    for (std::int64_t step = 0; step < its.steps; ++step) {
      const std::vector<double> values = allValues(reader, its.name, step);
      if (values.size() != mesh.points.size() * components) return false;
      for (std::size_t c = 0; c < components; ++c) {
        const auto means = meansOf(mesh, variable, step, static_cast<int>(c));
        for (std::size_t n = 0; n < mesh.points.size(); ++n)
          if (!same(values[n * components + c],
                    means.at({places[3 * n], places[3 * n + 1], places[3 * n + 2]})))
            return false;
      }
    }
  }
  return true;
}

}  // namespace

class TestCellsAtNodes : public QObject {
  Q_OBJECT
 private slots:
  void nodesHaveTheMeanOfTheCellsAround_data();
  void nodesHaveTheMeanOfTheCellsAround();
  void cellsWithoutAValueAreLeftOut();
  void partsOfACellCountOnce();
  void piecesAndBudgetsChangeNothing();
  void oneChooses();
};

void TestCellsAtNodes::nodesHaveTheMeanOfTheCellsAround_data() {
  QTest::addColumn<int>("kind");
  QTest::newRow("hexahedra") << int(MeshOf::Hexahedra);
  QTest::newRow("wedges") << int(MeshOf::Wedges);
  QTest::newRow("tetrahedra") << int(MeshOf::Tetrahedra);
  QTest::newRow("hexahedra and pyramids") << int(MeshOf::HexahedraAndPyramids);
}

void TestCellsAtNodes::nodesHaveTheMeanOfTheCellsAround() {
  QFETCH(int, kind);
  const auto mesh = meshOf(MeshOf(kind));
  MemoryAccount account(64 << 20);
  const auto data = opened(mesh, account);
  for (const char* const name : {"ofNodes", "p", "v"}) {
    const int number = data->description().find(0, name);
    QVERIFY(number >= 0 && !data->description().arrays[static_cast<std::size_t>(number)].onCells);
  }
  QVERIFY(hasMeans(*data, *mesh));
}

/// And a node around which no cell has one, or that belongs to no cell, has none.
void TestCellsAtNodes::cellsWithoutAValueAreLeftOut() {
  const auto mesh = meshOf(MeshOf::Hexahedra);
  mesh->points.push_back({9, 9, 9});
  const auto value = mesh->value;
  mesh->value = [value, mesh = mesh.get()](std::size_t variable, std::int64_t step, std::int64_t number,
                                           int component) {
    const bool isThere = variable == 0 || mesh->centre(number).x > 0.5 || number % 3 == component;
    return isThere ? value(variable, step, number, component) : kNone;
  };
  MemoryAccount account(64 << 20);
  const auto data = opened(mesh, account);
  QVERIFY(hasMeans(*data, *mesh));
  const std::vector<double> values = allValues(*data->boxReader(), "p");
  QVERIFY(std::isnan(values.back()));
  QVERIFY(std::count_if(values.begin(), values.end(), [](double its) { return std::isnan(its); }) > 1);
}

/// As polyhedra are cut: the parts have the number of the whole.
void TestCellsAtNodes::partsOfACellCountOnce() {
  const auto mesh = std::make_shared<MemoryMesh>();
  // two tetrahedra of cell 0 on a common face, and a third beside them
  mesh->points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {2, 2, 0}};
  mesh->cellNodes = {{0, 1, 2, 2, 3, 3, 3, 3}, {1, 2, 3, 3, 4, 4, 4, 4}, {1, 2, 4, 4, 5, 5, 5, 5}};
  mesh->numbers = {0, 0, 1};
  mesh->named = {{.name = "p", .onCells = true}};
  mesh->value = [](std::size_t, std::int64_t, std::int64_t number, int) { return number == 0 ? 1.0 : 4.0; };
  MemoryAccount account(64 << 20);
  const auto data = opened(mesh, account);
  const std::vector<double> places = allValues(*data->boxReader(), "xyz"),
                            values = allValues(*data->boxReader(), "p");
  const double wanted[] = {1, 2.5, 2.5, 1, 2.5, 4};
  for (std::size_t n = 0; n < 6; ++n) {
    const Vec3 place{places[3 * n], places[3 * n + 1], places[3 * n + 2]};
    const auto at = std::find(mesh->points.begin(), mesh->points.end(), place) - mesh->points.begin();
    QCOMPARE(values[n], wanted[at]);
  }
}

void TestCellsAtNodes::piecesAndBudgetsChangeNothing() {
  const auto mesh = meshOf(MeshOf::Tetrahedra, 20);
  MemoryAccount roomy(256 << 20), tight(3 << 20);
  const auto data = opened(mesh, roomy), other = opened(mesh, tight);
  QVERIFY(hasMeans(*data, *mesh));
  QVERIFY(tight.peakBytes() <= tight.budgetBytes());
  const paging::BoxReader& reader = *other->boxReader();
  for (const char* const name : {"p", "v"}) {
    const std::vector<double> all = allValues(*data->boxReader(), name);
    const auto array = static_cast<std::uint32_t>(reader.description().find(0, name));
    const std::int64_t nodes = reader.description().blocks.front().dims[0];
    const auto each = static_cast<std::int64_t>(all.size()) / nodes;
    for (std::int64_t first = 0; first < nodes; first += 777) {
      const std::int64_t count = std::min<std::int64_t>(777, nodes - first);
      std::vector<double> some(static_cast<std::size_t>(count * each));
      reader.read(array, 0, {{first, 0, 0}, {count, 1, 1}}, std::as_writable_bytes(std::span(some)));
      QVERIFY(std::equal(some.begin(), some.end(), all.begin() + first * each));
    }
  }
}

void TestCellsAtNodes::oneChooses() {
  const auto mesh = meshOf(MeshOf::Hexahedra);
  MemoryAccount account(64 << 20);
  const auto flat = opened(mesh, account, false), atNodes = opened(mesh, account);
  QVERIFY(flat->description().arrays[static_cast<std::size_t>(flat->description().find(0, "p"))].onCells);
  for (const auto& [data, now] : {std::pair{flat.get(), 0U}, {atNodes.get(), 1U}}) {
    const auto choices = readingChoicesOf(*data);
    QCOMPARE(choices.size(), std::size_t{1});
    QCOMPARE(choices[0].option, std::string("on"));
    QCOMPARE(choices[0].title, std::string("Values"));
    QCOMPARE(choices[0].now, std::size_t{now});
    QCOMPARE(choices[0].byDefault, std::size_t{0});
    QVERIFY(!choices[0].atFirst);
    QCOMPARE(choices[0].values.at(1).value, std::string("cells-at-nodes"));
  }
  // Without values of cells there is nothing to choose.
  mesh->named = {{.name = "ofNodes"}};
  QVERIFY(readingChoicesOf(*opened(mesh, account)).empty());
  QVERIFY(asksForCellsAtNodes({{"on", "cells-at-nodes"}}));
  QVERIFY(!asksForCellsAtNodes({{"on", "cells"}}) && !asksForCellsAtNodes({}));
  QVERIFY(errorOf<Invalid>([] {
            asksForCellsAtNodes({{"on", "nodes"}});
          }).find("cells-at-nodes") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestCellsAtNodes)
#include "tst_cells_at_nodes.moc"
