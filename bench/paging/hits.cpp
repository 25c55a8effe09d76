#include "bench/paging/hits.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "bench/shared/gather_arrays.h"
#include "bench/shared/measure.h"
#include "core/base/error.h"
#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/paging/pages/page_edge.h"
#include "core/paging/sources/computed_reader.h"

namespace farfield::bench {
namespace {

enum class Pattern {
  Coherent,   ///< neighbouring cells, known before: a processor starts many gathers before one has ended
  Dependent,  ///< the same cells, each known only after the gather before, as when tracing a line
  Random,     ///< also known before
};
constexpr const char* kPatterns[] = {"coherent", "dependent", "random"};

using Path = std::vector<GatherCell>;

/// A line that bends slowly and is reflected by the walls, one cell at a time: the access pattern of a
/// streamline.
Path coherentPath(const Index3& dims, std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  Path path(length);
  Vec3 at, direction;
  for (int a = 0; a < 3; ++a) at[a] = (0.5 + 0.4 * unit(random)) * static_cast<double>(dims[a] - 1);
  for (std::size_t n = 0; n < length; ++n) {
    if (n % 32 == 0) direction = direction + 0.3 * Vec3{unit(random), unit(random), unit(random)};
    const double longest =
        std::max({std::abs(direction.x), std::abs(direction.y), std::abs(direction.z), 1e-9});
    direction = (1 / longest) * direction;
    for (int a = 0; a < 3; ++a) {
      const double next = at[a] + direction[a];
      if (next < 0 || next >= static_cast<double>(dims[a] - 1)) direction[a] = -direction[a];
      at[a] = std::clamp(at[a] + direction[a], 0.0, static_cast<double>(dims[a] - 1) - 1e-6);
    }
    path[n] = {static_cast<std::int32_t>(at.x), static_cast<std::int32_t>(at.y),
               static_cast<std::int32_t>(at.z)};
  }
  return path;
}

Path randomPath(const Index3& dims, std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Path path(length);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(n));
  };
  for (GatherCell& cell : path) cell = {below(dims[0] - 1), below(dims[1] - 1), below(dims[2] - 1)};
  return path;
}

/// The share of gathers that lie in more than one page.
double crossingShare(const Path& path, const paging::PageLayout& layout) {
  std::size_t crossing = 0;
  for (const GatherCell& cell : path) {
    const Index3 low{cell.i, cell.j, cell.k}, high{cell.i + 1, cell.j + 1, cell.k + 1};
    crossing += layout.pageOf(low) != layout.pageOf(high);
  }
  return static_cast<double>(crossing) / static_cast<double>(path.size());
}

/// The result of one thread's walk along its path.
struct Walk {
  double sum = 0;  ///< of some of the values: equal for all kinds of storage
  double wallSeconds = 0, cpuSeconds = 0;
};

/// 0, computed from one value of each corner: those of nodeValue() are below 1. Only the processor finds that
/// out, once all values are there.
template <int C>
std::int32_t zeroOf(const double* out) {
  const double low = (out[0] + out[C]) + (out[2 * C] + out[3 * C]);
  const double high = (out[4 * C] + out[5 * C]) + (out[6 * C] + out[7 * C]);
  return static_cast<std::int32_t>((low + high) * 0.125);
}

/// Gathers each cell of the path: `gather(cell, out)`.
template <int C, class Gather>
Walk walk(std::span<const GatherCell> path, bool dependent, Gather&& gather) {
  double out[8 * C];
  Walk result;
  const Stopwatch watch;
  const double cpu = threadCpuSeconds();
  std::int32_t zero = 0;
  for (std::size_t n = 0; n < path.size(); ++n) {
    const GatherCell cell{path[n].i + zero, path[n].j + zero, path[n].k + zero};
    gather(cell, out);
    // uses all values, so that the compiler cannot leave out loads of inlined gathers
    asm volatile("" : : "r"(out) : "memory");
    result.sum += out[0] + out[8 * C - 1];
    if (dependent) zero = zeroOf<C>(out);
  }
  result.cpuSeconds = threadCpuSeconds() - cpu;
  result.wallSeconds = watch.seconds();
  return result;
}

/// Runs `one(thread)` on so many threads at a time.
std::vector<Walk> onThreads(std::size_t count, const std::function<Walk(std::size_t)>& one) {
  std::vector<Walk> walks(count);
  std::vector<std::thread> threads;
  for (std::size_t n = 0; n < count; ++n) threads.emplace_back([&, n] { walks[n] = one(n); });
  for (std::thread& thread : threads) thread.join();
  return walks;
}

