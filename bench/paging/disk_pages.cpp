#include "bench/paging/disk_pages.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

#include "bench/shared/disk.h"
#include "bench/shared/gather_arrays.h"
#include "bench/shared/measure.h"
#include "bench/shared/page_store.h"
#include "bench/shared/raw_reads.h"
#include "core/fields/paged/paged_data.h"
#include "core/paging/bytes/system_cache.h"
#include "core/paging/sources/store_source.h"

namespace farfield::bench {
namespace {

/// Few enough that frames are reused, as in any longer job; with new ones the system's clearing of memory
/// would be measured.
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
        {.engine = {.readers = options.readers,
                    .depth = options.readers,
                    .rings = options.processors,
                    .systemCache = m_direct ? paging::SystemCache::Bypass : paging::SystemCache::Use},
         .stagingBytes = options.stagingBytes}));
    return sources;
  }
  const paging::StoreFile& file() const { return *m_file; }

 private:
  std::shared_ptr<const paging::StoreFile> m_file;
  bool m_direct;
};

struct PageRate {
  double pagesPerSecond = 0, cpuSeconds = 0;
  std::uint64_t reads = 0, bytesRead = 0;
  bool right = true;  ///< the node checked in each page had its value
};

/// Tasks that request the pages of a store at random, none twice before all others.
class ColdPages {
 public:
  ColdPages(const Request& request, const std::filesystem::path& path, bool direct, int depth)
      : m_account(std::min(request.memoryBytes, kMostPoolBytes)),
        m_store(path, m_account, direct),
        m_paged(m_store, m_account, optionsFor(request, depth)),
        m_order(static_cast<std::size_t>(array().pageCount())) {
    // the index is not measured
    for (std::int64_t page = 0; page < array().pageCount(); page += 256)
      m_store.file().place(0, static_cast<std::uint64_t>(page));
    std::iota(m_order.begin(), m_order.end(), 0);
    std::shuffle(m_order.begin(), m_order.end(), std::mt19937_64(1));
    // all frames have been used before the first measurement; unread pages are left
    const auto frames = m_paged.plan().frameBytes / static_cast<std::uint64_t>(array().maxPageBytes());
    read(std::min<std::uint64_t>(frames, m_order.size() / 2), request.stop);
  }

  PageRate read(std::uint64_t pages, std::stop_token stop) {
    const std::uint64_t first = m_next;
    m_next += pages;
    constexpr std::uint64_t kPagesPerTask = 8;
    std::atomic<bool> right{true};
    tasks::TaskGroup group;
    group.name = "pages";
    group.count = (pages + kPagesPerTask - 1) / kPagesPerTask;
    group.admission = &m_paged.admission();
    group.run = [&](std::size_t task, tasks::TaskContext& context) {
      paging::Cursor cursor(m_paged.cache(), context, m_paged.plan().mode);
      std::vector<double> out(static_cast<std::size_t>(array().components));
      const paging::GatherTarget target{cursor.bind(0), out.data()};
      for (std::uint64_t n = task * kPagesPerTask; n < std::min((task + 1) * kPagesPerTask, pages); ++n) {
        const Index3 node = array().layout.box(m_order[(first + n) % m_order.size()]).first;
        cursor.gather({node, {1, 1, 1}}, {&target, 1});
        if (static_cast<float>(out[0]) != nodeValue(node[0], node[1], node[2], 0)) right = false;
      }
    };
    const auto scheduler = m_paged.makeScheduler();
    const paging::SourceCounters before = m_paged.sourceCounters();
    const double cpu = processCpuSeconds();
    const Stopwatch watch;
    scheduler->run(group, std::move(stop));
    PageRate rate;
    rate.pagesPerSecond = static_cast<double>(pages) / watch.seconds();
    rate.cpuSeconds = processCpuSeconds() - cpu;
    rate.right = right;
    rate.reads = m_paged.sourceCounters().reads - before.reads;
    rate.bytesRead = m_paged.sourceCounters().bytesRead - before.bytesRead;
    return rate;
  }

