#include "core/paging/pages/role_names.h"

#include <algorithm>
#include <charconv>

#include "core/base/error.h"
#include "core/paging/pages/coarse_levels.h"

namespace farfield::paging {
namespace {

constexpr const char* kBoundsName = "boxes";

/// The level in "boxes2", or -1.
int boundsLevelOf(const std::string& name) {
  const std::string start = kBoundsName;
  if (!name.starts_with(start)) return -1;
  int level = -1;
  std::from_chars(name.data() + start.size(), name.data() + name.size(), level);
  return level >= 0 && boundsName(level) == name ? level : -1;
}

}  // namespace

std::string boundsName(int level) {
  return kBoundsName + std::to_string(level);
}

void setRoleByName(ArrayDescription& array, GridKind grid) {
  const auto coarse = coarseNameFrom(array.name);
  const std::string& name = coarse ? coarse->name : array.name;
  const int level = boundsLevelOf(name);
  array.detail = coarse ? coarse->level : 0;
  array.boundsLevel = std::max(level, 0);
  const bool unstructured = grid == GridKind::Unstructured;
  const bool anywhere = unstructured || grid == GridKind::Curvilinear;
  array.role = name == kBlankingName                     ? ArrayRole::Blanking
               : name == kCoordinatesName && anywhere    ? ArrayRole::Coordinates
               : level >= 0 && anywhere                  ? ArrayRole::LocationBounds
               : name == kCellsName && unstructured      ? ArrayRole::Cells
               : name == kNeighboursName && unstructured ? ArrayRole::Neighbours
               : name == kFacesName && unstructured      ? ArrayRole::Faces
                                                         : ArrayRole::Variable;
}

bool nameSaysRole(const ArrayDescription& array, GridKind grid) {
  ArrayDescription named = array;
  setRoleByName(named, grid);
  return named.role == array.role && named.boundsLevel == array.boundsLevel && named.detail == array.detail;
}

const char* nameOf(ArrayRole role) {
  switch (role) {
    case ArrayRole::Variable:
      return "variable";
    case ArrayRole::Coordinates:
      return "coordinates";
    case ArrayRole::Blanking:
      return "blanking";
    case ArrayRole::LocationBounds:
      return "location bounds";
    case ArrayRole::Cells:
      return "cells";
    case ArrayRole::Neighbours:
      return "neighbours";
    case ArrayRole::Faces:
      return "faces";
  }
  return "unknown";
}

ArrayRole roleNamed(const std::string& name) {
  for (const ArrayRole role :
       {ArrayRole::Variable, ArrayRole::Coordinates, ArrayRole::Blanking, ArrayRole::LocationBounds,
        ArrayRole::Cells, ArrayRole::Neighbours, ArrayRole::Faces})
    if (name == nameOf(role)) return role;
  throw Unsupported("an array with the role \"" + name + "\" is not known to this program",
                    "use a newer Farfield");
}

}  // namespace farfield::paging
