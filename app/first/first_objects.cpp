#include "app/first/first_objects.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <functional>
#include <sstream>

#include "app/first/first_places.h"
#include "app/first/results.h"
#include "app/first/usual_vector.h"
#include "core/fields/functions/node_places.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"
#include "core/session/kinds/slabs/slabs_run.h"
#include "render/color/ticks.h"

namespace farfield::app {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// One block whose nodes lie along the axes, as of a scanner.
bool isPlainVolume(const DataSummary& data) {
  const auto& blocks = data.description.blocks;
  if (blocks.size() != 1 || blocks[0].hasCoordinates() || usualScalar(data).empty()) return false;
  return *std::min_element(blocks[0].dims.begin(), blocks[0].dims.end()) > 2;
}

/// Whatever the case of its letters; `part` is in lower case.
bool contains(std::string text, const char* part) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text.find(part) != std::string::npos;
}

/// By its kind, as "wall" and "BCWallViscous" are, or by what the data call it.
bool isWallSurface(const paging::NamedSurface& surface) {
  return contains(surface.kind, "wall") || contains(surface.name, "wall");
}

/// As "wallShearStress" of OpenFOAM, "Skin_Friction_Coefficient" of SU2. Empty: there is none.
std::string ownShear(const DataSummary& data) {
  for (const fields::FunctionInfo& function : data.functions)
    if (function.components == 3 && !function.onWalls && function.formula.empty() &&
        (contains(function.name, "shear") || contains(function.name, "friction")))
      return function.name;
  return {};
}

}  // namespace

std::vector<std::string> scalarFunctions(const DataSummary& data) {
  std::vector<std::string> names;
  for (const fields::FunctionInfo& function : data.functions)
    if (function.components == 1 && !function.onWalls) names.push_back(function.name);
  for (const fields::FunctionInfo& part : data.parts)
    if (!fields::isPlace(part)) names.push_back(part.name);
  return names;
}

std::vector<std::string> scalarsToChoose(const DataSummary& data) {
  std::vector<std::string> names = scalarFunctions(data);
  for (const fields::FunctionInfo& part : data.parts)
    if (fields::isPlace(part)) names.push_back(part.name);
  return names;
}

std::vector<std::string> wallFunctions(const DataSummary& data) {
  std::vector<std::string> names;
  for (const fields::FunctionInfo& function : data.functions)
    if (function.components == 1 && function.onWalls) names.push_back(function.name);
  return names;
}

std::vector<std::string> vectorFunctions(const DataSummary& data) {
  std::vector<std::string> names;
  for (const fields::FunctionInfo& function : data.functions)
    if (function.components == 3 && !function.onWalls) names.push_back(function.name);
  return names;
}

std::vector<std::string> wallVectors(const DataSummary& data) {
  std::vector<std::string> names;
  for (const fields::FunctionInfo& function : data.functions)
    if (function.components == 3 && function.onWalls) names.push_back(function.name);
  return names;
}

std::vector<std::string> usualOnWalls(const DataSummary& data) {
  if (const std::vector<std::string> names = wallVectors(data); !names.empty()) return {names.front()};
  if (std::string own = ownShear(data); !own.empty()) return {std::move(own)};
  return {};
}

bool hasOwnShear(const DataSummary& data) {
  return !ownShear(data).empty();
}

std::vector<std::string> rendererFunctions(const DataSummary& data) {
  std::vector<std::string> names;
  const auto said = data.description.attributes.find(session::kRendererFunctions);
  if (said == data.description.attributes.end()) return names;
  std::istringstream lines(said->second);
  for (std::string name; std::getline(lines, name);) names.push_back(name);
  return names;
}

