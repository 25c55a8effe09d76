#pragma once
// The sampler of structured blocks: regular and rectilinear ones, whose cells are computed or found in the
// axes, and curvilinear ones, which are walked or searched; several blocks, overlapping or not, with blanked
// cells.
//
// The rule of location, a pure function of the previous location and the point:
//  1. Walk from the previous cell, towards where Newton's method says the point is.
//  2. Otherwise search the current block; the hit of lowest cell number counts.
//  3. Otherwise search the blocks in ascending order; the boxes of adaptive grids in descending order, so that a point on
//     a face between levels belongs to the finer one.
// A cell is blank if any of its nodes has iblank 0; blank cells hold nothing. The cells of a block of one
// plane (2-D data) have four corners and hold the points of the plane. Whichever axis that plane is one node thick along comes last in its
// cells, in their indices and their coordinates: data with other names of their axes have the same lines, to the last bit.
//
// Between two steps the functions are computed at the nodes of both, and are linear in time, as the
// coordinates of the nodes are; a cell that is blank at one of them is blank. Arrays without steps are
// gathered once. Where time is cubic (step_curve.h) they are computed at the steps before and after these as well, if there
// are any at which the cell is not blank.

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "core/fields/cells/cells_between.h"
#include "core/fields/cells/recent_cells.h"
#include "core/fields/cells/step_curve.h"
#include "core/fields/cells/trilinear.h"
#include "core/fields/paged/box_search.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/paged/sampler.h"

namespace farfield::fields {

class GroupScan;

class StructuredSampler final : public Sampler, public CellsBetween {
 public:
  /// May be asked for times between steps if `data` was planned for two steps at a time, and for cubic ones if for four.
  StructuredSampler(PagedData& data, tasks::TaskContext& context,
                    std::shared_ptr<const FunctionPlan> functions);

  bool locate(Vec3 point, FieldTime time, Location& location) override;
  Nearness locateNear(Vec3 point, FieldTime time, Location& location) override;
  void evaluate(const Location& location, FieldTime time, std::span<double> out) override;
  int valueCount() const override { return m_functions->outputCount(); }
  std::optional<CellFlow> flowIn(const Location& location, FieldTime time) override;
  bool crossFace(Location& location, FieldTime time, int face) override;
  double outsideBy(const Location& location) override { return Hexahedron::outsideBy(location.xi); }
  double cellsPerTime(const Location& location, FieldTime time, Vec3 velocity) override;
  void goingOn(const Location& location, FieldTime time, Vec3 velocity) override;
  const Bounds& bounds() const override { return m_data.bounds(); }
  void takeCell(std::int32_t block, std::int64_t number, std::int64_t step, CellBetween& cell,
                std::span<double> values) override;
  std::span<const double> nextValues(std::int32_t block, std::int64_t number, std::int64_t step) override;

  /// Memory of a sampler, for the budget.
  static std::uint64_t bytesFor(const FunctionPlan& functions, int stepsAtATime);

