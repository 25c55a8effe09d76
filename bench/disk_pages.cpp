#include "bench/disk_pages.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "bench/disk.h"
#include "bench/gather_arrays.h"
#include "bench/measure.h"
#include "bench/raw_reads.h"
#include "core/fields/paged_data.h"
#include "core/paging/convert/converter.h"
#include "core/paging/sources/computed_reader.h"
#include "core/paging/sources/store_source.h"
#include "core/paging/sources/system_cache.h"

namespace farfield::bench {
namespace {

/// Frames are used again and again, as in any job that is longer than a moment; with more of them, what is
/// measured would be the system's clearing of new memory.
constexpr std::uint64_t kMostPoolBytes = 100'000'000;

/// A store read as usual, or past the system's cache.
class FileStore final : public fields::OpenData {
 public:
  FileStore(const std::filesystem::path& path, MemoryAccount& account, bool direct)
      : m_file(paging::StoreFile::open(path, account, {.indexCacheBytes = std::uint64_t{64} << 20})),
        m_direct(direct) {}
  const paging::DatasetDescription& description() const override { return m_file->description(); }
  std::uint64_t largestStoredBytes() const override { return m_file->maxStoredBytes(0); }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(
      MemoryAccount& account, const fields::SourceOptions& options) const override {
    std::vector<std::unique_ptr<paging::PageSource>> sources;
    sources.push_back(paging::makeStoreSource(
        m_file, account,
        {.readers = options.readers,
         .depth = options.readers,
         .rings = options.processors,
         .stagingBytes = options.stagingBytes,
         .systemCache = m_direct ? paging::SystemCache::Bypass : paging::SystemCache::Use}));
    return sources;
  }
  const paging::StoreFile& file() const { return *m_file; }

