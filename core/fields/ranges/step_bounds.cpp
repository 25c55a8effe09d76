#include "core/fields/ranges/step_bounds.h"

#include <array>

#include "core/paging/cache/cursor.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::fields {
namespace {

bool moves(const PagedData& data, int block) {
  const int xyz = data.description().find(block, paging::ArrayRole::Coordinates);
  return xyz >= 0 && data.description().arrays[static_cast<std::size_t>(xyz)].steps > 1;
}

/// Of the level that has a single entry.
std::optional<Bounds> topOf(PagedData& data, tasks::TaskContext& context, int block, std::int64_t step) {
  int levels = 0;
  while (data.handle(block, paging::ArrayRole::LocationBounds, levels) >= 0) ++levels;
  if (levels == 0) return std::nullopt;
  // one page at a time, as a search does: every reservation includes its frame
  paging::Cursor cursor(data.cache(), context, paging::GatherMode::Copying);
  cursor.setStep(step);
  cursor.bind(static_cast<std::uint32_t>(data.handle(block, paging::ArrayRole::LocationBounds, levels - 1)));
  std::array<double, 6> box{};
  const paging::GatherTarget target{0, box.data()};
  cursor.gather({{0, 0, 0}, {1, 1, 1}}, {&target, 1});
  return Bounds{{box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
}

}  // namespace

std::optional<Bounds> boundsAtStep(PagedData& data, tasks::TaskContext& context, int block, std::int64_t step,
                                   const std::function<bool(const Bounds&)>& isEnough) {
  if (!moves(data, block)) return std::nullopt;
  const paging::DatasetDescription& description = data.description();
  const std::vector<bool> there = paging::blocksAt(description, step);
  Bounds all;
  const auto add = [&](std::size_t n) {
    if (!there.empty() && !there[n]) return;
    const auto its =
        moves(data, static_cast<int>(n)) ? topOf(data, context, static_cast<int>(n), step) : std::nullopt;
    const Bounds& bounds = its ? *its : description.blocks[n].bounds;
    if (!bounds.empty()) all.add(bounds);
  };
  const auto own = static_cast<std::size_t>(block);
  add(own);
  for (std::size_t n = 0; n < description.blocks.size() && !isEnough(all); ++n)
    if (n != own) add(n);
  return all;
}

}  // namespace farfield::fields
