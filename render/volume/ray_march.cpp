// The march of rays through a brick, in vectors of rays. Compiled once for each kind of processor.

#include "render/volume/ray_tile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "render/volume/ray_march.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace farfield::volume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using DI = hn::Rebind<std::int32_t, D>;
using DU = hn::Rebind<std::uint32_t, D>;
using V = hn::Vec<D>;
using VI = hn::Vec<DI>;
using M = hn::Mask<D>;

struct Vec {
  V x, y, z;
};

// Reads the values at positions of a brick, or those and the next ones along i.
template <BrickType kType>
struct Values;

template <>
struct Values<BrickType::U8> {
  static HWY_INLINE V one(const std::byte* data, VI at) {
    const DI di;
    const VI four = hn::GatherOffset(di, reinterpret_cast<const std::int32_t*>(data), at);
    return hn::ConvertTo(D(), hn::And(four, hn::Set(di, 255)));
  }
  static HWY_INLINE void two(const std::byte* data, VI at, V& low, V& high) {
    const DI di;
    const VI four = hn::GatherOffset(di, reinterpret_cast<const std::int32_t*>(data), at);
    low = hn::ConvertTo(D(), hn::And(four, hn::Set(di, 255)));
    high = hn::ConvertTo(D(), hn::And(hn::ShiftRight<8>(four), hn::Set(di, 255)));
  }
};

template <>
struct Values<BrickType::U16> {
  static HWY_INLINE V one(const std::byte* data, VI at) {
    const DI di;
    const VI both = hn::GatherOffset(di, reinterpret_cast<const std::int32_t*>(data), hn::ShiftLeft<1>(at));
    return hn::ConvertTo(D(), hn::And(both, hn::Set(di, 65535)));
  }
  static HWY_INLINE void two(const std::byte* data, VI at, V& low, V& high) {
    const DI di;
    const VI both = hn::GatherOffset(di, reinterpret_cast<const std::int32_t*>(data), hn::ShiftLeft<1>(at));
    low = hn::ConvertTo(D(), hn::And(both, hn::Set(di, 65535)));
    high = hn::ConvertTo(D(), hn::And(hn::ShiftRight<16>(both), hn::Set(di, 65535)));
  }
};

template <>
struct Values<BrickType::F32> {
  static HWY_INLINE V one(const std::byte* data, VI at) {
    return hn::GatherIndex(D(), reinterpret_cast<const float*>(data), at);
  }
  static HWY_INLINE void two(const std::byte* data, VI at, V& low, V& high) {
    low = one(data, at);
    high = one(data, hn::Add(at, hn::Set(DI(), 1)));
  }
};

HWY_INLINE V lerp(V f, V a, V b) {
  return hn::Add(a, hn::Mul(f, hn::Sub(b, a)));
}

// One brick. Positions are in its nodes; 1 is its first node.
template <BrickType kType>
class Marcher {
 public:
  Marcher(const MarchJob& job, const MarchBrick& brick)
      : m_job(job), m_brick(brick), m_data(brick.brick->data()), m_axes(brick.nodes[0] != nullptr) {
    for (std::size_t a = 0; a < 3; ++a) m_cells[a] = static_cast<int>(brick.brick->cells()[a]);
    m_leaps = brick.seen != ~std::uint64_t{0};
  }

  std::uint64_t run(RayTile& tile, int x0, int y0, int x1, int y1);

 private:
  static constexpr std::size_t kLanes = hn::MaxLanes(D());

  // A packet of rays, from sample `from` to before `to` of each.
  struct Packet {
    HWY_ALIGN_MAX double from[kLanes], to[kLanes], entry[kLanes], exit[kLanes];
  };

