#pragma once
// Lines on a net of nodes (flow_sheet.h), for who follows very many short ones, as textures do: the same steps as FlowSheet::step()
// takes, with what they need of a cell at hand. Of a lattice, whose cells are all alike, the vector's parts along u and v are kept by
// node, and are bilinear as the vector is. Of other nets the cell is kept that a line is in.

#include <cstdint>
#include <vector>

#include "core/extract/flow_sheet.h"

namespace farfield::extract {

/// Belongs to one thread; the sheet outlives it and does not change.
class FlowWalker {
 public:
  explicit FlowWalker(const FlowSheet& sheet);
  /// For a lattice; less for other nets.
  static std::uint64_t bytesFor(std::int64_t nu, std::int64_t nv);

  /// The position at `place`; false outside of the net and in cells that are not usable.
  bool pointAt(FlowSheet::Place place, Vec3& point);
  /// Calls `visit(point, n)` for n from 1 to `most`: where the line from `from` is after n steps of `length`, which may be
  /// negative, as far as it goes.
  template <class Visit>
  void follow(FlowSheet::Place from, double length, std::size_t most, Visit visit) {
    FlowSheet::Place along, across;
    if (!enter(from) || !direction(along)) return;
    for (std::size_t n = 1; n <= most; ++n) {
      if (!enter({from.u + 0.5 * length * along.u, from.v + 0.5 * length * along.v}) || !direction(across))
        return;
      from = {from.u + length * across.u, from.v + length * across.v};
      if (!enter(from)) return;
      visit(point(), n);
      if (!direction(along)) return;
    }
  }

 private:
  /// A bilinear map: low + u alongU + v (alongV + u twist).
  struct Bilinear {
    Vec3 low, alongU, alongV, twist;
    Vec3 at(double u, double v) const { return low + u * alongU + v * (alongV + u * twist); }
  };
  Bilinear bilinear(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) const {
    return {a, b - a, c - a, a - b - c + d};
  }
  bool enter(FlowSheet::Place place);
  bool enterBeside(FlowSheet::Place place);
  void keepCell();
  Vec3 point() const;
  bool direction(FlowSheet::Place& direction) const;

  const FlowSheet& m_sheet;
  double m_lastU, m_lastV;
  std::vector<std::uint8_t> m_usable;  ///< by lowest node: whether there is a cell with corners that are all usable
  // where it is
  std::size_t m_node = 0;
  double m_u = 0, m_v = 0;
  // of a lattice
  Vec3 m_alongU, m_alongV;
  double m_uu = 0, m_uv = 0, m_vv = 0;
  std::vector<FlowSheet::Place> m_rates;  ///< by node
  // of other nets
  static constexpr std::size_t kNoNode = ~std::size_t{0};
  std::size_t m_kept = kNoNode;  ///< lowest node of the cell that is kept
  Bilinear m_place, m_vector;
};

}  // namespace farfield::extract
