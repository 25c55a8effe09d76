#pragma once
// An optional part of a BoxReader whose data come in pieces that are costly to decode: reads widely spaced nodes, each
// piece once. Row by row, a piece would be decoded again for each row that crosses it.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace farfield::paging {

/// Nodes in every combination of those of the three axes, each ascending without repetition.
using Lattice = std::array<std::vector<std::int64_t>, 3>;

class LatticeReader {
 public:
  /// As BoxReader::read: `out` has the nodes of `lattice`, i fastest. Thread-safe. Waits. Throws Io, Corrupt.
  virtual void readLattice(std::uint32_t array, std::int64_t step, const Lattice& lattice,
                           std::span<std::byte> out) const = 0;

 protected:
  ~LatticeReader() = default;
};

}  // namespace farfield::paging
