#include "remote/client/remote_source.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <tuple>

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
/// One that was lost is asked for something so often, which finds out whether it is back.
constexpr auto kTryLostEvery = 2s;
constexpr std::size_t kMostOfOneServer = 16;
/// Handed over by one reaper at a time, so that others have some, too.
constexpr std::size_t kMostReapedAtOnce = 8;

std::uint64_t largestOf(const RemoteSet& set, std::uint64_t wanted) {
  for (const ArrayFacts& array : set.arrays) wanted = std::max(wanted, array.mostStoredBytes);
  return wanted;
}

std::uint64_t bitOf(std::size_t link) {
  return std::uint64_t{1} << link;
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
      m_wantsRoom(m_set->links.size()),
      m_chosen(m_set->links.size()) {
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

std::vector<RemoteSource::Load> RemoteSource::loads() const {
  std::vector<Load> loads;
  if (m_set->links.size() == 1) return {{}};  // there is nothing to choose
  const auto now = Clock::now();
  for (std::size_t n = 0; n < m_set->links.size(); ++n) {
    const LinkCounters counters = m_set->links[n]->counters();
    loads.push_back({static_cast<double>(counters.pagesAsked), counters.bytesPerSecond,
                     counters.silentSeconds > kSilentSeconds,
                     counters.isLost && now - m_chosen[n] < kTryLostEvery});
  }
  return loads;
}

std::size_t RemoteSource::chooseLink(std::vector<Load>& loads, std::uint64_t tried, std::size_t part,
                                     std::size_t pages) {
  const std::vector<std::size_t>& links = m_set->parts[part];
  std::size_t best = links.front();
  double bestTime = -1;
  for (const std::size_t n : links) {
    const Load& load = loads[n];
    double time = (load.pages + static_cast<double>(pages)) / std::max(load.bytesPerSecond, 1e5);
    if (load.silent) time += 1;
    if (load.isLost) time += 100;
    if (tried & bitOf(n)) time += 1000;
    if (bestTime < 0 || time < bestTime) {
      best = n;
      bestTime = time;
    }
  }
  loads[best].pages += static_cast<double>(pages);
  m_chosen[best] = Clock::now();
  return best;
}

void RemoteSource::read(std::span<const paging::PageRequest> requests) noexcept {
  std::vector<std::vector<LinkAsk>> asks(m_set->links.size());
  const auto now = Clock::now();
  std::vector<std::size_t> right;  // numbers of requests for pages that are there
  right.reserve(requests.size());
  for (std::size_t n = 0; n < requests.size(); ++n) {
    if (const std::exception_ptr error = paging::checkRequest(description(), requests[n], name()))
      requests[n].sink->failed(requests[n].tag, error);
    else
      right.push_back(n);
  }
  bool closed;
  {
    const std::lock_guard lock(m_mutex);
    closed = m_closed;
    // The same server for some pages that follow one another: neighbours are found together there.
    const std::size_t together =
        std::clamp(right.size() / (2 * m_set->links.size()), std::size_t{1}, kMostOfOneServer);
    std::vector<std::size_t> chosen(m_set->parts.size());
    std::vector<Load> loads = this->loads();
    for (std::size_t k = 0; k < right.size() && !closed; ++k) {
      const paging::PageRequest& request = requests[right[k]];
      if (k % together == 0)
        for (std::size_t part = 0; part < chosen.size(); ++part)
          chosen[part] = chooseLink(loads, 0, part, together / chosen.size() + 1);
      const std::size_t link = chosen[m_set->partOf(request.page)];
      const std::uint64_t id = Link::newId();
      m_asked.emplace(id, Asked{request, link, now, 0, bitOf(link)});
      asks[link].push_back({id, request.array, request.page, static_cast<Urgency>(request.priority)});
    }
  }
  if (closed)
    for (const std::size_t n : right) paging::failCancelled(requests[n]);
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

void RemoteSource::giveBack(std::span<const std::span<std::byte>> pieces) {
  std::vector<std::size_t> waiting;
  {
    const std::lock_guard lock(m_mutex);
    for (const std::span<std::byte> piece : pieces) m_staging.giveBack(piece);
    for (std::size_t n = 0; n < m_wantsRoom.size(); ++n)
      if (m_wantsRoom[n]) waiting.push_back(n);
    if (!waiting.empty()) m_wantsRoom.assign(m_wantsRoom.size(), false);
  }
  for (const std::size_t link : waiting) m_set->links[link]->goOn();
}

void RemoteSource::push(Landed landed) {
  m_landed.push_back(std::move(landed));
  if (m_landed.size() > 1) return;
  const std::uint64_t one = 1;
  (void)!::write(m_event, &one, sizeof one);
}

std::pair<paging::PageRequest, RemoteSource::Twin> RemoteSource::endAsked(AskedOnes::iterator found,
                                                                          Clock::time_point now) {
  const Asked asked = found->second;
  m_asked.erase(found);
  Twin twin;
  if (asked.twin)
    if (const auto other = m_asked.find(asked.twin); other != m_asked.end()) {
      twin = {asked.twin, other->second.link};
      m_asked.erase(other);
    }
  const double seconds = std::chrono::duration<double>(now - asked.since).count();
  m_meanSeconds = m_meanSeconds == 0 ? seconds : m_meanSeconds + kNewShare * (seconds - m_meanSeconds);
  return {asked.request, twin};
}

void RemoteSource::cancelTwins(std::span<const Twin> twins) {
  for (const Twin& twin : twins) m_set->links[twin.link]->cancel({&twin.id, 1});
}

std::size_t RemoteSource::landed(std::span<const Whole> pages) noexcept {
  std::vector<Landed> taken;
  std::vector<std::size_t> which;
  std::vector<Twin> twins;
  std::size_t count = 0;
  taken.reserve(pages.size());
  which.reserve(pages.size());
  const auto now = Clock::now();
  {
    const std::lock_guard lock(m_mutex);
    for (; count < pages.size(); ++count) {
      const auto found = m_asked.find(pages[count].id);
      if (found == m_asked.end()) continue;  // nobody wants it any more
      const std::span<std::byte> to = m_staging.tryTake(pages[count].bytes.size());
      if (to.empty()) {
        m_wantsRoom[found->second.link] = true;
        break;
      }
      const auto [request, twin] = endAsked(found, now);
      if (twin.id) twins.push_back(twin);
      taken.push_back({request, pages[count].head, to, nullptr});
      which.push_back(count);
    }
  }
  // Copied without the lock: nobody else knows of these yet.
  for (std::size_t n = 0; n < taken.size(); ++n)
    std::copy(pages[which[n]].bytes.begin(), pages[which[n]].bytes.end(), taken[n].bytes.begin());
  if (!taken.empty()) {
    const std::lock_guard lock(m_mutex);
    for (Landed& landed : taken) push(std::move(landed));
  }
  cancelTwins(twins);
  return count;
}

void RemoteSource::landed(std::uint64_t id, const PageHead& head, std::span<std::byte> bytes) noexcept {
  Twin twin;
  {
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_asked.find(id); found != m_asked.end()) {
      paging::PageRequest request;
      std::tie(request, twin) = endAsked(found, Clock::now());
      push({request, head, bytes, nullptr});
      bytes = {};
    }
  }
  if (twin.id) cancelTwins({&twin, 1});
  if (!bytes.empty()) giveBack(bytes);
}

void RemoteSource::dropped(std::uint64_t, std::span<std::byte> bytes) noexcept {
  giveBack(bytes);
}

void RemoteSource::askAgain(std::uint64_t id, Asked& asked, std::vector<Load>& loads,
                            std::vector<std::pair<std::size_t, LinkAsk>>& out) {
  const std::size_t link = chooseLink(loads, asked.tried, m_set->partOf(asked.request.page), 1);
  if (asked.tried & bitOf(link)) return;  // all that have it were asked
  asked.tried |= bitOf(link);
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
      std::vector<Load> loads = this->loads();
      askAgain(id, asked, loads, again);
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
    std::vector<Load> loads = this->loads();
    std::vector<std::uint64_t> ids;
    for (const auto& [id, asked] : m_asked)
      if (!asked.twin && asked.request.priority == paging::Priority::Demand &&
          std::chrono::duration<double>(now - asked.since).count() > late)
        ids.push_back(id);
    for (const std::uint64_t id : ids) {
      Asked asked = m_asked.at(id);
      askAgain(id, asked, loads, again);
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
  std::array<Landed, kMostReapedAtOnce> some;
  std::array<std::span<std::byte>, kMostReapedAtOnce> done;
  for (;;) {
    std::size_t its = 0;
    {
      const std::lock_guard lock(m_mutex);
      if (m_landed.empty()) return count;
      const std::size_t most = std::min(kMostReapedAtOnce, (m_landed.size() + 1) / 2);
      for (; its < most; ++its) {
        some[its] = std::move(m_landed.front());
        m_landed.pop_front();
      }
      if (m_landed.empty()) {
        std::uint64_t ignored;
        (void)!::read(m_event, &ignored, sizeof ignored);
      }
    }
    std::size_t pieces = 0;
    for (Landed& landed : std::span(some).first(its)) {
      ++count;
      if (landed.error) {
        landed.request.sink->failed(landed.request.tag, landed.error);
        landed.error = nullptr;
        continue;
      }
      landed.request.sink->arrived(landed.request.tag,
                                   {.bytes = landed.bytes,
                                    .codec = static_cast<paging::Codec>(landed.head.codec),
                                    .hasChecksum = true,
                                    .checksum = landed.head.checksum,
                                    .padded = landed.head.padded});
      done[pieces++] = landed.bytes;
    }
    if (pieces > 0) giveBack(std::span<const std::span<std::byte>>(done.data(), pieces));
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
