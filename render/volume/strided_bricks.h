#pragma once
// A coarse level of data without levels: every second, fourth, … node along each axis, each read by itself or
// in its row, so that something of data of any size is shown at once. Details between the nodes may be
// missing.

#include <memory>

#include "core/fields/paged_data.h"
#include "render/volume/brick_source.h"
#include "render/volume/paged_bricks.h"

namespace farfield::volume {

class StridedBricks final : public BrickSource {
 public:
  /// Levels of such data, level 0 included: down to 64 nodes along the longest axis. 1 if the variable is not
  /// stored as it is shown or can only be read in pages.
  static int levelsOf(const fields::PagedData& data, const fields::FunctionPlan& function);

  /// Level `level`, above 0, of the first block of `data`, which outlives it and has such levels.
  StridedBricks(fields::PagedData& data, const fields::FunctionPlan& function, std::int64_t step, int level);

  const BrickGrid& grid() const override { return m_grid; }
  BrickFormat format() const override { return m_format; }
  std::optional<paging::ValueRange> range(const Index3&) const override { return std::nullopt; }
  /// Reads on the calling thread, and waits: rows are read when they are needed, as formulas are computed.
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
  std::uint32_t m_array = 0;  ///< of the reader
  int m_component = 0;
  ScalarType m_type = ScalarType::F32;
  std::int64_t m_stride;
  bool m_byNode;  ///< reading rows gains nothing
  std::uint64_t m_nodeBytes, m_rowBytes;
};

}  // namespace farfield::volume
