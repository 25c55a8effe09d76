#include "core/fields/functions/vector_parts.h"

#include <algorithm>
#include <array>

#include "core/fields/functions/defined_functions.h"

namespace farfield::fields {
namespace {

constexpr std::array<std::string_view, 4> kEndings{"-x", "-y", "-z", "-magnitude"};
/// In expressions of magnitudes, where a variable or a definition may have the component's name: no name has a line's end.
constexpr std::array<std::string_view, 3> kOwnEndings{"\nx", "\ny", "\nz"};

/// Of the first block that has arrays, as all blocks have the same ones; null if there is no such variable.
const paging::ArrayDescription* variableNamed(const paging::DatasetDescription& description,
                                              std::string_view name) {
  for (const paging::ArrayDescription& array : description.arrays) {
    if (array.block != description.arrays.front().block) break;
    if (!array.isGrid() && array.name == name) return &array;
  }
  return nullptr;
}

bool hasParts(const paging::ArrayDescription& array) {
  return !array.isGrid() && array.components == 3 && array.name.find_first_of("{}") == std::string::npos;
}

/// The array that has a component of that name; null if there is none.
const paging::ArrayDescription* arrayWith(const paging::DatasetDescription& description,
                                          const std::string& component) {
  for (const paging::ArrayDescription& array : description.arrays)
    if (!array.isGrid() && std::find(array.componentNames.begin(), array.componentNames.end(), component) !=
                               array.componentNames.end())
      return &array;
  return nullptr;
}

std::string saidOf(const paging::DatasetDescription& description, const std::string& variable) {
  const auto found = description.attributes.find("units." + variable);
  // of numbers without a unit
  return found == description.attributes.end() || found->second == "1" ? std::string() : found->second;
}

/// Of an array that was made of several variables: theirs, if they are the same.
std::string unitsOfArray(const paging::DatasetDescription& description,
                         const paging::ArrayDescription& array) {
  std::string units = saidOf(description, array.name);
  if (!units.empty() || array.componentNames.empty()) return units;
  units = saidOf(description, array.componentNames.front());
  const bool same = std::all_of(array.componentNames.begin(), array.componentNames.end(),
                                [&](const auto& name) { return saidOf(description, name) == units; });
  return same ? units : std::string();
}

}  // namespace

std::optional<VectorPart> vectorPartWritten(std::string_view name) {
  const auto partWith = [&](std::string_view ending, std::size_t n) -> std::optional<VectorPart> {
    if (!name.ends_with(ending)) return std::nullopt;
    return VectorPart{std::string(name.substr(0, name.size() - ending.size())), static_cast<int>(n)};
  };
  for (std::size_t n = 0; n < kEndings.size(); ++n)
    if (auto part = partWith(kEndings[n], n)) return part;
  for (std::size_t n = 0; n < kOwnEndings.size(); ++n)
    if (auto part = partWith(kOwnEndings[n], n)) return part;
  return std::nullopt;
}

std::optional<VectorPart> vectorPartNamed(const paging::DatasetDescription& description,
                                          std::string_view name) {
  std::optional<VectorPart> part = vectorPartWritten(name);
  if (!part) return std::nullopt;
  const auto* const array = variableNamed(description, part->vector);
  return array && hasParts(*array) ? part : std::nullopt;
}

std::string magnitudeOf(const std::string& vector) {
  std::string sum;
  for (const std::string_view ending : kOwnEndings) {
    const std::string component = "{" + vector + std::string(ending) + "}";
    sum += (sum.empty() ? "" : "+") + component + "*" + component;
  }
  return "sqrt(" + sum + ")";
}

std::vector<FunctionInfo> vectorParts(const paging::DatasetDescription& description) {
  const std::vector<FunctionInfo> known = availableFunctions(description);
  std::vector<FunctionInfo> parts;
  const auto add = [&](const std::string& vector, std::size_t n) {
    const std::string name = vector + std::string(kEndings[n]);
    const bool isKnown = std::any_of(known.begin(), known.end(),
                                     [&](const FunctionInfo& other) { return other.name == name; });
    if (!isKnown) parts.push_back(FunctionPlan(description, {name}).functions().front());
  };
  for (const paging::ArrayDescription& array : description.arrays) {
    if (array.block != description.arrays.front().block) break;
    if (!hasParts(array)) continue;
    for (const std::size_t n : {3U, 0U, 1U, 2U})
      // components that have names are listed by them
      if (n == 3 || array.componentNames.empty()) add(array.name, n);
  }
  for (const FunctionInfo& function : known)
    if (function.components == 3 && definitionOf(description.attributes, function.name) &&
        !variableNamed(description, function.name))
      for (const std::size_t n : {3U, 0U, 1U, 2U}) add(function.name, n);
  return parts;
}

std::string unitsOf(const paging::DatasetDescription& description, const std::string& function) {
  if (const auto* const array = variableNamed(description, function))
    return unitsOfArray(description, *array);
  if (const auto* const array = arrayWith(description, function)) {
    const std::string units = saidOf(description, function);
    return units.empty() ? saidOf(description, array->name) : units;
  }
  if (isDefined(description.attributes, function)) return saidOf(description, function);
  if (const auto written = vectorPartWritten(function); written &&
                                                        isDefined(description.attributes, written->vector) &&
                                                        !variableNamed(description, written->vector))
    return saidOf(description, written->vector);
  const std::optional<VectorPart> part = vectorPartNamed(description, function);
  if (!part) return {};
  // What is computed by that name is no part, but of the velocity it is one.
  const std::vector<FunctionInfo> known = availableFunctions(description);
  const bool isComputed = std::any_of(known.begin(), known.end(),
                                      [&](const FunctionInfo& other) { return other.name == function; });
  if (isComputed && part->vector != "velocity") return {};
  return unitsOfArray(description, *variableNamed(description, part->vector));
}

std::string withUnits(const paging::DatasetDescription& description, const std::string& function) {
  const std::string units = unitsOf(description, function);
  return units.empty() ? function : function + " [" + units + "]";
}

}  // namespace farfield::fields
