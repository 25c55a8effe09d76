#include "remote/http/transfers.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/trace/trace.h"
#include "remote/http/transfer.h"

namespace farfield::http {
namespace {

constexpr std::size_t kTransfersKept = 128;
constexpr int kLongestWaitMs = 1000;

bool startLibcurl() {
  static const bool isThere = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  return isThere;
}

}  // namespace

struct Transfers::State {
  using Clock = Transfer::Clock;
  using Pointer = std::unique_ptr<Transfer>;

  explicit State(const HttpOptions& its) : options(its) {
    if (!startLibcurl() || !(multi = curl_multi_init()))
      throw Io("libcurl cannot be used", "check the installation");
    curl_multi_setopt(multi, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_MULTIPLEX));
    curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, static_cast<long>(options.connections));
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, static_cast<long>(2 * options.connections));
    unused.reserve(kTransfersKept);
    try {
      thread = std::thread([this] { work(); });
    } catch (const std::system_error& error) {
      curl_multi_cleanup(multi);
      throw ioError("no thread can be started for reading", error.code().value());
    }
    whenStopped.emplace(options.stop, Wake{multi});
  }
  ~State() {
    whenStopped.reset();
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    curl_multi_wakeup(multi);
    thread.join();
    unused.clear();
    curl_multi_cleanup(multi);
  }

  void work() {
    trace::nameThread("http");
    for (;;) {
      takeIn();
      {
        const std::lock_guard lock(mutex);
        if (stopping && asked.empty() && onTheirWay.empty() && resting.empty()) return;
      }
      int running = 0;
      curl_multi_perform(multi, &running);
      collect();
      int wait = kLongestWaitMs;
      if (!resting.empty()) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(resting.begin()->first - Clock::now())
                .count();
        wait = static_cast<int>(std::clamp<long long>(left + 1, 0, kLongestWaitMs));
      }
      curl_multi_poll(multi, nullptr, 0, static_cast<unsigned>(wait), nullptr);
    }
  }

  void takeIn() {
    std::vector<const void*> ending;
    bool all = options.stop.stop_requested();
    {
      const std::lock_guard lock(mutex);
      ending = owners;
      all = all || stopping;
    }
    if (!ending.empty() || all) cancel(ending, all);
    for (;;) {
      Pointer next;
      {
        const std::lock_guard lock(mutex);
        if (asked.empty()) break;
        next = std::move(asked.front());
        asked.pop_front();
      }
      send(std::move(next));
    }
    const Clock::time_point now = Clock::now();
    while (!resting.empty() && resting.begin()->first <= now) {
      Pointer next = std::move(resting.begin()->second);
      resting.erase(resting.begin());
      send(std::move(next));
    }
    if (ending.empty()) return;
    const std::lock_guard lock(mutex);
    for (const void* owner : ending) {
      owners.erase(std::find(owners.begin(), owners.end(), owner));
      failing.erase(owner);
    }
    ended.notify_all();
  }

  /// Ends the requests of the owners in `ending`, or all.
  void cancel(const std::vector<const void*>& ending, bool all) {
    const auto isMeant = [&](const Transfer& transfer) {
      return all || std::find(ending.begin(), ending.end(), transfer.owner()) != ending.end();
    };
    const auto error = std::make_exception_ptr(Cancelled());
    std::vector<Pointer> over;
    {
      const std::lock_guard lock(mutex);
      for (auto at = asked.begin(); at != asked.end();)
        if (isMeant(**at)) {
          over.push_back(std::move(*at));
          at = asked.erase(at);
        } else {
          ++at;
        }
    }
    for (auto at = resting.begin(); at != resting.end();)
      if (isMeant(*at->second)) {
        over.push_back(std::move(at->second));
        at = resting.erase(at);
      } else {
        ++at;
      }
    for (auto at = onTheirWay.begin(); at != onTheirWay.end();)
      if (isMeant(*at->second)) {
        curl_multi_remove_handle(multi, at->first);
        over.push_back(std::move(at->second));
        at = onTheirWay.erase(at);
      } else {
        ++at;
      }
    for (Pointer& transfer : over) {
      transfer->fail(error);
      finish(std::move(transfer));
    }
  }

  void send(Pointer transfer) {
    try {
      transfer->prepare();
      CURL* const handle = transfer->handle();
      const auto [place, isNew] = onTheirWay.emplace(handle, nullptr);
      if (curl_multi_add_handle(multi, handle) != CURLM_OK) {
        onTheirWay.erase(place);
        throw Io("libcurl takes no more requests", "end other programs");
      }
      place->second = std::move(transfer);
    } catch (...) {
      transfer->fail(std::current_exception());
      finish(std::move(transfer));
    }
  }

  void collect() {
    int left = 0;
    while (const CURLMsg* const message = curl_multi_info_read(multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      const auto found = onTheirWay.find(message->easy_handle);
      curl_multi_remove_handle(multi, message->easy_handle);
      if (found == onTheirWay.end()) continue;
      Pointer transfer = std::move(found->second);
      onTheirWay.erase(found);
      const Transfer::Next next = transfer->over(code);
      note(transfer->owner(), next.again);
      if (!next.again)
        finish(std::move(transfer));
      else
        rest(next.at, std::move(transfer));
    }
  }

  void note(const void* owner, bool fails) {
    const std::lock_guard lock(mutex);
    if (fails)
      failing.try_emplace(owner, Clock::now());
    else
      failing.erase(owner);
  }

  void rest(Clock::time_point until, Pointer transfer) {
    try {
      resting.emplace(until, nullptr)->second = std::move(transfer);
    } catch (...) {
      transfer->fail(std::current_exception());
      finish(std::move(transfer));
    }
  }

  void finish(Pointer transfer) {
    transfer->tell();
    const std::lock_guard lock(mutex);
    if (unused.size() < kTransfersKept) unused.push_back(std::move(transfer));
  }

  Pointer unusedOne() {
    {
      const std::lock_guard lock(mutex);
      if (!unused.empty()) {
        Pointer transfer = std::move(unused.back());
        unused.pop_back();
        return transfer;
      }
    }
    return std::make_unique<Transfer>(options);
  }

  const HttpOptions& options;
  CURLM* multi = nullptr;
  // used by the thread only
  std::map<CURL*, Pointer> onTheirWay;
  std::multimap<Clock::time_point, Pointer> resting;

  std::mutex mutex;
  std::condition_variable ended;
  std::deque<Pointer> asked;
  std::vector<Pointer> unused;
  std::vector<const void*> owners;                   ///< whose requests are to end
  std::map<const void*, Clock::time_point> failing;  ///< owners whose last request failed and is made again
  bool stopping = false;
  std::thread thread;

  struct Wake {
    CURLM* multi;
    void operator()() const { curl_multi_wakeup(multi); }
  };
  std::optional<std::stop_callback<Wake>> whenStopped;
};

