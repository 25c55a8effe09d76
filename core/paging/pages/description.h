#pragma once
// What a source says of its data before any value is read.

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/scalar_type.h"
#include "core/paging/pages/array_role.h"
#include "core/paging/pages/page_layout.h"

namespace farfield::paging {

/// One array of one block. Element (step t, node i j k, component c) of the whole array; within a page
/// the component is fastest, then i, j, k.
struct ArrayDescription {
  std::string name;  ///< unique in its block; independent of the role
  int block = 0;
  PageLayout layout;       ///< the nodes, and how they are cut
  std::int64_t steps = 1;  ///< 1 where static; otherwise as many as the data set has
  int components = 1;
  ScalarType type = ScalarType::F32;
  std::vector<std::string> componentNames = {};  ///< the variables in it; empty: the array's own name
  ArrayRole role = ArrayRole::Variable;
  int boundsLevel = 0;   ///< of location bounds: their level in the pyramid
  int detail = 0;        ///< level of detail that it belongs to (coarse_levels.h)
  bool onCells = false;  ///< a variable of an unstructured grid with a value per cell, not per node

  /// Part of the grid, or of its location bounds.
  bool isGrid() const { return role != ArrayRole::Variable; }
  std::int64_t nodeBytes() const { return std::int64_t{components} * sizeOf(type); }
  /// Bytes of the largest page, decoded.
  std::int64_t maxPageBytes() const { return layout.maxNodes() * nodeBytes(); }
  std::int64_t pageCount() const { return steps * layout.pageCount(); }
  /// Pages of one array are numbered through all steps.
  std::uint64_t pageNumber(std::int64_t step, std::int64_t page) const {
    return static_cast<std::uint64_t>((steps > 1 ? step : 0) * layout.pageCount() + page);
  }
  IndexBox boxOf(std::uint64_t pageNumber) const {
    return layout.box(static_cast<std::int64_t>(pageNumber) % layout.pageCount());
  }
  std::int64_t stepOf(std::uint64_t pageNumber) const {
    return static_cast<std::int64_t>(pageNumber) / layout.pageCount();
  }
};

enum class GridKind {
  Regular,      ///< nodes at equal distances along x, y and z
  Curvilinear,  ///< nodes anywhere: the block has coordinates
  Rectilinear,  ///< nodes at any distances along x, y and z: the block has axes
  Unstructured  ///< cells of several shapes, given by their nodes (unstructured_cells.h)
};
/// "regular", "curvilinear", "rectilinear", "unstructured".
const char* nameOf(GridKind kind);

/// x of the nodes along i, y of those along j, z of those along k: finite and ascending, none twice.
using GridAxes = std::array<std::vector<double>, 3>;

struct BlockDescription {
  Index3 dims{0, 0, 0};  ///< nodes; of an unstructured grid {nodes, 1, 1}
  GridKind kind = GridKind::Curvilinear;
  Vec3 origin{}, spacing{1, 1, 1};  ///< of a regular grid: node (i,j,k) lies at origin + spacing·(i,j,k)
  Bounds bounds;                    ///< of the coordinates, over all steps
  bool hasIblank = false;
  /// Of a rectilinear grid; null for others. An axis of one node is `spacing` thick.
  std::shared_ptr<const GridAxes> axes = nullptr;
  std::int64_t cells = 0;  ///< of an unstructured grid; 0 for others, whose nodes tell

  bool isUnstructured() const { return kind == GridKind::Unstructured; }
  /// Whether it has an array of coordinates.
  bool hasCoordinates() const { return kind == GridKind::Curvilinear || isUnstructured(); }
  /// Cells along each axis; {cells, 1, 1} of an unstructured grid.
  Index3 cellDims() const;
};

/// A sheet of nodes that the data give a name: a wall, an inflow. Several may have one name and are shown
/// together. Of an unstructured grid it is a range of its faces (ArrayRole::Faces).
struct NamedSurface {
  std::string name;  ///< "wall", as the data call it
  int block = 0;
  IndexBox
      nodes;  ///< one node thick along one axis; of an unstructured grid {first face, 0, 0} and {faces, 1, 1}
  std::string kind;  ///< what is known of it beside the name: "wall"; may be empty
  std::string from;  ///< what says so: "iblank", "wing.fvbnd"
};

struct DatasetDescription {
  std::string format;         ///< "farfield", "plot3d", "sample", …
  std::vector<double> times;  ///< one per step; at least one
  std::vector<BlockDescription> blocks;
  std::vector<ArrayDescription> arrays;
  /// Reference state ("gamma", "R"), provenance ("source", "command"), per-step PLOT3D headers ("mach.0", …).
  std::map<std::string, std::string> attributes;
  std::uint64_t storedBytes = 0;  ///< of all pages on disk; 0 where unknown
  int pageEdge = 0;               ///< nominal; 0 where pages follow something else
  std::string codec = "none";
  std::vector<NamedSurface> surfaces = {};  ///< in the order in which they were found

  /// Index into `arrays`, or -1.
  int find(int block, const std::string& name) const;
  /// The same by what the array is for: the first of the level of detail `detail`, or -1.
  int find(int block, ArrayRole role, int detail = 0) const;
  std::int64_t steps() const { return static_cast<std::int64_t>(times.size()); }
};

}  // namespace farfield::paging
