#pragma once
// Functions whose values are read at places: as they are typed, and which can be.

#include <QString>
#include <string>
#include <vector>

#include "app/first/data_summary.h"

namespace farfield::app {

/// "pressure, max(density, 1)" as two, each once. What is one of the `known` names is that, also with commas in it.
std::vector<std::string> functionsFromText(const QString& text, const std::vector<std::string>& known);
/// Functions that have values everywhere, in the order of the data.
std::vector<std::string> readableFunctions(const DataSummary& data);
/// What is wrong with functions and expressions that are to be read there; empty: nothing.
QString problemOfRead(const DataSummary& data, const std::vector<std::string>& functions);

}  // namespace farfield::app
