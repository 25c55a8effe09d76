#include "plugins/vtkfile/same_grid.h"

#include <algorithm>
#include <optional>

#include "plugins/vtkfile/number_list.h"

namespace farfield::vtkfile {
namespace {

/// Whether their numbers are the same bytes.
bool samePlaces(const VtkArray& a, const VtkArray& b) {
  return a.type == b.type && a.bigEndian == b.bigEndian && a.components == b.components &&
         std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(),
                    [](const arrays::Piece& its, const arrays::Piece& other) {
                      return its.nodes == other.nodes && its.bytes == other.bytes &&
                             its.offset == other.offset && its.strides == other.strides &&
                             its.componentStride == other.componentStride;
                    });
}

bool sameNumbers(const VtkArray& a, const VtkArray& b) {
  if (samePlaces(a, b)) return true;
  NumberList first(a), second(b);
  if (first.size() != second.size()) return false;
  for (std::int64_t at = 0; at < first.size(); at += kAtATime) {
    const std::int64_t count = std::min(kAtATime, first.size() - at);
    const auto its = first.read(at, count), others = second.read(at, count);
    if (!std::equal(its.begin(), its.end(), others.begin())) return false;
  }
  return true;
}

bool sameNumbers(const std::optional<VtkArray>& a, const std::optional<VtkArray>& b) {
  return a.has_value() == b.has_value() && (!a || sameNumbers(*a, *b));
}

bool samePolyhedra(const std::optional<VtkPolyhedra>& a, const std::optional<VtkPolyhedra>& b) {
  return a.has_value() == b.has_value() &&
         (!a || (sameNumbers(a->cellEnds, b->cellEnds) && sameNumbers(a->cellFaces, b->cellFaces) &&
                 sameNumbers(a->faceEnds, b->faceEnds) && sameNumbers(a->facePoints, b->facePoints)));
}

}  // namespace

bool sameCells(const VtkGrid& a, const VtkGrid& b) {
  return a.nodes == b.nodes && a.cells() == b.cells() &&
         std::equal(a.lists.begin(), a.lists.end(), b.lists.begin(), b.lists.end(),
                    [](const VtkCells& its, const VtkCells& other) {
                      return its.count == other.count && its.points == other.points &&
                             its.pointsBefore == other.pointsBefore &&
                             its.offsetsFromZero == other.offsetsFromZero &&
                             sameNumbers(its.types, other.types) &&
                             sameNumbers(its.connectivity, other.connectivity) &&
                             sameNumbers(its.offsets, other.offsets) && sameNumbers(its.faces, other.faces) &&
                             sameNumbers(its.faceOffsets, other.faceOffsets) &&
                             samePolyhedra(its.polyhedra, other.polyhedra) &&
                             sameNumbers(its.ghosts, other.ghosts);
                    });
}

bool samePoints(const VtkGrid& a, const VtkGrid& b) {
  if (samePlaces(*a.points, *b.points)) return true;
  const arrays::PlacedArray first = placed(*a.points), second = placed(*b.points);
  arrays::checkPlaces(second, 1);
  std::vector<double> its, others;
  for (std::int64_t at = 0; at < a.nodes[0]; at += kAtATime) {
    its.resize(static_cast<std::size_t>(3 * std::min(kAtATime, a.nodes[0] - at)));
    others.resize(its.size());
    readPointsOf(first, 0, at, its);
    readPointsOf(second, 0, at, others);
    if (its != others) return false;
  }
  return true;
}

}  // namespace farfield::vtkfile
