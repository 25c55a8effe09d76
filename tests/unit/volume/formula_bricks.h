#pragma once
// Bricks of a formula: a volume whose every value is known.

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "core/tasks/scheduler.h"
#include "render/volume/caster.h"

namespace farfield::test {

class FormulaBricks final : public volume::BrickSource {
 public:
  FormulaBricks(volume::BrickGrid grid, std::function<double(Vec3)> formula, volume::BrickFormat format = {})
      : m_grid(std::move(grid)), m_formula(std::move(formula)), m_format(format) {}

  const volume::BrickGrid& grid() const override { return m_grid; }
  volume::BrickFormat format() const override { return m_format; }
  std::optional<paging::ValueRange> range(const Index3&) const override { return std::nullopt; }
  void read(const Index3& brick, tasks::TaskContext&, volume::Brick& out) override {
    {
      const std::lock_guard lock(m_mutex);
      order.push_back(brick);
    }
    ++reads;
    const Index3 cells = m_grid.cellsOf(brick);
    std::vector<double> row(static_cast<std::size_t>(cells[0] + 3));
    for (std::int64_t k = 0; k < cells[2] + 3; ++k)
      for (std::int64_t j = 0; j < cells[1] + 3; ++j) {
        for (std::int64_t i = 0; i < cells[0] + 3; ++i)
          row[static_cast<std::size_t>(i)] = m_formula({at(0, brick, i), at(1, brick, j), at(2, brick, k)});
        out.setRow(0, j, k, row);
      }
    out.finish({{0, 0, 0}, {cells[0] + 3, cells[1] + 3, cells[2] + 3}});
  }
  Vec3 bricksTogether() const override { return together; }
  std::uint64_t readBytes() const override { return 0; }
  std::unique_ptr<tasks::Scheduler> makeScheduler() const override {
    return tasks::makeScheduler({.kind = kind, .processors = 2, .workersPerProcessor = 4});
  }
  tasks::Admission* admission() override { return nullptr; }

  std::atomic<int> reads{0};
  std::vector<Index3> order;  ///< of the reads
  Vec3 together{1, 1, 1};
  tasks::SchedulerKind kind = tasks::SchedulerKind::Serial;

 private:
  double at(std::size_t axis, const Index3& brick, std::int64_t place) const {
    const std::int64_t node =
        std::clamp<std::int64_t>(brick[axis] * volume::kBrickCells - 1 + place, 0, m_grid.nodes[axis] - 1);
    return m_grid.coordinate(static_cast<int>(axis), node);
  }

  std::mutex m_mutex;
  volume::BrickGrid m_grid;
  std::function<double(Vec3)> m_formula;
  volume::BrickFormat m_format;
};

/// n nodes along each axis over 0 … size.
inline volume::BrickGrid cube(std::int64_t n, double size = 1) {
  volume::BrickGrid grid;
  grid.nodes = {n, n, n};
  const double edge = size / static_cast<double>(n - 1);
  grid.spacing = {edge, edge, edge};
  return grid;
}

struct Picture {
  int width = 64, height = 64;
  std::vector<float> rgba;
  volume::CastStats stats;
  const float* at(int x, int y) const { return &rgba[4 * static_cast<std::size_t>(y * width + x)]; }
};

struct Shot {
  scene::VolumeLook look = {};
  scene::ColorScale scale = {};
  scene::Camera camera = {};
  double step = 1, unit = 1;
  int width = 64, height = 64, processors = 2;
  std::uint64_t poolBytes = std::uint64_t{1} << 30;
  std::vector<float> from = {}, to = {};
};

/// Along -z, one unit of the picture's height over the cube 0 … 1.
inline scene::Camera alongZ() {
  return {{0.5, 0.5, 3}, {0.5, 0.5, 0.5}, {0, 1, 0}, 30, true, 1};
}

inline Picture shoot(FormulaBricks& source, const Shot& shot) {
  Picture picture{shot.width, shot.height, {}, {}};
  picture.rgba.resize(4 * static_cast<std::size_t>(shot.width * shot.height));
  MemoryAccount account(std::uint64_t{2} << 30);
  volume::BrickPool pool(source, account, shot.poolBytes);
  const volume::RayCamera camera(shot.camera, shot.width, shot.height);
  volume::CastJob job{.look = shot.look, .scale = shot.scale, .camera = camera, .rows = shot.height};
  job.from = shot.from;
  job.to = shot.to;
  job.unitLength = shot.unit;
  job.stepLength = shot.step;
  job.processors = shot.processors;
  volume::castBricks(source, pool, account, job, picture.rgba, picture.stats);
  return picture;
}

}  // namespace farfield::test
