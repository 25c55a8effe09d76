#include "render/volume/cast_bands.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield::volume {
namespace {

/// Of what is left beside the least, the part for bricks; the rest is for the pages that they are made from.
constexpr std::uint64_t kPoolShare = 2;

/// Whole rows of tiles.
int halfOf(int rows) {
  return std::max(kTileSide, rows / 2 / kTileSide * kTileSide);
}

CastJob bandOf(const CastJob& job, int first, int rows) {
  CastJob band = job;
  band.firstRow = job.firstRow + first;
  band.rows = rows;
  const auto width = static_cast<std::size_t>(job.camera.width());
  const std::size_t from = width * static_cast<std::size_t>(first);
  const std::size_t rays = width * static_cast<std::size_t>(rows);
  if (!job.from.empty()) band.from = job.from.subspan(from, rays);
  if (!job.to.empty()) band.to = job.to.subspan(from, rays);
  if (rows == job.rows) return band;
  // Of what a part needs nothing follows for the next step.
  band.allRead = {};
  if (job.progress)
    band.progress = [&job, first = static_cast<std::size_t>(first), rows = static_cast<std::size_t>(rows)](
                        std::size_t done, std::size_t total) {
      job.progress(first * total + rows * done, static_cast<std::size_t>(job.rows) * total);
    };
  return band;
}

}  // namespace

void castInBands(BrickSource& source, std::unique_ptr<BrickPool>& pool, MemoryAccount& account,
                 const CastJob& job, std::span<float> rgba, CastStats& stats,
                 const std::function<bool()>& letGo) {
  const std::uint64_t least = leastCastBytes(source, job, std::min(kTileSide, job.rows));
  const auto values = 4 * static_cast<std::size_t>(job.camera.width());
  // There may be more room than when it was made.
  pool->widen((pool->bytes() + account.obtainableBytes()) / kPoolShare);
  bool hasNewPool = false;
  int rows = job.rows;
  for (int first = 0; first < job.rows;) {
    const int count = std::min(rows, job.rows - first);
    const CastJob band = bandOf(job, first, count);
    const std::uint64_t bricks = stats.bricks;
    try {
      castBricks(
          source, *pool, account, band,
          rgba.subspan(values * static_cast<std::size_t>(first), values * static_cast<std::size_t>(count)),
          stats);
      first += count;
    } catch (const OverBudget&) {
      stats.bricks = bricks;
      if (letGo()) continue;
      if (count > kTileSide) {
        rows = halfOf(count);
        continue;
      }
      if (hasNewPool) {
        account.claim(Purpose::Results, least, "the picture of the volume").release();
        throw;
      }
      hasNewPool = true;
      pool.reset();
      const std::uint64_t room = account.obtainableBytes();
      pool = std::make_unique<BrickPool>(source, account, (room - std::min(room, least)) / kPoolShare);
      rows = job.rows - first;
      while (rows > kTileSide && leastCastBytes(source, job, rows) > room / kPoolShare) rows = halfOf(rows);
    }
  }
}

}  // namespace farfield::volume
