// The gradients of field_group.h.

#include <algorithm>

#include "core/fields/groups/field_group.h"

namespace farfield::fields {
namespace {

/// The gradient g with g . places[n] = fields[n] (Cramer's rule).
Vec3 gradientFrom(const std::array<double, 3>& fields, const std::array<Vec3, 3>& places) {
  const Vec3 u = cross(places[1], places[2]), v = cross(places[2], places[0]),
             w = cross(places[0], places[1]);
  return (1 / dot(places[0], u)) * (fields[0] * u + fields[1] * v + fields[2] * w);
}

}  // namespace

void FieldGroup::findInner() {
  for (std::size_t row = 0; row < m_usable.size(); ++row) {
    const std::size_t j = row % kRows, k = row / kRows;
    const auto both = [&](bool inside, std::size_t stride) -> std::uint32_t {
      return inside ? m_usable[row - stride] & m_usable[row + stride] : 0U;
    };
    const std::uint32_t i = static_cast<std::uint32_t>(m_usable[row]) << 1 & m_usable[row] >> 1;
    const std::array<std::uint32_t, 3> has{i, both(j > 0 && j + 1 < kRows, 1),
                                           both(k > 0 && k + 1 < kRows, kRows)};
    for (std::size_t axis = 0; axis < 3; ++axis)
      m_inner[axis][row] = static_cast<std::uint16_t>(has[(axis + 1) % 3] & has[(axis + 2) % 3]);
  }
}

/// The change per node of the field and of the position along an axis. False if neither neighbour is known.
bool FieldGroup::differenceAt(std::size_t node, std::size_t stride, double& field, Vec3& place) const {
  const bool before = isUsable(node - stride), behind = isUsable(node + stride);
  if (!before && !behind) return false;
  const std::size_t from = before ? node - stride : node, to = behind ? node + stride : node;
  const double scale = before && behind ? 0.5 : 1;
  field = scale * (m_field[to] - m_field[from]);
  place = scale * (point(to) - point(from));
  return true;
}

Vec3 FieldGroup::gradient(std::size_t a, std::size_t b, double share) const {
  const std::size_t low = std::min(a, b), along = std::max(a, b) - low;
  std::array<double, 3> fields{};
  std::array<Vec3, 3> places{};
  std::size_t axis = along == 1 ? 0 : along == kRows ? 1 : 2;
  const GroupPlace place(static_cast<unsigned>(low % kRows), static_cast<unsigned>(low / kRows % kRows),
                         static_cast<unsigned>(low / (kRows * kRows)));
  if (areInner(place, axis)) {
    if (isRegular())
      return axis == 0   ? regularGradient<0>(place, a, b, share)
             : axis == 1 ? regularGradient<1>(place, a, b, share)
                         : regularGradient<2>(place, a, b, share);
    fields[axis] = m_field[low + along] - m_field[low];
    places[axis] = point(low + along) - point(low);
    for (const std::size_t across : {(axis + 1) % 3, (axis + 2) % 3}) {
      const std::size_t stride = kStrides[across];
      const double atA = 0.5 * (m_field[a + stride] - m_field[a - stride]),
                   atB = 0.5 * (m_field[b + stride] - m_field[b - stride]);
      const Vec3 placeA = 0.5 * (point(a + stride) - point(a - stride)),
                 placeB = 0.5 * (point(b + stride) - point(b - stride));
      fields[across] = atA + share * (atB - atA);
      places[across] = placeA + share * (placeB - placeA);
    }
    return gradientFrom(fields, places);
  }
  axis = 0;
  for (const std::size_t stride : kStrides) {
    double& field = fields[axis];
    Vec3& change = places[axis++];
    if (stride == along) {
      field = m_field[low + along] - m_field[low];
      change = point(low + along) - point(low);
      continue;
    }
    double fieldB = 0;
    Vec3 placeB;
    const bool atA = differenceAt(a, stride, field, change), atB = differenceAt(b, stride, fieldB, placeB);
    if (atA && atB) {
      field += share * (fieldB - field);
      change = change + share * (placeB - change);
    } else if (atB) {
      field = fieldB;
      change = placeB;
    }
  }
  return gradientFrom(fields, places);
}

bool FieldGroup::isLeftHanded(const GroupCell& cell) const {
  if (isRegular()) return m_regularIsLeft;
  std::array<Vec3, 3> axes{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t corner = 0; corner < 8; ++corner) {
      const Vec3 at = point(cell.nodes[corner]);
      axes[axis] = (corner >> axis & 1) != 0 ? axes[axis] + at : axes[axis] - at;
    }
  return dot(axes[0], cross(axes[1], axes[2])) < 0;
}

}  // namespace farfield::fields
