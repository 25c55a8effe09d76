#include "bench/shared/slice_job.h"

#include "bench/shared/digest.h"
#include "bench/shared/measure.h"
#include "core/extract/slice.h"

namespace farfield::bench {
namespace {

/// A slice as checksums, one per task.
class SliceDigest final : public extract::SurfaceSink {
 public:
  explicit SliceDigest(std::size_t tasks) : m_parts(tasks) {}

  void patch(std::size_t number, const extract::SurfacePatch& patch) override {
    Digest& part = m_parts[number];
    for (const double each : patch.points) part.add(each);
    for (const double each : patch.values) part.add(each);
    for (const std::uint32_t each : patch.triangles) part.add(std::uint64_t{each});
  }
  void addTo(Digest& all) const {
    for (const Digest& part : m_parts) all.add(part.hash());
  }

 private:
  std::vector<Digest> m_parts;
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
  Digest all;
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
    digest.addTo(all);
  }
  run.hash = all.hash();
  run.wallSeconds = watch.seconds();
  run.cpuSeconds = processCpuSeconds() - cpu;
  run.cache = paged.cache().counters();
  run.source = paged.sourceCounters();
  return run;
}

}  // namespace farfield::bench
