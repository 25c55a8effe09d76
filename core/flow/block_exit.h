#pragma once
// Where a curve leaves its block, narrowed down point by point, by how far each point is outside of the cell
// at the block's end, in cell coordinates (negative inside).

#include <limits>

#include "core/fields/paged/sampler.h"

namespace farfield::flow {

inline bool sameCell(const fields::Location& a, const fields::Location& b) {
  return a.block == b.block && a.cell == b.cell;
}

/// Points of a curve by parameter (time from its start): the first is inside the block, and one is beyond its
/// end. Each has its location, and how far it is outside of its cell (Sampler::outsideBy()).
class BlockExit {
 public:
  /// The curve is inside at 0, and outside at `beyond`, close to `location`.
  BlockExit(double beyond, const fields::Location& location, double outsideBy)
      : m_outside(beyond),
        m_last(beyond),
        m_lastOutsideBy(outsideBy),
        m_lastLocation(location),
        m_end(location) {}

  /// Adds a point of the curve.
  void add(double at, const fields::Location& location, double outsideBy, bool beyond) {
    if (sameCell(location, m_lastLocation)) {
      const double rate = (outsideBy - m_lastOutsideBy) / (at - m_last);
      if (rate > 0 && rate < std::numeric_limits<double>::infinity()) m_rate = rate;
    }
    (beyond ? m_outside : m_inside) = at;
    m_last = at;
    m_lastLocation = location;
    m_lastOutsideBy = outsideBy;
    if (beyond) m_end = location;
  }
  /// From here on the points are of another curve, close to the previous one.
  void restart(double beyond) {
    m_inside = 0;
    m_outside = beyond;
    m_lastLocation = {};
  }

  /// Distance from the last point to the end of the block; negative from beyond. Infinite until two points
  /// were in the cell there.
  double left() const {
    const bool known = m_rate > 0 && sameCell(m_lastLocation, m_end);
    return known ? -m_lastOutsideBy / m_rate : std::numeric_limits<double>::infinity();
  }
  /// The parameter of the next point to try, `before` the end of the block.
  double next(double before = 0) const {
    const double at = m_last + left() - before;
    return at > m_inside && at < m_outside ? at : 0.5 * (m_inside + m_outside);
  }
  /// The last point known to be inside, and the first known to be beyond.
  double inside() const { return m_inside; }
  double outside() const { return m_outside; }

 private:
  double m_inside = 0, m_outside;
  double m_last, m_lastOutsideBy;
  fields::Location m_lastLocation, m_end;
  double m_rate = 0;  ///< cells per time at which the curve goes out
};

}  // namespace farfield::flow
