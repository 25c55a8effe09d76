#pragma once
// Boxes that a reader gives of the files of plot3d_samples.h, compared number by number.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/paging/location/coordinate_scan.h"
#include "plugins/plot3d/plot3d_reader.h"
#include "tests/support/random_box.h"
#include "tests/unit/plot3d/plot3d_samples.h"

namespace farfield::plot3d::test {

using farfield::test::randomBox;

/// Reads `box` and compares every number; the name of the first wrong one, or nothing.
inline std::string firstWrong(const Plot3dReader& reader, int block, const char* name, std::int64_t step,
                              const IndexBox& box) {
  const int array = reader.description().find(block, name);
  const auto& description = reader.description().arrays[static_cast<std::size_t>(array)];
  std::vector<std::byte> nodes(static_cast<std::size_t>(product(box.size) * description.nodeBytes()));
  reader.read(static_cast<std::uint32_t>(array), step, box, nodes);
  for (std::int64_t n = 0; n < product(box.size); ++n) {
    const Index3 in = unlinear(n, box.size);
    const Index3 node = {box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]};
    for (int c = 0; c < description.components; ++c) {
      const double got = valueAt(nodes.data(), description.type, n * description.components + c);
      const double wanted = std::string(name) == "iblank"
                                ? std::clamp<std::int32_t>(iblankOf(block, node), INT16_MIN, INT16_MAX)
                                : valueOf(std::string(name) == "q", block, node, c);
      if (got != wanted)
        return std::string(name) + " of " + describe(node) + " is " + std::to_string(got) + ", not " +
               std::to_string(wanted);
    }
  }
  return {};
}

/// Of the finite nodes of a block, over all steps.
inline Bounds boundsOf(const Plot3dReader& reader, int block, std::stop_token stop = {}) {
  const int xyz = reader.description().find(block, "xyz");
  Bounds bounds;
  for (std::int64_t step = 0; step < reader.description().arrays[static_cast<std::size_t>(xyz)].steps; ++step)
    bounds.add(paging::nodeBounds(reader, static_cast<std::uint32_t>(xyz), step, stop));
  return bounds;
}

/// Compares the whole and random boxes of every array; the first that is wrong, or nothing.
inline std::string firstWrongBox(const Plot3dReader& reader, std::mt19937& random, int rounds) {
  for (int b = 0; b < static_cast<int>(reader.description().blocks.size()); ++b) {
    const Index3 dims = reader.description().blocks[static_cast<std::size_t>(b)].dims;
    for (int round = 0; round < rounds; ++round) {
      const IndexBox box = round == 0 ? whole(dims) : randomBox(random, dims);
      for (const char* name : {"xyz", "q", "iblank"}) {
        if (reader.description().find(b, name) < 0) continue;
        std::string wrong = firstWrong(reader, b, name, 0, box);
        if (!wrong.empty()) return wrong;
      }
    }
  }
  return {};
}

}  // namespace farfield::plot3d::test
