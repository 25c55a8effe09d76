#include "plugins/cf/cf_turned.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/printable.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/vector_parts.h"
#include "plugins/cf/cf_plane.h"

namespace farfield::cf {
namespace {

/// From the east to the grid's lines along x, anticlockwise.
struct Turn {
  std::vector<const Variable*> by;  ///< the angle, or its cosine and its sine
  bool isInDegrees = false;         ///< the angle, else in radians
};

/// A vector to the east, to the north and up.
struct Flow {
  const Variable* x = nullptr;  ///< the components that it is made of
  const Variable* y = nullptr;
  const Variable* z = nullptr;  ///< or none
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

/// Numbers at each y and x of the grid, or at each time before these.
bool isOnPlane(const Variable& variable, const CfGrid& grid) {
  const std::vector<int>& dims = variable.dims;
  if (!variable.hasNumbers() || variable.componentDim >= 0 || dims.size() < 2 || dims.size() > 3)
    return false;
  return dims[dims.size() - 2] == grid.space[1] && dims.back() == grid.space[0] &&
         (dims.size() == 2 || (grid.time >= 0 && dims[0] == grid.time));
}

/// "angle between XI-axis and EAST", in ROMS's words and those of CROCO; or by the table of standard names.
bool isAngle(const Variable& variable) {
  constexpr std::string_view kStandard = "angle_of_rotation_from_east_to_x";
  if (std::string_view(variable.textOf("standard_name")) == kStandard) return true;
  const std::string said = lower(variable.textOf("long_name"));
  return said.starts_with("angle between xi") && said.ends_with("east");
}

/// Some files have both, or only what was turned already.
bool isToTheEast(const Variable& variable) {
  for (const char* const attribute : {"standard_name", "long_name"})
    if (lower(variable.textOf(attribute)).find("eastward") != std::string::npos) return true;
  return false;
}

/// As expressions have it.
std::string written(const std::string& name) {
  return fields::problemOfFunctionName(name).empty() && name.find('-') == std::string::npos
             ? name
             : "{" + name + "}";
}

std::optional<Turn> turnOf(const File& file, const CfGrid& grid) {
  if (!grid.plane[0] || !lower(grid.plane[0]->textOf("units")).starts_with("degree")) return std::nullopt;
  for (const Variable& variable : file.variables) {
    if (!isOnPlane(variable, grid) || !isAngle(variable)) continue;
    const std::string units = lower(variable.textOf("units"));
    if (units.starts_with("deg")) return Turn{{&variable}, true};
    if (units.starts_with("rad")) return Turn{{&variable}, false};
  }
  const Variable *const cosine = file.variable("COSALPHA"), *const sine = file.variable("SINALPHA");
  if (cosine && sine && isOnPlane(*cosine, grid) && isOnPlane(*sine, grid))
    return Turn{{cosine, sine}, false};
  return std::nullopt;
}

/// Of the water or the air; of the means over the depth, and at ten metres, where there is nothing else.
std::optional<Flow> flowOf(const File& file, const VariableNames& names) {
  constexpr std::array<std::array<const char*, 3>, 4> kComponents{
      {{"u", "v", "w"}, {"U", "V", "W"}, {"ubar", "vbar", ""}, {"U10", "V10", ""}}};
  const auto known = [&](const char* name) {
    const Variable* const variable = file.variable(name);
    return variable && names.contains(variable) ? variable : nullptr;
  };
  for (const auto& [x, y, z] : kComponents)
    if (const Flow flow{known(x), known(y), known(z)}; flow.x && flow.y && !isToTheEast(*flow.x)) return flow;
  return std::nullopt;
}

/// Three expressions with commas between (core/fields/functions/defined_functions.h).
std::string definitionOf(const Flow& flow, const Turn& turn, const VariableNames& names) {
  const auto nameOf = [&](const Variable* variable) { return written(names.at(variable)); };
  std::string cosine = nameOf(turn.by.front()), sine = nameOf(turn.by.back());
  if (turn.by.size() == 1) {
    const std::string angle = cosine + (turn.isInDegrees ? "*0.017453292519943295" : "");
    cosine = "cos(" + angle + ")";
    sine = "sin(" + angle + ")";
  }
  const std::string x = nameOf(flow.x), y = nameOf(flow.y), z = flow.z ? nameOf(flow.z) : "0";
  return x + "*" + cosine + "-" + y + "*" + sine + ", " + x + "*" + sine + "+" + y + "*" + cosine + ", " + z;
}

/// One layer at all heights.
arrays::ComputedArray onAllLayers(arrays::PlacedArray layer) {
  return [layer = std::move(layer)](std::int64_t step, const IndexBox& box, int first, int count,
                                    std::span<std::byte> out) {
    const std::size_t bytes = out.size() / static_cast<std::size_t>(box.size[2]);
    const IndexBox plane{{box.first[0], box.first[1], 0}, {box.size[0], box.size[1], 1}};
    arrays::readBox(layer, step, plane, first, count, out.first(bytes));
    for (std::size_t k = 1; k < static_cast<std::size_t>(box.size[2]); ++k)
      std::memcpy(out.data() + k * bytes, out.data(), bytes);
  };
}

}  // namespace

void addFlow(const std::vector<OpenedFile>& files, const CfGrid& grid, Series& series, VariableNames& names,
             std::vector<const Variable*>& used, CfData& data) {
  const File& header = files.front().file;
  const std::optional<Turn> turn = turnOf(header, grid);
  const std::optional<Flow> flow = turn ? flowOf(header, names) : std::nullopt;
  if (!flow) return;
  paging::DatasetDescription& description = data.description;
  const auto keepUnits = [&](const Variable& variable, const std::string& name) {
    if (const std::string units = variable.textOf("units"); !units.empty())
      description.attributes["units." + name] = printable(units);
  };
  const Index3 dims = description.blocks.front().dims;
  const std::string time =
      grid.time < 0 ? std::string() : header.dimensions[static_cast<std::size_t>(grid.time)].name;
  std::string by;
  for (const Variable* const variable : turn->by) {
    by += (by.empty() ? "" : ", ") + printable(variable->name);
    if (names.contains(variable)) continue;
    arrays::PlacedArray layer = planeCoordinate(files, *variable, time, dims, series);
    auto its = arrays::describeArray(arrays::usableName(variable->name, description), dims, 1,
                                     layer.valueType(), layer.hasSteps() ? series.steps() : 1);
    keepUnits(*variable, its.name);
    names[variable] = its.name;
    used.push_back(variable);
    description.arrays.push_back(std::move(its));
    data.places.emplace_back(onAllLayers(std::move(layer)));
  }
  const std::string name = arrays::usableName("flow", description);
  description.attributes[std::string(fields::kDefinitionKey) + name] = definitionOf(*flow, *turn, names);
  description.attributes[fields::kUsualVectorKey] = name;
  description.attributes[fields::kAlongGridKey] = names.at(flow->x) + '\n' + names.at(flow->y);
  keepUnits(*flow->x, name);
  for (const Variable* const component : {flow->x, flow->y}) {
    std::string& means = description.attributes["means." + names.at(component)];
    means += (means.empty() ? "" : ", ") + std::string("along the lines of the turned grid; ") + name +
             " is to the east and to the north";
  }
  data.explain.push_back(printable(flow->x->name) + " and " + printable(flow->y->name) +
                         " are along the lines of the grid, which is turned (" + by + "): " + name +
                         " is the same to the east and to the north");
}

}  // namespace farfield::cf