  HWY_INLINE V place(std::size_t axis, V x) const {
    const D d;
    if (!m_axes)
      return hn::Add(hn::Min(hn::Max(x, hn::Zero(d)), hn::Set(d, static_cast<float>(m_cells[axis]))),
                     hn::Set(d, 1));
    // the last node not beyond it, by bisection
    const DI di;
    const float* const nodes = m_brick.nodes[axis];
    x = hn::Min(hn::Max(x, hn::Set(d, nodes[1])), hn::Set(d, nodes[m_cells[axis] + 1]));
    VI at = hn::Set(di, 1);
    const VI last = hn::Set(di, m_cells[axis]);
    for (int stride = kBrickCells; stride > 0; stride /= 2) {
      const VI next = hn::Min(hn::Add(at, hn::Set(di, stride)), last);
      const M reached = hn::Ge(x, hn::GatherIndex(d, nodes, next));
      at = hn::IfThenElse(hn::RebindMask(di, reached), next, at);
    }
    const V beyond = hn::Sub(x, hn::GatherIndex(d, nodes, at));
    return hn::Add(hn::ConvertTo(d, at), hn::Mul(beyond, hn::GatherIndex(d, m_brick.rates[axis], at)));
  }

  HWY_INLINE V valueAt(const Vec& q, int beyond) const {
    const D d;
    const DI di;
    const VI ix = hn::Min(hn::ConvertTo(di, q.x), hn::Set(di, m_cells[0] + beyond));
    const VI iy = hn::Min(hn::ConvertTo(di, q.y), hn::Set(di, m_cells[1] + beyond));
    const VI iz = hn::Min(hn::ConvertTo(di, q.z), hn::Set(di, m_cells[2] + beyond));
    const VI side = hn::Set(di, kBrickSide);
    const VI at = hn::Add(ix, hn::Mul(side, hn::Add(iy, hn::Mul(side, iz))));
    const V fx = hn::Sub(q.x, hn::ConvertTo(d, ix)), fy = hn::Sub(q.y, hn::ConvertTo(d, iy)),
            fz = hn::Sub(q.z, hn::ConvertTo(d, iz));
    V a, b, low, high;
    Values<kType>::two(m_data, at, a, b);
    low = lerp(fx, a, b);
    Values<kType>::two(m_data, hn::Add(at, side), a, b);
    low = lerp(fy, low, lerp(fx, a, b));
    const VI above = hn::Add(at, hn::Set(di, kBrickSide * kBrickSide));
    Values<kType>::two(m_data, above, a, b);
    high = lerp(fx, a, b);
    Values<kType>::two(m_data, hn::Add(above, side), a, b);
    high = lerp(fy, high, lerp(fx, a, b));
    return lerp(fz, low, high);
  }

  HWY_INLINE V nearest(const Vec& q) const {
    const D d;
    const DI di;
    const V half = hn::Set(d, 0.5F);
    const VI ix = hn::ConvertTo(di, hn::Add(q.x, half)), iy = hn::ConvertTo(di, hn::Add(q.y, half)),
             iz = hn::ConvertTo(di, hn::Add(q.z, half));
    const VI side = hn::Set(di, kBrickSide);
    return Values<kType>::one(m_data, hn::Add(ix, hn::Mul(side, hn::Add(iy, hn::Mul(side, iz)))));
  }

  HWY_INLINE V sample(const Vec& q) const { return m_job.linear ? valueAt(q, 0) : nearest(q); }

