#pragma once
// One gathered patch of a surface of faces, and how it is made into triangles with normals and function
// values. The faces may come from a sheet of a structured block (grid_surface.h) or any other set. Private to
// the folder.

#include <array>
#include <cstdint>
#include <vector>

#include "core/extract/grid_surface.h"

namespace farfield::extract::detail {

/// Faces of four corners. Besides those shown it has the faces around them, whose areas count for the normals
/// of shared nodes, so that patches that share a node agree on its normal.
struct FacePatch {
  struct Face {
    std::array<std::uint32_t, 4> corners;  ///< nodes; counter-clockwise seen from the normals' side
    bool shown;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::vector<double> xyz;              ///< 3 per node
  std::vector<double> iblank;           ///< 1 per node; faces at a node with 0 are left out
  std::vector<std::uint32_t> valuesOf;  ///< index of each node in `values`, or kNone
  std::vector<double> values;           ///< functions at the nodes of shown faces
  std::vector<Face> faces;              ///< in the same order for all patches of a surface
  bool seenFromBehind = false;          ///< as SurfacePatch has it
  bool isBorder = false;                ///< the same

  Vec3 point(std::size_t n) const { return {xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2]}; }
};

/// Memory for a patch of so many nodes and faces, and for drawPatch().
std::uint64_t facePatchBytes(std::uint64_t nodes, std::uint64_t faces, int outputs);

/// Passes the triangles of the shown faces to `sink` as patch `number`. Each node has `outputs` values.
void drawPatch(const FacePatch& patch, std::size_t outputs, std::size_t number, SurfaceSink& sink);

}  // namespace farfield::extract::detail
