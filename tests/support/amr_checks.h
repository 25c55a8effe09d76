#pragma once
// Whether what was opened holds the values of AmrSample.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/base/scalar_type.h"
#include "core/fields/functions/open_data.h"
#include "core/paging/pages/box_reader.h"
#include "tests/support/amr_sample.h"

namespace farfield::test {

/// All numbers of an array of one block, in the order of nodes; none if there is no such array.
inline std::vector<double> blockValues(const fields::OpenData& data, int block, const std::string& name) {
  const paging::DatasetDescription& description = data.description();
  const int number = description.find(block, name);
  if (number < 0) return {};
  const paging::ArrayDescription& array = description.arrays[static_cast<std::size_t>(number)];
  const Index3& dims = description.blocks[static_cast<std::size_t>(block)].dims;
  std::vector<std::byte> bytes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
  data.boxReader()->read(static_cast<std::uint32_t>(number), 0, {{0, 0, 0}, dims}, bytes);
  std::vector<double> values(static_cast<std::size_t>(product(dims) * array.components));
  toDouble(bytes.data(), array.type, 0, static_cast<std::int64_t>(values.size()), values.data());
  return values;
}

/// Compares the array `name` of all blocks, whose axes are rectilinear, with what a linear function has at their nodes, but beside the
/// border of the data, where half a cell is constant. Returns how many nodes were compared; -1 if one differs by more.
inline int nodesThatAgree(const fields::OpenData& data, const AmrSample& sample, const std::string& name,
                          const std::function<double(Vec3)>& valueAt, double tolerance = 1e-11) {
  int compared = 0;
  for (int b = 0; b < static_cast<int>(data.description().blocks.size()); ++b) {
    const paging::BlockDescription& block = data.description().blocks[static_cast<std::size_t>(b)];
    const std::vector<double> values = blockValues(data, b, name);
    if (values.empty()) return -1;
    for (std::size_t n = 0; n < values.size(); ++n) {
      const Index3 node = unlinear(static_cast<std::int64_t>(n), block.dims);
      Vec3 at;
      bool inside = true;
      for (int a = 0; a < 3; ++a) {
        at[a] = (*block.axes)[static_cast<std::size_t>(a)]
                             [static_cast<std::size_t>(node[static_cast<std::size_t>(a)])];
        const double margin = 0.75 * sample.spacing[a];
        inside = inside && at[a] > sample.origin[a] + margin && at[a] < sample.end()[a] - margin;
      }
      if (!inside) continue;
      if (!(std::abs(values[n] - valueAt(at)) < tolerance)) return -1;
      ++compared;
    }
  }
  return compared;
}

}  // namespace farfield::test
