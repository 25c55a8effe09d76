#pragma once
// A picture in memory, and drawing labels onto it. Independent of any toolkit, for batch programs.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::color {

/// Rows from top to bottom, pixels from left to right, 4 bytes each: red, green, blue, alpha (not
/// premultiplied), sRGB. Not thread-safe.
class Image {
 public:
  /// The most pixels along a side, and in all; 256 MiB.
  static constexpr int kMaxSide = 16384;
  static constexpr std::int64_t kMaxPixels = std::int64_t{1} << 26;

  Image() = default;
  /// All pixels transparent black. Throws Invalid for a size that is not positive or too large.
  Image(int width, int height);

  int width() const { return m_width; }
  int height() const { return m_height; }
  bool empty() const { return m_pixels.empty(); }
  std::span<std::uint8_t> bytes() { return m_pixels; }
  std::span<const std::uint8_t> bytes() const { return m_pixels; }
  std::uint8_t* pixel(int x, int y) { return &m_pixels[4 * (std::size_t(y) * m_width + x)]; }
  const std::uint8_t* pixel(int x, int y) const { return &m_pixels[4 * (std::size_t(y) * m_width + x)]; }
  bool operator==(const Image&) const = default;

  /// Blends `color` over one pixel, its alpha times `coverage` (0 ... 1). Does nothing outside of the
  /// picture.
  void blend(int x, int y, const scene::Rgba& color, float coverage = 1);
  /// The same as far as something is there already: what is transparent stays so.
  void blendAtop(int x, int y, const scene::Rgba& color, float coverage = 1);
  /// Blends `color` over a rectangle; edges between pixels cover them partly.
  void fill(double left, double top, double right, double bottom, const scene::Rgba& color);
  /// Blends a line of `width` over the picture, from and to places in pixels, with smooth edges.
  void line(std::array<double, 2> from, std::array<double, 2> to, double width, const scene::Rgba& color);

 private:
  int m_width = 0, m_height = 0;
  std::vector<std::uint8_t> m_pixels;
};

}  // namespace farfield::color
