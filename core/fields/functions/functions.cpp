#include "core/fields/functions/functions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/base/near_names.h"
#include "core/fields/cells/repeated_ends.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/function_formulas.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/functions/vector_parts.h"
#include "core/fields/words/differences.h"
#include "core/fields/words/unknown_name.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::fields {
namespace {

constexpr const char* kMomenta[] = {"momentum-x", "momentum-y", "momentum-z"};
constexpr const char* kVelocities[] = {"velocity-x", "velocity-y", "velocity-z"};

/// NASA's numbers of the conserved variables.
constexpr std::pair<const char*, int> kVariableNumbers[] = {
    {"density", 100}, {"momentum-x", 160}, {"momentum-y", 161}, {"momentum-z", 162}, {"energy", 163}};

struct VariablePlace {
  int array = -1;  ///< in description.arrays
  int component = 0;
  int components = 1;
};

constexpr const char* kBlanking = "iblank";

/// The array of the first block that says what nodes are, if all blocks have one: the neighbours of overset grids and their holes.
/// -1 if not; of adaptive grids it says nothing that their levels do not say.
int blankingOf(const paging::DatasetDescription& description) {
  if (paging::isAmr(description)) return -1;
  int first = -1;
  std::size_t count = 0;
  for (std::size_t n = 0; n < description.arrays.size(); ++n) {
    const paging::ArrayDescription& array = description.arrays[n];
    if (array.role != paging::ArrayRole::Blanking || array.name != kBlanking || array.detail != 0) continue;
    if (first < 0) first = static_cast<int>(n);
    ++count;
  }
  return count == description.blocks.size() ? first : -1;
}

/// What placeOf() calls the place of nodes along an axis, as any variable may be called x: no name begins with a line's end. Empty if
/// `name` is no axis, or it is not known where nodes are.
std::string placeKeyOf(const paging::DatasetDescription& description, std::string_view name) {
  return placeAxisOf(name) >= 0 && placesIn(description) >= 0 ? '\n' + std::string(name) : std::string();
}

/// The variable in the first block that has arrays; all blocks have the same ones.
VariablePlace placeOf(const paging::DatasetDescription& description, const std::string& variable) {
  if (variable.starts_with('\n')) return {placesIn(description), placeAxisOf(variable.substr(1)), 1};
  for (std::size_t n = 0; n < description.arrays.size(); ++n) {
    const paging::ArrayDescription& array = description.arrays[n];
    if (array.block != description.arrays.front().block) break;
    if (array.isGrid()) continue;
    if (array.name == variable) return {static_cast<int>(n), 0, array.components};
    for (std::size_t c = 0; c < array.componentNames.size(); ++c)
      if (array.componentNames[c] == variable) return {static_cast<int>(n), static_cast<int>(c), 1};
  }
  return {variable == kBlanking ? blankingOf(description) : -1};
}

int numberOfVariable(const std::string& name) {
  for (const auto& [variable, number] : kVariableNumbers)
    if (name == variable) return number;
  return 0;
}

/// The variables of the file that formulas start from.
struct FlowVariables {
  bool density, momentum, energy, velocity, pressure, gamma, faces;
  explicit FlowVariables(const paging::DatasetDescription& description) {
    const auto has = [&](const char* name, int components) {
      const VariablePlace place = placeOf(description, name);
      return place.array >= 0 && place.components == components;
    };
    density = has("density", 1);
    const auto hasAll = [&](const auto& names) {
      return std::all_of(std::begin(names), std::end(names), [&](auto* name) { return has(name, 1); });
    };
    momentum = hasAll(kMomenta);
    energy = has("energy", 1);
    // a store may have an array for each component
    velocity = has("velocity", 3) || hasAll(kVelocities);
    pressure = has("pressure", 1);
    gamma = has("gamma", 1);
    faces = !description.blocks.empty() && !description.blocks.front().isUnstructured() &&
            !mayRepeatEnds(description);
  }
  /// The needs of formulas that they satisfy.
  std::uint16_t given(const ReferenceState& reference) const {
    std::uint16_t needs = 0;
    if (density) needs |= kNeedsDensity | kNeedsDensityGradient;
    if (momentum) needs |= kNeedsMomentum;
    if (velocity || (density && momentum)) needs |= kNeedsVelocity | kNeedsVelocityGradient;
    if (pressure || (density && momentum && energy)) needs |= kNeedsPressure | kNeedsPressureGradient;
    if (reference.mach > 0) needs |= kNeedsFreeStream;
    if (reference.viscosity > 0) needs |= kNeedsViscosity;
    if (faces) needs |= kNeedsWall;
    return needs;
  }
};

constexpr std::uint16_t kNeedsAGradient =
    kNeedsDensityGradient | kNeedsPressureGradient | kNeedsVelocityGradient;

bool canDerive(std::uint16_t given, const Formula& formula) {
  return (formula.needs & ~given) == 0;
}

/// But for those that users define.
std::vector<FunctionInfo> plainFunctions(const paging::DatasetDescription& description) {
  std::vector<FunctionInfo> functions;
  const auto known = [&](const std::string& name) {
    return std::any_of(functions.begin(), functions.end(),
                       [&](const FunctionInfo& f) { return f.name == name; });
  };
  for (const paging::ArrayDescription& array : description.arrays) {
    if (array.block != description.arrays.front().block) break;
    if (array.isGrid()) continue;
    // a vector can also be asked for as a whole
    if (array.componentNames.empty() || array.components == 3)
      functions.push_back(
          {array.name, array.name == "velocity" ? 200 : numberOfVariable(array.name), array.components, {}});
    if (!array.componentNames.empty()) {
      for (const std::string& name : array.componentNames)
        functions.push_back({name, numberOfVariable(name), 1, {}});
    }
  }
  const std::uint16_t given = FlowVariables(description).given(ReferenceState::from(description.attributes));
  for (const Formula& formula : formulas())
    if (!known(formula.name) && canDerive(given, formula))
      functions.push_back({formula.name, formula.number, formula.components, formula.text,
                           (formula.needs & kNeedsAGradient) != 0, (formula.needs & kNeedsWall) != 0});
  if (!known(kBlanking) && blankingOf(description) >= 0)
    functions.push_back(
        {kBlanking, 0, 1, "0 hole, below 0 minus the number of the block that it comes from"});
  return functions;
}

std::string listOf(const std::vector<FunctionInfo>& functions) {
  std::string list;
  for (const FunctionInfo& function : functions) list += (list.empty() ? "" : ", ") + function.name;
  return list;
}

std::string whatToUse(const char* how, const paging::DatasetDescription& description) {
  std::vector<FunctionInfo> functions = availableFunctions(description);
  const std::vector<FunctionInfo> places = placeFunctions(description);
  if (functions.empty())
    return "they have no functions" + (places.empty() ? std::string() : " but " + listOf(places)) +
           ", and can be shown in one colour";
  functions.insert(functions.end(), places.begin(), places.end());
  return how + listOf(functions);
}

/// The attributes, with the magnitudes of vectors as definitions where the data have none of that name.
std::map<std::string, std::string> withMagnitudes(const paging::DatasetDescription& description) {
  std::map<std::string, std::string> all = description.attributes;
  for (const paging::ArrayDescription& array : description.arrays)
    if (const std::string name = array.name + "-magnitude"; vectorPartNamed(description, name))
      all.try_emplace(std::string(kDefinitionKey) + name, magnitudeOf(array.name));
  return all;
}

/// Functions that may be meant by a word of an expression that is none.
std::vector<std::string> namesNear(const paging::DatasetDescription& description,
                                   const UnknownName& unknown) {
  std::vector<std::string> names;
  // Not availableFunctions(): whether a definition makes sense is found by planning it, which may have led here.
  for (const FunctionInfo& function : plainFunctions(description))
    if (function.components == 1) names.push_back(function.name);
  for (const auto& [key, magnitude] : withMagnitudes(description))
    if (key.starts_with(kDefinitionKey)) names.push_back(key.substr(kDefinitionKey.size()));
  for (const paging::ArrayDescription& array : description.arrays)
    for (const char* const part : {"-x", "-y", "-z"})
      if (vectorPartNamed(description, array.name + part)) names.push_back(array.name + part);
  // With its beginning, which is a name by itself: "velocity-magnitud".
  const std::string before = unknown.around().substr(0, unknown.around().size() - unknown.word().size());
  if (const std::string whole = before.empty() ? before : nearestName(unknown.around(), names);
      !whole.empty() && whole.starts_with(before))
    return {whole};
  if (std::vector<std::string> near = nearNames(unknown.word(), names); !near.empty()) return near;
  // "presure-density": the difference of one that is and one that is not.
  return nearNames(unknown.word().substr(0, unknown.word().find('-')), names);
}

}  // namespace