  // The reflected light, 1 at most, and the shine, as for surfaces (shaders/shade.glsl).
  HWY_INLINE void light(const Vec& q, V& diffuse, V& shine) const {
    const D d;
    const V one = hn::Set(d, 1), zero = hn::Zero(d);
    const auto difference = [&](std::size_t axis) HWY_ATTR {
      Vec low = q, high = q;
      V& l = axis == 0 ? low.x : axis == 1 ? low.y : low.z;
      V& h = axis == 0 ? high.x : axis == 1 ? high.y : high.z;
      l = hn::Sub(l, one);
      h = hn::Add(h, one);
      V change = hn::Sub(valueAt(high, 1), valueAt(low, 1));
      if (m_axes) {
        const DI di;
        const VI at = hn::Min(hn::ConvertTo(di, axis == 0   ? q.x
                                                : axis == 1 ? q.y
                                                            : q.z),
                              hn::Set(di, m_cells[axis]));
        change = hn::Mul(change, hn::GatherIndex(d, m_brick.rates[axis], at));
      }
      return hn::Mul(change, hn::Set(d, m_job.gradientScale[axis]));
    };
    Vec g{difference(0), difference(1), difference(2)};
    const V size = hn::Sqrt(hn::Add(hn::Add(hn::Mul(g.x, g.x), hn::Mul(g.y, g.y)), hn::Mul(g.z, g.z)));
    const M good = hn::And(hn::Lt(zero, size), hn::Lt(size, hn::Set(d, 1e30F)));  // and finite
    const V scale = hn::IfThenElse(good, hn::Div(one, hn::IfThenElse(good, size, one)), zero);
    const auto towards = [&](const std::array<float, 3>& direction) HWY_ATTR {
      const V along =
          hn::Add(hn::Add(hn::Mul(g.x, hn::Set(d, direction[0])), hn::Mul(g.y, hn::Set(d, direction[1]))),
                  hn::Mul(g.z, hn::Set(d, direction[2])));
      return hn::IfThenElse(good, hn::Abs(hn::Mul(along, scale)), zero);
    };
    const V key = towards(m_job.key), fill = towards(m_job.fill);
    V gloss = hn::Min(towards(m_job.half), one);
    for (int n = 0; n < 5; ++n) gloss = hn::Mul(gloss, gloss);
    // where values hardly change there is no surface: all light is reflected
    const V sure = hn::IfThenElse(good, hn::Div(size, hn::Add(size, hn::Set(d, m_job.flat))), zero);
    const V lit = hn::Add(hn::Set(d, 0.36F),
                          hn::Add(hn::Mul(hn::Set(d, 0.62F), key), hn::Mul(hn::Set(d, 0.12F), fill)));
    diffuse = lerp(sure, one, hn::Min(lit, one));
    shine = hn::Mul(hn::Mul(hn::Set(d, 0.22F), gloss), sure);
  }

  // The hue stays: no channel is cut off, as light multiplies by 1 at most, and the shine mixes with white.
  HWY_INLINE static V shaded(V channel, V diffuse, V shine) {
    return lerp(shine, hn::Mul(channel, diffuse), hn::Set(D(), 1));
  }

  HWY_INLINE static void unpack(hn::Vec<DU> packed, Vec& color) {
    const D d;
    const DU du;
    const auto channel = [&](hn::Vec<DU> bits) HWY_ATTR {
      return hn::Mul(hn::ConvertTo(d, hn::BitCast(DI(), hn::And(bits, hn::Set(du, 1023)))),
                     hn::Set(d, 1.0F / 1023));
    };
    color = {channel(hn::ShiftRight<20>(packed)), channel(hn::ShiftRight<10>(packed)), channel(packed)};
  }

  // Lanes in a group that is visible, and the group's index along each axis.
  HWY_INLINE M seenAt(const Vec& q, VI (&group)[3]) const {
    const DI di;
    const DU du;
    const V* const along[3] = {&q.x, &q.y, &q.z};
    for (int a = 0; a < 3; ++a)
      group[a] = hn::ShiftRight<3>(
          hn::Min(hn::Sub(hn::ConvertTo(di, *along[a]), hn::Set(di, 1)), hn::Set(di, m_cells[a] - 1)));
    const auto number =
        hn::BitCast(du, hn::Add(group[0], hn::Add(hn::ShiftLeft<2>(group[1]), hn::ShiftLeft<4>(group[2]))));
    const auto low = hn::Set(du, static_cast<std::uint32_t>(m_brick.seen));
    const auto high = hn::Set(du, static_cast<std::uint32_t>(m_brick.seen >> 32));
    const auto word = hn::IfThenElse(hn::Gt(number, hn::Set(du, 31)), high, low);
    const auto bit = hn::And(hn::Shr(word, hn::And(number, hn::Set(du, 31))), hn::Set(du, 1));
    return hn::RebindMask(D(), hn::Ne(bit, hn::Zero(du)));
  }

