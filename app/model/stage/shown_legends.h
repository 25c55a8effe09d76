#pragma once
// Which legends are shown.

#include <string>
#include <vector>

#include "app/model/stage/stage.h"

namespace farfield::app {

/// Whose legends of that function are shown, each once.
std::vector<std::string> legendOwners(const Document& document, const Stage& stage,
                                      const std::string& function);

}  // namespace farfield::app
