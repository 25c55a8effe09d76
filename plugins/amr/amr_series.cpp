#include "plugins/amr/amr_series.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::amr {
namespace {

constexpr std::size_t kMostNotes = 20;

bool sameBoxes(const AmrInput& a, const AmrInput& b) {
  const auto same = [](const Level& x, const Level& y) { return x.boxes == y.boxes && x.ratio == y.ratio; };
  return a.origin == b.origin && a.spacing == b.spacing &&
         std::equal(a.levels.begin(), a.levels.end(), b.levels.begin(), b.levels.end(), same);
}

bool sameKind(const Variable& a, const Variable& b) {
  return a.name == b.name && a.components == b.components && a.type == b.type;
}

/// Values of steps that lie in different places: of step n in `places[n].first`, as its step `places[n].second`.
arrays::ComputedArray byStep(std::vector<std::pair<arrays::ArrayPlace, std::int64_t>> places) {
  return [places = std::move(places)](std::int64_t step, const IndexBox& box, int first, int count,
                                      std::span<std::byte> out) {
    const auto& [place, own] = places[static_cast<std::size_t>(step)];
    readPlace(place, own, box, first, count, out);
  };
}

/// What a block has at steps at which it is not there: nothing.
void fillAbsent(ScalarType type, std::span<std::byte> out) {
  std::fill(out.begin(), out.end(), std::byte{});
  if (type == ScalarType::F32)
    for (std::size_t at = 0; at < out.size(); at += sizeof(float))
      store(out.data() + at, std::numeric_limits<float>::quiet_NaN());
  if (type == ScalarType::F64)
    for (std::size_t at = 0; at < out.size(); at += sizeof(double))
      store(out.data() + at, std::numeric_limits<double>::quiet_NaN());
}

class Maker {
 public:
  Maker(std::vector<AmrInput> steps, MemoryAccount& account)
      : m_steps(std::move(steps)), m_account(account) {}

  AmrData make() {
    requireLikeness();
    takeTimes();
    keepCommonVariables();
    joinEqual();
    if (m_states.size() == 1) {
      m_states.front().input.times = m_times;
      return datasetOf(std::move(m_states.front().input), m_account);
    }
    merge();
    return std::move(m_data);
  }

 private:
  /// Steps in a row with the same boxes.
  struct State {
    AmrInput input;
    std::int64_t first = 0, count = 0;
  };

  void requireLikeness() const {
    const AmrInput& first = m_steps.front();
    for (const AmrInput& its : m_steps) {
      if (its.onCells != first.onCells || its.flat != first.flat)
        throw Unsupported("its steps are grids of different kinds", "name those of one kind");
      for (std::size_t n = 0; n + 1 < std::min(its.levels.size(), first.levels.size()); ++n)
        if (its.levels[n].ratio != first.levels[n].ratio)
          throw Unsupported("its steps divide the cells of level " + std::to_string(n) + " differently",
                            "name those that do so in one way");
    }
  }

  void takeTimes() {
    for (const AmrInput& its : m_steps) m_times.insert(m_times.end(), its.times.begin(), its.times.end());
    if (std::adjacent_find(m_times.begin(), m_times.end(), std::greater_equal<>()) == m_times.end()) return;
    for (std::size_t n = 0; n < m_times.size(); ++n) m_times[n] = static_cast<double>(n);
    m_notes.emplace_back("times do not ascend: steps have their numbers as times");
  }

  void keepCommonVariables() {
    std::vector<std::string> left;
    const auto hasLike = [](const AmrInput& its, const Variable& wanted) {
      return std::any_of(its.variables.begin(), its.variables.end(),
                         [&](const Variable& variable) { return sameKind(variable, wanted); });
    };
    std::vector<Variable> common;
    for (const AmrInput& its : m_steps)
      for (const Variable& variable : its.variables) {
        if (std::all_of(m_steps.begin(), m_steps.end(),
                        [&](const AmrInput& each) { return hasLike(each, variable); })) {
          if (&its == &m_steps.front())
            common.push_back({variable.name, variable.components, variable.type, {}});
        } else if (std::find(left.begin(), left.end(), variable.name) == left.end()) {
          left.push_back(variable.name);
        }
      }
    for (std::size_t n = 0; n < std::min(left.size(), kMostNotes); ++n)
      m_notes.push_back("left out: " + printable(left[n]) + ", which not all steps have");
    for (AmrInput& its : m_steps) {
      std::vector<Variable> kept;
      for (const Variable& wanted : common)
        kept.push_back(
            std::move(*std::find_if(its.variables.begin(), its.variables.end(),
                                    [&](const Variable& variable) { return sameKind(variable, wanted); })));
      its.variables = std::move(kept);
    }
  }

  void joinEqual() {
    std::int64_t step = 0;
    for (std::size_t n = 0; n < m_steps.size();) {
      std::size_t end = n + 1;
      while (end < m_steps.size() && sameBoxes(m_steps[n], m_steps[end])) ++end;
      const auto count = static_cast<std::int64_t>(m_steps[n].times.size());
      State state{std::move(m_steps[n]), step, count};
      if (end > n + 1) join(state, n + 1, end);
      step += state.count;
      m_states.push_back(std::move(state));
      n = end;
    }
    m_steps.clear();
  }

