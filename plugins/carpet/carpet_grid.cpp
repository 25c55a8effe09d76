#include "plugins/carpet/carpet_grid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/base/count_text.h"
#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::carpet {
namespace {

constexpr double kRounded = 0.01;
/// Boxes of a level for which every pair is compared.
constexpr std::size_t kMostCompared = 4096;
constexpr std::size_t kMostNotes = 20;

/// Where a component is: all variables and steps of a data set have the same.
struct Place {
  std::int64_t level = 0;
  IndexBox nodes;  ///< as in the file, ghost zones included, in nodes of the level
  std::array<std::int64_t, 6> trim{};
  bool operator==(const Place&) const = default;
};

/// A variable at an iteration: its components by level and number.
using Parts = std::map<std::pair<std::int64_t, std::int64_t>, const Component*>;

class Maker {
 public:
  Maker(std::vector<Component> components, const arrays::Options& options)
      : m_components(std::move(components)), m_options(options) {}

  std::vector<amr::AmrInput> make() {
    sort();
    dropTwins();
    chooseBoxes();
    const std::vector<std::int64_t> whole = chooseSteps();
    std::vector<amr::AmrInput> inputs;
    if (whole.size() > m_iterations.size()) {
      for (const std::int64_t iteration : whole) try {
          for (amr::AmrInput& input : Maker(componentsOf(iteration), m_options).make())
            inputs.push_back(std::move(input));
        } catch (Error& error) {
          error.at("iteration " + std::to_string(iteration));
          throw;
        }
      inputs.front().notes.insert(inputs.front().notes.end(), m_input.notes.begin(), m_input.notes.end());
      return inputs;
    }
    placeLevels();
    placeBoxes();
    addVariables();
    inputs.push_back(std::move(m_input));
    return inputs;
  }

 private:
  void note(const std::string& text) {
    auto& notes = m_input.notes;
    if (notes.size() < kMostNotes && std::find(notes.begin(), notes.end(), text) == notes.end())
      notes.push_back(text);
  }

  void sort() {
    std::size_t twice = 0;
    for (const Component& its : m_components) {
      if (its.name.timeLevel != 0)
        note("left out: values of earlier times in the same iteration (tl=1 …)");
      else if (its.name.map != 0)
        note("left out: maps other than the first");
      else if (!m_parts[its.name.variable][its.name.iteration]
                    .emplace(std::pair(its.name.level, its.name.component), &its)
                    .second)
        ++twice;
    }
    if (twice > 0)
      note("left out: " + countText(static_cast<std::int64_t>(twice), "dataset", "datasets") +
           " that another file has, too");
    if (m_parts.empty()) throw Unsupported("has no grid functions", "give files of Carpet's IOHDF5");
  }

  /// Two processes may both write what lies in the plane of a slice: the same nodes under two numbers. One is enough.
  void dropTwins() {
    std::size_t twins = 0;
    for (auto& [variable, iterations] : m_parts)
      for (auto& [iteration, parts] : iterations) {
        using Lying = std::tuple<std::int64_t, double, double, double, Index3>;
        std::set<Lying> seen;
        twins += std::erase_if(parts, [&](const auto& entry) {
          const Component& its = *entry.second;
          return !seen.emplace(entry.first.first, its.origin.x, its.origin.y, its.origin.z, its.dims).second;
        });
      }
    if (twins > 0)
      note("left out: " + countText(static_cast<std::int64_t>(twins), "dataset", "datasets") +
           " of nodes that another component has, too");
  }

  /// The position of node 0 of a component's level.
  static Vec3 zeroOf(const Component& its, const Vec3& base) {
    Vec3 zero;
    for (int a = 0; a < 3; ++a) zero[a] = (its.origin[a] - base[a]) / its.delta[a];
    return zero;
  }

