#pragma once
// What lines of a session require of the tracer.

#include <cstddef>

#include "core/fields/functions/functions.h"
#include "core/flow/tracer.h"
#include "core/session/terms.h"

namespace farfield::session {

flow::LineOptions optionsOf(const Integrator& integrator);

/// Throws Invalid, placed at "vector", unless the first `names` functions have 3 components together.
void requireVector(const fields::FunctionPlan& functions, std::size_t names);

}  // namespace farfield::session
