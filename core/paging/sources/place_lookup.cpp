#include "core/paging/sources/place_lookup.h"

#include <algorithm>
#include <system_error>

#include "core/base/error.h"
#include "core/paging/pages/page_text.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

// Enough that pages of one index node, and neighbours in the file, are looked up together; few enough that
// the first of a long queue do not wait for the last.
constexpr std::size_t kLookedUpTogether = 64;

}  // namespace

void PlaceLookup::stop() noexcept {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_called.notify_all();
  if (m_thread.joinable()) m_thread.join();
}

bool PlaceLookup::push(PageRequests& requests) {
  if (requests.empty()) return true;
  {
    const std::lock_guard lock(m_mutex);
    if (m_stop) return false;
    try {
      if (!m_thread.joinable()) m_thread = std::thread([this] { work(); });
    } catch (const std::system_error& error) {
      throw Io(std::string("no thread can be started: ") + error.what(),
               "end other programs, or raise the limit (ulimit -u, ulimit -v)");
    }
    while (!requests.empty()) {
      PageRequests& queue = m_waiting[static_cast<std::size_t>(requests.front().priority)];
      queue.splice(queue.end(), requests, requests.begin());
    }
  }
  m_called.notify_one();
  return true;
}

void PlaceLookup::hurry(const PageRequest& request) noexcept {
  const std::lock_guard lock(m_mutex);
  const auto wanted = static_cast<std::size_t>(request.priority);
  for (std::size_t lower = wanted + 1; lower < m_waiting.size(); ++lower)
    for (auto at = m_waiting[lower].begin(); at != m_waiting[lower].end(); ++at) {
      if (!isSame(*at, request)) continue;
      at->priority = request.priority;
      return m_waiting[wanted].splice(m_waiting[wanted].end(), m_waiting[lower], at);
    }
}

bool PlaceLookup::remove(const PageRequest& request) noexcept {
  PageRequests removed;
  const std::lock_guard lock(m_mutex);
  for (PageRequests& queue : m_waiting) {
    const auto at = std::find_if(queue.begin(), queue.end(),
                                 [&](const PageRequest& waiting) { return isSame(waiting, request); });
    if (at == queue.end()) continue;
    removed.splice(removed.end(), queue, at);
    return true;
  }
  return false;
}

PageRequests PlaceLookup::remove(const PageSink* sink) noexcept {
  PageRequests removed;
  const std::lock_guard lock(m_mutex);
  for (PageRequests& queue : m_waiting)
    for (auto at = queue.begin(); at != queue.end();) {
      const auto next = std::next(at);
      if (!sink || at->sink == sink) removed.splice(removed.end(), queue, at);
      at = next;
    }
  return removed;
}

PageRequests* PlaceLookup::next() {
  const auto queue = std::find_if(m_waiting.begin(), m_waiting.end(),
                                  [](const PageRequests& waiting) { return !waiting.empty(); });
  return queue == m_waiting.end() ? nullptr : &*queue;
}

void PlaceLookup::work() {
  trace::nameThread("page places");
  std::unique_lock lock(m_mutex);
  for (;;) {
    m_called.wait(lock, [this] { return m_stop || next(); });
    if (m_stop) return;
    PageRequests& queue = *next();
    const auto count = static_cast<std::ptrdiff_t>(std::min(queue.size(), kLookedUpTogether));
    PageRequests some;
    some.splice(some.end(), queue, queue.begin(), std::next(queue.begin(), count));
    lock.unlock();
    m_lookUp(some);
    lock.lock();
  }
}

}  // namespace farfield::paging
