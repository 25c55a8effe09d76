#include "core/fields/cells/node_gradients.h"

#include <algorithm>
#include <array>
#include <limits>

namespace farfield::fields {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// The two gathered nodes whose difference gives the derivative along an axis.
struct Ends {
  std::size_t low = 0, high = 0;
  double distance = 0;  ///< in nodes; 0: there is no difference
};

Ends endsAlong(const GatheredNodes& nodes, const Index3& dims, const Index3& at, std::size_t axis) {
  const auto numberOf = [&](std::int64_t index) {
    Index3 local;
    for (std::size_t a = 0; a < 3; ++a) local[a] = at[a] - nodes.box.first[a];
    local[axis] = index - nodes.box.first[axis];
    return static_cast<std::size_t>(linear(local, nodes.box.size));
  };
  const auto usable = [&](std::int64_t index) {
    return index >= nodes.ends.first(axis) && index <= nodes.ends.last(dims, axis) &&
           (nodes.iblank.empty() || nodes.iblank[numberOf(index)] != 0);
  };
  const std::int64_t low = usable(at[axis] - 1) ? at[axis] - 1 : at[axis];
  const std::int64_t high = usable(at[axis] + 1) ? at[axis] + 1 : at[axis];
  return {numberOf(low), numberOf(high), static_cast<double>(high - low)};
}

/// From end to end of an axis whose two ends repeat the node between them.
Vec3 acrossSingle(const GatheredNodes& nodes, const Index3& dims, const Index3& at, std::size_t axis) {
  const auto pointOf = [&](std::int64_t index) {
    Index3 local;
    for (std::size_t a = 0; a < 3; ++a) local[a] = (a == axis ? index : at[a]) - nodes.box.first[a];
    const double* const xyz = nodes.xyz.data() + 3 * static_cast<std::size_t>(linear(local, nodes.box.size));
    return Vec3{xyz[0], xyz[1], xyz[2]};
  };
  return pointOf(dims[axis] - 1) - pointOf(0);
}

}  // namespace

void gradientsAt(const GatheredNodes& nodes, const Index3& dims, std::span<const double> values,
                 std::size_t count, const Index3& at, std::span<Vec3> gradients) {
  const Index3 owner = nodes.ends.owner(dims, at);
  std::array<Ends, 3> ends;
  std::array<Vec3, 3> along;     // d position / d index
  std::array<bool, 3> isSingle;  // nothing changes along it
  const auto point = [&](std::size_t n) {
    return Vec3{nodes.xyz[3 * n], nodes.xyz[3 * n + 1], nodes.xyz[3 * n + 2]};
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    isSingle[axis] = nodes.ends.first(axis) == nodes.ends.last(dims, axis);
    ends[axis] = endsAlong(nodes, dims, owner, axis);
    along[axis] = (1 / ends[axis].distance) * (point(ends[axis].high) - point(ends[axis].low));
  }
  // a row of cells, or one: the other two axes have no normal, but the ends have places
  if (std::count(isSingle.begin(), isSingle.end(), true) > 1)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (isSingle[axis] && dims[axis] > 1) along[axis] = acrossSingle(nodes, dims, owner, axis);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (isSingle[axis] && !isFinite(along[axis])) {
      const Vec3 normal = cross(along[(axis + 1) % 3], along[(axis + 2) % 3]);
      along[axis] = (1 / length(normal)) * normal;
    }
  // the rows of the inverse are the gradients of the indices
  std::array<Vec3, 3> indexGradient;
  const double volume = dot(along[0], cross(along[1], along[2]));
  for (std::size_t axis = 0; axis < 3; ++axis)
    indexGradient[axis] = (1 / volume) * cross(along[(axis + 1) % 3], along[(axis + 2) % 3]);
  for (std::size_t v = 0; v < count; ++v) {
    Vec3 gradient;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (isSingle[axis]) continue;
      const double difference =
          (values[ends[axis].high * count + v] - values[ends[axis].low * count + v]) / ends[axis].distance;
      gradient = gradient + difference * indexGradient[axis];
    }
    gradients[v] = isFinite(gradient) ? gradient : Vec3{kNan, kNan, kNan};
  }
}

}  // namespace farfield::fields
