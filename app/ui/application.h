#pragma once
// The program with a window.

#include <string>
#include <vector>

#include "app/model/app_model.h"

namespace farfield::ui {

/// Opens the window with `paths` and returns when it is closed; the program's exit status. Throws Unsupported
/// where there is no display to open it on.
int runApplication(const std::vector<std::string>& paths, app::AppParts parts);

}  // namespace farfield::ui
