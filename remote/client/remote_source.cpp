#include "remote/client/remote_source.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/paging/pages/page_text.h"

namespace farfield::remote {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookEvery = 50ms;
/// A page is late after so many times the mean time, and not before some time at all.
constexpr double kLateFactor = 4, kLateAfterSeconds = 0.25, kNewShare = 0.02;
/// A server that was silent for so long is not asked while others are there.
constexpr double kSilentSeconds = 0.5;

std::uint64_t largestOf(const RemoteSet& set, std::uint64_t wanted) {
  for (const ArrayFacts& array : set.arrays) wanted = std::max(wanted, array.mostStoredBytes);
  return wanted;
}

bool mayBeElsewhere(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
    return false;
  } catch (...) {
    return true;
  }
}

}  // namespace

RemoteSource::RemoteSource(std::shared_ptr<const RemoteSet> set, MemoryAccount& account,
                           std::uint64_t stagingBytes)
    : m_set(std::move(set)),
      m_staging(account, largestOf(*m_set, stagingBytes), "pages from a server"),
      m_wantsRoom(m_set->links.size()) {
  m_event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (m_event < 0) throw ioError("no event descriptor", errno);
}

RemoteSource::~RemoteSource() {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
  }
  for (const auto& link : m_set->links) link->remove(this);
  std::vector<paging::PageRequest> open;
  {
    const std::lock_guard lock(m_mutex);
    for (auto& [id, asked] : m_asked) {
      if (asked.twin) {
        if (const auto twin = m_asked.find(asked.twin); twin != m_asked.end())
          twin->second.request.sink = nullptr;
      }
      if (asked.request.sink) open.push_back(asked.request);
    }
    for (const Landed& landed : m_landed) open.push_back(landed.request);
    m_asked.clear();
    m_landed.clear();
  }
  for (const paging::PageRequest& request : open) paging::failCancelled(request);
  ::close(m_event);
}

std::size_t RemoteSource::chooseLink(std::uint32_t tried) const {
  if (m_set->links.size() == 1) return 0;
  std::size_t best = 0;
  double bestTime = -1;
  for (std::size_t n = 0; n < m_set->links.size(); ++n) {
    const LinkCounters counters = m_set->links[n]->counters();
    double time =
        (static_cast<double>(counters.pagesOnTheirWay) + 1) / std::max(counters.bytesPerSecond, 1e5);
    if (counters.silentSeconds > kSilentSeconds) time += 1;
    if (tried & (1u << n)) time += 1000;
    if (bestTime < 0 || time < bestTime) {
      best = n;
      bestTime = time;
    }
  }
  return best;
}

void RemoteSource::read(std::span<const paging::PageRequest> requests) noexcept {
  std::vector<std::vector<LinkAsk>> asks(m_set->links.size());
  std::vector<paging::PageRequest> refused;
  const auto now = Clock::now();
  // The same server for all pages of a request: neighbours are found together there.
  std::size_t link = 0;
  for (std::size_t n = 0; n < requests.size(); ++n) {
    const paging::PageRequest& request = requests[n];
    if (const std::exception_ptr error = paging::checkRequest(description(), request, name())) {
      request.sink->failed(request.tag, error);
      continue;
    }
    if (n % 16 == 0) link = chooseLink(0);
    const std::uint64_t id = Link::newId();
    const std::lock_guard lock(m_mutex);
    if (m_closed) {
      refused.push_back(request);
      continue;
    }
    m_asked.emplace(id, Asked{request, link, now, 0, 1u << link});
    asks[link].push_back({id, request.array, request.page, static_cast<Urgency>(request.priority)});
  }
  for (const paging::PageRequest& request : refused) paging::failCancelled(request);
  for (std::size_t n = 0; n < asks.size(); ++n)
    if (!asks[n].empty()) m_set->links[n]->read(this, asks[n]);
}

void RemoteSource::hurry(const paging::PageRequest& request) noexcept {
  std::uint64_t id = 0;
  std::size_t link = 0;
  {
    const std::lock_guard lock(m_mutex);
    for (auto& [number, asked] : m_asked)
      if (asked.request.sink == request.sink && asked.request.tag == request.tag &&
          asked.request.page == request.page && asked.request.array == request.array) {
        id = number;
        link = asked.link;
        asked.request.priority = request.priority;
        break;
      }
  }
  if (id) m_set->links[link]->hurry({&id, 1}, static_cast<Urgency>(request.priority));
}

