#pragma once
// The meaning of a scene::ColorScale: where a value lies on the colour map. Shared by lines, surfaces,
// legends and volumes, so that they agree about logarithms, NaN and values outside of the range.

#include "core/scene/scene.h"

namespace farfield::color {

/// Throws Invalid for an unknown map, a range that is not finite or is reversed, and a logarithmic range
/// that does not begin above 0. min == max is allowed: every value then has the middle colour.
void checkScale(const scene::ColorScale& scale);

/// Maps values to positions on a map. Copies the few numbers that it needs: cheap, thread-safe.
class Normalizer {
 public:
  /// `scale` must be accepted by checkScale().
  explicit Normalizer(const scene::ColorScale& scale);
  /// 0 at min, 1 at max, linear between and beyond (in the logarithm if the scale is logarithmic). NaN for
  /// NaN; values without a logarithm lie infinitely far below.
  double operator()(double value) const;

 private:
  bool m_logarithmic;
  double m_offset, m_factor;
};

}  // namespace farfield::color
