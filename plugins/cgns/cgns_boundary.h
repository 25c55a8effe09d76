#pragma once
// Boundary conditions (ZoneBC_t, BC_t) and families as named surfaces: ranges of nodes of structured zones, faces of unstructured
// ones.

#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/arranging/mesh_input.h"
#include "core/paging/pages/description.h"
#include "plugins/cgns/cgns_sections.h"
#include "plugins/cgns/cgns_zones.h"

namespace farfield::cgns {

/// A structured zone's, as surfaces of block `block`: of its nodes or, `onCells`, of those that values of cells have (arrays/cell_nodes.h). Those
/// that are no whole range of a grid plane are left out, with a line in `notes`.
std::vector<paging::NamedSurface> surfacesOf(const Tree& tree, const Base& base, const Zone& zone, int block,
                                             bool onCells, std::vector<std::string>& notes);

/// A surface of unstructured zones.
struct FaceSurface {
  paging::MeshSurface surface;
  std::vector<paging::MeshFace> faces;
};

/// An unstructured zone as a part of a mesh.
struct MeshZone {
  Zone zone;
  std::vector<Section> sections;
  std::int64_t nodesBefore = 0, cellsBefore = 0;
};

/// Those of all zones: what boundary conditions name, and sections of faces that none names. The cell of each face is found by its
/// nodes, in one pass over all cells; faces are turned outwards as their cells have them. Conditions of the same name are one
/// surface. Memory for the faces is claimed and kept in `claims`. Throws OverBudget, Corrupt.
std::vector<FaceSurface> surfacesOf(const Tree& tree, const Base& base, const std::vector<MeshZone>& zones,
                                    std::vector<MemoryClaim>& claims, std::vector<std::string>& notes);

/// Calls `visit` with the cells of three dimensions of a zone, by their numbers in the mesh, as hexahedra with nodes of the mesh.
/// Throws Corrupt.
void forEachHexahedron(const Tree& tree, const MeshZone& zone, const paging::MeshInput::VisitCell& visit);

}  // namespace farfield::cgns
