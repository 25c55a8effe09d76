#include "plugins/amr/amr_values.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/index_walk.h"
#include "core/base/overloaded.h"

namespace farfield::amr {
namespace {

/// Nodes along each axis that are made at a time, so that scratch memory does not follow from what is asked for.
constexpr std::int64_t kPart = 16;
constexpr int kComponentsAtATime = 3;

/// Values of the cells (or nodes) of a region, components fastest; those that nothing holds are not there.
struct Filled {
  IndexBox region;
  int components = 1;
  std::vector<double> values;
  std::vector<std::uint8_t> there;

  std::size_t at(const Index3& cell) const { return numberIn(region, cell); }
};

bool isWhole(ScalarType type) {
  return type != ScalarType::F32 && type != ScalarType::F64;
}

void storeAs(ScalarType type, double value, std::byte* to) {
  switch (type) {
    case ScalarType::F32:
      return store(to, static_cast<float>(value));
    case ScalarType::F64:
      return store(to, value);
    case ScalarType::U8:
      return store(to, static_cast<std::uint8_t>(value));
    case ScalarType::U16:
      return store(to, static_cast<std::uint16_t>(value));
    case ScalarType::I16:
      return store(to, static_cast<std::int16_t>(value));
    case ScalarType::I32:
      return store(to, static_cast<std::int32_t>(value));
    case ScalarType::I8:
      return store(to, static_cast<std::int8_t>(value));
  }
}

/// One component after the other, into rows of all.
void readGathered(const arrays::GatheredArray& placed, std::int64_t step, const IndexBox& box, int first,
                  int count, std::span<std::byte> out) {
  const auto cells = static_cast<std::size_t>(product(box.size));
  const std::size_t each = out.size() / cells / static_cast<std::size_t>(count);
  std::vector<std::byte> one(cells * each);
  for (int c = 0; c < count; ++c) {
    arrays::readBox(placed[static_cast<std::size_t>(first + c)], step, box, 0, 1, one);
    for (std::size_t n = 0; n < cells; ++n)
      std::copy_n(one.data() + n * each, each,
                  out.data() + (n * static_cast<std::size_t>(count) + static_cast<std::size_t>(c)) * each);
  }
}

class Filler {
 public:
  Filler(const AmrField& field, std::size_t variable, std::int64_t step, int first, int count)
      : m_field(field),
        m_variable(field.variables[variable]),
        m_type(arrays::keptAs(m_variable.type)),
        m_step(step),
        m_first(first),
        m_count(count) {}

  ScalarType type() const { return m_type; }

  void fill(int level, const IndexBox& region, Filled& out) {
    out.region = region;
    out.components = m_count;
    const auto cells = static_cast<std::size_t>(product(region.size));
    out.values.assign(cells * static_cast<std::size_t>(m_count), 0.0);
    out.there.assign(cells, 0);
    const BoxTree& boxes = m_field.samples(level);
    std::int64_t missing = static_cast<std::int64_t>(cells);
    boxes.forEachIn(region, [&](std::uint32_t number) {
      const IndexBox part = intersection(boxes.boxes()[number], region);
      read(m_field.firstBox[static_cast<std::size_t>(level)] + number, boxes.boxes()[number].first, part,
           out);
      missing -= product(part.size);
    });
    if (missing > 0 && level > 0 && m_field.onCells) fillFromCoarser(level, out);
  }

 private:
  void read(std::size_t box, const Index3& origin, const IndexBox& part, Filled& out) {
    IndexBox local = part;
    for (std::size_t a = 0; a < 3; ++a) local.first[a] -= origin[a];
    const auto numbers = static_cast<std::size_t>(product(part.size) * m_count);
    m_stored.resize(numbers * static_cast<std::size_t>(sizeOf(m_type)));
    readPlace(m_variable.boxes[box], m_step, local, m_first, m_count, m_stored);
    m_numbers.resize(numbers);
    toDouble(m_stored.data(), m_type, 0, static_cast<std::int64_t>(numbers), m_numbers.data());
    const double* from = m_numbers.data();
    forEachIndex(part, [&](const Index3& cell) {
      const std::size_t at = out.at(cell);
      out.there[at] = 1;
      std::copy_n(from, m_count, out.values.data() + at * static_cast<std::size_t>(m_count));
      from += m_count;
    });
  }

  void fillFromCoarser(int level, Filled& out) {
    const Index3& by = m_field.cells.ratio(level - 1);
    IndexBox missing{};
    Index3 end{};
    bool any = false;
    forEachIndex(out.region, [&](const Index3& cell) {
      if (out.there[out.at(cell)]) return;
      for (std::size_t a = 0; a < 3; ++a) {
        missing.first[a] = any ? std::min(missing.first[a], cell[a]) : cell[a];
        end[a] = any ? std::max(end[a], cell[a] + 1) : cell[a] + 1;
      }
      any = true;
    });
    for (std::size_t a = 0; a < 3; ++a) missing.size[a] = end[a] - missing.first[a];
    IndexBox around = coarsened(missing, by);
    for (std::size_t a = 0; a < 3; ++a) {
      if (by[a] == 1) continue;
      around.first[a] -= 1;
      around.size[a] += 2;
    }
    Filled coarse;
    fill(level - 1, around, coarse);
    forEachIndex(missing, [&](const Index3& cell) {
      const std::size_t at = out.at(cell);
      if (!out.there[at]) interpolate(coarse, by, cell, out, at);
    });
  }

