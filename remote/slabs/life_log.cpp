#include "remote/slabs/life_log.h"

#include <algorithm>

namespace farfield::remote {
namespace {

/// Whatever a rank says: spans that are kept of it, works that have begun and not ended, round trips.
constexpr std::size_t kMostSpans = 16'384, kMostOpen = 256, kMostTrips = 16;

}  // namespace

void LifeRecord::take(const LifeNews& news) {
  m_lost += news.lost;
  for (const LifeEvent& event : news.events) take(event);
}

void LifeRecord::take(const LifeEvent& event) {
  m_newest = std::max(m_newest, event.nanoseconds);
  if (event.kind == trace::RecentKind::Amount) {
    m_amounts[static_cast<std::size_t>(event.what) - kLifeTags] = event.amount;
    return;
  }
  const std::pair place(event.what, event.thread);
  if (event.kind == trace::RecentKind::Begins) {
    // one whose end was lost is forgotten
    if (m_open.size() < kMostOpen || m_open.contains(place))
      m_open[place] = {event.what, event.nanoseconds, event.nanoseconds, event.step, true};
    return;
  }
  const auto open = m_open.find(place);
  if (open == m_open.end()) return;  // it began before somebody watched
  LifeSpan span = open->second;
  m_open.erase(open);
  span.to = std::max(span.from, event.nanoseconds);
  span.goesOn = false;
  m_spans.push_back(span);
  if (m_spans.size() > kMostSpans) m_spans.pop_front();
}

void LifeRecord::heard(const LifeClock& clock, std::int64_t now) {
  if (clock.asked != m_asked || now < clock.asked) return;
  const std::int64_t took = now - clock.asked;
  m_trips.push_back({took, clock.shown - (clock.asked + took / 2)});
  if (m_trips.size() > kMostTrips) m_trips.pop_front();
}

Life LifeRecord::life(std::string name, std::int64_t from) const {
  Life life;
  life.name = std::move(name);
  life.lost = m_lost;
  life.amounts = m_amounts;
  const auto shortest =
      std::min_element(m_trips.begin(), m_trips.end(),
                       [](const RoundTrip& one, const RoundTrip& other) { return one.took < other.took; });
  std::int64_t ahead = 0;
  if (shortest != m_trips.end()) {
    ahead = shortest->ahead;
    life.clockSeconds = 0.5e-9 * static_cast<double>(shortest->took);
    life.roundTripSeconds = 1e-9 * static_cast<double>(m_trips.back().took);
  }
  const auto add = [&](LifeSpan span) {
    span.from -= ahead;
    span.to -= ahead;
    if (span.to >= from) life.spans.push_back(span);
  };
  for (const LifeSpan& span : m_spans) add(span);
  for (const auto& [place, open] : m_open) {
    LifeSpan span = open;
    span.to = std::max(span.from, m_newest);
    add(span);
  }
  return life;
}

void LifeLog::asked(std::uint32_t rank, std::int64_t now) {
  const std::lock_guard lock(m_mutex);
  Rank& its = m_ranks[rank];
  // who comes again may have another clock
  if (!its.isThere) its = {};
  its.record.asked(now);
}

void LifeLog::heard(std::uint32_t rank, const LifeClock& clock, std::int64_t now) {
  const std::lock_guard lock(m_mutex);
  if (const auto found = m_ranks.find(rank); found != m_ranks.end()) found->second.record.heard(clock, now);
}

void LifeLog::take(std::uint32_t rank, const LifeNews& news) {
  const std::lock_guard lock(m_mutex);
  if (const auto found = m_ranks.find(rank); found != m_ranks.end()) found->second.record.take(news);
}

void LifeLog::end(std::uint32_t rank) {
  const std::lock_guard lock(m_mutex);
  if (const auto found = m_ranks.find(rank); found != m_ranks.end()) found->second.isThere = false;
}

std::vector<Life> LifeLog::lives(std::int64_t from) const {
  const std::lock_guard lock(m_mutex);
  std::vector<Life> lives;
  for (const auto& [number, rank] : m_ranks) {
    lives.push_back(rank.record.life("rank " + std::to_string(number), from));
    lives.back().isThere = rank.isThere;
  }
  return lives;
}

}  // namespace farfield::remote
