#include "plugins/cf/cf_grids.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/cf/cf_choices.h"
#include "plugins/cf/cf_staggering.h"

namespace farfield::cf {
namespace {

/// The value of the option `variable` that is the default where grids are staggered.
constexpr const char* kCentres = "centres";

/// Names between commas; of many only the first.
class NameList {
 public:
  void add(const std::string& name) {
    if (++m_count <= kMostNames) m_text += (m_text.empty() ? "" : ", ") + printable(name);
  }
  bool empty() const { return m_count == 0; }
  std::size_t count() const { return m_count; }
  std::string text() const {
    return m_count > kMostNames ? m_text + " and " + std::to_string(m_count - kMostNames) + " more" : m_text;
  }

 private:
  static constexpr std::size_t kMostNames = 12;
  std::string m_text;
  std::size_t m_count = 0;
};

class Chooser {
 public:
  Chooser(const File& file, const arrays::Options& options)
      : m_file(file), m_options(options), m_staggering(file), m_values(valuesIn(file)) {
    for (const Variable* const variable : m_values) gridOf(file, *variable, m_grids.emplace_back());
    for (const CfGrid& grid : m_grids) ++m_alike[{grid.space, grid.plane}];
  }

  ShownGrid choose() {
    if (m_values.empty())
      throw Unsupported("has no variable of numbers on a grid of up to three axes and time");
    std::size_t byDefault = 0;
    for (std::size_t n = 1; n < m_values.size(); ++n)
      if (worth(n) > worth(byDefault)) byDefault = n;
    const std::optional<CfGrid> centres = centresAround(m_grids[byDefault]);
    std::size_t best = byDefault;
    bool named = false;
    if (const auto said = m_options.find("variable"); said != m_options.end()) {
      const auto found = std::find_if(m_values.begin(), m_values.end(),
                                      [&](const Variable* its) { return its->name == said->second; });
      named = found != m_values.end() || said->second != kCentres || !centres;
      if (named) best = numberOf(found, said->second);
    }
    const bool around = centres && !named;
    m_result.grid = around ? *centres : m_grids[best];
    // the time axis is that of any variable that has one
    for (std::size_t n = 0; n < m_values.size(); ++n)
      if (m_result.grid.time < 0 &&
          (m_grids[n].sameSpace(m_result.grid) || (around && isBetween(n, m_result.grid))))
        m_result.grid.time = m_grids[n].time;
    take(around);
    std::optional<CentresChoice> choice;
    if (centres) {
      choice.emplace(CentresChoice{kCentres, *centres, {}, around});
      for (std::size_t n = 0; n < m_values.size(); ++n)
        if (m_grids[n].sameSpace(*centres) || isBetween(n, *centres))
          choice->names.push_back(m_values[n]->name);
    }
    m_result.choice = gridChoice(m_file, m_values, m_grids, best, byDefault, choice);
    return std::move(m_result);
  }

 private:
  std::size_t numberOf(std::vector<const Variable*>::const_iterator found, const std::string& name) const {
    if (found != m_values.end()) return static_cast<std::size_t>(found - m_values.begin());
    NameList list;
    for (const Variable* const variable : m_values) list.add(variable->name);
    throw Invalid("there is no variable '" + printable(name) + "' on a grid", "use one of: " + list.text())
        .at("option variable");
  }

  /// An axis of one node makes no larger grid.
  std::pair<std::ptrdiff_t, std::ptrdiff_t> worth(std::size_t n) const {
    const auto& space = m_grids[n].space;
    return {std::count_if(space.begin(), space.end(),
                          [&](int dimension) { return dimension >= 0 && m_file.sizeOf(dimension) > 1; }),
            m_alike.at({space, m_grids[n].plane})};
  }

