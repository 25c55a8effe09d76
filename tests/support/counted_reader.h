#pragma once
// Data of numbers that are made up, which tell how often somebody reads them.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/fields/data/box_data.h"
#include "core/fields/functions/forwarded_data.h"

namespace farfield::test {

/// One regular block; arrays of f32 that have at each node its number, modulo 1000, if nothing else is said.
class CountedReader final : public paging::BoxReader {
 public:
  CountedReader(const std::vector<std::string>& names, const Index3& dims, const Index3& page,
                std::int64_t steps = 1) {
    m_description.format = "counted";
    for (std::int64_t step = 0; step < steps; ++step)
      m_description.times.push_back(static_cast<double>(step));
    m_description.blocks.push_back({.dims = dims, .kind = paging::GridKind::Regular, .bounds = {}});
    m_description.blocks[0].bounds.add(Vec3{0, 0, 0});
    m_description.blocks[0].bounds.add(Vec3{double(dims[0] - 1), double(dims[1] - 1), double(dims[2] - 1)});
    for (const std::string& name : names) {
      paging::ArrayDescription array;
      array.name = name;
      array.layout = paging::PageLayout::ofExtent(dims, page);
      array.steps = steps;
      m_description.arrays.push_back(std::move(array));
    }
  }
  const paging::DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    if (reads) ++*reads;
    if (before) before();
    const Index3 dims = m_description.arrays[array].layout.dims();
    auto* const to = reinterpret_cast<float*>(out.data());
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      const Index3 in = unlinear(n, box.size);
      const std::int64_t node =
          linear({box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]}, dims);
      to[n] = value ? value(step, node) : static_cast<float>(node % 1000);
    }
  }
  std::shared_ptr<std::atomic<int>> reads;
  std::function<void()> before;
  std::function<float(std::int64_t step, std::int64_t node)> value;

 private:
  paging::DatasetDescription m_description;
};

inline std::unique_ptr<fields::OpenData> openCounted(const std::shared_ptr<CountedReader>& reader,
                                                     MemoryAccount& account) {
  fields::BoxDataOptions options;
  options.threads = false;
  options.pagesAsDescribed = true;
  return fields::openBoxes(reader, options, {}, account);
}

}  // namespace farfield::test
