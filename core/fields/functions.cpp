#include "core/fields/functions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/error.h"

namespace farfield::fields {

enum class FunctionPlan::Kind : std::uint8_t {
  Variable,
  Pressure,
  Temperature,
  Mach,
  SoundSpeed,
  Velocity,
  VelocityX,
  VelocityY,
  VelocityZ,
  VelocityMagnitude,
  Momentum,
  Magnitude,
};

namespace {

constexpr const char* kMomenta[] = {"momentum-x", "momentum-y", "momentum-z"};

/// What follows from density, momentum and energy. `kind` is the numeric value of FunctionPlan::Kind.
struct Derived {
  const char* name;
  int number;
  int components;
  bool needsDensity, needsMomentum, needsEnergy;
  int kind;
  const char* formula;
};
constexpr Derived kDerived[] = {
    {"pressure", 110, 1, true, true, true, 1, "p = (gamma - 1) (rho e0 - rho V^2 / 2)"},
    {"temperature", 120, 1, true, true, true, 2, "T = p / (rho R)"},
    {"velocity-x", 150, 1, true, true, false, 6, "u = rho u / rho"},
    {"velocity-y", 151, 1, true, true, false, 7, "v = rho v / rho"},
    {"velocity-z", 152, 1, true, true, false, 8, "w = rho w / rho"},
    {"velocity-magnitude", 153, 1, true, true, false, 9, "|V|"},
    {"mach", 154, 1, true, true, true, 3, "M = |V| / c"},
    {"sound-speed", 155, 1, true, true, true, 4, "c = sqrt(gamma p / rho)"},
    {"velocity", 200, 3, true, true, false, 5, "V = rho V / rho"},
    {"momentum", 202, 3, false, true, false, 10, "rho V"},
};

/// NASA's numbers of the conserved variables.
constexpr std::pair<const char*, int> kVariableNumbers[] = {
    {"density", 100}, {"momentum-x", 160}, {"momentum-y", 161}, {"momentum-z", 162}, {"energy", 163}};

struct VariablePlace {
  int array = -1;  ///< in description.arrays
  int component = 0;
  int components = 1;
};

/// Arrays that are not variables but part of the grid.
bool isGridArray(const std::string& name) {
  return name == "xyz" || name == "iblank" || name.starts_with("boxes");
}

/// The variable in the first block that has arrays; all blocks have the same ones.
VariablePlace placeOf(const paging::DatasetDescription& description, const std::string& variable) {
  for (std::size_t n = 0; n < description.arrays.size(); ++n) {
    const paging::ArrayDescription& array = description.arrays[n];
    if (array.block != description.arrays.front().block) break;
    if (isGridArray(array.name)) continue;
    if (array.name == variable) return {static_cast<int>(n), 0, array.components};
    for (std::size_t c = 0; c < array.componentNames.size(); ++c)
      if (array.componentNames[c] == variable) return {static_cast<int>(n), static_cast<int>(c), 1};
  }
  return {};
}

int numberOfVariable(const std::string& name) {
  for (const auto& [variable, number] : kVariableNumbers)
    if (name == variable) return number;
  return 0;
}

constexpr const char* kMagnitude = "velocity-magnitude";

/// Where the velocity itself is stored, its magnitude follows from it.
bool hasStoredVelocity(const paging::DatasetDescription& description) {
  return placeOf(description, "velocity").components == 3 && placeOf(description, "velocity").array >= 0;
}

bool canDerive(const paging::DatasetDescription& description, const Derived& derived) {
  const auto has = [&](const char* name) { return placeOf(description, name).array >= 0; };
  return (!derived.needsDensity || has("density")) &&
         (!derived.needsMomentum || (has(kMomenta[0]) && has(kMomenta[1]) && has(kMomenta[2]))) &&
         (!derived.needsEnergy || has("energy"));
}

std::string listOf(const std::vector<FunctionInfo>& functions) {
  std::string list;
  for (const FunctionInfo& function : functions) list += (list.empty() ? "" : ", ") + function.name;
  return list;
}

}  // namespace

ReferenceState ReferenceState::from(const std::map<std::string, std::string>& attributes) {
  ReferenceState state;
  const auto number = [&](const char* key, double& value) {
    const auto found = attributes.find(key);
    if (found == attributes.end()) return;
    const std::string& text = found->second;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0)
      throw Invalid("'" + text + "' is not a positive number", "give one, such as 1.4")
          .at(std::string("reference state ") + key);
  };
  number("gamma", state.gamma);
  number("R", state.gasConstant);
  return state;
}