ReferenceState ReferenceState::from(const std::map<std::string, std::string>& attributes) {
  ReferenceState state;
  const auto number = [&](const char* key, double& value, bool mayBeZero) {
    const auto found = attributes.find(key);
    if (found == attributes.end()) return;
    const std::string& text = found->second;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0 ||
        (value == 0 && !mayBeZero))
      throw Invalid("'" + text + "' is not a positive number", "give one, such as 1.4")
          .at(std::string("reference state ") + key);
  };
  number("gamma", state.gamma, false);
  number("R", state.gasConstant, false);
  // a header may hold anything; only what the user gave must be right
  const auto inHeader = [&](const char* key) {
    double value = 0;
    const auto header = attributes.find(key);
    if (header == attributes.end()) return value;
    const std::string& text = header->second;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    return status != std::errc() || !std::isfinite(value) || value < 0 ? 0 : value;
  };
  state.mach = inHeader("mach.0");
  number("mach", state.mach, true);
  if (const double reynolds = inHeader("reynolds.0"); reynolds > 0) state.viscosity = state.mach / reynolds;
  number("viscosity", state.viscosity, false);
  return state;
}

FunctionPlan::FunctionPlan(const paging::DatasetDescription& description,
                           const std::vector<std::string>& names)
    : m_reference(ReferenceState::from(description.attributes)) {
  m_isOfUnstructured = !description.blocks.empty() && description.blocks.front().isUnstructured();
  for (const std::string& name : names) add(description, name);
  const Formula* const only = m_steps.size() == 1 ? m_steps.front().formula : nullptr;
  m_isVelocity = only && std::string_view(only->name) == "velocity" && m_velocity[0] < 0;
  m_isVariables =
      std::all_of(m_steps.begin(), m_steps.end(), [](const Step& step) { return step.variable >= 0; });
}

