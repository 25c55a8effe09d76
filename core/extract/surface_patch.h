#pragma once
// One patch of a surface of faces as it was gathered, and how it is made into triangles with normals and
// function values. It does not say where the faces come from: a sheet of a structured block (grid_surface.h),
// or any other set of faces. Private to the folder.

#include <array>
#include <cstdint>
#include <vector>

#include "core/extract/grid_surface.h"

namespace farfield::extract::detail {

/// Faces of four corners. Beside those that are shown there are the ones around them, whose areas count for
/// the normals of the nodes that they share: so patches that share a node agree on it.
struct FacePatch {
  struct Face {
    std::array<std::uint32_t, 4> corners;  ///< nodes; seen from the normals' side they turn left
    bool shown;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::vector<double> xyz;              ///< 3 per node
  std::vector<double> iblank;           ///< 1 per node; faces at a node of 0 are left out
  std::vector<std::uint32_t> valuesOf;  ///< of each node its place in `values`, or kNone
  std::vector<double> values;           ///< functions of the nodes of shown faces
  std::vector<Face> faces;              ///< in one order for all patches of a surface

  Vec3 point(std::size_t n) const { return {xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2]}; }
};

/// Memory for a patch of so many nodes and faces, and for what drawPatch() makes of it.
std::uint64_t facePatchBytes(std::uint64_t nodes, std::uint64_t faces, int outputs);

/// Hands the triangles of the shown faces to `sink` as patch `number`. `outputs` values belong to a node.
void drawPatch(const FacePatch& patch, std::size_t outputs, std::size_t number, SurfaceSink& sink);

}  // namespace farfield::extract::detail
