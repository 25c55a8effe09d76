#pragma once
// Where in a band there may be more transparent things behind the layers that were drawn. The deepest place of a picture has many layers, most
// have few, and all that is drawn once more for each of them takes its time: what lies in tiles that are done is not.

#include <cstdint>
#include <span>
#include <vector>

namespace farfield::egl {

/// Tiles of kSide pixels each way, of a band whose lowest row comes first.
class OpenTiles {
 public:
  static constexpr int kSide = 16;

  /// `open` has four bytes for each pixel, the first of which is not 0 where the layer that was drawn last has something.
  OpenTiles(std::span<const std::uint8_t> open, int width, int rows);
  /// Whether any tile is that has pixels with these numbers, both ends included; parts outside of the band count as those next to them.
  bool any(double left, double low, double right, double high) const;

 private:
  std::uint32_t sumTo(int column, int row) const {
    return m_sums[static_cast<std::size_t>(row) * static_cast<std::size_t>(m_across + 1) +
                  static_cast<std::size_t>(column)];
  }
  int m_across, m_down;
  std::vector<std::uint32_t> m_sums;  ///< of open tiles below and to the left of each corner
};

}  // namespace farfield::egl
