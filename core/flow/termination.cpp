#include "core/flow/termination.h"

namespace farfield::flow {

const std::array<const char*, kTerminationCount> kTerminationNames{
    "none",       "out-of-domain", "max-time",       "max-length",  "max-steps",
    "stagnation", "seed-outside",  "step-too-small", "out-of-time", "not-finite"};

}  // namespace farfield::flow
