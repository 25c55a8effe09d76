#pragma once
// The program with a window.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/model/app_model.h"

namespace farfield::ui {

struct ApplicationStart {
  std::vector<std::string> paths;
  std::optional<std::uint64_t> memoryBytes;  ///< of this window alone; none: as the settings say
};

/// Opens the window and returns when it is closed; the program's exit status. Throws Unsupported
/// where there is no display to open it on.
int runApplication(const ApplicationStart& start, app::AppParts parts);

}  // namespace farfield::ui
