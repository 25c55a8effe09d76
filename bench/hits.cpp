#include "bench/hits.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "bench/gather_arrays.h"
#include "bench/measure.h"
#include "core/base/error.h"
#include "core/fields/box_data.h"
#include "core/fields/paged_data.h"
#include "core/paging/convert/page_edge.h"
#include "core/paging/pool/line_trail.h"
#include "core/paging/sources/computed_reader.h"

namespace farfield::bench {
namespace {

enum class Pattern {
  Coherent,   ///< neighbouring cells, known before: a processor begins many gathers before one has ended
  Dependent,  ///< the same cells, each found with what the gather before gave: how a line is traced
  Random,     ///< known before, too, and not told to the cursor
};
constexpr const char* kPatterns[] = {"coherent", "dependent", "random"};

struct Path {
  std::vector<GatherCell> cells;
  std::vector<Vec3> positions;  ///< of a line in those cells: in index space
};

/// A line that bends slowly and is thrown back by the walls, one cell further each time: what a streamline
/// asks for.
Path coherentPath(const Index3& dims, std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  Path path{std::vector<GatherCell>(length), std::vector<Vec3>(length)};
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
    path.cells[n] = {static_cast<std::int32_t>(at.x), static_cast<std::int32_t>(at.y),
                     static_cast<std::int32_t>(at.z)};
    path.positions[n] = at;
  }
  return path;
}

Path randomPath(const Index3& dims, std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Path path{std::vector<GatherCell>(length), {}};
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(n));
  };
  for (GatherCell& cell : path.cells) cell = {below(dims[0] - 1), below(dims[1] - 1), below(dims[2] - 1)};
  return path;
}

/// The share of gathers that do not lie in one page.
double crossingShare(const Path& path, const paging::PageLayout& layout) {
  std::size_t crossing = 0;
  for (const GatherCell& cell : path.cells) {
    const Index3 low{cell.i, cell.j, cell.k}, high{cell.i + 1, cell.j + 1, cell.k + 1};
    crossing += layout.pageOf(low) != layout.pageOf(high);
  }
  return static_cast<double>(crossing) / static_cast<double>(path.cells.size());
}

/// What one thread's walk along its path gave.
struct Walk {
  double sum = 0;  ///< of some of the values: the same whatever they were gathered from
  double wallSeconds = 0, cpuSeconds = 0;
};

/// What the cursor is told of the cells to come: nothing; where the line leads, as the sampler of lines does;
/// or what the list of cells says, as only who knows them before can.
enum class Told { Nothing, Trail, List };
/// Who knows the cells to come asks for them so many gathers before.
constexpr std::size_t kKnownAhead = 8;
const GatherCell& later(std::span<const GatherCell> path, std::size_t n) {
  return path[std::min(n + kKnownAhead, path.size() - 1)];
}

/// 0, of one value of each corner: those of nodeValue() are below 1. Nobody but the processor can tell, and
/// it only when all of them are there.
template <int C>
std::int32_t zeroOf(const double* out) {
  const double low = (out[0] + out[C]) + (out[2 * C] + out[3 * C]);
  const double high = (out[4 * C] + out[5 * C]) + (out[6 * C] + out[7 * C]);
  return static_cast<std::int32_t>((low + high) * 0.125);
}

