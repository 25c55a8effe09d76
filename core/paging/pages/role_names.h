#pragma once
// The names by which stores say what an array is for. An array whose name would give the wrong role has its
// role in the catalog. Names have a meaning only here, and only while a catalog is read.

#include <string>

#include "core/paging/pages/description.h"

namespace farfield::paging {

constexpr const char* kCoordinatesName = "xyz";
constexpr const char* kBlankingName = "iblank";
// of unstructured grids
constexpr const char* kCellsName = "cells";
constexpr const char* kNeighboursName = "neighbours";
constexpr const char* kFacesName = "faces";
/// "boxes0", "boxes1", …: a level of the location pyramid.
std::string boundsName(int level);

/// Sets role, level of the pyramid and level of detail by `array`.name ("level2.boxes0"). In a regular grid
/// an array with the name of coordinates is a variable.
void setRoleByName(ArrayDescription& array, GridKind grid);
/// Whether setRoleByName() would set just these.
bool nameSaysRole(const ArrayDescription& array, GridKind grid);

/// "variable", "coordinates", "blanking", "location bounds".
const char* nameOf(ArrayRole role);
/// Throws Unsupported.
ArrayRole roleNamed(const std::string& name);

}  // namespace farfield::paging
