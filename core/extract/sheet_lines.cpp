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

/// The net around a place of a surface, whichever it is.
class MovingNet {
 public:
  MovingNet(const GridSurface& surface, fields::PagedData& data, tasks::TaskContext& context,
            const fields::FunctionPlan& functions, std::int64_t step)
      : m_surface(surface),
        m_data(data),
        m_context(context),
        m_functions(functions),
        m_step(step),
        m_cells(cellsOf(surface)) {}

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
    m_net = readNet(m_surface, static_cast<std::size_t>(patch[0] + across * patch[1]), kMargin, m_data,
                    m_context, m_functions, m_step);
    for (std::size_t a = 0; a < 2; ++a) m_first[a] = patch[a] * GridSurface::kPatchCells - m_net->first[a];
    return true;
  }
  const FlowSheet& sheet() const { return m_net->sheet; }
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
  const GridSurface& m_surface;
  fields::PagedData& m_data;
  tasks::TaskContext& m_context;
  const fields::FunctionPlan& m_functions;
  std::int64_t m_step;
  std::array<std::int64_t, 2> m_cells;
  std::optional<SheetNet> m_net;
  std::array<std::int64_t, 2> m_first{};  ///< of the net's nodes, in the surface
};

}  // namespace

std::array<std::int64_t, 2> cellsOf(const GridSurface& surface) {
  const Index3 size = surface.nodes().size;
  return {size[static_cast<std::size_t>(surface.u())] - 1, size[static_cast<std::size_t>(surface.v())] - 1};
}

std::uint64_t sheetLineBytes(const fields::FunctionPlan& functions) {
  return readNetBytes(functions, kMargin) +
         2 * static_cast<std::uint64_t>(functions.outputCount()) * sizeof(double);
}

SheetLineEnd followOnSheet(const GridSurface& surface, FlowSheet::Place start, int direction,
                           const SheetLineOptions& options, fields::PagedData& data,
                           tasks::TaskContext& context, const fields::FunctionPlan& functions,
                           std::int64_t step, SheetLineSink& sink) {
  MovingNet net(surface, data, context, functions, step);
  std::vector<double> values(static_cast<std::size_t>(functions.outputCount()));
  FlowSheet::Place at = start;
  double length = 0;
  for (std::int64_t steps = 0;; ++steps) {
    context.throwIfGivenUp();
    const bool inside = net.moveTo(at);
    const auto here = inside ? net.sheet().at(net.local(at)) : std::nullopt;
    if (!here) return steps == 0 ? SheetLineEnd::NotThere : SheetLineEnd::Edge;
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = net.sheet().valueAt(*here, n);
    sink.vertex(here->point, length, net.sideAt(*here), values);
    if (length >= options.maxLength) return SheetLineEnd::Length;
    if (steps >= options.maxSteps) return SheetLineEnd::Steps;
    const auto way = FlowSheet::direction(*here);
    if (!way) return SheetLineEnd::Still;
    double each = std::min(kStep / std::max(std::abs(way->u), std::abs(way->v)), options.maxLength - length);
    const FlowSheet::Place from = net.local(at);
    const auto taken = net.sheet().step(from, *way, direction * each);
    if (!taken) return SheetLineEnd::Edge;
    FlowSheet::Place next = taken->to;
    // Where the vector comes together from both sides a line goes on between them, and not to and fro over the middle.
    double part = 1;
    const auto goesBetween = [&](const FlowSheet::Here& there, FlowSheet::Place back) {
      const auto found = FlowSheet::between(*here, *way, there, back);
      if (!found) return false;
      part = *found;
      const double half = 0.5 * direction * each;
      next = {from.u + half * (way->u + back.u), from.v + half * (way->v + back.v)};
      return true;
    };
    if (!goesBetween(taken->middle, taken->wayFromMiddle))
      if (const auto there = net.sheet().at(taken->to))
        if (const auto back = FlowSheet::direction(*there)) goesBetween(*there, *back);
    if (part < FlowSheet::kStillBetween) return SheetLineEnd::Still;
    each *= part;
    at = net.global(next);
    length += each;
  }
}

}  // namespace farfield::extract
