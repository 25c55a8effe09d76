#pragma once
// Lines on a net of nodes (flow_sheet.h), for who follows very many short ones, as textures do: the same steps as FlowSheet::step()
// takes, with what they need of a cell at hand. Of a lattice, whose cells are all alike, the vector's parts along u and v are kept by
// node, and are bilinear as the vector is. Of other nets a line keeps the cell that it is in.
//
// A step waits for the one before it. Several lines that are followed by turns take hardly longer than one.

#include <cstdint>
#include <vector>

#include "core/extract/flow_sheet.h"

namespace farfield::extract {

/// The sheet outlives it and does not change. Thread-safe.
class FlowWalker {
 public:
  explicit FlowWalker(const FlowSheet& sheet);
  /// For a lattice; less for other nets.
  static std::uint64_t bytesFor(std::int64_t nu, std::int64_t nv);

  /// A line, and where it is.
  class Line {
   public:
    const Vec3& point() const { return m_point; }

   private:
    friend class FlowWalker;
    /// A bilinear map: low + u alongU + v (alongV + u twist).
    struct Bilinear {
      Vec3 low, alongU, alongV, twist;
      Vec3 at(double u, double v) const { return low + u * alongU + v * (alongV + u * twist); }
    };
    static constexpr std::size_t kNoNode = ~std::size_t{0};

    FlowSheet::Place m_place;
    Vec3 m_point;
    std::size_t m_node = 0;  ///< the lowest of the cell that it is in
    double m_u = 0, m_v = 0;
    std::size_t m_kept = kNoNode;  ///< the lowest of the cell that is kept
    Bilinear m_position, m_vector;
  };
  /// False outside of the net and in cells that are not usable.
  bool start(FlowSheet::Place place, Line& line) const {
    line.m_place = place;
    if (!enter(place, line)) return false;
    line.m_point = pointOf(line);
    return true;
  }
  /// The lines that are `going` go on by their length, which may be negative; those that end are not going any more.
  template <std::size_t Lines>
  void goOn(std::array<Line, Lines>& lines, const std::array<double, Lines>& lengths,
            std::array<bool, Lines>& going) const {
    std::array<FlowSheet::Place, Lines> from, way;
    // turn by turn, so that the processor has all of them at hand
    for (std::size_t n = 0; n < Lines; ++n) {
      from[n] = lines[n].m_place;
      going[n] = going[n] && direction(lines[n], way[n]);
    }
    for (std::size_t n = 0; n < Lines; ++n)
      going[n] =
          going[n] &&
          enter({from[n].u + 0.5 * lengths[n] * way[n].u, from[n].v + 0.5 * lengths[n] * way[n].v}, lines[n]);
    for (std::size_t n = 0; n < Lines; ++n) going[n] = going[n] && direction(lines[n], way[n]);
    for (std::size_t n = 0; n < Lines; ++n)
      going[n] =
          going[n] && start({from[n].u + lengths[n] * way[n].u, from[n].v + lengths[n] * way[n].v}, lines[n]);
  }

 private:
  bool enter(FlowSheet::Place place, Line& line) const {
    // also for what is not a number
    if (!(place.u >= 0 && place.v >= 0 && place.u <= m_lastU && place.v <= m_lastV)) return false;
    const auto i = static_cast<std::int64_t>(place.u), j = static_cast<std::int64_t>(place.v);
    const auto node = static_cast<std::size_t>(i + m_sheet.size[0] * j);
    if (!m_usable[node]) return enterBeside(place, line);
    line.m_node = node;
    line.m_u = place.u - static_cast<double>(i), line.m_v = place.v - static_cast<double>(j);
    if (m_rates.empty() && line.m_kept != node) keepCell(line);
    return true;
  }
  Vec3 pointOf(const Line& line) const {
    if (m_rates.empty()) return line.m_position.at(line.m_u, line.m_v);
    return m_sheet.points[line.m_node] + line.m_u * m_alongU + line.m_v * m_alongV;
  }
  bool direction(const Line& line, FlowSheet::Place& way) const {
    if (m_rates.empty()) return directionInCell(line, way);
    const FlowSheet::Place *const low = m_rates.data() + line.m_node, *const high = low + m_sheet.size[0];
    const double both = line.m_v * line.m_u, b = line.m_u - both, c = line.m_v - both, a = 1 - line.m_u - c;
    return take(
        FlowSheet::unit(a * low[0].u + b * low[1].u + c * high[0].u + both * high[1].u,
                        a * low[0].v + b * low[1].v + c * high[0].v + both * high[1].v, m_uu, m_uv, m_vv),
        way);
  }
  static bool take(const std::optional<FlowSheet::Place>& found, FlowSheet::Place& way) {
    if (found) way = *found;
    return found.has_value();
  }
  bool enterBeside(FlowSheet::Place place, Line& line) const;
  void keepCell(Line& line) const;
  static bool directionInCell(const Line& line, FlowSheet::Place& way);

  const FlowSheet& m_sheet;
  double m_lastU, m_lastV;
  std::vector<std::uint8_t>
      m_usable;  ///< by lowest node: whether there is a cell with corners that are all usable
  // of a lattice
  Vec3 m_alongU, m_alongV;
  double m_uu = 0, m_uv = 0, m_vv = 0;
  std::vector<FlowSheet::Place> m_rates;  ///< by node
};

}  // namespace farfield::extract
