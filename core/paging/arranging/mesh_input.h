#pragma once
// An unstructured grid as a file has it: nodes and cells in the file's order, and their values. This is all
// that a format implements; MeshArranger puts cells and nodes in an order that pages serve well, and
// ArrangedReader delivers everything in that order.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/scalar_type.h"
#include "core/paging/pages/unstructured_cells.h"

namespace farfield::paging {

struct MeshVariable {
  std::string name;
  int components = 1;
  ScalarType type = ScalarType::F64;
  bool onCells = false;
  std::int64_t steps = 1;  ///< 1 where static; otherwise as many as the data have
  std::vector<std::string> componentNames = {};
};

/// Faces with a name: a side set.
struct MeshSurface {
  std::string name, kind, from;
};

/// A face of a surface: its cell and its nodes, by their numbers in the file; of a triangle the last node twice. Of a cell that comes
/// as several of one number `part` says which of them it is, counted from 0; it is also found where that is not known.
struct MeshFace {
  std::int64_t cell;
  std::array<std::int32_t, 4> nodes;
  std::int32_t part = 0;
};

/// Thread-safe, once it is made.
class MeshInput {
 public:
  virtual ~MeshInput() = default;

  virtual std::int64_t nodes() const = 0;
  /// Of a layer (flat_mesh.h) the first node of its upper side, whose faces alone are its border; nodes() of any other grid.
  virtual std::int64_t firstUpperNode() const { return nodes(); }
  virtual ScalarType pointType() const = 0;
  /// 1 where points stay where they are; otherwise as many as the data have steps. Cells are the same at all.
  virtual std::int64_t pointSteps() const { return 1; }
  /// x, y, z of nodes `first` … at step `step` of pointSteps(); `out` has 3 numbers for each. Waits. Throws Io, Corrupt.
  virtual void readPoints(std::int64_t step, std::int64_t first, std::span<double> out) const = 0;

  /// Cells with a volume, in the file's order: the number of each in the file, and its corners. A polyhedron may
  /// come as several cells of one number.
  using VisitCell = std::function<void(std::int64_t number, const CellNodes& nodes)>;
  virtual void forEachCell(const VisitCell& visit) const = 0;
  /// False if no cell has a volume; then forEachCell() visits nothing, and the grid is shown by its flat cells (flat_mesh.h).
  virtual bool hasVolumes() const { return true; }
  /// Triangles and quadrilaterals of a grid without volumes: the number of each in the file, and its corners around it; of a
  /// triangle the last twice. A polygon may come as several of one number.
  using VisitFlatCell = std::function<void(std::int64_t number, const std::array<std::int32_t, 4>& corners)>;
  virtual void forEachFlatCell(const VisitFlatCell& /*visit*/) const {}

  virtual const std::vector<MeshVariable>& variables() const = 0;
  /// Values of nodes or cells `first` … by their numbers in the file: native, components fastest; `out` has
  /// whole ones. Waits. Throws Io, Corrupt.
  virtual void readVariable(std::size_t variable, std::int64_t step, std::int64_t first,
                            std::span<std::byte> out) const = 0;
  virtual const std::vector<MeshSurface>& surfaces() const {
    static const std::vector<MeshSurface> kNone;
    return kNone;
  }
  /// The faces of surface number `surface`, in the file's order. Their numbers may be wrong. Waits. Throws Io,
  /// Corrupt, and what `visit` throws.
  using VisitFace = std::function<void(const MeshFace& face)>;
  virtual void forEachFace(std::size_t /*surface*/, const VisitFace& /*visit*/) const {}
  /// Throws Corrupt, naming the file, if it has changed since it was opened.
  virtual void checkUnchanged() const {}
};

}  // namespace farfield::paging