int FunctionPlan::inputOf(const paging::DatasetDescription& description, const std::string& variable) {
  const VariablePlace place = placeOf(description, variable);
  const paging::ArrayDescription& array = description.arrays[static_cast<std::size_t>(place.array)];
  for (std::size_t n = 0; n < m_arrays.size(); ++n)
    if (m_arrays[n] == array.name) return m_arrayStarts[n] + place.component;
  m_arrays.push_back(array.name);
  m_arrayStarts.push_back(m_inputCount);
  m_inputCount += array.components;
  return m_arrayStarts.back() + place.component;
}

void FunctionPlan::addInputsOf(const paging::DatasetDescription& description, const Formula& formula) {
  const FlowVariables has(description);
  const auto input = [&](int& place, const char* variable) {
    if (place < 0) place = inputOf(description, variable);
  };
  const bool velocity = (formula.needs & (kNeedsVelocity | kNeedsVelocityGradient)) != 0;
  const bool pressure = (formula.needs & (kNeedsPressure | kNeedsPressureGradient)) != 0;
  const bool derivesVelocity = velocity && !has.velocity, derivesPressure = pressure && !has.pressure;
  if (velocity && has.velocity) {
    const VariablePlace place = placeOf(description, "velocity");
    const bool whole = place.array >= 0 && place.components == 3;  // a speed may be called so, too
    if (whole) input(m_velocity[0], "velocity");
    for (int a = 0; a < 3; ++a) {
      if (whole)
        m_velocity[a] = m_velocity[0] + a;
      else
        input(m_velocity[a], kVelocities[a]);
    }
  }
  if (pressure && has.pressure) input(m_pressure, "pressure");
  if ((formula.needs & (kNeedsDensity | kNeedsDensityGradient)) != 0 || derivesVelocity || derivesPressure)
    input(m_density, "density");
  if ((formula.needs & kNeedsMomentum) != 0 || derivesVelocity || derivesPressure)
    for (int a = 0; a < 3; ++a) input(m_momentum[a], kMomenta[a]);
  if (derivesPressure) input(m_energy, "energy");
  if ((pressure || (formula.needs & kNeedsDensity) != 0) && has.gamma) input(m_gamma, "gamma");
  m_needs |= formula.needs;
  m_gradientCount = ((m_needs & kNeedsDensityGradient) != 0 ? 1 : 0) +
                    ((m_needs & kNeedsPressureGradient) != 0 ? 1 : 0) +
                    ((m_needs & kNeedsVelocityGradient) != 0 ? 3 : 0);
}