void RemoteSource::withdraw(const paging::PageRequest& request) noexcept {
  end([&](const paging::PageRequest& its) {
    return its.sink == request.sink && its.tag == request.tag && its.page == request.page &&
           its.array == request.array;
  });
}

void RemoteSource::cancel(const paging::PageSink* sink) noexcept {
  end([sink](const paging::PageRequest& its) { return its.sink == sink; });
}

void RemoteSource::end(const std::function<bool(const paging::PageRequest&)>& isMeant) {
  std::vector<paging::PageRequest> ended;
  std::vector<std::vector<std::uint64_t>> ids(m_set->links.size());
  {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_asked, [&](const auto& entry) {
      const Asked& asked = entry.second;
      if (!isMeant(asked.request)) return false;
      ids[asked.link].push_back(entry.first);
      // Of twins the older ends the request.
      if (!asked.twin || entry.first < asked.twin) ended.push_back(asked.request);
      return true;
    });
  }
  for (std::size_t n = 0; n < ids.size(); ++n)
    if (!ids[n].empty()) m_set->links[n]->cancel(ids[n]);
  for (const paging::PageRequest& request : ended) paging::failCancelled(request);
}

PageReceiver::Room RemoteSource::room(std::uint64_t id, std::uint64_t bytes,
                                      std::span<std::byte>& to) noexcept {
  const std::lock_guard lock(m_mutex);
  const auto found = m_asked.find(id);
  if (found == m_asked.end()) return Room::NotWanted;
  to = m_staging.tryTake(bytes);
  if (!to.empty()) return Room::Given;
  m_wantsRoom[found->second.link] = true;
  return Room::NotNow;
}

void RemoteSource::giveBack(std::span<std::byte> bytes) {
  std::vector<bool> wants;
  {
    const std::lock_guard lock(m_mutex);
    m_staging.giveBack(bytes);
    wants.assign(m_wantsRoom.size(), false);
    wants.swap(m_wantsRoom);
  }
  for (std::size_t n = 0; n < wants.size(); ++n)
    if (wants[n]) m_set->links[n]->goOn();
}

void RemoteSource::push(Landed landed) {
  m_landed.push_back(std::move(landed));
  if (m_landed.size() > 1) return;
  const std::uint64_t one = 1;
  (void)!::write(m_event, &one, sizeof one);
}

void RemoteSource::landed(std::uint64_t id, const PageHead& head, std::span<std::byte> bytes) noexcept {
  std::uint64_t twin = 0;
  std::size_t twinLink = 0;
  {
    const std::lock_guard lock(m_mutex);
    const auto found = m_asked.find(id);
    if (found != m_asked.end()) {
      const Asked asked = found->second;
      m_asked.erase(found);
      if (const auto other = m_asked.find(asked.twin); asked.twin && other != m_asked.end()) {
        twin = asked.twin;
        twinLink = other->second.link;
        m_asked.erase(other);
      }
      const double seconds = std::chrono::duration<double>(Clock::now() - asked.since).count();
      m_meanSeconds = m_meanSeconds == 0 ? seconds : m_meanSeconds + kNewShare * (seconds - m_meanSeconds);
      push({asked.request, head, bytes, nullptr});
      bytes = {};
    }
  }
  if (twin) m_set->links[twinLink]->cancel({&twin, 1});
  if (!bytes.empty()) giveBack(bytes);
}

void RemoteSource::dropped(std::uint64_t, std::span<std::byte> bytes) noexcept {
  giveBack(bytes);
}

void RemoteSource::askAgain(std::uint64_t id, Asked& asked,
                            std::vector<std::pair<std::size_t, LinkAsk>>& out) {
  const std::size_t link = chooseLink(asked.tried);
  if (asked.tried & (1u << link)) return;  // all have been asked
  asked.tried |= 1u << link;
  Asked again = asked;
  again.link = link;
  again.since = Clock::now();
  again.twin = id;
  const std::uint64_t newId = Link::newId();
  asked.twin = newId;
  m_asked.emplace(newId, again);
  out.push_back(
      {link, {newId, asked.request.array, asked.request.page, static_cast<Urgency>(asked.request.priority)}});
}

