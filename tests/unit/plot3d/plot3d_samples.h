#pragma once
// PLOT3D files with known values, in any format.

#include <filesystem>
#include <string>
#include <vector>

#include "plugins/plot3d/plot3d_writer.h"

namespace farfield::plot3d::test {

/// What component `c` of array 0 (xyz) or 1 (q) is at a node: exact in float32, different everywhere.
inline double valueOf(int array, int block, const Index3& node, int c) {
  return 0.5 * double(node[0]) + 1000.0 * double(node[1]) - 0.25 * double(node[2]) + 7 * c + 100'000 * block -
         3 * array;
}
inline std::int32_t iblankOf(int block, const Index3& node) {
  const auto n = static_cast<std::int32_t>(node[0] + 3 * node[1] + 5 * node[2] + block);
  constexpr std::int32_t kSpecial[] = {1, 0, 2, -3, 100'000, -100'000, 0, 1};
  return kSpecial[n % 8];
}

inline IndexBox whole(const Index3& dims) {
  return {{0, 0, 0}, dims};
}

inline void fill(Plot3dWriter& writer, int array) {
  for (std::size_t b = 0; b < writer.layout().blocks.size(); ++b) {
    const int block = static_cast<int>(b);
    const Index3 dims = writer.layout().blocks[b].dims;
    const int components = variableCount(writer.layout().content, writer.layout().format);
    std::vector<double> values;
    std::vector<std::int32_t> iblank;
    for (std::int64_t n = 0; n < product(dims); ++n) {
      for (int c = 0; c < components; ++c) values.push_back(valueOf(array, block, unlinear(n, dims), c));
      iblank.push_back(iblankOf(block, unlinear(n, dims)));
    }
    writer.write(block, whole(dims), values);
    if (array == 0 && writer.layout().format.iblank) writer.writeIblank(block, whole(dims), iblank);
  }
}

inline std::filesystem::path writeGrid(const std::filesystem::path& path, const Format& format,
                                       const std::vector<Index3>& dims) {
  Plot3dWriter writer = Plot3dWriter::grid(path, format, dims);
  fill(writer, 0);
  writer.commit();
  return path;
}

inline std::filesystem::path writeSolution(const std::filesystem::path& path, Format format,
                                           const std::vector<Index3>& dims,
                                           const FlowHeader& header = {2, 0, 1e5, 3.5}) {
  format.iblank = false;
  Plot3dWriter writer = Plot3dWriter::solution(path, format, dims, header);
  fill(writer, 1);
  writer.commit();
  return path;
}

/// All combinations that are found by looking, for `blocks` blocks that are thicker than a plane.
inline std::vector<Format> allFormats(std::size_t blocks) {
  std::vector<Format> formats;
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big})
    for (const int markers : {0, 4, 8})
      for (const bool multi : {false, true})
        for (const ScalarType precision : {ScalarType::F32, ScalarType::F64})
          for (const bool iblank : {false, true})
            for (const bool planes : {false, true})
              if ((multi || blocks == 1) && (markers > 0 || !planes))
                formats.push_back({.byteOrder = order,
                                   .markerBytes = markers,
                                   .multiGrid = multi,
                                   .precision = precision,
                                   .iblank = iblank,
                                   .planes = planes});
  return formats;
}

}  // namespace farfield::plot3d::test