  /// From the cells of a coarser level around the centre of `cell`; nothing if none of them holds it.
  void interpolate(const Filled& coarse, const Index3& by, const Index3& cell, Filled& out,
                   std::size_t at) const {
    Index3 holder, base;
    std::array<double, 3> beyond;
    for (std::size_t a = 0; a < 3; ++a) {
      holder[a] = floorDiv(cell[a], by[a]);
      const double position =
          (static_cast<double>(cell[a] - holder[a] * by[a]) + 0.5) / static_cast<double>(by[a]) - 0.5;
      base[a] = position < 0 ? holder[a] - 1 : holder[a];
      beyond[a] = position < 0 ? position + 1 : position;
    }
    const std::size_t own = coarse.at(holder);
    if (!coarse.there[own]) return;
    double* const to = out.values.data() + at * static_cast<std::size_t>(m_count);
    out.there[at] = 1;
    if (isWhole(m_type)) {
      std::copy_n(coarse.values.data() + own * static_cast<std::size_t>(m_count), m_count, to);
      return;
    }
    std::array<double, kComponentsAtATime> sums{};
    double weights = 0;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      double weight = 1;
      Index3 from = base;
      for (std::size_t a = 0; a < 3; ++a) {
        weight *= (corner >> a & 1) != 0 ? beyond[a] : 1 - beyond[a];
        from[a] += corner >> a & 1;
      }
      if (weight == 0) continue;
      const std::size_t n = coarse.at(from);
      if (!coarse.there[n]) continue;
      weights += weight;
      for (int c = 0; c < m_count; ++c)
        sums[static_cast<std::size_t>(c)] +=
            weight * coarse.values[n * static_cast<std::size_t>(m_count) + static_cast<std::size_t>(c)];
    }
    for (int c = 0; c < m_count; ++c) to[c] = sums[static_cast<std::size_t>(c)] / weights;
  }

  const AmrField& m_field;
  const Variable& m_variable;
  ScalarType m_type;
  std::int64_t m_step;
  int m_first, m_count;
  std::vector<std::byte> m_stored;
  std::vector<double> m_numbers;
};

/// The cells that the values of the nodes of `part` are made of.
IndexBox cellsAround(const BoxNodes& nodes, const IndexBox& part) {
  IndexBox cells;
  for (std::size_t a = 0; a < 3; ++a) {
    cells.first[a] = AxisNodes::firstCellAt(nodes.axes[a].halfAt(part.first[a]));
    cells.size[a] =
        AxisNodes::lastCellAt(nodes.axes[a].halfAt(part.first[a] + part.size[a] - 1)) + 1 - cells.first[a];
  }
  return cells;
}

/// Values at a node of a grid of centres and faces, from those of its cells, into `out`.
void mix(const Filled& cells, const IndexBox& box, const Index3& half, bool whole, double* out) {
  IndexBox around;
  for (std::size_t a = 0; a < 3; ++a) {
    around.first[a] = AxisNodes::firstCellAt(half[a]);
    around.size[a] = AxisNodes::lastCellAt(half[a]) + 1 - around.first[a];
  }
  const auto components = static_cast<std::size_t>(cells.components);
  const std::size_t none = cells.there.size();
  std::size_t first = none, own = none;
  int count = 0;
  std::fill_n(out, components, 0.0);
  forEachIndex(around, [&](const Index3& cell) {
    const std::size_t at = cells.at(cell);
    if (!cells.there[at]) return;
    if (first == none) first = at;
    if (own == none && box.contains(cell)) own = at;
    ++count;
    for (std::size_t c = 0; c < components; ++c) out[c] += cells.values[at * components + c];
  });
  if (whole || count == 1) {
    // one of the node's cells is of its box
    const std::size_t at = own != none ? own : first;
    std::copy_n(cells.values.data() + at * components, components, out);
    return;
  }
  for (std::size_t c = 0; c < components; ++c) out[c] /= count;
}

/// Blanks nodes that no box of the level has, and those all of whose cells in the block are covered.
void blankNodes(const AmrField& field, int level, std::size_t number, const IndexBox& part,
                const IndexBox& nodes, std::span<std::byte> out) {
  const IndexBox& block = field.blockNodes[number];
  IndexBox samples = part, cells = part;
  for (std::size_t a = 0; a < 3; ++a) {
    samples.first[a] += block.first[a];
    cells.first[a] = samples.first[a] - (block.size[a] > 1 ? 1 : 0);
    cells.size[a] += block.size[a] > 1 ? 1 : 0;
  }
  std::vector<std::uint8_t> covered, there(static_cast<std::size_t>(product(part.size)), 0);
  field.cells.covered(level, cells, covered);
  const BoxTree& tree = field.samples(level);
  tree.forEachIn(samples, [&](std::uint32_t box) {
    forEachIndex(intersection(tree.boxes()[box], samples),
                 [&](const Index3& node) { there[numberIn(samples, node)] = 1; });
  });
  forEachIndex(part, [&](const Index3& node) {
    bool open = false;
    IndexBox around{{}, {1, 1, 1}};
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t at = node[a] + block.first[a];
      around.first[a] = block.size[a] > 1 ? std::max(at - 1, block.first[a]) : at;
      around.size[a] =
          block.size[a] > 1 ? std::min(at, block.first[a] + block.size[a] - 2) + 1 - around.first[a] : 1;
    }
    forEachIndex(around, [&](const Index3& cell) { open = open || covered[numberIn(cells, cell)] == 0; });
    const bool blank = !open || there[numberIn(part, node)] == 0;
    store(out.data() + 2 * numberIn(nodes, node), static_cast<std::int16_t>(blank ? 0 : 1));
  });
}

}  // namespace