namespace {

/// For an object that is made before anybody could say which vector there is.
std::vector<std::string> vectorOrVelocity(const DataSummary& data) {
  std::vector<std::string> vector = usualVector(data);
  if (vector.empty()) vector.emplace_back("velocity");
  return vector;
}

/// What follows from the ranges of the variables.
std::optional<std::array<double, 2>> boundedRange(const DataSummary& data, const std::string& function) {
  try {
    const fields::FunctionPlan plan(data.description, {function});
    std::vector<Interval> inputs, outputs(static_cast<std::size_t>(plan.outputCount()));
    for (const std::string& array : plan.arrays()) {
      const int number = data.description.find(data.description.arrays.front().block, array);
      const paging::ArrayDescription& its = data.description.arrays.at(static_cast<std::size_t>(number));
      for (int c = 0; c < its.components; ++c) {
        const std::string& name =
            its.componentNames.empty() ? its.name : its.componentNames[static_cast<std::size_t>(c)];
        const auto known = data.ranges.find(name);
        inputs.push_back(known == data.ranges.end() ? Interval::any()
                                                    : Interval{known->second[0], known->second[1]});
      }
    }
    plan.bound(inputs, outputs);
    if (outputs.size() == 1 && outputs[0].low <= outputs[0].high && std::isfinite(outputs[0].low) &&
        std::isfinite(outputs[0].high))
      return std::array{outputs[0].low, outputs[0].high};
  } catch (const std::exception&) {
    // No function of these data.
  }
  return std::nullopt;
}

/// Whether all that is known of its values is one number, which is one colour, and of which a volume is a block.
bool isConstant(const DataSummary& data, const std::string& function) {
  for (const auto* const ranges : {&data.ranges, &data.seenRanges})
    if (const auto found = ranges->find(function); found != ranges->end())
      return !(found->second[0] < found->second[1]);
  if (isSeenWithoutValues(data, function)) return true;
  const auto bounded = boundedRange(data, function);
  return bounded && !((*bounded)[0] < (*bounded)[1]);
}

/// Values that were seen are those of the first step, at which all may still be at rest.
bool isConstantAtAllSteps(const DataSummary& data, const std::string& function) {
  return isConstant(data, function) && !data.laterRanges.contains(function) &&
         (data.description.steps() == 1 || data.ranges.contains(function) ||
          !data.seenRanges.contains(function));
}

/// `usual`, or where that is constant the first that is known not to be.
std::string varyingScalar(const DataSummary& data, const std::string& usual,
                          const std::vector<std::string>& names) {
  if (usual.empty() || !isConstant(data, usual)) return usual;
  const auto varying = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return isResult(data, name) && usualRange(data, name);
  });
  return varying == names.end() ? usual : *varying;
}

/// The usual scalar, or the first that has values between those of its nodes, now or in a later step.
std::string smoothScalar(const DataSummary& data) {
  std::string usual = usualScalar(data);
  if (!isOfCells(data, usual)) return usual;
  const std::vector<std::string> names = scalarFunctions(data);
  const auto smooth = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return !isOfCells(data, name) && isResult(data, name) && !isConstant(data, name);
  });
  if (smooth != names.end()) return *smooth;
  const auto later = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return !isOfCells(data, name) && isResult(data, name) && data.laterRanges.contains(name);
  });
  return later == names.end() ? usual : *later;
}

}  // namespace

std::string usualScalar(const DataSummary& data) {
  const std::vector<std::string> names = scalarFunctions(data);
  for (const char* name : {"velocity-magnitude", "pressure", "density"})
    if (has(names, name) && !isConstant(data, name)) return name;
  auto first =
      std::find_if(names.begin(), names.end(), [&](const auto& name) { return isResult(data, name); });
  if (first == names.end()) first = std::find_if_not(names.begin(), names.end(), isNumbering);
  if (first == names.end()) return names.empty() ? std::string() : names.front();
  return varyingScalar(data, *first, names);
}