 private:
  std::shared_ptr<const paging::StoreFile> m_file;
  bool m_direct;
};

/// Pages of exactly this shape, not compressed, `bytes` in all.
void writeStore(const Request& request, const std::filesystem::path& path, int edge, int components,
                std::uint64_t bytes) {
  const double pageBytes = std::pow(edge, 3) * components * sizeof(float);
  const auto perAxis =
      static_cast<std::int64_t>(std::max(2.0, std::cbrt(static_cast<double>(bytes) / pageBytes)));
  paging::DatasetDescription data;
  data.format = "bench";
  data.times = {0};
  paging::BlockDescription block;
  block.dims = {perAxis * edge, perAxis * edge, perAxis * edge};
  block.kind = paging::GridKind::Regular;
  block.bounds.add(Vec3{});
  block.bounds.add(Vec3{1, 1, 1});
  data.blocks = {block};
  paging::ArrayDescription array;
  array.name = "values";
  array.layout = paging::PageLayout::even(block.dims, edge);
  array.components = components;
  data.arrays = {array};
  const paging::ComputedReader reader(
      data, [components](std::uint32_t, std::int64_t, const IndexBox& box, std::span<std::byte> out) {
        auto* value = reinterpret_cast<float*>(out.data());
        for (std::int64_t n = 0; n < product(box.size); ++n) {
          const Index3 in = unlinear(n, box.size);
          for (int c = 0; c < components; ++c)
            *value++ = nodeValue(box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2], c);
        }
      });
  MemoryAccount account(request.memoryBytes);
  paging::convert(reader, path,
                  {.pageEdge = edge,
                   .codec = paging::Codec::None,
                   .processors = request.processors,
                   .stop = request.stop},
                  account);
}

struct PageRate {
  double pagesPerSecond = 0, cpuSeconds = 0;
  std::uint64_t pages = 0, reads = 0, bytesRead = 0;
  bool right = true;  ///< the node that was looked at in each page had its value
};

PageRate pageRate(const Request& request, const std::filesystem::path& path, bool direct, int depth,
                  std::uint64_t pages, std::uint64_t seed) {
  MemoryAccount account(std::min(request.memoryBytes, kMostPoolBytes));
  const FileStore store(path, account, direct);
  // The index is not what is measured.
  for (std::int64_t page = 0; page < store.description().arrays[0].pageCount(); page += 256)
    store.file().place(0, static_cast<std::uint64_t>(page));
  fields::PagedDataOptions options;
  options.arrays = {"values"};
  options.processors = request.processors;
  options.tasksPerProcessor = 4 * depth;
  options.readers = depth;
  options.prefetch = false;
  fields::PagedData paged(store, account, options);
  const paging::ArrayDescription& array = paged.pool().array(0);
  std::vector<std::int64_t> order(static_cast<std::size_t>(array.pageCount()));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  PageRate rate;
  rate.pages = std::min<std::uint64_t>(pages, order.size());
  constexpr std::uint64_t kPagesPerTask = 8;
  std::atomic<bool> right{true};
  tasks::TaskGroup group;
  group.name = "pages";
  group.count = (rate.pages + kPagesPerTask - 1) / kPagesPerTask;
  group.admission = &paged.admission();
  group.run = [&](std::size_t task, tasks::TaskContext& context) {
    paging::Cursor cursor(paged.pool(), context, paged.plan().mode);
    std::vector<double> out(static_cast<std::size_t>(array.components));
    const paging::GatherTarget target{cursor.bind(0), out.data()};
    for (std::uint64_t n = task * kPagesPerTask; n < std::min((task + 1) * kPagesPerTask, rate.pages); ++n) {
      const Index3 node = array.layout.box(order[n]).first;
      cursor.gather({node, {1, 1, 1}}, {&target, 1});
      if (static_cast<float>(out[0]) != nodeValue(node[0], node[1], node[2], 0)) right = false;
    }
  };
  const auto scheduler = paged.makeScheduler();
  const double cpu = processCpuSeconds();
  const Stopwatch watch;
  scheduler->run(group, request.stop);
  rate.pagesPerSecond = static_cast<double>(rate.pages) / watch.seconds();
  rate.cpuSeconds = processCpuSeconds() - cpu;
  rate.right = right;
  rate.reads = paged.sourceCounters().reads;
  rate.bytesRead = paged.sourceCounters().bytesRead;
  return rate;
}

Json measure(const Request& request, const std::filesystem::path& path, int edge, int components, int depth,
             bool direct) {
  const auto pageBytes = static_cast<std::uint64_t>(edge * edge * edge * components) * sizeof(float);
  // About as much time for small reads as for large ones.
  const auto count =
      std::min<std::uint64_t>(request.choose<std::uint64_t>(64, 4'000, 20'000, 80'000),
                              request.choose<std::uint64_t>(4, 256, 1000, 4000) * 1'000'000 / pageBytes);
  request.say("disk: pages of " + std::to_string(pageBytes) + " bytes, depth " + std::to_string(depth) +
              (direct ? ", past the cache" : ""));
  // By io_uring and by threads, past the cache and through it.
  double raw[2][2] = {};
  PageRate best;
  bool cold = true, right = true;
  const bool offersDirect = paging::offersDirectReads(path);
  const int rounds = request.choose(1, 2, 3, 5);
  for (int round = 0; round < rounds; ++round) {
    request.throwIfStopped();
    const auto seed = static_cast<std::uint64_t>(round + 1);
    for (const RawMethod method : {RawMethod::Uring, RawMethod::Threads})
      for (const bool rawDirect : {false, true}) {
        if (rawDirect && !offersDirect) continue;
        double& rate = raw[static_cast<int>(method)][rawDirect];
        rate = std::max(
            rate,
            rawReadRate(
                path, method,
                {.bytes = pageBytes, .depth = depth, .count = count, .seed = seed, .direct = rawDirect}));
      }
    cold = makeCold(path) && cold;
    const PageRate rate = pageRate(request, path, direct, depth, count, seed);
    right = right && rate.right;
    if (rate.pagesPerSecond > best.pagesPerSecond) best = rate;
  }
  const double limit = std::max({raw[0][0], raw[0][1], raw[1][0], raw[1][1]});
  const double sameWay = std::max(raw[0][direct], raw[1][direct]);
  const double seconds = static_cast<double>(best.pages) / best.pagesPerSecond;
  return {{"pageBytes", pageBytes},
          {"depth", depth},
          {"direct", direct},
          {"cold", cold},
          {"rawDirect", offersDirect},
          {"processors", request.processors},
          {"pages", best.pages},
          {"reads", best.reads},
          {"bytesRead", best.bytesRead},
          {"pagesPerSecond", best.pagesPerSecond},
          {"pagesMBps", best.pagesPerSecond * static_cast<double>(pageBytes) / 1e6},
          {"rawUringPerSecond", raw[0][1]},
          {"rawThreadsPerSecond", raw[1][1]},
          {"rawCachedUringPerSecond", raw[0][0]},
          {"rawCachedThreadsPerSecond", raw[1][0]},
          {"limitPerSecond", limit},
          {"shareOfLimit", best.pagesPerSecond / limit},
          // Of plain reads that go through the cache, or past it, as these do.
          {"shareOfSameWay", best.pagesPerSecond / sameWay},
          {"cpuShare", best.cpuSeconds / (seconds * request.processors)},
          {"rightValues", right}};
}

}  // namespace

Json runDiskPages(const Request& request) {
  struct Shape {
    int edge, components;
  };
  Json results = Json::array();
  // 2 KB as published in 2001; 16 KB; 80 KB, the default page of a PLOT3D solution; 640 KB.
  for (const Shape shape :
       request.choose<std::vector<Shape>>({{8, 1}}, {{16, 1}, {16, 5}}, {{8, 1}, {16, 1}, {16, 5}, {32, 5}},
                                          {{8, 1}, {16, 1}, {16, 5}, {32, 5}})) {
    const WorkFolder folder(request.folder);
    const auto path = folder / "store.h5";
    writeStore(request, path, shape.edge, shape.components,
               request.choose<std::uint64_t>(1, 512, 2000, 8000) * 1'000'000);
    for (const int depth : request.choose<std::vector<int>>({4}, {16}, {1, 16, 64}, {1, 4, 16, 64}))
      for (const bool direct : {false, true})
        if (!direct || paging::offersDirectReads(path))
          results.push_back(measure(request, path, shape.edge, shape.components, depth, direct));
  }
  Json out;
  out["what"] =
      "cold pages at random from the disk, best of the rounds; limit: plain random reads of as many bytes at "
      "the same depth, past the system's cache or through it, by io_uring or threads, whichever is fastest";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
