#include "core/fields/words/axis_names.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace farfield::fields {
namespace {

constexpr std::string_view kLetters = "xyz";

std::string attributeOf(const paging::DatasetDescription& data, const std::string& key) {
  const auto found = data.attributes.find(key);
  return found == data.attributes.end() ? std::string() : found->second;
}

/// "degrees_east", "degree_E", "degreesE"; of the north alike.
AxisName nameOf(char letter, const std::string& units) {
  constexpr std::string_view kDegree = "degree";
  std::string lower = units;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  if (!lower.starts_with(kDegree)) return {{letter}, units == "1" ? std::string() : units};
  std::string towards;
  for (const char each : lower.substr(kDegree.size()))
    if (each != '_' && !(towards.empty() && each == 's')) towards += each;
  const bool isEast = towards == "e" || towards == "east", isNorth = towards == "n" || towards == "north";
  return {isEast ? "longitude" : isNorth ? "latitude" : std::string(1, letter), "\u00b0"};
}

}  // namespace

std::array<AxisName, 3> axisNames(const paging::DatasetDescription& data) {
  std::array<AxisName, 3> names;
  for (std::size_t a = 0; a < 3; ++a)
    names[a] = nameOf(kLetters[a], attributeOf(data, std::string("axisUnits.") + kLetters[a]));
  return names;
}

std::array<AxisName, 3> axisNames(std::span<const paging::DatasetDescription* const> data) {
  std::array<AxisName, 3> names{{{"x", {}}, {"y", {}}, {"z", {}}}};
  for (std::size_t n = 0; n < data.size(); ++n) {
    const std::array<AxisName, 3> its = axisNames(*data[n]);
    for (std::size_t a = 0; a < 3; ++a)
      if (n == 0)
        names[a] = its[a];
      else if (names[a] != its[a])
        names[a] = {std::string(1, kLetters[a]), {}};
  }
  return names;
}

std::string saidOf(const AxisName& axis) {
  return axis.units.empty() ? axis.name : axis.name + " [" + axis.units + "]";
}

std::array<std::string, 3> saidOf(const std::array<AxisName, 3>& axes) {
  return {saidOf(axes[0]), saidOf(axes[1]), saidOf(axes[2])};
}

std::string timeUnitsOf(const paging::DatasetDescription& data) {
  const std::string units = attributeOf(data, "time.units");
  return units.substr(0, units.find(" since "));
}

}  // namespace farfield::fields
