#pragma once
// Lines follow a velocity through the places of the data as if its length were that of the axes and its time that of the steps. Files say units
// (CF conventions), and do not always keep to one: oceans have metres a second over degrees.

#include <optional>
#include <string>
#include <vector>

#include "app/first/data_summary.h"

namespace farfield::app {

/// Units as the file says them.
struct UnlikeUnits {
  std::string velocity, axes;
  std::string times;  ///< empty where they are the velocity's, or do not count
};
/// Of a velocity whose parts or name are `vector`. Nothing where they go together, or are not all said. `overTime`: the lines go through
/// steps as well.
std::optional<UnlikeUnits> unlikeUnits(const DataSummary& data, const std::vector<std::string>& vector,
                                       bool overTime);

}  // namespace farfield::app
