#include "plugins/plot3d/pair_names.h"

#include <algorithm>

namespace farfield::plot3d {
namespace {

using Names = std::vector<std::string>;

/// What the two files of a PLOT3D pair are called: a grid's name becomes a solution's by putting the second
/// in the place of the first.
struct Custom {
  std::string grid, solution;
};
const Custom kCustoms[] = {{"xyz", "q"},     {"XYZ", "Q"},   {"grid", "q"}, {"grid", "sol"},
                           {"grid", "flow"}, {"xyz", "sol"}, {"x", "q"},    {"g", "q"},
                           {"grd", "q"},     {"grd", "sol"}, {"p3d", "q"},  {"xyz", "flow"},
                           {"mesh", "sol"},  {"mesh", "q"}};

bool isDigit(char letter) {
  return letter >= '0' && letter <= '9';
}
char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}
bool isPlainLetter(char letter) {
  return lower(letter) >= 'a' && lower(letter) <= 'z';
}
/// What is not ASCII counts as one.
bool isLetter(char letter) {
  return isPlainLetter(letter) || static_cast<unsigned char>(letter) >= 0x80;
}

void addOnce(Names& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string replaced(std::string text, std::size_t at, std::size_t count, const std::string& by) {
  return text.replace(at, count, by);
}

/// Places in `name` where `word` stands as a word of its own, or at the end of the stem ("bluntfinxyz.bin").
std::vector<std::size_t> placesOf(const std::string& word, const std::string& name) {
  std::vector<std::size_t> places;
  for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool ends = end == name.size() || !isLetter(name[end]);
    const bool begins = at == 0 || !isLetter(name[at - 1]);
    // A single letter has to stand alone; a longer word may close another.
    if (ends && (begins || word.size() > 1)) places.push_back(at);
  }
  return places;
}

}  // namespace

bool isNamedAsSolution(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return false;
  std::string stem = name.substr(0, dot), ending = name.substr(dot + 1);
  std::transform(stem.begin(), stem.end(), stem.begin(), lower);
  std::transform(ending.begin(), ending.end(), ending.begin(), lower);
  for (const char* const each : {"q", "sol", "flow"})
    if (ending == each) return true;
  if (ending.empty() || !std::all_of(ending.begin(), ending.end(),
                                     [](char letter) { return isPlainLetter(letter) || isDigit(letter); }))
    return false;
  // "bluntfinq.bin"
  if (stem.size() > 1 && stem.back() == 'q' && isPlainLetter(stem[stem.size() - 2]))
    for (const char* const each : {"bin", "dat", "p3d", "fmt"})
      if (ending == each) return true;
  // "q_001.bin", "wing-sol2.dat"
  while (!stem.empty() && isDigit(stem.back())) stem.pop_back();
  if (!stem.empty() && (stem.back() == '-' || stem.back() == '_')) stem.pop_back();
  for (const std::string word : {"q", "sol", "solution"})
    if (stem.ends_with(word) &&
        (stem.size() == word.size() || !isPlainLetter(stem[stem.size() - word.size() - 1])))
      return true;
  return false;
}

Names namesByCustom(const std::string& name, bool toSolution) {
  Names names;
  for (const Custom& custom : kCustoms) {
    const std::string& from = toSolution ? custom.grid : custom.solution;
    const std::string& to = toSolution ? custom.solution : custom.grid;
    // "bluntfinq.bin": one letter that closes a stem, towards the grid.
    std::vector<std::size_t> places = placesOf(from, name);
    if (!toSolution && from.size() == 1) {
      const std::size_t dot = name.find('.');
      if (dot != std::string::npos && dot > 0 && name[dot - 1] == from[0]) places.push_back(dot - 1);
    }
    for (const std::size_t at : places)
      if (const std::string other = replaced(name, at, from.size(), to); other != name) addOnce(names, other);
  }
  // Both at once: "grid2d.xyz" and "q2d.q".
  const std::string itsEnding = toSolution ? ".xyz" : ".q", otherEnding = toSolution ? ".q" : ".xyz";
  for (const std::string& each : Names(names))
    if (each.ends_with(itsEnding)) {
      const std::string other = each.substr(0, each.size() - itsEnding.size()) + otherEnding;
      if (other != name) addOnce(names, other);
    }
  return names;
}

Names shorterNames(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {};
  Names names;
  for (const Custom& custom : kCustoms) {
    const std::string stem = name.substr(0, dot);
    for (const std::size_t at : placesOf(custom.grid, stem)) {
      const std::string other = replaced(stem, at, custom.grid.size(), custom.solution);
      constexpr const char* kParting = "-_.";
      for (std::size_t end = other.find_last_of(kParting);
           end != std::string::npos && end >= at + custom.solution.size();
           end = other.find_last_of(kParting, end - 1))
        for (const std::string& ending : {std::string(".q"), name.substr(dot)})
          addOnce(names, other.substr(0, end) + ending);
    }
  }
  return names;
}

std::string seriesNameOf(const std::string& solution) {
  for (std::size_t stem = 1; stem < solution.size(); ++stem) {
    std::size_t at = stem;
    if (std::string("-_.").find(solution[at]) != std::string::npos) ++at;
    const std::size_t number = at;
    while (at < solution.size() && isDigit(solution[at])) ++at;
    if (at == number) continue;
    const std::string rest = solution.substr(at);
    if (rest.empty() || (rest[0] == '.' && rest.find('.', 1) == std::string::npos))
      return solution.substr(0, stem) + rest;
  }
  return {};
}

Names gridNames(const std::string& solution) {
  if (!isNamedAsSolution(solution)) return {};
  Names names = namesByCustom(solution, false);
  if (const std::string series = seriesNameOf(solution); !series.empty())
    for (const std::string& name : namesByCustom(series, false)) addOnce(names, name);
  return names;
}

GridFinder::GridFinder(const Names& names) : m_names(names.begin(), names.end()) {
  for (const std::string& name : names)
    if (!isNamedAsSolution(name))
      for (const std::string& series : shorterNames(name)) m_bySeries[series].push_back(name);
}

std::string GridFinder::gridOf(const std::string& solution) const {
  const Names likely = gridNames(solution);
  for (const std::string& name : likely)
    if (m_names.contains(name)) return name;
  if (likely.empty()) return {};
  // Of several that say how they are written, or how fine they are, none is the likeliest.
  const auto others = m_bySeries.find(seriesNameOf(solution));
  return others != m_bySeries.end() && others->second.size() == 1 ? others->second.front() : std::string();
}

}  // namespace farfield::plot3d
