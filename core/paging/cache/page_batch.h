#pragma once
// Pages that somebody who is not a task asks for together, such as a volume caster, a server or a device's copy of
// pages. A callback says that they are there; they stay pinned until they are given back. Which batches start when, and
// what they leave for tasks: README.md here.

#include <condition_variable>
#include <functional>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "core/paging/cache/page_cache.h"

namespace farfield::paging {

/// Idle -> ask() -> asked for -> there, or failed -> withdraw() -> idle, and so on. Calls of one batch come from one
/// thread at a time, or from its callback. Goes before the cache.
///
/// At most what the cache has beyond what is kept for tasks is given to all batches together; whoever must have some at
/// a time raises the cache's floor for batches by it, with bookkeeping. Who holds one batch and waits for another may
/// wait until the first is given back.
class PageBatch final : private tasks::Waker {
 public:
  /// Called once for each ask() that is not withdrawn, on any thread, also inside ask(), with no lock of the cache held.
  /// It must not throw, must not wait, and may call the cache and batches, but not destroy this one. It runs on threads
  /// that others wait for, some with small stacks: it hands work over.
  using Done = std::function<void(PageBatch&)>;

  PageBatch(PageCache& cache, std::span<const PageKey> pages, Done done);
  /// Withdraws.
  ~PageBatch();
  PageBatch(const PageBatch&) = delete;
  PageBatch& operator=(const PageBatch&) = delete;

  /// Only when idle. Never waits.
  void ask(Priority priority) noexcept;
  /// A higher one acts on what is being read as well.
  void setPriority(Priority priority) noexcept;
  /// Gives back what is there, and takes back what is not: no callback comes any more. Waits for one that is under way
  /// on another thread, so no lock may be held that it takes. Does nothing when idle.
  void withdraw() noexcept;

  /// Whether the callback has come, or is under way. Thread-safe.
  bool isDone() const;

  // When it is done:
  std::size_t size() const { return m_wants.size(); }
  PageKey key(std::size_t page) const { return m_wants[page].key; }
  /// Throws what went wrong with any of the pages; OverBudget where there is no room for them.
  void throwIfFailed() const;
  // When it has not failed:
  /// The nodes of the page, and which they are.
  std::span<const std::byte> nodes(std::size_t page) const;
  const IndexBox& box(std::size_t page) const { return m_wants[page].frame->box; }

 private:
  friend class PageCache;
  enum class State { Idle, Asked, Called, Calling, Done };  ///< Called: the callback is to come

  /// Callbacks that are due on this thread wait while one of these is there, and are made at the end of the outermost:
  /// then this thread owes nobody an arrival, and callbacks do not nest.
  class Calls {
   public:
    Calls() noexcept;
    ~Calls();
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;
  };

  void wake() noexcept override;
  void call() noexcept;
  void giveBack(std::unique_lock<std::mutex>& lock) noexcept;

  PageCache& m_cache;
  const Done m_done;
  std::vector<PageWant> m_wants;
  std::optional<tasks::Gate> m_gate;
  // Guarded by the cache's mutex.
  State m_state = State::Idle;
  bool m_withdrawn = false;  ///< the callback is not to be made
  bool m_givenBack = false;  ///< by the callback
  std::thread::id m_caller;
  PageBatch* m_nextCall = nullptr;  ///< of those that are due on the same thread
};

}  // namespace farfield::paging