  /// Adds the steps from `begin` on, before `end`.
  void join(State& state, std::size_t begin, std::size_t end) {
    for (std::size_t v = 0; v < state.input.variables.size(); ++v) {
      Variable& variable = state.input.variables[v];
      for (std::size_t b = 0; b < variable.boxes.size(); ++b) {
        std::vector<std::pair<arrays::ArrayPlace, std::int64_t>> places;
        const auto add = [&](arrays::ArrayPlace& place, std::size_t steps) {
          for (std::size_t s = 0; s < steps; ++s) places.emplace_back(place, static_cast<std::int64_t>(s));
        };
        add(variable.boxes[b], static_cast<std::size_t>(state.count));
        for (std::size_t n = begin; n < end; ++n)
          add(m_steps[n].variables[v].boxes[b], m_steps[n].times.size());
        variable.boxes[b] = byStep(std::move(places));
      }
    }
    for (std::size_t n = begin; n < end; ++n) {
      state.count += static_cast<std::int64_t>(m_steps[n].times.size());
      for (MemoryClaim& claim : m_steps[n].claims) state.input.claims.push_back(std::move(claim));
      m_steps[n] = {};
    }
  }

  void merge() {
    std::vector<AmrData> parts;
    for (State& state : m_states) {
      state.input.times.assign(static_cast<std::size_t>(state.count), 0.0);
      parts.push_back(datasetOf(std::move(state.input), m_account));
      for (MemoryClaim& claim : parts.back().claims) m_data.claims.push_back(std::move(claim));
    }
    const paging::DatasetDescription& first = parts.front().description;
    m_data.description.format = first.format;
    m_data.description.times = m_times;
    m_data.description.attributes = first.attributes;
    paging::AmrLevels all;
    std::vector<paging::AmrLevels> levels;
    std::vector<std::size_t> nextBlock(parts.size(), 0), nextArray(parts.size(), 0);
    int deepest = 0;
    for (const AmrData& part : parts) {
      levels.push_back(*paging::amrOf(part.description));
      if (levels.back().levels() > deepest) all.ratios = levels.back().ratios;
      deepest = std::max(deepest, levels.back().levels());
    }
    all.onCells = levels.front().onCells;
    // the finest are the last
    for (int level = 0; level < deepest; ++level) {
      all.boxes.push_back(0);
      for (std::size_t p = 0; p < parts.size(); ++p) {
        if (level >= levels[p].levels()) continue;
        const std::int64_t boxes = levels[p].boxes[static_cast<std::size_t>(level)];
        all.boxes.back() += boxes;
        for (std::int64_t n = 0; n < boxes; ++n) addBlock(parts[p], m_states[p], nextBlock[p], nextArray[p]);
      }
    }
    paging::sayAmr(m_data.description, all);
    std::vector<paging::AmrArrangement> arrangements;
    for (std::size_t p = 0; p < parts.size(); ++p)
      arrangements.push_back({m_states[p].first, m_states[p].count, levels[p].boxes});
    paging::sayBoxesChange(m_data.description, arrangements);
    say(parts);
  }

  void addBlock(AmrData& part, const State& state, std::size_t& block, std::size_t& array) {
    paging::BlockDescription its = std::move(part.description.blocks[block]);
    const auto number = static_cast<int>(m_data.description.blocks.size());
    const auto steps = static_cast<std::int64_t>(m_times.size());
    if (!its.hasIblank) {
      its.hasIblank = true;
      addArray(arrays::describeBlanking(its.dims, steps), number, {});
    }
    m_data.description.blocks.push_back(std::move(its));
    for (; array < part.description.arrays.size() &&
           part.description.arrays[array].block == static_cast<int>(block);
         ++array) {
      paging::ArrayDescription description = std::move(part.description.arrays[array]);
      description.steps = steps;
      addArray(std::move(description), number, std::move(part.places[array]));
    }
    ++block;
    for (std::size_t n = m_data.places.size(); n-- > 0 && m_data.description.arrays[n].block == number;) {
      const ScalarType type = m_data.description.arrays[n].type;
      m_data.places[n] = [inner = std::move(m_data.places[n]), type, first = state.first,
                          count = state.count](std::int64_t step, const IndexBox& box, int component,
                                               int components, std::span<std::byte> out) {
        if (step < first || step >= first + count) return fillAbsent(type, out);
        readPlace(inner, step - first, box, component, components, out);
      };
    }
  }

  /// Without a place: nothing is blank.
  void addArray(paging::ArrayDescription description, int block, std::optional<arrays::ArrayPlace> place) {
    description.block = block;
    m_data.description.arrays.push_back(std::move(description));
    m_data.places.push_back(
        place ? std::move(*place)
              : arrays::ComputedArray([](std::int64_t, const IndexBox&, int, int, std::span<std::byte> out) {
                  for (std::size_t at = 0; at < out.size(); at += 2) store(out.data() + at, std::int16_t{1});
                }));
  }

  void say(std::vector<AmrData>& parts) {
    m_data.explain = std::move(m_notes);
    m_data.explain.push_back("boxes change: there are " + std::to_string(parts.size()) +
                             " arrangements of them");
    std::vector<std::string> said;
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::string& line : parts[p].explain) {
        const bool isLevel = line.starts_with("level ");
        if (isLevel && p < kMostNotes)
          m_data.explain.push_back("from step " + std::to_string(m_states[p].first) + " on, " + line);
        if (isLevel || std::find(said.begin(), said.end(), line) != said.end()) continue;
        said.push_back(line);
        m_data.explain.push_back(std::move(line));
      }
  }

  std::vector<AmrInput> m_steps;
  MemoryAccount& m_account;
  std::vector<double> m_times;
  std::vector<State> m_states;
  std::vector<std::string> m_notes;
  AmrData m_data;
};

}  // namespace

AmrData seriesOf(std::vector<AmrInput> steps, MemoryAccount& account) {
  return Maker(std::move(steps), account).make();
}

}  // namespace farfield::amr
