#pragma once
// Reads the arrays of a BoxReader from the first node to the last in slabs of bounded size: for writing files
// whose nodes are stored in order.

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/paging/pages/box_reader.h"

namespace farfield::paging {

struct SlabOptions {
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress =
      {};  ///< nodes of all arrays and steps
};

/// Not thread-safe. The reader outlives it.
class BoxSlabs {
 public:
  BoxSlabs(const BoxReader& reader, const SlabOptions& options);

  using Use = std::function<void(const IndexBox& box, std::span<const std::byte> nodes)>;
  /// Calls `use` for each slab (whole rows, i fastest) of array `number` at `step`. Throws Cancelled, and
  /// what the reader and `use` throw.
  void forEach(std::uint32_t number, std::int64_t step, const Use& use);
  /// Nodes of `array` as doubles; valid until the next call.
  std::span<const double> toDoubles(const ArrayDescription& array, std::span<const std::byte> nodes);

 private:
  const BoxReader& m_reader;
  SlabOptions m_options;
  std::vector<std::byte> m_bytes;
  std::vector<double> m_doubles;
  std::uint64_t m_done = 0, m_total = 0;
};

}  // namespace farfield::paging
