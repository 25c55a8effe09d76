#pragma once
// Which cells of its file are around each node of an arranged grid, in a file of its own, and values of cells taken to the nodes by it:
// each node has the mean of the cells around it. So what a file has on cells alone is continuous, and has isosurfaces.

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>

#include "core/base/file.h"
#include "core/base/memory_account.h"
#include "core/paging/arranging/arranged_mesh.h"
#include "core/paging/arranging/mesh_input.h"

namespace farfield::paging {

/// Whether a grid has values of cells.
bool hasValuesOfCells(const MeshInput& input);

/// The type of means of values of type `type`: Float32 of single precision and of short whole numbers, otherwise Float64.
ScalarType typeOfMeans(ScalarType type);

/// Thread-safe, once it is made.
class CellsAround {
 public:
  /// Reads the cells of `mesh` once and sorts their corners, with up to half of what is free of `account`; the file, about 8 bytes a node
  /// and 4 for each corner of a cell, and temporary ones are in `folder`. Throws OverBudget, Io, Cancelled.
  CellsAround(const ArrangedMesh& mesh, MemoryAccount& account, const std::filesystem::path& folder,
              const std::stop_token& stop);

  /// Values of the cells of the grid's file with these numbers, whichever and in this order.
  using ReadCells = std::function<void(std::span<const std::int32_t> cells, std::span<std::byte> out)>;
  /// Means of nodes `first` … in the arranged order, of `components` numbers of type `type` that `readCells` reads; `out` has whole ones,
  /// of typeOfMeans(). A cell that was cut into several counts once, one whose number is NaN not at all, and a node without another is NaN.
  /// Sums are of cells in the file's order, so they do not depend on how many nodes are asked for at once. Throws Io and what `readCells`
  /// throws.
  void readMeans(std::int64_t first, int components, ScalarType type, const ReadCells& readCells,
                 std::span<std::byte> out) const;

 private:
  /// Of nodes few enough for memory.
  void readSome(std::int64_t first, std::int64_t count, int components, ScalarType type,
                const ReadCells& readCells, std::byte* out) const;

  std::uint64_t m_cellsAt =
      0;  ///< int32, those of a node ascending; before them, int64, where each node's begin, and the end
  std::shared_ptr<const File> m_file;
};

}  // namespace farfield::paging
