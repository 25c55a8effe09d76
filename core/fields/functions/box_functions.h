#pragma once
// A plan's functions at all nodes of a box: gathers their arrays, with surrounding nodes if there are
// gradients, and computes them node by node.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/fields/cells/repeated_ends.h"
#include "core/fields/cells/wall_gradients.h"
#include "core/fields/functions/functions.h"
#include "core/paging/cache/cursor.h"
#include "core/paging/pages/description.h"

namespace farfield::fields {

/// Slots of a cursor that is bound to one block. -1: the block has no such array.
struct BlockSlots {
  int xyz = -1, iblank = -1;
  std::vector<int> variables;  ///< FunctionPlan::arrays, in order
  RepeatedEnds ends = {};      ///< of the block, if a function has derivatives
};

/// The face in which a sheet of nodes lies; nothing if it lies inside the block.
std::optional<WallFace> wallFaceOf(const Index3& dims, const IndexBox& sheet, int fixedAxis);

/// Belongs to one task.
class BoxFunctions {
 public:
  /// `functions` outlives it.
  explicit BoxFunctions(const FunctionPlan& functions) : m_functions(functions) {}
  /// Its memory for boxes of up to `size` nodes.
  static std::uint64_t bytesFor(const FunctionPlan& functions, const Index3& size);

  /// The values of node n of `box` (i fastest) are at out[n * outputCount()]; `out` has room for all. `wall`: the
  /// face of the block in which the whole box lies, for functions that have values on walls. May stop the task;
  /// throws what gathering throws.
  void compute(paging::Cursor& cursor, const BlockSlots& slots, const paging::BlockDescription& block,
               const IndexBox& box, std::span<double> out, const std::optional<WallFace>& wall = {});

 private:
  void gather(paging::Cursor& cursor, const BlockSlots& slots, const paging::BlockDescription& block);
  void inputsOf(std::size_t node);

  const FunctionPlan& m_functions;
  IndexBox m_gathered;
  std::vector<int> m_components;  ///< of each of the functions' arrays
  std::vector<double> m_variables, m_xyz, m_iblank, m_basics, m_nodeInputs;
};

}  // namespace farfield::fields
