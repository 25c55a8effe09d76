#include "core/paging/cache/page_batch.h"

#include <cassert>

#include "core/base/error.h"
#include "core/base/units.h"

namespace farfield::paging {
namespace {

// Nothing waits while these are in use, so no task moves to another thread.
thread_local int t_calls = 0;
thread_local PageBatch* t_due = nullptr;

}  // namespace

PageBatch::Calls::Calls() noexcept {
  ++t_calls;
}

PageBatch::Calls::~Calls() {
  while (t_calls == 1 && t_due) {
    PageBatch* const batch = t_due;
    t_due = batch->m_nextCall;
    batch->call();
  }
  --t_calls;
}

PageBatch::PageBatch(PageCache& cache, std::span<const PageKey> pages, Done done)
    : m_cache(cache), m_done(std::move(done)), m_wants(pages.begin(), pages.end()) {
  assert(!m_wants.empty());
}

PageBatch::~PageBatch() {
  withdraw();
}

void PageBatch::lookForGuesses(const PageCache& cache, const std::function<void(PageKey)>& see) {
  const std::lock_guard lock(cache.m_mutex);
  for (std::uint32_t n = 0; n < cache.m_frameCount; ++n) {
    const Frame& frame = cache.frameAt(n);
    const FrameState state = frame.state();
    if ((state == FrameState::Reading || state == FrameState::Ready) &&
        frame.prefetched.load(std::memory_order_relaxed))
      see(frame.key.load(std::memory_order_relaxed));
  }
}

void PageBatch::ask(Priority priority) noexcept {
  {
    const std::lock_guard lock(m_cache.m_mutex);
    assert(m_state == State::Idle);
    m_state = State::Asked;
  }
  m_gate.emplace(static_cast<tasks::Waker&>(*this));
  m_cache.queue(m_wants, *m_gate, priority, this);
  m_cache.startDemands();
}

void PageBatch::withdraw() noexcept {
  std::unique_lock lock(m_cache.m_mutex);
  if (m_state == State::Idle) return;
  const bool inCallback = m_state == State::Calling && m_caller == std::this_thread::get_id();
  if (inCallback) {
    if (!std::exchange(m_givenBack, true)) giveBack(lock);
    return;
  }
  m_withdrawn = true;
  if (m_state == State::Asked) {
    if (m_wants.front().queued) {
      m_cache.dequeue(m_wants.front());
      m_state = State::Idle;
      m_withdrawn = false;
      lock.unlock();
      return m_cache.startDemands();
    }
    const int never = m_cache.takeBack(m_wants);
    m_cache.m_batchPins -= static_cast<std::uint64_t>(never);
    lock.unlock();
    // Another thread has taken the rest off their frames and is about to count them.
    while (m_gate->missing() > never) std::this_thread::yield();
    lock.lock();
    if (never > 0) m_state = State::Done;
    m_cache.m_batchEnded.wait(lock, [&] { return m_state != State::Asked; });
  }
  if (m_state == State::Called && m_caller == std::this_thread::get_id()) {
    PageBatch** at = &t_due;
    while (*at != this) at = &(*at)->m_nextCall;
    *at = m_nextCall;
    m_state = State::Done;
  }
  m_cache.m_batchEnded.wait(lock, [&] { return m_state == State::Done || m_state == State::Idle; });
  m_withdrawn = false;
  if (std::exchange(m_state, State::Idle) == State::Done) giveBack(lock);
}

/// Gives back pins and bytes. Unlocks the mutex.
void PageBatch::giveBack(std::unique_lock<std::mutex>& lock) noexcept {
  if (m_wants.front().frame) m_cache.m_batchBytes -= m_cache.bytesOf(m_wants.front());
  for (const PageWant& want : m_wants) m_cache.m_batchPins -= want.frame && !want.withdrawn;
  lock.unlock();
  m_cache.giveBack(m_wants);
  m_cache.startDemands();
}

bool PageBatch::isDone() const {
  const std::lock_guard lock(m_cache.m_mutex);
  return m_state == State::Calling || m_state == State::Done;
}

void PageBatch::wake() noexcept {
  const std::lock_guard lock(m_cache.m_mutex);
  m_state = State::Called;
  m_caller = std::this_thread::get_id();
  PageBatch** last = &t_due;
  while (*last) last = &(*last)->m_nextCall;
  m_nextCall = nullptr;
  *last = this;
  m_cache.m_batchEnded.notify_all();
}

void PageBatch::call() noexcept {
  {
    const std::lock_guard lock(m_cache.m_mutex);
    if (m_withdrawn) {
      m_state = State::Done;
      m_cache.m_batchEnded.notify_all();
      return;
    }
    m_state = State::Calling;
    m_givenBack = false;
  }
  if (m_done) m_done(*this);
  const std::lock_guard lock(m_cache.m_mutex);
  m_state = m_givenBack ? State::Idle : State::Done;
  m_cache.m_batchEnded.notify_all();
}

void PageBatch::throwIfFailed() const {
  for (const PageWant& want : m_wants) {
    if (!want.frame)
      throw OverBudget("the page cache of " + formatBytes(m_cache.frameBytes()) + " has no room for " +
                           std::to_string(m_wants.size()) + " pages of up to " +
                           formatBytes(m_cache.slotBytes(arrayOf(want.key))) + " at a time",
                       "give more --memory");
    if (want.frame->state() == FrameState::Failed) want.frame->error->raise();
  }
}

std::span<const std::byte> PageBatch::nodes(std::size_t page) const {
  const PageWant& want = m_wants[page];
  const auto nodeBytes = m_cache.array(arrayOf(want.key)).nodeBytes();
  return {want.frame->data, static_cast<std::size_t>(product(want.frame->box.size) * nodeBytes)};
}

}  // namespace farfield::paging
