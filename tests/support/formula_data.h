#pragma once
// Data whose every value is known: arrays filled from a formula of array, step, node and component that
// no two places share by accident. For tests of anything that moves values around.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/scalar_type.h"
#include "tests/support/nodewise_reader.h"

namespace farfield::test {

/// The value at a place; an integer that every scalar type wider than 16 bits holds exactly.
inline double formulaValue(std::uint32_t array, std::int64_t step, const Index3& node, int component) {
  return static_cast<double>((node[0] * 7919 + node[1] * 104729 + node[2] * 1299709 + component * 31 +
                              step * 611953 + array * 15485863) %
                             16000057);
}

/// One block of `dims`: "xyz" (f64 x 3, static), "q" (f32 x 5, `steps`) and "iblank" (i16 x 1, all values 0
/// to 99).
inline paging::DatasetDescription formulaDescription(const Index3& dims, std::int64_t steps = 1) {
  paging::DatasetDescription description;
  description.format = "formula";
  for (std::int64_t step = 0; step < steps; ++step) description.times.push_back(static_cast<double>(step));
  paging::BlockDescription block;
  block.dims = dims;
  block.hasIblank = true;
  description.blocks.push_back(block);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(dims, dims);
  description.arrays.push_back({"xyz", 0, whole, 1, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
  description.arrays.push_back({"q", 0, whole, steps, 5, ScalarType::F32, {}});
  description.arrays.push_back({"iblank", 0, whole, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
  return description;
}

inline std::shared_ptr<paging::ComputedReader> formulaReader(const paging::DatasetDescription& description) {
  return nodewiseReader(description, [description](std::uint32_t array, std::int64_t step, const Index3& node,
                                                   NodeValues& values) {
    const paging::ArrayDescription& info = description.arrays[array];
    for (int c = 0; c < info.components; ++c) {
      const double value = formulaValue(array, step, node, c);
      if (info.type == ScalarType::F64) values.put(value);
      if (info.type == ScalarType::F32) values.put(static_cast<float>(value));
      if (info.type == ScalarType::I16)
        values.put(static_cast<std::int16_t>(static_cast<std::int64_t>(value) % 100));
    }
  });
}

}  // namespace farfield::test
