#pragma once
// The names of files that belong to a step.

#include <cstdint>
#include <cstdio>
#include <string>

namespace farfield {

/// "_0042": what the name of a file of step 42 has before its ending.
inline std::string stepSuffix(std::int64_t step) {
  char text[24];
  std::snprintf(text, sizeof text, "_%04lld", static_cast<long long>(step));
  return text;
}

}  // namespace farfield
