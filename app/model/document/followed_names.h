#pragma once
// What parts of a session name objects and data by follows these: what they are called after a change, as far as they are still
// there.

#include <string>

#include "app/model/document/document.h"

namespace farfield::app {

/// What the object that was called `name` before the change is called after it; empty: it is gone.
std::string objectAfter(const DocumentState& before, const Draft& draft, const std::string& name);
/// The same of data.
std::string dataAfter(const DocumentState& before, const Draft& draft, const std::string& name);

}  // namespace farfield::app
