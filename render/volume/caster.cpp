#include "render/volume/caster.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <future>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "render/volume/brick_order.h"
#include "render/volume/cast_look.h"
#include "render/volume/picture_loop.h"
#include "render/volume/tile_aim.h"

namespace farfield::volume {
namespace {

/// Bricks read before the next are chosen: few enough that tiles that become opaque meanwhile are noticed.
constexpr std::size_t kMostPerBatch = 1024;
/// Bricks for somebody else at a time, of as much of the memory.
constexpr std::size_t kMostStreamed = 256;
constexpr std::uint64_t kStreamedShare = 8;

class WaitClock {
 public:
  explicit WaitClock(double& seconds) : m_seconds(seconds) {}
  ~WaitClock() {
    m_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_since).count();
  }
  WaitClock(const WaitClock&) = delete;
  WaitClock& operator=(const WaitClock&) = delete;

 private:
  double& m_seconds;
  std::chrono::steady_clock::time_point m_since = std::chrono::steady_clock::now();
};

struct Seen {
  std::int64_t number = 0;
  double place = 0;  ///< in the order
  PixelBox pixels;
};

struct Batch {
  std::size_t first = 0, last = 0;  ///< indices in the list of bricks
  std::vector<BrickPool::Held> held;
};

class Cast {
 public:
  using State = std::array<std::array<float, kTileRays>, 4>;

  Cast(BrickSource& source, BrickPool& pool, MemoryAccount& account, const CastJob& job, CastStats& stats)
      : m_source(source),
        m_pool(pool),
        m_account(account),
        m_job(job),
        m_stats(stats),
        m_look(source.grid(), source.format(), job),
        m_aim(source.grid(), job.look, job.camera, job.stepLength),
        m_loop(job.processors) {
    m_columns = (job.camera.width() + kTileSide - 1) / kTileSide;
    m_tileRows = (job.rows + kTileSide - 1) / kTileSide;
  }

  /// For a tile of the picture, and the list of as many bricks as it may have in a batch.
  static constexpr std::uint64_t tileBytes(std::uint64_t bricks) {
    return sizeof(State) + 1 + sizeof(std::vector<std::uint32_t>) + 2 * bricks * sizeof(std::uint32_t);
  }
  void run(std::span<float> rgba);
  void load();
  std::size_t missing();
  void stream(const std::function<bool(std::int64_t)>& wanted,
              const std::function<void(const std::vector<std::int64_t>&)>& listed);

 private:
  void listBricks();
  Batch choose(std::size_t from);
  void read(const Batch& batch);
  void release(Batch& batch, bool failed);
  void cast(const Batch& batch);
  void castTile(std::size_t tile, const Batch& batch, const std::vector<std::uint32_t>& bricks, RayTile& rays,
                std::vector<std::uint64_t>& seen);
  void marchThrough(const Seen& brick, const Brick& values, std::uint64_t groups, const PixelBox& pixels,
                    RayTile& rays);
  void put(std::span<float> rgba) const;
  PixelBox pixelsOf(std::size_t tile) const;
  bool mattersStill(const Seen& brick) const;