  // Where the rays leave their groups, in units of j.
  HWY_INLINE V groupEnd(const VI (&group)[3], const Vec& base, const Vec& step, const Vec& inverse) const {
    const D d;
    const DI di;
    const V* const bases[3] = {&base.x, &base.y, &base.z};
    const V* const steps[3] = {&step.x, &step.y, &step.z};
    const V* const inverses[3] = {&inverse.x, &inverse.y, &inverse.z};
    V end = hn::Set(d, 3e30F);
    for (std::size_t a = 0; a < 3; ++a) {
      const M up = hn::Ge(*steps[a], hn::Zero(d));
      const VI low = hn::ShiftLeft<3>(group[a]);
      const VI node = hn::IfThenElse(hn::RebindMask(di, up), hn::Add(low, hn::Set(di, kGroupCells)), low);
      const V plane = m_axes
                          ? hn::GatherIndex(d, m_brick.nodes[a],
                                            hn::Add(hn::Min(node, hn::Set(di, m_cells[a])), hn::Set(di, 1)))
                          : hn::ConvertTo(d, node);
      end = hn::Min(end, hn::Mul(hn::Sub(plane, *bases[a]), *inverses[a]));
    }
    return end;
  }

  void packet(RayTile& tile, std::size_t at, const Packet& rays, std::uint64_t& samples) const;
  template <class Visit>
  HWY_INLINE void eachSample(const Vec& base, const Vec& step, const Vec& inverse, V count, M active,
                             std::uint64_t& samples, Visit visit) const;
  void surface(RayTile& tile, std::size_t at, const Packet& rays, const Vec& base, const Vec& step,
               const Vec& inverse, std::uint64_t& samples) const;

  const MarchJob& m_job;
  const MarchBrick& m_brick;
  const std::byte* const m_data;
  const bool m_axes;
  bool m_leaps;
  int m_cells[3];
};

// Calls visit(j, q, lanes) for the samples of all lanes in visible groups, in order; it returns the lanes
// that go on.
template <BrickType kType>
template <class Visit>
HWY_INLINE void Marcher<kType>::eachSample(const Vec& base, const Vec& step, const Vec& inverse, V count,
                                           M active, std::uint64_t& samples, Visit visit) const {
  const D d;
  const V one = hn::Set(d, 1);
  V j = hn::Zero(d);
  while (!hn::AllFalse(d, active)) {
    const Vec q{place(0, hn::Add(base.x, hn::Mul(j, step.x))), place(1, hn::Add(base.y, hn::Mul(j, step.y))),
                place(2, hn::Add(base.z, hn::Mul(j, step.z)))};
    V next = hn::Add(j, one);
    M lanes = active;
    if (m_leaps) {
      VI group[3];
      const M seen = seenAt(q, group);
      lanes = hn::And(active, seen);
      if (!hn::AllTrue(d, hn::Or(seen, hn::Not(active)))) {
        const V end = hn::Ceil(groupEnd(group, base, step, inverse));
        next = hn::IfThenElse(seen, next, hn::Max(next, end));
      }
    }
    if (!hn::AllFalse(d, lanes)) {
      samples += hn::CountTrue(d, lanes);
      active = hn::And(active, visit(j, q, lanes));
    }
    j = next;
    active = hn::And(active, hn::Lt(j, count));
  }
}