/// Variables and formulas. False if there is no such function.
bool FunctionPlan::addPlain(const paging::DatasetDescription& description, const std::string& name,
                            Step& step, FunctionInfo& info) {
  info.name = name;
  const VariablePlace place = placeOf(description, name);
  if (place.array >= 0) {
    step.components = info.components = place.components;
    step.variable = inputOf(description, name);
    info.number = numberOfVariable(name);
    return true;
  }
  const auto all = formulas();
  const auto formula = std::find_if(all.begin(), all.end(), [&](const Formula& f) { return name == f.name; });
  if (formula == all.end() || !canDerive(FlowVariables(description).given(m_reference), *formula))
    return false;
  step.formula = &*formula;
  step.components = info.components = formula->components;
  info.number = formula->number;
  info.formula = formula->text;
  info.derivative = (formula->needs & kNeedsAGradient) != 0;
  info.onWalls = (formula->needs & kNeedsWall) != 0;
  m_isOnWalls = m_isOnWalls || info.onWalls;
  addInputsOf(description, *formula);
  return true;
}

void FunctionPlan::addExpression(const paging::DatasetDescription& description, const std::string& text,
                                 Step& step, FunctionInfo& info) {
  const std::vector<FunctionInfo> available = plainFunctions(description);
  const auto known = [&](std::string_view name) {
    return std::find_if(available.begin(), available.end(),
                        [&](const FunctionInfo& f) { return f.name == name; });
  };
  const std::map<std::string, std::string> definitions = withMagnitudes(description);
  const auto componentNamed = [&](std::string_view name) {
    return isDefined(definitions, name) ? std::nullopt : vectorPartNamed(description, name);
  };
  // behind whatever the data have, or users define, of that name
  const auto placeNamed = [&](std::string_view name) {
    return definitionOf(definitions, name) ? std::string() : placeKeyOf(description, name);
  };
  const std::function<bool(std::string_view)> isPlain = [&](std::string_view name) {
    return known(name) != available.end() || componentNamed(name) || !placeNamed(name).empty();
  };
  const std::string meant = withoutDefinitions(text, definitions, isPlain);
  // First as it is written, so that what is wrong is said of that and of its letters.
  const auto parse = [&](const std::string& written, const std::function<bool(std::string_view)>& isName) {
    try {
      return Expression::parse(written, isName);
    } catch (UnknownName& unknown) {
      std::vector<std::string> near = namesNear(description, unknown);
      for (std::string& name : near)
        if (!problemOfFunctionName(name).empty()) name = "{" + name + "}";
      if (const std::string guess = asGuess(near); !guess.empty()) unknown.advise(guess);
      throw;
    }
  };
  if (meant != text)
    (void)parse(text,
                [&](std::string_view name) { return isPlain(name) || definitionOf(definitions, name); });
  PlacedExpression placed{parse(meant, isPlain), m_operandCount};
  for (const std::string& name : placed.expression.names()) {
    const auto listed = known(name);
    if (listed != available.end() && listed->components != 1)
      throw Invalid("the expression '" + text + "' is wrong: " + name + " is a vector",
                    "use one of its components, or its magnitude");
    if (m_operandCount == kMostOperands)
      throw Invalid("the expressions have more than " + std::to_string(kMostOperands) + " operands");
    Step operand;
    FunctionInfo its;
    if (listed != available.end())
      addPlain(description, name, operand, its);
    else if (const auto component = componentNamed(name))
      operand.variable = inputOf(description, component->vector) + component->part;
    else
      operand.variable = inputOf(description, placeNamed(name));
    operand.isOperand = true;
    operand.output = m_operandCount++;
    info.derivative = info.derivative || its.derivative;
    info.onWalls = info.onWalls || its.onWalls;
    m_steps.push_back(operand);
  }
  info.name = info.formula = text;
  info.number = 0;
  step.expression = static_cast<int>(m_expressions.size());
  m_expressions.push_back(std::move(placed));
}

