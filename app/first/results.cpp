#include "app/first/results.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

namespace farfield::app {
namespace {

/// Of a mask between its nodes, as where velocities are: its two values, and means of two and of four of them.
constexpr std::size_t kMostOfMasks = 5;

/// The values of `variable` that were seen, or more of them than a mask has; nothing where it was not looked at.
std::optional<std::set<double>> valuesOf(const fields::SeenNodes& nodes, const std::string& variable) {
  std::size_t width = 0;
  std::optional<std::size_t> place;
  for (const fields::SeenNodes::Array& array : nodes.arrays) {
    if (array.name == variable && array.components == 1) place = width;
    width += static_cast<std::size_t>(array.components);
  }
  if (!place || nodes.values.empty()) return std::nullopt;
  std::set<double> values;
  for (std::size_t at = *place; at < nodes.values.size() && values.size() <= kMostOfMasks; at += width)
    if (std::isfinite(nodes.values[at])) values.insert(nodes.values[at]);
  return values;
}

bool isNamedMask(const std::string& name) {
  constexpr std::string_view kMask = "mask";
  const auto isSame = [](char its, char wanted) {
    return std::tolower(static_cast<unsigned char>(its)) == wanted;
  };
  return std::search(name.begin(), name.end(), kMask.begin(), kMask.end(), isSame) != name.end();
}

}  // namespace

bool isNumbering(const std::string& variable) {
  return variable.ends_with("Id") || variable.ends_with("_id") || variable.ends_with("Ids") ||
         variable == "iblank";
}

bool isSeenWithoutValues(const DataSummary& data, const std::string& variable) {
  const auto values = valuesOf(data.seenNodes, variable);
  return values && values->empty();
}

bool isResult(const DataSummary& data, const std::string& variable) {
  return !isNumbering(variable) && !isMask(data, variable);
}

bool isMask(const DataSummary& data, const std::string& variable) {
  const bool isNamed = isNamedMask(variable);
  const auto values = valuesOf(data.seenNodes, variable);
  if (!values || values->empty()) return isNamed;
  if (isNamed) return values->size() <= kMostOfMasks;
  return values->size() == 2 &&
         std::all_of(values->begin(), values->end(), [](double value) { return value == std::round(value); });
}

}  // namespace farfield::app
