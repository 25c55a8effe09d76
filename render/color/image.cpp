#include "render/color/image.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"

namespace farfield::color {

Image::Image(int width, int height) : m_width(width), m_height(height) {
  if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide ||
      std::int64_t{width} * height > kMaxPixels)
    throw Invalid(
        "a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels cannot be made",
        "sides go from 1 to 16384, and there may be 64 million pixels");
  m_pixels.resize(std::size_t(4) * width * height);
}

void Image::blend(int x, int y, const scene::Rgba& color, float coverage) {
  if (x < 0 || y < 0 || x >= m_width || y >= m_height) return;
  const float over = std::clamp(color[3] * coverage, 0.0f, 1.0f);
  if (over <= 0) return;
  std::uint8_t* const p = pixel(x, y);
  const float under = p[3] / 255.0f * (1 - over), alpha = over + under;
  for (int c = 0; c < 3; ++c) {
    const float mixed = (over * std::clamp(color[c], 0.0f, 1.0f) + under * (p[c] / 255.0f)) / alpha;
    p[c] = static_cast<std::uint8_t>(std::lround(255 * mixed));
  }
  p[3] = static_cast<std::uint8_t>(std::lround(255 * alpha));
}

void Image::fill(double left, double top, double right, double bottom, const scene::Rgba& color) {
  left = std::max(left, 0.0), top = std::max(top, 0.0);
  right = std::min(right, double(m_width)), bottom = std::min(bottom, double(m_height));
  if (!(left < right && top < bottom)) return;
  const auto covered = [](int at, double from, double to) {
    return std::min(at + 1.0, to) - std::max(double(at), from);
  };
  for (int y = static_cast<int>(top); y < std::ceil(bottom); ++y)
    for (int x = static_cast<int>(left); x < std::ceil(right); ++x)
      blend(x, y, color, static_cast<float>(covered(x, left, right) * covered(y, top, bottom)));
}

}  // namespace farfield::color
