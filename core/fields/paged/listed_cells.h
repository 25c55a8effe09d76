#pragma once
// Neighbouring cells of an unstructured block, read together: their nodes are numbered from 0 in the order of
// their numbers in the block, so that what is computed from the lower node of an edge to the higher one is the
// same in all groups. Functions that have no single value at a node (those of values on cells, and
// derivatives) are given at the corners of each cell: then every cell has nodes of its own.

#include <cstdint>
#include <span>
#include <vector>

#include "core/fields/cells/group_cell.h"
#include "core/fields/cells/trilinear.h"
#include "core/fields/functions/box_functions.h"
#include "core/fields/paged/paged_data.h"
#include "core/paging/pages/unstructured_cells.h"

namespace farfield::fields {

/// Most cells that are read together, and their nodes.
constexpr std::size_t kMostListedCells = 32;
constexpr std::size_t kMostListedNodes = kMostListedCells * paging::kCellCorners;

/// Belongs to one task.
class ListedCells {
 public:
  /// Binds the cells of `block` to `cursor`.
  ListedCells(int block, const PagedData& data, paging::Cursor& cursor);
  static std::uint64_t bytesFor();

  /// Reads `count` (at most kMostListedCells) cells from `first` on. With `shared`, cells share nodes. May stop
  /// the task; throws what gathering throws, Corrupt (a node that does not exist).
  void open(paging::Cursor& cursor, std::int64_t first, std::int64_t count, bool shared);
  /// The same of the cells with these numbers (at most kMostListedCells, ascending), which share no nodes.
  void openEach(paging::Cursor& cursor, std::span<const std::int64_t> cellNumbers);
  /// Gathers their nodes' coordinates: x, y, z of each.
  void gatherPoints(paging::Cursor& cursor, int xyz, std::span<double> out) const;

  std::vector<std::int64_t> numbers;      ///< in the block, of the cells
  std::vector<std::int64_t> nodes;        ///< in the block, by number in the group
  std::vector<GroupCell> cells;           ///< corners that coincide are one node
  std::vector<std::uint32_t> cellOfNode;  ///< without sharing, by its place among the cells

 private:
  void number(bool shared);

  int m_slot;
  std::int64_t m_nodes;
  std::vector<double> m_numbers;
};

/// A plan's functions at the nodes of cells. Belongs to one task.
class ListedFunctions {
 public:
  /// `functions` outlives it.
  explicit ListedFunctions(const FunctionPlan& functions) : m_functions(functions) {}
  /// Memory for values at up to `nodes` nodes at a time.
  static std::uint64_t bytesFor(const FunctionPlan& functions, std::uint64_t nodes = kMostListedNodes);

  /// For the arrays of a block.
  void bind(const paging::Cursor& cursor, const BlockSlots& slots);
  /// Whether a function may have other values at the same node of another cell.
  bool differByCell() const { return m_onCells || m_functions.gradientCount() > 0; }
  /// The values at node n are at out[n * outputCount()]. `points` are the nodes' coordinates, used for
  /// derivatives only. `cells` share no nodes if the functions differ by cell. May stop the task; throws what
  /// gathering throws.
  void compute(paging::Cursor& cursor, const BlockSlots& slots, const ListedCells& cells,
               std::span<const double> points, std::span<double> out);
  /// The same at any nodes of the block, for functions that do not differ by cell.
  void computeNodes(paging::Cursor& cursor, const BlockSlots& slots, std::span<const std::int64_t> nodes,
                    std::span<double> out);
  /// The same at the eight corners of one cell; corners that coincide have equal values.
  void computeCell(paging::Cursor& cursor, const BlockSlots& slots, std::int64_t cell,
                   const paging::CellNodes& nodes, const CellCorners& corners, std::span<double> out);

 private:
  struct Array {
    int components;
    bool onCells;
  };
  void gather(paging::Cursor& cursor, const BlockSlots& slots, std::span<const std::int64_t> nodes,
              std::span<const std::int64_t> cells);
  void computeGathered(std::size_t count, double* out);
  void inputsOf(std::size_t node, std::size_t cell);
  void gradientsOf(paging::UnstructuredShape shape, const CellCorners& corners,
                   std::span<const std::size_t> nodeOf, std::size_t corner);

  const FunctionPlan& m_functions;
  std::vector<Array> m_arrays;
  bool m_onCells = false;
  std::vector<std::vector<double>> m_gathered;  ///< by array
  std::vector<double> m_inputs, m_basics, m_allInputs, m_ownValues;
  std::vector<paging::GatherTarget> m_onNodes, m_onCellTargets;  ///< of a gather
  std::vector<Vec3> m_gradients;
};

}  // namespace farfield::fields
