// Steps through cells in vectors of paths. Compiled once for each kind of processor. Every formula has its original in
// core/fields/cells/cell_flow.h, core/fields/cells/trilinear.h, core/flow/integrator.h, cell_curve.cpp, cell_steps.cpp and
// traced_line.cpp; nothing is fused, and minima, maxima and signs of zeros are theirs.

#include "core/flow/lane_steps.h"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/flow/lane_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace farfield::flow {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
using Row = LaneSteps::Row;
using Rows3 = LaneSteps::Rows3;

struct Point {
  V x, y, z;
};

HWY_INLINE V number(double value) {
  return hn::Set(D(), value);
}
HWY_INLINE Point operator+(const Point& a, const Point& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Point operator-(const Point& a, const Point& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Point times(V s, const Point& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
HWY_INLINE Point operator*(double s, const Point& a) {
  return times(number(s), a);
}
HWY_INLINE V dot(const Point& a, const Point& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE V minus(V a, V b, V c, V d) {
  return hn::Sub(hn::Mul(a, b), hn::Mul(c, d));
}
HWY_INLINE Point cross(const Point& a, const Point& b) {
  return {minus(a.y, b.z, a.z, b.y), minus(a.z, b.x, a.x, b.z), minus(a.x, b.y, a.y, b.x)};
}
HWY_INLINE V length(const Point& a) {
  return hn::Sqrt(dot(a, a));
}
HWY_INLINE M isFinite(const Point& a) {
  return hn::And(hn::And(hn::IsFinite(a.x), hn::IsFinite(a.y)), hn::IsFinite(a.z));
}
/// As std::min() and std::max(): the first of equal ones.
HWY_INLINE V least(V a, V b) {
  return hn::IfThenElse(hn::Lt(b, a), b, a);
}
HWY_INLINE V most(V a, V b) {
  return hn::IfThenElse(hn::Lt(a, b), b, a);
}
HWY_INLINE V clamped(V value) {
  const V zero = hn::Zero(D()), one = number(1);
  return hn::IfThenElse(hn::Lt(value, zero), zero, hn::IfThenElse(hn::Lt(one, value), one, value));
}
HWY_INLINE Point clamped(const Point& xi) {
  return {clamped(xi.x), clamped(xi.y), clamped(xi.z)};
}
/// `share` of the way from `now` to `next`; `rest` is the rest of it.
HWY_INLINE Point mixed(const Point& now, const Point& next, V rest, V share) {
  return times(rest, now) + times(share, next);
}

#if HWY_TARGET == HWY_SCALAR
template <std::size_t kMost>
HWY_INLINE void transpose(const double* const* from, std::size_t first, V* out) {
  static_assert(kMost == 1);
  *out = hn::LoadU(D(), *from + first);
}
#else
/// Of each lane as many numbers as a vector has, which lie at from[lane], become a vector for each number.
template <std::size_t kMost>
HWY_INLINE void transpose(const double* const* from, std::size_t first, V* out) {
  static_assert(kMost == 2 || kMost == 4 || kMost == 8);
  const D d;
  V pairs[2][kMost / 2];  // of lanes: even numbers, odd ones
  for (std::size_t pair = 0; pair < kMost / 2; ++pair) {
    const V even = hn::LoadU(d, from[2 * pair] + first), odd = hn::LoadU(d, from[2 * pair + 1] + first);
    pairs[0][pair] = hn::InterleaveLower(d, even, odd);
    pairs[1][pair] = hn::InterleaveUpper(d, even, odd);
  }
  for (std::size_t odd = 0; odd < 2; ++odd) {
    const V* const of = pairs[odd];
    if constexpr (kMost == 2) {
      out[odd] = of[0];
    } else if constexpr (kMost == 4) {
      out[odd] = hn::ConcatLowerLower(d, of[1], of[0]);
      out[odd + 2] = hn::ConcatUpperUpper(d, of[1], of[0]);
    } else {
      const auto put = [out, odd](std::size_t number, V a, V b) HWY_ATTR {
        out[number + odd] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
        out[number + odd + 2] = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
      };
      put(0, hn::ConcatLowerLower(d, of[2], of[0]), hn::ConcatLowerLower(d, of[3], of[1]));
      put(4, hn::ConcatUpperUpper(d, of[2], of[0]), hn::ConcatUpperUpper(d, of[3], of[1]));
    }
  }
}
#endif

struct PlaceInCell {
  Point position, x, y, z;  // and the columns of the Jacobian
};

/// fields::TrilinearVector.
struct Trilinear {
  Point one, x, y, z, xy, yz, zx, xyz;

  HWY_INLINE Point at(const Point& xi) const {
    const Point slopeX = x + times(xi.y, xy), slopeZ = z + times(xi.y, yz), twist = zx + times(xi.y, xyz);
    const Point along = slopeX + times(xi.z, twist);
    return one + (times(xi.y, y) + (times(xi.z, slopeZ) + times(xi.x, along)));
  }
  HWY_INLINE PlaceInCell placeAt(const Point& xi) const {
    const Point slopeX = x + times(xi.y, xy), slopeZ = z + times(xi.y, yz), twist = zx + times(xi.y, xyz);
    PlaceInCell place;
    place.x = slopeX + times(xi.z, twist);
    place.y = (y + times(xi.x, xy)) + times(xi.z, yz + times(xi.x, xyz));
    place.z = slopeZ + times(xi.x, twist);
    place.position = one + (times(xi.y, y) + (times(xi.z, slopeZ) + times(xi.x, place.x)));
    return place;
  }
};

HWY_INLINE Point solved(const Point& j0, const Point& j1, const Point& j2, const Point& b) {
  const Point c12 = cross(j1, j2), c20 = cross(j2, j0), c01 = cross(j0, j1);
  return times(hn::Div(number(1), dot(j0, c12)), {dot(b, c12), dot(b, c20), dot(b, c01)});
}

/// A measure of the cell along a step, a polynomial (CellCurve::Measured).
struct Measured {
  V start, linear, square, cube, fourth;

  HWY_INLINE V at(V s) const {
    const V inner = hn::Add(square, hn::Mul(s, hn::Add(cube, hn::Mul(s, fourth))));
    return hn::Add(start, hn::Mul(s, hn::Add(linear, hn::Mul(s, inner))));
  }
  HWY_INLINE V slope(V s) const {
    const V four = hn::Mul(hn::Mul(s, number(4)), fourth);
    const V inner = hn::Add(hn::Mul(number(3), cube), four);
    return hn::Add(linear, hn::Mul(s, hn::Add(hn::Mul(number(2), square), hn::Mul(s, inner))));
  }
  HWY_INLINE V crossing(V end, V inside, V outside, M wanted) const {
    constexpr int kMostIterations = 60;
    const V near = number(1e-10), half = number(0.5), one = number(1), zero = hn::Zero(D());
    const V low = hn::Sub(at(inside), end), high = hn::Sub(at(outside), end);
    const V sign = hn::IfThenElse(hn::Gt(high, zero), one, number(-1));
    const V straight = hn::Div(low, hn::Sub(low, high));
    const M between = hn::And(hn::Gt(straight, zero), hn::Lt(straight, one));
    V s = hn::Add(inside, hn::Mul(hn::Sub(outside, inside), hn::IfThenElse(between, straight, half)));
    for (int n = 0; n < kMostIterations; ++n) {
      const V beyond = hn::Mul(sign, hn::Sub(at(s), end));
      wanted = hn::AndNot(hn::Le(hn::Abs(beyond), near), wanted);
      if (hn::AllFalse(D(), wanted)) break;
      const M isOutside = hn::Gt(beyond, zero);
      outside = hn::IfThenElse(hn::And(wanted, isOutside), s, outside);
      inside = hn::IfThenElse(hn::AndNot(isOutside, wanted), s, inside);
      const V next = hn::Sub(s, hn::Div(beyond, hn::Mul(sign, slope(s))));
      const M good = hn::And(hn::Gt(next, least(inside, outside)), hn::Lt(next, most(inside, outside)));
      const V middle = hn::Mul(half, hn::Add(inside, outside));
      s = hn::IfThenElse(wanted, hn::IfThenElse(good, next, middle), s);
    }
    return s;
  }
};

struct Exits {
  M any;
  V s, face;
};

/// Adds, for `used` lanes, the exits through the faces where `along`, the measure of number `measure`, is 0 and 1.
HWY_INLINE void offerExits(const Measured& along, int measure, M used, Exits& exits) {
  const V zero = hn::Zero(D()), one = number(1);
  const V lastRate = along.slope(one), last = along.at(one);
  const M turns = hn::Xor(hn::Gt(along.linear, zero), hn::Gt(lastRate, zero));
  const V turn = hn::IfThenElse(turns, hn::Div(along.linear, hn::Sub(along.linear, lastRate)), zero);
  const M hasTurn = hn::Gt(turn, zero);
  const V turned = hn::IfThenElse(hasTurn, along.at(turn), zero);
  for (int up = 0; up < 2; ++up) {
    const V end = number(up), sign = number(up ? 1 : -1);
    const V turnedBy = hn::Mul(sign, hn::Sub(turned, end));
    const M early =
        hn::And(hasTurn, hn::And(hn::Gt(hn::Mul(sign, along.linear), zero), hn::Gt(turnedBy, zero)));
    const M late = hn::AndNot(early, hn::Gt(hn::Mul(sign, hn::Sub(last, end)), zero));
    const M wanted = hn::And(used, hn::Or(early, late));
    if (hn::AllFalse(D(), wanted)) continue;
    const M fromTurn = hn::And(late, hn::And(hasTurn, hn::Lt(turnedBy, zero)));
    const V s =
        along.crossing(end, hn::IfThenElse(fromTurn, turn, zero), hn::IfThenElse(early, turn, one), wanted);
    const M first = hn::And(wanted, hn::Or(hn::Not(exits.any), hn::Lt(s, exits.s)));
    exits.s = hn::IfThenElse(first, s, exits.s);
    exits.face = hn::IfThenElse(first, number(2 * measure + up), exits.face);
    exits.any = hn::Or(exits.any, wanted);
  }
}

/// The lanes from `at` on, as many as a vector has.
template <bool kMoves>
class Stepper {
 public:
  HWY_INLINE Stepper(LaneSteps& steps, std::size_t at, std::size_t lanes)
      : m_steps(steps), m_at(at), m_used(hn::FirstN(D(), lanes - at)) {
    V numbers[kNumbers];
    take(steps.map, numbers);
    asMap(numbers, m_map);
    if (kMoves) {
      take(steps.nextMap, numbers);
      asMap(numbers, m_nextMap);
    }
    take(steps.velocities, m_corners);
    fromCorners(m_corners, m_now);
    take(steps.nextVelocities, m_nextCorners);
    fromCorners(m_nextCorners, m_next);
    m_since = number(steps.since);
    m_perTime = number(1 / (steps.until - steps.since));
  }
  HWY_INLINE void run();

 private:
  HWY_INLINE V load(const Row& row) const { return hn::Load(D(), row.data() + m_at); }
  HWY_INLINE Point load(const Rows3& rows) const { return {load(rows[0]), load(rows[1]), load(rows[2])}; }
  HWY_INLINE static Point point(const V* numbers) { return {numbers[0], numbers[1], numbers[2]}; }
  HWY_INLINE void store(V value, Row& row) const { hn::Store(value, D(), row.data() + m_at); }
  HWY_INLINE void store(const Point& value, Rows3& rows) const {
    store(value.x, rows[0]), store(value.y, rows[1]), store(value.z, rows[2]);
  }
  HWY_INLINE void store(M mask, std::uint8_t& bits) const {
    std::uint8_t its[8] = {};
    hn::StoreMaskBits(D(), mask, its);
    bits = static_cast<std::uint8_t>(bits | its[0] << m_at);
  }
  static constexpr std::size_t kNumbers = LaneSteps::kVectorNumbers;
  HWY_INLINE void take(const LaneSteps::Numbers& numbers, V* out) const {
    constexpr std::size_t kMost = hn::MaxLanes(D());
    for (std::size_t n = 0; n < kNumbers; n += kMost) transpose<kMost>(numbers.data() + m_at, n, out + n);
  }
  HWY_INLINE static void asMap(const V* numbers, Trilinear& out) {
    Point* const to[] = {&out.one, &out.x, &out.y, &out.z, &out.xy, &out.yz, &out.zx, &out.xyz};
    for (std::size_t n = 0; n < 8; ++n) *to[n] = point(numbers + 3 * n);
  }
  HWY_INLINE static void fromCorners(const V* corners, Trilinear& out) {
    const auto p = [&](std::size_t n) HWY_ATTR { return point(corners + 3 * n); };
    out.one = p(0);
    out.x = p(1) - p(0);
    out.y = p(2) - p(0);
    out.z = p(4) - p(0);
    out.xy = (p(3) - p(2)) - out.x;
    out.yz = (p(6) - p(4)) - out.y;
    out.zx = (p(5) - p(4)) - out.x;
    out.xyz = ((p(7) - p(6)) - (p(5) - p(4))) - out.xy;
  }
  HWY_INLINE V shareAt(V time) const { return hn::Mul(hn::Sub(time, m_since), m_perTime); }
  HWY_INLINE Point velocityAt(const Point& xi, V share) const {
    return mixed(m_now.at(xi), m_next.at(xi), hn::Sub(number(1), share), share);
  }
  HWY_INLINE Point positionAt(const Point& xi, V time) const {
    const Point now = m_map.at(xi);
    if (!kMoves) return now;
    const V share = shareAt(time);
    return mixed(now, m_nextMap.at(xi), hn::Sub(number(1), share), share);
  }
  // called seven times a step: inlined so often, the code runs out of registers
  HWY_NOINLINE Point rateAt(const Point& xi, V time) const;
  HWY_INLINE M find(const Point& position, Point& xi) const;
  HWY_INLINE V lengthOf(const Point& way, const Point& xi, V time) const;
  HWY_INLINE Point evaluated(const Point& xi, V time) const;
  HWY_INLINE V arcLength(const Point& way, const Point& before, const Point& after, V speed, V h) const;
  HWY_INLINE void step(const Point& xi, V time, const Point& rate, V h);

  LaneSteps& m_steps;
  const std::size_t m_at;
  const M m_used;  ///< lanes with a path
  Trilinear m_map, m_nextMap, m_now, m_next;
  V m_corners[kNumbers], m_nextCorners[kNumbers];  ///< velocities
  V m_since, m_perTime;
  // the last step
  Point m_end, m_endRate, m_bulge, m_errorVector;
  M m_finite;
};

template <bool kMoves>
HWY_NOINLINE Point Stepper<kMoves>::rateAt(const Point& xi, V time) const {
  const V share = shareAt(time);
  const Point velocity = velocityAt(xi, share);
  const PlaceInCell now = m_map.placeAt(xi);
  if (!kMoves) return solved(now.x, now.y, now.z, velocity);
  const PlaceInCell next = m_nextMap.placeAt(xi);
  const Point moving = times(m_perTime, next.position - now.position);
  const V rest = hn::Sub(number(1), share);
  return solved(mixed(now.x, next.x, rest, share), mixed(now.y, next.y, rest, share),
                mixed(now.z, next.z, rest, share), velocity - moving);
}

/// Where `position` is in the cell, from an `xi` near by: TrilinearMap::approach(). True where invert() changes nothing more and it is inside: the
/// residual is within a part of the tolerance there, which knows the bounds of all corners.
template <bool kMoves>
HWY_INLINE M Stepper<kMoves>::find(const Point& position, Point& xi) const {
  constexpr double kCellTolerance = 1e-9, kOfDiagonal = 1e-12, kOfCoordinates = 4 * 2.220446049250313e-16;
  const PlaceInCell place = m_map.placeAt(xi);
  xi = xi + solved(place.x, place.y, place.z, position - place.position);
  const V edge = most(most(length(m_map.x), length(m_map.y)), length(m_map.z));
  const V far = length(m_map.one);
  const V tolerance = hn::Add(hn::Mul(number(0.5 * kOfDiagonal), edge), hn::Mul(number(kOfCoordinates), far));
  const Point residual = position - m_map.at(xi);
  M inside = hn::Le(dot(residual, residual), hn::Mul(tolerance, tolerance));
  for (const V* const its : {&xi.x, &xi.y, &xi.z})
    inside = hn::And(
        inside, hn::And(hn::Ge(*its, number(-kCellTolerance)), hn::Le(*its, number(1 + kCellTolerance))));
  return inside;
}

template <bool kMoves>
HWY_INLINE V Stepper<kMoves>::lengthOf(const Point& way, const Point& xi, V time) const {
  PlaceInCell place = m_map.placeAt(xi);
  if (kMoves) {
    const PlaceInCell next = m_nextMap.placeAt(xi);
    const V share = shareAt(time), rest = hn::Sub(number(1), share);
    place.x = mixed(place.x, next.x, rest, share);
    place.y = mixed(place.y, next.y, rest, share);
    place.z = mixed(place.z, next.z, rest, share);
  }
  return length(times(way.x, place.x) + times(way.y, place.y) + times(way.z, place.z));
}

/// As Sampler::evaluate().
template <bool kMoves>
HWY_INLINE Point Stepper<kMoves>::evaluated(const Point& xi, V time) const {
  const V one = number(1);
  const V weight = clamped(hn::Div(hn::Sub(time, m_since), hn::Sub(number(m_steps.until), m_since)));
  const V rest = hn::Sub(one, weight);
  const V x0 = hn::Sub(one, xi.x), y0 = hn::Sub(one, xi.y), z0 = hn::Sub(one, xi.z);
  const V along[4] = {hn::Mul(y0, z0), hn::Mul(xi.y, z0), hn::Mul(y0, xi.z), hn::Mul(xi.y, xi.z)};
  Point sum{hn::Zero(D()), hn::Zero(D()), hn::Zero(D())};
  for (std::size_t corner = 0; corner < 8; ++corner) {
    const V its = hn::Mul(corner % 2 == 0 ? x0 : xi.x, along[corner / 2]);
    const Point value = mixed(point(m_corners + 3 * corner), point(m_nextCorners + 3 * corner), rest, weight);
    sum = sum + times(its, value);
  }
  return sum;
}

/// Of a step along `way`, in the time h, from where the velocity is `before`, and its length `speed`.
template <bool kMoves>
HWY_INLINE V Stepper<kMoves>::arcLength(const Point& way, const Point& before, const Point& after, V speed,
                                        V h) const {
  const Point chord = times(hn::Div(number(1), h), way);
  const Point middle = 1.5 * chord - 0.25 * (before + after);
  return hn::Mul(hn::Div(h, number(6)),
                 hn::Add(hn::Add(speed, hn::Mul(number(4), length(middle))), length(after)));
}

/// dopri5Step() in the cell's coordinates.
template <bool kMoves>
HWY_INLINE void Stepper<kMoves>::step(const Point& xi, V time, const Point& k1, V h) {
  M finite = hn::FirstN(D(), hn::Lanes(D()));
  Point point = xi;
  const auto stage = [&](double c, const Point& increment) HWY_ATTR {
    point = xi + times(h, increment);
    const Point rate = rateAt(point, hn::Add(time, hn::Mul(number(c), h)));
    finite = hn::And(finite, isFinite(rate));
    return rate;
  };
  const Point k2 = stage(1.0 / 5, 1.0 / 5 * k1);
  const Point k3 = stage(3.0 / 10, 3.0 / 40 * k1 + 9.0 / 40 * k2);
  const Point k4 = stage(4.0 / 5, 44.0 / 45 * k1 - 56.0 / 15 * k2 + 32.0 / 9 * k3);
  const Point k5 =
      stage(8.0 / 9, 19372.0 / 6561 * k1 - 25360.0 / 2187 * k2 + 64448.0 / 6561 * k3 - 212.0 / 729 * k4);
  const Point k6 = stage(
      1, 9017.0 / 3168 * k1 - 355.0 / 33 * k2 + 46732.0 / 5247 * k3 + 49.0 / 176 * k4 - 5103.0 / 18656 * k5);
  const Point k7 =
      stage(1, 35.0 / 384 * k1 + 500.0 / 1113 * k3 + 125.0 / 192 * k4 - 2187.0 / 6784 * k5 + 11.0 / 84 * k6);
  m_end = point;
  m_endRate = k7;
  m_finite = finite;
  const Point error = 71.0 / 57600 * k1 - 71.0 / 16695 * k3 + 71.0 / 1920 * k4 - 17253.0 / 339200 * k5 +
                      22.0 / 525 * k6 - 1.0 / 40 * k7;
  m_errorVector = times(h, error);
  const Point beyondCubic = -12715105075.0 / 11282082432 * k1 + 87487479700.0 / 32700410799 * k3 -
                            10690763975.0 / 1880347072 * k4 + 701980252875.0 / 199316789632 * k5 -
                            1453857185.0 / 822651844 * k6 + 69997945.0 / 29380423 * k7;
  m_bulge = times(h, beyondCubic);
}

template <bool kMoves>
HWY_INLINE void Stepper<kMoves>::run() {
  constexpr double kErrorFraction = 1e-3, kLeastPace = 1e-3, kOvershoot = 1.2;
  const V zero = hn::Zero(D()), one = number(1), half = number(0.5);
  const V infinity = number(std::numeric_limits<double>::infinity());

  // the last vertex
  const Point position = load(m_steps.position);
  Point xi = load(m_steps.xi);
  const M near = hn::Ne(load(m_steps.isNear), zero);
  if (!kMoves && !hn::AllFalse(D(), near)) {
    Point exact = xi;
    store(find(position, exact), m_steps.found);
    xi = {hn::IfThenElse(near, exact.x, xi.x), hn::IfThenElse(near, exact.y, xi.y),
          hn::IfThenElse(near, exact.z, xi.z)};
    store(xi, m_steps.xi);
  }
  const Point velocity = evaluated(xi, load(m_steps.evaluated));
  const V speed = length(velocity);
  store(isFinite(velocity), m_steps.finite);
  store(velocity, m_steps.velocity);
  store(speed, m_steps.speed);
  store(arcLength(position - load(m_steps.before), load(m_steps.velocityBefore), velocity,
                  load(m_steps.speedBefore), load(m_steps.hBefore)),
        m_steps.arcLength);
  const V largest = most(load(m_steps.largestSpeed), speed);
  const V pace = most(most(speed, hn::Mul(number(kLeastPace), largest)), load(m_steps.leastPace));

  // the first attempt
  const V time = load(m_steps.time), rest = load(m_steps.rest);
  xi = clamped(xi);
  const Point rate = rateAt(xi, time);
  M possible = isFinite(rate);
  V straight = infinity;
  const V* const places[] = {&xi.x, &xi.y, &xi.z};
  const V* const rates[] = {&rate.x, &rate.y, &rate.z};
  for (std::size_t a = 0; a < 3; ++a) {
    const V place = *places[a], its = *rates[a];
    const M up = hn::Gt(its, zero), down = hn::Lt(its, zero);
    const M outward = hn::Or(hn::And(up, hn::Eq(place, one)), hn::And(down, hn::Eq(place, zero)));
    possible = hn::AndNot(outward, possible);
    const V until = hn::Div(hn::Sub(hn::IfThenElse(up, one, zero), place), its);
    straight = hn::IfThenElse(hn::Ne(its, zero), least(straight, until), straight);
  }
  const V again = load(m_steps.again);
  V h = least(least(hn::Mul(number(kOvershoot), straight), load(m_steps.wish)),
              hn::Div(number(m_steps.diagonal), pace));
  h = hn::IfThenElse(hn::Lt(rest, hn::Mul(number(1.001), h)), rest, h);
  h = hn::IfThenElse(hn::Gt(again, zero), again, h);
  const V smallest = number(m_steps.smallestLength);
  possible = hn::And(possible, hn::Gt(hn::Mul(h, pace), smallest));
  step(xi, time, rate, h);
  const V away = hn::IfThenElse(m_finite, lengthOf(m_errorVector, xi, time), infinity);
  const V error = most(hn::Div(away, number(m_steps.tolerance)),
                       hn::Div(away, hn::Mul(hn::Mul(number(kErrorFraction), h), pace)));
  const M accepted = hn::And(m_used, hn::Le(error, one));
  store(accepted, m_steps.accepted);
  store(h, m_steps.h);
  store(error, m_steps.error);

  // CellCurve
  const Point way = m_end - xi, first = times(h, rate), last = times(h, m_endRate);
  const Point square = 3 * way - 2 * first - last + m_bulge;
  const Point cube = first + last - 2 * way - 2 * m_bulge;
  Exits exits{hn::Ne(zero, zero), one, number(-1)};
  offerExits({xi.x, first.x, square.x, cube.x, m_bulge.x}, 0, accepted, exits);
  offerExits({xi.y, first.y, square.y, cube.y, m_bulge.y}, 1, accepted, exits);
  offerExits({xi.z, first.z, square.z, cube.z, m_bulge.z}, 2, accepted, exits);
  const auto curve = [&](V s) HWY_ATTR {
    return xi + times(s, first + times(s, square + times(s, cube + times(s, m_bulge))));
  };

  // its end
  const V s = exits.s, whole = hn::Mul(s, h), endTime = hn::Add(time, whole);
  Point end = clamped(curve(s));
  V* const ends[] = {&end.x, &end.y, &end.z};
  for (int face = 0; face < 6; ++face)
    *ends[face / 2] = hn::IfThenElse(hn::Eq(exits.face, number(face)), number(face % 2), *ends[face / 2]);
  const Point endPosition = positionAt(end, endTime);
  M good = hn::Gt(hn::Mul(whole, pace), smallest);
  const Point cubic = 0.5 * (position + endPosition) + times(hn::Mul(hn::Mul(number(0.125), s), h),
                                                             velocity - velocityAt(end, shareAt(endTime)));
  const V halfway = hn::Mul(half, s);
  const V gap = length(positionAt(curve(halfway), hn::Add(time, hn::Mul(halfway, h))) - cubic);
  good = hn::AndNot(hn::Gt(gap, number(m_steps.hermiteTolerance)), good);
  store(hn::And(possible, hn::Or(good, hn::Not(accepted))), m_steps.possible);
  store(exits.any, m_steps.exits);
  store(exits.face, m_steps.face);
  store(whole, m_steps.whole);
  store(end, m_steps.endXi);
  store(endPosition, m_steps.endPosition);
  const Point endVelocity = evaluated(end, endTime);
  store(isFinite(endVelocity), m_steps.endFinite);
  store(endVelocity, m_steps.endVelocity);
  store(arcLength(endPosition - position, velocity, endVelocity, speed, whole), m_steps.endArcLength);
}

void takeStepsHere(LaneSteps& steps, std::size_t lanes, bool moving) {
  steps.found = steps.finite = steps.possible = steps.accepted = steps.exits = steps.endFinite = 0;
  for (std::size_t at = 0; at < lanes; at += hn::Lanes(D()))
    if (moving)
      Stepper<true>(steps, at, lanes).run();
    else
      Stepper<false>(steps, at, lanes).run();
}

}  // namespace HWY_NAMESPACE
}  // namespace farfield::flow
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace farfield::flow {

HWY_EXPORT(takeStepsHere);

void takeSteps(LaneSteps& steps, std::size_t lanes, bool moving) {
  HWY_DYNAMIC_DISPATCH(takeStepsHere)(steps, lanes, moving);
}

}  // namespace farfield::flow
#endif