  std::vector<Place> placesOf(const Parts& parts) const {
    std::vector<Place> places;
    // counted from the first component of the coarsest level, so that rounding is the same for all
    const Vec3 base = parts.begin()->second->origin;
    for (const auto& [key, part] : parts) {
      Place place{key.first, {{}, part->dims}, part->trim};
      const Vec3 zero = zeroOf(*part, base);
      for (int a = 0; a < 3; ++a) {
        if (!(std::abs(zero[a]) < 1e9))
          throw Corrupt("a component lies nowhere", "check its origin and delta");
        place.nodes.first[static_cast<std::size_t>(a)] = std::llround(zero[a]);
      }
      places.push_back(place);
    }
    return places;
  }

  /// Of all variables and iterations those boxes that are most, first in the order of names and iterations.
  void chooseBoxes() {
    const auto told = arrays::countOption(m_options, "iteration");
    std::int64_t most = -1;
    for (const auto& [variable, iterations] : m_parts)
      for (const auto& [iteration, parts] : iterations) {
        if (told && *told != iteration) continue;
        std::int64_t nodes = 0;
        for (const auto& [key, part] : parts) nodes += product(part->dims);
        if (nodes <= most) continue;
        most = nodes;
        m_reference = &parts;
        m_referenceVariable = variable;
      }
    if (!m_reference)
      throw Invalid("has no iteration " + std::to_string(told.value_or(0)), "choose another")
          .at("option iteration");
    m_places = placesOf(*m_reference);
  }

  bool fits(const Parts& parts) const {
    const Component &its = *parts.begin()->second, &reference = *m_reference->begin()->second;
    return parts.size() == m_reference->size() && its.origin == reference.origin &&
           its.delta == reference.delta && placesOf(parts) == m_places;
  }

  /// The coarsest level and the corners of all its components, in cells of it.
  std::pair<std::int64_t, IndexBox> coarsestOf(const Parts& parts) const {
    const std::int64_t level = parts.begin()->first.first;
    const Component& reference = *m_reference->begin()->second;
    Index3 low, end;
    bool any = false;
    for (const auto& [key, part] : parts) {
      if (key.first != level) continue;
      for (std::size_t a = 0; a < 3; ++a) {
        const auto axis = static_cast<int>(a);
        const double at = (part->origin[axis] - reference.origin[axis]) / reference.delta[axis];
        const std::int64_t first = std::llround(std::clamp(at, -1e9, 1e9));
        low[a] = any ? std::min(low[a], first) : first;
        end[a] = any ? std::max(end[a], first + part->dims[a]) : first + part->dims[a];
      }
      any = true;
    }
    return {level, {low, {end[0] - low[0], end[1] - low[1], end[2] - low[2]}}};
  }

  /// Those with the boxes chosen. Returns all that have the whole coarsest level: fine ones may be written more often.
  std::vector<std::int64_t> chooseSteps() {
    const auto told = arrays::countOption(m_options, "iteration");
    std::size_t others = 0;
    std::vector<std::int64_t> whole;
    m_input.times.clear();
    for (const auto& [iteration, parts] : m_parts[m_referenceVariable]) {
      if (told && *told != iteration) continue;
      const bool isWhole = coarsestOf(parts) == coarsestOf(*m_reference);
      if (isWhole) whole.push_back(iteration);
      if (!fits(parts)) {
        others += isWhole ? 0 : 1;
        continue;
      }
      m_iterations.push_back(iteration);
      m_input.times.push_back(parts.begin()->second->time);
    }
    if (others > 0)
      note("left out: " + countText(static_cast<std::int64_t>(others), "iteration", "iterations") +
           " without all of the coarsest level; --option iteration=N shows one of them");
    for (std::size_t n = 1; n < m_input.times.size(); ++n)
      if (!(m_input.times[n] > m_input.times[n - 1])) {
        for (std::size_t s = 0; s < m_iterations.size(); ++s)
          m_input.times[s] = static_cast<double>(m_iterations[s]);
        break;
      }
    return whole;
  }

  std::vector<Component> componentsOf(std::int64_t iteration) {
    std::vector<Component> own;
    for (Component& its : m_components)
      if (its.name.iteration == iteration) own.push_back(std::move(its));
    return own;
  }

