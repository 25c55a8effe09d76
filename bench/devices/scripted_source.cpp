#include "bench/devices/scripted_source.h"

#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/paging/pages/page_text.h"
#include "core/paging/sources/source_wait.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

/// Marks a page answered by hand.
constexpr std::uint64_t kByHandTag = std::uint64_t{1} << 63;

std::uint64_t largestPage(const PageSource& source) {
  std::uint64_t largest = 0;
  for (std::uint32_t array = 0; array < source.description().arrays.size(); ++array)
    largest = std::max(largest, source.maxStoredBytes(array));
  return largest;
}

StoredPage spoiled(const StoredPage& page, std::vector<std::byte>& copy, std::uint64_t where) {
  copy.assign(page.bytes.begin(), page.bytes.end());
  StoredPage result = page;
  result.checksum = page.hasChecksum ? page.checksum : checksum(page.bytes);
  result.hasChecksum = true;
  if (!copy.empty()) copy[where % copy.size()] ^= std::byte{0x10};
  result.bytes = copy;
  return result;
}

}  // namespace

ScriptedSource::ScriptedSource(std::unique_ptr<PageSource> inner, MemoryAccount& account,
                               const ScriptedOptions& options)
    : m_inner(std::move(inner)), m_options(options), m_random(options.seed) {
  if (options.maxConcurrent < 1 || options.bytesPerSecond < 0 || options.latency.count() < 0)
    throw Invalid("a scripted source needs at least one request at a time and no negative times");
  if (options.manual) return;
  const auto slots = static_cast<std::uint64_t>(options.maxConcurrent);
  const std::uint64_t largest = largestPage(*m_inner);
  if (largest > 0 && slots > account.budgetBytes() / largest)
    throw OverBudget("pages in service do not fit the budget", "serve fewer at a time");
  m_claim = account.claim(Purpose::Staging, slots * largest, "pages in service");
  m_slots.resize(slots);
  for (Slot& slot : m_slots) m_freeSlots.push_back(&slot);
  if (options.delivery == ScriptedDelivery::Thread) {
    m_thread = std::thread([this] { work(); });
  } else {
    m_timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (m_timer < 0) throw ioError("no timer", errno);
  }
}

ScriptedSource::~ScriptedSource() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_changed.notify_all();
  if (m_thread.joinable()) m_thread.join();
  cancel(nullptr);
  reapUntil(*m_inner, [this] {
    const std::lock_guard lock(m_mutex);
    return m_atInner == 0;
  });
  while (deliverOne(true)) {
  }
  m_inner.reset();
  if (m_timer >= 0) ::close(m_timer);
}

void ScriptedSource::read(std::span<const PageRequest> requests) noexcept {
  std::vector<std::size_t> refused;
  {
    const std::lock_guard lock(m_mutex);
    const Clock::time_point now = Clock::now();
    for (std::size_t n = 0; n < requests.size(); ++n) {
      if (m_stop)
        refused.push_back(n);
      else if (m_options.manual)
        m_byHand.push_back({requests[n], now});
      else
        m_waiting.push({requests[n], now});
    }
  }
  for (const std::size_t n : refused) failCancelled(requests[n]);
  if (m_options.manual)
    m_changed.notify_all();
  else
    serve();
}

bool ScriptedSource::chance(double probability) {
  return probability > 0 && std::uniform_real_distribution<double>(0, 1)(m_random) < probability;
}

ScriptedSource::Slot* ScriptedSource::startNext() {
  std::deque<Queued>* const waiting = m_waiting.next();
  if (m_stop || !waiting || m_freeSlots.empty()) return nullptr;
  std::deque<Queued>& queue = *waiting;
  const std::size_t which = m_options.shuffle ? m_random() % queue.size() : 0;
  const Queued next = queue[which];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(which));
  // The slot that was free first, on the device's clock, takes it.
  const auto earliest = std::min_element(m_freeSlots.begin(), m_freeSlots.end(),
                                         [](const Slot* a, const Slot* b) { return a->due < b->due; });
  Slot* const slot = *earliest;
  m_freeSlots.erase(earliest);
  slot->request = next.request;
  slot->start = std::max(next.since, slot->due);
  slot->fails = chance(m_options.failureProbability);
  slot->corrupts = chance(m_options.corruptProbability);
  slot->error = nullptr;
  ++m_atInner;
  return slot;
}

