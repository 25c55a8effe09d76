#pragma once
// How a volume is divided among ranks: slabs of one thickness, and whole runs of them to each rank, so that by what they cost
// before all take about equally long.

#include <array>
#include <cstdint>
#include <vector>

#include "remote/slabs/slab_messages.h"

namespace farfield::remote {

/// Not thread-safe.
class SlabCosts {
 public:
  explicit SlabCosts(const VolumeFacts& facts) : m_facts(facts) {
    for (auto& axis : m_seconds) axis.fill(1);
  }
  /// A part between two coordinates along an axis took so long.
  void note(int axis, double low, double high, double seconds);
  /// `count` slabs along `axis` for these ranks, in their order.
  Planned slabs(int axis, std::uint32_t count, const std::vector<std::uint32_t>& ranks) const;
  /// One part for each rank.
  Planned parts(int axis, const std::vector<std::uint32_t>& ranks) const;

 private:
  static constexpr std::size_t kBins = 128;
  /// A plane of nodes at about that fraction of the axis, for one of so many parts.
  double edgeAt(int axis, double fraction, std::size_t parts) const;
  double costBetween(int axis, double low, double high) const;

  const VolumeFacts m_facts;
  std::array<std::array<double, kBins>, 3> m_seconds;  ///< by axis and place along it
};

}  // namespace farfield::remote
