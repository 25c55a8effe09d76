#pragma once
// The colour and opacity of a value: the colour from a colour scale, the opacity piecewise linear between
// points and given per length. Casters of every engine use the same table, made once for a step length.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::volume {

using scene::OpacityPoint;

/// Opacity is linear in the value between points, and constant beyond the first and the last.
struct TransferFunction {
  scene::ColorScale color;
  std::vector<OpacityPoint> opacity;  ///< at least one; values ascending, equal ones are a step
  double unit = 1;                    ///< length to which the opacities refer; > 0
};

/// Throws Invalid: no points, points out of order or not finite, opacities outside 0 … 1, a unit that is not
/// above 0, or an invalid colour scale.
void checkTransfer(const TransferFunction& transfer);
/// Opacity for the unit length.
double opacityAt(const TransferFunction& transfer, double value);
/// The colour that `scale` gives `value`, as TransferTable::color() has it: for values of which a table need not know, as it covers those
/// that have an opacity. The scale must be valid.
std::uint32_t packedColor(const scene::ColorScale& scale, double value);

/// Immutable; thread-safe. The place of value v is (v - low()) scale(), its entry round(place), clamped to the table. Where shift() is above
/// 0, as with a logarithmic scale or where opacity changes within a few even entries, the bits of the place as a float, clamped to lowest() …
/// highest(), less lowest(), are its way through the table, which is nearly even in the logarithm: way >> shift() is its cell, and the entry,
/// or, where there are cells(), c being that of the cell, (c >> 5) + (the way within the cell >> (c & 31)).
class TransferTable {
 public:
  /// Opacities for a ray of `length` through a value: 1 - (1 - a)^(length / unit) (Lambert and Beer).
  /// `length` not above 0: the opacities unchanged. The function must be accepted by checkTransfer().
  TransferTable(const TransferFunction& transfer, double length);

  int entries() const { return static_cast<int>(m_alpha.size()); }
  double low() const { return m_low; }
  double scale() const { return m_scale; }
  int shift() const { return m_shift; }
  std::int32_t lowest() const { return m_lowest; }
  std::int32_t highest() const { return m_highest; }
  std::span<const std::uint32_t> cells() const { return m_cells; }
  /// 0 … 1, one per entry.
  std::span<const float> alpha() const { return m_alpha; }
  /// Blue in the lowest ten bits, then green, then red: 0 … 1023 is 0 … 1, sRGB.
  std::span<const std::uint32_t> color() const { return m_color; }
  /// Whether any value of low … high, with a rounding error, has an opacity above 0.
  bool isSeen(double low, double high) const;
  /// Opacity never decreases with the value.
  bool isRising() const { return m_rising; }
  int entryOf(double value) const;

 private:
  std::vector<double> evenValues(double low, double high, bool many);
  std::vector<double> valuesByBits(double origin, double low, double high);
  double valueOf(std::int32_t bits) const;
  void divideNarrow(const TransferFunction& transfer, std::vector<double>& values);

  double m_low = 0, m_scale = 1;
  int m_shift = 0;
  std::int32_t m_lowest = 0, m_highest = 0;
  std::vector<std::uint32_t> m_cells;
  std::vector<float> m_alpha;
  std::vector<std::uint32_t> m_color;
  std::vector<std::int32_t> m_seenBefore;  ///< number of entries with an opacity before each
  bool m_rising = true;
};

/// Opacity points that show something at first sight for values min … max: nothing of the lower part, more
/// and more of the upper, so that the whole volume of `crossing` unit lengths is about half opaque.
/// `histogram` (may be empty) counts values in equal intervals of min … max: the most frequent ones, a
/// background, become transparent, or `border`, the value that the volume has all around, where that is far from them. Where the
/// background lies in the middle, such as 0 of what has both signs, both sides of it are seen. `nearlyAll`: where one of the intervals has
/// nearly all values, how they lie within it; these are seen where next to nothing would be of the others.
std::vector<OpacityPoint> automaticOpacity(double min, double max, std::span<const std::uint64_t> histogram,
                                           double crossing, std::optional<double> border = {},
                                           const scene::VolumeHistogram* nearlyAll = nullptr);

}  // namespace farfield::volume
