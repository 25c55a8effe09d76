#pragma once
// Integrals over surfaces: area, integrals and means of scalar functions, flows of vectors through the
// surface, and integrals of scalars times the normal, such as the force of a pressure. Computed patch by
// patch, as surfaces are drawn (grid_surface.h), and summed in the order of the patches, so that the result
// does not depend on which task computed a patch, nor on how the data are paged.
//
// Quadrature. A face of the grid is the bilinear surface through its four nodes, and a function on it is
// bilinear between the values at the nodes:
//     r(s, t) = (1-s)(1-t) a + s (1-t) b + s t c + (1-s) t d,    n dA = (r_s x r_t) ds dt,
// the isoparametric quadrilateral of finite elements. Each face is integrated by the product of two-point
// Gauss rules, points (1 -+ 1/sqrt 3)/2 along s and t, weights 1/4 (Abramowitz and Stegun, Handbook of
// Mathematical Functions, 25.4.30 with n = 2). r_s x r_t is bilinear in s and t and so is the function: their
// product is of degree two in each, which the rule integrates exactly. So the flow of a vector and the force
// of a pressure are exact for the field that the nodes define, the vector area of a closed surface is 0 up to
// rounding, and the error is that of interpolating: second order in the cell's size. The area itself,
// the integral of |r_s x r_t|, is exact for flat parallelograms and of fourth order else; a curved surface
// is approximated by its faces to second order.
//
// Triangles, of which slices are made, are flat, and functions are linear on them: f dA is the area times the
// mean of the three corners, exactly.
//
// A face is left out if one of its nodes is blanked (iblank 0) or not finite, as in drawn surfaces. If a
// function has no value at one of the nodes, the face is left out of that function's integrals, and counted.

#include <cstdint>
#include <span>
#include <vector>

#include "core/extract/compensated_sum.h"
#include "core/extract/grid_surface.h"

namespace farfield::extract {

/// Integrals of one function f of a plan.
struct FunctionIntegral {
  std::vector<double> integral;  ///< of f dA, for each component
  /// For a scalar: f n dA (3 numbers). For a vector of three: f . n dA (1). Else empty.
  std::vector<double> through;
  double area = 0;                 ///< of the faces that have values
  std::int64_t cellsWithout = 0;   ///< faces counted in SurfaceIntegral::cells without a value
  double least = 0, greatest = 0;  ///< at the nodes; for a vector, of its length; meaningless if area is 0
};

struct SurfaceIntegral {
  std::int64_t cells = 0, cellsLeftOut = 0;  ///< faces, or triangles
  double area = 0;
  Vec3 vectorArea;  ///< of n dA
  std::vector<FunctionIntegral> functions;
};

/// The sum over several surfaces, in order; at least one, all with the same functions.
SurfaceIntegral sumOf(std::span<const SurfaceIntegral> parts);

/// Computes the sums of one patch as a row of numbers. Immutable; shared by tasks.
class SurfaceIntegrator {
 public:
  /// `functions` outlives it.
  explicit SurfaceIntegrator(const fields::FunctionPlan& functions);
  const fields::FunctionPlan& functions() const { return m_functions; }
  /// Length of a patch's row.
  std::size_t sumCount() const { return m_sumCount; }
  /// Memory of one task.
  std::uint64_t taskBytes() const;
  /// One task's work: the sums of patch `number` of `surface`, with normals along u x v, into `sums`, which
  /// has sumCount() numbers. Throws what gathering throws.
  void integrate(const GridSurface& surface, std::size_t number, fields::PagedData& data,
                 tasks::TaskContext& context, std::int64_t step, std::span<double> sums) const;
  /// Sets `sums` to the row of an empty patch.
  void clear(std::span<double> sums) const;
  /// Adds the triangles of a patch, with the values of functions(), to `sums`.
  void addTriangles(const SurfacePatch& patch, std::span<double> sums) const;

 private:
  friend class IntegralSum;
  /// Index of a function's numbers in a row: integrals of its components, flows through the surface,
  /// then these.
  struct Place {
    int output, components, through;
    std::size_t first;
    std::size_t area() const { return first + static_cast<std::size_t>(components + through); }
    std::size_t without() const { return area() + 1; }
    std::size_t least() const { return area() + 2; }
    std::size_t greatest() const { return area() + 3; }
  };
  struct PatchValues;
  template <class Value>
  static void addRange(const Place& place, std::span<double> row, int corners, const Value& value);
  void addFace(const PatchValues& patch, const std::size_t (&corners)[4], std::span<CompensatedSum> sums,
               std::span<double> row) const;

  const fields::FunctionPlan& m_functions;
  std::vector<Place> m_places;
  std::size_t m_sumCount = 0;
};

/// Adds the rows of a surface's patches, in the order given.
class IntegralSum {
 public:
  /// `integrator` outlives it.
  explicit IntegralSum(const SurfaceIntegrator& integrator);
  void add(std::span<const double> row);
  /// With normals to the side where the index along the fixed axis grows, or, with `towardsLower`, falls. The
  /// side is geometric: in a left-handed block, where u x v points the other way, the signs are changed.
  SurfaceIntegral result(bool towardsLower) const;

 private:
  const SurfaceIntegrator& m_integrator;
  std::vector<CompensatedSum> m_sums;
  std::vector<double> m_least, m_greatest;  ///< of each function
};

}  // namespace farfield::extract
