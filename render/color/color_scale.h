#pragma once
// What a scene::ColorScale means: where a value lies on the colour map. One place for it, so that lines,
// surfaces, legends and volumes agree about logarithms, NaN and values outside of the range.

#include "core/scene/scene.h"

namespace farfield::color {

/// Throws Invalid for an unknown map, a range that is not finite or is reversed, and a logarithmic range
/// that does not begin above 0. min == max is allowed: every value then has the middle colour.
void checkScale(const scene::ColorScale& scale);

/// Places values on a map. A copy of the few numbers that it needs: cheap, thread-safe.
class Normalizer {
 public:
  /// Of a scale that checkScale() accepts.
  explicit Normalizer(const scene::ColorScale& scale);
  /// 0 at min, 1 at max, linear between (in the logarithm where the scale is logarithmic) and beyond.
  /// NaN for NaN, and for values that have no logarithm.
  double operator()(double value) const;

 private:
  bool m_logarithmic;
  double m_offset, m_factor;
};

/// The colour of one value, NaN included; alpha 1 for all but nanColor.
scene::Rgba colorOf(const scene::ColorScale& scale, double value);

}  // namespace farfield::color
