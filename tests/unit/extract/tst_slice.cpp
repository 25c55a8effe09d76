// Slices against answers that are known: the polygon in which a plane cuts a box, whatever grid fills the
// box; linear functions; nodes, edges and sheets on the plane; blanked cells; the same patches however the
// data are paged.

#include <QTest>

#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numbers>
#include <set>

#include "core/base/error.h"
#include "core/extract/slice.h"
#include "core/fields/data/box_data.h"
#include "tests/support/one_task.h"
#include "tests/unit/extract/known_blocks.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

Block regularBlock(Index3 dims, Vec3 origin, Vec3 spacing) {
  const auto place = [=](const Index3& n) {
    Vec3 p;
    for (int a = 0; a < 3; ++a)
      p[a] = origin[a] + spacing[a] * static_cast<double>(n[static_cast<std::size_t>(a)]);
    return p;
  };
  return {dims, place, {}, true, origin, spacing};
}

/// A fixed number between -1 and 1 for each node and axis.
double jitter(const Index3& n, int axis) {
  const std::int64_t mixed = (n[0] * 7919 + n[1] * 104'729 + n[2] * 1'299'709 + axis * 15'485'863) % 9973;
  return static_cast<double>(mixed * mixed % 9973) / 4986 - 1;
}

/// The box from 0 to `size`, its nodes moved about by up to `amount` cells; those on its sides stay on them.
Block jitteredBlock(Index3 dims, Vec3 size, double amount) {
  const auto place = [=](const Index3& n) {
    Vec3 p;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      const double cells = static_cast<double>(dims[axis] - 1), at = static_cast<double>(n[axis]);
      const bool fixed = n[axis] == 0 || n[axis] == dims[axis] - 1;
      p[a] = size[a] * (at + (fixed ? 0 : amount * jitter(n, a))) / cells;
    }
    return p;
  };
  return {dims, place};
}

struct Cut final : KeptPatches {
  using Triangle = std::array<Vec3, 3>;
  std::vector<Triangle> triangles() const {
    std::vector<Triangle> all;
    for (const Patch& patch : patches)
      for (std::size_t t = 0; t < patch.triangles.size(); t += 3) {
        Triangle triangle;
        for (std::size_t n = 0; n < 3; ++n) {
          const double* const at = patch.points.data() + std::size_t{3} * patch.triangles[t + n];
          triangle[n] = {at[0], at[1], at[2]};
        }
        all.push_back(triangle);
      }
    return all;
  }
  double area() const {
    double sum = 0;
    for (const Triangle& t : triangles()) sum += 0.5 * length(cross(t[1] - t[0], t[2] - t[0]));
    return sum;
  }
};

Cut slice(const std::vector<Block>& blocks, Vec3 origin, Vec3 normal, int edge = 8,
          std::uint64_t budgetBytes = std::uint64_t{16} << 20) {
  MemoryAccount account(budgetBytes);
  const auto data = fields::openBoxes(readerOf(blocks, linearFunction), {edge, false, "slices"}, {}, account);
  const fields::FunctionPlan functions(data->description(), {"f"});
  fields::PagedDataOptions options;
  options.arrays = {"f"};
  options.resultBytesPerTask = sliceTaskBytes(functions);
  fields::PagedData paged(*data, account, options);
  const Slice slice(data->description(), Plane(origin, normal));
  Cut cut;
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    for (std::size_t n = 0; n < slice.taskCount(); ++n) slice.extract(n, paged, context, functions, 0, cut);
  });
  return cut;
}

