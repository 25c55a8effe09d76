#pragma once
// The first numbers of a PLOT3D file, read under one guess at its format. Nothing is believed: each number is
// held against the size of the file before it is used, so a hostile head costs a few small reads.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "plugins/plot3d/plot3d_format.h"

namespace farfield::plot3d {

/// Small integers anywhere in a file, in one byte order; nothing past the end.
class Probe {
 public:
  Probe(const File& file, ByteOrder order) : m_file(&file), m_size(file.size()), m_order(order) {}
  std::uint64_t fileBytes() const { return m_size; }
  std::optional<std::int32_t> int32At(std::uint64_t offset) const;
  /// A record marker of 4 (unsigned) or 8 bytes.
  std::optional<std::uint64_t> markerAt(std::uint64_t offset, int markerBytes) const;
  /// True when a record of `payload` bytes lies at `offset` between two markers that say so.
  bool recordAt(std::uint64_t offset, std::uint64_t payload, int markerBytes) const;
  /// True where the last bytes of the file, from `offset` on, are zero.
  bool zeroFrom(std::uint64_t offset) const;
  /// `count` int32 from `offset`; empty when the file ends before.
  std::vector<std::int32_t> int32sAt(std::uint64_t offset, std::int64_t count) const;

 private:
  const File* m_file;
  std::uint64_t m_size;
  ByteOrder m_order;
};

struct Head {
  std::vector<Index3> dims;  ///< one per block, all positive
  std::int64_t nodes = 0;    ///< of all blocks
  int variables = 0;         ///< per node, where the head says so; the same in all blocks
  int species = 0;           ///< of them, in an OVERFLOW solution
};

/// Why a guess is wrong, and how near it came.
struct Refusal {
  std::string reason;
  bool markersSeen = false;  ///< the first record lies between two markers, as guessed
  bool dimsMarked = false;   ///< and so does the record of the dims
  double claimedNodes = 0;   ///< nodes by the dims as far as they make sense; 0: no sense at all
};

/// More variables than any code writes; bounds what a hostile head can make us believe.
constexpr int kMostVariables = 1000;

/// Reads the block count and dims as byte order, markers, multiGrid, dimensions and overflow of `format` say.
/// Where that makes no sense, nothing is returned and `refusal` says why.
std::optional<Head> readHead(const File& file, Content content, const Format& format, Refusal& refusal);

}  // namespace farfield::plot3d
