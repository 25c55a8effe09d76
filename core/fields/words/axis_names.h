#pragma once
// What the axes of data are called and measured in, where the files say it: x and y of maps are longitudes and latitudes. And the unit of
// what is a time.

#include <array>
#include <span>
#include <string>

#include "core/paging/pages/description.h"

namespace farfield::fields {

struct AxisName {
  std::string name;   ///< "longitude", or a letter
  std::string units;  ///< "°", "m"; empty: not known
  bool operator==(const AxisName&) const = default;
};

/// By the attributes "axisUnits.x" and so on, whose degrees to the east and to the north are those of the CF conventions.
std::array<AxisName, 3> axisNames(const paging::DatasetDescription& data);
/// Those on which all data agree; of other axes the letter.
std::array<AxisName, 3> axisNames(std::span<const paging::DatasetDescription* const> data);

/// "longitude [°]", or the name alone.
std::string saidOf(const AxisName& axis);
std::array<std::string, 3> saidOf(const std::array<AxisName, 3>& axes);

/// Of a span of time between steps: "hours" of "hours since 1968-5-23". Empty if the data do not say it.
std::string timeUnitsOf(const paging::DatasetDescription& data);

}  // namespace farfield::fields