/// The area of the polygon in which a plane cuts the box from `low` to `high`: a square in the plane, larger
/// than all, clipped by the six sides.
double polygonArea(Vec3 low, Vec3 high, Vec3 origin, Vec3 normal) {
  normal = 1 / length(normal) * normal;
  const Vec3 any = std::abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  Vec3 u = cross(normal, any);
  u = 1 / length(u) * u;
  const Vec3 v = cross(normal, u);
  const double far = 10 * length(high - low) + 10 * length(origin - low);
  std::vector<Vec3> polygon{origin + far * (u + v), origin + far * (v - u), origin - far * (u + v),
                            origin + far * (u - v)};
  for (int side = 0; side < 6; ++side) {
    const auto inside = [&](Vec3 p) {
      return side % 2 == 0 ? p[side / 2] - low[side / 2] : high[side / 2] - p[side / 2];
    };
    std::vector<Vec3> kept;
    for (std::size_t n = 0; n < polygon.size(); ++n) {
      const Vec3 a = polygon[n], b = polygon[(n + 1) % polygon.size()];
      const double at = inside(a), there = inside(b);
      if (at >= 0) kept.push_back(a);
      if ((at >= 0) != (there >= 0)) kept.push_back(a + at / (at - there) * (b - a));
    }
    polygon = kept;
  }
  Vec3 twice{0, 0, 0};
  for (std::size_t n = 1; n + 1 < polygon.size(); ++n)
    twice = twice + cross(polygon[n] - polygon[0], polygon[n + 1] - polygon[0]);
  return 0.5 * length(twice);
}

bool isClose(double value, double wanted, double relative) {
  return std::abs(value - wanted) <= relative * std::abs(wanted);
}

using Point = std::array<double, 3>;
Point keyOf(Vec3 p) {
  return {p.x, p.y, p.z};
}

/// How often each edge of the triangles is walked along, by its ends: +1 one way, -1 the other. In a surface
/// without cracks what is left are the edges of its border. With `folded`, triangles may lie either way up.
std::vector<std::pair<Vec3, Vec3>> borderOf(const Cut& cut, bool folded = false) {
  std::map<std::pair<Point, Point>, int> walked;
  for (const auto& triangle : cut.triangles())
    for (std::size_t n = 0; n < 3; ++n) {
      const Point a = keyOf(triangle[n]), b = keyOf(triangle[(n + 1) % 3]);
      if (a < b)
        ++walked[{a, b}];
      else
        --walked[{b, a}];
    }
  std::vector<std::pair<Vec3, Vec3>> border;
  for (const auto& [ends, times] : walked)
    if (folded ? times % 2 != 0 : times != 0)
      border.push_back(
          {{ends.first[0], ends.first[1], ends.first[2]}, {ends.second[0], ends.second[1], ends.second[2]}});
  return border;
}

/// Everything that holds of every slice. `low` and `high`: the box that the grid fills.
void checkPatches(const Cut& cut, Vec3 origin, Vec3 normal) {
  const Vec3 unit = 1 / length(normal) * normal;
  for (const Patch& patch : cut.patches) {
    QVERIFY(!patch.triangles.empty());
    QCOMPARE(patch.normals.size(), patch.points.size());
    QCOMPARE(3 * patch.values.size(), patch.points.size());
    std::set<Point> places;
    for (std::size_t n = 0; n < patch.values.size(); ++n) {
      const Vec3 p{patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]};
      QVERIFY(std::abs(dot(p - origin, unit)) < 1e-13);
      QVERIFY(std::abs(patch.values[n] - linearFunction(p)) < 1e-12);
      QVERIFY(length(Vec3{patch.normals[3 * n], patch.normals[3 * n + 1], patch.normals[3 * n + 2]} - unit) <
              1e-15);
      QVERIFY(places.insert(keyOf(p)).second);  // no place twice in a patch
    }
    for (const std::uint32_t node : patch.triangles) QVERIFY(node < patch.values.size());
  }
  for (const auto& t : cut.triangles()) QVERIFY(dot(cross(t[1] - t[0], t[2] - t[0]), unit) > 0);
}

}  // namespace

class TestSlice : public QObject {
  Q_OBJECT
 private slots:
  void areasOfAnyGridInABox_data();
  void areasOfAnyGridInABox();
  void sheetsOfNodesAppearOnce_data();
  void sheetsOfNodesAppearOnce();
  void facesWithinRounding();
  void facesOfWhatMoves();
  void nodesAndEdgesOnThePlane();
  void oneCornerOrEdgeIsNothing();
  void ringsOfAShell();
  void blankedCellsAreLeftOut();
  void everyBlockIsCut();
  void nodesWithoutAPlaceAreLeftOut();
  void manyCrossingsMakeManyPatches();
  void pagesDoNotMatter();
  void flatBlocksHaveNoInside();
  void planes();
};