  BrickSource& m_source;
  BrickPool& m_pool;
  MemoryAccount& m_account;
  const CastJob& m_job;
  CastStats& m_stats;
  CastLook m_look;
  Aim m_aim;
  PictureLoop m_loop;
  int m_columns = 0, m_tileRows = 0;
  MemoryClaim m_claim, m_listClaim, m_tileClaim;
  std::vector<State> m_states;
  std::vector<std::uint8_t> m_alive;  ///< by tile: some ray goes on
  std::vector<Seen> m_bricks;
  std::vector<std::int64_t> m_met;  ///< bricks that were held, where somebody wants to know
  std::atomic<std::uint64_t> m_samples{0};
};

void Cast::listBricks() {
  const BrickGrid& grid = m_source.grid();
  const Index3 bricks = grid.bricks();
  const std::int64_t count = grid.brickCount();
  m_listClaim = m_account.claim(Purpose::Work, static_cast<std::uint64_t>(count) * sizeof(Seen),
                                "the picture of the volume");
  const BrickOrder order(grid, m_job.camera, m_source.bricksTogether());
  const int lastRow = m_job.firstRow + m_job.rows;
  for (std::int64_t number = 0; number < count; ++number) {
    const Index3 at = unlinear(number, bricks);
    const Bounds box = grid.boundsOf(at);
    bool outside = false;
    for (int a = 0; a < 3; ++a)
      outside = outside || box.max[a] < m_aim.box.min[a] || box.min[a] > m_aim.box.max[a];
    // a sample at the end of a part may count for half a step of it only, and lie beyond
    for (int a = 0; a < 3 && !m_job.part.empty(); ++a)
      outside = outside || box.max[a] < m_job.part.min[a] - m_job.stepLength ||
                box.min[a] > m_job.part.max[a] + m_job.stepLength;
    if (outside) continue;
    PixelBox pixels = m_job.camera.project(box);
    pixels.y0 = std::max(pixels.y0, m_job.firstRow);
    pixels.y1 = std::min(pixels.y1, lastRow);
    if (pixels.empty()) continue;
    const auto range = m_source.range(at);
    if (range && !m_look.isSeen(*range)) continue;
    m_bricks.push_back({number, order.placeOf(at), pixels});
    if (number % 4096 == 0 && m_job.stop.stop_requested()) throw Cancelled();
  }
  std::sort(m_bricks.begin(), m_bricks.end(), [](const Seen& a, const Seen& b) {
    return a.place != b.place ? a.place < b.place : a.number < b.number;
  });
  m_stats.bricks += m_bricks.size();
}

PixelBox Cast::pixelsOf(std::size_t tile) const {
  const int x = static_cast<int>(tile) % m_columns * kTileSide;
  const int y = m_job.firstRow + static_cast<int>(tile) / m_columns * kTileSide;
  return {x, y, std::min(x + kTileSide, m_job.camera.width()),
          std::min(y + kTileSide, m_job.firstRow + m_job.rows)};
}

bool Cast::mattersStill(const Seen& brick) const {
  for (int y = (brick.pixels.y0 - m_job.firstRow) / kTileSide;
       y <= (brick.pixels.y1 - 1 - m_job.firstRow) / kTileSide; ++y)
    for (int x = brick.pixels.x0 / kTileSide; x <= (brick.pixels.x1 - 1) / kTileSide; ++x)
      if (m_alive[static_cast<std::size_t>(y * m_columns + x)]) return true;
  return false;
}

Batch Cast::choose(std::size_t from) {
  Batch batch{from, from, {}};
  const std::size_t most = std::max<std::size_t>(1, m_pool.capacity() / 2);
  std::size_t toRead = 0, held = 0;
  try {
    while (batch.last < m_bricks.size() && held < most && toRead < kMostPerBatch) {
      const Seen& brick = m_bricks[batch.last];
      BrickPool::Held place;
      if (mattersStill(brick)) {
        place = m_pool.hold(brick.number);
        if (!place.brick) break;  // bricks held by others are free when they are done
        ++held;
        if (m_job.allRead) m_met.push_back(brick.number);
        if (place.toRead) ++toRead;
      }
      batch.held.push_back(place);
      ++batch.last;
    }
  } catch (...) {
    // What has no values yet is not to be found as if it had.
    release(batch, true);
    throw;
  }
  return batch;
}

void Cast::read(const Batch& batch) {
  std::vector<std::size_t> toRead;
  for (std::size_t n = 0; n < batch.held.size(); ++n)
    if (batch.held[n].toRead) toRead.push_back(n);
  if (toRead.empty()) return;
  const Index3 bricks = m_source.grid().bricks();
  // in the order of pages, so that neighbours are read together
  std::sort(toRead.begin(), toRead.end(), [&](std::size_t a, std::size_t b) {
    return m_bricks[batch.first + a].number < m_bricks[batch.first + b].number;
  });
  tasks::TaskGroup group;
  group.name = "volume";
  group.count = toRead.size();
  group.admission = m_source.admission();
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    const std::size_t which = toRead[n];
    const std::int64_t number = m_bricks[batch.first + which].number;
    m_source.read(unlinear(number, bricks), context, *batch.held[which].brick);
    if (m_job.brickRead) m_job.brickRead(number, *batch.held[which].brick);
  };
  m_source.makeScheduler()->run(group, m_job.stop);
  m_stats.bricksRead += toRead.size();
}

