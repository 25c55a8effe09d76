#pragma once
// Pages requested together by code that is not a task: a volume caster, a server, a device's copy of pages. A
// callback tells when they are there; they stay pinned until they are given back. For the order in which
// batches start, and what they leave for tasks, see README.md here.

#include <condition_variable>
#include <functional>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "core/paging/cache/page_cache.h"

namespace farfield::paging {

/// States: idle -> ask() -> asked for -> there, or failed -> withdraw() -> idle. Calls on one batch come from
/// one thread at a time, or from its callback. Must be destroyed before the cache.
///
/// All batches together get at most what the cache has beyond what is kept for tasks; a caller that needs a
/// certain number of bytes raises the cache's floor for batches by it, with bookkeeping. A caller that holds
/// one batch and waits for another may wait until the first is given back.
class PageBatch final : private tasks::Waker {
 public:
  /// Called once for each ask() that is not withdrawn, on any thread, possibly inside ask(), with no lock of
  /// the cache held. It must not throw or wait. It may call the cache and other batches, but not destroy this
  /// one. It runs on threads that others wait for, some with small stacks, so it hands work over.
  using Done = std::function<void(PageBatch&)>;

  PageBatch(PageCache& cache, std::span<const PageKey> pages, Done done);
  /// Withdraws.
  ~PageBatch();
  PageBatch(const PageBatch&) = delete;
  PageBatch& operator=(const PageBatch&) = delete;

  /// The pages in `cache` that were read, or are being read, because somebody guessed that they would be needed (Priority::Prefetch), and
  /// that nobody has needed yet.
  static void lookForGuesses(const PageCache& cache, const std::function<void(PageKey)>& see);

  /// Only when idle. Never waits.
  void ask(Priority priority) noexcept;
  /// Gives back what is there and cancels the rest; no callback comes afterwards. Waits for a callback that
  /// is running on another thread, so the caller must hold no lock that the callback takes. Does nothing if
  /// idle.
  void withdraw() noexcept;

  /// Whether the callback has been called or is running. Thread-safe.
  bool isDone() const;

  // When it is done:
  std::size_t size() const { return m_wants.size(); }
  PageKey key(std::size_t page) const { return m_wants[page].key; }
  /// Throws the error of the first page that failed; OverBudget if there is no room for them.
  void throwIfFailed() const;
  // When it has not failed:
  /// The decoded nodes of page number `page` of the batch.
  std::span<const std::byte> nodes(std::size_t page) const;
  const IndexBox& box(std::size_t page) const { return m_wants[page].frame->box; }

 private:
  friend class PageCache;
  enum class State { Idle, Asked, Called, Calling, Done };  ///< Called: the callback is to come

  /// Callbacks due on this thread are delayed while an object of this class exists, and made when the
  /// outermost one ends: then the thread holds nothing that others wait for, and callbacks do not nest.
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
  bool m_withdrawn = false;  ///< no callback is made
  bool m_givenBack = false;  ///< by the callback
  std::thread::id m_caller;
  PageBatch* m_nextCall = nullptr;  ///< next batch whose callback is due on the same thread
};

}  // namespace farfield::paging