  /// Levels that are there, their spacings and ratios.
  void placeLevels() {
    m_input.format = "carpet";
    m_input.onCells = false;
    const Component& first = *m_reference->begin()->second;
    m_input.flat = first.rank == 2;
    m_input.spacing = first.delta;
    Vec3 before = first.delta;
    std::int64_t level = m_places.front().level;
    m_input.levels.resize(1);
    m_numbers[level] = 0;
    std::size_t n = 0;
    for (const auto& [key, part] : *m_reference) {
      const Place& place = m_places[n++];
      if (part->rank != first.rank)
        throw Unsupported("has grid functions of two and of three dimensions", "name fewer files");
      if (place.level != level) {
        Index3 ratio{1, 1, 1};
        for (int a = 0; a < first.rank; ++a) {
          const double its = before[a] / part->delta[a];
          if (!(its > 0.5 && its < 2.0 * amr::kMostRatio) || std::abs(its - std::round(its)) > kRounded)
            throw Unsupported(
                "level " + std::to_string(place.level) + " does not divide the cells of the level before",
                "choose fewer files");
          ratio[static_cast<std::size_t>(a)] = std::llround(its);
        }
        m_input.levels.back().ratio = ratio;
        m_input.levels.emplace_back();
        m_numbers[place.level] = m_input.levels.size() - 1;
        level = place.level;
        before = part->delta;
      }
      const Vec3 zero = zeroOf(*part, first.origin);
      for (int a = 0; a < first.rank; ++a)
        if (std::abs(part->delta[a] / before[a] - 1) > kRounded ||
            std::abs(zero[a] - std::round(zero[a])) > kRounded)
          throw Unsupported(
              "nodes of level " + std::to_string(place.level) +
                  " do not lie on those of the coarser one: values are of cells, which is not read of Carpet",
              "write vertex-centred output");
    }
    m_input.origin = first.origin;
    if (m_input.levels.size() > 1) m_input.levels.back().ratio = {2, 2, m_input.flat ? 1 : 2};
  }

  /// Boxes without the ghost zones that others have; those at the end of a level end on nodes of the coarser one.
  void placeBoxes() {
    for (const Place& place : m_places) {
      IndexBox own = place.nodes;
      for (std::size_t a = 0; a < 3; ++a) {
        const std::int64_t low = place.trim[2 * a], high = place.trim[2 * a + 1];
        if (low + high >= own.size[a])
          throw Corrupt("a component has ghost zones only", "check that the copy is complete");
        own.first[a] += low;
        own.size[a] -= low + high;
      }
      m_input.levels[m_numbers[place.level]].boxes.push_back(own);
    }
    std::size_t at = 0;
    for (std::size_t level = 0; level < m_input.levels.size(); ++level) {
      std::vector<IndexBox>& boxes = m_input.levels[level].boxes;
      if (level > 0) {
        const amr::BoxTree tree(boxes);
        for (std::size_t n = 0; n < boxes.size(); ++n)
          for (std::size_t a = 0; a < (m_input.flat ? 2U : 3U); ++a)
            for (const bool high : {false, true})
              alignEnd(tree, boxes, n, m_places[at + n].nodes, m_input.levels[level - 1].ratio[a], a, high);
      }
      at += boxes.size();
    }
  }

  /// Where a level ends, up to ratio - 1 nodes of a box's ghost zones make its end one of the coarser nodes; else it is cut there.
  static void alignEnd(const amr::BoxTree& tree, std::vector<IndexBox>& boxes, std::size_t number,
                       const IndexBox& there, std::int64_t ratio, std::size_t axis, bool high) {
    IndexBox& box = boxes[number];
    const std::int64_t end = high ? box.first[axis] + box.size[axis] - 1 : box.first[axis];
    const std::int64_t off = end - amr::floorDiv(end, ratio) * ratio;
    if (off == 0) return;
    IndexBox beside = box;
    beside.size[axis] = 1;
    beside.first[axis] = high ? end + 1 : end - 1;
    if (!tree.meeting(beside, 1).empty()) return;  // another component goes on
    const std::int64_t outward = high ? ratio - off : off, inward = high ? off : ratio - off;
    const std::int64_t room = high ? there.first[axis] + there.size[axis] - 1 - end : end - there.first[axis];
    IndexBox more = beside;
    more.size[axis] = outward;
    if (!high) more.first[axis] = end - outward;
    const bool free = outward <= room && boxes.size() <= kMostCompared &&
                      std::none_of(boxes.begin(), boxes.end(), [&](const IndexBox& other) {
                        return &other != &box && !amr::isEmpty(amr::intersection(other, more));
                      });
    if (free) {
      box.size[axis] += outward;
      if (!high) box.first[axis] -= outward;
    } else if (box.size[axis] > inward + 1) {
      box.size[axis] -= inward;
      if (!high) box.first[axis] += inward;
    }
  }

