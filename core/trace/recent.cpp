#include "core/trace/recent.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <mutex>

namespace farfield::trace {
namespace {

constexpr std::uint64_t kSlots = 16'384;

struct Ring {
  std::mutex mutex;
  std::uint64_t next = 0;  ///< number of the next event
  std::unique_ptr<std::array<RecentEvent, kSlots>> slots;
};
/// Never destroyed: threads may note something while the process ends.
Ring& ring() {
  static Ring* const only = new Ring;
  return *only;
}

std::uint32_t thisThread() {
  static std::atomic<std::uint32_t> last{0};
  thread_local const std::uint32_t own = ++last;
  return own;
}

}  // namespace

namespace detail {

std::atomic<int> g_watchers{0};

void note(RecentKind kind, const char* name, std::uint64_t step, double amount) noexcept {
  const RecentEvent event{recentClock(), kind, thisThread(), name, step, amount};
  Ring& all = ring();
  const std::lock_guard lock(all.mutex);
  if (all.slots) (*all.slots)[all.next++ % kSlots] = event;
}

}  // namespace detail

std::int64_t recentClock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

RecentWatch::RecentWatch() {
  Ring& all = ring();
  const std::lock_guard lock(all.mutex);
  if (!all.slots) all.slots = std::make_unique<std::array<RecentEvent, kSlots>>();
  m_next = all.next;
  ++detail::g_watchers;
}

RecentWatch::~RecentWatch() {
  --detail::g_watchers;
}

RecentWatch::Taken RecentWatch::take() {
  Taken taken;
  Ring& all = ring();
  const std::lock_guard lock(all.mutex);
  const std::uint64_t oldest = all.next - std::min(all.next, kSlots);
  taken.lost = oldest - std::min(oldest, m_next);
  taken.events.reserve(static_cast<std::size_t>(all.next - std::max(oldest, m_next)));
  for (std::uint64_t n = std::max(oldest, m_next); n < all.next; ++n)
    taken.events.push_back((*all.slots)[n % kSlots]);
  m_next = all.next;
  return taken;
}

}  // namespace farfield::trace
