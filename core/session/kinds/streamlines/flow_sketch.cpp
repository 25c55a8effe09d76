#include "core/session/kinds/streamlines/flow_sketch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace farfield::session {
namespace {

constexpr std::size_t kProbes = 24;

Vec3 withoutSigns(Vec3 v) {
  return {std::abs(v.x), std::abs(v.y), std::abs(v.z)};
}

/// Nodes along i, j, k in a page of `block`, of the array that is cut into the most pages.
Index3 pageDims(const paging::DatasetDescription& description, int block) {
  const paging::PageLayout* finest = nullptr;
  for (const paging::ArrayDescription& array : description.arrays)
    if (array.block == block && (!finest || array.layout.pageCount() > finest->pageCount()))
      finest = &array.layout;
  return finest ? finest->box(0).size : Index3{1, 1, 1};
}

/// The size of the bounding box of as many cells like `cell` as a page has nodes.
Vec3 pageSizeAt(const fields::CellFlow& cell, const Index3& dims, double time) {
  return std::visit(
      [&](const auto& flow) {
        Vec3 size;
        const Vec3 corner = flow.position({}, time);
        for (int a = 0; a < 3; ++a) {
          Vec3 next;
          next[a] = 1;
          size = size + static_cast<double>(dims[a]) * withoutSigns(flow.position(next, time) - corner);
        }
        return size;
      },
      cell);
}

}  // namespace

std::optional<FlowSketch> sketchFlow(
    const flow::SeedSet& seeds, const ObjectSurroundings& surroundings, fields::FieldTime time,
    const std::function<std::unique_ptr<fields::Sampler>(tasks::TaskContext&)>& makeSampler) {
  const std::size_t count = std::min(seeds.count(), kProbes);
  std::array<std::optional<FlowSketch>, kProbes> found;
  tasks::TaskGroup group;
  group.name = "order of lines";
  group.count = count;
  group.admission = &surroundings.data.admission();
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    const std::unique_ptr<fields::Sampler> sampler = makeSampler(context);
    fields::Location place;
    if (!sampler->locate(seeds.at((2 * n + 1) * seeds.count() / (2 * count), {}), time, place)) return;
    std::vector<double> values(static_cast<std::size_t>(sampler->valueCount()));
    sampler->evaluate(place, time, values);
    const Vec3 velocity{values[0], values[1], values[2]};
    const double speed = length(velocity);
    const std::optional<fields::CellFlow> cell = sampler->flowIn(place, time);
    if (!cell || !(speed > 0) || !std::isfinite(speed)) return;
    found[n] = FlowSketch{withoutSigns(velocity * (1 / speed)),
                          pageSizeAt(*cell, pageDims(surroundings.data.description(), place.block), 0)};
  };
  surroundings.data.makeScheduler()->run(group, surroundings.stop);

  FlowSketch mean;
  double many = 0;
  for (const auto& each : found)
    if (each) {
      mean = {mean.drift + each->drift, mean.pageSize + each->pageSize};
      ++many;
    }
  if (many == 0) return std::nullopt;
  return FlowSketch{mean.drift * (1 / many), mean.pageSize * (1 / many)};
}

}  // namespace farfield::session
