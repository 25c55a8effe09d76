#pragma once
// Looks of legends that are of certain data or objects (scene::legendKey) follow these.

#include "app/model/document/document.h"

namespace farfield::app {

/// In a change of the document: data and objects have other names, or are gone. Of a legend that several objects have the next one has the
/// look then.
void followLegends(const DocumentState& before, Draft& draft);

}  // namespace farfield::app
