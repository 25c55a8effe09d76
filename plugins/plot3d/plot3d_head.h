#pragma once
// The first numbers of a PLOT3D file, read under one guess at its format. Nothing is believed: each number is
// held against the size of the file before it is used, so a hostile head costs a few small reads.

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

/// Reads the block count and dims as multiGrid, dimensions and overflow of `format` say; `probe` has its byte
/// order and markers. Where that makes no sense, nothing is returned and `refusal` says why.
std::optional<Head> readHead(Probe& probe, Content content, const Format& format, Refusal& refusal);

}  // namespace farfield::plot3d
