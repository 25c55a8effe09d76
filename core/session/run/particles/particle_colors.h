#pragma once
// What lines of particles may be coloured by: a function, or a property of the particle.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/geometry.h"
#include "core/session/results/polylines.h"
#include "core/session/results/vtp_writer.h"

namespace farfield::session {

/// Names, with the columns of a vertex.
using OwnColors = std::vector<std::pair<std::string, int>>;

std::vector<std::string> namesOf(const OwnColors& own);
/// The column of the colouring value. `value` is its index among the functions' values, if it is one of them;
/// these begin at column `firstValue`.
std::optional<int> columnOf(const OwnColors& own, const std::string& name, std::optional<int> value,
                            int firstValue);
/// Adds that column to a file, unless it is there already, as the one a viewer shows first.
void addColor(LineFileContents& contents, const std::string& name, std::optional<int> column);
/// Least and greatest finite number of a column; nothing if there is none.
std::optional<std::array<double, 2>> rangeOf(const Polylines& lines, int column);
/// Length of the dashes that stand for particles.
double dashLength(const Bounds& bounds);

}  // namespace farfield::session
