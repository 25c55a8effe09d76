#pragma once
// Isolines: where a function has given values on a surface of triangles, as polylines. The point on an edge of a
// triangle is interpolated linearly between the function's values at its ends, from the lower end to the higher
// one. Two patches that share an edge have equal points and values at its ends, so they get exactly the same
// point: lines that end at the border of a patch go on in the next one with an equal vertex.
//
// A node that has exactly the value counts as above it, as for isosurfaces. If the function has the value in
// whole triangles, the line is their border with lower values; along a ridge of exactly the value it goes there
// and back. Triangles with a value that is not finite are left out. Larger values lie to the left of a line,
// seen from the side of the surface's normals.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/extract/grid_surface.h"
#include "core/extract/pair_numbers.h"

namespace farfield::extract {

class IsolineSink {
 public:
  /// Begins a line where the function has `value`, of so many vertices, at least two. If it is closed, the last
  /// one equals the first.
  virtual void line(double value, std::size_t vertices) = 0;
  /// Its next vertex: a point, then the values of a node, then the normal of the surface, to the side from which it is seen, of unit
  /// length or shorter. Valid during the call.
  virtual void vertex(std::span<const double> vertex) = 0;

 protected:
  ~IsolineSink() = default;
};

/// Cuts one patch after the other; belongs to one task.
class IsolineCutter {
 public:
  /// Of nodes with `valuesPerNode` values, of which the first is the function. `values` in ascending order
  /// without duplicates; they outlive it.
  IsolineCutter(std::span<const double> values, int valuesPerNode);
  static std::uint64_t bytesFor(int valuesPerNode);

  /// Passes the lines of `patch` to `sink`, value by value; their order follows from the patch alone.
  void cut(const SurfacePatch& patch, IsolineSink& sink);

 private:
  using Number = std::uint16_t;
  /// At a time. A smooth function has fewer in a patch; where there are more, its lines are cut into pieces.
  static constexpr std::size_t kMostSegments = 256, kMostCrossings = 2 * kMostSegments;
  static constexpr Number kNone = 0xffff;
  /// From one crossing to another.
  struct Segment {
    Number from = kNone, to = kNone;
    Number nextFrom = kNone;  ///< the next segment that begins at the same crossing
    bool used = false;
  };
  /// A point where the surface's edges are crossed: between two nodes, or at the second, if it has the value.
  struct Crossing {
    Number below, above;
    Number first = kNone;   ///< segment that begins here and is not used yet
    std::int16_t more = 0;  ///< segments that begin here, less those that end here
  };

  std::size_t findSegments(const SurfacePatch& patch, double value, std::size_t triangle);
  Number crossing(bool onNode, std::uint32_t below, std::uint32_t above);
  void follow(Number segment, const SurfacePatch& patch, double value, IsolineSink& sink);
  void pass(const Crossing& crossing, const SurfacePatch& patch, double value, IsolineSink& sink);

  std::span<const double> m_values;
  std::size_t m_width;  ///< numbers of a vertex without a normal
  std::vector<Segment> m_segments;
  std::vector<Crossing> m_crossings;
  std::vector<Number> m_line;  ///< the crossings of a line
  std::vector<double> m_vertex;
  detail::PairNumbers<10> m_numberOf;  ///< of a crossing, by its edge, or by its node (as a pair with itself)
};

}  // namespace farfield::extract
