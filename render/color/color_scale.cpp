#include "render/color/color_scale.h"

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "render/color/color_map.h"

namespace farfield::color {

void checkScale(const scene::ColorScale& scale) {
  ColorMap::of(scale.map);
  if (!std::isfinite(scale.min) || !std::isfinite(scale.max) || scale.min > scale.max)
    throw Invalid("the range of colours must be two finite numbers, the smaller first").at(scale.title);
  if (scale.logarithmic && !(scale.min > 0))
    throw Invalid("a logarithmic range of colours must begin above 0", "set a range or use a linear one")
        .at(scale.title);
}

Normalizer::Normalizer(const scene::ColorScale& scale) : m_logarithmic(scale.logarithmic) {
  const double low = m_logarithmic ? std::log(scale.min) : scale.min;
  const double high = m_logarithmic ? std::log(scale.max) : scale.max;
  // halves first: the difference of two huge finite numbers may not be finite
  const double halfSpan = 0.5 * high - 0.5 * low;
  m_factor = halfSpan > 0 ? 0.5 / halfSpan : 0;
  m_offset = low;
}

double Normalizer::operator()(double value) const {
  if (m_logarithmic)
    value = value > 0 ? std::log(value) : value <= 0 ? -std::numeric_limits<double>::infinity() : value;
  if (std::isnan(value)) return value;
  if (m_factor == 0) return 0.5;
  return std::isinf(m_factor) ? (value > m_offset ? 1.0 : 0.0) : (value - m_offset) * m_factor;
}

}  // namespace farfield::color
