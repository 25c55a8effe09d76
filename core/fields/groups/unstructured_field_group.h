#pragma once
// What field_group.h is for blocks whose nodes lie in rows, for unstructured blocks: a group of neighbouring
// cells, the function at their nodes, and which cells a surface cuts.
//
// Of a group all of whose nodes lie, by the ranges of their pages, on one side of all values, only the corners of its cells
// are read; coordinates and other functions only of groups that are cut.
//
// Gradients at the nodes are means of those in the group's cells around them, weighted by the cells' volumes;
// on an edge they are interpolated between its ends.
//
// A coarse stand-in for many cells are a few of them, each enlarged about its middle, with what is at its nodes continued
// linearly: near the surface they show pieces of it, which overlap, where it is.

#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/fields/groups/field_group.h"
#include "core/fields/groups/page_pieces.h"
#include "core/fields/paged/listed_cells.h"

namespace farfield::fields {

/// Belongs to one task and one block; used for one group after the other. Functions that read may stop the
/// task, and throw what gathering throws.
class UnstructuredFieldGroup {
 public:
  /// A function of the place, in place of one of the data.
  using OfPlace = std::function<double(const Vec3&)>;

  /// Of surfaces of `functions.by`, or of `ofPlace` where there is one. `values` ascend; all arguments outlive it.
  UnstructuredFieldGroup(int block, PagedData& data, tasks::TaskContext& context,
                         const SurfaceFunctions& functions, std::span<const double> values, std::int64_t step,
                         OfPlace ofPlace = {});
  static std::uint64_t bytesFor(const paging::DatasetDescription& description,
                                const SurfaceFunctions& functions);

  /// Selects `group`, and reads what is needed of it. False if no surface cuts it.
  bool open(const CellGroup& group);
  /// Selects the cells with these numbers (at most kMostListedCells, ascending), each `scale` times as long. Of those that the ranges
  /// of their nodes' pages show not to be cut nothing more is read.
  bool openEnlarged(std::span<const std::int64_t> cells, double scale);

  /// Calls `visit(GroupCell, above)` for the cells that the surface of `value` cuts; bit c of `above` tells
  /// whether corner c lies above.
  template <class Visit>
  void forEachCut(double value, Visit visit) const {
    for (const GroupCell& cell : m_cells.cells) {
      unsigned above = 0;
      bool finite = true;
      for (unsigned c = 0; c < cell.nodes.size(); ++c) {
        const double field = m_field[cell.nodes[c]];
        finite = finite && m_usable[cell.nodes[c]];
        above |= static_cast<unsigned>(field >= value) << c;
      }
      if (finite && above != 0 && above != kAll) visit(cell, above);
    }
  }

  // of nodes of such cells
  double field(std::size_t node) const { return m_field[node]; }
  Vec3 point(std::size_t node) const { return {m_xyz[3 * node], m_xyz[3 * node + 1], m_xyz[3 * node + 2]}; }
  const double* shown(std::size_t node) const { return m_shown.data() + m_outputs * node; }
  Vec3 gradient(std::size_t a, std::size_t b, double share) const {
    return (1 - share) * m_gradients[a] + share * m_gradients[b];
  }
  bool isLeftHanded(const GroupCell& cell) const;

 private:
  static constexpr unsigned kAll = 0xff;
  static constexpr std::size_t kMostRanges = 64;
  bool meets(const Interval& range) const;
  bool mayBeCut(std::span<const std::int64_t> nodes);
  bool keepPossible();
  void readField();
  void enlarge(double scale, std::size_t each, std::vector<double>& ofNodes) const;
  void findUsable(bool placed);
  bool isCut() const;
  void findGradients();
  CellCorners cornersOf(const GroupCell& cell) const;

  std::span<const double> m_values;
  OfPlace m_ofPlace;
  std::size_t m_outputs;
  paging::Cursor m_cursor;
  BlockSlots m_slots, m_bySlots, m_shownSlots;
  ListedFunctions m_by, m_shownFunctions;
  ListedCells m_cells;
  PagePieces m_pieces;  ///< ranges of pages of nodes
  /// The layout of the arrays of nodes that the function follows from; null: it is not of nodes, or they differ.
  const paging::PageLayout* m_pages = nullptr;
  bool m_needsPoints = false;  ///< for the function
  bool m_shared = true;
  std::vector<std::pair<std::int64_t, Interval>> m_ranges;  ///< of some pages
  std::vector<double> m_field, m_xyz, m_shown;
  std::vector<bool> m_usable;
  std::vector<Vec3> m_gradients;
  std::vector<std::int64_t> m_kept;
};

}  // namespace farfield::fields
