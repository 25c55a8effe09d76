#include "bench/paging/planes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>

#include "bench/shared/measure.h"
#include "bench/shared/page_store.h"
#include "core/base/error.h"
#include "core/fields/data/store_data.h"
#include "core/fields/paged/paged_data.h"
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
  std::uint64_t sum =
      0;  ///< of the values' bits, in whatever order: the same from every file of the same data
};

/// The boxes in which the pages of `array` meet the middle plane across `axis`, each of as many pages as a gather may touch: pages
/// that are asked for together, of which those that lie in a row in the file are one read.
std::vector<IndexBox> boxesOf(const paging::ArrayDescription& array, int axis) {
  const paging::PageLayout& layout = array.layout;
  const std::size_t slowest = axis == 2 ? 1 : 2;
  Index3 extent = layout.extent();
  extent[slowest] *= paging::Cursor::kPagesPerArray;
  std::vector<IndexBox> boxes;
  IndexBox box{{0, 0, 0}, {}};
  const auto plane = static_cast<std::size_t>(axis);
  for (box.first[2] = 0; box.first[2] < layout.dims()[2]; box.first[2] += extent[2])
    for (box.first[1] = 0; box.first[1] < layout.dims()[1]; box.first[1] += extent[1])
      for (box.first[0] = 0; box.first[0] < layout.dims()[0]; box.first[0] += extent[0]) {
        IndexBox part = box;
        for (std::size_t a = 0; a < 3; ++a)
          part.size[a] = std::min(extent[a], layout.dims()[a] - box.first[a]);
        const std::int64_t middle = layout.dims()[plane] / 2;
        if (middle < part.first[plane] || middle >= part.first[plane] + part.size[plane]) continue;
        part.first[plane] = middle;
        part.size[plane] = 1;
        boxes.push_back(part);
      }
  return boxes;
}

Plane readPlane(const Request& request, const std::filesystem::path& file, int axis) {
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
  const std::vector<IndexBox> boxes = boxesOf(*variable, axis);
  const int handle = paged.handle(0, variable->name);
  std::vector<std::uint64_t> sums(boxes.size());
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
    for (const double value : values) sums[task] += std::bit_cast<std::uint64_t>(value);
  };
  paged.makeScheduler()->run(group, request.stop);
  plane.reading = reading.times();
  for (const IndexBox& box : boxes) {
    std::uint64_t pages = 1;
    for (int a = 0; a < 3; ++a) {
      const std::int64_t first = variable->layout.pageAlong(a, box.first[a]),
                         last = variable->layout.pageAlong(a, box.first[a] + box.size[a] - 1);
      pages *= static_cast<std::uint64_t>(last - first + 1);
    }
    plane.pages += pages;
  }
  plane.pageBytes = static_cast<std::uint64_t>(variable->maxPageBytes());
  plane.bytesRead = paged.sourceCounters().bytesRead;
  plane.sum = std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
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

/// `firstSum`: of the first file's plane across `axis`.
Json measure(const Request& request, const std::filesystem::path& file, int axis,
             std::optional<std::uint64_t>& firstSum) {
  const std::string across(1, "ijk"[axis]);
  request.say("the middle plane across " + across + " of " + file.filename().string());
  const int rounds = request.choose(1, 3, 7, 15);
  Plane best;
  for (int round = 0; round < rounds; ++round) {
    request.throwIfStopped();
    const Plane plane = readPlane(request, file, axis);
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
  json["across"] = across;
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
  std::array<std::optional<std::uint64_t>, 3> sums;
  const auto measureAll = [&](const std::filesystem::path& file) {
    for (const int axis : {2, 1, 0})
      out["results"].push_back(measure(request, file, axis, sums[static_cast<std::size_t>(axis)]));
  };
  for (const std::filesystem::path& file : request.files) measureAll(file);
  if (request.files.empty()) {
    const std::filesystem::path store = request.folder / "planes.h5";
    const std::uint64_t mib = std::uint64_t{1} << 20;
    writePageStore(request, store, 32, 1, request.choose(4 * mib, 64 * mib, 512 * mib, 2048 * mib));
    measureAll(store);
    std::filesystem::remove(store);
  }
  return out;
}

}  // namespace farfield::bench
