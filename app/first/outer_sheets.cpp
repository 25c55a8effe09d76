#include "app/first/outer_sheets.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "app/first/first_objects.h"
#include "core/fields/paged/paged_nodes.h"

namespace farfield::app {
namespace {

/// Along each axis of an end.
constexpr std::int64_t kCellsAlong = 4;
/// How far beyond an end is looked, of the way to the next sheet of nodes: neighbours fit less well where cells are coarse.
constexpr double kBeyond = 0.1;
/// Of the speed beside a wall.
constexpr double kAtRest = 1e-6;
/// Somebody waits for the surface, which is as good as any other without this.
constexpr std::chrono::seconds kMostTime{3};

/// An end of blocks along an axis.
struct End {
  std::size_t axis = 2;
  bool isLast = false;

  session::IndexRange3 range() const {
    session::IndexRange3 nodes;
    nodes[axis] = isLast ? session::IndexRange{-1, -1} : session::IndexRange{0, 0};
    return nodes;
  }
};
constexpr std::array<End, 6> kEnds{{{2, false}, {2, true}, {1, false}, {1, true}, {0, false}, {0, true}}};

bool hasEnds(const paging::BlockDescription& block) {
  return !block.isUnstructured() && *std::min_element(block.dims.begin(), block.dims.end()) > 1;
}

/// A cell at the end of a block.
struct EndCell {
  std::int64_t number = 0;
  Vec3 beyond;  ///< a place just outside of its block
};

class Looker {
 public:
  Looker(fields::PagedData& data, tasks::TaskContext& task,
         const std::shared_ptr<const fields::FunctionPlan>& functions, std::int64_t step)
      : m_data(data), m_task(task), m_functions(functions), m_step(step) {}

  bool isOuter(int block, const End& end) {
    // One after the other: a task has room for the pages of one of them.
    const std::vector<EndCell> cells = cellsAt(block, end);
    const auto sampler = m_data.makeSampler(m_task, m_functions);
    std::size_t outer = 0;
    for (const EndCell& cell : cells) {
      m_task.throwIfGivenUp();
      fields::Location where;
      if (isWall(block, cell.number, end, *sampler) ||
          !sampler->locate(cell.beyond, fields::FieldTime{m_step}, where))
        ++outer;
    }
    return 2 * outer > cells.size();
  }

 private:
  const paging::BlockDescription& grid(int block) const {
    return m_data.description().blocks[static_cast<std::size_t>(block)];
  }

  /// Some from all over the end that are not blank.
  std::vector<EndCell> cellsAt(int block, const End& end) {
    fields::NodePlaces nodes(m_data, m_task, m_step);
    const Index3 cells = grid(block).cellDims();
    const std::size_t u = (end.axis + 1) % 3, v = (end.axis + 2) % 3;
    const std::int64_t alongU = std::min(kCellsAlong, cells[u]), alongV = std::min(kCellsAlong, cells[v]);
    std::vector<EndCell> found;
    for (std::int64_t q = 0; q < alongV; ++q)
      for (std::int64_t p = 0; p < alongU; ++p) {
        m_task.throwIfGivenUp();
        Index3 cell{0, 0, 0};
        cell[u] = (2 * p + 1) * cells[u] / (2 * alongU);
        cell[v] = (2 * q + 1) * cells[v] / (2 * alongV);
        if (end.isLast) cell[end.axis] = cells[end.axis] - 1;
        std::array<Vec3, 2> middles;  // of the cell's faces at the end and inside
        bool isBlank = false;
        for (int corner = 0; corner < 8; ++corner) {
          Index3 node = cell;
          node[u] += corner & 1, node[v] += corner >> 1 & 1;
          const bool isInside = (corner >> 2 & 1) != 0;
          if (isInside != end.isLast) ++node[end.axis];
          isBlank = isBlank || nodes.isBlank(block, node);
          Vec3& middle = middles[isInside ? 1 : 0];
          middle = middle + 0.25 * nodes.at(block, node);
        }
        if (!isBlank)
          found.push_back({linear(cell, cells), middles[0] + kBeyond * (middles[0] - middles[1])});
      }
    return found;
  }

  bool isWall(int block, std::int64_t cell, const End& end, fields::Sampler& sampler) const {
    if (sampler.valueCount() != 3) return false;
    const auto speedAt = [&](double along) {
      Vec3 xi{0.5, 0.5, 0.5};
      xi[static_cast<int>(end.axis)] = along;
      std::array<double, 3> velocity{};
      sampler.evaluate({block, cell, xi}, fields::FieldTime{m_step}, velocity);
      return length(Vec3{velocity[0], velocity[1], velocity[2]});
    };
    const double atEnd = speedAt(end.isLast ? 1 : 0), inside = speedAt(end.isLast ? 0 : 1);
    return inside > 0 && atEnd <= kAtRest * inside;
  }

  fields::PagedData& m_data;
  tasks::TaskContext& m_task;
  std::shared_ptr<const fields::FunctionPlan> m_functions;
  std::int64_t m_step;
};

}  // namespace

bool mayLieInside(const session::GridSurface& surface, const DataSummary& data) {
  const auto& blocks = data.description.blocks;
  return surface.surface.empty() && surface.blocks.empty() && surface.range == kEnds.front().range() &&
         std::count_if(blocks.begin(), blocks.end(), hasEnds) > 1 && rendererFunctions(data).empty();
}

std::optional<session::GridSurface> outerSheets(const session::GridSurface& surface, fields::PagedData& data,
                                                tasks::TaskContext& task,
                                                const std::shared_ptr<const fields::FunctionPlan>& functions,
                                                std::int64_t step) {
  const auto begun = std::chrono::steady_clock::now();
  const auto& blocks = data.description().blocks;
  Looker looker(data, task, functions, std::min(step, data.description().steps() - 1));
  for (const End& end : kEnds) {
    session::GridSurface outer = surface;
    outer.range = end.range();
    for (int block = 0; block < static_cast<int>(blocks.size()); ++block) {
      if (std::chrono::steady_clock::now() - begun > kMostTime) return std::nullopt;
      // What has no ends is shown as it is.
      if (!hasEnds(blocks[static_cast<std::size_t>(block)]) || looker.isOuter(block, end))
        outer.blocks.push_back(block);
    }
    if (std::none_of(outer.blocks.begin(), outer.blocks.end(),
                     [&](std::int64_t block) { return hasEnds(blocks[static_cast<std::size_t>(block)]); }))
      continue;
    if (outer.blocks.size() == blocks.size()) outer.blocks.clear();
    if (outer == surface) return std::nullopt;
    return outer;
  }
  return std::nullopt;
}

}  // namespace farfield::app
