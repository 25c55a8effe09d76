#pragma once
// Clock replacement with a small counter per frame (README.md here, "Replacement"). A policy is told of uses
// (without the mutex) and asked for victims (with it); the cache takes it as a compile-time parameter.

#include <cstdint>

#include "core/paging/cache/frame.h"

namespace farfield::paging {

class ClockPolicy {
 public:
  /// A task pinned the resident page. Any thread, no lock.
  static void used(Frame& frame) {
    const std::uint8_t count = frame.useCount.load(std::memory_order_relaxed);
    if (count < kMostUses) frame.useCount.store(count + 1, std::memory_order_relaxed);
  }
  /// The frame got a new page. Under the mutex.
  static void filled(Frame& frame, bool prefetched) {
    frame.useCount.store(prefetched ? 0 : 1, std::memory_order_relaxed);
  }
  /// The next of `count` frames to evict, or `count` if none can be. `tryTake(n)` takes frame n if it is
  /// unpinned and Ready. `frameAt(n)` is frame n. Under the mutex.
  template <class FrameAt, class TryTake>
  std::uint32_t victim(std::uint32_t count, FrameAt&& frameAt, TryTake&& tryTake) {
    // Each round lowers every counter by one, so after kMostUses + 1 rounds all unpinned frames have been at
    // 0.
    for (std::uint64_t step = 0; step < std::uint64_t{count} * (kMostUses + 2); ++step) {
      if (m_hand >= count) m_hand = 0;
      const std::uint32_t at = m_hand++;
      Frame& frame = frameAt(at);
      const std::uint32_t word = frame.stateAndPins.load(std::memory_order_relaxed);
      if (word != Frame::word(FrameState::Ready, 0)) continue;
      const std::uint8_t uses = frame.useCount.load(std::memory_order_relaxed);
      if (uses > 0) {
        frame.useCount.store(uses - 1, std::memory_order_relaxed);
        continue;
      }
      if (tryTake(at)) return at;
    }
    return count;
  }

 private:
  static constexpr std::uint8_t kMostUses = 3;
  std::uint32_t m_hand = 0;
};

}  // namespace farfield::paging