void Cast::marchThrough(const Seen& brick, const Brick& values, std::uint64_t groups, const PixelBox& pixels,
                        RayTile& rays) {
  const BrickGrid& grid = m_source.grid();
  const Index3 at = unlinear(brick.number, grid.bricks()), count = grid.bricks();
  const Index3 cells = values.cells();
  MarchBrick march;
  march.brick = &values;
  march.seen = groups;
  std::array<std::array<float, kBrickSide>, 3> nodes, rates;
  for (std::size_t a = 0; a < 3; ++a) {
    const int axis = static_cast<int>(a);
    const std::int64_t first = at[a] * kBrickCells;
    const bool counted = !grid.rectilinear();
    const double low = counted ? static_cast<double>(first) : grid.coordinate(axis, first);
    const double high =
        counted ? static_cast<double>(first + cells[a]) : grid.coordinate(axis, first + cells[a]);
    march.first[a] = low;
    march.low[a] = at[a] == 0 ? -INFINITY : low;
    march.high[a] = at[a] + 1 == count[a] ? INFINITY : high;
    if (counted) continue;
    for (std::int64_t n = 0; n < cells[a] + 3; ++n) {
      const std::int64_t node = std::clamp<std::int64_t>(first + n - 1, 0, grid.nodes[a] - 1);
      nodes[a][static_cast<std::size_t>(n)] = static_cast<float>(grid.coordinate(axis, node) - low);
    }
    for (std::int64_t n = 0; n + 1 < cells[a] + 3; ++n) {
      const float width = nodes[a][static_cast<std::size_t>(n + 1)] - nodes[a][static_cast<std::size_t>(n)];
      rates[a][static_cast<std::size_t>(n)] = width > 0 ? 1 / width : 0;
    }
    rates[a][static_cast<std::size_t>(cells[a] + 2)] = 0;
    march.nodes[a] = nodes[a].data();
    march.rates[a] = rates[a].data();
  }
  const PixelBox part{
      std::max(pixels.x0, brick.pixels.x0) - pixels.x0, std::max(pixels.y0, brick.pixels.y0) - pixels.y0,
      std::min(pixels.x1, brick.pixels.x1) - pixels.x0, std::min(pixels.y1, brick.pixels.y1) - pixels.y0};
  m_samples.fetch_add(volume::march(m_look.march(), march, rays, part.x0, part.y0, part.x1, part.y1),
                      std::memory_order_relaxed);
}

void Cast::castTile(std::size_t tile, const Batch& batch, const std::vector<std::uint32_t>& bricks,
                    RayTile& rays, std::vector<std::uint64_t>& seen) {
  const PixelBox pixels = pixelsOf(tile);
  State& state = m_states[tile];
  if (!aimTile(m_aim, pixels, m_job.firstRow, m_job.from, m_job.to, rays)) {
    m_alive[tile] = 0;
    return;
  }
  rays.state = state;
  const auto goesOn = [&] {
    if (m_job.look.mode == Mode::Maximum || m_job.look.mode == Mode::Average) return true;
    for (std::size_t r = 0; r < kTileRays; ++r)
      if (rays.first[r] < rays.end[r] && rays.state[3][r] < kOpaque) return true;
    return false;
  };
  int sinceLook = 0;
  for (const std::uint32_t n : bricks) {
    if (seen[n] == 0) continue;
    marchThrough(m_bricks[batch.first + n], *batch.held[n].brick, seen[n], pixels, rays);
    if (++sinceLook < 8) continue;
    sinceLook = 0;
    if (!goesOn() || m_job.stop.stop_requested()) break;
  }
  if (!goesOn()) m_alive[tile] = 0;
  state = rays.state;
}

void Cast::cast(const Batch& batch) {
  const std::size_t tiles = m_states.size();
  // the bricks of each tile, in order
  std::uint64_t pairs = 0;
  const auto eachTile = [&](const Seen& brick, const auto& visit) {
    for (int y = (brick.pixels.y0 - m_job.firstRow) / kTileSide;
         y <= (brick.pixels.y1 - 1 - m_job.firstRow) / kTileSide; ++y)
      for (int x = brick.pixels.x0 / kTileSide; x <= (brick.pixels.x1 - 1) / kTileSide; ++x) {
        const auto tile = static_cast<std::size_t>(y * m_columns + x);
        if (m_alive[tile]) visit(tile);
      }
  };
  for (std::size_t n = 0; n < batch.held.size(); ++n)
    if (batch.held[n].brick) eachTile(m_bricks[batch.first + n], [&](std::size_t) { ++pairs; });
  // growing vectors take up to twice their size
  const MemoryClaim claim =
      m_account.claim(Purpose::Work,
                      2 * pairs * sizeof(std::uint32_t) + tiles * sizeof(std::vector<std::uint32_t>) +
                          batch.held.size() * sizeof(std::uint64_t),
                      "the picture of the volume");
  std::vector<std::vector<std::uint32_t>> ofTile(tiles);
  std::vector<std::uint64_t> seen(batch.held.size());
  m_loop.each(seen.size(), [&](std::size_t n, std::size_t) {
    if (batch.held[n].brick) {
      const Brick& brick = *batch.held[n].brick;
      seen[n] = m_look.groupsSeen(brick.groupLow(), brick.groupHigh());
    }
  });
  for (std::size_t n = 0; n < batch.held.size(); ++n)
    if (batch.held[n].brick && seen[n])
      eachTile(m_bricks[batch.first + n],
               [&](std::size_t tile) { ofTile[tile].push_back(static_cast<std::uint32_t>(n)); });
  std::vector<std::unique_ptr<RayTile>> rays(m_loop.threads());
  m_loop.each(tiles, [&](std::size_t tile, std::size_t thread) {
    if (ofTile[tile].empty() || !m_alive[tile] || m_job.stop.stop_requested()) return;
    auto& own = rays[thread];
    if (!own) own = std::make_unique<RayTile>();
    castTile(tile, batch, ofTile[tile], *own, seen);
  });
  if (m_job.stop.stop_requested()) throw Cancelled();
}

