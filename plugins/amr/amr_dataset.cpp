#include "plugins/amr/amr_dataset.h"

#include <algorithm>
#include <cmath>

#include "core/base/count_text.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::amr {
namespace {

/// What a box and an array of it take in the lists of a data set and of who reads it.
constexpr std::uint64_t kBoxBytes = 1024, kArrayBytes = 1024;
constexpr std::uint64_t kShortLists = 16 << 20;

std::uint64_t bytesOfBoxes(std::size_t boxes, std::size_t variables) {
  return boxes * (kBoxBytes + (variables + 1) * kArrayBytes);
}

class Maker {
 public:
  Maker(AmrInput input, MemoryAccount& account) : m_input(std::move(input)), m_account(account) {}

  AmrData make() {
    std::size_t boxes = 0;
    for (const Level& level : m_input.levels) boxes += level.boxes.size();
    claimLeft(bytesOfBoxes(boxes, m_input.variables.size()));
    m_data.explain = std::move(m_input.notes);
    m_data.description.format = m_input.format;
    m_data.description.times = m_input.times;
    makeField();
    chooseNames();
    std::size_t number = 0;
    for (int level = 0; level < m_field->cells.levels(); ++level)
      for (std::size_t box = 0; box < m_field->cells.boxes(level).boxes().size(); ++box, ++number)
        addBlock(level, box, number);
    m_field->variables = std::move(m_input.variables);
    say();
    return std::move(m_data);
  }

 private:
  /// What the input has claimed, it has claimed for these lists as well.
  void claimLeft(std::uint64_t bytes) {
    std::uint64_t claimed = 0;
    for (MemoryClaim& claim : m_input.claims) {
      claimed += claim.bytes();
      m_data.claims.push_back(std::move(claim));
    }
    if (bytes > claimed) m_data.claims.push_back(claimLists(bytes - claimed, m_account));
  }

  void makeField() {
    std::vector<BoxTree> nodes;
    std::vector<IndexBox> blockNodes;
    if (!m_input.onCells) {
      for (Level& level : m_input.levels) {
        nodes.emplace_back(level.boxes);
        for (IndexBox& box : level.boxes) {
          box = withNextNodes(nodes.back(), box);
          blockNodes.push_back(box);
          // a cell is numbered as its lower node; along an axis of one node there is one that is as thick
          for (std::size_t a = 0; a < 3; ++a) box.size[a] = std::max<std::int64_t>(1, box.size[a] - 1);
        }
      }
    }
    m_field =
        std::make_shared<AmrField>(Hierarchy(std::move(m_input.levels), m_input.origin, m_input.spacing));
    m_field->onCells = m_input.onCells;
    m_field->nodes = std::move(nodes);
    m_field->blockNodes = std::move(blockNodes);
    std::size_t first = 0;
    for (int level = 0; level < m_field->cells.levels(); ++level) {
      m_field->firstBox.push_back(first);
      first += m_field->cells.boxes(level).boxes().size();
    }
    if (m_input.onCells) m_field->blocks.resize(first);
  }

  /// The nodes of a box, and the first ones of the next boxes, so that no cells are missing between them.
  static IndexBox withNextNodes(const BoxTree& nodes, const IndexBox& box) {
    IndexBox more = box;
    for (std::size_t a = 0; a < 3; ++a) {
      // of the box's own last nodes: those it has got along another axis are the neighbour's
      IndexBox last = box, next = box;
      next.first[a] = box.first[a] + box.size[a];
      last.first[a] = next.first[a] - 1;
      next.size[a] = last.size[a] = 1;
      // boxes that share their last nodes leave no gap
      if (!nodes.meeting(next, 1).empty() && nodes.meeting(last, 2).size() < 2) more.size[a] += 1;
    }
    return more;
  }

  void addBlock(int level, std::size_t box, std::size_t number) {
    const Hierarchy& hierarchy = m_field->cells;
    const IndexBox& cells = hierarchy.boxes(level).boxes()[box];
    paging::BlockDescription block;
    block.spacing = hierarchy.spacing(level);
    block.hasIblank = hierarchy.mayCover(level, cells);
    if (m_input.onCells)
      placeCells(level, cells, number, block);
    else
      placeNodes(level, number, block);
    m_data.description.blocks.push_back(std::move(block));
    if (m_data.description.blocks.back().hasIblank) {
      paging::ArrayDescription iblank = arrays::describeBlanking(m_data.description.blocks.back().dims, 1);
      iblank.block = static_cast<int>(number);
      m_data.description.arrays.push_back(std::move(iblank));
      m_data.places.emplace_back(blankingOf(m_field, level, box));
    }
    // the arrays of a block stand together
    addVariables(level, box, number);
  }

  void placeCells(int level, const IndexBox& cells, std::size_t number, paging::BlockDescription& block) {
    const Hierarchy& hierarchy = m_field->cells;
    Hierarchy::Ends ends = hierarchy.endsIn(level, cells);
    if (ends.withinCells) ++m_withinCells;
    BoxNodes& nodes = m_field->blocks[number];
    std::uint64_t count = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const bool flat = a == 2 && m_input.flat;
      nodes.axes[a] = AxisNodes(cells.first[a], cells.size[a], std::move(ends.planes[a]), flat);
      count += static_cast<std::uint64_t>(nodes.axes[a].count());
    }
    m_data.claims.push_back(claimLists(2 * count * sizeof(double), m_account));
    auto axes = std::make_shared<paging::GridAxes>();
    for (std::size_t a = 0; a < 3; ++a) {
      std::vector<double>& axis = (*axes)[a];
      axis.resize(static_cast<std::size_t>(nodes.axes[a].count()));
      for (std::size_t n = 0; n < axis.size(); ++n) {
        axis[n] =
            hierarchy.place(level, static_cast<int>(a), nodes.axes[a].halfAt(static_cast<std::int64_t>(n)));
        if (n > 0 && !(axis[n] > axis[n - 1]))
          throw Unsupported("its cells are too small for how far from 0 they are", "check the file");
      }
      block.bounds.min[static_cast<int>(a)] = axis.front();
      block.bounds.max[static_cast<int>(a)] = axis.back();
    }
    block.dims = nodes.dims();
    block.kind = paging::GridKind::Rectilinear;
    block.axes = std::move(axes);
  }

