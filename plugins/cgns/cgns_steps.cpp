#include "plugins/cgns/cgns_steps.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/arrays/array_reader.h"

namespace farfield::cgns {
namespace {

constexpr std::int64_t kMostSteps = 65536;

/// The name without the number behind it.
std::string stemOf(const std::string& name) {
  std::size_t end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0) --end;
  return name.substr(0, end);
}

std::vector<const Node*> solutionsAt(const Tree& tree, const Node& zone, bool onCells) {
  std::vector<const Node*> found;
  for (const Node* const node : zone.children) {
    if ((node->label != "FlowSolution_t" && node->label != "DiscreteData_t") || node->isLink) continue;
    const std::string location = tree.text(node->labelled("GridLocation_t"));
    if (onCells ? location == "CellCenter" : location.empty() || location == "Vertex") found.push_back(node);
  }
  return found;
}

/// Groups whose names differ in their last numbers alone, in the order of these.
std::vector<SolutionSteps> grouped(const std::vector<const Node*>& solutions) {
  std::vector<SolutionSteps> groups;
  for (const Node* const solution : solutions) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const SolutionSteps& group) {
      return stemOf(group.front()->name) == stemOf(solution->name);
    });
    if (same == groups.end())
      groups.push_back({solution});
    else
      same->push_back(solution);
  }
  return groups;
}

/// What the zone names for each step; empty if it names nothing, or not for all.
std::vector<std::string> pointers(const Tree& tree, const Base& base, const Node& zone, const char* name) {
  const Node* const data = zone.labelled("ZoneIterativeData_t");
  const Node* const list = data ? data->child(name) : nullptr;
  if (!list || !list->hasNumbers() || list->data->dims.size() < 2) return {};
  std::vector<std::string> names = tree.texts(*list);
  if (static_cast<std::int64_t>(names.size()) != base.steps()) return {};
  return names;
}

}  // namespace

void readTimes(const Tree& tree, Base& base) {
  std::int64_t steps = 1;
  const Node* const data = base.node->labelled("BaseIterativeData_t");
  if (data) {
    if (data->hasNumbers()) {
      const std::vector<std::int64_t> count = tree.integers(*data);
      if (count.size() != 1 || count[0] < 1 || count[0] > kMostSteps)
        throw Corrupt("has a number of steps that is none", "check the file");
      steps = count[0];
    }
    for (const char* const name : {"TimeValues", "IterationValues"}) {
      const Node* const values = data->child(name);
      if (!values || !values->hasNumbers() || !base.times.empty()) continue;
      base.times = tree.numbers(*values);
      if (static_cast<std::int64_t>(base.times.size()) < steps) base.times.clear();
      base.times.resize(std::min(base.times.size(), static_cast<std::size_t>(steps)));
    }
  } else if (const Node* const zone = base.node->labelled("Zone_t")) {
    for (const bool onCells : {false, true})
      for (const SolutionSteps& group : grouped(solutionsAt(tree, *zone, onCells)))
        steps = std::max(steps, static_cast<std::int64_t>(group.size()));
  }
  for (std::size_t n = 0; n < base.times.size(); ++n)
    if (!std::isfinite(base.times[n]) || (n > 0 && base.times[n] <= base.times[n - 1])) {
      base.notes.emplace_back("its times do not ascend: steps are counted");
      base.times.clear();
    }
  for (std::int64_t n = static_cast<std::int64_t>(base.times.size()); n < steps; ++n)
    base.times.push_back(static_cast<double>(n));
}

std::vector<const Node*> gridsOf(const Tree& tree, const Base& base, const Node& zone,
                                 std::vector<std::string>& notes) {
  const std::vector<const Node*> all = zone.all("GridCoordinates_t");
  if (all.empty())
    throw Corrupt("its zone " + printable(zone.name) + " has no coordinates",
                  "check that the copy is complete");
  std::vector<const Node*> steps;
  for (const std::string& name : pointers(tree, base, zone, "GridCoordinatesPointers")) {
    const Node* const grid = zone.child(name);
    if (!grid || grid->label != "GridCoordinates_t") break;
    steps.push_back(grid);
  }
  const bool moves =
      static_cast<std::int64_t>(steps.size()) == base.steps() &&
      std::any_of(steps.begin(), steps.end(), [&](const Node* grid) { return grid != steps.front(); });
  if (moves) return steps;
  if (all.size() > 1)
    notes.push_back("zone " + printable(zone.name) +
                    " has several sets of coordinates, of which the first is shown");
  const Node* const original = zone.child("GridCoordinates");
  return {original && original->label == "GridCoordinates_t" ? original : all.front()};
}

