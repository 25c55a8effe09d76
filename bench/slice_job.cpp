#include "bench/slice_job.h"

#include <algorithm>
#include <bit>

#include "bench/measure.h"
#include "core/extract/slice.h"

namespace farfield::bench {
namespace {

/// Keeps of each part's triangles what shows that two runs made the same ones.
class SliceDigest final : public extract::SurfaceSink {
 public:
  explicit SliceDigest(std::size_t parts) : m_parts(parts) {}

  void patch(std::size_t number, const extract::SurfacePatch& patch) override {
    Part& part = m_parts[number];
    for (const double each : patch.points) mix(part.hash, std::bit_cast<std::uint64_t>(each));
    for (const double each : patch.values) mix(part.hash, std::bit_cast<std::uint64_t>(each));
    for (const std::uint32_t each : patch.triangles) mix(part.hash, each);
    part.triangles += patch.triangles.size() / 3;
  }
  void addTo(SliceRun& run) const {
    for (const Part& part : m_parts) {
      mix(run.hash, part.hash);
      run.triangles += part.triangles;
    }
  }

 private:
  struct Part {
    std::uint64_t hash = 0, triangles = 0;
  };
  static void mix(std::uint64_t& hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 32;
  }
  std::vector<Part> m_parts;  ///< each of one task
};

}  // namespace

std::vector<extract::Plane> planesAcross(const Bounds& bounds, const Vec3& normal, int count) {
  std::vector<extract::Plane> planes;
  for (int n = 0; n < count; ++n)
    planes.emplace_back(bounds.min + (n + 0.5) / count * (bounds.max - bounds.min), normal);
  return planes;
}

SliceRun slicePaged(const fields::OpenData& data, MemoryAccount& account,
                    const fields::PagedDataOptions& options, const SliceJob& job, std::stop_token stop) {
  const fields::FunctionPlan functions(data.description(), {job.function});
  fields::PagedDataOptions paging = options;
  paging.arrays = functions.arrays();
  paging.resultBytesPerTask = extract::sliceTaskBytes(functions);
  fields::PagedData paged(data, account, paging);
  SliceRun run;
  const double cpu = processCpuSeconds();
  const Stopwatch watch;
  for (const extract::Plane& plane : job.planes) {
    const extract::Slice slice(data.description(), plane);
    SliceDigest digest(slice.taskCount());
    tasks::TaskGroup group;
    group.name = "slice";
    group.count = slice.taskCount();
    group.admission = &paged.admission();
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      slice.extract(n, paged, context, functions, 0, digest);
    };
    paged.makeScheduler()->run(group, stop);
    digest.addTo(run);
  }
  run.wallSeconds = watch.seconds();
  run.cpuSeconds = processCpuSeconds() - cpu;
  run.pool = paged.pool().counters();
  run.source = paged.sourceCounters();
  return run;
}

}  // namespace farfield::bench
