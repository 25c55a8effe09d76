#pragma once
// Any grid as a volume: bricks of a regular grid over its bounds, resampled where they are viewed. Nodes
// outside of the data and in blank cells are NaN. Each brick also compares a few points between its nodes
// with the field itself.

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "core/fields/paged/paged_data.h"
#include "render/volume/brick_file.h"
#include "render/volume/brick_source.h"

namespace farfield::volume {

/// Differences between bricks and the field, at points spread over the cells.
struct SampleError {
  std::uint64_t places = 0;
  double sum = 0, most = 0;  ///< absolute differences
};

class SampledBricks final : public BrickSource {
 public:
  /// The regular grid of level 0 for data without a regular one (core/fields/cells/regular_grid.h).
  static BrickGrid gridFor(const paging::DatasetDescription& data, const Bounds& bounds,
                           int alongLongest = 0);
  /// Number of levels of such a grid: down to 64 nodes along its longest axis, or 16 for who has little time.
  static int levelsOf(const BrickGrid& grid, bool littleTime = false);

  /// `level` of `finest`. `data` outlives it. Bricks are kept in a file in `folder` of at most `fileBytes`.
  SampledBricks(fields::PagedData& data, std::shared_ptr<const fields::FunctionPlan> function,
                std::int64_t step, const BrickGrid& finest, int level, const std::filesystem::path& folder,
                std::uint64_t fileBytes);

  const BrickGrid& grid() const override { return m_grid; }
  BrickFormat format() const override { return {}; }
  std::optional<paging::ValueRange> range(const Index3&) const override { return std::nullopt; }
  void read(const Index3& brick, tasks::TaskContext& context, Brick& out) override;
  std::uint64_t readBytes() const override;
  std::unique_ptr<tasks::Scheduler> makeScheduler() const override { return m_data.makeScheduler(); }
  tasks::Admission* admission() override { return &m_data.admission(); }
  SampleError error() const;
  /// Called by tasks with the number of samples whenever some were taken; while no task runs it can be set and taken away.
  void setSampled(std::function<void(std::size_t samples)> sampled) { m_sampled = std::move(sampled); }
  std::uint64_t fileBytes() const { return m_file.bytes(); }

 private:
  void compare(fields::Sampler& sampler, const Index3& brick, const Brick& filled);

  fields::PagedData& m_data;
  std::shared_ptr<const fields::FunctionPlan> m_function;
  const std::int64_t m_step;
  BrickGrid m_grid;
  BrickFile m_file;
  std::function<void(std::size_t samples)> m_sampled;
  mutable std::mutex m_mutex;
  SampleError m_error;
};

}  // namespace farfield::volume