void TestSlice::areasOfAnyGridInABox_data() {
  QTest::addColumn<int>("grid");
  QTest::addColumn<int>("plane");
  for (int grid = 0; grid < 5; ++grid)
    for (int plane = 0; plane < 7; ++plane) QTest::addRow("grid %d, plane %d", grid, plane) << grid << plane;
}

void TestSlice::areasOfAnyGridInABox() {
  QFETCH(int, grid);
  QFETCH(int, plane);
  const Vec3 size{2, 3, 1.5};
  const Index3 dims{41, 35, 20};
  const Block plain = regularBlock(dims, {0, 0, 0}, {size.x / 40, size.y / 34, size.z / 19});
  Block block = plain;
  if (grid > 0) block.regular = false;
  if (grid == 2) block = jitteredBlock(dims, size, 0.25);
  if (grid == 3) block = jitteredBlock(dims, size, 0.45);
  if (grid == 4) {
    // Left-handed.
    const Block jittered = jitteredBlock(dims, size, 0.25);
    block.place = [jittered, dims](const Index3& n) {
      return jittered.place({dims[0] - 1 - n[0], n[1], n[2]});
    };
  }
  const std::pair<Vec3, Vec3> planes[] = {
      {{1, 1.5, 0.75}, {0, 0, 1}},      {{0.513, 1, 0.7}, {-1, 0, 0}},     {{1, 1.211, 0.7}, {0, 2, 0}},
      {{1, 1.5, 0.75}, {1, 1, 1}},      {{0.3, 2.5, 0.9}, {1, -0.3, 0.2}}, {{1.9, 2.9, 1.45}, {3, 1, 2}},
      {{1, 1.5, 0.7}, {0.01, 0.02, 1}},
  };
  const auto& [origin, normal] = planes[plane];
  const Cut cut = slice({block}, origin, normal);
  const double wanted = polygonArea({0, 0, 0}, size, origin, normal);
  if (grid == 3) {
    // So twisted that some cells fold over: a part of them is covered several times.
    QVERIFY2(cut.area() > (1 - 1e-12) * wanted && isClose(cut.area(), wanted, 0.02),
             qPrintable(QString::number(cut.area() / wanted - 1)));
  } else {
    checkPatches(cut, origin, normal);
    QVERIFY2(isClose(cut.area(), wanted, 1e-12), qPrintable(QString::number(cut.area() / wanted - 1)));
  }
  // No cracks: only the sides of the box are borders.
  for (const auto& [a, b] : borderOf(cut, grid == 3)) {
    bool onASide = false;
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {0.0, size[axis]})
        onASide = onASide || (std::abs(a[axis] - side) < 1e-12 && std::abs(b[axis] - side) < 1e-12);
    QVERIFY(onASide);
  }
}

void TestSlice::sheetsOfNodesAppearOnce_data() {
  QTest::addColumn<int>("axis");
  QTest::addColumn<int>("node");
  QTest::addColumn<bool>("backwards");
  QTest::addColumn<bool>("curvilinear");
  for (int axis = 0; axis < 3; ++axis)
    for (const int node : {0, 5, 8, 16, 19})
      for (const bool backwards : {false, true})
        for (const bool curvilinear : {false, true})
          QTest::addRow("%c %d%s%s", "xyz"[axis], node, backwards ? ", backwards" : "",
                        curvilinear ? ", curvilinear" : "")
              << axis << node << backwards << curvilinear;
}

void TestSlice::sheetsOfNodesAppearOnce() {
  QFETCH(int, axis);
  QFETCH(int, node);
  QFETCH(bool, backwards);
  QFETCH(bool, curvilinear);
  // A spacing that no binary number has.
  Block block = regularBlock({20, 20, 20}, {0.1, 0.2, 0.3}, {0.1, 0.1, 0.1});
  block.regular = !curvilinear;
  Vec3 normal{0, 0, 0};
  normal[axis] = backwards ? -2 : 2;
  const Vec3 origin = block.place({node, node, node});
  const Cut cut = slice({block}, origin, normal);
  checkPatches(cut, origin, normal);
  QVERIFY2(isClose(cut.area(), 1.9 * 1.9, 1e-12), qPrintable(QString::number(cut.area())));
  QCOMPARE(cut.triangles().size(), std::size_t{2} * 19 * 19);
  for (const Patch& patch : cut.patches)
    for (std::size_t n = static_cast<std::size_t>(axis); n < patch.points.size(); n += 3)
      QCOMPARE(patch.points[n], origin[axis]);
}

