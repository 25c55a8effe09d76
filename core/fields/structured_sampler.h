#pragma once
// The sampler of structured blocks: regular ones, where a cell is computed from the point, and curvilinear
// ones, where it is walked to or searched; several blocks, overlapping or not, with blanked cells.
//
// The rule of location (a pure function of the previous location and the point):
//  1. Walk from the previous cell, towards where Newton's method says the point is.
//  2. Otherwise search the current block; the hit of lowest cell number counts.
//  3. Otherwise search the blocks in ascending order.
// A cell is blank if any of its nodes has iblank 0; blank cells hold nothing.

#include <array>
#include <memory>
#include <vector>

#include "core/fields/box_search.h"
#include "core/fields/paged_data.h"
#include "core/fields/sampler.h"
#include "core/fields/trilinear.h"

namespace farfield::fields {

class StructuredSampler final : public Sampler {
 public:
  StructuredSampler(PagedData& data, tasks::TaskContext& context,
                    std::shared_ptr<const FunctionPlan> functions, std::int64_t step);

  bool locate(Vec3 point, Location& location) override;
  void evaluate(const Location& location, std::span<double> out) override;
  int valueCount() const override { return m_functions->outputCount(); }
  double cellsPerTime(const Location& location, Vec3 velocity) override;
  const Bounds& bounds() const override { return m_data.bounds(); }

 private:
  enum class WalkResult { Found, Lost };
  void bind(int block);
  void loadCell(std::int64_t cell);
  void loadValues(std::int64_t cell);
  WalkResult walk(Vec3 point, Location& location);
  bool searchBlock(int block, Vec3 point, Location& location);
  bool searchCurvilinear(Vec3 point, Location& location);
  bool locateRegular(Vec3 point, Location& location);
  bool isBlank() const;
  const paging::BlockDescription& block() const {
    return m_data.description().blocks[static_cast<std::size_t>(m_block)];
  }

  PagedData& m_data;
  tasks::TaskContext& m_context;
  std::shared_ptr<const FunctionPlan> m_functions;
  std::int64_t m_step;
  paging::Cursor m_cursor;

  int m_block = -1;
  Index3 m_cells{0, 0, 0};  ///< of the bound block
  int m_xyzSlot = -1, m_iblankSlot = -1;
  std::vector<int> m_variableSlots;
  std::vector<int> m_variableComponents;

  std::int64_t m_cell = -1;  ///< whose corners are loaded
  CellCorners m_corners;
  std::array<double, 8> m_iblank;
  std::int64_t m_valueCell = -1;  ///< whose functions are loaded
  std::vector<double> m_inputs, m_nodeInputs;
  std::vector<double> m_nodeValues;  ///< functions at the eight corners, one corner after the other
};

}  // namespace farfield::fields
