#include "render/color/color_vision.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace farfield::color {
namespace {

constexpr double kMatrices[4][3][3] = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
    {{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}}};

/// Linear light in 4,095ths: fine enough for the darkest of the 256 steps to differ.
constexpr int kMostLight = 4095;

const std::array<int, 256>& lightTable() {
  static const std::array<int, 256> table = [] {
    std::array<int, 256> made{};
    for (int i = 0; i < 256; ++i) {
      const double v = i / 255.0;
      const double light = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
      made[static_cast<std::size_t>(i)] = static_cast<int>(std::lround(light * kMostLight));
    }
    return made;
  }();
  return table;
}

const std::vector<std::uint8_t>& byteTable() {
  static const std::vector<std::uint8_t> table = [] {
    std::vector<std::uint8_t> made(kMostLight + 1);
    for (int i = 0; i <= kMostLight; ++i) {
      const double light = static_cast<double>(i) / kMostLight;
      const double v = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
      made[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::lround(255 * v));
    }
    return made;
  }();
  return table;
}

}  // namespace

VisionFilter::VisionFilter(Vision vision) : m_changes(vision != Vision::Usual) {
  if (!m_changes) return;
  const auto& matrix = kMatrices[static_cast<int>(vision) - 1];
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      m_matrix[row][column] = static_cast<int>(std::lround(65536 * matrix[row][column]));
}

std::uint32_t VisionFilter::seen(std::uint32_t rgb) const {
  const auto& lights = lightTable();
  const auto& bytes = byteTable();
  const int light[3] = {lights[rgb >> 16 & 255], lights[rgb >> 8 & 255], lights[rgb & 255]};
  std::uint32_t out = rgb & 0xFF000000u;
  for (std::size_t row = 0; row < 3; ++row) {
    const auto& m = m_matrix[row];
    const int sum = (m[0] * light[0] + m[1] * light[1] + m[2] * light[2] + 32768) >> 16;
    out |= static_cast<std::uint32_t>(bytes[static_cast<std::size_t>(std::clamp(sum, 0, kMostLight))])
           << (16 - 8 * row);
  }
  return out;
}

std::array<std::uint8_t, 3> VisionFilter::operator()(std::array<std::uint8_t, 3> color) const {
  if (!m_changes) return color;
  const std::uint32_t out = seen(static_cast<std::uint32_t>(color[0] << 16 | color[1] << 8 | color[2]));
  return {static_cast<std::uint8_t>(out >> 16), static_cast<std::uint8_t>(out >> 8),
          static_cast<std::uint8_t>(out)};
}

void VisionFilter::apply(std::span<std::uint32_t> pixels) const {
  if (!m_changes) return;
  // neighbouring pixels are often equal
  std::uint32_t lastIn = 0xFF000000u, lastOut = seen(lastIn);
  for (std::uint32_t& pixel : pixels) {
    if (pixel != lastIn) {
      lastIn = pixel;
      lastOut = seen(pixel);
    }
    pixel = lastOut;
  }
}

}  // namespace farfield::color
