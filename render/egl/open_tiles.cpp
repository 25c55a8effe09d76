#include "render/egl/open_tiles.h"

#include <algorithm>
#include <cmath>

namespace farfield::egl {
namespace {

int tileOf(double pixel, int tiles) {
  return static_cast<int>(
      std::clamp(std::floor(pixel / OpenTiles::kSide), 0.0, static_cast<double>(tiles - 1)));
}

}  // namespace

OpenTiles::OpenTiles(std::span<const std::uint8_t> open, int width, int rows)
    : m_across((width - 1) / kSide + 1),
      m_down((rows - 1) / kSide + 1),
      m_sums(static_cast<std::size_t>(m_across + 1) * static_cast<std::size_t>(m_down + 1)) {
  const auto pixels = static_cast<std::size_t>(width);
  for (int row = 0; row < m_down; ++row)
    for (int column = 0; column < m_across; ++column) {
      bool isOpen = false;
      for (int y = row * kSide; y < std::min((row + 1) * kSide, rows) && !isOpen; ++y)
        for (int x = column * kSide; x < std::min((column + 1) * kSide, width) && !isOpen; ++x)
          isOpen = open[4 * (static_cast<std::size_t>(y) * pixels + static_cast<std::size_t>(x))] != 0;
      m_sums[static_cast<std::size_t>(row + 1) * static_cast<std::size_t>(m_across + 1) +
             static_cast<std::size_t>(column + 1)] =
          sumTo(column, row + 1) + sumTo(column + 1, row) - sumTo(column, row) + (isOpen ? 1 : 0);
    }
}

bool OpenTiles::any(double left, double low, double right, double high) const {
  const int from = tileOf(left, m_across), to = tileOf(right, m_across) + 1, bottom = tileOf(low, m_down),
            top = tileOf(high, m_down) + 1;
  return sumTo(to, top) + sumTo(from, bottom) != sumTo(from, top) + sumTo(to, bottom);
}

}  // namespace farfield::egl