void readPlace(const arrays::ArrayPlace& place, std::int64_t step, const IndexBox& box, int first, int count,
               std::span<std::byte> out) {
  std::visit(
      Overloaded{
          [&](const arrays::PlacedArray& placed) { arrays::readBox(placed, step, box, first, count, out); },
          [&](const arrays::GatheredArray& placed) { readGathered(placed, step, box, first, count, out); },
          [&](const arrays::ComputedArray& compute) { compute(step, box, first, count, out); }},
      place);
}

arrays::ComputedArray valuesOf(std::shared_ptr<const AmrField> field, std::size_t variable, int level,
                               std::size_t box) {
  return [field = std::move(field), variable, level, box](std::int64_t step, const IndexBox& nodes, int first,
                                                          int count, std::span<std::byte> out) {
    const std::size_t number = field->firstBox[static_cast<std::size_t>(level)] + box;
    const IndexBox& own = field->samples(level).boxes()[box];
    Filled filled;
    std::array<double, kComponentsAtATime> values{};
    for (int c = 0; c < count; c += kComponentsAtATime) {
      const int some = std::min(kComponentsAtATime, count - c);
      Filler filler(*field, variable, step, first + c, some);
      const ScalarType type = filler.type();
      const auto each = static_cast<std::size_t>(sizeOf(type));
      const auto put = [&](const Index3& node, const double* from) {
        std::byte* const to =
            out.data() +
            (numberIn(nodes, node) * static_cast<std::size_t>(count) + static_cast<std::size_t>(c)) * each;
        for (int n = 0; n < some; ++n) storeAs(type, from[n], to + static_cast<std::size_t>(n) * each);
      };
      forEachPart(nodes, kPart, [&](const IndexBox& part) {
        if (!field->onCells) {
          IndexBox samples = part;
          for (std::size_t a = 0; a < 3; ++a) samples.first[a] += field->blockNodes[number].first[a];
          filler.fill(level, samples, filled);
          std::size_t n = 0;
          forEachIndex(part, [&](const Index3& node) {
            put(node, filled.values.data() + n++ * static_cast<std::size_t>(some));
          });
          return;
        }
        const BoxNodes& block = field->blocks[number];
        filler.fill(level, cellsAround(block, part), filled);
        forEachIndex(part, [&](const Index3& node) {
          const Index3 half{block.axes[0].halfAt(node[0]), block.axes[1].halfAt(node[1]),
                            block.axes[2].halfAt(node[2])};
          mix(filled, own, half, isWhole(type), values.data());
          put(node, values.data());
        });
      });
    }
  };
}

arrays::ComputedArray blankingOf(std::shared_ptr<const AmrField> field, int level, std::size_t box) {
  return [field = std::move(field), level, box](std::int64_t, const IndexBox& nodes, int, int,
                                                std::span<std::byte> out) {
    const std::size_t number = field->firstBox[static_cast<std::size_t>(level)] + box;
    std::vector<std::uint8_t> covered;
    forEachPart(nodes, kPart, [&](const IndexBox& part) {
      if (field->onCells) {
        const BoxNodes& block = field->blocks[number];
        const IndexBox cells = cellsAround(block, part);
        field->cells.covered(level, cells, covered);
        forEachIndex(part, [&](const Index3& node) {
          bool blank = true;
          Index3 cell;
          for (std::size_t a = 0; a < 3; ++a) {
            const std::int64_t half = block.axes[a].halfAt(node[a]);
            blank = blank && AxisNodes::isCentre(half);
            cell[a] = AxisNodes::lastCellAt(half) - cells.first[a];
          }
          blank = blank && covered[static_cast<std::size_t>(linear(cell, cells.size))] != 0;
          store(out.data() + 2 * numberIn(nodes, node), static_cast<std::int16_t>(blank ? 0 : 1));
        });
        return;
      }
      blankNodes(*field, level, number, part, nodes, out);
    });
  };
}

}  // namespace farfield::amr