/// The array as a data set of one regular block, all of it in resident pages.
class PagedArray {
 public:
  PagedArray(const Index3& dims, int components, int edge, int processors, MemoryAccount& account) {
    paging::DatasetDescription description;
    description.format = "bench";
    description.times = {0};
    paging::BlockDescription block;
    block.dims = dims;
    block.kind = paging::GridKind::Regular;
    block.bounds.add(Vec3{});
    block.bounds.add(Vec3{static_cast<double>(dims[0] - 1), static_cast<double>(dims[1] - 1),
                          static_cast<double>(dims[2] - 1)});
    description.blocks = {block};
    paging::ArrayDescription array;
    array.name = "values";
    array.layout = paging::PageLayout::even(dims, edge);
    array.components = components;
    description.arrays = {array};
    auto reader = std::make_shared<paging::ComputedReader>(
        description,
        [components](std::uint32_t, std::int64_t, const IndexBox& box, std::span<std::byte> out) {
          auto* value = reinterpret_cast<float*>(out.data());
          for (std::int64_t n = 0; n < product(box.size); ++n) {
            const Index3 in = unlinear(n, box.size);
            for (int c = 0; c < components; ++c)
              *value++ = nodeValue(box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2], c);
          }
        });
    m_data = fields::openBoxes(reader, {.pageEdge = edge, .threads = false, .name = "the benchmark's array"},
                               {}, account);
    fields::PagedDataOptions options;
    options.arrays = {"values"};
    options.processors = processors;
    options.tasksPerProcessor = 1;
    m_paged = std::make_unique<fields::PagedData>(*m_data, account, options);
    touchAllPages();
  }

  const paging::PageLayout& layout() const { return m_paged->cache().array(0).layout; }
  paging::CacheCounters counters() const { return m_paged->cache().counters(); }

  template <int C>
  std::vector<Walk> run(std::span<const Path> paths, bool dependent, std::stop_token stop) {
    std::vector<Walk> walks(paths.size());
    tasks::TaskGroup group;
    group.name = "gathers";
    group.count = paths.size();
    group.admission = &m_paged->admission();
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      paging::Cursor cursor(m_paged->cache(), context, m_paged->plan().mode);
      const int slot = cursor.bind(0);
      const auto gather = [&](const GatherCell& cell, double* out) {
        const paging::GatherTarget target{slot, out};
        cursor.gatherCell({cell.i, cell.j, cell.k}, {&target, 1});
      };
      walks[n] = walk<C>(paths[n], dependent, gather);
    };
    m_paged->makeScheduler()->run(group, stop);
    return walks;
  }

 private:
  void touchAllPages() {
    const paging::PageLayout cut = layout();
    tasks::TaskGroup group;
    group.name = "reading";
    group.count = 1;
    group.admission = &m_paged->admission();
    group.run = [&](std::size_t, tasks::TaskContext& context) {
      paging::Cursor cursor(m_paged->cache(), context, m_paged->plan().mode);
      std::vector<double> out(static_cast<std::size_t>(m_paged->cache().array(0).components));
      const paging::GatherTarget target{cursor.bind(0), out.data()};
      for (std::int64_t page = 0; page < cut.pageCount(); ++page)
        cursor.gather({cut.box(page).first, {1, 1, 1}}, {&target, 1});
    };
    m_paged->makeScheduler()->run(group, {});
    if (kPagesStay && counters().evictions > 0)
      throw Invalid("the budget does not hold the array in pages", "give more --memory");
  }

  std::unique_ptr<fields::OpenData> m_data;
  std::unique_ptr<fields::PagedData> m_paged;
};

/// Nanoseconds of CPU per gather, averaged over the threads.
double cpuNs(const std::vector<Walk>& walks, std::size_t length) {
  double sum = 0;
  for (const Walk& each : walks) sum += each.cpuSeconds;
  return sum * 1e9 / static_cast<double>(walks.size() * length);
}

struct Scheme {
  Rounds rounds;
  double sum = 0;
};

void add(Scheme& scheme, const std::vector<Walk>& walks, std::size_t length) {
  scheme.rounds.add(cpuNs(walks, length));
  scheme.sum = 0;
  for (const Walk& each : walks) scheme.sum += each.sum;
}

/// The same values as arrays and in pages.
template <int C>
struct Stored {
  const PlainArray<C>&plain, &ordinary;
  const BrickedArray<C>& bricked;
  PagedArray& paged;
};