std::vector<SolutionSteps> solutionsOf(const Tree& tree, const Base& base, const Node& zone, bool onCells,
                                       std::vector<std::string>& notes) {
  std::vector<const Node*> rest = solutionsAt(tree, zone, onCells);
  std::vector<SolutionSteps> found;
  SolutionSteps named;
  for (const std::string& name : pointers(tree, base, zone, "FlowSolutionPointers")) {
    const auto its =
        std::find_if(rest.begin(), rest.end(), [&](const Node* node) { return node->name == name; });
    if (its == rest.end()) break;
    named.push_back(*its);
  }
  if (base.steps() > 1 && static_cast<std::int64_t>(named.size()) == base.steps()) {
    std::erase_if(
        rest, [&](const Node* node) { return std::find(named.begin(), named.end(), node) != named.end(); });
    found.push_back(std::move(named));
  }
  for (SolutionSteps& group : grouped(rest)) {
    if (group.size() == 1 || static_cast<std::int64_t>(group.size()) == base.steps()) {
      found.push_back(std::move(group));
    } else if (base.steps() == 1) {
      // of one step, with names that are numbered for another reason
      for (const Node* const node : group) found.push_back({node});
    } else {
      notes.push_back("left out: " + std::to_string(group.size()) + " solutions " +
                      printable(group.front()->name) + " … of zone " + printable(zone.name) +
                      ", because there are " + std::to_string(base.steps()) + " steps");
    }
  }
  return found;
}

std::vector<ZoneVariable> variablesOf(const Tree& tree, const Base& base, const Zone& zone, bool onCells,
                                      std::vector<std::string>& notes) {
  std::vector<ZoneVariable> scalars;
  for (const SolutionSteps& steps : solutionsOf(tree, base, *zone.node, onCells, notes))
    for (const Node* const data : steps.front()->all("DataArray_t")) {
      ZoneVariable variable;
      variable.name = data->name;
      variable.components = {data->name};
      variable.parts.emplace_back();
      for (const Node* const solution : steps)
        if (const Node* const its = solution->child(data->name); its && its->label == "DataArray_t")
          variable.parts.front().push_back({solution, its});
      const bool isTwice = std::any_of(scalars.begin(), scalars.end(), [&](const ZoneVariable& known) {
        return known.name == variable.name;
      });
      if (data->isLink || variable.parts.front().size() != steps.size() || isTwice)
        notes.push_back("left out: " + printable(data->name) + " of " + printable(steps.front()->name) +
                        ", which " +
                        (data->isLink ? "is in another file"
                         : isTwice    ? "another solution has"
                                      : "not all steps have"));
      else
        scalars.push_back(std::move(variable));
    }
  // named alike but for the axis: "VelocityX", "momentum_x"
  const auto withAxis = [](const std::string& name, char axis) {
    std::string other = name;
    other.back() = static_cast<char>(
        std::isupper(static_cast<unsigned char>(name.back())) != 0 ? std::toupper(axis) : axis);
    return other;
  };
  std::vector<ZoneVariable> variables;
  std::set<std::string> used;
  for (const ZoneVariable& scalar : scalars) {
    if (used.contains(scalar.name)) continue;
    if (scalar.name.size() > 1 && std::tolower(static_cast<unsigned char>(scalar.name.back())) == 'x') {
      std::vector<const ZoneVariable*> parts;
      for (int a = 0; a < base.spaceDims; ++a)
        for (const ZoneVariable& other : scalars)
          if (other.name == withAxis(scalar.name, "xyz"[a]) && other.steps() == scalar.steps())
            parts.push_back(&other);
      if (base.spaceDims > 1 && static_cast<int>(parts.size()) == base.spaceDims) {
        ZoneVariable vector;
        vector.name = scalar.name.substr(0, scalar.name.size() - 1);
        while (vector.name.size() > 1 &&
               (vector.name.back() == '_' || vector.name.back() == '-' || vector.name.back() == '.'))
          vector.name.pop_back();
        for (const ZoneVariable* const part : parts) {
          used.insert(part->name);
          vector.components.push_back(part->name);
          vector.parts.push_back(part->parts.front());
        }
        variables.push_back(std::move(vector));
        continue;
      }
    }
    variables.push_back(scalar);
  }
  std::erase_if(variables, [&](const ZoneVariable& variable) {
    return variable.parts.size() == 1 && used.contains(variable.name);
  });
  return variables;
}

}  // namespace farfield::cgns
