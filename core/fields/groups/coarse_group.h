#pragma once
// A coarse stand-in for cells of a structured block: a net of every n-th node along each axis, and the last one. It is what
// a surface looks like at once, before its cells are cut: 1/n³ of the cells are computed. It reads pages that the surface itself
// needs: of those that are known to have nothing to do with it, nothing.
//
// It has the functions of FieldGroup (field_group.h), so that the same code makes triangles of both. Neighbouring nets with the
// same n share the nodes of their borders, so their surfaces fit. Cells of the net with a blanked node or a value that is
// not finite are left out, though some cells inside may have neither, and a surface that is smaller than they are is not found.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/fields/groups/field_group.h"

namespace farfield::fields {

/// Belongs to one task and one block; used for one net after the other. Functions that read may stop the task, and throw
/// what gathering throws.
class CoarseGroup {
 public:
  static constexpr std::int64_t kCells = 8;  ///< of a net, along each axis
  static constexpr std::int64_t kMostCells =
      kCellsPerGroup * kGroupsPerGroup;  ///< that it stands for, along each axis
  /// A function of the place, in place of one of the data.
  using OfPlace = std::function<double(const Vec3&)>;

  /// Of surfaces of `functions.by`, or of `ofPlace` where there is one. `values` ascend; all arguments outlive it.
  CoarseGroup(int block, PagedData& data, tasks::TaskContext& context, const SurfaceFunctions& functions,
              std::span<const double> values, std::int64_t step, OfPlace ofPlace = {});
  /// No more than what a group of the cells themselves takes.
  static std::uint64_t bytesFor(const paging::DatasetDescription& description,
                                const SurfaceFunctions& functions);

  /// Selects the net of every `stride`-th node around `cells`, at most kMostCells and kCells * stride along each axis, and reads
  /// what is needed of it. False if no surface cuts it.
  bool open(const IndexBox& cells, std::int64_t stride);

  /// Calls `visit(GroupCell, above)` for the cells of the net that the surface of `value` cuts; bit c of `above` tells
  /// whether corner c lies above.
  template <class Visit>
  void forEachCut(double value, Visit visit) const {
    GroupCell cell;
    Index3 at;
    for (at[2] = 0; at[2] + 1 < m_size[2]; ++at[2])
      for (at[1] = 0; at[1] + 1 < m_size[1]; ++at[1])
        for (at[0] = 0; at[0] + 1 < m_size[0]; ++at[0]) {
          const auto low = static_cast<std::size_t>(linear(at, m_size));
          unsigned above = 0;
          bool usable = true;
          for (std::size_t c = 0; c < GroupCell::kMostCorners; ++c) {
            const std::size_t node = low + m_corner[c];
            above |= static_cast<unsigned>(m_field[node] >= value) << c;
            usable = usable && m_usable[node] != 0;
            cell.nodes[c] = static_cast<std::uint16_t>(node);
          }
          if (usable && above != 0 && above != kAll) visit(cell, above);
        }
  }

  // of nodes of such cells
  double field(std::size_t node) const { return m_field[node]; }
  Vec3 point(std::size_t node) const { return {m_xyz[3 * node], m_xyz[3 * node + 1], m_xyz[3 * node + 2]}; }
  /// functions.shown.outputCount() values.
  const double* shown(std::size_t node) const { return m_shown.data() + m_outputs * node; }
  /// As FieldGroup has it, of second order but at the borders of nets.
  Vec3 gradient(std::size_t a, std::size_t b, double share) const;
  bool isLeftHanded(const GroupCell& cell) const;

 private:
  static constexpr std::int64_t kSide = kCells + 1;
  static constexpr std::size_t kMostNodes = kSide * kSide * kSide;
  static constexpr std::size_t kLayerNodes = kSide * kSide;
  static constexpr unsigned kAll = 0xff;

  std::size_t nodeCount() const { return static_cast<std::size_t>(product(m_size)); }
  std::size_t layerNodes() const { return static_cast<std::size_t>(m_size[0] * m_size[1]); }
  Index3 placeOf(std::size_t node) const;
  bool meets(const Interval& range) const;
  bool mayBeCut(const IndexBox& cells);
  bool findCut();
  void gatherLayer(int slot, std::int64_t layer, double* out);
  void readField();
  void readBlanks();
  void readPoints();
  void readFunctions(const FunctionPlan& plan, const BlockSlots& slots, BoxFunctions& nodeByNode,
                     std::vector<double>& out);

  const paging::BlockDescription& m_grid;
  const SurfaceFunctions& m_functions;
  std::span<const double> m_values;
  OfPlace m_ofPlace;
  std::size_t m_outputs;
  paging::Cursor m_cursor;
  BlockSlots m_bySlots, m_shownSlots;
  BoxFunctions m_by, m_shownFunctions;
  PagePieces m_pieces;
  // The net.
  std::array<std::array<std::int64_t, kSide>, 3> m_places{};  ///< of its nodes in the block, along each axis
  Index3 m_size{0, 0, 0};                                     ///< nodes along each axis
  std::array<std::size_t, 8> m_corner{};                      ///< from a cell's lowest node to its corners
  std::vector<double> m_field, m_xyz, m_shown;
  std::vector<double> m_usable;  ///< 0 or 1, as gradients have it
  /// By node: 1 where the page's range says on which side the field is, which m_field has then.
  std::vector<std::uint8_t> m_isKnown;
  std::vector<std::uint8_t> m_isNeeded;  ///< by node: 1 where it is to be read
  std::vector<double> m_layer, m_inputs;
};

}  // namespace farfield::fields
