#include "bench/remote/remote.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "bench/devices/tcp_relay.h"
#include "bench/remote/bare_line.h"
#include "bench/shared/measure.h"
#include "bench/shared/page_store.h"
#include "core/base/error.h"
#include "core/fields/data/store_data.h"
#include "core/paging/sources/source_wait.h"
#include "remote/client/remote_data.h"
#include "remote/server/server.h"

namespace farfield::bench {
namespace {

using namespace std::chrono_literals;

struct Line {
  const char* name;
  std::chrono::microseconds oneWay;
  double bytesPerSecond;  ///< of each server; 0: no limit
  int servers = 1;        ///< with copies
  std::chrono::milliseconds cutEvery{0};
  bool allWays = true;  ///< else as this program reads
};
constexpr Line kLines[] = {{"loopback", 0us, 0},
                           {"50 ms, 1 Gbit/s", 25000us, 125e6},
                           {"150 ms, 1 Gbit/s", 75000us, 125e6, 1, 0ms, false},
                           {"two servers, 50 ms, 0.5 Gbit/s each", 25000us, 62.5e6, 2, 0ms, false},
                           {"50 ms, 1 Gbit/s, cut every 2 s", 25000us, 125e6, 1, 2000ms, false}};

/// Reads of smaller pages are only measured over the first two links.
constexpr int kLeastEdgeElsewhere = 8;
/// Of pages asked for as this program asks: groups of so many, so many on their way.
constexpr std::uint64_t kTogether = 64, kAhead = 2000;
constexpr std::uint64_t kStagingBytes = std::uint64_t{64} << 20;
/// How often one operation alone is measured.
constexpr int kAlone = 51;

/// Servers of a folder, at the other end of a link.
class Place {
 public:
  Place(const std::filesystem::path& folder, const Line& line) {
    m_readers.add(std::make_unique<fields::StoreDataReader>());
    remote::ServerOptions options;
    options.exports = {{"", folder}};
    const bool isFar = line.oneWay > 0us || line.bytesPerSecond > 0;
    for (int n = 0; n < line.servers; ++n) {
      m_servers.push_back(std::make_unique<remote::Server>(options, m_readers));
      remote::Server& server = *m_servers.back();
      m_threads.emplace_back([&server] { server.run(); });
      if (isFar)
        m_relays.push_back(std::make_unique<TcpRelay>(RelayOptions{.target = server.address(),
                                                                   .delay = line.oneWay,
                                                                   .bytesPerSecond = line.bytesPerSecond,
                                                                   .cutEvery = line.cutEvery}));
    }
    if (isFar)
      m_bareRelay.emplace(RelayOptions{.target = m_bare.address(),
                                       .delay = line.oneWay,
                                       .bytesPerSecond = line.bytesPerSecond * line.servers});
  }
  ~Place() {
    for (const auto& server : m_servers) server->stop();
    for (std::thread& thread : m_threads) thread.join();
  }
  std::string url(const std::string& file) const {
    std::string hosts;
    for (std::size_t n = 0; n < m_servers.size(); ++n)
      hosts += (n > 0 ? "," : "") + (m_relays.empty() ? m_servers[n]->address() : m_relays[n]->address());
    return "far://" + hosts + "/" + file;
  }
  std::string bareAddress() const { return m_bareRelay ? m_bareRelay->address() : m_bare.address(); }

 private:
  fields::ReaderRegistry m_readers;
  std::vector<std::unique_ptr<remote::Server>> m_servers;
  std::vector<std::thread> m_threads;
  BareSender m_bare;
  std::vector<std::unique_ptr<TcpRelay>> m_relays;
  std::optional<TcpRelay> m_bareRelay;
};

class Counter final : public paging::PageSink {
 public:
  void arrived(std::uint64_t, const paging::StoredPage& page) noexcept override {
    if (!page.hasChecksum || paging::checksum(page.bytes) != page.checksum) right = false;
    bytes += page.bytes.size();
    ++ended;
  }
  void failed(std::uint64_t, std::exception_ptr) noexcept override {
    right = false;
    ++ended;
  }
  std::atomic<std::uint64_t> ended{0}, bytes{0};
  std::atomic<bool> right{true};
};

/// The pages of a store on a server, one after the other, repeatedly.
class Pages {
 public:
  Pages(const Place& place, const std::string& file)
      : m_data(remote::RemoteDataReader().open({{place.url(file)}, {}, "", {}}, m_account)) {
    m_sources = m_data->makeSources(m_account, {.stagingBytes = kStagingBytes});
    m_count = static_cast<std::uint64_t>(m_data->description().arrays.front().pageCount());
  }
  paging::PageSource& source() { return *m_sources.front(); }
  std::uint64_t count() const { return m_count; }
  paging::PageRequest next(Counter& counter) {
    return {.array = 0, .page = m_next.fetch_add(1) % m_count, .sink = &counter, .tag = 0};
  }