std::vector<std::string> otherScalars(const DataSummary& data, const std::string& function) {
  std::vector<std::string> names;
  for (const fields::FunctionInfo& each : data.functions)
    if (each.components == 1 && !each.onWalls && each.formula.empty()) names.push_back(each.name);
  for (const fields::FunctionInfo& part : data.parts)
    if (!fields::isPlace(part)) names.push_back(part.name);
  std::erase_if(names, [&](const std::string& name) {
    return name == function || isNumbering(name) || isConstant(data, name);
  });
  std::stable_partition(names.begin(), names.end(),
                        [&](const std::string& name) { return !isMask(data, name); });
  return names;
}

std::string wallScalar(const DataSummary& data) {
  const std::vector<std::string> names = scalarFunctions(data);
  for (const char* name : {"pressure", "pressure-coefficient", "temperature", "density"})
    if (has(names, name) && !isConstant(data, name)) return name;
  return usualScalar(data);
}

namespace {

/// Values of `function` as far as they are known, all of them and the usual ones: from the data, from nodes that were looked at, or from what
/// follows from others. Expressions are computed at these nodes, which takes milliseconds.
std::optional<fields::SeenRange> knownValues(const DataSummary& data, const std::string& function) {
  const auto isRange = [](const std::array<double, 2>& range) { return range[0] < range[1]; };
  for (const auto* const ranges : {&data.ranges, &data.seenRanges})
    if (const auto found = ranges->find(function); found != ranges->end() && isRange(found->second)) {
      const auto usual = data.usualRanges.find(function);
      const bool isKnown = usual != data.usualRanges.end() && isRange(usual->second);
      return fields::SeenRange{found->second, isKnown ? usual->second : found->second};
    }
  if (const auto later = data.laterRanges.find(function); later != data.laterRanges.end())
    return later->second;
  if (const auto seen = fields::seenRangeOf(data.seenNodes, data.description, function);
      seen && isRange(seen->all))
    return seen;
  if (const auto bounded = boundedRange(data, function); bounded && isRange(*bounded))
    return fields::SeenRange{*bounded, *bounded};
  return std::nullopt;
}

}  // namespace

std::optional<std::array<double, 2>> usualRange(const DataSummary& data, const std::string& function) {
  const auto known = knownValues(data, function);
  return known ? std::optional(known->all) : std::nullopt;
}

double middleOf(const std::array<double, 2>& range) {
  constexpr double kStray = 1e-4;
  return color::plainNumber(0.5 * range[0] + 0.5 * range[1], kStray * (range[1] - range[0]));
}

std::optional<double> usualValue(const DataSummary& data, const std::string& function) {
  const auto known = knownValues(data, function);
  if (!known) return std::nullopt;
  return middleOf(known->usual[0] < known->usual[1] ? known->usual : known->all);
}

session::Slice newSlice(const DataSummary& data) {
  session::Slice slice;
  if (data.bounds.empty()) return slice;
  Vec3 middle = data.bounds.center();
  // A middle of 0 is -2.8e-17 where the ends are decimal numbers.
  const Vec3 whole = data.bounds.max - data.bounds.min;
  const double noise = 1e-9 * std::max({whole.x, whole.y, whole.z});
  for (int a = 0; a < 3; ++a) middle[a] = color::plainNumber(middle[a], noise);
  slice.origin = middle;
  // Across the shortest way through the data, which shows most of them; but flat data have no slice along
  // their plane.
  const Vec3 size = data.bounds.max - data.bounds.min;
  const double least = 1e-6 * std::max({size.x, size.y, size.z});
  int shortest = 2;
  for (const int axis : {1, 0})
    if (size[axis] > least && (size[axis] < size[shortest] || size[shortest] <= least)) shortest = axis;
  slice.normal = {};
  slice.normal[shortest] = 1;
  return slice;
}

