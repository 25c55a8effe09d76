#include "core/extract/integrate_surfaces.h"

#include <algorithm>
#include <optional>
#include <string>

namespace farfield::extract {
namespace {

constexpr std::uint64_t kFewestRows = 16, kMostRows = 8192;
constexpr std::uint64_t kPartOfBudget = 64;

}  // namespace

std::uint64_t rowMemory(const SurfaceIntegrator& integrator, std::uint64_t budgetBytes) {
  const std::uint64_t rowBytes = sizeof(double) * integrator.sumCount();
  return rowBytes * std::clamp(budgetBytes / kPartOfBudget / rowBytes, kFewestRows, kMostRows);
}

std::vector<SurfaceIntegral> integrateSurfaces(std::span<const OrientedSurface> surfaces,
                                               const SurfaceIntegrator& integrator, fields::PagedData& data,
                                               const SurfaceJob& job) {
  std::vector<std::size_t> firstPatch{0};
  for (const OrientedSurface& surface : surfaces)
    firstPatch.push_back(firstPatch.back() + surface.surface.patchCount());
  const std::size_t total = firstPatch.back();
  const auto surfaceOf = [&](std::size_t patch) {
    return static_cast<std::size_t>(std::upper_bound(firstPatch.begin(), firstPatch.end(), patch) -
                                    firstPatch.begin() - 1);
  };

  const std::size_t rowLength = integrator.sumCount();
  const auto atATime =
      static_cast<std::size_t>(std::max<std::uint64_t>(1, job.rows.bytes() / (sizeof(double) * rowLength)));
  std::vector<double> rows(std::min(atATime, total) * rowLength);
  std::vector<SurfaceIntegral> results;
  std::optional<IntegralSum> sum(integrator);
  const auto scheduler = data.makeScheduler();
  for (std::size_t first = 0; first < total; first += atATime) {
    const auto rowOf = [&](std::size_t patch) {
      return std::span(rows).subspan((patch - first) * rowLength, rowLength);
    };
    tasks::TaskGroup group;
    group.name = "integrals";
    group.count = std::min(atATime, total - first);
    group.admission = &data.admission();
    group.describe = [&](std::size_t n) {
      const std::size_t at = surfaceOf(first + n);
      return "surface " + std::to_string(at) + ", patch " + std::to_string(first + n - firstPatch[at]);
    };
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      const std::size_t at = surfaceOf(first + n);
      integrator.integrate(surfaces[at].surface, first + n - firstPatch[at], data, context, job.step,
                           rowOf(first + n));
    };
    if (job.progress)
      group.progress = [&](std::size_t done, std::size_t) { job.progress(first + done, total); };
    scheduler->run(group, job.stop);
    for (std::size_t patch = first; patch < first + group.count; ++patch) {
      sum->add(rowOf(patch));
      const std::size_t at = surfaceOf(patch);
      if (patch + 1 < firstPatch[at + 1]) continue;
      results.push_back(sum->result(surfaces[at].towardsLower));
      sum.emplace(integrator);
    }
  }
  return results;
}

}  // namespace farfield::extract