 private:
  static fields::PagedDataOptions optionsFor(const Request& request, int depth) {
    fields::PagedDataOptions options;
    options.arrays = {"values"};
    options.processors = request.processors;
    options.tasksPerProcessor = 4 * depth;
    options.readers = depth;
    options.prefetch = false;
    return options;
  }
  const paging::ArrayDescription& array() { return m_paged.cache().array(0); }

  MemoryAccount m_account;
  FileStore m_store;
  fields::PagedData m_paged;
  std::vector<std::int64_t> m_order;
  std::uint64_t m_next = 0;
};

/// A way of random reading that pages are compared with.
struct RawWay {
  const char* name;
  RawMethod method;
  RawReads reads;  ///< the way, without size and number
};
constexpr RawWay kRawWays[] = {
    {"rawUringPerSecond", RawMethod::Uring, {}},
    {"rawThreadsPerSecond", RawMethod::Threads, {}},
    {"rawCachedUringPerSecond", RawMethod::Uring, {.direct = false}},
    {"rawCachedThreadsPerSecond", RawMethod::Threads, {.direct = false}},
    // as a reader that does not choose its memory
    {"rawOrdinaryMemoryPerSecond", RawMethod::Uring, {.memory = MemoryPages::Ordinary}},
    // the least work that a page needs: not a limit of the disk
    {"rawKeptPerSecond", RawMethod::Threads, {.kept = true}},
};

/// The rounds of one way of reading, and the processor time that other guests of the host took meanwhile.
class WayRounds {
 public:
  /// `read` returns pages per second.
  template <typename Read>
  void add(Read&& read) {
    const double stolen = stolenSeconds();
    const Stopwatch watch;
    m_rates.add(read());
    m_wall += watch.seconds();
    m_stolen += stolenSeconds() - stolen;
  }
  const Rounds& rates() const { return m_rates; }
  double median() const { return m_rates.median(); }
  /// of all processors of the machine
  double stolenShare() const { return m_stolen / (m_wall * static_cast<double>(::get_nprocs())); }

 private:
  Rounds m_rates;
  double m_wall = 0, m_stolen = 0;
};

/// The ways that pages are compared with, and their rounds.
class Rivals {
 public:
  Rivals(const std::filesystem::path& path, std::uint64_t bytes, int depth, std::uint64_t count)
      : m_path(path), m_bytes(bytes), m_depth(depth), m_count(count) {
    for (const RawWay& way : kRawWays)
      if (paging::offersDirectReads(path) || !way.reads.direct) m_ways.push_back({way, {}});
  }
  std::size_t size() const { return m_ways.size(); }
  void read(std::size_t number, std::uint64_t seed) {
    Measured& measured = m_ways[number];
    RawReads reads = measured.way.reads;
    reads.bytes = m_bytes;
    reads.depth = m_depth;
    reads.count = m_count;
    reads.seed = seed;
    measured.rounds.add([&] { return rawReadRate(m_path, measured.way.method, reads); });
  }
  /// The fastest way that only reads, of all or of those that use the cache, or not.
  const WayRounds& fastest(std::optional<bool> direct = std::nullopt) const {
    const WayRounds* best = nullptr;
    for (const Measured& measured : m_ways) {
      const RawReads& reads = measured.way.reads;
      if (reads.kept || (direct && reads.direct != *direct)) continue;
      if (!best || measured.rounds.median() > best->median()) best = &measured.rounds;
    }
    return *best;
  }
  /// Adds every way's reads per second, 0 if it is not available, and `rate` relative to some of them.
  void report(double rate, Json& result) const {
    for (const RawWay& way : kRawWays) result[way.name] = 0;
    for (const auto& [way, rounds] : m_ways) {
      result[way.name] = rounds.median();
      if (way.reads.kept) result["shareOfKept"] = rate / rounds.median();
      if (way.reads.memory == MemoryPages::Ordinary) result["shareOfOrdinaryMemory"] = rate / rounds.median();
    }
  }

 private:
  struct Measured {
    RawWay way;
    WayRounds rounds;
  };
  std::filesystem::path m_path;
  std::uint64_t m_bytes;
  int m_depth;
  std::uint64_t m_count;
  std::vector<Measured> m_ways;
};