session::Object newGridSurface(const DataSummary& data) {
  session::Object object;
  object.name = "surface";
  session::GridSurface surface;
  std::vector<paging::NamedSurface> named = data.description.surfaces;
  std::erase_if(named, [&](const auto& each) { return !session::hasArea(data.description, each); });
  const auto wall = std::find_if(named.begin(), named.end(), isWallSurface);
  if (!named.empty())
    surface.surface = (wall != named.end() ? *wall : named.front()).name;
  else if (!data.description.blocks.empty())
    surface.range[2] = {0, 0};
  object.shape = surface;
  // Sheets are walls more often than not, where nothing moves.
  object.color.by = wallScalar(data);
  if (object.color.by.empty()) object.color.solid = kSurfaceColor;  // a grid without a solution
  return object;
}

session::Object newSliceObject(const DataSummary& data) {
  session::Object object;
  object.name = "slice";
  object.shape = newSlice(data);
  object.color.by = usualScalar(data);
  return object;
}

namespace {
/// `function`, or of a grid alone, which has nothing else, a place: along the first axis along which it is not as thin as a sheet,
/// and which is not along `normal`.
std::string orPlace(const std::string& function, const DataSummary& data, const Vec3& normal = {}) {
  if (!function.empty()) return function;
  for (const fields::FunctionInfo& part : data.parts)
    if (const int axis = fields::placeAxisOf(part.name); fields::isPlace(part) &&
                                                         data.bounds.min[axis] < data.bounds.max[axis] &&
                                                         std::abs(normal[axis]) < 0.9)
      return part.name;
  return {};
}
}  // namespace

session::Object newIsosurface(const DataSummary& data) {
  session::Object object;
  object.name = "isosurface";
  session::Isosurface surface;
  surface.by = orPlace(smoothScalar(data), data);
  surface.values = {usualValue(data, surface.by).value_or(0)};
  object.shape = surface;
  // By something that differs on it.
  std::vector<std::string> others = scalarFunctions(data);
  std::erase(others, surface.by);
  std::erase_if(others, [&](const std::string& name) { return !isResult(data, name); });
  // What is one value at first may differ later.
  const auto varies = [&](const std::string& name) { return !isConstant(data, name); };
  if (std::any_of(others.begin(), others.end(), varies))
    std::erase_if(others, std::not_fn(varies));
  else
    std::erase_if(others, [&](const std::string& name) { return !data.laterRanges.contains(name); });
  for (const char* name : {"density", "pressure"})
    if (has(others, name)) object.color.by = name;
  if (object.color.by.empty() && !others.empty()) object.color.by = others.front();
  if (object.color.by.empty()) object.color.solid = kSurfaceColor;
  return object;
}

session::Object newIsolines(const DataSummary& data) {
  session::Object object;
  object.name = "isolines";
  session::Isolines lines;
  const session::Slice slice = newSlice(data);
  lines.on.shape = slice;
  lines.by = orPlace(smoothScalar(data), data, slice.normal);
  lines.contrast = true;
  object.shape = lines;
  return object;
}

std::string isolineFunctionOn(const session::Object& surface, const DataSummary& data) {
  const bool isSheet = std::holds_alternative<session::GridSurface>(surface.shape);
  const std::string by = surface.color.by.empty() && isSheet ? wallScalar(data) : surface.color.by;
  const auto* const isosurface = std::get_if<session::Isosurface>(&surface.shape);
  const auto suits = [&](const std::string& name) {
    return !name.empty() && !isOfCells(data, name) && !isConstantAtAllSteps(data, name) &&
           !has(wallFunctions(data), name) && !(isosurface && isosurface->by == name);
  };
  if (suits(by)) return by;
  // What is one value all over the surface is no beginning at all.
  if (!isosurface || isosurface->by != smoothScalar(data)) return {};
  std::vector<std::string> others = scalarFunctions(data);
  for (const fields::FunctionInfo& part : data.parts)
    if (part.components == 1 && !fields::isPlace(part)) others.push_back(part.name);
  const auto other = std::find_if(others.begin(), others.end(), [&](const std::string& name) {
    return suits(name) && isResult(data, name);
  });
  return other == others.end() ? std::string() : *other;
}

