#include "core/trace/live.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>

#include "core/trace/trace.h"

namespace farfield::trace {
namespace {

constexpr std::uint64_t kSlots = 16'384;

/// `ticket` is 0 while a slot is being written, else it holds event number ticket - 1. A reader that finds
/// the same ticket before and after has read a complete event.
struct Slot {
  std::atomic<std::uint64_t> ticket{0}, task{0};
  std::atomic<std::int64_t> nanoseconds{0};
  std::atomic<std::uint32_t> laneAndKind{0};
};

struct Live {
  std::mutex mutex;  ///< of starting and stopping
  int users = 0;
  std::atomic<bool> on{false};
  std::array<std::atomic<std::uint64_t>, kLiveLanes> lanes{};  ///< the task in it, plus 1; 0: free
  std::atomic<std::uint64_t> next{0};
  std::array<Slot, kSlots> slots;
};
/// Never destroyed: threads may record while the process ends.
Live& live() {
  static Live* const only = new Live;
  return *only;
}

void keep(int lane, LiveKind kind, std::uint64_t task) noexcept {
  Live& all = live();
  const std::uint64_t number = all.next.fetch_add(1, std::memory_order_relaxed);
  Slot& slot = all.slots[number % kSlots];
  slot.ticket.store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  slot.task.store(task, std::memory_order_relaxed);
  slot.nanoseconds.store(std::chrono::steady_clock::now().time_since_epoch().count(),
                         std::memory_order_relaxed);
  slot.laneAndKind.store(static_cast<std::uint32_t>(lane) << 8 | static_cast<std::uint32_t>(kind),
                         std::memory_order_relaxed);
  slot.ticket.store(number + 1, std::memory_order_release);
}

int laneOf(std::uint64_t task) {
  const auto& lanes = live().lanes;
  for (int lane = 0; lane < kLiveLanes; ++lane)
    if (lanes[static_cast<std::size_t>(lane)].load(std::memory_order_relaxed) == task + 1) return lane;
  return -1;
}

int takeLane(std::uint64_t task) {
  auto& lanes = live().lanes;
  for (int lane = 0; lane < kLiveLanes; ++lane) {
    std::uint64_t none = 0;
    auto& place = lanes[static_cast<std::size_t>(lane)];
    if (place.load(std::memory_order_relaxed) == 0 && place.compare_exchange_strong(none, task + 1))
      return lane;
  }
  return -1;
}

}  // namespace

namespace detail {

bool isLive() {
  return live().on.load(std::memory_order_relaxed);
}

void recordLive(char phase, const char* category, const char* name, std::uint64_t value) noexcept {
  const bool begins = phase == 'b';
  if ((!begins && phase != 'e') || std::strcmp(category, "tasks") != 0) return;
  if (std::strcmp(name, "task") == 0) {
    const int lane = begins ? takeLane(value) : laneOf(value);
    if (lane < 0) return;
    keep(lane, begins ? LiveKind::Began : LiveKind::Ended, value);
    if (!begins) live().lanes[static_cast<std::size_t>(lane)].store(0, std::memory_order_release);
  } else if (std::strcmp(name, "wait") == 0) {
    if (const int lane = laneOf(value); lane >= 0)
      keep(lane, begins ? LiveKind::Waits : LiveKind::GoesOn, value);
  }
}

}  // namespace detail

void startLive() {
  Live& all = live();
  const std::lock_guard lock(all.mutex);
  if (++all.users > 1) return;
  // tasks may have ended while nothing was recorded
  for (auto& lane : all.lanes) lane.store(0, std::memory_order_relaxed);
  all.on.store(true, std::memory_order_release);
  detail::g_on.store(true, std::memory_order_release);
}

void stopLive() {
  Live& all = live();
  const std::lock_guard lock(all.mutex);
  if (all.users == 0 || --all.users > 0) return;
  detail::g_on.store(false, std::memory_order_release);
  all.on.store(false, std::memory_order_release);
}

std::vector<LiveEvent> liveEvents(std::int64_t sinceNanoseconds) {
  Live& all = live();
  const std::uint64_t end = all.next.load(std::memory_order_acquire);
  std::vector<LiveEvent> events;
  for (std::uint64_t number = end > kSlots ? end - kSlots : 0; number < end; ++number) {
    const Slot& slot = all.slots[number % kSlots];
    if (slot.ticket.load(std::memory_order_acquire) != number + 1) continue;
    LiveEvent event;
    event.task = slot.task.load(std::memory_order_relaxed);
    event.nanoseconds = slot.nanoseconds.load(std::memory_order_relaxed);
    const std::uint32_t what = slot.laneAndKind.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (slot.ticket.load(std::memory_order_relaxed) != number + 1) continue;
    event.lane = static_cast<int>(what >> 8);
    event.kind = static_cast<LiveKind>(what & 0xFF);
    if (event.nanoseconds >= sinceNanoseconds) events.push_back(event);
  }
  // threads take their numbers and read the clock one after the other, but not atomically
  std::stable_sort(events.begin(), events.end(),
                   [](const LiveEvent& a, const LiveEvent& b) { return a.nanoseconds < b.nanoseconds; });
  return events;
}

}  // namespace farfield::trace
