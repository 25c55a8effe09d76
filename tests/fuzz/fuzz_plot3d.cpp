// Any two files as a PLOT3D grid and its solution: they are refused with an error of ours, or they can be
// read.

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "plugins/plot3d/plot3d_reader.h"
#include "tests/support/memory_file.h"

using namespace farfield;

namespace {

/// Reads all of each array, and a box in its middle.
void readAll(plot3d::Plot3dReader& reader) {
  const paging::DatasetDescription& data = reader.description();
  std::uint64_t read = 0;
  for (std::uint32_t a = 0; a < data.arrays.size(); ++a) {
    const Index3 dims = data.arrays[a].layout.dims();
    for (const IndexBox& box :
         {IndexBox{{0, 0, 0}, dims}, IndexBox{{dims[0] / 2, dims[1] / 2, dims[2] / 2}, {1, 1, 1}}}) {
      std::vector<std::byte> nodes(static_cast<std::size_t>(product(box.size) * data.arrays[a].nodeBytes()));
      reader.read(a, 0, box, nodes);
      read += nodes.size();
    }
  }
  // What is read came from the file (or, of a text, its copy): at most twice (the boxes), with iblank at half
  // its size, and half as much again where 2-D nodes get a third coordinate.
  std::uint64_t stored = reader.gridLayout().fileBytes;
  for (const plot3d::Layout* layout : {reader.solutionLayout(), reader.functionLayout()})
    if (layout) stored += layout->fileBytes;
  if (read > 3 * stored) std::abort();
  MemoryAccount account(std::uint64_t{16} << 20);
  reader.findWalls(account);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile grid, solution;
  if (size < 2) return 0;
  // The first two bytes say where the grid ends.
  const std::size_t cut = 2 + (std::size_t{data[0]} + 256 * std::size_t{data[1]}) % (size - 1);
  grid.fill({data + 2, cut - 2});
  solution.fill({data + cut, size - cut});
  try {
    plot3d::Plot3dReader alone({{grid.path()}, {}});
    readAll(alone);
    plot3d::Plot3dReader both({{grid.path()}, {solution.path()}});
    readAll(both);
  } catch (const Error&) {
  }
  return 0;
}
