#include "bench/slabs/slab_ranks.h"

#include <algorithm>
#include <barrier>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "bench/shared/measure.h"
#include "bench/slabs/slab_rank.h"
#include "bench/slabs/slab_series.h"
#include "core/fields/samples/sample.h"
#include "remote/slabd/slab_loader.h"

namespace farfield::bench {
namespace {

/// Reading takes so much longer than rendering: what it computes itself has room beside ranks that take all processors.
constexpr double kLoadOverRender = 2;
/// Of the rounds that measure rendering alone.
constexpr std::int64_t kAlone = 3;

struct Taken {
  Rounds loads, renders;  ///< of each step, all ranks together
  double seconds = 0;
  std::uint64_t sum = 0, peak = 0;
};

/// Ranks, a thread each, that begin each part of a step together.
class Ranks {
 public:
  Ranks(const Request& request, const SlabSeries& series, std::int64_t steps, std::uint32_t count, int pixels)
      : m_request(request), m_steps(steps) {
    Request share = request;
    share.memoryBytes = request.memoryBytes / count;
    share.processors = 1;
    for (std::uint32_t n = 0; n < count; ++n)
      m_ranks.push_back(
          std::make_unique<SlabRank>(share, series, steps, SlabShare{"value", pixels, n, count}));
  }

  /// Each step read by all, then rendered by all.
  Taken inTurn() {
    return together([this](SlabRank& rank, std::int64_t step, const Meet& meet) {
      rank.load(step);
      meet(&Taken::loads);
      rank.render(step);
      meet(&Taken::renders);
    });
  }

  /// Each rendered by all while each rank reads the next.
  Taken atOnce() {
    std::vector<remote::SlabLoader> loaders(m_ranks.size());
    return together([this, &loaders](SlabRank& rank, std::int64_t step, const Meet& meet) {
      remote::SlabLoader& loader = loaders[rankNumber(rank)];
      if (step == 0) rank.load(0);
      loader.wait();
      if (step + 1 < m_steps) loader.start(rank.loading(step + 1), static_cast<std::uint64_t>(step + 1));
      rank.render(step);
      meet(nullptr);
    });
  }

 private:
  using Meet = std::function<void(Rounds Taken::*what)>;

  std::size_t rankNumber(const SlabRank& rank) const {
    return static_cast<std::size_t>(
        std::find_if(m_ranks.begin(), m_ranks.end(), [&](const auto& each) { return each.get() == &rank; }) -
        m_ranks.begin());
  }

  template <class Work>
  Taken together(const Work& work) {
    Taken taken;
    std::exception_ptr failure;
    std::mutex mutex;
    Rounds Taken::*measured = nullptr;
    Stopwatch part;
    const auto done = [&]() noexcept {
      if (measured) (taken.*measured).add(part.seconds());
      part = {};
    };
    std::barrier barrier(static_cast<std::ptrdiff_t>(m_ranks.size()), done);
    const Stopwatch watch;
    {
      std::vector<std::jthread> threads;
      for (const auto& rank : m_ranks)
        threads.emplace_back([&, its = rank.get()] {
          const Meet meet = [&](Rounds Taken::*what) {
            if (its == m_ranks.front().get()) measured = what;
            barrier.arrive_and_wait();
          };
          try {
            for (std::int64_t step = 0; step < m_steps; ++step) {
              m_request.throwIfStopped();
              work(*its, step, meet);
            }
          } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            barrier.arrive_and_drop();
          }
        });
    }
    taken.seconds = watch.seconds();
    if (failure) std::rethrow_exception(failure);
    for (const auto& rank : m_ranks) {
      taken.sum += rank->sum();
      taken.peak += rank->peakBytes();
    }
    return taken;
  }

  const Request& m_request;
  const std::int64_t m_steps;
  std::vector<std::unique_ptr<SlabRank>> m_ranks;
};

Json rowOf(const Request& request, SlabSeries& series, std::int64_t steps, std::uint32_t count, int pixels) {
  const int rounds = request.choose(1, 1, 3, 1);
  const OnProcessors only(request.processors);
  const std::string who = "slab-ranks: " + std::to_string(count) + " ranks";
  request.say(who + ", rendering alone");
  series.setBytesPerSecond(0);
  const std::uint64_t before = series.bytesServed();
  const std::int64_t tried = std::min(steps, kAlone);
  const Taken alone = Ranks(request, series, tried, count, pixels).inTurn();
  // with what two ranks both need
  const std::uint64_t bytesRead = (series.bytesServed() - before) / static_cast<std::uint64_t>(tried);
  const double bytesPerSecond = static_cast<double>(bytesRead) / (kLoadOverRender * alone.renders.median());
  series.setBytesPerSecond(bytesPerSecond / count);
  Rounds loads, renders, serial, overlapped, ofModel;
  std::uint64_t peak = 0;
  bool equal = true;
  for (int round = 0; round < rounds; ++round) {
    request.say(who + ", round " + std::to_string(round + 1));
    const Taken inTurn = Ranks(request, series, steps, count, pixels).inTurn();
    const Taken atOnce = Ranks(request, series, steps, count, pixels).atOnce();
    const double load = inTurn.loads.median(), render = inTurn.renders.median();
    loads.add(load);
    renders.add(render);
    serial.add(inTurn.seconds);
    overlapped.add(atOnce.seconds);
    ofModel.add(static_cast<double>(steps) * std::max(load, render) + std::min(load, render));
    peak = std::max(peak, atOnce.peak);
    equal = equal && inTurn.sum == atOnce.sum;
  }
  return {{"ranks", count},
          {"slabs", std::max(kSlabsOfRank, count)},
          {"nodes", series.description().blocks[0].dims},
          {"steps", steps},
          {"bytesOfStep", series.bytesOfStep()},
          {"bytesReadOfStep", bytesRead},
          {"bytesPerSecond", bytesPerSecond},
          {"loadSeconds", loads.median()},
          {"renderSeconds", renders.median()},
          {"serialSeconds", serial.median()},
          {"overlappedSeconds", overlapped.median()},
          {"modelSeconds", ofModel.median()},
          {"overlappedOfModel", medianRatio(overlapped, ofModel)},
          {"overlappedOfSerial", medianRatio(overlapped, serial)},
          {"modelOfSerial", medianRatio(ofModel, serial)},
          {"budgetPeakBytes", peak},
          {"equalSums", equal}};
}

}  // namespace

Json runSlabRanks(const Request& request) {
  samples::SampleOptions sample;
  sample.size = request.choose<Index3>({64, 32, 64}, {160, 64, 64}, {320, 128, 128}, {640, 256, 256});
  const std::int64_t steps = request.choose(2, 6, 10, 20);
  const int pixels = request.choose(48, 160, 320, 640);
  request.say("slab-ranks: a series of " + std::to_string(steps) + " steps");
  SlabSeries series(*samples::makeSample("turbulence", sample), steps);
  Json rows = Json::array();
  for (const std::uint32_t count : {4u, 8u}) rows.push_back(rowOf(request, series, steps, count, pixels));
  return {{"results", std::move(rows)}};
}

}  // namespace farfield::bench
