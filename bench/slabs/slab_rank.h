#pragma once
// A rank of a renderer that has all slabs of a volume, or its share of them, for benchmarks of how reading and rendering follow
// each other.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/benchmark.h"
#include "remote/slabd/slab_painter.h"

namespace farfield::bench {

constexpr std::uint32_t kSlabsOfRank = 8;

/// What is rendered, and which rank of how many it is.
struct SlabShare {
  std::string by = "velocity-x";
  int pixels = 512;
  std::uint32_t rank = 0, ranks = 1;
};

/// Not thread-safe.
class SlabRank {
 public:
  /// `data` outlive it.
  SlabRank(const Request& request, const fields::OpenData& data, std::int64_t steps,
           const SlabShare& share = {});
  // Seconds that they took.
  double load(std::int64_t step);
  double render(std::int64_t step);
  /// All steps, the next read while one is rendered.
  double overlapped();
  /// Of all pixels.
  std::uint64_t sum() const { return m_sum; }
  std::uint64_t peakBytes() const { return m_account.peakBytes(); }
  remote::SlabPainter& painter() { return m_painter; }
  const remote::ShowRequest& show() const { return m_show; }
  MemoryAccount& account() { return m_account; }
  remote::SlabPainter::Load loading(std::int64_t step);

 private:
  const std::int64_t m_steps;
  MemoryAccount m_account;
  remote::SlabPainter m_painter;
  remote::ShowRequest m_show;
  std::vector<std::array<double, 2>> m_parts;
  std::uint64_t m_sum = 0;
};

}  // namespace farfield::bench