void RemoteSource::failed(std::uint64_t id, std::exception_ptr error) noexcept {
  std::vector<std::pair<std::size_t, LinkAsk>> again;
  {
    const std::lock_guard lock(m_mutex);
    const auto found = m_asked.find(id);
    if (found == m_asked.end()) return;
    if (const auto twin = m_asked.find(found->second.twin); found->second.twin && twin != m_asked.end()) {
      twin->second.twin = 0;  // the other one may still come
      m_asked.erase(id);
      return;
    }
    Asked asked = found->second;
    asked.twin = 0;
    if (m_set->links.size() > 1 && mayBeElsewhere(error) && !m_closed) {
      askAgain(id, asked, again);
      if (!again.empty()) m_asked.at(again.front().second.id).twin = 0;
    }
    m_asked.erase(id);
    if (again.empty()) push({asked.request, {}, {}, error});
  }
  for (const auto& [link, ask] : again) m_set->links[link]->read(this, {&ask, 1});
}

void RemoteSource::askLateOnesAgain() {
  std::vector<std::pair<std::size_t, LinkAsk>> again;
  {
    const std::lock_guard lock(m_mutex);
    const auto now = Clock::now();
    if (now - m_lastLook < kLookEvery || m_closed) return;
    m_lastLook = now;
    const double late = std::max(kLateAfterSeconds, kLateFactor * m_meanSeconds);
    std::vector<std::uint64_t> ids;
    for (const auto& [id, asked] : m_asked)
      if (!asked.twin && asked.request.priority == paging::Priority::Demand &&
          std::chrono::duration<double>(now - asked.since).count() > late)
        ids.push_back(id);
    for (const std::uint64_t id : ids) {
      Asked asked = m_asked.at(id);
      askAgain(id, asked, again);
      Asked& its = m_asked.at(id);
      its.twin = asked.twin;
      its.tried = asked.tried;
    }
  }
  for (const auto& [link, ask] : again) m_set->links[link]->read(this, {&ask, 1});
}

int RemoteSource::reap() noexcept {
  if (m_set->links.size() > 1) askLateOnesAgain();
  int count = 0;
  for (;;) {
    Landed landed;
    {
      const std::lock_guard lock(m_mutex);
      if (m_landed.empty()) return count;
      landed = std::move(m_landed.front());
      m_landed.pop_front();
      if (m_landed.empty()) {
        std::uint64_t ignored;
        (void)!::read(m_event, &ignored, sizeof ignored);
      }
    }
    ++count;
    if (landed.error) {
      landed.request.sink->failed(landed.request.tag, landed.error);
      continue;
    }
    landed.request.sink->arrived(landed.request.tag, {.bytes = landed.bytes,
                                                      .codec = static_cast<paging::Codec>(landed.head.codec),
                                                      .hasChecksum = true,
                                                      .checksum = landed.head.checksum,
                                                      .padded = landed.head.padded});
    giveBack(landed.bytes);
  }
}

int RemoteSource::pollDescriptors(int* out, int capacity) const {
  if (capacity < 1) return 0;
  out[0] = m_event;
  return 1;
}

paging::SourceCounters RemoteSource::counters() const {
  paging::SourceCounters sum;
  for (const auto& link : m_set->links) {
    const LinkCounters its = link->counters();
    sum.reads += its.reads;
    sum.bytesRead += its.bytesRead;
  }
  return sum;
}

std::vector<paging::SourceReport> RemoteSource::reports() const {
  std::vector<paging::SourceReport> reports;
  for (const auto& link : m_set->links) {
    const LinkCounters its = link->counters();
    reports.push_back({.name = m_set->links.size() == 1 ? m_set->url : link->name(),
                       .counters = {its.reads, its.bytesRead},
                       .roundTripMs = its.roundTripMs,
                       .bytesPerSecond = its.bytesPerSecond,
                       .reconnects = its.reconnects,
                       .lostSeconds = its.lostSeconds,
                       .silentSeconds = its.silentSeconds,
                       .isHere = false});
  }
  return reports;
}

}  // namespace farfield::remote
