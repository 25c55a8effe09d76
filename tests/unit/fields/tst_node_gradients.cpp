// Gradients of node values against fields whose gradients are known: exactly where the field is linear,
// however the grid is bent; to second order inside where it is not; beside blanked nodes and in planes.

#include <QTest>

#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/fields/cells/node_gradients.h"
#include "core/fields/functions/functions.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

/// A block of nodes on a bent grid of edge 1, whole.
struct Block {
  Index3 dims;
  std::vector<double> xyz, iblank;

  explicit Block(const Index3& size) : dims(size), iblank(static_cast<std::size_t>(product(size)), 1.0) {
    for (std::int64_t n = 0; n < product(size); ++n) {
      const Index3 at = unlinear(n, size);
      Vec3 s;
      for (int a = 0; a < 3; ++a)
        s[a] = size[a] > 1 ? static_cast<double>(at[a]) / static_cast<double>(size[a] - 1) : 0;
      const Vec3 point{s.x + 0.1 * std::sin(2 * s.y) + 0.05 * s.z, s.y + 0.1 * s.x * s.x,
                       s.z + 0.1 * std::sin(s.x + s.y)};
      xyz.insert(xyz.end(), {point.x, point.y, size[2] > 1 ? point.z : 0.5});
    }
  }
  Vec3 pointAt(std::size_t n) const { return {xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2]}; }
  GatheredNodes nodes() const { return {{{0, 0, 0}, dims}, xyz, iblank}; }
  template <class F>
  std::vector<double> values(F f) const {
    std::vector<double> all;
    for (std::size_t n = 0; n < iblank.size(); ++n) all.push_back(f(pointAt(n)));
    return all;
  }
  Vec3 gradient(const std::vector<double>& field, const Index3& at) const {
    Vec3 found;
    gradientsAt(nodes(), dims, field, 1, at, {&found, 1});
    return found;
  }
};

double linearField(Vec3 p) {
  return 3 + 2 * p.x - p.y + 0.5 * p.z;
}
const Vec3 kSlope{2, -1, 0.5};

/// Largest error of the curl of Arnold's, Beltrami's and Childress's flow, which is the flow itself.
double curlError(std::int64_t nodes, bool inside) {
  const Block block({nodes, nodes, nodes});
  paging::DatasetDescription description;
  description.blocks.resize(1);
  description.arrays.push_back(
      {"velocity", 0, paging::PageLayout::even(block.dims, 8), 1, 3, ScalarType::F64, {}});
  const FunctionPlan plan(description, {"vorticity", "divergence"});
  std::vector<double> velocity;
  for (std::size_t n = 0; n < block.iblank.size(); ++n) {
    const Vec3 p = 3 * block.pointAt(n);
    velocity.insert(velocity.end(), {std::sin(p.z) + 0.4 * std::cos(p.y), 0.7 * std::sin(p.x) + std::cos(p.z),
                                     0.4 * std::sin(p.y) + 0.7 * std::cos(p.x)});
  }
  double worst = 0;
  for (std::size_t n = 0; n < block.iblank.size(); ++n) {
    const Index3 at = unlinear(static_cast<std::int64_t>(n), block.dims);
    bool atEnd = false;
    for (int a = 0; a < 3; ++a) atEnd = atEnd || at[a] == 0 || at[a] == nodes - 1;
    if (atEnd == inside) continue;
    Vec3 gradients[3];
    gradientsAt(block.nodes(), block.dims, velocity, 3, at, gradients);
    double found[4];
    plan.computeNode({velocity.data() + 3 * n, 3}, gradients, found);
    for (int a = 0; a < 3; ++a)
      worst = std::max(worst, std::abs(found[a] - 3 * velocity[3 * n + static_cast<std::size_t>(a)]));
    worst = std::max(worst, std::abs(found[3]));
  }
  return worst;
}

}  // namespace

class TestNodeGradients : public QObject {
  Q_OBJECT
 private slots:
  void linearFieldsAreExact();
  void orderOfTheCurl();
  void blankedNodesAreNotLookedAt();
  void planes();
  void noNeighboursNoGradient();
  void endsThatRepeatAreLeftOut();
  void rowsBetweenEnds();
};

