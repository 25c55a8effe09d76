#pragma once
// Streamlines of a session on an OpenCL device, with the processors for what it does not do.

#include <memory>

#include "core/flow/line_engine.h"
#include "render/opencl/open_cl.h"

namespace farfield::opencl {

/// Traces on the device that openCl->anyDevice() takes. What it cannot do, or fails at, openCl tells its notice once. Thread-safe.
flow::LineEngine lineEngine(std::shared_ptr<OpenCl> openCl);

}  // namespace farfield::opencl