void Cast::release(Batch& batch, bool failed) {
  for (const BrickPool::Held& held : batch.held) {
    if (failed && held.brick && held.toRead) m_pool.forget(held);
    m_pool.release(held);
  }
  batch.held.clear();
}

void Cast::load() {
  m_alive.assign(static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_tileRows), 1);
  listBricks();
  std::size_t loaded = 0;
  for (Batch batch = choose(0); batch.first < batch.last; batch = choose(batch.last)) {
    loaded += batch.held.size();
    // what comes last would take the place of what is needed first
    const bool fits = loaded <= m_pool.capacity();
    try {
      if (fits) read(batch);
    } catch (...) {
      release(batch, true);
      throw;
    }
    release(batch, !fits);
    if (!fits) return;
    if (m_job.progress) m_job.progress(batch.last, m_bricks.size());
    if (m_job.stop.stop_requested()) throw Cancelled();
  }
}

void Cast::run(std::span<float> rgba) {
  const auto tiles = static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_tileRows);
  m_claim = m_account.claim(Purpose::Results, tiles * (sizeof(State) + 1), "the picture of the volume");
  m_tileClaim =
      m_account.claim(Purpose::Work, m_loop.threads() * sizeof(RayTile), "the picture of the volume");
  State empty{};
  for (std::size_t c = 0; c < 4; ++c) empty[c].fill(m_look.emptyState()[c]);
  m_states.assign(tiles, empty);
  m_alive.assign(tiles, 1);
  listBricks();

  Batch now = choose(0);
  try {
    const WaitClock waiting(m_stats.waitSeconds);
    read(now);
  } catch (...) {
    release(now, true);
    throw;
  }
  while (now.first < m_bricks.size()) {
    Batch next{now.last, now.last, {}};
    std::future<void> reading;
    try {
      next = choose(now.last);
      if (m_job.allRead && now.last == m_bricks.size()) m_job.allRead(std::move(m_met));
      if (std::any_of(next.held.begin(), next.held.end(), [](const auto& held) { return held.toRead; }))
        reading = std::async(std::launch::async, [&] { read(next); });
      cast(now);
    } catch (...) {
      if (reading.valid()) reading.wait();
      release(now, false);
      release(next, true);
      throw;
    }
    release(now, false);
    if (m_job.progress) m_job.progress(now.last, m_bricks.size());
    try {
      const WaitClock waiting(m_stats.waitSeconds);
      if (reading.valid()) reading.get();
      if (next.first == next.last && next.last < m_bricks.size()) {
        // there was no room for any besides the last
        next = choose(now.last);
        if (next.first == next.last)
          m_account.refuse(Brick::bytesOf(m_source.format()), "the picture of the volume");
        read(next);
      }
    } catch (...) {
      release(next, true);
      throw;
    }
    now = std::move(next);
    if (now.first == now.last) break;
  }
  m_stats.samples += m_samples.load();
  put(rgba);
}

