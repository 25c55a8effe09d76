#include "remote/http/http_engine.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>

#include "core/base/error.h"
#include "core/trace/trace.h"

namespace farfield::http {
namespace {

using Clock = std::chrono::steady_clock;
/// A request costs about as much as reading so many bytes.
constexpr std::uint64_t kGapBytes = 32 * 1024;
constexpr int kReapedPerCall = 64;

class HttpEngine final : public paging::ReadEngine {
 public:
  HttpEngine(std::vector<std::shared_ptr<const HttpObject>> objects, std::shared_ptr<Transfers> transfers,
             int depth)
      : m_objects(std::move(objects)), m_transfers(std::move(transfers)), m_depth(depth) {
    m_event = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (m_event < 0) throw ioError("no descriptor for waiting", errno);
  }
  ~HttpEngine() override {
    stop();
    ::close(m_event);
  }
  void serve(paging::ReadClient& client) override { m_client = &client; }
  const char* name() const override { return "http"; }
  int depth() const override { return m_depth; }
  std::uint64_t gapWorthReading() const override { return kGapBytes; }

  void start() noexcept override {
    paging::RangeRead read;
    bool more = true;
    while (more && m_client && m_client->nextRead(read, more)) send(read);
  }

  void stop() noexcept override {
    // transfers that are no longer wanted are cancelled
    for (const auto& object : m_objects) object->ranges().end(this);
    for (;;) {
      while (reap() > 0) {
      }
      std::unique_lock lock(m_mutex);
      if (m_onTheirWay == 0 && m_landed.empty()) return;
      m_changed.wait(lock, [&] { return !m_landed.empty() || m_onTheirWay == 0; });
    }
  }

  int reap() noexcept override {
    int handled = 0;
    while (handled < kReapedPerCall) {
      std::list<Landed> one;
      {
        const std::lock_guard lock(m_mutex);
        if (m_landed.empty()) break;
        one.splice(one.begin(), m_landed, m_landed.begin());
        if (m_landed.empty()) clearEvent();
      }
      Landed& landed = one.front();
      if (landed.error) m_objects[landed.read.object]->noteError(landed.error);
      m_client->readEnded(landed.read, landed.got, landed.error);
      ++handled;
      start();  // if the staging memory had no room before
    }
    return handled;
  }

  int pollDescriptors(int* out, int capacity) const override {
    if (capacity < 1) return 0;
    out[0] = m_event;
    return 1;
  }

  paging::EngineReport report() const override {
    const double failing = m_transfers->failingSeconds(this);
    const std::lock_guard lock(m_mutex);
    const double busy = m_busySeconds + (m_onTheirWay > 0 ? secondsSince(m_busySince) : 0);
    return {m_roundTripMs, busy > 0 ? static_cast<double>(m_bytes) / busy : 0, m_lost,
            m_onTheirWay > 0 ? failing : 0, false};
  }

 private:
  struct Landed {
    paging::RangeRead read;
    std::uint64_t got = 0;
    std::exception_ptr error;
  };
  static double secondsSince(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }
  void clearEvent() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(m_event, &count, sizeof count);
  }

  void send(const paging::RangeRead& read) noexcept {
    {
      const std::lock_guard lock(m_mutex);
      if (m_onTheirWay++ == 0) m_busySince = Clock::now();
    }
    try {
      // the list node for what has landed is allocated now: later there may be no memory
      auto node = std::make_shared<std::list<Landed>>(1, Landed{read, 0, nullptr});
      const HttpObject& object = *m_objects[read.object];
      std::uint64_t bytes = read.needed;
      if (read.offset >= object.size()) return land(*node, {}, false);
      bytes = std::min(bytes, object.size() - read.offset);
      trace::asyncBegin("read", "http", reinterpret_cast<std::uintptr_t>(read.token));
      object.ranges().begin(read.offset, read.buffer.first(static_cast<std::size_t>(bytes)), this,
                            [this, node](RangeEnd&& end) { land(*node, std::move(end), true); });
    } catch (...) {
      {
        const std::lock_guard lock(m_mutex);
        if (--m_onTheirWay == 0) m_busySeconds += secondsSince(m_busySince);
      }
      m_client->readEnded(read, 0, std::current_exception());
    }
  }

  /// `mayStart`: another may start in its place.
  void land(std::list<Landed>& node, RangeEnd&& end, bool mayStart) noexcept {
    Landed& landed = node.front();
    const paging::RangeRead read = landed.read;
    landed.got = end.got;
    landed.error = end.error;
    trace::asyncEnd("read", "http", reinterpret_cast<std::uintptr_t>(read.token));
    m_client->readLanded(read);
    if (mayStart && !end.error) start();
    const std::lock_guard lock(m_mutex);
    m_landed.splice(m_landed.end(), node);
    if (--m_onTheirWay == 0) m_busySeconds += secondsSince(m_busySince);
    m_bytes += end.got;
    m_lost += static_cast<std::uint64_t>(end.lost);
    if (end.roundTripMs > 0)
      m_roundTripMs = m_roundTripMs == 0 ? end.roundTripMs : 0.9 * m_roundTripMs + 0.1 * end.roundTripMs;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(m_event, &one, sizeof one);
    m_changed.notify_all();
  }

  const std::vector<std::shared_ptr<const HttpObject>> m_objects;
  const std::shared_ptr<Transfers> m_transfers;
  const int m_depth;
  paging::ReadClient* m_client = nullptr;
  int m_event = -1;
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  std::list<Landed> m_landed;
  int m_onTheirWay = 0;
  std::uint64_t m_bytes = 0, m_lost = 0;
  double m_roundTripMs = 0, m_busySeconds = 0;
  Clock::time_point m_busySince{};
};

}  // namespace

std::unique_ptr<paging::ReadEngine> makeHttpEngine(std::vector<std::shared_ptr<const HttpObject>> objects,
                                                   std::shared_ptr<Transfers> transfers, int depth) {
  return std::make_unique<HttpEngine>(std::move(objects), std::move(transfers), depth);
}

}  // namespace farfield::http