  void addVariables() {
    for (const auto& [name, iterations] : m_parts) {
      amr::Variable variable{name, 1, iterations.begin()->second.begin()->second->type, {}};
      const bool bigEndian = iterations.begin()->second.begin()->second->bigEndian;
      std::vector<arrays::PlacedArray> boxes(m_places.size());
      for (arrays::PlacedArray& box : boxes) {
        box.type = variable.type;
        box.bigEndian = bigEndian;
      }
      bool all = true;
      for (const std::int64_t iteration : m_iterations) {
        const auto parts = iterations.find(iteration);
        all = all && parts != iterations.end() && fits(parts->second);
        if (!all) break;
        std::size_t n = 0;
        for (const auto& [key, part] : parts->second) {
          all = all && part->type == variable.type && part->bigEndian == bigEndian && part->bytes;
          if (!all) break;
          boxes[n].steps.push_back({pieceOf(*part, n)});
          ++n;
        }
      }
      if (!all) {
        note("left out: " + printable(name) + ", which is not on the boxes of " +
             printable(m_referenceVariable) + " at all its iterations");
        continue;
      }
      for (arrays::PlacedArray& box : boxes) {
        arrays::checkPlaces(box, static_cast<std::int64_t>(m_iterations.size()));
        variable.boxes.emplace_back(std::move(box));
      }
      m_input.variables.push_back(std::move(variable));
    }
    if (m_input.variables.empty())
      throw Unsupported("has no grid function that can be read", "rewrite it (h5repack -f NONE)");
  }

  /// The nodes of box `number` in a dataset.
  arrays::Piece pieceOf(const Component& part, std::size_t number) const {
    const Place& place = m_places[number];
    std::size_t at = number;
    std::size_t level = 0;
    while (at >= m_input.levels[level].boxes.size()) at -= m_input.levels[level++].boxes.size();
    const IndexBox& box = m_input.levels[level].boxes[at];
    arrays::Piece piece = arrays::densePiece(part.dims, part.type, 1, false, part.bytes, 0);
    for (std::size_t a = 0; a < 3; ++a)
      piece.offset += static_cast<std::uint64_t>((box.first[a] - place.nodes.first[a]) * piece.strides[a]);
    piece.nodes = {{0, 0, 0}, box.size};
    return piece;
  }

  std::vector<Component> m_components;
  const arrays::Options& m_options;
  std::map<std::string, std::map<std::int64_t, Parts>> m_parts;  ///< by variable and iteration
  const Parts* m_reference = nullptr;
  std::string m_referenceVariable;
  std::vector<Place> m_places;  ///< of the reference's components, in their order
  std::vector<std::int64_t> m_iterations;
  std::map<std::int64_t, std::size_t> m_numbers;  ///< of levels of refinement that are there
  amr::AmrInput m_input;
};

}  // namespace

std::vector<amr::AmrInput> inputsOf(std::vector<Component> components, const arrays::Options& options,
                                    MemoryAccount& account) {
  // what sorting them takes, beside themselves
  const MemoryClaim claim = account.claimInEarnest(
      Purpose::Work, components.size() * (sizeof(Component) + 256), "lists of datasets");
  return Maker(std::move(components), options).make();
}

}  // namespace farfield::carpet
