#include "core/extract/coarse_surface.h"

#include <algorithm>
#include <memory>

#include "core/extract/iso_patch.h"

namespace farfield::extract {
namespace {

/// Of all tasks together: at some 50 ns of a processor each.
constexpr double kMostNodes = 400'000;
constexpr std::size_t kFewTasks = 8;

using Patch = detail::IsoPatch<fields::CoarseGroup>;

}  // namespace

std::int64_t coarseStride(std::size_t tasks) {
  if (tasks < kFewTasks) return 0;
  std::int64_t stride = 2;
  const auto nodes = [&] {
    const auto along = static_cast<double>(fields::CoarseGroup::kMostCells / stride + 1);
    return static_cast<double>(tasks) * along * along * along;
  };
  while (stride < fields::CoarseGroup::kMostCells && nodes() > kMostNodes) stride *= 2;
  return stride;
}

std::uint64_t coarseBytes(const paging::DatasetDescription& description,
                          const fields::SurfaceFunctions& functions) {
  return Patch::bytesFor(static_cast<std::size_t>(functions.shown.outputCount())) +
         fields::CoarseGroup::bytesFor(description, functions);
}

void cutCoarsely(const CoarseCut& cut, int block, const IndexBox& cells, std::size_t number,
                 fields::PagedData& data, tasks::TaskContext& context,
                 const fields::SurfaceFunctions& functions, std::int64_t step, SurfaceSink& sink) {
  const auto group =
      std::make_unique<fields::CoarseGroup>(block, data, context, functions, cut.values, step, cut.ofPlace);
  const auto patch =
      std::make_unique<Patch>(*group, static_cast<std::size_t>(functions.shown.outputCount()), number, sink,
                              cut.ofPlace ? detail::OwnValue::Dropped : detail::OwnValue::Kept);
  const std::int64_t along =
      std::min(cut.stride * fields::CoarseGroup::kCells, fields::CoarseGroup::kMostCells);
  Index3 at;
  for (at[2] = 0; at[2] < cells.size[2]; at[2] += along)
    for (at[1] = 0; at[1] < cells.size[1]; at[1] += along)
      for (at[0] = 0; at[0] < cells.size[0]; at[0] += along) {
        context.throwIfGivenUp();
        IndexBox net;
        for (std::size_t a = 0; a < 3; ++a) {
          net.first[a] = cells.first[a] + at[a];
          net.size[a] = std::min(along, cells.size[a] - at[a]);
        }
        if (!group->open(net, cut.stride)) continue;
        for (const double value : cut.values) patch->cut(value);
      }
}

}  // namespace farfield::extract
