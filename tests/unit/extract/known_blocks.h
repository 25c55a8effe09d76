#pragma once
// Blocks of any shape with functions of place on their nodes, and the patches of surfaces through them, for tests of
// surfaces against known answers.

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/extract/grid_surface.h"
#include "core/paging/sources/computed_reader.h"

namespace farfield::extract {

struct Block {
  Index3 dims;
  std::function<Vec3(const Index3&)> place;
  std::function<bool(const Index3&)> isBlank = {};
  bool regular = false;
  Vec3 origin{0, 0, 0}, spacing{1, 1, 1};
};
using Field = std::function<double(Vec3)>;

inline double linearFunction(Vec3 p) {
  return 2 + 3 * p.x - 5 * p.y + 7 * p.z;
}

/// On the nodes "f", which is `field` as numbers of `type` (f64 or u8), and "g", the linear function.
inline std::shared_ptr<paging::ComputedReader> readerOf(const std::vector<Block>& blocks, const Field& field,
                                                        ScalarType type = ScalarType::F64) {
  paging::DatasetDescription description;
  description.times = {0};
  std::vector<std::pair<int, char>> arrays;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Block& block = blocks[b];
    const int number = static_cast<int>(b);
    paging::BlockDescription grid;
    grid.dims = block.dims;
    grid.kind = block.regular ? paging::GridKind::Regular : paging::GridKind::Curvilinear;
    grid.origin = block.origin;
    grid.spacing = block.spacing;
    grid.hasIblank = static_cast<bool>(block.isBlank);
    for (std::int64_t n = 0; n < product(block.dims); ++n)
      grid.bounds.add(block.place(unlinear(n, block.dims)));
    description.blocks.push_back(grid);
    const paging::PageLayout whole = paging::PageLayout::ofExtent(block.dims, block.dims);
    const auto add = [&](const char* name, int components, ScalarType its, char what,
                         paging::ArrayRole role) {
      description.arrays.push_back({name, number, whole, 1, components, its, {}, role});
      arrays.emplace_back(number, what);
    };
    if (!block.regular) add("xyz", 3, ScalarType::F64, 'x', paging::ArrayRole::Coordinates);
    if (block.isBlank) add("iblank", 1, ScalarType::I16, 'b', paging::ArrayRole::Blanking);
    add("f", 1, type, 'f', paging::ArrayRole::Variable);
    add("g", 1, ScalarType::F64, 'g', paging::ArrayRole::Variable);
  }
  return std::make_shared<paging::ComputedReader>(
      description, [blocks, arrays, field, type](std::uint32_t array, std::int64_t, const IndexBox& box,
                                                 std::span<std::byte> out) {
        const auto& [number, what] = arrays[array];
        const Block& block = blocks[static_cast<std::size_t>(number)];
        std::byte* to = out.data();
        const auto put = [&](const auto& value) {
          std::memcpy(to, &value, sizeof value);
          to += sizeof value;
        };
        for (std::int64_t n = 0; n < product(box.size); ++n) {
          const Index3 in = unlinear(n, box.size);
          const Index3 node{box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]};
          const Vec3 place = block.place(node);
          if (what == 'x') put(place);
          if (what == 'b') put(static_cast<std::int16_t>(block.isBlank(node) ? 0 : 1));
          if (what == 'f' && type == ScalarType::F64) put(field(place));
          if (what == 'f' && type == ScalarType::U8) put(static_cast<std::uint8_t>(field(place)));
          if (what == 'g') put(linearFunction(place));
        }
      });
}

struct Patch {
  std::size_t number;
  std::vector<double> points, normals, values;
  std::vector<std::uint32_t> triangles;
  bool operator==(const Patch&) const = default;
};

/// Keeps patches in the order in which they come.
struct KeptPatches : SurfaceSink {
  virtual ~KeptPatches() = default;
  void patch(std::size_t number, const SurfacePatch& patch) override {
    patches.push_back({number,
                       {patch.points.begin(), patch.points.end()},
                       {patch.normals.begin(), patch.normals.end()},
                       {patch.values.begin(), patch.values.end()},
                       {patch.triangles.begin(), patch.triangles.end()}});
  }
  std::vector<Patch> patches;
};

}  // namespace farfield::extract
