#pragma once
// What a value looks like: its colour from a colour scale, its opacity piecewise linear between points and given
// per length. Casters of every engine look values up in the same table, made once for a step length.

#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::volume {

using scene::OpacityPoint;

/// Between points opacity is linear in the value, beyond the first and the last as there.
struct TransferFunction {
  scene::ColorScale color;
  std::vector<OpacityPoint> opacity;  ///< at least one; values ascending, equal ones are a step
  double unit = 1;                    ///< length for which the opacities hold; > 0
};

/// Throws Invalid: no points, points out of order or not finite, opacities outside 0 … 1, a unit that is not above
/// 0, or a colour scale that makes no sense.
void checkTransfer(const TransferFunction& transfer);
/// Opacity for the unit length.
double opacityAt(const TransferFunction& transfer, double value);

/// Immutable; thread-safe. Value v has entry round((v - low()) scale()), cut to the table.
class TransferTable {
 public:
  /// Opacities for a ray of `length` through a value: 1 - (1 - a)^(length / unit) (Lambert and Beer). Not above 0:
  /// the opacities as they are. Of a function that checkTransfer() accepts.
  TransferTable(const TransferFunction& transfer, double length);

  int entries() const { return static_cast<int>(m_alpha.size()); }
  double low() const { return m_low; }
  double scale() const { return m_scale; }
  /// 0 … 1, one per entry.
  std::span<const float> alpha() const { return m_alpha; }
  /// Blue in the lowest ten bits, then green, then red: 0 … 1023 is 0 … 1, sRGB.
  std::span<const std::uint32_t> color() const { return m_color; }
  /// Whether any value of low … high, or a rounding error beside them, has an opacity above 0.
  bool isSeen(double low, double high) const;
  /// Opacity never falls with the value.
  bool isRising() const { return m_rising; }
  int entryOf(double value) const;

 private:
  double m_low = 0, m_scale = 1;
  std::vector<float> m_alpha;
  std::vector<std::uint32_t> m_color;
  std::vector<std::int32_t> m_seenBefore;  ///< entries with an opacity before each
  bool m_rising = true;
};

/// Opacity points that show something on first sight of values min … max: nothing of the lower part, more and
/// more of the upper, the whole volume of `crossing` unit lengths about half opaque. `histogram` (may be empty)
/// counts values in equal intervals of min … max: what is most frequent, a background, becomes transparent.
std::vector<OpacityPoint> automaticOpacity(double min, double max, std::span<const std::uint64_t> histogram,
                                           double crossing);

}  // namespace farfield::volume
