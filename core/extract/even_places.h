#pragma once
// Places at even distances on a surface of triangles: where the lines of a square lattice pass through it. A triangle takes the
// lattice that lies most nearly flat on it, of three at right angles to each other; a surface that lies in a plane takes one
// lattice of that plane. A line of the lattice passes through exactly one of two triangles that share an edge, also if they
// belong to different patches, because its side of an edge is computed from equal numbers in the same order. So the
// places depend on the surface alone, not on how it is cut into patches.
//
// Where axes are seen stretched the lattice is laid over the stretched surface, so that places are even as they are seen.
//
// On a surface that is not flat distances are between the spacing and sqrt(2) of it along the slope, and smaller where
// triangles of different lattices meet.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/extract/grid_surface.h"

namespace farfield::extract {

class PlaceSink {
 public:
  /// `normal` has unit length. Valid during the call.
  virtual void place(Vec3 point, Vec3 normal, std::span<const double> values) = 0;

 protected:
  ~PlaceSink() = default;
};

/// Belongs to one task.
class EvenPlaces {
 public:
  /// `spacing` above 0, in the data's length unit, `stretch` times as long along x, y and z. `normal`: of a surface that lies in a
  /// plane, in the data.
  EvenPlaces(double spacing, int valuesPerNode, const std::optional<Vec3>& normal = {},
             Vec3 stretch = {1, 1, 1});

  /// Passes the places in `patch` to `sink`, triangle by triangle; values are linear in a triangle. Throws Invalid for
  /// triangles that are very many times larger than the spacing, and what the sink throws.
  void find(const SurfacePatch& patch, PlaceSink& sink);

 private:
  void findIn(const std::array<std::uint32_t, 3>& nodes, const SurfacePatch& patch, PlaceSink& sink);

  double m_spacing;
  Vec3 m_stretch;
  std::size_t m_valueCount;
  std::array<Vec3, 3> m_axes;  ///< of the lattices, at right angles, of unit length, where all is stretched
  bool m_flat;                 ///< only the lattice across the last of them
  std::vector<double> m_values;
};

}  // namespace farfield::extract