Transfers::Transfers(const HttpOptions& options) : m_options(options) {
  m_state = std::make_unique<State>(m_options);
}

Transfers::~Transfers() = default;

void Transfers::begin(RangeAsk ask, Done done) {
  State::Pointer transfer = m_state->unusedOne();
  transfer->take(std::move(ask), std::move(done));
  {
    const std::lock_guard lock(m_state->mutex);
    m_state->asked.push_back(std::move(transfer));
  }
  curl_multi_wakeup(m_state->multi);
}

RangeEnd Transfers::ask(const RangeAsk& ask) {
  return waitFor(
      [&](const void* owner, Done done) {
        RangeAsk its = ask;
        its.owner = owner;
        begin(std::move(its), std::move(done));
      },
      [&](const void* owner) { end(owner); });
}

RangeEnd Transfers::waitFor(const std::function<void(const void* owner, Done)>& begin,
                            const std::function<void(const void* owner)>& end) {
  struct Result {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<RangeEnd> end;
  };
  const auto result = std::make_shared<Result>();
  begin(result.get(), [result](RangeEnd&& its) {
    const std::lock_guard lock(result->mutex);
    result->end = std::move(its);
    result->changed.notify_all();
  });
  const auto isOver = [&] { return result->end.has_value(); };
  std::unique_lock lock(result->mutex);
  if (!result->changed.wait(lock, StoppableWaits::current(), isOver)) {
    lock.unlock();
    end(result.get());
    lock.lock();
  }
  result->changed.wait(lock, isOver);
  return std::move(*result->end);
}

double Transfers::failingSeconds(const void* owner) const {
  const std::lock_guard lock(m_state->mutex);
  const auto found = m_state->failing.find(owner);
  return found == m_state->failing.end()
             ? 0
             : std::chrono::duration<double>(State::Clock::now() - found->second).count();
}

void Transfers::end(const void* owner) noexcept {
  std::unique_lock lock(m_state->mutex);
  m_state->owners.push_back(owner);
  curl_multi_wakeup(m_state->multi);
  m_state->ended.wait(lock, [&] {
    return std::find(m_state->owners.begin(), m_state->owners.end(), owner) == m_state->owners.end();
  });
}

}  // namespace farfield::http
