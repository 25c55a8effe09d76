#pragma once
// The sampler of unstructured blocks: tetrahedra, pyramids, wedges and hexahedra, given by their nodes
// (paging/pages/unstructured_cells.h), in one block or several.
//
// The rule of location is that of structured blocks (structured_sampler.h): walk from the previous cell, across
// the face beyond which Newton's method says the point is; else search the current block, where the hit of
// lowest cell number counts; else the blocks in ascending order. Cells are numbered along a space-filling
// curve, and the location pyramid stands over ranges of these numbers.
//
// Values on cells are the same everywhere in a cell. Derivatives are those of the cell's own interpolation.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/fields/cells/recent_cells.h"
#include "core/fields/cells/unstructured_map.h"
#include "core/fields/paged/box_search.h"
#include "core/fields/paged/listed_cells.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/paged/sampler.h"

namespace farfield::fields {

class UnstructuredSampler final : public Sampler {
 public:
  /// May be asked for times between steps if `data` was planned for two steps at a time.
  UnstructuredSampler(PagedData& data, tasks::TaskContext& context,
                      std::shared_ptr<const FunctionPlan> functions);

  bool locate(Vec3 point, FieldTime time, Location& location) override;
  Nearness locateNear(Vec3 point, FieldTime time, Location& location) override;
  void evaluate(const Location& location, FieldTime time, std::span<double> out) override;
  int valueCount() const override { return m_functions->outputCount(); }
  std::optional<CellFlow> flowIn(const Location& location, FieldTime time) override;
  bool crossFace(Location& location, FieldTime time, int face) override;
  double outsideBy(const Location& location) override;
  double cellsPerTime(const Location& location, FieldTime time, Vec3 velocity) override;
  const Bounds& bounds() const override { return m_data.bounds(); }

  /// Memory of a sampler, for the budget.
  static std::uint64_t bytesFor(const FunctionPlan& functions, int stepsAtATime);

 private:
  /// A recently used cell.
  struct RecentCell {
    std::int64_t number = kNoCell;
    paging::CellNodes nodes{};
    UnstructuredShape shape = UnstructuredShape::Hexahedron;
    std::array<std::int32_t, paging::kCellFaces> neighbours{};
    bool hasNodes = false, hasNeighbours = false, hasCorners = false, hasMap = false, hasValues = false;
    std::array<CellCorners, 2> corners;  ///< at the step and, if the grid moves, at the next one
    TrilinearMap map;                    ///< at the time
    std::size_t firstValue = 0;          ///< in m_values: at the eight corners; then those of the next step
  };

  void turnTo(int block, FieldTime time);
  void bind(int block);
  bool between() const { return m_time.readsNext(); }
  bool moves() const { return between() && m_slots[1].xyz != m_slots[0].xyz; }
  RecentCell& recent(std::int64_t cell);
  template <std::size_t count>
  std::array<std::int32_t, count> listed(std::int64_t cell, int slot, std::span<const int> alongside,
                                         std::int64_t least, std::int64_t end, const char* what);
  RecentCell& withNodes(std::int64_t cell);
  RecentCell& withNeighbours(std::int64_t cell);
  RecentCell& withMap(std::int64_t cell);
  RecentCell& withValues(std::int64_t cell);
  Nearness walk(Vec3 point, Location& location);
  bool searchBlock(int block, Vec3 point, Location& location);
  TrilinearVector velocityIn(const RecentCell& cell, std::size_t step) const;

  PagedData& m_data;
  tasks::TaskContext& m_context;
  std::shared_ptr<const FunctionPlan> m_functions;
  const int m_stepsAtATime;
  ListedFunctions m_atNodes;
  paging::Cursor m_cursor;

  int m_block = -1;
  FieldTime m_time;
  std::optional<BoxSearch> m_search;  ///< of the bound block, after its first search
  std::int64_t m_cells = 0, m_nodes = 0;
  std::array<BlockSlots, 2> m_slots;  ///< of the step and of the next one
  int m_cellsSlot = -1, m_neighboursSlot = -1;
  std::vector<int> m_nodeSlots;  ///< of variables on nodes, at the step

  static constexpr int kRecentCells = 6;
  RecentCells<RecentCell, kRecentCells> m_recent;
  std::vector<double> m_values;
};

}  // namespace farfield::fields