/// Gathers each cell of the path: `gather(cell, out)` and then `ask(n, zero)` for number n of it. `zero` is
/// 0, which is known when the path's cell is.
template <int C, class Gather, class Ask>
Walk walk(std::span<const GatherCell> path, bool dependent, Gather&& gather, Ask&& ask) {
  double out[8 * C];
  Walk result;
  const Stopwatch watch;
  const double cpu = threadCpuSeconds();
  std::int32_t zero = 0;
  for (std::size_t n = 0; n < path.size(); ++n) {
    const GatherCell cell{path[n].i + zero, path[n].j + zero, path[n].k + zero};
    gather(cell, out);
    ask(n, zero);
    // All values count, or the compiler leaves out those loads of inlined gathers that the sum does not need.
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

/// The array as a data set of one regular block, all of it in pages that stay.
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

  const paging::PageLayout& layout() const { return m_paged->pool().array(0).layout; }
  paging::PoolCounters counters() const { return m_paged->pool().counters(); }

  template <int C>
  std::vector<Walk> run(std::span<const Path> paths, bool dependent, Told told, std::stop_token stop) {
    std::vector<Walk> walks(paths.size());
    tasks::TaskGroup group;
    group.name = "gathers";
    group.count = paths.size();
    group.admission = &m_paged->admission();
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      paging::Cursor cursor(m_paged->pool(), context, m_paged->plan().mode);
      const int slot = cursor.bind(0);
      const auto gather = [&](const GatherCell& cell, double* out) {
        const paging::GatherTarget target{slot, out};
        cursor.gatherCell({cell.i, cell.j, cell.k}, {&target, 1});
      };
      paging::LineTrail trail;
      const std::span<const GatherCell> path = paths[n].cells;
      switch (told) {
        case Told::Nothing:
          walks[n] = walk<C>(path, dependent, gather, [](std::size_t, std::int32_t) {});
          break;
        case Told::Trail:
          walks[n] = walk<C>(path, dependent, gather, [&](std::size_t at, std::int32_t zero) {
            const Vec3& position = paths[n].positions[at];
            const double late = zero;
            cursor.prefetchCell(trail.goOn(dependent ? position + Vec3{late, late, late} : position));
          });
          break;
        case Told::List:
          walks[n] = walk<C>(path, dependent, gather, [&](std::size_t at, std::int32_t) {
            const GatherCell& cell = later(path, at);
            cursor.prefetchCell({cell.i, cell.j, cell.k});
          });
          break;
      }
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
      paging::Cursor cursor(m_paged->pool(), context, m_paged->plan().mode);
      std::vector<double> out(static_cast<std::size_t>(m_paged->pool().array(0).components));
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

/// By turns, so that what else the machine does falls on all of them.
template <int C>
Json measurePattern(Pattern pattern, std::span<const Path> paths, const Stored<C>& stored, int rounds,
                    std::stop_token stop) {
  const bool dependent = pattern == Pattern::Dependent, coherent = pattern == Pattern::Coherent;
  const std::size_t length = paths[0].cells.size();
  const auto over = [&](const auto& array, auto&& ask) {
    return onThreads(paths.size(), [&](std::size_t thread) {
      const std::span<const GatherCell> path = paths[thread].cells;
      return walk<C>(
          path, dependent, [&](const GatherCell& cell, double* out) { array.gather(cell, out); },
          [&](std::size_t n, std::int32_t) { ask(path, n); });
    });
  };
  const auto askNothing = [](std::span<const GatherCell>, std::size_t) {};
  const auto askPlain = [&](std::span<const GatherCell> path, std::size_t n) {
    stored.plain.prefetch(later(path, n));
  };
  const auto throughPages = [&](Told told) {
    return stored.paged.template run<C>(paths, dependent, told, stop);
  };
  // At random neither a trail leads on, nor do the pages of eight cells find room beside each other.
  const Told told = coherent ? Told::List : dependent ? Told::Trail : Told::Nothing;
  Scheme plain, asked, ordinary, bricked, paged, pagedByTrail, pagedUntold;
  for (int round = 0; round < rounds; ++round) {
    // No memory twice in a row: the caches would still hold what the second one needs.
    add(ordinary, over(stored.ordinary, askNothing), length);
    if (coherent) add(pagedUntold, throughPages(Told::Nothing), length);
    add(plain, over(stored.plain, askNothing), length);
    add(paged, throughPages(told), length);
    add(bricked, over(stored.bricked, askNothing), length);
    if (coherent) add(pagedByTrail, throughPages(Told::Trail), length);
    if (coherent) add(asked, over(stored.plain, askPlain), length);
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
              {"equalSums", plain.sum == paged.sum && plain.sum == bricked.sum && plain.sum == ordinary.sum &&
                                (!coherent || (plain.sum == pagedByTrail.sum &&
                                               plain.sum == pagedUntold.sum && plain.sum == asked.sum))},
              {"evictions", stored.paged.counters().evictions}};
  if (coherent) {
    out["cursorByTrailNs"] = pagedByTrail.rounds.median();
    out["ratioByTrailToPlain"] = medianRatio(pagedByTrail.rounds, plain.rounds);
    out["cursorUntoldNs"] = pagedUntold.rounds.median();
    out["ratioUntoldToPlain"] = medianRatio(pagedUntold.rounds, plain.rounds);
    out["askedArrayNs"] = asked.rounds.median();
    out["ratioToAsked"] = medianRatio(paged.rounds, asked.rounds);  // both know the cells
  }
  return out;
}

/// Of pages: as a store of such an array is cut unless somebody asks for another edge, or several.
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
  // About 64 MB each, far more than the caches hold.
  measureArray<1>(request, tiny ? 33 : 256, results);
  if (!tiny) measureArray<3>(request, 176, results);
  measureArray<5>(request, tiny ? 20 : 148, results);
  Json out;
  out["what"] =
      "CPU time per gather of 2x2x2 nodes to doubles, medians of turns; limit: a plain array (in huge pages, "
      "as frames are; ordinary: in small ones; asked: with cells known before asked for as through pages)";
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
