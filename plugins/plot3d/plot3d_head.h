#pragma once
// The first numbers of a PLOT3D file, read under one guess of its format. Nothing is trusted: each number is
// compared with the size of the file before it is used, so that a hostile head costs a few small reads.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugins/plot3d/plot3d_format.h"
#include "plugins/plot3d/record_probe.h"

namespace farfield::plot3d {

struct Head {
  std::vector<Index3> dims;  ///< one per block, all positive
  std::int64_t nodes = 0;    ///< of all blocks
  int variables = 0;         ///< per node, if the head says; the same in all blocks
  int species = 0;           ///< of them, in an OVERFLOW solution
};

/// Why a guess is wrong, and how close it came.
struct Refusal {
  std::string reason;
  bool markersSeen = false;  ///< the first record is between two markers, as guessed
  bool dimsMarked = false;   ///< the record of the dims is, too
  double claimedNodes = 0;   ///< nodes by the dims as far as they are plausible; 0: not at all
};

/// The possible heads of a file of this content that `overrides` allow, to be tried in turn.
std::vector<Format> possibleHeads(Content content, const Overrides& overrides);

/// More variables than any code writes; limits what a hostile head can make us allocate.
constexpr int kMostVariables = 1000;

/// Reads the block count and dims by multiGrid, dimensions and overflow of `format`; `probe` has its byte
/// order and markers. If they are implausible, returns nothing and `refusal` says why.
std::optional<Head> readHead(Probe& probe, Content content, const Format& format, Refusal& refusal);

}  // namespace farfield::plot3d
