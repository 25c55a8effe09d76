// The list of benchmarks.

#include <algorithm>

#include "bench/benchmark.h"
#include "bench/machine.h"
#include "bench/objects/isosurface.h"
#include "bench/objects/nas.h"
#include "bench/objects/paths.h"
#include "bench/objects/streamlines.h"
#include "bench/paging/convert.h"
#include "bench/paging/disk_pages.h"
#include "bench/paging/hits.h"
#include "bench/paging/many_tasks.h"
#include "bench/paging/misses.h"
#include "bench/paging/pages.h"
#include "bench/paging/planes.h"
#include "bench/paging/replay_policies.h"
#include "bench/paging/resident.h"
#include "bench/paging/small_budgets.h"
#include "bench/remote/remote.h"
#include "bench/shared/measure.h"
#ifdef FARFIELD_OPENCL
#include "bench/objects/particles.h"
#endif
#ifdef FARFIELD_VOLUME
#include "bench/objects/volume.h"
#include "bench/slabs/slab_ranks.h"
#include "bench/slabs/slab_viewers.h"
#include "bench/slabs/slabs.h"
#endif
#include "core/base/error.h"

namespace farfield::bench {
namespace {

constexpr Benchmark kBenchmarks[] = {
    {"hits", "gathers of resident pages against plain and bricked arrays", runHits},
    {"resident", "streamlines through resident pages against the same over arrays", runResident},
    {"misses", "streamlines of pages that are not there, against the least time possible", runMisses},
    {"tasks", "10,000 lines in flight that all wait for pages of a slow device", runManyTasks},
    {"budgets", "lines under a fraction of the memory that they touch, against reading each page once",
     runSmallBudgets},
    {"pages", "streamlines by page edge, codec, device and budget", runPages},
    {"disk", "cold pages at random from the disk, against what the disk itself gives", runDiskPages},
    {"nas", "the published experiment of 2001 again: serial, threads, fibers on several devices", runNas},
    {"convert", "PLOT3D files into a store, against disk and codec", runConvert},
    {"remote", "pages over a network by six ways of asking, against a bare stream of bytes", runRemote},
    {"streamlines", "CPU time of lines to equal measured error, by grid kind", runStreamlines},
#ifdef FARFIELD_VOLUME
    {"volume", "pictures of a volume by rays, against memory and arithmetic", runVolume},
    {"slabs", "steps rendered as slabs while the next is read, against the slower of the two", runSlabs},
    {"slab-ranks", "the same by four and by eight ranks: the published experiment of 2000 again",
     runSlabRanks},
    {"slab-bytes", "what viewers get of volumes of several sizes, against the area of the picture",
     runSlabBytes},
    {"slab-viewer", "pictures a second of slabs while steps arrive, against those of a viewer at rest",
     runSlabViewers},
#endif
#ifdef FARFIELD_OPENCL
    {"particles", "lines of many seeds on an OpenCL device, against the same by processors", runParticles},
#endif
    {"paths", "particles through a series in memory, against arithmetic and exact paths", runPaths},
    {"isosurface", "surfaces of data in memory, against going through the values once", runIsosurface},
    {"planes", "grid planes through pages, with nothing cut or drawn; takes files", runPlanes},
    {"policies", "replacement policies on recorded requests, against the optimum; takes page traces",
     runPolicies},
};

constexpr const char* kExtents[] = {"tiny", "quick", "normal", "full"};

std::string listed() {
  std::string text = "all";
  for (const Benchmark& benchmark : kBenchmarks) text += std::string(", ") + benchmark.name;
  return text;
}

}  // namespace

const char* nameOf(Extent extent) {
  return kExtents[static_cast<int>(extent)];
}

Extent extentNamed(const std::string& name) {
  for (int n = 0; n < 4; ++n)
    if (name == kExtents[n]) return static_cast<Extent>(n);
  throw Invalid("'" + name + "' is not an extent", "choose tiny, quick, normal or full");
}

void Request::throwIfStopped() const {
  if (stop.stop_requested()) throw Cancelled();
}

std::span<const Benchmark> benchmarks() {
  return kBenchmarks;
}

Json runBenchmarks(std::span<const std::string> names, const Request& request) {
  std::vector<const Benchmark*> chosen;
  for (const std::string& name : names) {
    bool found = false;
    for (const Benchmark& benchmark : kBenchmarks) {
      if (name != "all" && name != benchmark.name) continue;
      found = true;
      if (std::find(chosen.begin(), chosen.end(), &benchmark) == chosen.end()) chosen.push_back(&benchmark);
    }
    if (!found) throw NotFound("'" + name + "' is not a benchmark", "choose from " + listed());
  }
  Json out;
  out["machine"] = describeMachine();
  out["extent"] = nameOf(request.extent);
  out["memoryBytes"] = request.memoryBytes;
  out["processors"] = request.processors;
  for (const Benchmark* benchmark : chosen) {
    request.throwIfStopped();
    const Stopwatch watch;
    Json result = benchmark->run(request);
    result["wallSeconds"] = watch.seconds();
    result["peakRssBytes"] = peakRssBytes();
    out["benchmarks"][benchmark->name] = std::move(result);
  }
  out["loadAverageAfter"] = loadAverage();
  return out;
}

}  // namespace farfield::bench
