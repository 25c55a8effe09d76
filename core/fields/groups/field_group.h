#pragma once
// One group of cells for surfaces on which a function has a given value: which cells they cut, the function
// at the nodes of those, and where a surface crosses an edge. Nodes are numbered in the group; how cells are
// arranged in their block is hidden.
//
// What is read follows from where the surfaces are. Of a page whose range shows on which side of all values
// it lies (page_pieces.h) only the nodes of cut cells are read; of other pages, the group's nodes. So pages
// without a node of a cut cell are mostly not read. Ranges only decide what is read: the pages left out would
// not change the result.
//
// Cells with a value that is not finite, or with a blanked node, are left out. A node that has exactly the
// value counts as above it.
//
// Gradients on a crossed edge are of second order across the edge and of first order along it: across it,
// differences between the neighbours of each end, interpolated to the point; along it, the difference of the
// ends. All these nodes belong to cut cells, because a surface that crosses an edge cuts all cells around it;
// so gradients read no further pages.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/fields/cells/group_ranges.h"
#include "core/fields/groups/cell_groups.h"
#include "core/fields/groups/page_pieces.h"

namespace farfield::fields {

/// What is read for surfaces of one function coloured by others. Immutable.
struct SurfaceFunctions {
  std::shared_ptr<const FunctionPlan> all;  ///< its arrays are bound to cursors
  FunctionPlan by;                          ///< the function whose values define the surfaces; one scalar
  FunctionPlan shown;                       ///< further values at their points
};

/// The slots of the arrays of `part` among those of `all`, which are bound.
BlockSlots slotsOf(const FunctionPlan& part, const FunctionPlan& all, const BlockSlots& bound);

/// Belongs to one task and one block; used for one group after the other. Functions that read may stop the
/// task, and throw what gathering throws.
class FieldGroup {
 public:
  static constexpr std::int64_t kSide = kCellsPerGroup + 3;  ///< nodes along each axis, one more on each side
  static constexpr std::size_t kMostNodes = kSide * kSide * kSide;
  /// Node numbers go by 1, by this, and by its square along the axes.
  static constexpr std::size_t kRowNodes = static_cast<std::size_t>(kSide);
  static constexpr std::array<std::size_t, 3> kStrides{1, kRowNodes, kRowNodes* kRowNodes};

  /// `values` ascend; all arguments outlive it.
  FieldGroup(int block, PagedData& data, tasks::TaskContext& context, const SurfaceFunctions& functions,
             std::span<const double> values, std::int64_t step);
  static std::uint64_t bytesFor(const paging::DatasetDescription& description,
                                const SurfaceFunctions& functions);

  /// Keeps the `groups` of a task that may be cut, for open(): as far as known without reading pages, as far as the numbers that the
  /// function follows from tell as they lie in files (group_finder.h; by interval arithmetic where they are several), and of a stored
  /// variable as far as its numbers in the pages tell that the groups need anyway.
  void keepPossible(std::vector<CellGroup>& groups);
  /// Selects `group`, and reads what is needed of it. False if no surface cuts it.
  bool open(const CellGroup& group);

  /// Gives the pages back that it holds: what it read stays. For who reads with another cursor before the next group.
  void letPagesGo();

  /// Calls `visit(place, above)` for the cells that the surface of `value` cuts; bit c of `above` tells whether
  /// corner c lies above. `place`: of the lowest corner.
  template <class Visit>
  void forEachCutPlace(double value, Visit visit) const {
    const Rows& above = sidesOf(value);
    const Rows usable = usableNodes();
    for (unsigned k = 1; k <= m_cells[2]; ++k)
      for (unsigned j = 1; j <= m_cells[1]; ++j) {
        const std::size_t row = j + kRows * k;
        std::uint32_t cut = cutCells(above, usable, row);
        if (cut == 0) continue;
        const std::array<std::uint32_t, 4> rows{above[row], above[row + 1], above[row + kRows],
                                                above[row + kRows + 1]};
        for (; cut != 0; cut &= cut - 1) {
          const auto i = static_cast<unsigned>(std::countr_zero(cut));
          visit(GroupPlace(i, j, k), (rows[0] >> i & 3U) | (rows[1] >> i & 3U) << 2 |
                                         (rows[2] >> i & 3U) << 4 | (rows[3] >> i & 3U) << 6);
        }
      }
  }
  /// The same with `visit(GroupCell, above)`.
  template <class Visit>
  void forEachCut(double value, Visit visit) const {
    forEachCutPlace(value, [&](GroupPlace place, unsigned above) { visit(cellAt(place), above); });
  }
  static GroupCell cellAt(GroupPlace place) {
    GroupCell cell;
    for (unsigned c = 0; c < GroupCell::kMostCorners; ++c)
      cell.nodes[c] = static_cast<std::uint16_t>(place.up(c).node(kRowNodes));
    return cell;
  }
  /// Whether a node may have exactly `value`.
  bool mayHaveNodeAt(double value) const {
    sidesOf(value);
    return m_sidesAreExact;
  }