void TestNodeGradients::linearFieldsAreExact() {
  const Block block({5, 6, 4});
  const std::vector<double> field = block.values(linearField);
  for (std::int64_t n = 0; n < product(block.dims); ++n)
    QVERIFY(length(block.gradient(field, unlinear(n, block.dims)) - kSlope) < 1e-12);
}

void TestNodeGradients::orderOfTheCurl() {
  const double inside = std::log2(curlError(17, true) / curlError(33, true));
  QVERIFY2(inside > 1.8, qPrintable(QString::number(inside)));
  const double ends = std::log2(curlError(17, false) / curlError(33, false));
  QVERIFY2(ends > 0.8, qPrintable(QString::number(ends)));
}

void TestNodeGradients::blankedNodesAreNotLookedAt() {
  Block block({5, 5, 5});
  std::vector<double> field = block.values(linearField);
  const auto blanked = static_cast<std::size_t>(linear({3, 2, 2}, block.dims));
  block.iblank[blanked] = 0;
  field[blanked] = 1e9;
  QVERIFY(length(block.gradient(field, {2, 2, 2}) - kSlope) < 1e-12);
  const Vec3 alone = block.gradient(field, {4, 2, 2});  // it has no other neighbour along i
  QVERIFY(std::isnan(alone.x) && std::isnan(alone.y) && std::isnan(alone.z));
}

void TestNodeGradients::planes() {
  const Block block({6, 5, 1});
  const std::vector<double> field = block.values(linearField);
  for (std::int64_t n = 0; n < product(block.dims); ++n)
    QVERIFY(length(block.gradient(field, unlinear(n, block.dims)) - Vec3{kSlope.x, kSlope.y, 0}) < 1e-12);
}

void TestNodeGradients::noNeighboursNoGradient() {
  Block block({3, 3, 3});
  const std::vector<double> field = block.values(linearField);
  for (const std::int64_t i : {0, 2})
    block.iblank[static_cast<std::size_t>(linear({i, 1, 1}, block.dims))] = 0;
  const Vec3 none = block.gradient(field, {1, 1, 1});
  QVERIFY(std::isnan(none.x) && std::isnan(none.y) && std::isnan(none.z));
}

/// Values of cells, with ends that have the value of the cell beside.
void TestNodeGradients::endsThatRepeatAreLeftOut() {
  const RepeatedEnds kAll{{true, true, true}, {true, true, true}};
  for (const RepeatedEnds& ends : {kAll, RepeatedEnds{{true, false, false}, {false, true, false}}})
    for (const Index3& dims : {Index3{6, 5, 4}, Index3{4, 7, 5}}) {
      const Block block(dims);
      std::vector<double> field = block.values(linearField);
      const std::vector<double> own = field;
      for (std::int64_t n = 0; n < product(dims); ++n)
        field[static_cast<std::size_t>(n)] =
            own[static_cast<std::size_t>(linear(ends.owner(dims, unlinear(n, dims)), dims))];
      GatheredNodes nodes = block.nodes();
      nodes.ends = ends;
      for (std::int64_t n = 0; n < product(dims); ++n) {
        Vec3 found;
        gradientsAt(nodes, dims, field, 1, unlinear(n, dims), {&found, 1});
        QVERIFY(length(found - kSlope) < 1e-12);
      }
    }
}

/// Nothing changes along a single cell; its other axes have their derivatives, though there is one only.
void TestNodeGradients::rowsBetweenEnds() {
  Block block({6, 3, 3});
  for (std::int64_t n = 0; n < product(block.dims); ++n)
    for (std::size_t a = 0; a < 3; ++a)
      block.xyz[static_cast<std::size_t>(3 * n) + a] = static_cast<double>(unlinear(n, block.dims)[a]);
  GatheredNodes nodes = block.nodes();
  nodes.ends = {{true, true, true}, {true, true, true}};
  std::vector<double> field;
  for (std::int64_t n = 0; n < product(block.dims); ++n)
    field.push_back(3 * static_cast<double>(nodes.ends.owner(block.dims, unlinear(n, block.dims))[0]));
  for (std::int64_t n = 0; n < product(block.dims); ++n) {
    Vec3 found;
    gradientsAt(nodes, block.dims, field, 1, unlinear(n, block.dims), {&found, 1});
    QVERIFY(length(found - Vec3{3, 0, 0}) < 1e-12);
  }
}

QTEST_APPLESS_MAIN(TestNodeGradients)
#include "tst_node_gradients.moc"
