#pragma once
// Integrals over many surfaces and slices as one job: the patches of all of them are tasks of groups of
// bounded size, whose rows of sums are added in the order of the patches before the next group starts. So
// memory does not grow with the surfaces, and the result does not depend on how many patches are computed at
// a time.

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <variant>
#include <vector>

#include "core/base/memory_account.h"
#include "core/extract/slice.h"
#include "core/extract/surface_integral.h"

namespace farfield::extract {

struct OrientedSurface {
  GridSurface surface;
  /// Direction of the normals: to the side where the index along the fixed axis falls, or grows.
  bool towardsLower = false;
};

/// With the plane's normals, or the opposite ones.
struct OrientedSlice {
  Slice slice;
  bool flipped = false;
};

using IntegralSurface = std::variant<OrientedSurface, OrientedSlice>;

/// Memory of one task of integrateSurfaces().
std::uint64_t integralTaskBytes(const SurfaceIntegrator& integrator,
                                std::span<const IntegralSurface> surfaces);

struct SurfaceJob {
  /// Memory for rows of patches, from rowMemory().
  MemoryClaim rows;
  std::int64_t step = 0;
  std::stop_token stop = {};
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

/// Bytes to claim for SurfaceJob::rows with a budget of `budgetBytes`: enough for a group of patches that
/// keeps processors busy, if that is a small part of the budget; at least enough for a few.
std::uint64_t rowMemory(const SurfaceIntegrator& integrator, std::uint64_t budgetBytes);

/// The integrals over each of `surfaces`, in order, with their normals. `data` must have been planned with
/// the integrator's arrays and integralTaskBytes(). Throws what gathering throws, Cancelled.
std::vector<SurfaceIntegral> integrateSurfaces(std::span<const IntegralSurface> surfaces,
                                               const SurfaceIntegrator& integrator, fields::PagedData& data,
                                               const SurfaceJob& job);

}  // namespace farfield::extract
