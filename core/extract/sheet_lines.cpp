#include "core/extract/sheet_lines.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/extract/sheet_net.h"

namespace farfield::extract {
namespace {

constexpr std::int64_t kMargin = 8;  // cells around a patch that are read with it
constexpr double kStep = 0.125;      // cells

constexpr double kOnEdge = 1e-9;  // cells: what leads over an edge again so soon goes to and fro

/// The net around a place of a surface, whichever it is.
class MovingNet {
 public:
  MovingNet(const SheetSeams& seams, fields::PagedData& data, tasks::TaskContext& context,
            const fields::FunctionPlan& functions, std::int64_t step)
      : m_seams(seams), m_data(data), m_context(context), m_functions(functions), m_step(step) {}

  /// To another surface.
  void enter(std::size_t number) {
    m_surface = &m_seams.sheets()[number];
    m_cells = cellsOf(*m_surface);
    m_net.reset();
  }
  /// False outside of the surface.
  bool moveTo(FlowSheet::Place place) {
    const std::array at{place.u, place.v};
    bool covered = m_net.has_value();
    for (std::size_t a = 0; a < 2; ++a) {
      if (!(at[a] >= 0 && at[a] <= static_cast<double>(m_cells[a]))) return false;
      if (!covered) continue;
      // a step from the net's last cells could leave it
      const std::int64_t end = m_first[a] + m_net->sheet.size[a] - 1;
      const std::int64_t low = m_first[a] > 0 ? m_first[a] + 1 : 0, high = end < m_cells[a] ? end - 1 : end;
      covered = at[a] >= static_cast<double>(low) && at[a] <= static_cast<double>(high);
    }
    if (covered) return true;
    std::array<std::int64_t, 2> patch{};
    for (std::size_t a = 0; a < 2; ++a)
      patch[a] = std::min(static_cast<std::int64_t>(at[a]), m_cells[a] - 1) / GridSurface::kPatchCells;
    const std::int64_t across = (m_cells[0] - 1) / GridSurface::kPatchCells + 1;
    m_net = readNet(*m_surface, static_cast<std::size_t>(patch[0] + across * patch[1]), kMargin, m_data,
                    m_context, m_functions, m_step);
    for (std::size_t a = 0; a < 2; ++a) m_first[a] = patch[a] * GridSurface::kPatchCells - m_net->first[a];
    return true;
  }
  const FlowSheet& sheet() const { return m_net->sheet; }
  const std::array<std::int64_t, 2>& cells() const { return m_cells; }
  bool has(FlowSheet::Place place) const {
    return place.u >= 0 && place.v >= 0 && place.u <= static_cast<double>(m_cells[0]) &&
           place.v <= static_cast<double>(m_cells[1]);
  }
  Vec3 sideAt(const FlowSheet::Here& here) const {
    const Vec3 across = cross(here.alongU, here.alongV);
    const double size = length(across);
    return size > 0 && std::isfinite(size) ? (m_net->seenFromBehind ? -1 : 1) / size * across : Vec3{};
  }
  FlowSheet::Place local(FlowSheet::Place place) const {
    return {place.u - static_cast<double>(m_first[0]), place.v - static_cast<double>(m_first[1])};
  }
  FlowSheet::Place global(FlowSheet::Place place) const {
    return {place.u + static_cast<double>(m_first[0]), place.v + static_cast<double>(m_first[1])};
  }

 private:
  const SheetSeams& m_seams;
  const GridSurface* m_surface = nullptr;
  fields::PagedData& m_data;
  tasks::TaskContext& m_context;
  const fields::FunctionPlan& m_functions;
  std::int64_t m_step;
  std::array<std::int64_t, 2> m_cells{};
  std::optional<SheetNet> m_net;
  std::array<std::int64_t, 2> m_first{};  ///< of the net's nodes, in the surface
};

FlowSheet::Place moved(FlowSheet::Place from, double length, FlowSheet::Place rate) {
  return {from.u + length * rate.u, from.v + length * rate.v};
}

/// A line, and where it is.
class SheetWalk {
 public:
  SheetWalk(const SheetSeams& seams, MovingNet& net, std::size_t sheet, FlowSheet::Place start, int direction)
      : m_seams(seams), m_net(net), m_at{sheet, 0, start}, m_direction(direction) {
    m_net.enter(sheet);
  }
  /// Nothing in blanked cells.
  std::optional<FlowSheet::Here> here() {
    return m_net.moveTo(m_at.place) ? m_net.sheet().at(m_net.local(m_at.place)) : std::nullopt;
  }
  /// From there by a step, of up to `most`, or to what lies beyond an edge. How far it has gone: 0 where it was on an edge already. Nothing where
  /// it ends.
  std::optional<double> goOn(const FlowSheet::Here& here, double most);
  SheetLineEnd end() const { return m_end; }

