#pragma once
// Looks of legends that are of certain data or objects (scene::legendKey) follow these.

#include <string>
#include <vector>

#include "app/model/document.h"

namespace farfield::app {

class Stage;

/// Whose legends of that function are shown, each once.
std::vector<std::string> legendOwners(const Document& document, const Stage& stage,
                                      const std::string& function);
/// In a change of the document: data and objects have other names, or are gone. Of a legend that several objects have the next one has the
/// look then.
void followLegends(const DocumentState& before, Draft& draft);

}  // namespace farfield::app
