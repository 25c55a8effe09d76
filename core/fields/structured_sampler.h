#pragma once
// The sampler of structured blocks: regular ones, where a cell is computed from the point, and curvilinear
// ones, where it is walked to or searched; several blocks, overlapping or not, with blanked cells.
//
// The rule of location (a pure function of the previous location and the point):
//  1. Walk from the previous cell, towards where Newton's method says the point is.
//  2. Otherwise search the current block; the hit of lowest cell number counts.
//  3. Otherwise search the blocks in ascending order.
// A cell is blank if any of its nodes has iblank 0; blank cells hold nothing.
// The cells of a curvilinear block of one plane (2-D data) have four corners and hold the points of the
// plane.

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "core/fields/box_search.h"
#include "core/fields/paged_data.h"
#include "core/fields/sampler.h"
#include "core/fields/trilinear.h"

namespace farfield::fields {

class GroupScan;

class StructuredSampler final : public Sampler {
 public:
  StructuredSampler(PagedData& data, tasks::TaskContext& context,
                    std::shared_ptr<const FunctionPlan> functions, std::int64_t step);

  bool locate(Vec3 point, Location& location) override;
  Nearness locateNear(Vec3 point, Location& location) override;
  void evaluate(const Location& location, std::span<double> out) override;
  int valueCount() const override { return m_functions->outputCount(); }
  std::optional<CellFlow> flowIn(const Location& location) override;
  bool crossFace(Location& location, int axis, bool up) override;
  double cellsPerTime(const Location& location, Vec3 velocity) override;
  void goingOn(const Location& location, Vec3 velocity) override;
  const Bounds& bounds() const override { return m_data.bounds(); }

  /// Of a sampler's own memory, for the budget.
  static std::uint64_t bytesFor(const FunctionPlan& functions);

 private:
  static constexpr std::int64_t kNoCell = -1;
  /// A cell that was looked at lately. A step of an integrator goes back and forth between a few cells.
  struct RecentCell {
    std::int64_t number = kNoCell;
    Index3 at{0, 0, 0};
    bool hasGrid = false, hasValues = false;
    bool blank = false;  ///< once it has the grid
    TrilinearMap map;    ///< once it has the grid; of curvilinear blocks
    int firstValue = 0;  ///< in m_values: functions at the eight corners, one corner after the other
  };
  void bind(int block);
  RecentCell& recent(std::int64_t cell);
  void gatherCorners(const RecentCell& cell, std::span<const paging::GatherTarget> targets,
                     std::span<const int> alongside);
  const RecentCell& withGrid(std::int64_t cell);
  const RecentCell& withValues(std::int64_t cell);
  Nearness walk(Vec3 point, Location& location);
  bool searchBlock(int block, Vec3 point, Location& location);
  bool searchCurvilinear(Vec3 point, Location& location);
  void searchGroup(const CellGroup& group, Vec3 point, Location& best);
  std::int64_t addLayers(const IndexBox& cells, std::int64_t k, GroupScan& scan);
  Vec3 inCells(const Location& location, Vec3 velocity);
  bool locateRegular(Vec3 point, Location& location);
  const paging::BlockDescription& block() const {
    return m_data.description().blocks[static_cast<std::size_t>(m_block)];
  }

  PagedData& m_data;
  tasks::TaskContext& m_context;
  std::shared_ptr<const FunctionPlan> m_functions;
  std::int64_t m_step;
  BoxFunctions m_boxFunctions;  ///< for functions with gradients
  paging::Cursor m_cursor;

  int m_block = -1;
  std::optional<BoxSearch> m_search;  ///< of the bound block, once there was a search
  Index3 m_cells{0, 0, 0};            ///< of the bound block
  bool m_flat = false;                ///< the bound block is one plane
  BlockSlots m_slots;
  std::vector<int> m_gridSlots;  ///< those of xyz and iblank that there are
  std::vector<int> m_variableComponents;
  std::vector<paging::GatherTarget> m_targets;  ///< for the variables of a cell: into m_inputs

  static constexpr std::uint64_t kNoGuess = ~std::uint64_t{0};
  /// The line that goingOn() follows, in the bound block; pages are those of the first bound array.
  struct FollowedLine {
    Vec3 position;  ///< in index space
    IndexBox page;  ///< that it is in: its nodes
    bool guessing = false;
    std::uint64_t guessed = kNoGuess;  ///< number of the page named as next
    std::chrono::steady_clock::time_point entered;
    std::chrono::nanoseconds waitedBefore{0};  ///< by the cursor, when the page was entered
  };
  FollowedLine m_line;

  static constexpr int kRecentCells = 4;
  std::array<RecentCell, kRecentCells> m_recent;
  int m_latest = 0;  ///< in m_recent
  std::vector<double> m_inputs, m_nodeInputs;
  std::vector<double> m_values;
};

}  // namespace farfield::fields