/// In turn, so that other load affects all of them.
template <int C>
Json measurePattern(Pattern pattern, std::span<const Path> paths, const Stored<C>& stored, int rounds,
                    std::stop_token stop) {
  const bool dependent = pattern == Pattern::Dependent;
  const std::size_t length = paths[0].size();
  const auto over = [&](const auto& array) {
    return onThreads(paths.size(), [&](std::size_t thread) {
      return walk<C>(paths[thread], dependent,
                     [&](const GatherCell& cell, double* out) { array.gather(cell, out); });
    });
  };
  Scheme plain, ordinary, bricked, paged;
  for (int round = 0; round < rounds; ++round) {
    // never the same memory twice in a row: the caches would still hold it
    add(ordinary, over(stored.ordinary), length);
    add(plain, over(stored.plain), length);
    add(paged, stored.paged.template run<C>(paths, dependent, stop), length);
    add(bricked, over(stored.bricked), length);
  }
  Json out = {{"pattern", kPatterns[static_cast<int>(pattern)]},
              {"threads", paths.size()},
              {"components", C},
              {"gathers", length * paths.size()},
              {"rounds", rounds},
              {"crossingShare", crossingShare(paths[0], stored.paged.layout())},
              {"cursorNs", paged.rounds.median()},
              {"plainArrayNs", plain.rounds.median()},
              {"ordinaryArrayNs", ordinary.rounds.median()},
              {"brickedArrayNs", bricked.rounds.median()},
              {"ratioToPlain", medianRatio(paged.rounds, plain.rounds)},
              {"ratioToOrdinary", medianRatio(paged.rounds, ordinary.rounds)},
              {"ratioToBricked", medianRatio(paged.rounds, bricked.rounds)},
              {"equalSums", plain.sum == paged.sum && plain.sum == bricked.sum && plain.sum == ordinary.sum},
              {"evictions", stored.paged.counters().evictions}};
  return out;
}

/// Page edges: the default for a store of such an array, and several others.
std::vector<int> edgesFor(const Request& request, int components) {
  paging::DatasetDescription description;
  description.blocks.resize(1);
  paging::ArrayDescription& array = description.arrays.emplace_back();
  array.name = "values";
  array.components = components;
  return request.choose<std::vector<int>>({8}, {paging::pageEdgeFor(description)}, {16, 32}, {8, 16, 32, 64});
}

template <int C>
void measureArray(const Request& request, std::int64_t side, Json& results) {
  const Index3 dims{side, side, side};
  const std::size_t length = request.choose<std::size_t>(2'000, 200'000, 1'000'000, 4'000'000);
  const int rounds = request.choose(1, 11, 11, 15);
  MemoryAccount account(request.memoryBytes);
  const auto bytes = static_cast<std::uint64_t>(product(dims) * C) * sizeof(float);
  const MemoryClaim plainClaim = account.claim(Purpose::Work, 2 * bytes, "the plain arrays");
  const PlainArray<C> plain(dims, MemoryPages::Huge), ordinary(dims, MemoryPages::Ordinary);
  std::vector<int> threadCounts{1};
  if (request.processors > 1) threadCounts.push_back(request.processors);
  for (const int edge : edgesFor(request, C)) {
    request.say("hits: " + std::to_string(C) + " components, pages of " + std::to_string(edge));
    const MemoryClaim brickClaim = account.claim(Purpose::Work, 2 * bytes, "the bricked array");
    const BrickedArray<C> bricked(dims, edge);
    PagedArray paged(dims, C, edge, request.processors, account);
    for (const Pattern pattern : {Pattern::Coherent, Pattern::Dependent, Pattern::Random})
      for (const int threads : threadCounts) {
        request.throwIfStopped();
        std::vector<Path> paths;
        for (int n = 0; n < threads; ++n)
          paths.push_back(pattern == Pattern::Random ? randomPath(dims, length, 17 + n)
                                                     : coherentPath(dims, length, 17 + n));
        Json result =
            measurePattern<C>(pattern, paths, {plain, ordinary, bricked, paged}, rounds, request.stop);
        result["nodes"] = side;
        result["pageEdge"] = edge;
        results.push_back(std::move(result));
      }
  }
}

}  // namespace

Json runHits(const Request& request) {
  const bool tiny = request.extent == Extent::Tiny;
  Json results = Json::array();
  // about 64 MB each, far more than the caches hold
  measureArray<1>(request, tiny ? 33 : 256, results);
  if (!tiny) measureArray<3>(request, 176, results);
  measureArray<5>(request, tiny ? 20 : 148, results);
  Json out;
  out["what"] =
      "CPU time per gather of 2x2x2 nodes to doubles, medians of turns; limit: a plain array (in huge pages, "
      "as frames are; ordinary: in small ones)";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
