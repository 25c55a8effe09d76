#include "core/extract/flow_sheet.h"

#include <algorithm>
#include <cmath>

namespace farfield::extract {

void FlowSheet::resize(std::int64_t nu, std::int64_t nv, std::size_t valuesPerNode) {
  size = {nu, nv};
  width = valuesPerNode;
  const auto nodes = static_cast<std::size_t>(nu * nv);
  points.assign(nodes, {});
  values.assign(nodes * width, 0);
  usable.assign(nodes, 0);
}

std::uint64_t FlowSheet::bytesFor(std::int64_t nu, std::int64_t nv, std::size_t valuesPerNode) {
  return static_cast<std::uint64_t>(nu * nv) * (sizeof(Vec3) + valuesPerNode * sizeof(double) + 1);
}

bool FlowSheet::isUsable(std::int64_t i, std::int64_t j) const {
  if (i < 0 || j < 0 || i + 1 >= size[0] || j + 1 >= size[1]) return false;
  const auto a = static_cast<std::size_t>(i + size[0] * j), c = a + static_cast<std::size_t>(size[0]);
  return usable[a] && usable[a + 1] && usable[c] && usable[c + 1];
}

std::optional<FlowSheet::Here> FlowSheet::at(Place place) const {
  // also for what is not a number
  if (!(place.u >= 0 && place.v >= 0 && place.u <= static_cast<double>(size[0] - 1) &&
        place.v <= static_cast<double>(size[1] - 1)))
    return std::nullopt;
  std::int64_t i = static_cast<std::int64_t>(place.u), j = static_cast<std::int64_t>(place.v);
  if (!isUsable(i, j)) {
    // what lies on the border of cells belongs to those below as well
    const std::int64_t below = static_cast<double>(i) == place.u ? i - 1 : i;
    const std::int64_t left = static_cast<double>(j) == place.v ? j - 1 : j;
    if (isUsable(below, j))
      i = below;
    else if (isUsable(i, left))
      j = left;
    else if (isUsable(below, left))
      i = below, j = left;
    else
      return std::nullopt;
  }
  const auto a = static_cast<std::size_t>(i + size[0] * j), c = a + static_cast<std::size_t>(size[0]);
  const double u = place.u - static_cast<double>(i), v = place.v - static_cast<double>(j);
  Here here;
  here.node = a;
  here.weights = {(1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v};
  here.point = here.weights[0] * points[a] + here.weights[1] * points[a + 1] + here.weights[2] * points[c] +
               here.weights[3] * points[c + 1];
  here.vector = times({valueAt(here, 0), valueAt(here, 1), valueAt(here, 2)}, stretch);
  here.alongU = (1 - v) * (points[a + 1] - points[a]) + v * (points[c + 1] - points[c]);
  here.alongV = (1 - u) * (points[c] - points[a]) + u * (points[c + 1] - points[a + 1]);
  return here;
}

double FlowSheet::valueAt(const Here& here, std::size_t value) const {
  const std::size_t a = width * here.node + value, c = a + width * static_cast<std::size_t>(size[0]);
  return here.weights[0] * values[a] + here.weights[1] * values[a + width] + here.weights[2] * values[c] +
         here.weights[3] * values[c + width];
}

std::optional<FlowSheet::Step> FlowSheet::step(Place from, Place way, double length) const {
  const auto middle = at({from.u + 0.5 * length * way.u, from.v + 0.5 * length * way.v});
  const auto on = middle ? direction(*middle) : std::nullopt;
  if (!on) return std::nullopt;
  return Step{{from.u + length * on->u, from.v + length * on->v}, *middle, *on};
}

}  // namespace farfield::extract
