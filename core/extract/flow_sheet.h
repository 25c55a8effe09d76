#pragma once
// A piece of a surface as a net of nodes with a vector at each, and the lines that the vector draws on it. In a cell of
// the net position and vector are bilinear in the net's own coordinates (u, v), counted in cells; the part of the
// vector along the surface there says where a line goes on. So lines follow what is interpolated, and neither fold
// nor leave the surface, however the nodes lie in space.

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/geometry.h"
#include "core/extract/stretch.h"

namespace farfield::extract {

/// Not changed while lines are followed; then thread-safe.
struct FlowSheet {
  std::array<std::int64_t, 2> size{};  ///< nodes along u and v; u is fastest in what follows
  std::size_t width = 3;               ///< values of a node, of which the first three are the vector
  std::vector<Vec3> points;
  std::vector<double> values;
  /// `points` are of a space whose axes are so many times longer than the data's; values are as they are in these.
  Vec3 stretch{1, 1, 1};
  std::vector<std::uint8_t> usable;  ///< 0: a node that cells must not have
  bool isLattice =
      false;  ///< all cells are the same parallelogram, with a point for each node, usable or not

  /// Nodes that are not usable.
  void resize(std::int64_t nu, std::int64_t nv, std::size_t valuesPerNode);
  static std::uint64_t bytesFor(std::int64_t nu, std::int64_t nv, std::size_t valuesPerNode);

  struct Place {
    double u = 0, v = 0;
  };
  /// A place in a usable cell.
  struct Here {
    std::size_t node = 0;                ///< the cell's lowest
    std::array<double, 4> weights{};     ///< of its nodes: lowest, +u, +v, both
    Vec3 point, alongU, alongV, vector;  ///< position, its derivatives, and the vector
  };
  /// Of a node, in the space of the points.
  Vec3 vectorOf(std::size_t node) const {
    const double* const its = values.data() + node * width;
    return times({its[0], its[1], its[2]}, stretch);
  }
  /// Nothing outside of the net and in cells that are not usable.
  std::optional<Here> at(Place place) const;
  /// Value number `value` there.
  double valueAt(const Here& here, std::size_t value) const;

  /// How the place changes per length of a line through it; nothing where the vector has no part along the surface,
  /// or the surface no area.
  static std::optional<Place> direction(const Here& here) {
    // The part along the surface is that combination of the derivatives which leaves a rest at right angles to both: (u, v) over
    // the squared area. Its length falls out of the ratio.
    const double uu = dot(here.alongU, here.alongU), uv = dot(here.alongU, here.alongV),
                 vv = dot(here.alongV, here.alongV);
    const double onU = dot(here.vector, here.alongU), onV = dot(here.vector, here.alongV);
    if (!(uu * vv - uv * uv > 1e-24 * uu * vv)) return std::nullopt;
    return unit(vv * onU - uv * onV, uu * onV - uv * onU, uu, uv, vv);
  }
  /// The place per length along (u, v), by the products of the derivatives; nothing where that has no length.
  static std::optional<Place> unit(double u, double v, double uu, double uv, double vv) {
    const double speed = std::sqrt(u * u * uu + 2 * u * v * uv + v * v * vv);
    if (!(speed > 0) || !std::isfinite(speed)) return std::nullopt;
    return Place{u / speed, v / speed};
  }
  /// Of two steps, the second of which would turn back, where the vector comes together from both sides: how far their mean goes of the
  /// way of one, from 0, straight back and forth, to 1. Nothing where the second goes on. Either as direction() has it.
  static std::optional<double> between(const Here& first, Place way, const Here& second, Place back) {
    const Vec3 a = way.u * first.alongU + way.v * first.alongV,
               b = back.u * second.alongU + back.v * second.alongV;
    if (!(dot(a, b) < 0)) return std::nullopt;
    return 0.5 * farfield::length(a + b);
  }
  /// What goes less far along a line on which the vector comes together than this part of a step ends there.
  static constexpr double kStillBetween = 0.01;
  /// A step of the midpoint rule: where it goes, and the place half way there with the way on from it.
  struct Step {
    Place to;
    Here middle;
    Place wayFromMiddle;
  };
  /// One over `length`, which may be negative, from a place where the way on is `way`. Nothing where the line ends.
  std::optional<Step> step(Place from, Place way, double length) const;

 private:
  bool isUsable(std::int64_t i, std::int64_t j) const;
};

}  // namespace farfield::extract
