#include "core/trace/trace.h"

#include <bit>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/trace/chrome_json.h"
#include "core/trace/live.h"
#include "core/trace/thread_log.h"

namespace farfield::trace {
namespace detail {

std::atomic<bool> g_on{false};

ThreadLog::~ThreadLog() {
  // block by block: a chain of unique_ptr would be freed by recursion, one stack frame per block
  while (m_first) m_first = std::move(m_first->next);
}

void ThreadLog::append(const Event& event) noexcept {
  const std::size_t count = m_count.load(std::memory_order_relaxed);
  if (count < m_capacity && count % kBlockEvents == 0) {
    std::unique_ptr<Block> block(new (std::nothrow) Block);
    if (block) {
      Block* const added = block.get();
      (m_last ? m_last->next : m_first) = std::move(block);
      m_last = added;
    } else {
      m_dropped.fetch_add(1, std::memory_order_relaxed);
      return;
    }
  }
  if (count >= m_capacity) {
    m_dropped.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  m_last->events[count % kBlockEvents] = event;
  m_count.store(count + 1, std::memory_order_release);
}

namespace {

using Clock = std::chrono::steady_clock;

/// One recording after another: each start() makes a new epoch, in which every thread begins a new log.
struct Registry {
  std::mutex mutex;
  std::vector<std::shared_ptr<ThreadLog>> logs;
  std::size_t eventsPerThread = 0;
  std::atomic<std::uint64_t> epoch{0};
  std::atomic<Clock::rep> startedAt{0};
};
/// Never destroyed: threads may record while the process ends. In static memory: the first thread to come may
/// have none to allocate.
Registry& registry() {
  alignas(Registry) static std::byte place[sizeof(Registry)];
  static Registry* const only = new (place) Registry;
  return *only;
}

struct ThisThread {
  std::shared_ptr<ThreadLog> log;
  std::uint64_t epoch = 0;
  std::string name;
};
thread_local ThisThread t_this;

void record(char phase, const char* category, const char* name, std::uint64_t value) noexcept {
  if (isLive()) return recordLive(phase, category, name, value);
  Registry& all = registry();
  if (t_this.epoch != all.epoch.load(std::memory_order_acquire)) {
    try {
      const std::lock_guard lock(all.mutex);
      auto log = std::make_shared<ThreadLog>(static_cast<int>(all.logs.size()) + 1, t_this.name,
                                             all.eventsPerThread);
      all.logs.push_back(log);
      t_this.log = std::move(log);
      t_this.epoch = all.epoch.load(std::memory_order_relaxed);
    } catch (const std::bad_alloc&) {
      return;  // a missing event must not end the work that it describes
    }
  }
  if (!t_this.log) return;  // live watching just ended, and nothing has been recorded for a file
  const Clock::rep now = Clock::now().time_since_epoch().count();
  const auto since = static_cast<std::uint64_t>(now - all.startedAt.load(std::memory_order_relaxed));
  const std::uint64_t time = since & ((std::uint64_t{1} << 56) - 1);
  t_this.log->append({time | std::uint64_t{static_cast<unsigned char>(phase)} << 56, category, name, value});
}

}  // namespace

void begin(const char* category, const char* name, std::uint64_t value) {
  record('B', category, name, value);
}
void end(const char* category, const char* name) {
  if (isOn()) record('E', category, name, 0);
}
void instant(const char* category, const char* name, std::uint64_t value) {
  record('i', category, name, value);
}
void counter(const char* name, double value) {
  record('C', "counter", name, std::bit_cast<std::uint64_t>(value));
}
void asyncBegin(const char* category, const char* name, std::uint64_t id) {
  record('b', category, name, id);
}
void asyncEnd(const char* category, const char* name, std::uint64_t id) {
  record('e', category, name, id);
}

}  // namespace detail

void start(std::size_t eventsPerThread) {
  detail::Registry& all = detail::registry();
  const std::lock_guard lock(all.mutex);
  all.logs.clear();
  all.eventsPerThread = eventsPerThread;
  all.startedAt.store(detail::Clock::now().time_since_epoch().count(), std::memory_order_relaxed);
  all.epoch.fetch_add(1, std::memory_order_release);
  detail::g_on.store(true, std::memory_order_release);
}

void stopAndWrite(const std::filesystem::path& path) {
  detail::g_on.store(false, std::memory_order_release);
  detail::Registry& all = detail::registry();
  std::vector<std::shared_ptr<detail::ThreadLog>> logs;
  {
    const std::lock_guard lock(all.mutex);
    logs.swap(all.logs);
    detail::writeChromeJson(path, logs);
  }
}

void nameThread(const std::string& name) {
  detail::t_this.name = name;
  detail::Registry& all = detail::registry();
  const std::lock_guard lock(all.mutex);
  if (detail::t_this.log) detail::t_this.log->setThreadName(name);
}

}  // namespace farfield::trace