template <BrickType kType>
void Marcher<kType>::packet(RayTile& tile, std::size_t at, const Packet& rays, std::uint64_t& samples) const {
  const D d;
  const DI di;
  const DU du;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN_MAX float base[3][kLanes], step[3][kLanes], inverse[3][kLanes], count[kLanes], last[kLanes],
      begin[kLanes];
  for (std::size_t l = 0; l < lanes; ++l) {
    const double from = rays.from[l], most = rays.to[l] - from;
    count[l] = static_cast<float>(most > 0 ? most : 0);
    last[l] = static_cast<float>(tile.end[at + l] - 1 - from);
    begin[l] = static_cast<float>(tile.first[at + l] - from);
    for (std::size_t a = 0; a < 3; ++a) {
      const double along = tile.step[a][at + l];
      base[a][l] = static_cast<float>(tile.start[a][at + l] + from * along - m_brick.first[a]);
      step[a][l] = static_cast<float>(along);
      inverse[a][l] = static_cast<float>(std::clamp(tile.inverse[a][at + l], -1e30, 1e30));
    }
  }
  const Vec b{hn::Load(d, base[0]), hn::Load(d, base[1]), hn::Load(d, base[2])};
  const Vec s{hn::Load(d, step[0]), hn::Load(d, step[1]), hn::Load(d, step[2])};
  const Vec i{hn::Load(d, inverse[0]), hn::Load(d, inverse[1]), hn::Load(d, inverse[2])};
  if (m_job.mode == Mode::Isosurface) return surface(tile, at, rays, b, s, i, samples);
  const V most = hn::Load(d, count);
  const M inside = hn::Gt(most, hn::Zero(d));
  auto& state = tile.state;

  if (m_job.mode != Mode::Composite) {
    V first = hn::Load(d, &state[0][at]), number = hn::Load(d, &state[3][at]);
    const bool largest = m_job.mode == Mode::Maximum;
    eachSample(b, s, i, most, inside, samples, [&](V, const Vec& q, M here) HWY_ATTR {
      const V value = sample(q);
      const M good = hn::And(here, hn::Eq(value, value));
      if (largest) {
        first = hn::IfThenElse(hn::And(good, hn::Gt(value, first)), value, first);
      } else {
        first = hn::Add(first, hn::IfThenElseZero(good, value));
        number = hn::Add(number, hn::IfThenElseZero(good, hn::Set(d, 1)));
      }
      return hn::Or(here, hn::Not(here));
    });
    hn::Store(first, d, &state[0][at]);
    hn::Store(number, d, &state[3][at]);
    return;
  }

  V red = hn::Load(d, &state[0][at]), green = hn::Load(d, &state[1][at]), blue = hn::Load(d, &state[2][at]),
    alpha = hn::Load(d, &state[3][at]);
  const M open = hn::And(inside, hn::Lt(alpha, hn::Set(d, kOpaque)));
  if (hn::AllFalse(d, open)) return;
  const V lastSample = hn::Load(d, last), lastWeight = hn::Load(d, &tile.lastWeight[at]);
  const V firstSample = hn::Load(d, begin), firstWeight = hn::Load(d, &tile.firstWeight[at]);
  const V one = hn::Set(d, 1), zero = hn::Zero(d);
  const float* const alphas = m_job.table->alpha().data();
  const auto* const colors = m_job.table->color().data();
  const auto* const cells = m_job.table->cells().empty() ? nullptr : m_job.table->cells().data();
  const VI lastEntry = hn::Set(di, m_job.table->entries() - 1);
  eachSample(b, s, i, most, open, samples, [&](V j, const Vec& q, M here) HWY_ATTR {
    const V value = sample(q);
    const V place = hn::Mul(hn::Sub(value, hn::Set(d, m_job.tableLow)), hn::Set(d, m_job.tableScale));
    const M number = hn::Eq(value, value);
    VI entry;
    if (m_job.tableShift > 0) {
      const VI bits = hn::BitCast(di, hn::IfThenElseZero(number, place));
      const VI lowest = hn::Set(di, m_job.tableLowest);
      const VI way = hn::Sub(hn::Min(hn::Max(bits, lowest), hn::Set(di, m_job.tableHighest)), lowest);
      entry = hn::ShiftRightSame(way, m_job.tableShift);
      if (cells) {
        const auto cell = hn::GatherIndex(du, cells, entry);
        const auto within = hn::And(hn::BitCast(du, way), hn::Set(du, (1U << m_job.tableShift) - 1));
        entry = hn::BitCast(
            di, hn::Add(hn::ShiftRight<5>(cell), hn::Shr(within, hn::And(cell, hn::Set(du, 31)))));
      }
    } else {
      // clamped as a float: values beyond integers and NaN are not converted
      const V cut = hn::Min(hn::Max(hn::Add(place, hn::Set(d, 0.5F)), zero), hn::ConvertTo(d, lastEntry));
      entry = hn::Min(hn::Max(hn::ConvertTo(di, hn::IfThenElseZero(number, cut)), hn::Zero(di)), lastEntry);
    }
    V a = hn::IfThenElseZero(hn::And(here, number), hn::GatherIndex(d, alphas, entry));
    if (hn::AllFalse(d, hn::Gt(a, zero))) return hn::Or(here, hn::Not(here));
    const M atLast = hn::Eq(j, lastSample), atEnd = hn::Or(atLast, hn::Eq(j, firstSample));
    if (!hn::AllFalse(d, atEnd)) {
      // 1 - (1 - a)^w to the second order in a, and exact for w = 1
      const V w = hn::IfThenElse(atLast, lastWeight, firstWeight);
      const V half = hn::Mul(hn::Mul(hn::Set(d, 0.5F), hn::Sub(one, w)), a);
      a = hn::IfThenElse(atEnd, hn::Mul(hn::Mul(w, a), hn::Add(one, half)), a);
    }
    Vec color;
    unpack(hn::GatherIndex(du, colors, entry), color);
    if (m_job.lighting) {
      V diffuse, shine;
      light(q, diffuse, shine);
      color.x = shaded(color.x, diffuse, shine);
      color.y = shaded(color.y, diffuse, shine);
      color.z = shaded(color.z, diffuse, shine);
    }
    const V weight = hn::Mul(hn::Sub(one, alpha), a);
    red = hn::Add(red, hn::Mul(weight, color.x));
    green = hn::Add(green, hn::Mul(weight, color.y));
    blue = hn::Add(blue, hn::Mul(weight, color.z));
    alpha = hn::Add(alpha, weight);
    return hn::Lt(alpha, hn::Set(d, kOpaque));
  });
  hn::Store(red, d, &state[0][at]);
  hn::Store(green, d, &state[1][at]);
  hn::Store(blue, d, &state[2][at]);
  hn::Store(alpha, d, &state[3][at]);
}

