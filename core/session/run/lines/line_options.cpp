#include "core/session/run/lines/line_options.h"

#include <string>

#include "core/base/error.h"

namespace farfield::session {

flow::LineOptions optionsOf(const Integrator& integrator) {
  flow::LineOptions options;
  options.method = integrator.method == IntegratorMethod::Rk4 ? flow::Method::Rk4 : flow::Method::Dopri5;
  options.tolerance = integrator.tolerance.value_or(0);
  options.stepCells = integrator.stepCells;
  if (integrator.maxTime) options.maxTime = *integrator.maxTime;
  if (integrator.maxLength) options.maxLength = *integrator.maxLength;
  options.maxSteps = integrator.maxSteps;
  return options;
}

void requireVector(const fields::FunctionPlan& functions, std::size_t names) {
  int components = 0;
  for (std::size_t n = 0; n < names; ++n) components += functions.functions()[n].components;
  if (components != 3)
    throw Invalid("lines need a vector of 3 components, and this has " + std::to_string(components),
                  "name a vector such as \"velocity\", or its three components")
        .at("vector");
}

}  // namespace farfield::session
