#pragma once
// Pictures of volumes in as many parts as memory allows: all rows at once where there is room for them, else some after the other.
// Rays do not depend on each other, so the picture is the same; it takes longer, because bricks may be read once for each part.

#include <functional>
#include <memory>
#include <span>

#include "render/volume/caster.h"

namespace farfield::volume {

/// castBricks() with the rows of `job`. Where memory lacks, `letGo` is asked first for what can be had again (false: there is nothing),
/// then fewer rows are cast at a time, and at last the bricks in `pool` are given up, which then is another. What is refused after that
/// says what all of it needs at least.
void castInBands(BrickSource& source, std::unique_ptr<BrickPool>& pool, MemoryAccount& account,
                 const CastJob& job, std::span<float> rgba, CastStats& stats,
                 const std::function<bool()>& letGo);

}  // namespace farfield::volume
