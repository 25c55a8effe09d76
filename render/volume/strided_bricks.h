#pragma once
// A coarse level of data that have none: every second, fourth, … node along each axis, each read by itself or in its row, so
// that something of data of any size is seen at once. Finer things may be missing between the nodes.

#include <memory>

#include "core/fields/paged_data.h"
#include "render/volume/brick_source.h"
#include "render/volume/paged_bricks.h"

namespace farfield::volume {

class StridedBricks final : public BrickSource {
 public:
  /// Levels that such data have, level 0 included: down to 64 nodes along the longest axis. 1 where the variable is not stored as it is
  /// shown or cannot be read but in pages.
  static int levelsOf(const fields::PagedData& data, const fields::FunctionPlan& function);

  /// Level `level`, above 0, of the first block of `data`, which outlives it and has such levels.
  StridedBricks(fields::PagedData& data, const fields::FunctionPlan& function, std::int64_t step, int level);

  const BrickGrid& grid() const override { return m_grid; }
  BrickFormat format() const override { return m_format; }
  std::optional<paging::ValueRange> range(const Index3&) const override { return std::nullopt; }
  /// The calling thread reads, and waits for it: rows are asked for where they are needed, as formulas are.
  void read(const Index3& brick, tasks::TaskContext& context, Brick& out) override;
  std::uint64_t readBytes() const override { return m_rowBytes + 512; }
  std::unique_ptr<tasks::Scheduler> makeScheduler() const override { return m_data.makeScheduler(); }
  tasks::Admission* admission() override { return nullptr; }
  bool isStrided() const override { return true; }

 private:
  fields::PagedData& m_data;
  const paging::BoxReader& m_reader;
  const std::int64_t m_step;
  BrickGrid m_grid;
  BrickFormat m_format;
  std::uint32_t m_array = 0;  ///< of the reader's
  int m_component = 0;
  ScalarType m_type = ScalarType::F32;
  std::int64_t m_stride;
  bool m_byNode;  ///< nothing is gained by reading rows
  std::uint64_t m_nodeBytes, m_rowBytes;
};

}  // namespace farfield::volume
