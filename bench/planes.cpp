#include "bench/planes.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "bench/measure.h"
#include "bench/page_store.h"
#include "core/base/error.h"
#include "core/fields/paged_data.h"
#include "core/fields/store_data.h"
#include "plugins/formats/formats.h"

namespace farfield::bench {
namespace {

struct Times {
  double wall = 0, cpu = 0;
};

/// Wall and processor time from when it was made.
class Clock {
 public:
  Times times() const { return {m_watch.seconds(), processCpuSeconds() - m_cpu}; }

 private:
  Stopwatch m_watch;
  double m_cpu = processCpuSeconds();
};

struct Plane {
  Times opening, reading;
  std::uint64_t pages = 0, pageBytes = 0, bytesRead = 0;
  double sum = 0;  ///< of the values: the same from every file of the same data
};

/// The boxes in which the pages of `array` meet the middle plane across k.
std::vector<IndexBox> boxesOf(const paging::ArrayDescription& array) {
  const std::int64_t k = array.layout.dims()[2] / 2;
  std::vector<IndexBox> boxes;
  for (std::int64_t page = 0; page < array.layout.pageCount(); ++page) {
    IndexBox box = array.layout.box(page);
    if (k < box.first[2] || k >= box.first[2] + box.size[2]) continue;
    box.first[2] = k;
    box.size[2] = 1;
    boxes.push_back(box);
  }
  return boxes;
}

Plane readPlane(const Request& request, const std::filesystem::path& file) {
  Plane plane;
  const Clock opening;
  MemoryAccount account(request.memoryBytes);
  fields::ReaderRegistry readers;
  readers.add(std::make_unique<fields::StoreDataReader>());
  formats::addFormats(readers);
  const auto data = readers.open({.sources = {file.string()}}, account);
  const paging::DatasetDescription& description = data->description();
  const auto variable =
      std::find_if(description.arrays.begin(), description.arrays.end(),
                   [](const paging::ArrayDescription& array) { return array.block == 0 && !array.isGrid(); });
  if (variable == description.arrays.end() || description.blocks[0].isUnstructured())
    throw Unsupported("has no variable of a structured block", "name a volume").at("file " + file.string());
  fields::PagedDataOptions options;
  options.arrays = {variable->name};
  options.processors = request.processors;
  options.prefetch = false;
  fields::PagedData paged(*data, account, options);
  plane.opening = opening.times();

  const Clock reading;
  const std::vector<IndexBox> boxes = boxesOf(*variable);
  const int handle = paged.handle(0, variable->name);
  std::vector<double> sums(boxes.size());
  tasks::TaskGroup group;
  group.name = "plane";
  group.count = boxes.size();
  group.admission = &paged.admission();
  group.run = [&](std::size_t task, tasks::TaskContext& context) {
    paging::Cursor cursor(paged.cache(), context, paged.plan().mode);
    std::vector<double> values(
        static_cast<std::size_t>(product(boxes[task].size) * std::int64_t{variable->components}));
    const paging::GatherTarget target{cursor.bind(handle), values.data()};
    cursor.gather(boxes[task], {&target, 1});
    sums[task] = std::accumulate(values.begin(), values.end(), 0.0);
  };
  paged.makeScheduler()->run(group, request.stop);
  plane.reading = reading.times();
  plane.pages = boxes.size();
  plane.pageBytes = static_cast<std::uint64_t>(variable->maxPageBytes());
  plane.bytesRead = paged.sourceCounters().bytesRead;
  plane.sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  return plane;
}

/// Processor seconds in which as many bytes as the decoded pages have are copied once in memory, from and to what no cache holds.
double copySeconds(const Plane& plane) {
  constexpr std::size_t kMost = std::size_t{256} << 20;
  const std::size_t all = plane.pages * plane.pageBytes,
                    each = std::max<std::size_t>(1, std::min(all, kMost));
  std::vector<std::byte> from(each, std::byte{1}), to(each, std::byte{2});
  const double cpu = threadCpuSeconds();
  for (std::size_t done = 0; done < all; done += each) {
    from[done % each] = to[done % each];
    std::memcpy(to.data(), from.data(), std::min(each, all - done));
  }
  return threadCpuSeconds() - cpu;
}

Json measure(const Request& request, const std::filesystem::path& file, std::optional<double>& firstSum) {
  request.say("the middle plane of " + file.filename().string());
  const int rounds = request.choose(1, 3, 7, 15);
  Plane best;
  for (int round = 0; round < rounds; ++round) {
    request.throwIfStopped();
    const Plane plane = readPlane(request, file);
    if (round == 0) {
      best = plane;
      continue;
    }
    if (plane.sum != best.sum)
      throw Corrupt("gives other values in another round").at("file " + file.string());
    for (Times Plane::*const part : {&Plane::opening, &Plane::reading}) {
      (best.*part).wall = std::min((best.*part).wall, (plane.*part).wall);
      (best.*part).cpu = std::min((best.*part).cpu, (plane.*part).cpu);
    }
  }
  const double limit = copySeconds(best);
  if (!firstSum) firstSum = best.sum;
  Json json;
  json["file"] = file.filename().string();
  json["rounds"] = rounds;
  json["pages"] = best.pages;
  json["decodedBytes"] = best.pages * best.pageBytes;
  json["bytesRead"] = best.bytesRead;
  json["openingWallSeconds"] = best.opening.wall;
  json["openingCpuSeconds"] = best.opening.cpu;
  json["readingWallSeconds"] = best.reading.wall;
  json["readingCpuSeconds"] = best.reading.cpu;
  json["copySeconds"] = limit;
  json["cpuOverCopy"] = limit > 0 ? best.reading.cpu / limit : 0.0;
  json["equalSums"] = best.sum == *firstSum;
  return json;
}

}  // namespace

Json runPlanes(const Request& request) {
  Json out;
  std::optional<double> sum;
  for (const std::filesystem::path& file : request.files)
    out["results"].push_back(measure(request, file, sum));
  if (request.files.empty()) {
    const std::filesystem::path store = request.folder / "planes.h5";
    const std::uint64_t mib = std::uint64_t{1} << 20;
    writePageStore(request, store, 32, 1, request.choose(4 * mib, 64 * mib, 512 * mib, 2048 * mib));
    out["results"].push_back(measure(request, store, sum));
    std::filesystem::remove(store);
  }
  return out;
}

}  // namespace farfield::bench
