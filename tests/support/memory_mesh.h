#pragma once
// Unstructured grids in memory: the unit cube cut into cells of one shape or two, with jittered nodes inside, in a
// random order.

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "core/base/geometry.h"
#include "core/paging/arranging/mesh_input.h"

namespace farfield::test {

class MemoryMesh : public paging::MeshInput {
 public:
  std::vector<Vec3> points;
  std::vector<std::vector<Vec3>> moved;  ///< the points at the steps after the first; empty: they stay
  std::vector<paging::CellNodes> cellNodes;
  std::vector<std::int64_t>
      numbers;  ///< of the cells, where several are parts of one; empty: each is its own
  std::vector<paging::MeshVariable> named;
  /// Values of variable n at a step: of node or cell `number`, which is at `place`.
  std::function<double(std::size_t variable, std::int64_t step, std::int64_t number, int component)> value;

  std::int64_t nodes() const override { return static_cast<std::int64_t>(points.size()); }
  ScalarType pointType() const override { return ScalarType::F64; }
  std::int64_t pointSteps() const override { return 1 + static_cast<std::int64_t>(moved.size()); }
  void readPoints(std::int64_t step, std::int64_t first, std::span<double> out) const override {
    const std::vector<Vec3>& now = step == 0 ? points : moved.at(static_cast<std::size_t>(step - 1));
    std::memcpy(out.data(), now.data() + first, out.size_bytes());
  }
  void forEachCell(const VisitCell& visit) const override {
    for (std::size_t n = 0; n < cellNodes.size(); ++n)
      visit(numbers.empty() ? static_cast<std::int64_t>(n) : numbers[n], cellNodes[n]);
  }
  const std::vector<paging::MeshVariable>& variables() const override { return named; }
  void readVariable(std::size_t variable, std::int64_t step, std::int64_t first,
                    std::span<std::byte> out) const override {
    const int components = named[variable].components;
    for (std::size_t n = 0; n < out.size() / sizeof(double); ++n) {
      const double number = value(variable, step, first + static_cast<std::int64_t>(n) / components,
                                  static_cast<int>(n % static_cast<std::size_t>(components)));
      std::memcpy(out.data() + n * sizeof(double), &number, sizeof number);
    }
  }
  Vec3 centre(std::int64_t cell) const {
    Vec3 sum;
    for (const std::int32_t node : cellNodes[static_cast<std::size_t>(cell)])
      sum = sum + points[static_cast<std::size_t>(node)];
    return 0.125 * sum;
  }
};

enum class MeshOf { Hexahedra, Wedges, Tetrahedra, Pyramids, HexahedraAndPyramids };

/// The unit cube in `along`³ small cubes, each cut as `kind` says.
inline std::shared_ptr<MemoryMesh> cubeOf(MeshOf kind, int along, unsigned seed, double jitter = 0.15) {
  auto mesh = std::make_shared<MemoryMesh>();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> moved(-jitter, jitter);
  const int side = along + 1;
  const auto node = [&](int i, int j, int k) { return i + side * (j + side * k); };
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        Vec3 point{double(i), double(j), double(k)};
        for (int a = 0; a < 3; ++a)
          if (point[a] > 0 && point[a] < along) point[a] += moved(random);
        mesh->points.push_back((1.0 / along) * point);
      }
  for (int k = 0; k < along; ++k)
    for (int j = 0; j < along; ++j)
      for (int i = 0; i < along; ++i) {
        std::array<std::int32_t, 8> c;
        for (int n = 0; n < 8; ++n)
          c[static_cast<std::size_t>(n)] = node(i + (n & 1), j + (n >> 1 & 1), k + (n >> 2));
        const auto add = [&](const paging::CellNodes& nodes) { mesh->cellNodes.push_back(nodes); };
        const bool pyramids =
            kind == MeshOf::Pyramids || (kind == MeshOf::HexahedraAndPyramids && random() % 2 == 0);
        if (pyramids) {
          const auto top = static_cast<std::int32_t>(mesh->points.size());
          Vec3 sum;
          for (const std::int32_t n : c) sum = sum + mesh->points[static_cast<std::size_t>(n)];
          mesh->points.push_back(0.125 * sum);
          for (const auto& f : paging::kFaceCorners) {
            add({c[f[0]], c[f[1]], c[f[3]], c[f[2]], top, top, top, top});
          }
        } else if (kind == MeshOf::Hexahedra || kind == MeshOf::HexahedraAndPyramids) {
          add(c);
        } else if (kind == MeshOf::Wedges) {
          add({c[0], c[1], c[2], c[2], c[4], c[5], c[6], c[6]});
          add({c[3], c[2], c[1], c[1], c[7], c[6], c[5], c[5]});
        } else {
          // six tetrahedra around the diagonal, one for each order of the axes
          const int orders[6][3] = {{1, 2, 4}, {1, 4, 2}, {2, 1, 4}, {2, 4, 1}, {4, 1, 2}, {4, 2, 1}};
          for (const auto& order : orders) {
            const std::int32_t a = c[0], b = c[static_cast<std::size_t>(order[0])],
                               d = c[static_cast<std::size_t>(order[0] + order[1])], e = c[7];
            add({a, b, d, d, e, e, e, e});
          }
        }
      }
  std::shuffle(mesh->cellNodes.begin(), mesh->cellNodes.end(), random);
  std::vector<std::int32_t> order(mesh->points.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<Vec3> points(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) points[static_cast<std::size_t>(order[n])] = mesh->points[n];
  mesh->points = std::move(points);
  for (auto& cell : mesh->cellNodes)
    for (auto& its : cell) its = order[static_cast<std::size_t>(its)];
  return mesh;
}

}  // namespace farfield::test
