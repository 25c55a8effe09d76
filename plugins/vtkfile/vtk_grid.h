#pragma once
// The contents of a VTK file of a grid, independent of how it is written; and the data set made
// from one such file, or from one per step.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fields/functions/reading_choices.h"
#include "plugins/arrays/array_reader.h"
#include "plugins/arrays/option_words.h"

namespace farfield::vtkfile {

enum class VtkKind { Image, Rectilinear, Structured, Unstructured };

struct VtkArray {
  std::string name;
  bool onCells = false;
  arrays::NumberType type = arrays::NumberType::F32;
  bool bigEndian = false;
  int components = 1;
  std::vector<arrays::Piece> pieces;  ///< nodes or cells, counted from the grid's first
};

/// The places of an array's values, without any step.
arrays::PlacedArray placedOf(const VtkArray& array);

/// The faces of polyhedra as VTK has written them since 9.4. Lists of one component along i; cells of other types have no faces.
struct VtkPolyhedra {
  VtkArray cellEnds, cellFaces;   ///< ends of all cells in the numbers of their faces, and these
  VtkArray faceEnds, facePoints;  ///< ends of the faces in their points, and these
};

/// Cells of an unstructured grid, or of a piece of it. Lists of one component along i.
struct VtkCells {
  std::int64_t count = 0, points = 0;
  std::int64_t pointsBefore = 0;  ///< in pieces before this one
  VtkArray types, connectivity;
  /// Ends of the cells in `connectivity`; without them each cell there begins with its number of points.
  std::optional<VtkArray> offsets;
  bool offsetsFromZero = false;      ///< the first one's beginning comes before the ends
  bool facesInConnectivity = false;  ///< polyhedra have their faces in `connectivity`, not their points
  std::optional<VtkArray> faces, faceOffsets;  ///< of polyhedra
  std::optional<VtkPolyhedra> polyhedra;       ///< where there are no `faces`
  std::optional<VtkArray> ghosts;              ///< kGhostName: cells with kLeftOutCells in it are left out
};

/// The list of types of `count` cells that all have VTK's type `type`.
VtkArray sameTypes(std::uint8_t type, std::int64_t count);

/// Cells of polygonal data, in the order in which their values are stored: the word for them in XML and in legacy files, and the
/// type that cells with any number of points have.
struct SurfaceCells {
  const char *element, *key;
  std::uint8_t type;
};
constexpr SurfaceCells kSurfaceCells[] = {{"Verts", "vertices", 2},
                                          {"Lines", "lines", 4},
                                          {"Polys", "polygons", 7},
                                          {"Strips", "triangle_strips", 6}};

/// Values of this name say what cells (and points) are not a piece's own: they are no variable.
constexpr const char* kGhostName = "vtkGhostType";
/// Bits of them: another piece has the cell, a finer level has it, it is hidden.
constexpr std::int64_t kLeftOutCells = 1 | 8 | 32;

struct VtkGrid {
  VtkKind kind = VtkKind::Image;
  Index3 nodes{1, 1, 1};  ///< of an unstructured grid {points, 1, 1}
  Vec3 origin;            ///< of the first node
  std::array<Vec3, 3> directions{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  std::array<std::optional<VtkArray>, 3> axes;  ///< of a rectilinear grid: one value per node of the axis
  std::optional<VtkArray> points;               ///< of a structured one: three components
  std::vector<VtkArray> arrays;
  std::optional<VtkArray> hiddenPoints, hiddenCells;  ///< kGhostName, but of unstructured grids
  std::vector<VtkCells> lists;                        ///< of an unstructured grid, in the order of its cells
  std::int64_t listed = 0;                            ///< their cells
  std::optional<double> time;
  std::vector<std::string> notes;  ///< what was found and left out, for people
  /// Memory of what is said here, where many files are read; null: not counted.
  std::shared_ptr<const std::vector<MemoryClaim>> memory = nullptr;

  Index3 cells() const {
    if (kind == VtkKind::Unstructured) return {listed, 1, 1};
    Index3 counts;
    for (std::size_t a = 0; a < 3; ++a) counts[a] = nodes[a] > 1 ? nodes[a] - 1 : 1;
    return counts;
  }
};

/// Adds values to a grid. Throws Unsupported where it has very many already: each is held against all others, and no program shows so many.
void addArray(VtkGrid& grid, VtkArray array);

/// Gives the lists of cells from number `firstList` on their parts of `ghosts`, which has a number for each of their cells in a row.
/// Throws Corrupt if it has too few.
void markGhosts(VtkGrid& grid, std::size_t firstList, const VtkArray& ghosts);

struct VtkData {
  paging::DatasetDescription description;
  std::vector<arrays::ArrayPlace> places;
  std::vector<std::string> explain;
  std::vector<MemoryClaim> claims;                   ///< to be held as long as the description
  std::optional<fields::ReadingChoice> choice = {};  ///< of `on`
};

/// Names of the options of datasetOf(): `on` ("nodes" or "cells": whose values; default: those of nodes, if
/// there are any), `origin`, `spacing` (of images), `vectors`.
const std::vector<std::string>& gridOptions();

/// From grids that are alike, one per step. Values of cells become a block of more nodes
/// (arrays/cell_nodes.h). Memory for the axes of rectilinear ones is claimed from `account`. Throws Invalid, Corrupt,
/// Unsupported, OverBudget.
VtkData datasetOf(std::vector<VtkGrid> grids, const std::vector<std::string>& files,
                  const arrays::Options& options, MemoryAccount& account);

/// Whether `pieces` hold every node of `dims`. Throws Unsupported if there are too many to tell.
bool covers(const std::vector<arrays::Piece>& pieces, const Index3& dims);

}  // namespace farfield::vtkfile
