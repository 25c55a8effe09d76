#pragma once
// Pairs the faces of cells that come in the order of a space-filling curve: a face waits until the cell on its
// other side comes. Few wait at a time, because neighbours in space are near on the curve; those that are left
// at the end are the border.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/pages/unstructured_cells.h"

namespace farfield::paging {

/// A face of a cell.
struct CellFace {
  std::int32_t cell = -1;
  std::int32_t face = 0;
  bool operator<(const CellFace& other) const {
    return cell != other.cell ? cell < other.cell : face < other.face;
  }
};

/// The nodes of a face in ascending order, the last -1 for a triangle.
using FaceNodes = std::array<std::int32_t, 4>;
/// Of `nodes`, of which two neighbours may be equal; nothing if fewer than three differ.
bool sortFace(FaceNodes& nodes);
/// The corners of a cell's face, around it.
FaceNodes faceOf(const CellNodes& cell, std::size_t face);

/// Faces that none came to meet.
struct Border {
  std::vector<CellFace> faces;  ///< ascending
  MemoryClaim claim;            ///< of them
};

/// Faces that wait lie in one row, each at the first free place behind that which follows from its nodes: looking one up is one place in
/// memory, in most cases. Not thread-safe.
class FaceTable {
 public:
  /// Memory is claimed from `account` as it grows. Throws OverBudget.
  explicit FaceTable(MemoryAccount& account);
  /// The other cell's face, if it has come; both are then forgotten. Otherwise the face waits. A third cell at a
  /// face counts as a new face.
  CellFace meet(const FaceNodes& sorted, CellFace face);
  /// Those that wait, ascending; no more come afterwards, and the memory of the table is given back. Throws OverBudget.
  Border takeRest();

 private:
  struct Waiting {
    FaceNodes nodes{};
    CellFace face;  ///< without a cell the place is free
  };
  std::size_t homeOf(const FaceNodes& nodes) const;
  /// The place of a face with these nodes, or the free one where it would wait.
  std::size_t find(const FaceNodes& nodes) const;
  /// Frees a place, and moves up what stands behind it for want of it.
  void erase(std::size_t place);
  void makeRoom();

  MemoryAccount& m_account;
  MemoryClaim m_claim;
  std::vector<Waiting> m_places;  ///< a power of two
  std::size_t m_count = 0;        ///< that wait; up to three quarters of them
};

}  // namespace farfield::paging
