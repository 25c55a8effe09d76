#pragma once
// The events of one thread: a list of blocks that only grows. The thread appends without a lock; a reader
// sees `count` events. The count is published after the event, so a reader that loads it (acquire) sees
// complete events and the blocks that hold them.

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace farfield::trace::detail {

/// 32 bytes. The phase is the letter of the Chrome trace format, in the top byte beside 56 bits of
/// nanoseconds since start() (two years).
struct Event {
  std::uint64_t timeAndPhase;
  const char* category;
  const char* name;
  std::uint64_t value;  ///< number, id, or the bits of a double (counters)

  std::uint64_t nanoseconds() const { return timeAndPhase & ((std::uint64_t{1} << 56) - 1); }
  char phase() const { return static_cast<char>(timeAndPhase >> 56); }
};
static_assert(sizeof(Event) == 32);

class ThreadLog {
 public:
  ThreadLog(int number, std::string threadName, std::size_t capacity)
      : m_number(number), m_capacity(capacity), m_name(std::move(threadName)) {}
  ThreadLog(const ThreadLog&) = delete;
  ThreadLog& operator=(const ThreadLog&) = delete;
  ~ThreadLog();

  /// By the owning thread alone. Full, or out of memory: counts the event as dropped.
  void append(const Event& event) noexcept;

  int number() const { return m_number; }
  std::uint64_t dropped() const { return m_dropped.load(std::memory_order_relaxed); }
  /// Guarded by the registry's lock.
  const std::string& threadName() const { return m_name; }
  void setThreadName(const std::string& name) { m_name = name; }

  /// Calls `visit(const Event&)` for each event published so far, oldest first. Any thread.
  template <class Visit>
  void forEach(Visit&& visit) const {
    const std::size_t count = m_count.load(std::memory_order_acquire);
    const Block* block = m_first.get();
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0 && i % kBlockEvents == 0) block = block->next.get();
      visit(block->events[i % kBlockEvents]);
    }
  }

 private:
  static constexpr std::size_t kBlockEvents = 2048;
  struct Block {
    std::array<Event, kBlockEvents> events;
    std::unique_ptr<Block> next;
  };
  const int m_number;
  const std::size_t m_capacity;
  std::string m_name;
  std::unique_ptr<Block> m_first;
  Block* m_last = nullptr;
  std::atomic<std::size_t> m_count{0};
  std::atomic<std::uint64_t> m_dropped{0};
};

}  // namespace farfield::trace::detail