void Cast::stream(const std::function<bool(std::int64_t)>& wanted,
                  const std::function<void(const std::vector<std::int64_t>&)>& listed) {
  listBricks();
  std::erase_if(m_bricks, [&](const Seen& brick) { return !wanted(brick.number); });
  std::vector<std::int64_t> numbers;
  for (const Seen& brick : m_bricks) numbers.push_back(brick.number);
  listed(numbers);
  if (numbers.empty()) return;
  const std::uint64_t bytes = Brick::bytesOf(m_source.format());
  const auto together = static_cast<std::size_t>(std::clamp<std::uint64_t>(
      m_account.obtainableBytes() / kStreamedShare / bytes, 1, std::min(numbers.size(), kMostStreamed)));
  const MemoryClaim claim =
      m_account.claim(Purpose::Work, together * bytes, "bricks that are read for other ranks");
  std::vector<std::unique_ptr<Brick>> bricks(together);
  const Index3 count = m_source.grid().bricks();
  for (std::size_t first = 0; first < numbers.size(); first += together) {
    tasks::TaskGroup group;
    group.name = "volume";
    group.count = std::min(together, numbers.size() - first);
    group.admission = m_source.admission();
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      const std::int64_t number = numbers[first + n];
      const Index3 at = unlinear(number, count);
      const Index3 cells = m_source.grid().cellsOf(at);
      if (bricks[n])
        bricks[n]->become(cells);
      else
        bricks[n] = std::make_unique<Brick>(m_source.format(), cells);
      m_source.read(at, context, *bricks[n]);
      m_job.brickRead(number, *bricks[n]);
    };
    m_source.makeScheduler()->run(group, m_job.stop);
    m_stats.bricksRead += group.count;
  }
}

std::size_t Cast::missing() {
  listBricks();
  return static_cast<std::size_t>(std::count_if(
      m_bricks.begin(), m_bricks.end(), [&](const Seen& brick) { return !m_pool.has(brick.number); }));
}

void Cast::put(std::span<float> rgba) const {
  const auto width = static_cast<std::size_t>(m_job.camera.width());
  for (std::size_t tile = 0; tile < m_states.size(); ++tile) {
    const PixelBox pixels = pixelsOf(tile);
    const State& state = m_states[tile];
    for (int y = pixels.y0; y < pixels.y1; ++y)
      for (int x = pixels.x0; x < pixels.x1; ++x) {
        const auto r = static_cast<std::size_t>((y - pixels.y0) * kTileSide + x - pixels.x0);
        const std::size_t at =
            4 * (static_cast<std::size_t>(y - m_job.firstRow) * width + static_cast<std::size_t>(x));
        m_look.pixelOf({state[0][r], state[1][r], state[2][r], state[3][r]}, rgba.subspan(at).first<4>());
      }
  }
}

}  // namespace

void castBricks(BrickSource& source, BrickPool& pool, MemoryAccount& account, const CastJob& job,
                std::span<float> rgba, CastStats& stats) {
  Cast(source, pool, account, job, stats).run(rgba);
}

std::uint64_t leastCastBytes(const BrickSource& source, const CastJob& job, int rows) {
  const auto threads = static_cast<std::uint64_t>(std::max(1, job.processors));
  const auto tiles = static_cast<std::uint64_t>((job.camera.width() + kTileSide - 1) / kTileSide) *
                     static_cast<std::uint64_t>((rows + kTileSide - 1) / kTileSide);
  return tiles * Cast::tileBytes(2) + threads * sizeof(RayTile) +
         static_cast<std::uint64_t>(source.grid().brickCount()) * sizeof(Seen) +
         BrickPool::leastBytes(source.format()) +
         tasks::stackBytesOf({.processors = job.processors, .workersPerProcessor = 1});
}

void loadBricks(BrickSource& source, BrickPool& pool, MemoryAccount& account, const CastJob& job,
                CastStats& stats) {
  Cast(source, pool, account, job, stats).load();
}

void streamBricks(BrickSource& source, MemoryAccount& account, const CastJob& job,
                  const std::function<bool(std::int64_t)>& wanted,
                  const std::function<void(const std::vector<std::int64_t>&)>& listed) {
  CastStats unused;
  BrickPool none(source, account, 0);
  Cast(source, none, account, job, unused).stream(wanted, listed);
}

std::size_t bricksMissing(BrickSource& source, BrickPool& pool, MemoryAccount& account, const CastJob& job) {
  CastStats unused;
  return Cast(source, pool, account, job, unused).missing();
}

int levelFor(const BrickGrid& grid, int levels, const RayCamera& camera, double pixelError) {
  const Bounds box = grid.bounds();
  double nearest = INFINITY;
  for (int corner = 0; corner < 8; ++corner)
    nearest = std::min(nearest,
                       camera.depthOf({corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                                       corner & 4 ? box.max.z : box.min.z}));
  const double most = pixelError * camera.pixelSize(nearest);
  double edge = 0;
  for (int a = 0; a < 3; ++a)
    edge = std::max(
        edge, (box.max[a] - box.min[a]) / static_cast<double>(grid.nodes[static_cast<std::size_t>(a)] - 1));
  int level = 0;
  while (level + 1 < levels && edge * std::pow(2.0, level + 1) <= most) ++level;
  return level;
}

}  // namespace farfield::volume
