#pragma once
// The picture of a volume by rays on processors: the reference for casters of other engines. Bricks are
// processed front to back (brick_order.h); bricks that are invisible by their ranges, or behind what is
// opaque, are not read. As many bricks as fit are read by tasks (batch by batch, the next while the last is
// processed), each once. Tiles of the picture process the bricks of a batch in order. The picture does not
// depend on budget, processors, schedulers or the order in which pages arrive.

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/memory_account.h"
#include "render/volume/brick_pool.h"
#include "render/volume/ray_camera.h"
#include "render/volume/ray_tile.h"

namespace farfield::volume {

/// A part of a picture. What it refers to outlives it.
struct CastJob {
  const scene::VolumeLook& look;  ///< with opacities
  const scene::ColorScale& scale;
  const RayCamera& camera;
  int firstRow = 0, rows = 0;
  /// For width x rows rays, as in scene::VolumeCast.
  std::span<const float> from = {}, to = {};
  /// Of the volume, samples in it alone are wanted: `from` and `to` say so ray by ray, and bricks that have none of them are
  /// not read. Empty: all of it.
  Bounds part = {};
  double unitLength = 1;  ///< length to which opacities refer
  double stepLength = 1;  ///< between samples of a ray
  int processors = 1;
  std::stop_token stop = {};
  /// Bricks processed, of all.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
  /// A brick was read; called by tasks.
  std::function<void(std::int64_t number, const Brick& brick)> brickRead = {};
  /// Called once, when all bricks of the picture are in memory or have been: their numbers, front to back.
  std::function<void(std::vector<std::int64_t> bricks)> allRead = {};
};

struct CastStats {
  std::uint64_t bricks = 0;      ///< visible and in the view
  std::uint64_t bricksRead = 0;  ///< of these, not in memory before
  std::uint64_t samples = 0;
  double waitSeconds = 0;  ///< in which nothing was cast because bricks were being read
};

/// Writes red, green, blue (times alpha), alpha of each pixel of the rows. One at a time for a pool. Throws
/// Invalid (an impossible look), OverBudget, Cancelled, and what reading bricks throws.
void castBricks(BrickSource& source, BrickPool& pool, MemoryAccount& account, const CastJob& job,
                std::span<float> rgba, CastStats& stats);

/// The least memory in which castBricks() can make `rows` rows of the picture, with two bricks at a time.
std::uint64_t leastCastBytes(const BrickSource& source, const CastJob& job, int rows);

/// Reads the bricks of the picture that are not in memory, as many as the pool holds at a time, and casts nothing: a cast that
/// follows finds them. Throws as castBricks().
void loadBricks(BrickSource& source, BrickPool& pool, MemoryAccount& account, const CastJob& job,
                CastStats& stats);

/// Reads the bricks of the picture that are `wanted`, front to back, for somebody else: `listed` is told their numbers before any
/// is read, CastJob::brickRead gets each, and none is kept. Throws as castBricks().
void streamBricks(BrickSource& source, MemoryAccount& account, const CastJob& job,
                  const std::function<bool(std::int64_t number)>& wanted,
                  const std::function<void(const std::vector<std::int64_t>& numbers)>& listed);

/// How many bricks of the picture would have to be read. Throws as castBricks().
std::size_t bricksMissing(BrickSource& source, BrickPool& pool, MemoryAccount& account, const CastJob& job);

/// The coarsest of `levels` levels whose cells appear no larger than `pixelError` pixels; `grid` is level 0.
int levelFor(const BrickGrid& grid, int levels, const RayCamera& camera, double pixelError);

}  // namespace farfield::volume
