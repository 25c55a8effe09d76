#pragma once
// A frame: memory for one decoded page, and its state word. The legal transitions are in README.md here.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/error.h"
#include "core/base/geometry.h"
#include "core/paging/pages/page_source.h"
#include "core/tasks/gate.h"

namespace farfield::paging {

/// Array handle (24 bits) and page number (40 bits).
using PageKey = std::uint64_t;
constexpr PageKey kNoPage = ~PageKey{0};
constexpr int kPageBits = 40;
constexpr PageKey makeKey(std::uint32_t array, std::uint64_t page) {
  return (static_cast<PageKey>(array) << kPageBits) | page;
}
constexpr std::uint32_t arrayOf(PageKey key) {
  return static_cast<std::uint32_t>(key >> kPageBits);
}
constexpr std::uint64_t pageOf(PageKey key) {
  return key & ((PageKey{1} << kPageBits) - 1);
}

/// The steady clock's time, since its own start.
inline std::int64_t steadyNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

enum class FrameState : std::uint32_t { Free = 0, Reading = 1, Ready = 2, Failed = 3 };

/// A task that waits for a frame; lives on the task's stack, linked into the frame's list.
struct PageDemand;

struct FrameWaiter {
  tasks::Gate* gate = nullptr;
  FrameWaiter* next = nullptr;
  PageDemand* demand = nullptr;
};

struct Frame {
  static constexpr std::uint32_t kPinMask = (1u << 24) - 1;
  static constexpr std::uint32_t word(FrameState state, std::uint32_t pins) {
    return (static_cast<std::uint32_t>(state) << 24) | pins;
  }
  static FrameState stateOf(std::uint32_t word) { return static_cast<FrameState>(word >> 24); }
  static std::uint32_t pinsOf(std::uint32_t word) { return word & kPinMask; }

  std::atomic<std::uint32_t> stateAndPins{0};
  std::atomic<std::uint8_t> useCount{0};  ///< of the clock
  std::atomic<bool> prefetched{false};    ///< read by a prefetch and not requested since
  std::atomic<PageKey> key{kNoPage};
  std::uint32_t number = 0;   ///< in the cache
  std::byte* data = nullptr;  ///< decoded nodes; valid while pinned and Ready
  std::uint64_t slotBytes = 0;
  IndexBox box;                       ///< the nodes in it
  std::int64_t askedNanoseconds = 0;  ///< when its source was asked: steadyNanoseconds()

  bool asked = false;  ///< its source was asked; guarded by the cache's mutex, as the members up to `waiters`
  Priority priority = Priority::Demand;  ///< of the request to its source
  std::uint8_t askedAgain = 0;           ///< times that a withdrawn read was requested again
  FrameWaiter* waiters = nullptr;
  std::shared_ptr<const Error> error;  ///< written before the state Failed is set, read by pinners after

  FrameState state() const { return stateOf(stateAndPins.load(std::memory_order_acquire)); }
};

}  // namespace farfield::paging