  void placeNodes(int level, std::size_t number, paging::BlockDescription& block) {
    const IndexBox& nodes = m_field->blockNodes[number];
    block.dims = nodes.size;
    block.kind = paging::GridKind::Regular;
    // nodes that no box has are blank
    if (!m_field->samples(level).holds(nodes)) block.hasIblank = true;
    for (int a = 0; a < 3; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      block.origin[a] = m_field->cells.place(level, a, 2 * nodes.first[axis]);
      // as they are found: by a node's number
      const double next = block.origin[a] + block.spacing[a];
      if (!(next > block.origin[a]) ||
          std::abs(next - block.origin[a] - block.spacing[a]) > 1e-6 * block.spacing[a])
        throw Unsupported("its cells are too small for how far from 0 they are", "check the file");
      block.bounds.min[a] = block.origin[a];
      block.bounds.max[a] = block.origin[a] + static_cast<double>(nodes.size[axis] - 1) * block.spacing[a];
    }
  }

  /// Names that stores and expressions take, none twice.
  void chooseNames() {
    paging::DatasetDescription taken;
    for (const Variable& variable : m_input.variables) {
      m_names.push_back(arrays::usableName(variable.name, taken));
      taken.arrays.emplace_back().name = m_names.back();
      if (arrays::losesDigits(variable.type))
        m_data.explain.push_back(printable(m_names.back()) +
                                 ": 64-bit integers become f64, exact up to 2^53");
    }
    if (m_input.variables.empty()) m_data.explain.emplace_back("there are no values, only boxes");
  }

  void addVariables(int level, std::size_t box, std::size_t number) {
    const auto steps = static_cast<std::int64_t>(m_input.times.size());
    for (std::size_t v = 0; v < m_input.variables.size(); ++v) {
      const Variable& variable = m_input.variables[v];
      paging::ArrayDescription array =
          arrays::describeArray(m_names[v], m_data.description.blocks[number].dims, variable.components,
                                arrays::keptAs(variable.type), steps);
      array.block = static_cast<int>(number);
      m_data.description.arrays.push_back(std::move(array));
      m_data.places.emplace_back(valuesOf(m_field, v, level, box));
    }
  }

  void say() {
    const Hierarchy& hierarchy = m_field->cells;
    paging::AmrLevels levels;
    levels.onCells = m_input.onCells;
    for (int n = 0; n < hierarchy.levels(); ++n) {
      const auto& boxes = hierarchy.boxes(n).boxes();
      levels.boxes.push_back(static_cast<std::int64_t>(boxes.size()));
      if (n + 1 < hierarchy.levels()) {
        const Index3& ratio = hierarchy.ratio(n);
        levels.ratios.push_back(*std::max_element(ratio.begin(), ratio.end()));
      }
      double cells = 0, finer = 0;
      for (const IndexBox& box : boxes) cells += static_cast<double>(product(box.size));
      if (n + 1 < hierarchy.levels())
        for (const IndexBox& box : hierarchy.boxes(n + 1).boxes())
          finer += static_cast<double>(product(box.size)) / static_cast<double>(product(hierarchy.ratio(n)));
      m_data.explain.push_back(
          "level " + std::to_string(n) + ": " +
          countText(static_cast<std::int64_t>(boxes.size()), "box", "boxes") + ", " +
          countText(static_cast<std::int64_t>(cells), "cell", "cells") +
          (finer > 0 ? ", finer ones cover " + std::to_string(static_cast<std::int64_t>(finer + 0.5)) : ""));
    }
    paging::sayAmr(m_data.description, levels);
    if (m_input.onCells) {
      m_data.description.attributes["samples"] = "cell centres";
      m_data.explain.emplace_back(
          "values of cells: nodes are the centres of cells and, where boxes end, faces with means of the "
          "cells beside them");
    }
    if (m_withinCells > 0)
      m_data.explain.push_back("finer boxes end within cells of " +
                               countText(static_cast<std::int64_t>(m_withinCells), "box", "boxes") +
                               ": such cells are seen beside the finer ones");
  }

  AmrInput m_input;
  MemoryAccount& m_account;
  AmrData m_data;
  std::shared_ptr<AmrField> m_field;
  std::vector<std::string> m_names;  ///< of the variables
  std::size_t m_withinCells = 0;
};

}  // namespace

MemoryClaim claimLists(std::uint64_t bytes, MemoryAccount& account) {
  const char* const what = "lists of boxes";
  return bytes <= kShortLists ? account.claim(Purpose::Index, bytes, what)
                              : account.claimInEarnest(Purpose::Index, bytes, what);
}

MemoryClaim claimBoxes(std::size_t boxes, std::size_t variables, MemoryAccount& account) {
  return claimLists(bytesOfBoxes(boxes, variables), account);
}

MemoryClaim claimVariable(std::size_t boxes, MemoryAccount& account) {
  return claimLists(boxes * kArrayBytes, account);
}

AmrData datasetOf(AmrInput input, MemoryAccount& account) {
  return Maker(std::move(input), account).make();
}

}  // namespace farfield::amr
