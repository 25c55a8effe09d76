#include "plugins/cf/cf_axes.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

namespace farfield::cf {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

bool isOne(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

/// 'X', 'Y', 'Z', 'T' if the variable names its axis; else 0.
char axisSaid(const Variable& variable) {
  const std::string axis = variable.textOf("axis"), name = lower(variable.textOf("standard_name"));
  if (axis.size() == 1 && std::string("XYZT").find(axis) != std::string::npos) return axis[0];
  const std::string units = lower(variable.textOf("units"));
  if (units.find(" since ") != std::string::npos || name == "time") return 'T';
  if (name == "longitude" || name == "projection_x_coordinate" || name == "grid_longitude" ||
      isOne(units, {"degrees_east", "degree_east", "degree_e", "degrees_e", "degreee", "degreese"}))
    return 'X';
  if (name == "latitude" || name == "projection_y_coordinate" || name == "grid_latitude" ||
      isOne(units, {"degrees_north", "degree_north", "degree_n", "degrees_n", "degreen", "degreesn"}))
    return 'Y';
  if (variable.find("positive") || isSigma(variable) ||
      isOne(units, {"pa", "hpa", "mb", "mbar", "millibar", "bar", "decibar", "dbar", "level", "sigma_level",
                    "layer"}) ||
      isOne(name, {"height", "depth", "altitude", "air_pressure", "sea_water_pressure"}))
    return 'Z';
  return 0;
}

/// Names of variables that describe others: bounds of cells, edges, two-dimensional coordinates.
std::set<std::string> namesOfDescriptions(const File& header) {
  std::set<std::string> names;
  for (const Variable& variable : header.variables) {
    for (const char* const attribute : {"bounds", "edges", "climatology"})
      names.insert(variable.textOf(attribute));
    std::istringstream coordinates(variable.textOf("coordinates"));
    for (std::string name; coordinates >> name;)
      if (name != variable.name) names.insert(name);
  }
  return names;
}

bool isAxis(const File& header, const Variable& variable) {
  return variable.dims.size() == 1 &&
         header.dimensions[static_cast<std::size_t>(variable.dims[0])].name == variable.name;
}

bool isTime(const File& header, int dimension) {
  const Variable* const along = coordinatesOf(header, dimension);
  return (along && axisSaid(*along) == 'T') ||
         header.dimensions[static_cast<std::size_t>(dimension)].isRecord;
}

/// Whether a variable has a number for each y and x, or at each time (WRF).
bool isOnPlane(const File& header, const Variable& variable, const CfGrid& grid) {
  const std::size_t count = variable.dims.size();
  if (count < 2 || count > 3 || variable.dims[count - 2] != grid.space[1] ||
      variable.dims[count - 1] != grid.space[0])
    return false;
  return count == 2 || (grid.time < 0 ? isTime(header, variable.dims[0]) : variable.dims[0] == grid.time);
}

}  // namespace

bool isSigma(const Variable& axis) {
  const std::string name = lower(axis.textOf("standard_name"));
  return axis.find("formula_terms") || name.find("sigma") != std::string::npos ||
         name.find("ocean_s_coordinate") != std::string::npos;
}

const Variable* coordinatesOf(const File& header, int dimension) {
  if (dimension < 0) return nullptr;
  const Variable* const found = header.variable(header.dimensions[static_cast<std::size_t>(dimension)].name);
  if (!found || !found->hasNumbers() || found->dims.size() != 1 || found->dims[0] != dimension)
    return nullptr;
  return found;
}

const Variable* timesOf(const File& header, int dimension) {
  if (dimension < 0) return nullptr;
  if (const Variable* const along = coordinatesOf(header, dimension)) return along;
  const auto isAlong = [&](const Variable& variable) {
    return variable.hasNumbers() && variable.records < 0 && variable.dims == std::vector<int>{dimension} &&
           lower(variable.textOf("units")).find(" since ") != std::string::npos;
  };
  for (const Variable& variable : header.variables) {
    std::istringstream names(variable.textOf("coordinates"));
    for (std::string name; names >> name;)
      if (const Variable* const found = header.variable(name); found && isAlong(*found)) return found;
  }
  return nullptr;
}

std::vector<const Variable*> valuesIn(const File& header) {
  std::vector<const Variable*> values;
  const std::set<std::string> descriptions = namesOfDescriptions(header);
  for (const Variable& variable : header.variables) {
    if (!variable.hasNumbers() || variable.dims.empty() || isAxis(header, variable) ||
        descriptions.contains(variable.name))
      continue;
    CfGrid grid;
    if (gridOf(header, variable, grid) && grid.spaceCount() > 0) values.push_back(&variable);
  }
  return values;
}

bool gridOf(const File& header, const Variable& variable, CfGrid& grid) {
  grid = {};
  if (variable.dims.size() > (variable.componentDim < 0 ? 4 : 5)) return false;
  std::vector<int> rest;
  for (std::size_t n = 0; n < variable.dims.size(); ++n) {
    if (static_cast<int>(n) == variable.componentDim) continue;
    const int dimension = variable.dims[n];
    const Variable* const along = coordinatesOf(header, dimension);
    const char axis = along ? axisSaid(*along) : 0;
    int* const place = axis == 'X'   ? &grid.space[0]
                       : axis == 'Y' ? &grid.space[1]
                       : axis == 'Z' ? &grid.space[2]
                       : axis == 'T' || header.dimensions[static_cast<std::size_t>(dimension)].isRecord
                           ? &grid.time
                           : nullptr;
    if (place && *place < 0)
      *place = dimension;
    else
      rest.push_back(dimension);
  }
  // dimensions that say nothing are x, y, z in the usual order, x being the fastest
  for (auto at = rest.rbegin(); at != rest.rend(); ++at) {
    int* free = nullptr;
    for (int& place : grid.space)
      if (place < 0 && !free) free = &place;
    if (!free && grid.time < 0) free = &grid.time;
    if (!free) return false;
    *free = *at;
  }
  std::istringstream names(variable.textOf("coordinates"));
  std::array<const Variable*, 2> plane{nullptr, nullptr};
  for (std::string name; names >> name;) {
    const Variable* const found = header.variable(name);
    if (!found || !found->hasNumbers() || !isOnPlane(header, *found, grid)) continue;
    const char axis = axisSaid(*found);
    const std::string said = lower(found->textOf("standard_name"));
    if (axis == 'X' || said.starts_with("longitude")) plane[0] = found;
    if (axis == 'Y' || said.starts_with("latitude")) plane[1] = found;
  }
  if (plane[0] && plane[1]) grid.plane = plane;
  return true;
}

}  // namespace farfield::cf
