#pragma once
// A volume as the ranges of its pages tell it, for a first sight of data whose coarse levels are not there yet: a voxel for
// each page, with the middle of its range. Reads no page.

#include <memory>
#include <vector>

#include "core/base/interval.h"
#include "core/fields/paged/paged_data.h"
#include "core/scene/volume.h"
#include "render/volume/brick_source.h"

namespace farfield::volume {

class OverviewBricks final : public BrickSource {
 public:
  /// Of data that PagedBricks::canShow(). Null where ranges are not known without reading, or say nothing of the
  /// function, which uses derivatives. Looks up the ranges, some hundred thousand at most. Throws what looking them up
  /// throws, OverBudget.
  static std::unique_ptr<OverviewBricks> make(fields::PagedData& data, const fields::FunctionPlan& function,
                                              std::int64_t step, MemoryAccount& account);
  /// The same of any grid, over the bounds of `finest`: where a page is, its coordinates' ranges tell.
  static std::unique_ptr<OverviewBricks> makeOver(const BrickGrid& finest, fields::PagedData& data,
                                                  const fields::FunctionPlan& function, std::int64_t step,
                                                  MemoryAccount& account);
  /// The values that it has, between the least and the greatest that pages may have.
  scene::VolumeHistogram values() const;

  const BrickGrid& grid() const override { return m_grid; }
  BrickFormat format() const override { return {}; }
  std::optional<paging::ValueRange> range(const Index3&) const override { return std::nullopt; }
  void read(const Index3& brick, tasks::TaskContext& context, Brick& out) override;
  std::uint64_t readBytes() const override { return 4096; }
  std::unique_ptr<tasks::Scheduler> makeScheduler() const override { return m_data.makeScheduler(); }
  tasks::Admission* admission() override { return &m_data.admission(); }

 private:
  explicit OverviewBricks(fields::PagedData& data) : m_data(data) {}
  bool look(const fields::FunctionPlan& function, std::int64_t step, MemoryAccount& account);
  void shareOut(const std::vector<float>& middles, const Index3& pages);
  bool lookOver(const BrickGrid& finest, const fields::FunctionPlan& function, std::int64_t step,
                MemoryAccount& account);
  struct Sums;
  bool addBlock(int block, const fields::FunctionPlan& function, std::int64_t step, std::int64_t stride,
                Sums& sums);

  fields::PagedData& m_data;
  BrickGrid m_grid;  ///< its nodes are where pages meet
  MemoryClaim m_claim;
  std::vector<float> m_values;  ///< at the nodes, i fastest
  Interval m_range;  ///< of what is looked over: of all its pages, or, where it is computed, of their middles
};

}  // namespace farfield::volume
