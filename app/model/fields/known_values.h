#pragma once
// What a slider over the values of a function goes over, and what is said of it.

#include <QString>
#include <array>
#include <optional>
#include <string>

#include "app/model/fields/object_fields.h"

namespace farfield::app {

/// Of the whole data, or while that is not known of all nodes that were looked at and of what was shown. Nothing where no value is
/// known.
std::optional<std::array<double, 2>> knownValues(const FieldSurroundings& surroundings,
                                                 const std::string& function);
/// "0 to 255", "300 everywhere"; what is not all yet says so.
QString knownValuesText(const FieldSurroundings& surroundings, const std::string& function);

}  // namespace farfield::app