bool isWall(const session::Object& surface, const DataSummary& data) {
  const auto* const sheet = std::get_if<session::GridSurface>(&surface.shape);
  const auto& named = data.description.surfaces;
  return sheet && std::any_of(named.begin(), named.end(), [&](const paging::NamedSurface& each) {
           return each.name == sheet->surface && isWallSurface(each);
         });
}

session::Object newArrows(const DataSummary& data) {
  session::Object object;
  object.name = "arrows";
  session::Arrows arrows;
  arrows.on.shape = newSlice(data);
  arrows.vector = vectorOrVelocity(data);
  object.shape = arrows;
  return object;
}

session::Object newLic(const DataSummary& data) {
  session::Object object;
  object.name = "texture";
  session::Lic lic;
  lic.on.shape = newSlice(data);
  lic.vector = vectorOrVelocity(data);
  object.shape = lic;
  object.color.by = usualScalar(data);
  if (object.color.by.empty()) object.color.solid = kSurfaceColor;
  return object;
}

double lineSpacingFor(const Bounds& bounds) {
  constexpr double kLinesAcross = 60;  // along the diagonal
  const double size = bounds.empty() ? 0 : bounds.diagonal() / kLinesAcross;
  return size > 0 ? color::plainNumber(size, 0.1 * size) : 0;
}

session::Object newSurfaceLines(const DataSummary& data) {
  session::Object object;
  object.name = "surface-lines";
  session::SurfaceLines lines;
  lines.on.shape = std::get<session::GridSurface>(newGridSurface(data).shape);
  lines.vector = usualOnWalls(data);
  if (lines.vector.empty()) lines.vector = vectorOrVelocity(data);
  if (const double spacing = lineSpacingFor(data.bounds); spacing > 0) lines.spacing = spacing;
  object.shape = lines;
  if (!wallScalar(data).empty()) object.color.solid = kOnColorsColor;
  return object;
}

session::Object newOutline(const DataSummary&) {
  session::Object object;
  object.name = "outline";
  object.shape = session::Outline{};
  object.color.solid = kOutlineColor;
  return object;
}

session::Object newProbe(const DataSummary& data) {
  session::Object object;
  object.name = "probes";
  session::Probe probe;
  probe.points = {placeInside(data)};
  if (const std::string scalar = usualScalar(data); !scalar.empty()) probe.show.push_back(scalar);
  if (has(vectorFunctions(data), "velocity")) probe.show.push_back("velocity");
  object.shape = std::move(probe);
  object.color.solid = kProbeColor;
  return object;
}

namespace {

/// A variable as it is stored, which is read without its neighbours; else, or where that is the same everywhere, the usual one.
std::string storedScalar(const DataSummary& data) {
  const std::vector<std::string> scalars = scalarFunctions(data);
  const auto chosen = [&](const std::string& name) {
    return isConstant(data, name) ? usualScalar(data) : name;
  };
  for (const paging::ArrayDescription& array : data.description.arrays) {
    if (array.isGrid()) continue;
    if (array.components == 1 && has(scalars, array.name) && isResult(data, array.name))
      return chosen(array.name);
    // A vector is seen by its length, as in other objects.
    const std::string length = array.name + "-magnitude";
    if (array.components == 3 && has(scalars, length)) return chosen(length);
    for (const std::string& name : array.componentNames)
      if (has(scalars, name)) return chosen(name);
  }
  return usualScalar(data);
}

}  // namespace

session::Object newSlabs(const DataSummary& data) {
  session::Object object;
  object.name = "volume";
  session::Slabs slabs;
  slabs.frames = true;  // exact at rest, and slabs while the view moves
  object.shape = slabs;
  const std::vector<std::string> functions = rendererFunctions(data);
  if (!functions.empty())
    object.color.by = has(functions, "velocity-magnitude") ? "velocity-magnitude" : functions.front();
  return object;
}

