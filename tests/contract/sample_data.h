#pragma once
// A small data set of every kind of array: two blocks, static and in time, several types, odd dims. Each
// byte follows from where it is, so that a page from the wrong place, step or array is never taken for the
// right one.

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "core/paging/sources/computed_reader.h"

namespace farfield::test {

inline paging::DatasetDescription sampleDescription(int edge) {
  using paging::PageLayout;
  paging::DatasetDescription description;
  description.format = "sample";
  description.times = {0.0, 0.5, 1.0};
  description.pageEdge = edge;
  const Index3 dims[] = {{37, 20, 11}, {9, 33, 5}};
  for (int block = 0; block < 2; ++block) {
    paging::BlockDescription its;
    its.dims = dims[block];
    description.blocks.push_back(its);
    const PageLayout layout = PageLayout::even(dims[block], edge);
    description.arrays.push_back({.name = "xyz",
                                  .block = block,
                                  .layout = layout,
                                  .components = 3,
                                  .type = ScalarType::F32,
                                  .role = paging::ArrayRole::Coordinates});
    description.arrays.push_back({.name = "q",
                                  .block = block,
                                  .layout = layout,
                                  .steps = 3,
                                  .components = 5,
                                  .type = ScalarType::F64});
    description.arrays.push_back({.name = "mask", .block = block, .layout = layout, .type = ScalarType::U8});
    description.arrays.push_back(
        {.name = "count", .block = block, .layout = layout, .steps = 3, .type = ScalarType::I16});
  }
  return description;
}

/// What the nodes of `box` are.
inline void sampleNodes(const paging::DatasetDescription& description, std::uint32_t array, std::int64_t step,
                        const IndexBox& box, std::span<std::byte> out) {
  const paging::ArrayDescription& its = description.arrays[array];
  const Index3& dims = its.layout.dims();
  const std::int64_t elementBytes = sizeOf(its.type);
  std::byte* to = out.data();
  for (std::int64_t k = box.first[2]; k < box.first[2] + box.size[2]; ++k)
    for (std::int64_t j = box.first[1]; j < box.first[1] + box.size[1]; ++j)
      for (std::int64_t i = box.first[0]; i < box.first[0] + box.size[0]; ++i)
        for (int c = 0; c < its.components; ++c) {
          const auto element = static_cast<std::uint64_t>(
              ((step * product(dims) + linear({i, j, k}, dims)) * its.components + c) * 64 + array);
          for (std::int64_t b = 0; b < elementBytes; ++b)  // the upper bytes vary slowly, as in real data
            *to++ = static_cast<std::byte>((element * (b == 0 ? 0x9E3779B9u : 1u) >> (b == 0 ? 16 : 4 * b)) &
                                           0xff);
        }
}

inline std::shared_ptr<paging::ComputedReader> sampleReader(int edge = 8) {
  const auto description = std::make_shared<paging::DatasetDescription>(sampleDescription(edge));
  return std::make_shared<paging::ComputedReader>(
      *description,
      [description](std::uint32_t array, std::int64_t step, const IndexBox& box, std::span<std::byte> out) {
        sampleNodes(*description, array, step, box, out);
      });
}

/// The real nodes of a page of `description`, whatever its cut, if its data are the sample's.
inline std::vector<std::byte> samplePage(const paging::DatasetDescription& description, std::uint32_t array,
                                         std::uint64_t page) {
  const paging::ArrayDescription& its = description.arrays[array];
  const IndexBox box = its.boxOf(page);
  std::vector<std::byte> nodes(static_cast<std::size_t>(product(box.size) * its.nodeBytes()));
  sampleNodes(description, array, its.stepOf(page), box, nodes);
  return nodes;
}

}  // namespace farfield::test
