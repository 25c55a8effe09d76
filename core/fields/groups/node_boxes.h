#pragma once
// The nodes of all blocks and steps in small boxes, one after the other, for passes that want the values of functions at every
// node and do not care where it is: ranges, histograms.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/fields/functions/functions.h"
#include "core/fields/paged/paged_data.h"

namespace farfield::fields {

/// Immutable. Boxes of unstructured blocks are ranges of nodes; or ranges of cells, where functions differ from cell to cell (values
/// on cells, derivatives): then nodes between such ranges are looked at more than once.
class NodeBoxes {
 public:
  enum class Blanks {
    Unknown,  ///< nodes count whether they are blanked or not, and nothing is read to find out
    Told  ///< and of structured blocks with values of cells the nodes that are centres of cells count alone
  };
  /// Steps from `firstStep` on. `data` and `functions` outlive it.
  NodeBoxes(const paging::DatasetDescription& data, const FunctionPlan& functions,
            Blanks blanks = Blanks::Unknown, std::int64_t firstStep = 0);

  struct Place {
    std::int64_t step = 0;
    int block = 0;
    IndexBox box;
  };
  std::size_t perStep() const { return static_cast<std::size_t>(m_first.back()); }
  std::size_t count() const;
  Place at(std::size_t number) const;
  /// Whether its functions differ from cell to cell in these data.
  static bool areByCell(const paging::DatasetDescription& data, const FunctionPlan& functions);
  /// Whether all that its functions are made of is the same all over each cell, so that they are, too: between cells they jump.
  static bool areSameOverCells(const paging::DatasetDescription& data, const FunctionPlan& functions);
  /// Whether it is cells that count where blanks are told.
  static bool areOfCells(const paging::DatasetDescription& data, const FunctionPlan& functions);

  /// Calls `visit` with the values of the functions at each node of a box, and whether it is known to be blanked. Nodes weigh 1, of a layer, which has them twice, a half; by cell
  /// it is cells that do, whatever their shape: once where all corners have the same values, else each corner its share. May stop the
  /// task; throws what gathering throws.
  using Visit = std::function<void(std::span<const double> values, bool isBlank, double weight)>;
  void visit(const Place& place, PagedData& data, tasks::TaskContext& context, const Visit& visit) const;
  /// Memory of visit().
  static std::uint64_t bytesFor(const FunctionPlan& functions);

 private:
  std::int64_t each() const;
  std::int64_t itemsOf(const paging::BlockDescription& block) const;
  void visitCells(const Place& place, PagedData& data, tasks::TaskContext& context, const Visit& visit) const;

  const paging::DatasetDescription& m_data;
  const FunctionPlan& m_functions;
  bool m_byCell, m_tellsBlanks, m_centresAlone;
  std::int64_t m_firstStep;
  std::vector<std::int64_t> m_first;  ///< box of each block, and the end
};

}  // namespace farfield::fields
