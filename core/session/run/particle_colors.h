#pragma once
// What lines of particles may be coloured by: a function, or what is known of a particle itself.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/geometry.h"
#include "core/session/polylines.h"
#include "core/session/vtp_writer.h"

namespace farfield::session {

/// Names, and the columns of a vertex.
using OwnColors = std::vector<std::pair<std::string, int>>;

std::vector<std::string> namesOf(const OwnColors& own);
/// The column of what colours, of which `value` is the number among the functions' values where it is one of them; these
/// begin with column `firstValue`.
std::optional<int> columnOf(const OwnColors& own, const std::string& name, std::optional<int> value,
                            int firstValue);
/// Adds that column to a file, unless it is there already, as a viewer's first choice.
void addColor(LineFileContents& contents, const std::string& name, std::optional<int> column);
/// Least and greatest finite number of a column; none where there is none.
std::optional<std::array<double, 2>> rangeOf(const Polylines& lines, int column);
/// Of dashes that stand for particles.
double dashLength(const Bounds& bounds);

}  // namespace farfield::session
