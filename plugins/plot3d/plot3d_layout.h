#pragma once
// The offsets of everything in a PLOT3D file of known format and dims. The same arithmetic serves detection
// (does this guess fit the file?), reading and writing.
//
// "Whole" records (PLOT3D user's manual, NASA TM-101067, ch. 8): the block count, where there are several;
// the dims of all blocks; then per block, in a grid, x y z and iblank of all nodes as one record, in a
// solution one record of Mach, alpha, Re, time and one of the conserved variables, in a function file one
// record of all variables, whose number is the last of each block's dims. i is fastest, then j, k, variable.
//
// "Planes" (/PLANES there): instead of one record with a block's variables, one for each k, with all
// variables of that plane.
//
// OVERFLOW's solutions have the counts of variables and of species after the dims, and more than four numbers
// at the start of a block (how many depends on the version; one of them is an integer).

#include <cstdint>
#include <vector>

#include "plugins/plot3d/plot3d_format.h"
#include "plugins/plot3d/record_probe.h"

namespace farfield::plot3d {

/// More blocks than any grid system has; limits what a hostile file can make us allocate.
constexpr std::int64_t kMaxBlocks = 100'000;
/// Longest record that 4-byte markers describe; a longer one is split into subrecords.
constexpr std::int64_t kMaxMarked4 = 0x7fffffff - 8;

/// One variable of one block: plane k begins at `offset` + k · `planeStride`.
struct VariablePlace {
  std::uint64_t offset = 0;
  std::uint64_t planeStride = 0;
};

struct BlockLayout {
  Index3 dims{1, 1, 1};      ///< nodes; [2] is 1 in 2-D
  std::uint64_t header = 0;  ///< solutions: offset of Mach, alpha, Re and time
  std::uint64_t data = 0;    ///< offset of the first variable
  bool operator==(const BlockLayout&) const = default;
};

/// The bytes between two markers, or the same bytes in a file without markers.
struct Record {
  std::uint64_t payload = 0;  ///< where it begins
  std::uint64_t bytes = 0;
};

/// Offsets do not count the markers at splits (record_probe.h).
struct Layout {
  Content content = Content::Grid;
  Format format;
  std::vector<BlockLayout> blocks;
  std::uint64_t fileBytes = 0;  ///< size of the file, markers at splits included
  Splits splits = {};

  /// Variable `variable` (0 …) of block `block`; after the last real variable of a grid comes iblank.
  VariablePlace place(int block, int variable) const;
  VariablePlace iblankPlace(int block) const { return place(block, variableCount(content, format)); }
  /// Payload of the data records of `block` together.
  std::int64_t dataBytes(int block) const;
  /// Number of records with the variables of `block`, and each of them.
  std::int64_t dataRecords(int block) const;
  Record dataRecord(int block, std::int64_t number) const;
  /// The numbers before the variables of `block`, of a solution.
  Record headerRecord(int block) const;
  /// Reads at `offset`. Throws Corrupt at the end of the file, Io.
  void read(const paging::ByteObject& file, std::uint64_t offset, std::span<std::byte> out) const {
    readSplit(file, splits, format.markerBytes, offset, out);
  }
  /// A hint that the bytes at `offset` will be read soon.
  void expect(const paging::ByteObject& file, std::uint64_t offset, std::uint64_t bytes) const {
    expectSplit(file, splits, format.markerBytes, offset, bytes);
  }
  bool operator==(const Layout&) const = default;
};

/// Bytes per node.
constexpr std::int64_t nodeBytes(Content content, const Format& format) {
  return std::int64_t{variableCount(content, format)} * sizeOf(format.precision) +
         (content == Content::Grid && format.iblank ? 4 : 0);
}
/// Bytes of the records before the first block's.
std::uint64_t headBytes(Content content, const Format& format, std::int64_t blocks);
/// Bytes of the numbers before a block's variables; 0 if there are none.
constexpr std::int64_t headerBytes(Content content, const Format& format) {
  if (content != Content::Solution) return 0;
  return format.headerBytes > 0 ? format.headerBytes : std::int64_t{4} * sizeOf(format.precision);
}

/// Throws Corrupt if a size exceeds 2^62.
Layout makeLayout(Content content, const Format& format, const std::vector<Index3>& dims);

}  // namespace farfield::plot3d
