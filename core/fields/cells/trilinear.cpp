#include "core/fields/cells/trilinear.h"

#include <algorithm>

namespace farfield::fields {

TrilinearMap::TrilinearMap(const TrilinearVector& position, const CellCorners& p) : m_position(position) {
  // as Bounds::add(), without branches: which of eight corners is the outermost cannot be predicted
  for (const Vec3& c : p) {
    m_bounds.min = {std::min(m_bounds.min.x, c.x), std::min(m_bounds.min.y, c.y),
                    std::min(m_bounds.min.z, c.z)};
    m_bounds.max = {std::max(m_bounds.max.x, c.x), std::max(m_bounds.max.y, c.y),
                    std::max(m_bounds.max.z, c.z)};
  }
  const double largest =
      std::max({std::abs(m_bounds.min.x), std::abs(m_bounds.max.x), std::abs(m_bounds.min.y),
                std::abs(m_bounds.max.y), std::abs(m_bounds.min.z), std::abs(m_bounds.max.z)});
  m_tolerance = 1e-12 * m_bounds.diagonal() + 8 * std::numeric_limits<double>::epsilon() * largest;
  m_squaredTolerance = m_tolerance * m_tolerance;
  // A step s of Newton's method leaves xy' sx sy + yz' sy sz + zx' sz sx + xyz sx sy sz, where xy' is xy + z
  // xyz, and so on; a product of two of the s is at most half of |s|^2.
  constexpr double kMostCoordinates = 3 * (kFarOutside + 0.5) + 1;
  m_bend = 0.5 * (length(m_position.xy) + length(m_position.yz) + length(m_position.zx) +
                  kMostCoordinates * length(m_position.xyz));
}

}  // namespace farfield::fields