  // of nodes of such cells
  double field(std::size_t node) const { return m_field[node]; }
  Vec3 point(std::size_t node) const {
    if (isRegular())
      return {along(0)[node % kRows], along(1)[node / kRows % kRows], along(2)[node / (kRows * kRows)]};
    return {m_xyz[3 * node], m_xyz[3 * node + 1], m_xyz[3 * node + 2]};
  }
  /// functions.shown.outputCount() values.
  const double* shown(std::size_t node) const { return m_shown.data() + m_outputs * node; }
  /// The gradient of the function at `share` of the way from node `a` to node `b`, the ends of an edge, per
  /// length unit. Not finite if the nodes span no volume.
  Vec3 gradient(std::size_t a, std::size_t b, double share) const;
  /// Whether the cell's axes are a left-handed system in space.
  bool isLeftHanded(const GroupCell& cell) const;

  /// Whether the block has no coordinates: then regularCrossing() works, and all cells have the same handedness.
  bool isRegular() const { return m_bySlots.xyz < 0; }
  bool isRegularLeftHanded() const { return m_regularIsLeft; }
  struct Crossing {
    double share;  ///< of the way from the end below to that above
    Vec3 place, gradient;
  };
  /// Where the surface of `value` crosses the edge from the node at `low` up along `Axis`; the function grows that way if it is
  /// `upwards`. To the bit what field(), point() and gradient() give.
  template <std::size_t Axis>
  Crossing regularCrossing(GroupPlace low, bool upwards, double value) const {
    const std::size_t node = low.node(kRows), next = node + kStrides[Axis];
    const std::size_t below = upwards ? node : next, above = upwards ? next : node;
    Crossing at;
    at.share = (value - m_field[below]) / (m_field[above] - m_field[below]);
    for (std::size_t n = 0; n < 3; ++n) {
      const double* const nodes = along(n) + low.along(n);
      const double from = nodes[n == Axis && !upwards ? 1 : 0], to = nodes[n == Axis && upwards ? 1 : 0];
      at.place[static_cast<int>(n)] = from + at.share * (to - from);
    }
    at.gradient = areInner(low, Axis) ? regularGradient<Axis>(low, below, above, at.share)
                                      : gradient(below, above, at.share);
    return at;
  }

 private:
  static constexpr std::size_t kRows = kRowNodes;
  /// A set of nodes: one word per row along i, bit i for node i; j fastest.
  using Rows = std::array<std::uint16_t, kRows * kRows>;

  /// Of regular blocks: coordinates of the nodes along an axis. They lie where other blocks have those of all nodes.
  const double* along(std::size_t axis) const { return m_xyz.data() + kRows * axis; }
  double* along(std::size_t axis) { return m_xyz.data() + kRows * axis; }