Json measure(const Request& request, const std::filesystem::path& path, int edge, int components, int depth,
             bool direct) {
  const auto pageBytes = static_cast<std::uint64_t>(edge * edge * edge * components) * sizeof(float);
  // about as much time for small reads as for large ones
  const auto count =
      std::min<std::uint64_t>(request.choose<std::uint64_t>(64, 2'000, 4'000, 16'000),
                              request.choose<std::uint64_t>(4, 80, 200, 800) * 1'000'000 / pageBytes);
  request.say("disk: pages of " + std::to_string(pageBytes) + " bytes, depth " + std::to_string(depth) +
              (direct ? ", past the cache" : ""));
  ColdPages coldPages(request, path, direct, depth);
  Rivals rivals(path, pageBytes, depth, count);
  WayRounds pages;
  Rounds cpuShares;
  PageRate last;
  bool cold = true, right = true;
  const auto readPages = [&] {
    cold = makeCold(path) && cold;
    pages.add([&] {
      last = coldPages.read(count, request.stop);
      return last.pagesPerSecond;
    });
    right = right && last.right;
    cpuShares.add(last.cpuSeconds * last.pagesPerSecond /
                  static_cast<double>(count * static_cast<std::uint64_t>(request.processors)));
  };
  // Each way in turn, many short measurements, and their medians are compared: a shared disk is sometimes
  // faster, sometimes slower, and the best of many measurements of one against few of another would only show
  // that. The order is random in each round, because what one way leaves behind (a disk's used-up allowance,
  // say) would otherwise always hit the same next one.
  const int rounds = request.choose(1, 15, 15, 25);
  std::vector<std::size_t> turns(rivals.size() + 1);
  std::iota(turns.begin(), turns.end(), 0);
  std::mt19937_64 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(turns.begin(), turns.end(), random);
    for (const std::size_t turn : turns) {
      request.throwIfStopped();
      if (turn == rivals.size())
        readPages();
      else
        rivals.read(turn, static_cast<std::uint64_t>(round + 1));
    }
  }
  const WayRounds& limit = rivals.fastest();
  const double rate = pages.median();
  Json result = {{"pageBytes", pageBytes},
                 {"depth", depth},
                 {"direct", direct},
                 {"cold", cold},
                 {"rawDirect", paging::offersDirectReads(path)},
                 {"processors", request.processors},
                 {"rounds", rounds},
                 {"pages", count},
                 {"reads", last.reads},
                 {"bytesRead", last.bytesRead},
                 {"pagesPerSecond", rate},
                 {"pagesMBps", rate * static_cast<double>(pageBytes) / 1e6},
                 {"limitPerSecond", limit.median()},
                 {"shareOfLimit", rate / limit.median()},
                 {"shareOfLimitByRounds", medianRatio(pages.rates(), limit.rates())},
                 // relative to plain reads that use the cache, or not, as these do
                 {"shareOfSameWay", rate / rivals.fastest(direct).median()},
                 {"cpuShare", cpuShares.median()},
                 {"stolenShare", pages.stolenShare()},
                 {"stolenShareOfLimit", limit.stolenShare()},
                 {"rightValues", right}};
  rivals.report(rate, result);
  return result;
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
    writePageStore(request, path, shape.edge, shape.components,
                   request.choose<std::uint64_t>(1, 512, 2000, 8000) * 1'000'000);
    for (const int depth : request.choose<std::vector<int>>({4}, {16}, {1, 16, 64}, {1, 4, 16, 64}))
      for (const bool direct : {false, true})
        if (!direct || paging::offersDirectReads(path))
          results.push_back(measure(request, path, shape.edge, shape.components, depth, direct));
  }
  Json out;
  out["what"] =
      "cold pages at random from the disk, median of the rounds; limit: plain random reads of as many "
      "bytes at the same depth, past the system's cache or through it, by io_uring or threads, into huge "
      "pages "
      "or ordinary ones, whichever is fastest; kept: reads that are checked and copied to where they stay";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
