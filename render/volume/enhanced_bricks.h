#pragma once
// Bricks in which what changes from step to step stands out: each value and so many times what it changed by since the step
// before. The temporal enhancement of Yu & Ma, "I/O strategies for parallel rendering of large time-varying volume data" (2004).

#include <memory>

#include "render/volume/brick_source.h"

namespace farfield::volume {

class EnhancedBricks final : public BrickSource {
 public:
  /// `before` is the same level of the same variable at an earlier step; `times` ≥ 0. What integers cannot hold ends at the ends of
  /// their type. A value that is missing at either step is missing.
  EnhancedBricks(std::unique_ptr<BrickSource> now, std::unique_ptr<BrickSource> before, double times);
  const BrickGrid& grid() const override { return m_now->grid(); }
  BrickFormat format() const override { return m_now->format(); }
  std::optional<paging::ValueRange> range(const Index3& brick) const override;
  std::optional<paging::ValueRange> wholeRange() const override;
  Vec3 bricksTogether() const override { return m_now->bricksTogether(); }
  void read(const Index3& brick, tasks::TaskContext& context, Brick& out) override;
  std::uint64_t readBytes() const override;
  std::unique_ptr<tasks::Scheduler> makeScheduler() const override { return m_now->makeScheduler(); }
  tasks::Admission* admission() override { return m_now->admission(); }

 private:
  std::optional<paging::ValueRange> enhanced(const std::optional<paging::ValueRange>& now,
                                             const std::optional<paging::ValueRange>& before) const;

  const std::unique_ptr<BrickSource> m_now, m_before;
  const double m_times;
};

}  // namespace farfield::volume