/// Three expressions: two steps of their own, and `step`.
void FunctionPlan::addVector(const paging::DatasetDescription& description,
                             const std::vector<std::string>& parts, Step& step, FunctionInfo& info) {
  if (parts.size() != 3)
    throw Invalid("there are " + std::to_string(parts.size()) + " expressions with commas between",
                  "write one, or three for a vector");
  for (int n = 0; n < 3; ++n) {
    Step part;
    FunctionInfo its;
    addExpression(description, parts[static_cast<std::size_t>(n)], part, its);
    info.derivative = info.derivative || its.derivative;
    info.onWalls = info.onWalls || its.onWalls;
    part.output = m_outputCount + n;
    if (n < 2)
      m_steps.push_back(part);
    else
      step = part;
  }
  info.components = 3;
}

namespace {

/// Whether `text` is one, of what these data have. A name that is misspelt may look like a difference, as names have hyphens.
bool isDifferenceIn(const paging::DatasetDescription& description, std::string_view text) {
  const std::vector<FunctionInfo> plain = plainFunctions(description);
  std::size_t longest = 1;  // of an axis
  const auto mayBe = [&](std::size_t letters) { longest = std::max(longest, letters); };
  for (const FunctionInfo& function : plain)
    mayBe(function.name.size() + std::string_view("-magnitude").size());
  for (const auto& [key, meaning] : description.attributes)
    if (key.starts_with(kDefinitionKey)) mayBe(key.size());
  return isDifference(text, longest, [&](std::string_view name) {
    return definitionOf(description.attributes, std::string(name)) || vectorPartNamed(description, name) ||
           !placeKeyOf(description, name).empty() ||
           std::any_of(plain.begin(), plain.end(),
                       [&](const FunctionInfo& function) { return function.name == name; });
  });
}

}  // namespace

