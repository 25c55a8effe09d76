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

void Image::blendAtop(int x, int y, const scene::Rgba& color, float coverage) {
  if (x < 0 || y < 0 || x >= m_width || y >= m_height) return;
  const std::uint8_t alpha = pixel(x, y)[3];
  if (alpha == 0) return;
  pixel(x, y)[3] = 255;  // colours are mixed as they are where nothing shows through
  blend(x, y, color, coverage);
  pixel(x, y)[3] = alpha;
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

void Image::line(std::array<double, 2> from, std::array<double, 2> to, double width,
                 const scene::Rgba& color) {
  const double dx = to[0] - from[0], dy = to[1] - from[1], size = std::hypot(dx, dy);
  if (!(size > 0) || !std::isfinite(size) || !(width > 0)) return;
  // Pixel by pixel along the axis that it is longest on, and across that as wide as it is there.
  const bool flat = std::abs(dx) >= std::abs(dy);
  const std::size_t along = flat ? 0 : 1, across = 1 - along;
  const double least = std::min(from[along], to[along]), greatest = std::max(from[along], to[along]);
  const double end = flat ? m_width : m_height, side = flat ? m_height : m_width;
  const double slope = (to[across] - from[across]) / (to[along] - from[along]);
  const double reach = (0.5 * width + 1) * size / std::abs(flat ? dx : dy);
  // Deep in data its ends may be farther away than whole numbers reach.
  const double first = std::max(0.0, std::floor(least - width));
  const double behind = std::min(end, std::ceil(greatest + width));
  if (!(first < behind)) return;
  for (auto a = static_cast<int>(first); a < behind; ++a) {
    const double middle = from[across] + slope * (a + 0.5 - from[along]);
    const double lowest = std::max(0.0, std::floor(middle - reach));
    const double highest = std::min(side - 1, middle + reach);
    if (!(lowest <= highest)) continue;
    for (auto c = static_cast<int>(lowest); c <= highest; ++c) {
      const double x = flat ? a + 0.5 : c + 0.5, y = flat ? c + 0.5 : a + 0.5;
      const double t = std::clamp(((x - from[0]) * dx + (y - from[1]) * dy) / (size * size), 0.0, 1.0);
      const double distance = std::hypot(x - from[0] - t * dx, y - from[1] - t * dy);
      const double covered = std::clamp(0.5 * width + 0.5 - distance, 0.0, 1.0);
      if (covered > 0) blend(flat ? a : c, flat ? c : a, color, static_cast<float>(std::min(covered, width)));
    }
  }
}

}  // namespace farfield::color