 private:
  static constexpr int kCornerNumbers = 24;  ///< x y z of the corners of a cell
  /// A recently used cell.
  struct RecentCell {
    std::int64_t number = kNoCell;
    Index3 at{0, 0, 0};
    bool hasGrid = false, hasValues = false;
    bool hasCorners = false;  ///< the coordinates at the steps are there, though perhaps no map
    bool blank = false;       ///< valid once the cell has its grid
    bool blankBefore = false, blankAfter = false;  ///< at the steps around, once it has its corners
    TrilinearMap map;                              ///< likewise; for curvilinear blocks
    int firstValue = 0;   ///< in m_values: functions at the eight corners, one corner after the other; then
                          ///< those of the next step; where time is cubic, the coefficients of its powers
    int firstCorner = 0;  ///< in m_corners, likewise: x y z of the eight corners
  };
  /// Selects `block` and `time` for what follows.
  void turnTo(int block, FieldTime time) {
    if (block != m_block || !(time == m_time)) turnToOther(block, time);
  }
  void turnToOther(int block, FieldTime time);
  void bind(int block);
  void listSlots();
  bool between() const { return m_time.readsNext(); }
  /// Which of the steps of m_slots are read.
  bool uses(std::size_t step) const {
    if (step < 2) return step == 0 || between();
    return m_time.isCubic() && (step == 2 ? m_curve.hasBefore() : m_curve.hasAfter());
  }
  /// Of a cell between steps nothing but values of the next one differs from the interval before.
  bool onlyValuesChange() const;
  bool moves() const { return between() && m_slots[1].xyz != m_slots[0].xyz; }
  RecentCell& recent(std::int64_t cell);
  void gatherCorners(const Index3& cell, std::span<const paging::GatherTarget> targets,
                     std::span<const int> alongside);
  void gatherGrid(RecentCell& cell);
  const RecentCell& withGrid(std::int64_t cell);
  std::optional<CellFlow> flowTowardNext(const Location& location);
  std::array<TrilinearVector, 2> mapsTowardNext(const RecentCell& cell);
  CellCorners velocitiesAt(const double* corner) const;
  void copyUnchanging(const BlockSlots& slots, const double* same, double* out) const;
  void makeCurves(const RecentCell& cell, double* values) const;
  void computeCorners(const double* inputs, double* out);
  const RecentCell& withValues(std::int64_t cell);
  Nearness walk(Vec3 point, Location& location);
  bool searchBlock(int block, Vec3 point, Location& location);
  bool searchCurvilinear(Vec3 point, Location& location);
  void searchGroup(const CellGroup& group, Vec3 point, Location& best);
  std::int64_t addLayers(const IndexBox& cells, std::int64_t k, GroupScan& scan);
  void addPlane(const IndexBox& nodes, std::int64_t k, GroupScan& scan);
  void addBetween(const IndexBox& nodes, std::int64_t k, GroupScan& scan);
  /// Of a cell, in the block; of cells, their nodes.
  Index3 inBlock(const Index3& cell) const;
  IndexBox nodesOf(const IndexBox& cells) const;
  /// Of what is said by the axes of the block, by those of its cells.
  Vec3 inCellAxes(Vec3 ofBlock) const;
  TrilinearVector boxOf(const Index3& cell) const;
  CellGroup inCellAxes(CellGroup ofBlock) const;
  bool isBlank(std::int64_t cell) { return m_slots[0].iblank >= 0 && withGrid(cell).blank; }
  Vec3 inCells(const Location& location, Vec3 velocity);
  bool locateRegular(Vec3 point, Location& location);
  const paging::BlockDescription& block() const {
    return m_data.description().blocks[static_cast<std::size_t>(m_block)];
  }

  PagedData& m_data;
  tasks::TaskContext& m_context;
  std::shared_ptr<const FunctionPlan> m_functions;
  const int m_stepsAtATime;     ///< 1, 2 or 4 steps for which there is room
  BoxFunctions m_boxFunctions;  ///< for functions with gradients
  paging::Cursor m_cursor;

  const bool m_finestFirst;  ///< blocks are boxes of an adaptive grid
  int m_block = -1;
  FieldTime m_time;
  StepCurve m_curve;                  ///< where m_time is cubic
  std::optional<BoxSearch> m_search;  ///< of the bound block, after its first search
  bool m_flat = false;                ///< the bound block is one plane
  /// Of the bound block, by the axes of its cells: that of the plane comes last, the others as they are.
  std::array<std::size_t, 3> m_axes{0, 1, 2};
  Index3 m_cells{0, 0, 0};  ///< of the bound block, along `m_axes`
  static constexpr std::size_t kMostSteps = 4;
  /// Of the step, the next one, the one before and the one after these; equal for arrays without steps. The last two are
  /// bound where they were needed.
  std::array<BlockSlots, kMostSteps> m_slots;
  bool m_boundAround = false;
  // slots for a cell: of other steps only what differs from the step's, if the time is between
  std::vector<int> m_gridSlots, m_valueSlots;
  std::vector<int> m_variableComponents;
  /// For the variables of a cell: into m_inputs; those of the next step are the last ones.
  std::vector<paging::GatherTarget> m_targets;

  static constexpr std::uint64_t kNoGuess = ~std::uint64_t{0};
  /// The line that goingOn() follows, in the bound block; pages are those of the first bound array.
  struct FollowedLine {
    Vec3 position;  ///< in index space
    IndexBox page;  ///< nodes of the page that it is in
    bool guessing = false;
    std::uint64_t guessed = kNoGuess;  ///< number of the page guessed as the next one
    std::chrono::steady_clock::time_point entered;
    std::chrono::nanoseconds waitedBefore{0};  ///< by the cursor, when the page was entered
  };
  FollowedLine m_line;

  static constexpr int kRecentCells = 4;
  RecentCells<RecentCell, kRecentCells> m_recent;
  std::vector<double> m_inputs, m_nodeInputs;  ///< m_inputs: of the step, then of the next one
  std::vector<double> m_values, m_corners;
};

}  // namespace farfield::fields