 private:
  MemoryAccount m_account{std::uint64_t{256} << 20};
  std::unique_ptr<fields::OpenData> m_data;
  std::vector<std::unique_ptr<paging::PageSource>> m_sources;
  std::uint64_t m_count = 0;
  std::atomic<std::uint64_t> m_next{0};
};

void synchronous(Pages& pages, Counter& all, std::uint64_t count) {
  for (std::uint64_t n = 0; n < count; ++n) {
    const paging::PageRequest one = pages.next(all);
    pages.source().read({&one, 1});
    paging::reapUntil(pages.source(), [&] { return all.ended > n; });
  }
}

/// `threads` of them, each synchronous.
void pool(Pages& pages, Counter& all, std::uint64_t count, std::uint64_t threads) {
  std::atomic<std::uint64_t> left{count};
  const auto work = [&] {
    Counter own;
    for (std::uint64_t n = 1;; ++n) {
      std::uint64_t was = left;
      while (was > 0 && !left.compare_exchange_weak(was, was - 1)) {
      }
      if (was == 0) break;
      const paging::PageRequest one = pages.next(own);
      pages.source().read({&one, 1});
      paging::reapUntil(pages.source(), [&] { return own.ended == n; });
    }
    all.bytes += own.bytes;
    all.ended += own.ended;
    if (!own.right) all.right = false;
  };
  std::vector<std::thread> workers;
  for (std::uint64_t n = 0; n < threads; ++n) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
}

/// A thread for each operation.
void threaded(Pages& pages, Counter& all, std::uint64_t count) {
  constexpr std::uint64_t kAtOnce = 200;
  for (std::uint64_t done = 0; done < count; done += kAtOnce) {
    const std::uint64_t some = std::min(kAtOnce, count - done);
    pool(pages, all, some, some);
  }
}

/// `together` in a request; up to `ahead` requests are on their way, or, with 0, one.
void inGroups(Pages& pages, Counter& all, std::uint64_t count, std::uint64_t together, std::uint64_t ahead) {
  std::vector<paging::PageRequest> group;
  for (std::uint64_t asked = 0; asked < count;) {
    group.clear();
    for (std::uint64_t n = 0; n < std::min(together, count - asked); ++n) group.push_back(pages.next(all));
    pages.source().read(group);
    asked += group.size();
    paging::reapUntil(pages.source(), [&] { return all.ended + (asked < count ? ahead : 0) >= asked; });
  }
}

struct Way {
  const char* name;
  std::uint64_t near, far;  ///< operations, per thousand of those of the extent
  void (*run)(Pages&, Counter&, std::uint64_t);
};
constexpr Way kWays[] = {
    {"synchronous", 200, 4, synchronous},
    {"threaded", 100, 100, threaded},
    {"pool of 64", 500, 100, [](Pages& p, Counter& c, std::uint64_t n) { pool(p, c, n, 64); }},
    {"bulk of 1,000", 1000, 1000, [](Pages& p, Counter& c, std::uint64_t n) { inGroups(p, c, n, 1000, 0); }},
    {"pipeline", 1000, 1000, [](Pages& p, Counter& c, std::uint64_t n) { inGroups(p, c, n, 1, 1000); }},
    {"bulk and pipeline (as pages are read)", 1000, 1000,
     [](Pages& p, Counter& c, std::uint64_t n) { inGroups(p, c, n, kTogether, kAhead); }},
};

Json rowOf(const Line& line, const char* way, std::uint64_t operations, double seconds,
           const Counter& counter, double stream, double pipeline) {
  const double rate = static_cast<double>(counter.bytes) / seconds;
  return {{"link", line.name},
          {"way", way},
          {"operations", operations},
          {"pageBytes", operations ? counter.bytes / operations : 0},
          {"operationsPerSecond", static_cast<double>(operations) / seconds},
          {"mbPerSecond", rate / 1e6},
          {"streamMbPerSecond", stream / 1e6},
          {"shareOfStream", stream > 0 ? rate / stream : 0},
          {"pipelinePerSecond", pipeline},
          {"shareOfPipeline", pipeline > 0 ? static_cast<double>(operations) / seconds / pipeline : 0},
          {"rightPages", counter.right.load()}};
}

/// One operation alone, most of which is waiting.
Json aloneRow(const Place& place, const Line& line, const std::string& file, const Way& way, double stream) {
  Pages pages(place, file);
  Rounds seconds;
  Counter counter;
  for (int n = 0; n < kAlone; ++n) {
    Counter its;
    const Stopwatch watch;
    way.run(pages, its, 1);
    seconds.add(watch.seconds());
    counter.bytes = its.bytes.load();
    if (!its.right) counter.right = false;
  }
  Json row = rowOf(line, way.name, 1, seconds.median(), counter, stream, 0);
  row["microseconds"] = seconds.median() * 1e6;
  return row;
}

}  // namespace

Json runRemote(const Request& request) {
  const auto operations = request.choose<std::uint64_t>(200, 2000, 20000, 100000);
  const auto splitBytes = request.choose<std::uint64_t>(4, 16, 128, 256) << 20;
  const int rounds = request.choose(1, 3, 5, 5);
  std::filesystem::create_directories(request.folder);
  // pages of 4 KiB for operations per second; of 2 KiB to 1 MiB for one read split into more and more
  // operations
  struct Store {
    const char* file;
    int edge, components;
  };
  constexpr Store kSmall = {"small.h5", 8, 2};
  constexpr Store kSplit[] = {{"split8m.h5", 128, 1}, {"split1m.h5", 64, 1}, {"split128k.h5", 32, 1},
                              {"split32k.h5", 16, 2}, {"split2k.h5", 8, 1},  {"split256.h5", 4, 1}};
  const auto write = [&](const Store& store, std::uint64_t bytes) {
    request.throwIfStopped();
    writePageStore(request, request.folder / store.file, store.edge, store.components, bytes);
  };
  write(kSmall, splitBytes);
  // there are eight pages at least
  const auto fits = [&](const Store& store) {
    return std::pow(store.edge, 3) * store.components * sizeof(float) * 8 <= static_cast<double>(splitBytes);
  };
  for (const Store& store : kSplit)
    if (fits(store)) write(store, splitBytes);
  Json rows = Json::array();
  for (const Line& line : kLines) {
    const Place place(request.folder, line);
    const bool isFar = line.oneWay > 0us;
    Rounds stream;
    for (int n = 0; n < rounds; ++n) stream.add(bareStreamRate(place.bareAddress(), 2 * splitBytes));
    const auto measure = [&](const char* way, const char* file, std::uint64_t count,
                             const std::function<void(Pages&, Counter&, std::uint64_t)>& run) {
      request.throwIfStopped();
      request.say(std::string(line.name) + ": " + way);
      Pages pages(place, file);
      const std::uint64_t its = count ? count : pages.count();
      // the server has the pages in memory, and the connection exists
      Counter warm;
      inGroups(pages, warm, std::min<std::uint64_t>(pages.count(), 4000), kTogether, kAhead);
      // A round is both, one after the other: what else the machine does then is in both.
      std::vector<std::pair<double, Json>> results;
      for (int n = 0; n < rounds; ++n) {
        Counter counter;
        const Stopwatch watch;
        const double cpuBefore = processCpuSeconds();
        run(pages, counter, its);
        const double seconds = watch.seconds(), cpuBetween = processCpuSeconds();
        const double pipeline = barePipelineRate(
            place.bareAddress(), its,
            static_cast<std::uint32_t>(counter.bytes / std::max<std::uint64_t>(1, its)), kAhead, kTogether);
        Json row = rowOf(line, way, its, seconds, counter, stream.median(), pipeline);
        const double each = 1e6 / static_cast<double>(its);
        row["cpuMicroseconds"] = (cpuBetween - cpuBefore) * each;
        row["pipelineCpuMicroseconds"] = (processCpuSeconds() - cpuBetween) * each;
        results.emplace_back(seconds, std::move(row));
      }
      std::sort(results.begin(), results.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      rows.push_back(results[results.size() / 2].second);
    };
    for (const Way& way : kWays) {
      if (!line.allWays && &way != std::end(kWays) - 1) continue;
      measure(way.name, kSmall.file,
              std::max<std::uint64_t>(5, operations * (isFar ? way.far : way.near) / 1000), way.run);
      if (!isFar) rows.push_back(aloneRow(place, line, kSmall.file, way, stream.median()));
    }
    for (const Store& store : kSplit)
      if (fits(store) && (line.allWays || store.edge > kLeastEdgeElsewhere))
        measure("one read, split", store.file, 0,
                [](Pages& p, Counter& c, std::uint64_t n) { inGroups(p, c, n, kTogether, n); });
  }
  std::filesystem::remove(request.folder / kSmall.file);
  for (const Store& store : kSplit)
    if (fits(store)) std::filesystem::remove(request.folder / store.file);
  return {{"results", rows}};
}

}  // namespace farfield::bench