 private:
  /// Where a straight way comes to the edge of the sheet.
  struct Exit {
    int edge = 0;
    double length = 0;  ///< as the rate counts it
    FlowSheet::Place place;
  };
  /// The first one, if it comes to one within `most`.
  std::optional<Exit> exitOf(FlowSheet::Place rate, double most) const;
  std::optional<double> ended(SheetLineEnd end) {
    m_end = end;
    return std::nullopt;
  }
  std::optional<double> moveTo(FlowSheet::Place place, double length) {
    m_at.place = place;
    m_entered.reset();
    m_crossings = 0;
    return length;
  }
  std::optional<double> goOver(const Exit& exit);
  std::optional<double> followEdge(const FlowSheet::Here& here, int edge, FlowSheet::Place rate, double most);

  static constexpr int kMostCrossings = 16;  // of edges around one corner

  const SheetSeams& m_seams;
  MovingNet& m_net;
  SheetEdgePlace m_at;
  int m_direction;
  std::optional<int> m_entered;  ///< the edge over which it came, if it is on that
  int m_crossings = 0;           ///< of edges, since it went anywhere
  SheetLineEnd m_end = SheetLineEnd::Edge;
};

std::optional<SheetWalk::Exit> SheetWalk::exitOf(FlowSheet::Place rate, double most) const {
  const std::array at{m_at.place.u, m_at.place.v}, rates{rate.u, rate.v};
  std::optional<Exit> exit;
  for (int edge = 0; edge < kSheetEdges; ++edge) {
    const std::size_t across = 1 - alongEdge(edge);
    if (!(edge % 2 == 0 ? rates[across] < 0 : rates[across] > 0)) continue;
    const double end = edge % 2 == 0 ? 0 : static_cast<double>(m_net.cells()[across]);
    const double length = std::max(0.0, (end - at[across]) / rates[across]);
    if (!(length <= (exit ? exit->length : most))) continue;
    std::array<double, 2> place;
    for (std::size_t a = 0; a < 2; ++a)
      place[a] = std::clamp(at[a] + length * rates[a], 0.0, static_cast<double>(m_net.cells()[a]));
    place[across] = end;
    exit = {edge, length, {place[0], place[1]}};
  }
  return exit;
}

std::optional<double> SheetWalk::goOn(const FlowSheet::Here& here, double most) {
  const auto way = FlowSheet::direction(here);
  if (!way) return ended(SheetLineEnd::Still);
  double each = std::min(kStep / std::max(std::abs(way->u), std::abs(way->v)), most);
  const FlowSheet::Place from = m_net.local(m_at.place);
  const FlowSheet& sheet = m_net.sheet();
  FlowSheet::Place rate;
  if (const auto taken = sheet.step(from, *way, m_direction * each)) {
    FlowSheet::Place next = taken->to;
    // Where the vector comes together from both sides a line goes on between them, and not to and fro over the middle.
    double part = 1;
    const auto goesBetween = [&](const FlowSheet::Here& there, FlowSheet::Place back) {
      const auto found = FlowSheet::between(here, *way, there, back);
      if (!found) return false;
      part = *found;
      const double half = 0.5 * m_direction * each;
      next = {from.u + half * (way->u + back.u), from.v + half * (way->v + back.v)};
      return true;
    };
    if (!goesBetween(taken->middle, taken->wayFromMiddle))
      if (const auto there = sheet.at(taken->to))
        if (const auto back = FlowSheet::direction(*there)) goesBetween(*there, *back);
    if (part < FlowSheet::kStillBetween) return ended(SheetLineEnd::Still);
    each *= part;
    if (const FlowSheet::Place to = m_net.global(next); m_net.has(to)) return moveTo(to, each);
    rate = {(next.u - from.u) / each, (next.v - from.v) / each};
  } else {
    // by the midpoint rule as well, up to the edge
    const auto exit = exitOf({m_direction * way->u, m_direction * way->v}, each);
    if (!exit) return ended(SheetLineEnd::Edge);
    const auto middle = sheet.at(moved(from, 0.5 * m_direction * exit->length, *way));
    const auto on = middle ? FlowSheet::direction(*middle) : std::nullopt;
    if (!on) return ended(SheetLineEnd::Edge);
    rate = {m_direction * on->u, m_direction * on->v};
  }
  const auto exit = exitOf(rate, each);
  if (!exit) return moveTo(moved(m_at.place, each, rate), each);  // bent away from it
  const bool isBack =
      m_entered == exit->edge && exit->length * std::max(std::abs(rate.u), std::abs(rate.v)) < kOnEdge;
  return isBack ? followEdge(here, exit->edge, rate, most) : goOver(*exit);
}

std::optional<double> SheetWalk::goOver(const Exit& exit) {
  if (++m_crossings > kMostCrossings) return ended(SheetLineEnd::Still);
  const auto beyond = m_seams.beyond({m_at.sheet, exit.edge, exit.place});
  if (!beyond) return ended(SheetLineEnd::Edge);
  if (exit.length > 0) m_crossings = 0;
  if (beyond->sheet != m_at.sheet) m_net.enter(beyond->sheet);
  m_at = *beyond;
  m_entered = m_at.edge;
  return exit.length;
}

/// Out of both sheets.
std::optional<double> SheetWalk::followEdge(const FlowSheet::Here& here, int edge, FlowSheet::Place rate,
                                            double most) {
  (alongEdge(edge) == 0 ? rate.v : rate.u) = 0;
  const double part = length(rate.u * here.alongU + rate.v * here.alongV);
  if (!(part >= FlowSheet::kStillBetween)) return ended(SheetLineEnd::Still);
  rate = {rate.u / part, rate.v / part};
  const double each = std::min(kStep / std::max(std::abs(rate.u), std::abs(rate.v)), most);
  if (const auto exit = exitOf(rate, each)) return goOver(*exit);
  return moveTo(moved(m_at.place, each, rate), each);
}

}  // namespace

std::uint64_t sheetLineBytes(const fields::FunctionPlan& functions) {
  return readNetBytes(functions, kMargin) +
         2 * static_cast<std::uint64_t>(functions.outputCount()) * sizeof(double);
}

SheetLineEnd followOnSheets(const SheetSeams& seams, std::size_t first, FlowSheet::Place start, int direction,
                            const SheetLineOptions& options, fields::PagedData& data,
                            tasks::TaskContext& context, const fields::FunctionPlan& functions,
                            std::int64_t step, SheetLineSink& sink) {
  MovingNet net(seams, data, context, functions, step);
  SheetWalk walk(seams, net, first, start, direction);
  std::vector<double> values(static_cast<std::size_t>(functions.outputCount()));
  double length = 0, gone = 1;
  bool isThere = false;
  for (std::int64_t steps = 0;; steps += gone > 0 ? 1 : 0) {
    context.throwIfGivenUp();
    const auto here = walk.here();
    if (!here) return isThere ? SheetLineEnd::Edge : SheetLineEnd::NotThere;
    if (gone > 0) {
      for (std::size_t n = 0; n < values.size(); ++n) values[n] = net.sheet().valueAt(*here, n);
      sink.vertex(here->point, length, net.sideAt(*here), values);
      isThere = true;
    }
    if (length >= options.maxLength) return SheetLineEnd::Length;
    if (steps >= options.maxSteps) return SheetLineEnd::Steps;
    const auto on = walk.goOn(*here, options.maxLength - length);
    if (!on) return walk.end();
    gone = *on;
    length += gone;
  }
}

}  // namespace farfield::extract
