#include "core/extract/sheet_seams.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/fields/functions/node_coordinates.h"

namespace farfield::extract {
namespace {

constexpr std::int64_t kSidesAtATime = 512;
/// Of the data's diagonal, to which places are rounded before they are compared: the node that two blocks have is often computed twice, from the
/// origin of each.
constexpr double kSamePlace = 1.0 / (1 << 26);

/// Sides of the edges before it.
std::int64_t firstOf(int edge, const std::array<std::int64_t, 2>& cells) {
  return edge < 2 ? edge * cells[0] : 2 * cells[0] + (edge - 2) * cells[1];
}

}  // namespace

std::array<std::int64_t, 2> cellsOf(const GridSurface& surface) {
  const Index3 size = surface.nodes().size;
  return {size[static_cast<std::size_t>(surface.u())] - 1, size[static_cast<std::size_t>(surface.v())] - 1};
}

std::optional<SheetEdgePlace> SheetSeams::beyond(const SheetEdgePlace& from) const {
  const auto cells = cellsOf(m_sheets[from.sheet]);
  const std::size_t along = alongEdge(from.edge);
  const double at = along == 0 ? from.place.u : from.place.v;
  const std::int64_t cell = std::clamp<std::int64_t>(static_cast<std::int64_t>(at), 0, cells[along] - 1);
  const std::int64_t number = m_first[from.sheet] + firstOf(from.edge, cells) + cell;
  const auto side = m_links->beyond(number / kSheetEdges)[static_cast<std::size_t>(number % kSheetEdges)];
  if (!side) return std::nullopt;

  std::int64_t its = kSheetEdges * side->face + side->side;
  SheetEdgePlace to;
  to.sheet =
      static_cast<std::size_t>(std::upper_bound(m_first.begin(), m_first.end(), its) - m_first.begin() - 1);
  its -= m_first[to.sheet];
  const auto others = cellsOf(m_sheets[to.sheet]);
  while (to.edge + 1 < kSheetEdges && its >= firstOf(to.edge + 1, others)) ++to.edge;
  const double share = at - static_cast<double>(cell);
  const double there =
      static_cast<double>(its - firstOf(to.edge, others)) + (side->isTurned ? share : 1 - share);
  const std::size_t itsAlong = alongEdge(to.edge);
  const double across = to.edge % 2 == 0 ? 0 : static_cast<double>(others[1 - itsAlong]);
  to.place = itsAlong == 0 ? FlowSheet::Place{there, across} : FlowSheet::Place{across, there};
  return to;
}

SheetSeamer::SheetSeamer(std::vector<GridSurface> sheets) : m_seams(std::make_shared<SheetSeams>()) {
  m_seams->m_sheets = std::move(sheets);
  m_seams->m_first.assign(1, 0);
  for (const GridSurface& sheet : m_seams->m_sheets) {
    const auto cells = sheet.isFaces() ? std::array<std::int64_t, 2>{} : cellsOf(sheet);
    m_seams->m_first.push_back(m_seams->m_first.back() + 2 * (cells[0] + cells[1]));
  }
}

void SheetSeamer::placeEdge(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                            const fields::FunctionPlan& functions, std::int64_t step,
                            FaceLinker& linker) const {
  const std::size_t sheet = number / kSheetEdges;
  const auto edge = static_cast<int>(number % kSheetEdges);
  const GridSurface& surface = m_seams->m_sheets[sheet];
  if (surface.isFaces()) return;
  const auto cells = cellsOf(surface);
  const std::array axes{static_cast<std::size_t>(surface.u()), static_cast<std::size_t>(surface.v())};
  const auto fixed = static_cast<std::size_t>(surface.fixedAxis());
  const std::size_t along = axes[alongEdge(edge)], across = axes[1 - alongEdge(edge)];
  IndexBox strip = surface.nodes();
  strip.size[fixed] = 1;
  if (edge % 2 == 1) strip.first[across] += strip.size[across] - 1;
  strip.size[across] = 1;

  paging::Cursor cursor(data.cache(), context, data.plan().mode);
  cursor.setStep(step);
  const fields::BlockSlots slots = data.bind(cursor, surface.block(), functions);
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(surface.block())];
  const Bounds& bounds = data.bounds();
  const Vec3 low = bounds.empty() ? Vec3{} : bounds.min;
  const double diagonal = bounds.empty() ? 0 : bounds.diagonal();
  const double same = diagonal > 0 && std::isfinite(diagonal) ? kSamePlace * diagonal : 1;
  std::vector<double> here, next;
  const std::int64_t all = cells[alongEdge(edge)];
  for (std::int64_t first = 0; first < all; first += kSidesAtATime) {
    context.throwIfGivenUp();
    const std::int64_t count = std::min(kSidesAtATime, all - first);
    IndexBox box = strip;
    box.first[along] += first;
    box.size[along] = count + 1;
    here.resize(static_cast<std::size_t>(3 * (count + 1)));
    fields::gatherCoordinates(cursor, slots.xyz, grid, box, here);
    // as the net of a sheet between two has it
    if (const double beyond = surface.beyond(); beyond > 0) {
      ++box.first[fixed];
      next.resize(here.size());
      fields::gatherCoordinates(cursor, slots.xyz, grid, box, next);
      for (std::size_t n = 0; n < here.size(); ++n) here[n] = (1 - beyond) * here[n] + beyond * next[n];
    }
    const std::int64_t from = m_seams->m_first[sheet] + firstOf(edge, cells) + first;
    const auto point = [&](std::int64_t n) {
      Vec3 rounded;
      for (int a = 0; a < 3; ++a)
        rounded[a] = std::round((here[static_cast<std::size_t>(3 * n + a)] - low[a]) / same);
      return rounded;
    };
    // All are said to go from their lower node to the higher one.
    for (std::int64_t n = 0; n < count; ++n) linker.place({0, 0, 2 * (from + n) + 1}, point(n), point(n + 1));
  }
}

std::shared_ptr<const SheetSeams> SheetSeamer::finish(std::shared_ptr<const FaceLinks> links) {
  m_seams->m_links = std::move(links);
  return std::exchange(m_seams, nullptr);
}

}  // namespace farfield::extract
