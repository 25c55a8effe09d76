#pragma once
// The names of the variables of a solution or function file.

#include <filesystem>
#include <string>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {

/// For a solution: density, momentum-x, -y, -z (also in 2-D, where it is 0), energy; then, if there are more,
/// as in OVERFLOW's files: gamma, species-1 … , turbulence-1 … .
std::vector<std::string> solutionNames(const Layout& solution);

/// The names in the lines of a name file: in lower case with hyphens; a duplicate gets a number.
std::vector<std::string> namesIn(const std::string& text);

/// For a function file: the lines of the name file beside it (FILE.nam, or its ending replaced by .nam), each
/// of which begins with a name; "function-1" … if there is none that can be read, or not one name for each variable.
/// `stores` opens files. Throws Cancelled.
std::vector<std::string> functionNames(const std::filesystem::path& file, const Layout& functions,
                                       const paging::ByteStores& stores);

}  // namespace farfield::plot3d
