#pragma once
// Looks of legends that are of certain data (scene::legendKey) follow these.

#include "app/model/document.h"

namespace farfield::app {

/// In a change of the document: data have other names, or are gone.
void followLegends(const DocumentState& before, Draft& draft);

}  // namespace farfield::app
