#pragma once
// Simulates how a picture looks to people with a colour vision deficiency, to check it before it is
// published.

#include <array>
#include <cstdint>
#include <span>

namespace farfield::color {

enum class Vision { Usual, Protanopia, Deuteranopia, Tritanopia, Achromatopsia };

/// Colours as seen with `vision`, at full severity. Matrices in linear RGB of G. Machado, M. Oliveira, L.
/// Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE TVCG 15(6), 2009,
/// table 1; achromatopsia keeps only the luminance of sRGB. Cheap to make; thread-safe.
class VisionFilter {
 public:
  explicit VisionFilter(Vision vision);
  /// Red, green, blue; sRGB.
  std::array<std::uint8_t, 3> operator()(std::array<std::uint8_t, 3> color) const;
  /// In place: pixels 0xAARRGGBB, alpha is kept. Of premultiplied pixels only opaque ones come out right.
  void apply(std::span<std::uint32_t> pixels) const;

 private:
  std::uint32_t seen(std::uint32_t rgb) const;

  bool m_changes;
  std::array<std::array<int, 3>, 3> m_matrix{};  ///< in 65,536ths
};

}  // namespace farfield::color