/// What is shown of bounds are six digits, and numbers of files are rounded: a plane that is meant to lie in a face lies in it.
void TestSlice::facesWithinRounding() {
  const double top = 0.95652173913;
  for (const double scale : {1.0, 1e-3}) {
    const Block block = regularBlock({5, 5, 5}, {0, 0, 0}, {scale, scale, scale * top / 4});
    for (const double z : {0.956522 * scale, -1e-7 * scale, scale * top * (1 + 1e-9)})
      for (const double up : {1.0, -1.0}) {
        const Cut cut = slice({block}, {0, 0, z}, {0, 0, up});
        QVERIFY2(isClose(cut.area(), 16 * scale * scale, 1e-12), qPrintable(QString::number(z, 'g', 12)));
      }
    // What is meant to pass by does.
    QVERIFY(slice({block}, {0, 0, 0.9566 * scale}, {0, 0, 1}).patches.empty());
    QVERIFY(slice({block}, {0, 0, -1e-4 * scale}, {0, 0, 1}).patches.empty());
  }
}

/// Bounds are those of all steps. A block that is as high as they are at one step has its faces at the others as well.
void TestSlice::facesOfWhatMoves() {
  const Index3 dims{6, 5, 9};
  const auto heightAt = [](std::int64_t step) { return step == 0 ? 1.0 : 1.035; };
  paging::DatasetDescription description;
  description.times = {0, 1};
  paging::BlockDescription grid;
  grid.dims = dims;
  grid.kind = paging::GridKind::Curvilinear;
  grid.bounds.add(Vec3{0, 0, -heightAt(1)});
  grid.bounds.add(Vec3{5, 4, heightAt(1)});
  description.blocks.push_back(grid);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(dims, dims);
  description.arrays.push_back({"xyz", 0, whole, 2, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
  description.arrays.push_back({"f", 0, whole, 1, 1, ScalarType::F64, {}});
  const auto reader = std::make_shared<paging::ComputedReader>(
      description,
      [&](std::uint32_t array, std::int64_t step, const IndexBox& box, std::span<std::byte> out) {
        std::byte* to = out.data();
        const auto put = [&](double value) {
          std::memcpy(to, &value, sizeof value);
          to += sizeof value;
        };
        for (std::int64_t n = 0; n < product(box.size); ++n) {
          const Index3 in = unlinear(n, box.size);
          if (array == 1) {
            put(1);
            continue;
          }
          put(static_cast<double>(box.first[0] + in[0]));
          put(static_cast<double>(box.first[1] + in[1]));
          put(heightAt(step) * (static_cast<double>(box.first[2] + in[2]) / 4 - 1));
        }
      });
  MemoryAccount account(std::uint64_t{16} << 20);
  const auto data = fields::openBoxes(reader, {8, false, "moving"}, {}, account);
  QVERIFY(data->description().find(0, paging::ArrayRole::LocationBounds) >= 0);
  const fields::FunctionPlan functions(data->description(), {"f"});
  fields::PagedDataOptions options;
  options.arrays = {"f"};
  options.resultBytesPerTask = sliceTaskBytes(functions);
  fields::PagedData paged(*data, account, options);
  for (const std::int64_t step : {0, 1})
    for (const double side : {-1.0, 1.0})
      for (const double up : {1.0, -1.0}) {
        const Slice slice(data->description(), Plane({0, 0, side * heightAt(step)}, {0, 0, up}));
        Cut cut;
        test::runOneTask(paged, [&](tasks::TaskContext& context) {
          for (std::size_t n = 0; n < slice.taskCount(); ++n)
            slice.extract(n, paged, context, functions, step, cut);
        });
        QVERIFY2(isClose(cut.area(), 20, 1e-12),
                 qPrintable(QString("step %1, side %2: %3").arg(step).arg(side).arg(cut.area())));
      }
}

void TestSlice::nodesAndEdgesOnThePlane() {
  // Diagonally through the edges of cells, through their corners; the rounding of a distance must not tear
  // it.
  for (const bool curvilinear : {false, true})
    for (const Vec3 normal : {Vec3{1, 1, 0}, Vec3{1, -1, 0}, Vec3{0, 1, 1}, Vec3{1, 1, 1}, Vec3{-1, 1, 1},
                              Vec3{1, 2, 0}, Vec3{2, 1, -1}}) {
      Block block = regularBlock({19, 19, 19}, {0.1, 0.2, 0.3}, {0.1, 0.1, 0.1});
      block.regular = !curvilinear;
      const Vec3 origin = block.place({9, 9, 9});
      const Cut cut = slice({block}, origin, normal);
      checkPatches(cut, origin, normal);
      const double wanted = polygonArea(block.place({0, 0, 0}), block.place({18, 18, 18}), origin, normal);
      QVERIFY2(isClose(cut.area(), wanted, 1e-12), qPrintable(QString::number(cut.area() / wanted - 1)));
      // Nothing thinner than what exact arithmetic would make.
      for (const auto& t : cut.triangles()) QVERIFY(length(cross(t[1] - t[0], t[2] - t[0])) > 1e-4);
      for (const auto& [a, b] : borderOf(cut)) {
        bool onASide = false;
        for (int axis = 0; axis < 3; ++axis)
          for (const double side : {block.place({0, 0, 0})[axis], block.place({18, 18, 18})[axis]})
            onASide = onASide || (std::abs(a[axis] - side) < 1e-12 && std::abs(b[axis] - side) < 1e-12);
        QVERIFY(onASide);
      }
    }
}

void TestSlice::oneCornerOrEdgeIsNothing() {
  const Block block = regularBlock({9, 9, 9}, {0, 0, 0}, {1, 1, 1});
  for (const Vec3 normal : {Vec3{1, 1, 1}, Vec3{-1, -1, -1}, Vec3{1, 1, 0}, Vec3{-1, 0, -1}}) {
    QVERIFY(slice({block}, {0, 0, 0}, normal).patches.empty());
    QVERIFY(slice({block}, {8, 8, 8}, normal).patches.empty());
  }
  QVERIFY(slice({block}, {0, 0, 8.5}, {0, 0, 1}).patches.empty());
  // Farther than a number is rounded (facesWithinRounding).
  QVERIFY(slice({block}, {0, 0, -1e-4}, {0, 0, 1}).patches.empty());
}

/// i: longitude, j: latitude (60 degrees to each side of the equator, which lies between two nodes), k:
/// radius from 1 to 2.
Block shell(std::function<bool(const Index3&)> isBlank = {}) {
  constexpr Index3 kDims{61, 40, 5};
  return {kDims,
          [=](const Index3& node) {
            const double longitude = 2 * std::numbers::pi * static_cast<double>(node[0]) / (kDims[0] - 1);
            const double latitude =
                std::numbers::pi / 3 * (2 * static_cast<double>(node[1]) / (kDims[1] - 1) - 1);
            const double radius = 1 + static_cast<double>(node[2]) / (kDims[2] - 1);
            return Vec3{radius * std::cos(latitude) * std::cos(longitude),
                        radius * std::cos(latitude) * std::sin(longitude), radius * std::sin(latitude)};
          },
          std::move(isBlank)};
}

/// Of one cell of the shell cut at the equator, in longitude; all of the radius.
double shellSector() {
  // Straight edges from node to node across the equator lie this much nearer to the axis.
  const double nearer = std::cos(std::numbers::pi / 3 / 39);
  return 0.5 * std::sin(2 * std::numbers::pi / 60) * 3 * nearer * nearer;
}

void TestSlice::ringsOfAShell() {
  const Cut cut = slice({shell()}, {0, 0, 0}, {0, 0, 1});
  checkPatches(cut, {0, 0, 0}, {0, 0, 1});
  QVERIFY2(isClose(cut.area(), 60 * shellSector(), 1e-12), qPrintable(QString::number(cut.area())));
  QCOMPARE(cut.triangles().size(), std::size_t{2} * 60 * 4);
}

void TestSlice::blankedCellsAreLeftOut() {
  const Cut cut = slice({shell([](const Index3& n) { return n[0] >= 20 && n[0] <= 24 && n[1] == 19; })},
                        {0, 0, 0}, {0, 0, 1});
  checkPatches(cut, {0, 0, 0}, {0, 0, 1});
  // Five blanked nodes in a row blank six sectors.
  QVERIFY2(isClose(cut.area(), 54 * shellSector(), 1e-12), qPrintable(QString::number(cut.area())));

  Block block = regularBlock({20, 20, 20}, {0, 0, 0}, {1, 1, 1});
  block.isBlank = [](const Index3& n) { return n[0] == 8 && n[1] == 9 && n[2] == 10; };
  QVERIFY(isClose(slice({block}, {0, 0, 9.5}, {0, 0, 1}).area(), 19 * 19 - 4, 1e-12));
  QVERIFY(isClose(slice({block}, {0, 0, 8.5}, {0, 0, 1}).area(), 19 * 19, 1e-12));
  // On a sheet of nodes the cells below it count.
  QVERIFY(isClose(slice({block}, {0, 0, 10}, {0, 0, 1}).area(), 19 * 19 - 4, 1e-12));
  QVERIFY(isClose(slice({block}, {0, 0, 9}, {0, 0, 1}).area(), 19 * 19, 1e-12));
  block.isBlank = [](const Index3&) { return true; };
  QVERIFY(slice({block}, {0, 0, 9.5}, {0, 0, 1}).patches.empty());
}

void TestSlice::everyBlockIsCut() {
  const Block first = regularBlock({20, 20, 20}, {0, 0, 0}, {1, 1, 1});
  const Block overlapping = jitteredBlock({38, 9, 12}, {30, 5, 5}, 0.2);
  const Block elsewhere = regularBlock({5, 5, 5}, {0, 0, 100}, {1, 1, 1});
  const Cut cut = slice({first, elsewhere, overlapping}, {0, 0, 2.5}, {0, 0, 1});
  QVERIFY(isClose(cut.area(), 19 * 19 + 30 * 5, 1e-12));
  // One block after the other.
  std::size_t before = 0;
  for (const Patch& patch : cut.patches) {
    QVERIFY(patch.number >= before);
    before = patch.number;
  }
  QCOMPARE(before, std::size_t{3});  // block 2 has two parts

  // Two blocks that touch in the plane: the sheet is the lower one's, once.
  const Block above = regularBlock({20, 20, 20}, {0, 0, 19}, {1, 1, 1});
  QVERIFY(isClose(slice({first, above}, {0, 0, 19}, {0, 0, 1}).area(), 19 * 19, 1e-12));
  QVERIFY(isClose(slice({first, above}, {0, 0, 19}, {0, 0, -1}).area(), 19 * 19, 1e-12));
}

void TestSlice::nodesWithoutAPlaceAreLeftOut() {
  Block block = regularBlock({20, 20, 20}, {0, 0, 0}, {1, 1, 1});
  block.regular = false;
  block.place = [plain = block.place](const Index3& n) {
    return n == Index3{8, 9, 10} ? Vec3{0, std::nan(""), 0} : plain(n);
  };
  QVERIFY(isClose(slice({block}, {0, 0, 9.5}, {0, 0, 1}).area(), 19 * 19 - 4, 1e-12));
}

void TestSlice::manyCrossingsMakeManyPatches() {
  // Every edge of every cell is crossed.
  Block block = regularBlock({17, 17, 17}, {0, 0, 0}, {1, 1, 1});
  block.regular = false;
  block.place = [plain = block.place](const Index3& n) {
    Vec3 p = plain(n);
    p.x += 0.01 * p.z;
    p.y += 0.02 * p.z;
    p.z = (n[0] + n[1] + n[2]) % 2 == 0 ? 1 : -1;
    return p;
  };
  const Cut cut = slice({block}, {0, 0, 0}, {0, 0, 1});
  QVERIFY(cut.patches.size() > 8);
  std::set<Point> points;
  for (const Patch& patch : cut.patches) {
    QVERIFY(patch.points.size() <= std::size_t{3} * 320 &&
            patch.triangles.size() <= std::size_t{3} * 4 * 320);
    QCOMPARE(patch.number, std::size_t{0});
    for (std::size_t n = 0; n < patch.points.size(); n += 3)
      points.insert({patch.points[n], patch.points[n + 1], patch.points[n + 2]});
  }
  QCOMPARE(points.size(), std::size_t{3} * 16 * 17 * 17);
}

void TestSlice::pagesDoNotMatter() {
  const std::vector<Block> blocks{jitteredBlock({41, 35, 20}, {2, 3, 1.5}, 0.25),
                                  regularBlock({40, 9, 33}, {0, 0, 0}, {0.05, 0.3, 0.05}),
                                  shell([](const Index3& n) { return n[0] == 7; })};
  const Vec3 origin{0.4, 0.5, 0.3}, normal{1, 0.2, 0.4};
  const Cut reference = slice(blocks, origin, normal);
  QVERIFY(reference.patches.size() > 20);
  for (const auto& [edge, budget] :
       {std::pair{3, 600 << 10}, {4, 600 << 10}, {8, 600 << 10}, {16, 8 << 20}, {64, 16 << 20}})
    QVERIFY(slice(blocks, origin, normal, edge, static_cast<std::uint64_t>(budget)).patches ==
            reference.patches);
}

void TestSlice::flatBlocksHaveNoInside() {
  const Block sheet = regularBlock({20, 20, 1}, {0, 0, 0}, {1, 1, 1});
  QVERIFY_EXCEPTION_THROWN(
      Slice(readerOf({sheet}, linearFunction)->description(), Plane({0, 0, 0}, {0, 1, 0})), Invalid);
  const Block block = regularBlock({20, 20, 20}, {0, 0, 0}, {1, 1, 1});
  QVERIFY(isClose(slice({sheet, block}, {0, 2.5, 0}, {0, 1, 0}).area(), 19 * 19, 1e-12));
}

void TestSlice::planes() {
  QVERIFY_EXCEPTION_THROWN(Plane({0, 0, 0}, {0, 0, 0}), Invalid);
  QVERIFY_EXCEPTION_THROWN(Plane({0, 0, 0}, {0, std::nan(""), 1}), Invalid);
  QVERIFY_EXCEPTION_THROWN(Plane({0, std::numeric_limits<double>::infinity(), 0}, {0, 0, 1}), Invalid);
  QCOMPARE(Plane({0, 0, 0}, {0, 0, 1e-200}).normal(), (Vec3{0, 0, 1}));
  QCOMPARE(Plane({0, 0, 0}, {0, -1e200, 0}).normal(), (Vec3{0, -1, 0}));
  const Plane plane({0.1, 0.2, 0.3}, {1, 1, 1});
  QCOMPARE(plane.distance({0.2, 0.3, 0.1}), 0.0);
  QVERIFY(plane.distance({0.2, 0.3, 0.1 + 1e-14}) > 0 && plane.distance({0.2, 0.3, 0.1 - 1e-14}) < 0);
  QVERIFY(std::isnan(plane.distance({0.2, std::nan(""), 0.1})));
  QVERIFY(plane.mayMeet({{0, 0, 0}, {1, 1, 1}}) && plane.mayMeet({{0.2, 0.3, 0.1}, {1, 1, 1}}));
  QVERIFY(!plane.mayMeet({{0.2, 0.3, 0.11}, {1, 1, 1}}) && !plane.mayMeet({{-1, -1, -1}, {0.2, 0.3, 0.09}}));
  QVERIFY(!plane.mayMeet(Bounds{}));
  const double infinity = std::numeric_limits<double>::infinity();
  QVERIFY(plane.mayMeet({{-infinity, 0, 0}, {infinity, 1, 1}}));
  QVERIFY(plane.isBelow({{0.2, 0.3, 0.1}, {1, 1, 1}}) && !plane.isBelow({{0.2, 0.3, 0.09}, {1, 1, 1}}));
  QVERIFY(Plane({0, 0, 2}, {0, 0, -1}).isBelow({{0, 0, 0}, {1, 1, 2}}));
}

QTEST_APPLESS_MAIN(TestSlice)
#include "tst_slice.moc"