void FunctionPlan::add(const paging::DatasetDescription& description, const std::string& name) {
  std::string wanted = name;
  // No function has the number 0, which stands for none: as a part of a vector it is the value.
  const bool isZero = name == "0";
  if (!isZero && !name.empty() &&
      std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    wanted.clear();
    for (const FunctionInfo& function : availableFunctions(description))
      if (std::to_string(function.number) == name) wanted = function.name;
    if (wanted.empty())
      throw Invalid("there is no function number " + name + " in these data",
                    whatToUse("use a name: ", description));
  }
  Step step;
  FunctionInfo info;
  if (!addPlain(description, wanted, step, info)) {
    // What is defined by that very name goes before a part of a variable, and that before a part of what is defined.
    const auto part =
        isDefined(description.attributes, wanted) ? std::nullopt : vectorPartNamed(description, wanted);
    const auto meaning = part ? std::nullopt : definitionOf(description.attributes, wanted);
    const std::vector<std::string> parts = meaning ? partsOfVector(*meaning) : std::vector<std::string>();
    const std::string place = part || meaning ? std::string() : placeKeyOf(description, wanted);
    const bool isWord = !meaning && !isZero && wanted.find_first_of("+*/^(){} ") == std::string::npos;
    if (!place.empty())
      addPlain(description, place, step, info);
    else if (part && part->part != VectorPart::kMagnitude)
      step.variable = inputOf(description, part->vector) + part->part;
    else if (part)
      addExpression(description, magnitudeOf(part->vector), step, info);
    else if (isWord && !isDifferenceIn(description, wanted))
      throw NotFound("there is no function '" + name + "' in these data",
                     whatToUse("use one of: ", description));
    else if (parts.size() > 1)
      addVector(description, parts, step, info), info.formula = *meaning;
    else
      addExpression(description, meaning ? *meaning : wanted, step, info);
    if (meaning || part || !place.empty()) info.name = wanted;
    if (!place.empty()) info.formula = formulaOfPlace(wanted);
    if (part) info.formula = "of the components of " + part->vector;
  }
  step.output = m_outputCount + info.components - step.components;  // of a vector of expressions the last one
  m_outputs.push_back(m_outputCount);
  m_outputCount += info.components;
  m_steps.push_back(step);
  m_functions.push_back(info);
}

template <class Number, class Vector>
void FunctionPlan::setState(std::span<const Number> inputs, FlowState<Number, Vector>& state) const {
  state.gamma = m_reference.gamma;
  state.gasConstant = m_reference.gasConstant;
  state.mach = m_reference.mach;
  state.viscosity = m_reference.viscosity;
  const auto at = [&](int place) { return inputs[static_cast<std::size_t>(place)]; };
  if (m_gamma >= 0) state.gamma = at(m_gamma);
  if (m_density >= 0) state.density = at(m_density);
  if (m_momentum[0] >= 0) {
    state.momentum = {at(m_momentum[0]), at(m_momentum[1]), at(m_momentum[2])};
    if (m_density >= 0)
      state.velocity = {state.momentum.x / state.density, state.momentum.y / state.density,
                        state.momentum.z / state.density};
  }
  if (m_energy >= 0)
    state.pressure = (state.gamma - 1) * (at(m_energy) - 0.5 * state.density * squaredLength(state.velocity));
  if (m_velocity[0] >= 0) state.velocity = {at(m_velocity[0]), at(m_velocity[1]), at(m_velocity[2])};
  if (m_pressure >= 0) state.pressure = at(m_pressure);
}

NodeState FunctionPlan::stateOf(std::span<const double> inputs) const {
  NodeState node;
  setState<double, Vec3>(inputs, node);
  return node;
}

void FunctionPlan::computeBasics(std::span<const double> inputs, std::span<double> values) const {
  const NodeState node = stateOf(inputs);
  double* out = values.data();
  if ((m_needs & kNeedsDensityGradient) != 0) *out++ = node.density;
  if ((m_needs & kNeedsPressureGradient) != 0) *out++ = node.pressure;
  if ((m_needs & kNeedsVelocityGradient) != 0)
    for (int a = 0; a < 3; ++a) *out++ = node.velocity[a];
}

