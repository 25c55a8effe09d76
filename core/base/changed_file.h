#pragma once
// What is said of a file that another program has changed or replaced while it was open: by whoever reads it, and known again by whoever
// can open it once more.

#include "core/base/error.h"

namespace farfield {

constexpr const char* kHasChanged = "has changed since it was opened";
constexpr const char* kOpenAgain = "open the data again";

/// Without the name of the file.
inline Corrupt fileHasChanged() {
  return Corrupt(kHasChanged, kOpenAgain);
}

}  // namespace farfield