session::Object newVolume(const DataSummary& data) {
  session::Object object;
  object.name = "volume";
  session::Volume volume;
  volume.look.lit = true;
  object.shape = volume;
  object.color.by = orPlace(storedScalar(data), data);
  return object;
}

namespace {

/// Seeds on a line, along the usual vector.
template <class Lines>
Lines usualLines(const DataSummary& data) {
  Lines lines;
  lines.vector = vectorOrVelocity(data);
  lines.seeds = newSeeds(1, data);
  lines.integrator.maxSteps = 20'000;
  return lines;
}

}  // namespace

session::Object newStreamlines(const DataSummary& data) {
  session::Object object;
  object.name = "lines";
  auto lines = usualLines<session::Streamlines>(data);
  // Lines that go round in circles end.
  if (!data.bounds.empty()) lines.integrator.maxLength = 3 * data.bounds.diagonal();
  object.shape = lines;
  object.color.by = usualScalar(data);
  return object;
}

session::Object newPathlines(const DataSummary& data) {
  session::Object object;
  object.name = "paths";
  object.shape = usualLines<session::Pathlines>(data);
  object.color.by = "age";
  return object;
}

session::Object newStreaklines(const DataSummary& data) {
  session::Object object;
  object.name = "streaks";
  object.shape = usualLines<session::Streaklines>(data);
  object.color.by = "age";
  return object;
}

namespace {

/// How far something was moved is a vector without being a flow.
bool isDisplacement(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower.find("displ") != std::string::npos || lower == "disp" || lower == "disp_";
}

/// Whether the data have a vector of their own, or a velocity: what follows from scalars (gradients) is no flow.
bool flows(const DataSummary& data) {
  return std::any_of(data.functions.begin(), data.functions.end(), [](const fields::FunctionInfo& its) {
    return its.components == 3 && !its.onWalls && !isDisplacement(its.name) &&
           (its.formula.empty() || its.name == "velocity");
  });
}

/// Whether there are sheets of nodes, and not only a row of them, or a single one.
bool hasSheets(const paging::BlockDescription& block) {
  return block.isUnstructured() || std::count_if(block.dims.begin(), block.dims.end(),
                                                 [](std::int64_t nodes) { return nodes > 1; }) > 1;
}

}  // namespace

session::Object firstSurface(const DataSummary& data, const std::string& dataName) {
  session::Object surface = newGridSurface(data);
  surface.data = dataName;
  surface.shape = session::GridSurface{};
  return surface;
}

std::vector<session::Object> firstObjects(const DataSummary& data, const std::string& dataName) {
  std::vector<session::Object> objects{newOutline(data)};
  if (!rendererFunctions(data).empty()) {
    objects.push_back(newSlabs(data));
    for (session::Object& object : objects) object.data = dataName;
    return objects;
  }
  // A mesh of a solid is looked at from outside, whatever vectors it has.
  const auto& blocks = data.description.blocks;
  const bool isMesh =
      std::any_of(blocks.begin(), blocks.end(), [](const auto& block) { return block.isUnstructured(); });
  if (flows(data) && holdsPlaces(data) && (!isMesh || has(vectorFunctions(data), "velocity"))) {
    session::Object lines = newStreamlines(data);
    std::get<session::Streamlines>(lines.shape).seeds =
        session::SpreadSeeds{kSpreadSeeds, session::SpreadSeeds::Over::Space};
    objects.push_back(lines);
  } else if (isPlainVolume(data)) {
    objects.push_back(newVolume(data));
  } else if (std::any_of(blocks.begin(), blocks.end(), hasSheets)) {
    objects.push_back(firstSurface(data, dataName));
  }
  for (session::Object& object : objects) object.data = dataName;
  return objects;
}

}  // namespace farfield::app