  /// Where the numbers of a variable lie between the nodes; nothing if they lie on them, or elsewhere. Nor of what describes the plane of a staggered grid itself: masks, places, distances.
  std::optional<std::array<arrays::Between, 3>> betweenOf(std::size_t n, const CfGrid& nodes) const {
    const CfGrid& its = m_grids[n];
    if (its.time < 0 && its.spaceCount() < 3) return std::nullopt;
    std::array<arrays::Between, 3> result{};
    bool any = false;
    for (std::size_t a = 0; a < 3; ++a) {
      if (its.space[a] < 0 && nodes.space[a] < 0) continue;
      const auto beside = m_staggering.beside(its.space[a], nodes.space[a]);
      if (!beside) return std::nullopt;
      if (beside->between) result[a] = {m_file.sizeOf(its.space[a]), beside->lower};
      any = any || beside->between;
    }
    return any ? std::optional(result) : std::nullopt;
  }
  bool isBetween(std::size_t n, const CfGrid& nodes) const { return betweenOf(n, nodes).has_value(); }

  /// The grid of the centres at which, or around which, the variables of `grid` lie, if others lie around it.
  std::optional<CfGrid> centresAround(const CfGrid& grid) const {
    CfGrid centres = grid;
    if (std::any_of(grid.space.begin(), grid.space.end(), [&](int d) { return m_staggering.isShifted(d); })) {
      for (int& dimension : centres.space) {
        if (dimension < 0) continue;
        dimension = m_staggering.centresOf(dimension);
        if (dimension < 0) return std::nullopt;
      }
      centres.plane = {nullptr, nullptr};
      for (const Variable& variable : m_file.variables)
        if (CfGrid its; !centres.plane[0] && gridOf(m_file, variable, its) && its.plane[0] &&
                        its.space[0] == centres.space[0] && its.space[1] == centres.space[1])
          centres.plane = its.plane;
    }
    std::size_t around = 0, own = 0;
    for (std::size_t n = 0; n < m_values.size(); ++n) {
      around += m_grids[n].sameSpace(centres) || isBetween(n, centres) ? 1 : 0;
      own += m_grids[n].sameSpace(grid) ? 1 : 0;
    }
    return around > own ? std::optional(centres) : std::nullopt;
  }

  void take(bool around) {
    NameList means;
    const CfGrid& grid = m_result.grid;
    for (std::size_t n = 0; n < m_values.size(); ++n) {
      const bool atTimes = m_grids[n].time < 0 || m_grids[n].time == grid.time;
      if (atTimes && m_grids[n].sameSpace(grid)) {
        m_result.variables.push_back(m_values[n]);
      } else if (const auto between = betweenOf(n, grid); atTimes && around && between) {
        m_result.between.push_back({m_values[n], *between});
        means.add(m_values[n]->name);
      } else {
        m_result.others.push_back(m_values[n]);
      }
    }
    if (!means.empty())
      m_result.explain.push_back("between the nodes of a staggered grid, means of the values around: " +
                                 means.text() + "; --option variable=NAME shows one where it lies");
    NameList many;
    for (const Variable& variable : m_file.variables)
      if (!variable.isText && variable.dims.size() > (variable.componentDim < 0 ? 4 : 5) &&
          std::find(m_values.begin(), m_values.end(), &variable) == m_values.end())
        many.add(variable.name);
    if (!many.empty())
      m_result.explain.push_back("left out, of more than three axes and time: " + many.text());
  }

  const File& m_file;
  const arrays::Options& m_options;
  const Staggering m_staggering;
  const std::vector<const Variable*> m_values;
  std::vector<CfGrid> m_grids;  ///< of each of m_values
  /// How many variables are on each grid, times aside (CfGrid::sameSpace).
  std::map<std::pair<std::array<int, 3>, std::array<const Variable*, 2>>, std::ptrdiff_t> m_alike;
  ShownGrid m_result;
};

}  // namespace

ShownGrid shownGrid(const File& file, const arrays::Options& options) {
  return Chooser(file, options).choose();
}

std::string leftOutText(const std::vector<const Variable*>& others,
                        const std::vector<const Variable*>& used) {
  NameList left;
  const std::set<const Variable*> known(used.begin(), used.end());
  for (const Variable* const other : others)
    if (!known.contains(other)) left.add(other->name);
  if (left.empty()) return {};
  return "left out, on other grids: " + left.text() + "; --option variable=NAME shows one of them";
}

}  // namespace farfield::cf