// Also evaluates where rays enter and leave, so that a surface between the last sample of one brick and the
// first of the next belongs to one of them.
template <BrickType kType>
void Marcher<kType>::surface(RayTile& tile, std::size_t at, const Packet& rays, const Vec& base,
                             const Vec& step, const Vec& inverse, std::uint64_t& samples) const {
  const D d;
  const DU du;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN_MAX float first[kLanes], end[kLanes];
  for (std::size_t l = 0; l < lanes; ++l) {
    first[l] = static_cast<float>(rays.entry[l] - rays.from[l]);
    end[l] = static_cast<float>(rays.exit[l] - rays.from[l]);
  }
  auto& state = tile.state;
  V alpha = hn::Load(d, &state[3][at]);
  const V jEnd = hn::Load(d, end), zero = hn::Zero(d), one = hn::Set(d, 1);
  V j = hn::Load(d, first);
  M active = hn::And(hn::Lt(j, jEnd), hn::Eq(alpha, zero));
  if (hn::AllFalse(d, active)) return;
  const auto placeAt = [&](V t) HWY_ATTR {
    return Vec{place(0, hn::Add(base.x, hn::Mul(t, step.x))), place(1, hn::Add(base.y, hn::Mul(t, step.y))),
               place(2, hn::Add(base.z, hn::Mul(t, step.z)))};
  };
  const V iso = hn::Set(d, m_job.isoRaw);
  V before = zero, jBefore = j, jHit = zero;
  M had = hn::Lt(one, zero), hit = had;
  while (!hn::AllFalse(d, active)) {
    samples += hn::CountTrue(d, active);
    const Vec q = placeAt(j);
    const V value = hn::Sub(sample(q), iso);
    const M number = hn::Eq(value, value);
    const M positive = hn::Ge(value, zero), positiveBefore = hn::Ge(before, zero);
    const M crosses = hn::And(hn::And(active, hn::And(had, number)), hn::Xor(positive, positiveBefore));
    if (!hn::AllFalse(d, crosses)) {
      const V span = hn::Sub(before, value);
      const V part = hn::Div(before, hn::IfThenElse(crosses, span, one));
      jHit = hn::IfThenElse(crosses, hn::Add(jBefore, hn::Mul(part, hn::Sub(j, jBefore))), jHit);
      hit = hn::Or(hit, crosses);
      active = hn::And(active, hn::Not(crosses));
    }
    had = number;
    before = value;
    jBefore = j;
    V next = hn::Add(hn::Floor(j), one);
    if (m_leaps) {
      VI group[3];
      const M seen = seenAt(q, group);
      if (!hn::AllTrue(d, hn::Or(seen, hn::Not(active)))) {
        const V far = hn::Max(groupEnd(group, base, step, inverse), hn::Add(j, hn::Set(d, 0.125F)));
        next = hn::IfThenElse(seen, next, far);
      }
    }
    active = hn::And(active, hn::Lt(j, jEnd));
    j = hn::Min(next, jEnd);
  }
  if (hn::AllFalse(d, hit)) return;
  const Vec q = placeAt(jHit);
  V diffuse, shine;
  light(q, diffuse, shine);
  Vec color;
  unpack(hn::Set(du, m_job.isoColor), color);
  const V* const channels[3] = {&color.x, &color.y, &color.z};
  for (std::size_t c = 0; c < 3; ++c) {
    const V here = shaded(*channels[c], diffuse, shine);
    hn::Store(hn::IfThenElse(hit, here, hn::Load(d, &state[c][at])), d, &state[c][at]);
  }
  hn::Store(hn::IfThenElse(hit, one, alpha), d, &state[3][at]);
}

