#pragma once
// The names by which stores say what an array is for. Most say it by nothing else; an array whose name would
// say something wrong says its role in the catalog besides. This is the only place where a name has a
// meaning, and it is asked once, when a catalog is read.

#include <string>

#include "core/paging/pages/description.h"

namespace farfield::paging {

constexpr const char* kCoordinatesName = "xyz";
constexpr const char* kBlankingName = "iblank";
/// "boxes0", "boxes1", …: a level of the location pyramid.
std::string boundsName(int level);

/// Sets role, level of the pyramid and level of detail by `array`.name ("level2.boxes0"). What is called as
/// coordinates are but belongs to a regular grid is a variable.
void setRoleByName(ArrayDescription& array, GridKind grid);
/// Whether the name alone says all of that.
bool nameSaysRole(const ArrayDescription& array, GridKind grid);

/// "variable", "coordinates", "blanking", "location bounds".
const char* nameOf(ArrayRole role);
/// Throws Unsupported.
ArrayRole roleNamed(const std::string& name);

}  // namespace farfield::paging
