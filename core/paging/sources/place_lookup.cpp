#include "core/paging/sources/place_lookup.h"

#include <algorithm>
#include <system_error>

#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

// Enough that pages of one index node, and neighbours in the file, are found together; few enough that the
// first of a long queue do not wait for the last.
constexpr std::size_t kLookedUpTogether = 64;

}  // namespace

void PlaceLookup::stop() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_called.notify_all();
  if (m_thread.joinable()) m_thread.join();
}

bool PlaceLookup::push(std::span<const PageRequest> requests) {
  try {
    const std::lock_guard lock(m_mutex);
    if (m_stop) return false;
    if (!m_thread.joinable()) m_thread = std::thread([this] { work(); });
    for (const PageRequest& request : requests) m_waiting.push(request);
  } catch (const std::system_error&) {
    m_lookUp(requests);  // the system gives no more threads, so the caller waits
    return true;
  }
  m_called.notify_one();
  return true;
}

void PlaceLookup::hurry(const PageRequest& request) {
  const std::lock_guard lock(m_mutex);
  m_waiting.hurry(request);
}

bool PlaceLookup::remove(const PageRequest& request) {
  const std::lock_guard lock(m_mutex);
  return m_waiting.remove(request).has_value();
}

std::vector<PageRequest> PlaceLookup::remove(const PageSink* sink) {
  const std::lock_guard lock(m_mutex);
  return m_waiting.remove(sink);
}

void PlaceLookup::work() {
  trace::nameThread("page places");
  std::vector<PageRequest> some;
  std::unique_lock lock(m_mutex);
  for (;;) {
    m_called.wait(lock, [this] { return m_stop || !m_waiting.isEmpty(); });
    if (m_stop) return;
    auto& queue = *m_waiting.next();
    const auto last = queue.begin() + static_cast<std::ptrdiff_t>(std::min(queue.size(), kLookedUpTogether));
    some.assign(queue.begin(), last);
    queue.erase(queue.begin(), last);
    lock.unlock();
    m_lookUp(some);
    lock.lock();
  }
}

}  // namespace farfield::paging
