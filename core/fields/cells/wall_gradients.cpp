#include "core/fields/cells/wall_gradients.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace farfield::fields {
namespace {

/// A derivative along an index: a sum of weighted values at nodes. No terms: there is none.
struct Differences {
  std::array<std::size_t, 3> nodes{};
  std::array<double, 3> weights{};
  std::size_t count = 0;
  void add(std::size_t node, double weight) {
    nodes[count] = node;
    weights[count++] = weight;
  }
};

Vec3 pointOf(const GatheredNodes& nodes, std::size_t n) {
  return {nodes.xyz[3 * n], nodes.xyz[3 * n + 1], nodes.xyz[3 * n + 2]};
}

Differences differencesAlong(const GatheredNodes& nodes, const Index3& dims, const Index3& at,
                             std::size_t axis) {
  const auto numberOf = [&](std::int64_t index) {
    Index3 local;
    for (std::size_t a = 0; a < 3; ++a) local[a] = (a == axis ? index : at[a]) - nodes.box.first[a];
    return static_cast<std::size_t>(linear(local, nodes.box.size));
  };
  const auto usable = [&](std::int64_t index) {
    const std::int64_t local = index - nodes.box.first[axis];
    return index >= 0 && index < dims[axis] && local >= 0 && local < nodes.box.size[axis] &&
           (nodes.iblank.empty() || nodes.iblank[numberOf(index)] != 0);
  };
  const std::int64_t here = at[axis];
  const bool low = usable(here - 1), high = usable(here + 1);
  Differences made;
  if (low && high) {
    made.add(numberOf(here - 1), -0.5);
    made.add(numberOf(here + 1), 0.5);
  } else if (low || high) {
    const std::int64_t way = high ? 1 : -1;
    const auto sign = static_cast<double>(way);
    if (usable(here + 2 * way)) {
      // of a parabola through values at 0, 1 and 1 + r: as far apart as the nodes
      const Vec3 first = pointOf(nodes, numberOf(here)), second = pointOf(nodes, numberOf(here + way)),
                 third = pointOf(nodes, numberOf(here + 2 * way));
      double r = length(third - second) / length(second - first);
      if (!(r > 0) || !std::isfinite(r)) r = 1;
      made.add(numberOf(here), -sign * (2 + r) / (1 + r));
      made.add(numberOf(here + way), sign * (1 + r) / r);
      made.add(numberOf(here + 2 * way), -sign / (r * (1 + r)));
    } else {
      made.add(numberOf(here), -sign);
      made.add(numberOf(here + way), sign);
    }
  }
  return made;
}

}  // namespace

WallState wallAt(const GatheredNodes& nodes, const Index3& dims, std::span<const double> values,
                 std::size_t stride, const Index3& at, const WallFace& face) {
  const auto point = [&](std::size_t n) { return pointOf(nodes, n); };
  std::array<Differences, 3> along;
  std::array<Vec3, 3> tangents;  // d position / d index
  for (std::size_t axis = 0; axis < 3; ++axis) {
    along[axis] = differencesAlong(nodes, dims, at, axis);
    for (std::size_t n = 0; n < along[axis].count; ++n)
      tangents[axis] = tangents[axis] + along[axis].weights[n] * point(along[axis].nodes[n]);
  }
  // flat data have no third direction: nothing changes along it
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (dims[axis] == 1) {
      const Vec3 normal = cross(tangents[(axis + 1) % 3], tangents[(axis + 2) % 3]);
      tangents[axis] = (1 / length(normal)) * normal;
    }
  const double volume = dot(tangents[0], cross(tangents[1], tangents[2]));
  std::array<Vec3, 3> indexGradients;
  for (std::size_t axis = 0; axis < 3; ++axis)
    indexGradients[axis] = (1 / volume) * cross(tangents[(axis + 1) % 3], tangents[(axis + 2) % 3]);

  WallState wall;
  const auto fixed = static_cast<std::size_t>(face.axis);
  const Vec3 inwards = (face.highEnd ? -1.0 : 1.0) * indexGradients[fixed];
  wall.normal = (1 / length(inwards)) * inwards;
  for (std::size_t component = 0; component < 3; ++component)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double difference = 0;
      for (std::size_t n = 0; n < along[axis].count; ++n)
        difference += along[axis].weights[n] * values[along[axis].nodes[n] * stride + component];
      wall.velocityGradient[component] = wall.velocityGradient[component] + difference * indexGradients[axis];
    }
  Index3 own, next;
  for (std::size_t a = 0; a < 3; ++a) own[a] = next[a] = at[a] - nodes.box.first[a];
  next[fixed] += face.highEnd ? -1 : 1;
  wall.firstHeight =
      std::abs(dot(wall.normal, point(static_cast<std::size_t>(linear(next, nodes.box.size))) -
                                    point(static_cast<std::size_t>(linear(own, nodes.box.size)))));
  return wall;
}

}  // namespace farfield::fields
