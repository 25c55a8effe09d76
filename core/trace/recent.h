#pragma once
// What goes on just now, for who watches it, perhaps on another machine: the latest events of work that is worth it, in a ring of
// fixed size, beside what is recorded for a file. Only what is noted here is kept, so that watching costs the rest nothing.
//
// Nobody watching, a note costs a look at a counter; else a clock reading and a lock. It is for what happens some hundred times a
// second, not for tasks.

#include <atomic>
#include <cstdint>
#include <vector>

namespace farfield::trace {

enum class RecentKind : std::uint8_t { Begins, Ends, Amount };

struct RecentEvent {
  std::int64_t nanoseconds = 0;  ///< steady clock
  RecentKind kind = RecentKind::Begins;
  std::uint32_t thread = 0;    ///< a number of its own for each thread of the program that notes something
  const char* name = nullptr;  ///< a string literal
  std::uint64_t step = 0;      ///< of what begins
  double amount = 0;
};

namespace detail {
extern std::atomic<int> g_watchers;
void note(RecentKind kind, const char* name, std::uint64_t step, double amount) noexcept;
}  // namespace detail

inline bool isWatched() {
  return detail::g_watchers.load(std::memory_order_relaxed) > 0;
}
/// Something begins or ends on this thread. `name` is a string literal.
inline void noteBegin(const char* name, std::uint64_t step) {
  if (isWatched()) detail::note(RecentKind::Begins, name, step, 0);
}
inline void noteEnd(const char* name) {
  if (isWatched()) detail::note(RecentKind::Ends, name, 0, 0);
}
inline void noteAmount(const char* name, double amount) {
  if (isWatched()) detail::note(RecentKind::Amount, name, 0, amount);
}
/// What the events' clock shows.
std::int64_t recentClock();

/// As long as one lives, notes are kept. Used by one thread.
class RecentWatch {
 public:
  RecentWatch();
  ~RecentWatch();
  RecentWatch(const RecentWatch&) = delete;
  RecentWatch& operator=(const RecentWatch&) = delete;
  struct Taken {
    std::vector<RecentEvent> events;  ///< in the order in which they were noted
    std::uint64_t lost = 0;           ///< that came between those before and these, and were not kept
  };
  /// What was noted since the last time.
  Taken take();

 private:
  std::uint64_t m_next = 0;
};

}  // namespace farfield::trace
