#include "core/extract/integrate_surfaces.h"

#include <algorithm>
#include <optional>
#include <string>

namespace farfield::extract {
namespace {

constexpr std::uint64_t kFewestRows = 16, kMostRows = 8192;
constexpr std::uint64_t kPartOfBudget = 64;

/// Adds the patches of a slice to a row of sums.
class RowSink final : public SurfaceSink {
 public:
  RowSink(const SurfaceIntegrator& integrator, std::span<double> row)
      : m_integrator(integrator), m_row(row) {}
  void patch(std::size_t, const SurfacePatch& patch) override { m_integrator.addTriangles(patch, m_row); }

 private:
  const SurfaceIntegrator& m_integrator;
  std::span<double> m_row;
};

std::size_t partsOf(const IntegralSurface& surface) {
  if (const auto* const slice = std::get_if<OrientedSlice>(&surface)) return slice->slice.taskCount();
  return std::get<OrientedSurface>(surface).surface.patchCount();
}

bool isTurned(const IntegralSurface& surface) {
  if (const auto* const slice = std::get_if<OrientedSlice>(&surface)) return slice->flipped;
  return std::get<OrientedSurface>(surface).towardsLower;
}

}  // namespace

std::uint64_t integralTaskBytes(const SurfaceIntegrator& integrator,
                                std::span<const IntegralSurface> surfaces) {
  std::uint64_t bytes = integrator.taskBytes();
  for (const IntegralSurface& surface : surfaces)
    if (std::holds_alternative<OrientedSlice>(surface))
      bytes = std::max(
          bytes, sliceTaskBytes(integrator.functions()) + sizeof(CompensatedSum) * integrator.sumCount());
  return bytes;
}

std::uint64_t rowMemory(const SurfaceIntegrator& integrator, std::uint64_t budgetBytes) {
  const std::uint64_t rowBytes = sizeof(double) * integrator.sumCount();
  return rowBytes * std::clamp(budgetBytes / kPartOfBudget / rowBytes, kFewestRows, kMostRows);
}

std::vector<SurfaceIntegral> integrateSurfaces(std::span<const IntegralSurface> surfaces,
                                               const SurfaceIntegrator& integrator, fields::PagedData& data,
                                               const SurfaceJob& job) {
  std::vector<std::size_t> firstPatch{0};
  for (const IntegralSurface& surface : surfaces) firstPatch.push_back(firstPatch.back() + partsOf(surface));
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
    if (surfaces.size() > 1)
      group.describe = [&](std::size_t n) { return "surface " + std::to_string(surfaceOf(first + n)); };
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      const std::size_t at = surfaceOf(first + n);
      const std::size_t part = first + n - firstPatch[at];
      const std::span<double> row = rowOf(first + n);
      if (const auto* const slice = std::get_if<OrientedSlice>(&surfaces[at])) {
        integrator.clear(row);
        RowSink sink(integrator, row);
        slice->slice.extract(part, data, context, integrator.functions(), job.step, sink);
      } else {
        integrator.integrate(std::get<OrientedSurface>(surfaces[at]).surface, part, data, context, job.step,
                             row);
      }
    };
    if (job.progress)
      group.progress = [&](std::size_t done, std::size_t) { job.progress(first + done, total); };
    scheduler->run(group, job.stop);
    for (std::size_t patch = first; patch < first + group.count; ++patch) {
      sum->add(rowOf(patch));
      const std::size_t at = surfaceOf(patch);
      if (patch + 1 < firstPatch[at + 1]) continue;
      results.push_back(sum->result(isTurned(surfaces[at])));
      sum.emplace(integrator);
    }
  }
  return results;
}

}  // namespace farfield::extract