void FunctionPlan::computeNode(std::span<const double> inputs, std::span<const Vec3> gradients,
                               std::span<double> outputs, const WallState* wall) const {
  NodeState node = m_needs == 0 ? NodeState{} : stateOf(inputs);
  node.wall = wall;
  if (m_gradientCount > 0) {
    NodeGradients sorted;
    const Vec3* gradient = gradients.data();
    if ((m_needs & kNeedsDensityGradient) != 0) sorted.density = *gradient++;
    if ((m_needs & kNeedsPressureGradient) != 0) sorted.pressure = *gradient++;
    if ((m_needs & kNeedsVelocityGradient) != 0)
      for (Vec3& component : sorted.velocity) component = *gradient++;
    node.gradients = &sorted;
    return computeSteps(node, inputs, outputs);
  }
  computeSteps(node, inputs, outputs);
}

void FunctionPlan::computeNodes(std::size_t count, const double* inputs, double* outputs) const {
  const auto in = static_cast<std::size_t>(m_inputCount), out = static_cast<std::size_t>(m_outputCount);
  if (m_isVariables) {
    for (const Step& step : m_steps)
      for (std::size_t n = 0; n < count; ++n)
        std::copy_n(inputs + n * in + static_cast<std::size_t>(step.variable), step.components,
                    outputs + n * out + static_cast<std::size_t>(step.output));
    return;
  }
  for (std::size_t n = 0; n < count; ++n, inputs += in, outputs += out) {
    if (!m_isVelocity) {
      computeNode({inputs, in}, {outputs, out});
      continue;
    }
    const double density = inputs[m_density];
    for (int a = 0; a < 3; ++a) outputs[a] = inputs[m_momentum[a]] / density;
  }
}

void FunctionPlan::computeSteps(const NodeState& node, std::span<const double> inputs,
                                std::span<double> outputs) const {
  double operands[kMostOperands];
  for (const Step& step : m_steps) {
    double* const out = (step.isOperand ? operands : outputs.data()) + step.output;
    if (step.formula) {
      step.formula->compute(node, out);
    } else if (step.expression >= 0) {
      const PlacedExpression& placed = m_expressions[static_cast<std::size_t>(step.expression)];
      *out = placed.expression.evaluate({operands + placed.firstOperand, placed.expression.names().size()});
    } else {
      std::copy_n(inputs.data() + step.variable, step.components, out);
    }
  }
}

void FunctionPlan::bound(std::span<const Interval> inputs, std::span<Interval> outputs) const {
  RangeState state;
  if (m_needs != 0) setState<Interval, IntervalVec3>(inputs, state);
  Interval operands[kMostOperands];
  for (const Step& step : m_steps) {
    Interval* const out = (step.isOperand ? operands : outputs.data()) + step.output;
    if (step.expression >= 0) {
      const PlacedExpression& placed = m_expressions[static_cast<std::size_t>(step.expression)];
      *out = placed.expression.bound({operands + placed.firstOperand, placed.expression.names().size()});
    } else if (!step.formula) {
      std::copy_n(inputs.data() + step.variable, step.components, out);
    } else if (step.formula->bound) {
      step.formula->bound(state, out);
    } else {
      std::fill_n(out, step.components, Interval::any());
    }
  }
}

std::vector<FunctionInfo> availableFunctions(const paging::DatasetDescription& description) {
  std::vector<FunctionInfo> functions = plainFunctions(description);
  const std::size_t plain = functions.size();
  for (const auto& [key, text] : description.attributes) {
    if (!key.starts_with(kDefinitionKey)) continue;
    const std::string name = key.substr(kDefinitionKey.size());
    if (!problemOfFunctionName(name).empty()) continue;
    const auto isIt = [&](const FunctionInfo& f) { return f.name == name; };
    if (std::any_of(functions.begin(), functions.begin() + static_cast<std::ptrdiff_t>(plain), isIt))
      continue;
    try {
      functions.push_back(FunctionPlan(description, {name}).functions().front());
    } catch (const Error&) {
      // what a file brought along, and does not suit these data
    }
  }
  return functions;
}

}  // namespace farfield::fields
