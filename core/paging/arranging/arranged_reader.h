#pragma once
// An unstructured grid and its values in the arranged order, as arrays that are read by ranges: for paging in place, and for
// conversion.

#include <memory>
#include <vector>

#include "core/paging/arranging/arranged_mesh.h"
#include "core/paging/arranging/cells_around.h"
#include "core/paging/arranging/mesh_input.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::paging {

class ArrangedReader final : public BoxReader {
 public:
  /// `times`: one per step. Names of variables are usable and unique. `mesh` was arranged from `input`. With `around`, of that mesh, values
  /// of cells are values of nodes, the means of the cells around.
  ArrangedReader(std::shared_ptr<const MeshInput> input, ArrangedMesh mesh, const std::string& format,
                 std::vector<double> times, std::shared_ptr<const CellsAround> around = nullptr);

  const DatasetDescription& description() const override { return m_description; }
  DatasetDescription& changeDescription() { return m_description; }
  /// Values of a range are read from the file by runs of neighbours there.
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override;
  void checkUnchanged() const override { m_input->checkUnchanged(); }
  const ArrangedMesh& mesh() const { return m_mesh; }

 private:
  static constexpr int kNone = -1, kPoints = -2;
  struct Part {
    std::uint64_t at = 0;         ///< in the arranged file
    int variable = kNone;         ///< or of the input, or kPoints
    std::uint64_t stepBytes = 0;  ///< in the arranged file, from a step to the next
    bool areMeans = false;        ///< at nodes, of the variable's values of cells
  };
  void add(ArrayDescription array, std::int64_t items, Part part);
  /// Items that stand at `source` in the grid's file, in this order, of `each` bytes, from runs of neighbours that readRun(first, out) reads.
  template <class ReadRun>
  static void readByRuns(std::span<const std::int32_t> source, std::size_t each, std::span<std::byte> out,
                         const ReadRun& readRun);
  /// Items `first` … in the arranged order.
  template <class ReadRun>
  void readInOrder(const ArrayDescription& array, std::int64_t first, std::span<std::byte> out,
                   const ReadRun& readRun) const;
  void readPoints(std::int64_t step, std::int64_t first, std::span<std::byte> out) const;

  std::shared_ptr<const MeshInput> m_input;
  ArrangedMesh m_mesh;
  std::shared_ptr<const CellsAround> m_around;
  DatasetDescription m_description;
  std::vector<Part> m_parts;
};

}  // namespace farfield::paging