  static bool isEmpty(const Rows& rows) {
    return std::all_of(rows.begin(), rows.end(), [](std::uint16_t row) { return row == 0; });
  }
  static Rows without(const Rows& rows, const Rows& others) {
    Rows rest;
    for (std::size_t row = 0; row < rest.size(); ++row)
      rest[row] = static_cast<std::uint16_t>(rows[row] & ~others[row]);
    return rest;
  }
  std::uint32_t cutCells(const Rows& above, const Rows& usable, std::size_t row) const {
    const std::size_t b = row + 1, c = row + kRows, d = row + kRows + 1;
    std::uint32_t any = above[row] | above[b] | above[c] | above[d];
    std::uint32_t all = above[row] & above[b] & above[c] & above[d];
    std::uint32_t good = usable[row] & usable[b] & usable[c] & usable[d];
    any |= any >> 1;
    all &= all >> 1;
    good &= good >> 1;
    return any & ~all & good & m_cellBits;
  }
  bool meets(const Interval& range) const;
  /// Whether the function is one that pages have.
  bool isStored() const { return m_component >= 0; }
  void keepKnownPossible(std::vector<CellGroup>& groups);
  bool keepFoundPossible(std::vector<CellGroup>& groups);
  bool isBounded() const;
  void keepSeenPossible(std::vector<CellGroup>& groups);
  /// The nodes above `value`; valid until the next call.
  const Rows& sidesOf(double value) const;
  void forgetSides() { m_sidesOf = std::numeric_limits<double>::quiet_NaN(); }
  Rows usableNodes() const;
  Rows nodesOfCutCells() const;
  Rows nodesBeside(Rows& ends) const;
  bool fillField();
  IndexBox localBox() const;
  IndexBox neededOf(const IndexBox& part, const Rows& needed) const;
  template <class Visit>
  void forEachNeeded(const paging::PageLayout& layout, const Rows& needed, Visit visit) const;
  template <class Put>
  void scatter(const IndexBox& box, Put put) const;
  std::size_t nodeOf(const Index3& at) const;
  void readField(const IndexBox& box);
  void readFieldOf(const IndexBox& box);
  bool readField(const Rows& needed);
  bool readBlanks(const Rows& needed);
  void readPoints(const Rows& needed);
  void readShown(const Rows& needed);
  void readStored(const IndexBox& box);
  template <class T>
  void takeNumbers(const T* numbers, const paging::PagePart& part);
  void placeRegularly();
  void findInner();
  /// Whether both ends of the edge from `low` up along `axis` have usable neighbours on both sides across it.
  bool areInner(GroupPlace low, std::size_t axis) const {
    const Rows& inner = m_inner[axis];
    const std::size_t row = low.along(1) + kRows * low.along(2);
    const unsigned both = inner[row] & inner[row + kStrides[axis] / kRows] >> (axis == 0 ? 1 : 0);
    return (both >> low.along(0) & 1U) != 0;
  }
  /// gradient() of such an edge where axes are those of space: the places of both ends are the same but along the edge.
  template <std::size_t Axis>
  Vec3 regularGradient(GroupPlace low, std::size_t below, std::size_t above, double share) const {
    const double* const field = m_field.data();
    const std::size_t node = below < above ? below : above;
    Vec3 gradient;
    for (std::size_t n = 0; n < 3; ++n) {
      const std::size_t stride = kStrides[n], on = low.along(n);
      double& its = gradient[static_cast<int>(n)];
      if (n == Axis) {
        its = (field[node + stride] - field[node]) * m_perNext[n][on];
        continue;
      }
      const double atBelow = field[below + stride] - field[below - stride],
                   atAbove = field[above + stride] - field[above - stride];
      its = (atBelow + share * (atAbove - atBelow)) * m_perBoth[n][on];
    }
    return gradient;
  }
  bool differenceAt(std::size_t node, std::size_t stride, double& field, Vec3& place) const;
  bool isUsable(std::size_t node) const { return (m_usable[node / kRows] >> node % kRows & 1) != 0; }

  void bind();

  const paging::BlockDescription& m_grid;
  int m_block;
  std::int64_t m_step;
  tasks::TaskContext& m_context;
  const PagedData& m_data;
  const SurfaceFunctions& m_functions;
  std::span<const double> m_values;
  std::size_t m_outputs;
  paging::Cursor m_cursor;
  BlockSlots m_bySlots, m_shownSlots;
  BoxFunctions m_by, m_shownFunctions;
  PagePieces m_pieces;
  int m_component = -1;  ///< of the only array that the function is a component of; -1: it must be computed
  GroupRanges m_groupRanges;
  // The group.
  Index3 m_first{0, 0, 0};  ///< in the block: index of node 0, existing or not
  std::array<std::size_t, 3> m_cells{0, 0, 0};
  std::uint32_t m_cellBits = 0;  ///< cells of a row, by their lower node
  IndexBox m_nodes;              ///< of the cells
  Rows m_inside{}, m_read{}, m_finite{}, m_blank{}, m_blankRead{};
  Rows m_usable{};  ///< valid once all is read
  /// By axis: the nodes with usable neighbours on both sides along each of the two others; valid once all is read.
  std::array<Rows, 3> m_inner{};
  std::vector<double> m_field, m_xyz, m_shown, m_scratch;
  bool m_regularIsLeft = false;  ///< handedness of blocks without coordinates
  /// Of these, by axis and node along it: one over the distance to the next node, and over that from the node before to the next.
  std::array<std::array<double, kRows>, 3> m_perNext{}, m_perBoth{};
  mutable Rows m_sides{};                ///< the nodes above m_sidesOf
  mutable bool m_sidesAreExact = false;  ///< some may have just that value
  mutable double m_sidesOf = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace farfield::fields
