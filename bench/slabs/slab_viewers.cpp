#include "bench/slabs/slab_viewers.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "bench/devices/tcp_relay.h"
#include "bench/shared/measure.h"
#include "bench/slabs/recorded_rank.h"
#include "bench/slabs/slab_pictures.h"
#include "bench/slabs/slab_volume.h"
#include "core/base/error.h"
#include "remote/slabd/gateway.h"
#include "remote/slabs/slab_viewer.h"

namespace farfield::bench {
namespace {

using namespace std::chrono_literals;

constexpr const char* kSecret = "of this benchmark";
constexpr std::uint32_t kRanks = 2;
constexpr int kRecorded = 4, kSteps = 1 << 16;
/// Of a processor, that steps may take to arrive, sender included.
constexpr double kShare = 0.1;

struct Link {
  const char* name;
  std::chrono::microseconds oneWay;
  double bytesPerSecond;
};
constexpr Link kLinks[] = {{"this machine", 0us, 0}, {"50 ms, 100 Mbit/s", 25000us, 12.5e6}};

/// Asks for one step after the other while it lives and is not held, so that they take `kShare` of a processor.
class Arriving {
 public:
  Arriving(remote::SlabViewer& viewer, remote::ShowRequest show, MemoryAccount& account, double interval)
      : m_viewer(viewer), m_show(std::move(show)), m_account(account), m_interval(interval) {
    next();
    m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  std::shared_ptr<const scene::SlabSet> current() const {
    const std::lock_guard lock(m_mutex);
    return m_set;
  }
  void hold(bool held) { m_held = held; }
  /// Throws what went wrong.
  void check() const {
    const std::lock_guard lock(m_mutex);
    if (m_failure) std::rethrow_exception(m_failure);
  }
  Rounds delays() const {
    const std::lock_guard lock(m_mutex);
    return m_delays;
  }

 private:
  void next() {
    const Stopwatch watch;
    auto set = m_viewer.slabs(m_show, m_account, {});
    const std::lock_guard lock(m_mutex);
    m_delays.add(watch.seconds());
    m_set = std::move(set);
    m_show.step = (m_show.step + 1) % kSteps;
  }
  void run(const std::stop_token& stop) {
    Stopwatch since;
    while (!stop.stop_requested()) try {
        if (m_held || since.seconds() < m_interval) {
          std::this_thread::sleep_for(5ms);
          continue;
        }
        since = {};
        next();
      } catch (...) {
        const std::lock_guard lock(m_mutex);
        m_failure = std::current_exception();
        return;
      }
  }

  remote::SlabViewer& m_viewer;
  remote::ShowRequest m_show;
  MemoryAccount& m_account;
  const double m_interval;
  std::atomic<bool> m_held{false};
  mutable std::mutex m_mutex;
  std::shared_ptr<const scene::SlabSet> m_set;
  Rounds m_delays;
  std::exception_ptr m_failure;
  std::jthread m_thread;
};

/// Pictures a second of a view that turns to and fro within 15 degrees of the axis, for so long.
double framesPerSecond(const Request& request, const SlabVolume& volume, const Arriving& arriving, int side,
                       double seconds) {
  const Stopwatch watch;
  int frames = 0;
  for (; watch.seconds() < seconds || frames == 0; ++frames) {
    request.throwIfStopped();
    volume.drawn(*arriving.current(), volume.cameraAt(frames % 30 - 15), side);
  }
  arriving.check();
  return frames / watch.seconds();
}

Json rowOf(const Request& request, const Link& link, const SlabVolume& volume,
           const std::vector<SlabVolume::Slabs>& recorded, const remote::ShowRequest& show) {
  const int side = request.choose(48, 256, 512, 512), rounds = request.choose(1, 3, 7, 11);
  const double seconds = request.choose(0.05, 1.0, 3.0, 5.0);
  request.say(std::string("slab-viewer: ") + link.name);
  remote::GatewayOptions options;
  options.ranks = kRanks;
  options.slabs = kSlabsOfVolume;
  options.secret = kSecret;
  options.facts = volume.facts();
  options.facts.times.assign(kSteps, 0);
  remote::Gateway gateway(std::move(options));
  std::vector<std::unique_ptr<RecordedRank>> ranks;
  for (std::uint32_t n = 0; n < kRanks; ++n)
    ranks.push_back(std::make_unique<RecordedRank>(n, kSecret, gateway.rankPort(), recorded));
  gateway.waitForRanks();
  std::optional<TcpRelay> relay;
  if (link.bytesPerSecond > 0)
    relay.emplace(RelayOptions{
        .target = gateway.address(), .delay = link.oneWay, .bytesPerSecond = link.bytesPerSecond});
  remote::SlabViewer viewer("slab://" + (relay ? relay->address() : gateway.address()), {});
  MemoryAccount account(request.memoryBytes);
  // what a step costs, all sides together
  constexpr int kTried = 5;
  remote::ShowRequest its = show;
  const double before = processCpuSeconds();
  for (int n = 0; n < kTried; ++n, ++its.step) viewer.slabs(its, account, {});
  const double cpuOfStep = (processCpuSeconds() - before) / kTried;
  Arriving arriving(viewer, its, account, cpuOfStep / kShare);
  Rounds idle, busy;
  for (int round = 0; round < rounds; ++round)
    // by turns, so that other load affects both
    for (const bool held : {round % 2 == 0, round % 2 != 0}) {
      arriving.hold(held);
      if (held) std::this_thread::sleep_for(std::chrono::duration<double>(2 * arriving.delays().median()));
      (held ? idle : busy).add(framesPerSecond(request, volume, arriving, side, seconds));
    }
  return {{"link", link.name},
          {"pixels", side},
          {"slabs", kSlabsOfVolume},
          {"bytesOfStep", recorded.front().bytes},
          {"cpuSecondsOfStep", cpuOfStep},
          {"secondsBetweenSteps", cpuOfStep / kShare},
          {"stepSeconds", arriving.delays().median()},
          {"steps", arriving.delays().values().size()},
          {"framesPerSecondIdle", idle.median()},
          {"framesPerSecondArriving", busy.median()},
          {"arrivingOfIdle", medianRatio(busy, idle)}};
}

}  // namespace

Json runSlabViewers(const Request& request) {
  const int edge = request.choose(24, 64, 128, 256), pixels = request.choose(48, 256, 512, 512);
  request.say("slab-viewer: steps are recorded");
  SlabVolume volume(request, edge, kRecorded);
  std::vector<SlabVolume::Slabs> recorded;
  for (int step = 0; step < kRecorded; ++step) recorded.push_back(volume.slabs(2, pixels, true, step));
  Json rows = Json::array();
  for (const Link& link : kLinks)
    rows.push_back(rowOf(request, link, volume, recorded, volume.show(2, pixels, true)));
  return {{"nodes", edge}, {"results", std::move(rows)}};
}

Json runSlabBytes(const Request& request) {
  return {{"results", slabBytes(request)}};
}

}  // namespace farfield::bench
