#include "bench/objects/nas.h"

#include <algorithm>
#include <map>

#include "bench/objects/nas_cases.h"
#include "bench/shared/disk.h"
#include "bench/shared/measure.h"
#include "bench/shared/raw_reads.h"
#include "core/fields/data/store_data.h"
#include "core/paging/bytes/system_cache.h"

namespace farfield::bench {
namespace {

/// The page cache of 2001.
constexpr std::uint64_t kPoolBytes = std::uint64_t{200} << 20;

/// Where pages come from: a store on the real disk, or an image in memory that models a device.
struct Origin {
  std::filesystem::path store;
  StoreImage* image = nullptr;
};

struct Setting {
  tasks::SchedulerKind scheduler = tasks::SchedulerKind::Serial;
  int processors = 1, workers = 1, readers = 1;
  /// not in 2001; off where schedulers are compared, so that only they differ
  bool prefetch = false;
  auto operator<=>(const Setting&) const = default;
};

/// The tables of 2001 for every data set: the serial program, and the best found; and this program with its
/// defaults.
std::vector<Setting> headline(const Device& device, int processors) {
  using tasks::SchedulerKind;
  std::vector<Setting> all{{SchedulerKind::Serial, 1, 1, 1},
                           {SchedulerKind::Threads, 1, 8, 16},
                           {SchedulerKind::Fibers, 1, 64, 16}};
  // a single arm is as slow for any number of processors
  if (device.concurrent == 1) return all;
  all.push_back({SchedulerKind::Fibers, 1, 64, 16, true});
  if (processors == 1) return all;
  all.push_back({SchedulerKind::Threads, processors, 8, 16});
  all.push_back({SchedulerKind::Fibers, processors, 64, 16});
  all.push_back({SchedulerKind::Fibers, processors, 64, 16, true});
  return all;
}

/// With the sweeps over workers and readers.
std::vector<Setting> sweep(const Device& device, int processors) {
  using tasks::SchedulerKind;
  std::vector<Setting> all = headline(device, processors);
  const auto add = [&](const Setting& setting) {
    if (std::find(all.begin(), all.end(), setting) == all.end()) all.push_back(setting);
  };
  for (const SchedulerKind scheduler : {SchedulerKind::Threads, SchedulerKind::Fibers}) {
    for (const int workers : {1, 4, 8, 16, 64}) add({scheduler, 1, workers, 16});
    // with more workers in flight than readers, so that the readers are the limit
    for (const int readers : {1, 4, 8, 16, 24}) add({scheduler, 1, 64, readers});
  }
  return all;
}

std::vector<Setting> settingsFor(const Request& request, const Device& device, bool firstCase) {
  const bool inSweep = device.name == kDefaultDisk || device.name == "sata" || device.name == "file-server";
  const bool sweeps =
      request.extent == Extent::Full || (request.extent == Extent::Normal && firstCase && inSweep);
  return sweeps && device.concurrent != 1 ? sweep(device, request.processors)
                                          : headline(device, request.processors);
}

bool isMeasured(const Request& request, const Device& device) {
  if (request.extent == Extent::Tiny) return device.latency < std::chrono::milliseconds(1);
  if (request.extent == Extent::Quick) return device.name == "sata" || device.name == "file-server";
  return true;
}

bool isSlow(const Device& device) {
  return device.latency >= std::chrono::milliseconds(1);
}

struct Measured {
  PagedLineRun run;
  double wallSeconds = 0;
  bool cold = true;
};

Measured measureOnce(const Request& request, const LineJob& job, const Origin& origin,
                     const Setting& setting) {
  fields::PagedDataOptions options;
  options.scheduler = setting.scheduler;
  options.processors = setting.processors;
  options.tasksPerProcessor = setting.workers;
  options.readers = setting.readers;
  options.prefetch = setting.prefetch;
  MemoryAccount account(std::min(request.memoryBytes, kPoolBytes));
  Measured result;
  if (!origin.image) result.cold = makeCold(origin.store);
  std::unique_ptr<fields::OpenData> opened;
  if (!origin.image) {
    fields::OpenRequest open;
    open.sources = {origin.store.string()};
    opened = fields::StoreDataReader().open(open, account);
  }
  const fields::OpenData& data = origin.image ? static_cast<const fields::OpenData&>(*origin.image) : *opened;
  const OnProcessors only(setting.processors);
  result.run = tracePaged(data, account, options, job, request.stop);
  result.wallSeconds = result.run.lines.wallSeconds;
  return result;
}

/// The least time that these reads can take.
double deviceSeconds(const Device& device, const PagedLineRun& run, int readers) {
  const int concurrent = device.concurrent > 0 ? std::min(readers, device.concurrent) : readers;
  const double latency = std::chrono::duration<double>(device.latency).count();
  const double chain = static_cast<double>(run.lines.longestMissChain) * latency;
  const double reads = static_cast<double>(run.source.reads) * latency / concurrent;
  const double transfer = static_cast<double>(run.source.bytesRead) / device.bytesPerSecond;
  // one at a time, a transfer delays the next seek
  return std::max({chain, concurrent == 1 ? reads + transfer : reads, transfer});
}

class DiskRates {
 public:
  DiskRates(const Request& request, std::filesystem::path store)
      : m_request(request), m_store(std::move(store)) {}
  /// Seconds that the disk takes for as many reads of the same mean size at this depth.
  double seconds(const PagedLineRun& run, int depth) {
    const std::uint64_t reads = std::max<std::uint64_t>(1, run.source.reads);
    const std::uint64_t bytes = std::max<std::uint64_t>(1, run.source.bytesRead / reads);
    double& rate = m_rates[depth];
    if (rate == 0) {
      const RawReads raw{.bytes = bytes,
                         .depth = depth,
                         .count = m_request.choose<std::uint64_t>(32, 1000, 4000, 10000),
                         .direct = paging::offersDirectReads(m_store)};
      rate = std::max(rawReadRate(m_store, RawMethod::Uring, raw),
                      rawReadRate(m_store, RawMethod::Threads, raw));
    }
    return static_cast<double>(reads) / rate;
  }