void ScriptedSource::serve() noexcept {
  for (;;) {
    Slot* slot = nullptr;
    {
      const std::lock_guard lock(m_mutex);
      slot = startNext();
    }
    if (!slot) return;
    const PageRequest request{.array = slot->request.array,
                              .page = slot->request.page,
                              .sink = this,
                              .tag = static_cast<std::uint64_t>(slot - m_slots.data()),
                              .priority = slot->request.priority};
    m_inner->read({&request, 1});
  }
}

void ScriptedSource::schedule(Slot& slot, std::uint64_t bytes) {
  std::chrono::nanoseconds latency = m_options.latency;
  if (m_options.shuffle) latency = latency / 2 + std::chrono::nanoseconds(m_random() % (latency.count() + 1));
  slot.due = slot.start + latency;
  if (m_options.bytesPerSecond > 0) {
    const std::chrono::duration<double> transfer(static_cast<double>(bytes) / m_options.bytesPerSecond);
    slot.due = std::max(slot.due, m_linkFree) + std::chrono::duration_cast<Clock::duration>(transfer);
    m_linkFree = slot.due;
  }
  ++m_counters.reads;
  m_counters.bytesRead += bytes;
  --m_atInner;
  m_dueSlots.push_back(&slot);
  std::push_heap(m_dueSlots.begin(), m_dueSlots.end(),
                 [](const Slot* a, const Slot* b) { return a->due > b->due; });
  if (m_dueSlots.front() != &slot) return;
  if (m_timer < 0)
    m_changed.notify_all();
  else if (slot.due < m_timerAt)
    setTimer();
}

void ScriptedSource::setTimer() const {
  m_timerAt = m_dueSlots.empty() ? Clock::time_point::max() : m_dueSlots.front()->due;
  itimerspec when{};  // zero: never
  if (!m_dueSlots.empty()) {
    const std::int64_t ns = std::max<std::int64_t>(
        1, std::chrono::duration_cast<std::chrono::nanoseconds>(m_timerAt.time_since_epoch()).count());
    when.it_value.tv_sec = ns / 1'000'000'000;
    when.it_value.tv_nsec = ns % 1'000'000'000;
  }
  ::timerfd_settime(m_timer, TFD_TIMER_ABSTIME, &when, nullptr);
}

void ScriptedSource::arrived(std::uint64_t tag, const StoredPage& page) noexcept {
  if (tag & kByHandTag) {
    ByHand answered;
    std::uint64_t where = 0;
    {
      const std::lock_guard lock(m_mutex);
      answered = m_answered.extract(tag).mapped();
      where = m_random();
      ++m_counters.reads;
      m_counters.bytesRead += page.bytes.size();
    }
    std::vector<std::byte> copy;
    answered.request.sink->arrived(answered.request.tag,
                                   answered.corrupt ? spoiled(page, copy, where) : page);
    const std::lock_guard lock(m_mutex);
    --m_atInner;
    return;
  }
  // nothing else touches the slot until it is scheduled
  Slot& slot = m_slots[tag];
  if (slot.fails)
    slot.error = std::make_exception_ptr(
        Io("failed as it was told to").at(pageText(description(), slot.request.array, slot.request.page)));
  if (slot.corrupts) {
    slot.page = spoiled(page, slot.bytes, tag * 0x9E3779B97F4A7C15u >> 8);
  } else {
    slot.bytes.assign(page.bytes.begin(), page.bytes.end());
    slot.page = page;
    slot.page.bytes = slot.bytes;
  }
  const std::lock_guard lock(m_mutex);
  schedule(slot, page.bytes.size());
}

void ScriptedSource::failed(std::uint64_t tag, std::exception_ptr error) noexcept {
  if (tag & kByHandTag) {
    ByHand answered;
    {
      const std::lock_guard lock(m_mutex);
      answered = m_answered.extract(tag).mapped();
    }
    answered.request.sink->failed(answered.request.tag, error);
    const std::lock_guard lock(m_mutex);
    --m_atInner;
    return;
  }
  Slot& slot = m_slots[tag];
  slot.error = error;
  const std::lock_guard lock(m_mutex);
  schedule(slot, 0);
}

bool ScriptedSource::deliverOne(bool evenIfNotDue) noexcept {
  Slot* slot = nullptr;
  {
    const std::lock_guard lock(m_mutex);
    if (m_dueSlots.empty() || (!evenIfNotDue && m_dueSlots.front()->due > Clock::now())) return false;
    std::pop_heap(m_dueSlots.begin(), m_dueSlots.end(),
                  [](const Slot* a, const Slot* b) { return a->due > b->due; });
    slot = m_dueSlots.back();
    m_dueSlots.pop_back();
  }
  if (slot->error)
    slot->request.sink->failed(slot->request.tag, slot->error);
  else
    slot->request.sink->arrived(slot->request.tag, slot->page);
  {
    const std::lock_guard lock(m_mutex);
    m_freeSlots.push_back(slot);
  }
  serve();
  return true;
}

