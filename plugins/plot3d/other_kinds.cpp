#include "plugins/plot3d/other_kinds.h"

#include <vector>

#include "plugins/plot3d/plot3d_head.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {
namespace {

/// A head with more numbers than the dims: four per block in a function file, two more than the dims (number
/// of variables, of which species) in an OVERFLOW solution.
struct WiderHead {
  std::int64_t blocks = 1;
  std::vector<std::int32_t> numbers;
  std::uint64_t end = 0;  ///< where the first block begins
};

WiderHead readWiderHead(Probe& probe, int markerBytes, bool multi, bool overflow) {
  const auto marker = static_cast<std::uint64_t>(markerBytes);
  WiderHead head;
  std::uint64_t at = 0;
  if (multi) {
    if (!probe.recordAt(0, 4)) return {};
    head.blocks = probe.int32At(marker).value_or(0);
    at = 4 + 2 * marker;
  }
  if (head.blocks < 1 || head.blocks > kMaxBlocks) return {};
  const std::int64_t count = overflow ? 3 * head.blocks + 2 : 4 * head.blocks;
  const auto bytes = static_cast<std::uint64_t>(count) * 4;
  if (!probe.recordAt(at, bytes)) return {};
  head.numbers = probe.int32sAt(at + marker, count);
  head.end = at + bytes + 2 * marker;
  return head;
}

/// Reals of all blocks together; 0 if a number makes no sense. In floating point, since the numbers are
/// unchecked.
double realsOf(const WiderHead& head, bool overflow) {
  double reals = 0;
  for (std::int64_t b = 0; b < head.blocks; ++b) {
    const std::int32_t* dims = &head.numbers[static_cast<std::size_t>(b * (overflow ? 3 : 4))];
    const std::int32_t variables = overflow ? head.numbers[head.numbers.size() - 2] : dims[3];
    if (dims[0] < 1 || dims[1] < 1 || dims[2] < 1 || variables < 1 || variables > 1000) return 0;
    reals += double(dims[0]) * dims[1] * dims[2] * variables;
  }
  return reals;
}

bool isFunction(Probe& probe, int markerBytes, bool multi) {
  const WiderHead head = readWiderHead(probe, markerBytes, multi, false);
  if (head.numbers.empty()) return false;
  const double reals = realsOf(head, false);
  const double left = double(probe.fileBytes()) - double(head.end) - 2.0 * markerBytes * double(head.blocks);
  return reals > 0 && (left == 4 * reals || left == 8 * reals);
}

/// Number of variables of an OVERFLOW solution; 0 if it is none.
int overflowVariables(Probe& probe, int markerBytes, bool multi) {
  const WiderHead head = readWiderHead(probe, markerBytes, multi, true);
  if (head.numbers.empty()) return 0;
  const std::int32_t variables = head.numbers[head.numbers.size() - 2], species = head.numbers.back();
  if (variables < 5 || species < 0 || species >= variables) return 0;
  const double reals = realsOf(head, true);
  const double left = double(probe.fileBytes()) - double(head.end);
  for (const double real : {4.0, 8.0}) {
    // the rest are the blocks' headers: thirteen numbers at least, a few more, and one per species
    const double header = (left - reals * real) / double(head.blocks) - 4.0 * markerBytes;
    if (reals > 0 && header >= 13 * real && header <= (24 + species) * real) return variables;
  }
  return 0;
}

}  // namespace

std::string otherKind(const paging::ByteObject& file) {
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    for (const int markerBytes : {0, 4, 8})
      for (const bool multi : {true, false}) {
        Probe probe(file, order, markerBytes);
        if (isFunction(probe, markerBytes, multi)) return "a PLOT3D function file";
        if (const int variables = overflowVariables(probe, markerBytes, multi))
          return "an OVERFLOW solution file (" + std::to_string(variables) + " variables)";
      }
  }
  return {};
}

}  // namespace farfield::plot3d
