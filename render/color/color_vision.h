#pragma once
// How a picture looks to people who see colours differently: to find out, before it is published, whether
// it still tells them what it should.

#include <array>
#include <cstdint>
#include <span>

namespace farfield::color {

enum class Vision { Usual, Protanopia, Deuteranopia, Tritanopia, Achromatopsia };

/// Colours as they look to `vision`, of full severity. Matrices in linear RGB of G. Machado, M. Oliveira,
/// L. Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE TVCG 15(6),
/// 2009, table 1; achromatopsia leaves the luminance of sRGB. Cheap to make; thread-safe.
class VisionFilter {
 public:
  explicit VisionFilter(Vision vision);
  /// Red, green, blue; sRGB.
  std::array<std::uint8_t, 3> operator()(std::array<std::uint8_t, 3> color) const;
  /// In place: pixels 0xAARRGGBB, alpha is kept. For premultiplied pixels, opaque ones alone come out right.
  void apply(std::span<std::uint32_t> pixels) const;

 private:
  std::uint32_t seen(std::uint32_t rgb) const;

  bool m_changes;
  std::array<std::array<int, 3>, 3> m_matrix{};  ///< in 65,536ths
};

}  // namespace farfield::color