void ScriptedSource::work() {
  trace::nameThread("scripted source");
  ::prctl(PR_SET_TIMERSLACK, 1UL);  // the default rounds short sleeps up by 50 µs
  for (;;) {
    {
      std::unique_lock lock(m_mutex);
      if (m_stop) return;
      if (m_dueSlots.empty())
        m_changed.wait(lock);
      else if (m_dueSlots.front()->due > Clock::now())
        m_changed.wait_until(lock, m_dueSlots.front()->due);
      if (m_stop) return;
    }
    while (deliverOne(false)) {
    }
  }
}

int ScriptedSource::reap() noexcept {
  int handled = m_inner->reap();
  if (m_options.delivery == ScriptedDelivery::Reap && !m_options.manual)
    for (; handled < 16 && deliverOne(false); ++handled) {
    }
  return handled;
}

int ScriptedSource::pollDescriptors(int* out, int capacity) const {
  int count = m_inner->pollDescriptors(out, capacity);
  if (m_timer < 0 || count == capacity) return count;
  out[count++] = m_timer;
  const std::lock_guard lock(m_mutex);
  const Clock::time_point next = m_dueSlots.empty() ? Clock::time_point::max() : m_dueSlots.front()->due;
  if (m_timerAt != next) setTimer();
  return count;
}

void ScriptedSource::hurry(const PageRequest& request) noexcept {
  const std::lock_guard lock(m_mutex);
  m_waiting.hurry(request);
  for (Queued& queued : m_byHand)
    if (isSame(queued.request, request)) queued.request.priority = request.priority;
}

void ScriptedSource::withdraw(const PageRequest& request) noexcept {
  {
    const std::lock_guard lock(m_mutex);
    const auto is = [&](const Queued& queued) { return isSame(queued.request, request); };
    if (!m_waiting.remove(request) && (m_options.started || std::erase_if(m_byHand, is) == 0)) return;
  }
  failCancelled(request);
}

void ScriptedSource::cancel(const PageSink* sink) noexcept {
  std::vector<Queued> removed;
  {
    const std::lock_guard lock(m_mutex);
    removed = m_waiting.remove(sink);
    const auto isIts = [sink](const Queued& queued) { return !sink || queued.request.sink == sink; };
    std::copy_if(m_byHand.begin(), m_byHand.end(), std::back_inserter(removed), isIts);
    std::erase_if(m_byHand, isIts);
  }
  for (const Queued& queued : removed) failCancelled(queued.request);
}

SourceCounters ScriptedSource::counters() const {
  const std::lock_guard lock(m_mutex);
  return m_counters;
}

std::vector<PageRequest> ScriptedSource::pending() const {
  const std::lock_guard lock(m_mutex);
  std::vector<PageRequest> requests;
  for (const Queued& queued : m_byHand) requests.push_back(queued.request);
  return requests;
}

bool ScriptedSource::waitForPending(std::size_t count, std::chrono::milliseconds timeout) {
  std::unique_lock lock(m_mutex);
  return m_changed.wait_for(lock, timeout, [&] { return m_byHand.size() >= count; });
}

bool ScriptedSource::answer(std::size_t index, bool corrupt) {
  PageRequest request;
  {
    const std::lock_guard lock(m_mutex);
    if (!m_options.manual || index >= m_byHand.size()) return false;
    request = m_byHand[index].request;
    m_byHand.erase(m_byHand.begin() + static_cast<std::ptrdiff_t>(index));
    const std::uint64_t tag = kByHandTag | m_nextTag++;
    m_answered[tag] = {request, corrupt};
    ++m_atInner;
    request.sink = this;
    request.tag = tag;
  }
  m_inner->read({&request, 1});
  return true;
}

bool ScriptedSource::fail(std::size_t index, std::exception_ptr error) {
  PageRequest request;
  {
    const std::lock_guard lock(m_mutex);
    if (!m_options.manual || index >= m_byHand.size()) return false;
    request = m_byHand[index].request;
    m_byHand.erase(m_byHand.begin() + static_cast<std::ptrdiff_t>(index));
  }
  request.sink->failed(request.tag, error);
  return true;
}

std::size_t ScriptedSource::answerAll(bool backwards) {
  std::size_t count = pending().size();
  for (std::size_t n = 0; n < count; ++n)
    if (!answer(backwards ? count - 1 - n : 0)) return n;
  return count;
}

}  // namespace farfield::paging