FunctionPlan::FunctionPlan(const paging::DatasetDescription& description,
                           const std::vector<std::string>& names)
    : m_reference(ReferenceState::from(description.attributes)) {
  for (const std::string& name : names) add(description, name);
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

void FunctionPlan::add(const paging::DatasetDescription& description, const std::string& name) {
  std::string wanted = name;
  if (!name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    wanted.clear();
    for (const FunctionInfo& function : availableFunctions(description))
      if (std::to_string(function.number) == name) wanted = function.name;
    if (wanted.empty())
      throw Invalid("function number " + name + " is not one that these data give",
                    "use a name: " + listOf(availableFunctions(description)));
  }
  Step step{Kind::Variable};
  FunctionInfo info;
  info.name = wanted;
  const VariablePlace place = placeOf(description, wanted);
  if (place.array >= 0) {
    step.components = info.components = place.components;
    step.variable = inputOf(description, wanted);
    info.number = numberOfVariable(wanted);
  } else if (wanted == kMagnitude && hasStoredVelocity(description)) {
    step.kind = Kind::Magnitude;
    step.variable = inputOf(description, "velocity");
    info.number = 153;
    info.formula = "|V|";
  } else {
    const auto derived = std::find_if(std::begin(kDerived), std::end(kDerived),
                                      [&](const Derived& d) { return wanted == d.name; });
    if (derived == std::end(kDerived) || !canDerive(description, *derived))
      throw NotFound("there is no function '" + name + "' in these data",
                     "use one of: " + listOf(availableFunctions(description)));
    step.kind = static_cast<Kind>(derived->kind);
    step.components = info.components = derived->components;
    info.number = derived->number;
    info.formula = derived->formula;
    if (derived->needsDensity) step.density = inputOf(description, "density");
    if (derived->needsMomentum)
      for (int a = 0; a < 3; ++a) step.momentum[a] = inputOf(description, kMomenta[a]);
    if (derived->needsEnergy) step.energy = inputOf(description, "energy");
  }
  step.output = m_outputCount;
  m_outputs.push_back(m_outputCount);
  m_outputCount += step.components;
  m_steps.push_back(step);
  m_functions.push_back(info);
}

void FunctionPlan::computeNode(std::span<const double> inputs, std::span<double> outputs) const {
  for (const Step& step : m_steps) {
    double* const out = outputs.data() + step.output;
    if (step.kind == Kind::Variable) {
      std::copy_n(inputs.data() + step.variable, step.components, out);
      continue;
    }
    if (step.kind == Kind::Magnitude) {
      const double* const v = inputs.data() + step.variable;
      *out = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      continue;
    }
    const double momentum[3] = {inputs[step.momentum[0]], inputs[step.momentum[1]], inputs[step.momentum[2]]};
    if (step.kind == Kind::Momentum) {
      std::copy_n(momentum, 3, out);
      continue;
    }
    const double density = inputs[step.density];
    const double velocity[3] = {momentum[0] / density, momentum[1] / density, momentum[2] / density};
    const double speedSquared =
        velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
    const double pressure =
        step.energy < 0 ? 0 : (m_reference.gamma - 1) * (inputs[step.energy] - 0.5 * density * speedSquared);
    switch (step.kind) {
      case Kind::Pressure:
        *out = pressure;
        break;
      case Kind::Temperature:
        *out = pressure / (density * m_reference.gasConstant);
        break;
      case Kind::Mach:
        *out = std::sqrt(speedSquared) / std::sqrt(m_reference.gamma * pressure / density);
        break;
      case Kind::SoundSpeed:
        *out = std::sqrt(m_reference.gamma * pressure / density);
        break;
      case Kind::Velocity:
        std::copy_n(velocity, 3, out);
        break;
      case Kind::VelocityX:
        *out = velocity[0];
        break;
      case Kind::VelocityY:
        *out = velocity[1];
        break;
      case Kind::VelocityZ:
        *out = velocity[2];
        break;
      case Kind::VelocityMagnitude:
        *out = std::sqrt(speedSquared);
        break;
      case Kind::Variable:
      case Kind::Magnitude:
      case Kind::Momentum:
        break;
    }
  }
}

std::vector<FunctionInfo> availableFunctions(const paging::DatasetDescription& description) {
  std::vector<FunctionInfo> functions;
  const auto known = [&](const std::string& name) {
    return std::any_of(functions.begin(), functions.end(),
                       [&](const FunctionInfo& f) { return f.name == name; });
  };
  for (const paging::ArrayDescription& array : description.arrays) {
    if (array.block != description.arrays.front().block) break;
    if (isGridArray(array.name)) continue;
    // A vector can be asked for as a whole, too.
    if (array.componentNames.empty() || array.components == 3)
      functions.push_back(
          {array.name, array.name == "velocity" ? 200 : numberOfVariable(array.name), array.components, {}});
    if (!array.componentNames.empty()) {
      for (const std::string& name : array.componentNames)
        functions.push_back({name, numberOfVariable(name), 1, {}});
    }
  }
  if (hasStoredVelocity(description) && !known(kMagnitude)) functions.push_back({kMagnitude, 153, 1, "|V|"});
  for (const Derived& derived : kDerived)
    if (!known(derived.name) && canDerive(description, derived))
      functions.push_back({derived.name, derived.number, derived.components, derived.formula});
  return functions;
}

}  // namespace farfield::fields
