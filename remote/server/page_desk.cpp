#include "remote/server/page_desk.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <utility>

#include "core/base/error.h"

namespace farfield::remote {
namespace {

PageKey keyOf(const ServedSet& set, const PageName& name) {
  return {set.filesKey(), name.array, name.page};
}

/// A rate may be overdrawn by what comes within so many seconds of quiet.
constexpr double kBurstSeconds = 0.1;
constexpr std::size_t kMostPreloads = 1024;

}  // namespace

bool PageDesk::Allowance::allows(std::chrono::steady_clock::time_point now) {
  if (perSecond <= 0) return true;
  const double most = perSecond * kBurstSeconds;
  bytes = std::min(most, bytes + perSecond * std::chrono::duration<double>(now - since).count());
  since = now;
  return bytes > 0;
}

PageDesk::PageDesk(const DeskLimits& limits) : m_limits(limits), m_ram(limits.cacheBytes) {
  m_allowance.perSecond = limits.bytesPerSecond;
}

PageDesk::ClientId PageDesk::add(std::weak_ptr<PageClient> to, double bytesPerSecond) {
  const std::lock_guard lock(m_mutex);
  auto client = std::make_shared<Client>();
  client->to = std::move(to);
  client->ownRate = bytesPerSecond > 0;
  client->allowance.perSecond = client->ownRate ? bytesPerSecond : m_limits.bytesPerSecondAndClient;
  m_clients.emplace(m_nextId, std::move(client));
  return m_nextId++;
}

void PageDesk::remove(ClientId id) {
  {
    const std::lock_guard lock(m_mutex);
    const auto found = m_clients.find(id);
    if (found == m_clients.end()) return;
    m_counters.heldBytes -= found->second->heldBytes;
    found->second->heldBytes = 0;
    for (auto& queue : found->second->queues) queue.clear();
    found->second->to.reset();
    std::erase(m_active, found->second);
    m_clients.erase(found);
  }
  pump();
}

void PageDesk::setRates(double bytesPerSecond, double bytesPerSecondAndClient) {
  const std::lock_guard lock(m_mutex);
  m_allowance.perSecond = bytesPerSecond;
  m_limits.bytesPerSecondAndClient = bytesPerSecondAndClient;
  for (const auto& [id, client] : m_clients)
    if (!client->ownRate) client->allowance.perSecond = bytesPerSecondAndClient;
}

bool PageDesk::ask(ClientId id, const std::shared_ptr<ServedSet>& set, Urgency urgency,
                   std::uint64_t sequence, std::span<const PageName> pages) {
  {
    const std::lock_guard lock(m_mutex);
    const auto found = m_clients.find(id);
    if (found == m_clients.end()) return true;
    const ClientPointer& client = found->second;
    if (client->waiting() + pages.size() > kMostWaiting) return false;
    if (client->waiting() == 0 && !pages.empty()) {
      m_active.push_back(client);
      client->turn = std::max(client->turn, m_turn);
    }
    auto& queue = client->queues[static_cast<std::size_t>(urgency)];
    for (const PageName& name : pages) queue.push_back({set, sequence++, name});
  }
  pump();
  return true;
}

void PageDesk::cancel(ClientId id, std::span<const std::uint64_t> sequences) {
  std::vector<std::uint64_t> sorted(sequences.begin(), sequences.end());
  std::sort(sorted.begin(), sorted.end());
  const std::lock_guard lock(m_mutex);
  const auto found = m_clients.find(id);
  if (found == m_clients.end()) return;
  Client& client = *found->second;
  const std::size_t before = client.waiting();
  for (auto& queue : client.queues)
    std::erase_if(queue, [&](const Ask& ask) {
      return std::binary_search(sorted.begin(), sorted.end(), ask.sequence);
    });
  m_counters.cancelled += before - client.waiting();
  if (client.waiting() == 0) std::erase(m_active, found->second);
}

void PageDesk::hurry(ClientId id, std::span<const std::uint64_t> sequences, Urgency urgency) {
  std::vector<std::uint64_t> sorted(sequences.begin(), sequences.end());
  std::sort(sorted.begin(), sorted.end());
  {
    const std::lock_guard lock(m_mutex);
    const auto found = m_clients.find(id);
    if (found == m_clients.end()) return;
    Client& client = *found->second;
    const auto isMeant = [&](const Ask& ask) {
      return std::binary_search(sorted.begin(), sorted.end(), ask.sequence);
    };
    std::vector<Ask> moved;
    for (auto& queue : client.queues) {
      std::copy_if(queue.begin(), queue.end(), std::back_inserter(moved), isMeant);
      std::erase_if(queue, isMeant);
    }
    auto& queue = client.queues[static_cast<std::size_t>(urgency)];
    queue.insert(queue.end(), moved.begin(), moved.end());
  }
  pump();
}

void PageDesk::written(ClientId id, std::uint64_t bytes) {
  {
    const std::lock_guard lock(m_mutex);
    const auto found = m_clients.find(id);
    if (found == m_clients.end()) return;
    bytes = std::min(bytes, found->second->heldBytes);
    found->second->heldBytes -= bytes;
    m_counters.heldBytes -= bytes;
  }
  pump();
}

void PageDesk::preload(const std::shared_ptr<ServedSet>& set, std::uint32_t array, std::uint64_t first,
                       std::uint64_t count) {
  {
    const std::lock_guard lock(m_mutex);
    if (m_preloads.size() >= kMostPreloads) return;
    m_preloads.push_back({set, array, first, first + count});
    m_preloadRoom = m_ram.capacityBytes();
  }
  pump();
}

PageBlobPointer PageDesk::fetch(const std::shared_ptr<ServedSet>& set, std::uint32_t array,
                                std::uint64_t page) {
  const PageKey key = keyOf(*set, {array, page});
  {
    const std::lock_guard lock(m_mutex);
    if (PageBlobPointer found = m_ram.find(key)) return found;
  }
  PageBlobPointer found;
  const PageName name{array, page};
  set->tryRead({&name, 1}, {&found, 1});
  if (found) return found;
  std::promise<PageBlobPointer> promise;
  set->read(array, page, [&](PageBlobPointer blob, std::exception_ptr error) {
    if (error)
      promise.set_exception(error);
    else
      promise.set_value(std::move(blob));
  });
  PageBlobPointer blob = promise.get_future().get();
  const std::lock_guard lock(m_mutex);
  m_ram.put(key, blob);
  return blob;
}

std::uint64_t PageDesk::shareBytes() const {
  return std::min(m_limits.heldByOneBytes, m_limits.heldBytes / std::max<std::size_t>(1, m_clients.size()));
}

PageDesk::ClientPointer PageDesk::choose(std::size_t urgency, std::chrono::steady_clock::time_point now) {
  const std::uint64_t share = shareBytes();
  // Half of the reads are kept for demands: what has started cannot be overtaken.
  const int mostReads = urgency > 0 ? std::max(1, m_limits.readsAtATime / 2) : m_limits.readsAtATime;
  // Then who needs none does not wait for one: it may be long until these end.
  const bool isFull = m_readsOnTheirWay >= mostReads;
  ClientPointer best;
  for (const ClientPointer& client : m_active) {
    const auto& queue = client->queues[urgency];
    if (queue.empty() || (best && best->turn <= client->turn)) continue;
    const Ask& ask = queue.front();
    if (isFull) {
      const PageKey key = keyOf(*ask.set, ask.name);
      if (!m_reading.contains(key) && !m_ram.has(key)) continue;
    }
    const std::uint64_t cost = ask.set->mostStoredBytes(ask.name.array);
    // Everybody may have one page at a time, however little is left.
    if (client->heldBytes > 0 &&
        (client->heldBytes + cost > share || m_counters.heldBytes + cost > m_limits.heldBytes))
      continue;
    if (!client->allowance.allows(now)) continue;
    best = client;
  }
  return best;
}

void PageDesk::giveOut(const ClientPointer& client, std::uint64_t sequence, const PageBlobPointer& page,
                       Work& work) {
  client->heldBytes += page->size;
  m_counters.heldBytes += page->size;
  client->turn += page->size;
  client->allowance.take(page->size);
  m_allowance.take(page->size);
  ++m_counters.pages;
  m_counters.bytes += page->size;
  work.deliveries.push_back({client->to, {sequence, page}, nullptr});
}

void PageDesk::close() {
  std::unique_lock lock(m_mutex);
  m_closed = true;
  m_ended.wait(lock, [this] { return m_readsOnTheirWay == 0 && m_answering == 0; });
  // These keep sets open.
  m_preloads.clear();
  m_active.clear();
  for (const auto& [id, client] : m_clients)
    for (auto& queue : client->queues) queue.clear();
}

void PageDesk::plan(Work& work) {
  if (m_closed) return;
  const auto now = std::chrono::steady_clock::now();
  while (m_allowance.allows(now)) {
    std::size_t urgency = 0;
    ClientPointer client = choose(urgency, now);
    while (!client && ++urgency < kUrgencyCount) client = choose(urgency, now);
    if (!client) break;
    auto& queue = client->queues[urgency];
    const Ask& next = queue.front();
    const PageKey key = keyOf(*next.set, next.name);
    const bool isBeingRead = m_reading.contains(key);
    PageBlobPointer page = isBeingRead ? nullptr : m_ram.find(key);
    Ask ask = std::move(queue.front());
    queue.pop_front();
    if (client->waiting() == 0) std::erase(m_active, client);
    m_turn = client->turn;
    if (page) {
      ++m_counters.fromMemory;
      giveOut(client, ask.sequence, page, work);
      continue;
    }
    const std::uint64_t cost = ask.set->mostStoredBytes(ask.name.array);
    client->heldBytes += cost;
    m_counters.heldBytes += cost;
    const Waiter waiter{client, ask.sequence, cost};
    if (isBeingRead) {
      m_reading[key].push_back(waiter);
      continue;
    }
    ++m_readsOnTheirWay;
    work.starts.push_back({std::move(ask.set), ask.name, waiter});
  }
  while (!m_preloads.empty() && m_readsOnTheirWay < std::max(1, m_limits.readsAtATime / 4)) {
    Preload& preload = m_preloads.front();
    const std::uint64_t cost = preload.set->mostStoredBytes(preload.array);
    if (preload.next == preload.end || cost > m_preloadRoom) {
      m_preloads.pop_front();
      continue;
    }
    const PageName name{preload.array, preload.next++};
    const PageKey key = keyOf(*preload.set, name);
    if (m_ram.has(key) || m_reading.contains(key)) continue;
    m_preloadRoom -= cost;
    ++m_readsOnTheirWay;
    work.starts.push_back({preload.set, name, {}});
  }
}

void PageDesk::answer(const Waiter& waiter, const PageBlobPointer& page, const std::exception_ptr& error,
                      Work& work) {
  if (!waiter.client) return;
  Client& client = *waiter.client;
  const std::uint64_t back = std::min(waiter.heldBytes, client.heldBytes);
  client.heldBytes -= back;
  m_counters.heldBytes -= back;
  if (client.to.expired()) return;
  if (page) return giveOut(waiter.client, waiter.sequence, page, work);
  ++m_counters.failures;
  work.deliveries.push_back({client.to, {waiter.sequence, nullptr}, error});
}

void PageDesk::landed(const Read& read, Work& work) {
  const std::lock_guard lock(m_mutex);
  --m_readsOnTheirWay;
  ++m_answering;
  if (read.page) m_ram.put(read.key, read.page);
  const auto waiters = m_reading.extract(read.key);
  for (const Waiter& waiter : waiters.mapped()) answer(waiter, read.page, read.error, work);
}

/// Answers what the system has in memory, which is not kept twice, and leaves in `work` the reads to be started.
void PageDesk::tryAtOnce(Work& work) {
  std::vector<PageName> names;
  std::vector<PageBlobPointer> pages(work.starts.size());
  for (std::size_t n = 0, end = 0; n < work.starts.size(); n = end) {
    names.clear();
    for (end = n; end < work.starts.size() && work.starts[end].set == work.starts[n].set; ++end)
      names.push_back(work.starts[end].name);
    work.starts[n].set->tryRead(names, std::span(pages).subspan(n, end - n));
  }
  std::vector<Start> toRead;
  const std::lock_guard lock(m_mutex);
  for (std::size_t n = 0; n < pages.size(); ++n) {
    Start& start = work.starts[n];
    if (pages[n]) {
      --m_readsOnTheirWay;
      if (start.waiter.client) ++m_counters.fromMemory;
      answer(start.waiter, pages[n], nullptr, work);
      continue;
    }
    auto& waiters = m_reading[keyOf(*start.set, start.name)];
    const bool isBeingRead = !waiters.empty();
    waiters.push_back(std::move(start.waiter));
    if (isBeingRead) {
      --m_readsOnTheirWay;
    } else {
      ++m_counters.reads;
      toRead.push_back(std::move(start));
    }
  }
  work.starts = std::move(toRead);
  m_ended.notify_all();
}

void PageDesk::startReading(const Start& start) {
  start.set->read(start.name.array, start.name.page,
                  [this, key = keyOf(*start.set, start.name), keep = start.set](
                      PageBlobPointer page, std::exception_ptr error) mutable {
                    {
                      Work more;
                      landed({key, std::move(page), error}, more);
                      deliver(more.deliveries);
                    }
                    pump();
                    // The set first: behind close() nobody but its owner has it.
                    keep.reset();
                    const std::lock_guard lock(m_mutex);
                    --m_answering;
                    m_ended.notify_all();
                  });
}

void PageDesk::deliver(std::vector<Delivery>& deliveries) {
  std::vector<ReadyPage> together;
  for (std::size_t n = 0; n < deliveries.size();) {
    const std::weak_ptr<PageClient>& whom = deliveries[n].to;
    const auto to = whom.lock();
    if (deliveries[n].error) {
      if (to) to->pageFailed(deliveries[n].ready.sequence, deliveries[n].error);
      ++n;
      continue;
    }
    const auto isIts = [&](const Delivery& other) {
      return !other.error && !other.to.owner_before(whom) && !whom.owner_before(other.to);
    };
    together.clear();
    for (const std::size_t first = n; n < deliveries.size() && (n == first || isIts(deliveries[n])); ++n)
      together.push_back(std::move(deliveries[n].ready));
    if (to) to->pagesReady(together);
  }
}

void PageDesk::pump() {
  // Pages that come while they are asked for call this from within; the outer call goes on with what they left.
  thread_local const PageDesk* pumping = nullptr;
  if (pumping == this) return;
  const PageDesk* const outer = std::exchange(pumping, this);
  while (pumpOnce()) {
  }
  pumping = outer;
}

bool PageDesk::pumpOnce() {
  Work work;
  {
    const std::lock_guard lock(m_mutex);
    plan(work);
  }
  if (work.starts.empty() && work.deliveries.empty()) return false;
  if (!work.starts.empty()) tryAtOnce(work);
  for (const Start& start : work.starts) startReading(start);
  deliver(work.deliveries);
  return true;
}

DeskCounters PageDesk::counters() const {
  const std::lock_guard lock(m_mutex);
  DeskCounters counters = m_counters;
  for (const ClientPointer& client : m_active) counters.waiting += client->waiting();
  counters.cachedBytes = m_ram.bytes();
  return counters;
}

}  // namespace farfield::remote
