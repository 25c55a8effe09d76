#pragma once
// A value between two steps of the data as a cubic of the time: it passes through the values at both, with the slopes there
// that the parabola through the step and its two neighbours has (Catmull and Rom, with steps that need not be equally
// long). At the first and the last step of a series it is a parabola, and where there are no other steps a straight line.
//
// The slope at a step is the same from either side, so the value is smooth in time. Where the time between steps is h, the error of the
// value is of third order in h; it changes its sign within the step, so that of a path is smaller still.

#include <cstdint>
#include <span>

namespace farfield::fields {

/// Made for the time from `step` to the next one, which exists.
class StepCurve {
 public:
  StepCurve() = default;
  StepCurve(std::span<const double> times, std::int64_t step)
      : m_hasBefore(step > 0), m_hasAfter(step + 2 < static_cast<std::int64_t>(times.size())) {
    const double* const now = times.data() + step;
    const double h = now[1] - now[0];
    if (m_hasBefore) m_before = h / (now[0] - now[-1]);
    if (m_hasAfter) m_after = h / (now[2] - now[1]);
  }

  bool hasBefore() const { return m_hasBefore; }
  bool hasAfter() const { return m_hasAfter; }

  /// Powers 0 … 3 of the share of the time that has passed, 0 … 1.
  struct Coefficients {
    double one, first, second, third;
    double at(double share) const { return one + share * (first + share * (second + share * third)); }
  };
  /// From the values at the step, the next one, the one before and the one after these; `before` and `after` count only where they
  /// are to be `used` and exist.
  Coefficients through(double now, double next, double before, double after, bool useBefore,
                       bool useAfter) const {
    const double rise = next - now;
    // slopes at both ends, per whole step
    const double begins = (m_before * m_before * (now - before) + rise) / (1 + m_before);
    const double ends = (m_after * m_after * (after - next) + rise) / (1 + m_after);
    const bool hasBegin = useBefore && m_hasBefore, hasEnd = useAfter && m_hasAfter;
    // a parabola has twice the rise as the sum of its slopes
    const double first = hasBegin ? begins : hasEnd ? 2 * rise - ends : rise;
    const double last = hasEnd ? ends : hasBegin ? 2 * rise - begins : rise;
    return {now, first, 3 * rise - 2 * first - last, first + last - 2 * rise};
  }

 private:
  bool m_hasBefore = false, m_hasAfter = false;
  double m_before = 0, m_after = 0;  ///< the step's length, of that of the step before and of the one after
};

}  // namespace farfield::fields
