#include "core/extract/coarse_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/extract/iso_patch.h"
#include "core/fields/groups/unstructured_field_group.h"

namespace farfield::extract {
namespace {

/// Of all tasks together: at some 50 ns of a processor each.
constexpr double kMostNodes = 400'000;
constexpr std::size_t kFewTasks = 8;
/// Of unstructured blocks: a cell with its corners costs about as much as a dozen nodes in rows.
constexpr double kMostCells = 40'000;
/// How much longer a cell is than what it stands for: cells do not lie in rows, and shall overlap.
constexpr double kOverlap = 1.6;

using Patch = detail::IsoPatch<fields::CoarseGroup>;
using ListedPatch = detail::IsoPatch<fields::UnstructuredFieldGroup>;

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

std::int64_t coarseCellStride(std::size_t tasks) {
  if (tasks < kFewTasks) return 0;
  constexpr auto kEach = static_cast<double>(fields::kListedCells * fields::CellTasks::kMostGroups);
  // of fewer, enlarged, as many would be cut as of all as they are
  return std::max<std::int64_t>(
      8, static_cast<std::int64_t>(std::ceil(static_cast<double>(tasks) * kEach / kMostCells)));
}

std::uint64_t coarseBytes(const paging::DatasetDescription& description,
                          const fields::SurfaceFunctions& functions) {
  const auto outputs = static_cast<std::size_t>(functions.shown.outputCount());
  return std::max(
      Patch::bytesFor(outputs) + fields::CoarseGroup::bytesFor(description, functions),
      ListedPatch::bytesFor(outputs) + fields::UnstructuredFieldGroup::bytesFor(description, functions));
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

void cutListedCoarsely(const CoarseCut& cut, int block, std::span<const fields::CellGroup> groups,
                       std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       const fields::SurfaceFunctions& functions, std::int64_t step, SurfaceSink& sink) {
  const auto group = std::make_unique<fields::UnstructuredFieldGroup>(block, data, context, functions,
                                                                      cut.values, step, cut.ofPlace);
  const auto patch =
      std::make_unique<ListedPatch>(*group, static_cast<std::size_t>(functions.shown.outputCount()), number,
                                    sink, cut.ofPlace ? detail::OwnValue::Dropped : detail::OwnValue::Kept);
  const double scale = kOverlap * std::cbrt(static_cast<double>(cut.stride));
  std::array<std::int64_t, fields::kMostListedCells> cells;
  std::size_t count = 0;
  const auto finish = [&] {
    context.throwIfGivenUp();
    if (count > 0 && group->openEnlarged(std::span(cells).first(count), scale))
      for (const double value : cut.values) patch->cut(value);
    count = 0;
  };
  for (const fields::CellGroup& each : groups) {
    const std::int64_t first = each.cells.first[0], end = first + each.cells.size[0];
    // by their numbers in the block, so that they are as many everywhere
    for (std::int64_t cell = first + (cut.stride / 2 + cut.stride - first % cut.stride) % cut.stride;
         cell < end; cell += cut.stride) {
      cells[count++] = cell;
      if (count == cells.size()) finish();
    }
  }
  finish();
}

}  // namespace farfield::extract
