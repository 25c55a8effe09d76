#pragma once
// What casters of every engine derive from a picture's look before the first ray: the transfer table, the
// parameters of the march, which values are visible, and how a ray's state becomes a pixel.

#include <array>
#include <cstdint>
#include <span>

#include "core/paging/store/page_summary.h"
#include "render/volume/caster.h"

namespace farfield::volume {

/// Immutable; thread-safe. The job's look and scale are copied, its camera is not kept.
class CastLook {
 public:
  /// Throws Invalid for an impossible look.
  CastLook(const BrickGrid& grid, const BrickFormat& format, const CastJob& job);
  CastLook(const CastLook&) = delete;
  CastLook& operator=(const CastLook&) = delete;

  const TransferTable& table() const { return m_table; }
  /// Includes table().
  const MarchJob& march() const { return m_march; }
  /// Whether any value in the range is visible.
  bool isSeen(const paging::ValueRange& range) const;
  /// Which groups are visible, by their ranges of raw values.
  std::uint64_t groupsSeen(const std::array<float, kGroups>& low,
                           const std::array<float, kGroups>& high) const;
  /// State of a ray that has met nothing.
  std::array<float, 4> emptyState() const;
  /// The pixel (red, green, blue times alpha; alpha) of a ray with `state` (ray_tile.h).
  void pixelOf(const std::array<float, 4>& state, std::span<float, 4> out) const;

 private:
  BrickFormat m_format;
  scene::VolumeLook m_look;
  TransferFunction m_transfer;
  TransferTable m_table;
  MarchJob m_march;
};

/// Factors for gradients: from differences over two nodes to per length, along each axis.
std::array<float, 3> gradientScale(const BrickGrid& grid, const BrickFormat& format);

}  // namespace farfield::volume