template <BrickType kType>
std::uint64_t Marcher<kType>::run(RayTile& tile, int x0, int y0, int x1, int y1) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint64_t samples = 0;
  const int left = x0 - x0 % static_cast<int>(lanes);
  for (int y = y0; y < y1; ++y)
    for (int x = left; x < x1; x += static_cast<int>(lanes)) {
      const std::size_t at = static_cast<std::size_t>(y * kTileSide + x);
      Packet whole;
      bool any = false;
      for (std::size_t l = 0; l < lanes; ++l) {
        const double first = tile.first[at + l], count = tile.end[at + l];
        double from = first, to = count, entry = first - 0.5, exit = count - 0.5;
        for (std::size_t a = 0; a < 3; ++a) {
          const double start = tile.start[a][at + l], inverse = tile.inverse[a][at + l];
          const double p = (m_brick.low[a] - start) * inverse, r = (m_brick.high[a] - start) * inverse;
          const double near = p < r ? p : r, far = p < r ? r : p;
          entry = near > entry ? near : entry;
          exit = far < exit ? far : exit;
        }
        // the next whole number after the entry: the same for the bricks on both sides
        from = std::ceil(entry);
        to = std::ceil(exit);
        from = from > first ? from : first;
        to = exit >= count - 0.5 ? count : to;
        whole.from[l] = from;
        whole.to[l] = to;
        const double begin = first + 0.5 - static_cast<double>(tile.firstWeight[at + l]);
        whole.entry[l] = entry > begin ? entry : begin;
        const double end = count - 1.5 + static_cast<double>(tile.lastWeight[at + l]);
        whole.exit[l] = exit < end ? exit : end;
        any = any || from < to || (whole.entry[l] < whole.exit[l] && m_job.mode == Mode::Isosurface);
      }
      if (!any) continue;
      packet(tile, at, whole, samples);
    }
  return samples;
}

std::uint64_t marchHere(const MarchJob& job, const MarchBrick& brick, RayTile& tile, int x0, int y0, int x1,
                        int y1) {
  switch (brick.brick->format().type) {
    case BrickType::U8:
      return Marcher<BrickType::U8>(job, brick).run(tile, x0, y0, x1, y1);
    case BrickType::U16:
      return Marcher<BrickType::U16>(job, brick).run(tile, x0, y0, x1, y1);
    case BrickType::F32:
      break;
  }
  return Marcher<BrickType::F32>(job, brick).run(tile, x0, y0, x1, y1);
}

const char* targetHere() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace HWY_NAMESPACE
}  // namespace farfield::volume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace farfield::volume {

HWY_EXPORT(marchHere);
HWY_EXPORT(targetHere);

std::uint64_t march(const MarchJob& job, const MarchBrick& brick, RayTile& tile, int x0, int y0, int x1,
                    int y1) {
  return HWY_DYNAMIC_DISPATCH(marchHere)(job, brick, tile, x0, y0, x1, y1);
}

const char* marchTarget() {
  return HWY_DYNAMIC_DISPATCH(targetHere)();
}

void marchNarrow(bool narrow) {
  hwy::SetSupportedTargetsForTest(narrow ? HWY_SSE4 : 0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace farfield::volume
#endif