 private:
  const Request& m_request;
  std::filesystem::path m_store;
  std::map<int, double> m_rates;
};

void measureDevice(const Request& request, const NasCase& its, const Origin& origin, const Device& device,
                   const std::vector<Setting>& settings, Json& results) {
  DiskRates disk(request, origin.store);
  const LineJob& job = isSlow(device) ? its.slowJob : its.job;
  std::vector<std::uint64_t> expected;
  double serialSeconds = 0;
  const double latencySeconds = std::chrono::duration<double>(device.latency).count();
  // fast devices are measured more often: other load shows more there
  const int rounds = isSlow(device) ? 1 : request.choose(1, 2, 3, 3);
  for (const Setting& setting : settings) {
    request.throwIfStopped();
    request.say(std::string("nas: ") + its.name + ", " + device.name + ", " +
                tasks::nameOf(setting.scheduler) + ", processors " + std::to_string(setting.processors) +
                ", workers " + std::to_string(setting.workers) + ", readers " +
                std::to_string(setting.readers));
    Measured best;
    bool cold = true, equal = true;
    for (int round = 0; round < rounds; ++round) {
      Measured now = measureOnce(request, job, origin, setting);
      if (expected.empty()) expected = now.run.lines.hashes;
      cold = cold && now.cold;
      equal = equal && now.run.lines.hashes == expected;
      if (round == 0 || now.wallSeconds < best.wallSeconds) best = std::move(now);
    }
    const PagedLineRun& run = best.run;
    if (setting.scheduler == tasks::SchedulerKind::Serial) serialSeconds = best.wallSeconds;
    const double compute = run.lines.cpuSeconds / run.processors;
    const double reading =
        origin.image ? deviceSeconds(device, run, setting.readers) : disk.seconds(run, setting.readers);
    const double bound = std::max(compute, reading);
    results.push_back({{"case", its.name},
                       {"device", device.name},
                       {"scheduler", tasks::nameOf(setting.scheduler)},
                       {"processors", setting.processors},
                       {"workers", setting.workers},
                       {"readers", setting.readers},
                       {"prefetch", setting.prefetch},
                       {"steps", job.steps},
                       {"tasksPerProcessor", run.tasksPerProcessor},
                       {"rounds", rounds},
                       {"cold", cold},
                       {"wallSeconds", best.wallSeconds},
                       {"cpuSeconds", run.lines.cpuSeconds},
                       {"reads", run.source.reads},
                       {"bytesRead", run.source.bytesRead},
                       {"waits", run.lines.waits},
                       {"longestMissChain", run.lines.longestMissChain},
                       {"evictions", run.cache.evictions},
                       // the limit for so few tasks in flight, each waiting for one read after another
                       {"inFlightSeconds", static_cast<double>(run.lines.waits) * latencySeconds /
                                               (run.processors * run.tasksPerProcessor)},
                       {"readingBoundSeconds", reading},
                       {"boundSeconds", bound},
                       {"boundBy", compute >= reading ? "compute" : "reading"},
                       {"ratio", best.wallSeconds / bound},
                       {"savedAgainstSerial", serialSeconds > 0 ? 1 - best.wallSeconds / serialSeconds : 0},
                       {"bitIdentical", equal}});
  }
}

Json describe(const NasCase& its) {
  return {{"case", its.name},
          {"blocks", its.blocks},
          {"steps", its.steps},
          {"dataBytes", its.dataBytes},
          {"storedBytes", its.storedBytes},
          {"linesPerStep", 2 * its.job.seeds->count()}};
}

Json describe(const Device& device) {
  return {{"device", device.name},
          {"latencyMs", std::chrono::duration<double, std::milli>(device.latency).count()},
          {"MBps", device.bytesPerSecond / 1e6},
          {"concurrent", device.concurrent}};
}

}  // namespace

Json runNas(const Request& request) {
  const WorkFolder folder(request.folder);
  Json out;
  out["what"] =
      "streamlines of every step through a pool of 200 MB, cold; limit: the larger of CPU / processors and "
      "the least time of these reads on the device";
  const std::vector<NasCase> cases = makeNasCases(request, folder.path());
  for (const NasCase& its : cases) out["cases"].push_back(describe(its));
  for (const Device& device : nasDevices()) out["devices"].push_back(describe(device));
  out["poolBytes"] = std::min(request.memoryBytes, kPoolBytes);
  Json results = Json::array();
  for (std::size_t n = 0; n < cases.size(); ++n) {
    for (const DiskStore& store : cases[n].stores) {
      const Device disk{store.name};
      const bool first = &store == &cases[n].stores.front();
      measureDevice(request, cases[n], {store.path}, disk,
                    first ? settingsFor(request, disk, n == 0) : headline(disk, request.processors), results);
    }
    StoreImage image(cases[n].stores.front().path, {});
    for (const Device& device : nasDevices()) {
      if (!isMeasured(request, device)) continue;
      image.setDevice(device);
      measureDevice(request, cases[n], {{}, &image}, device, settingsFor(request, device, n == 0), results);
    }
  }
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
