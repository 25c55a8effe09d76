#pragma once
// What a viewer knows of the lives of ranks, and of its own: what each was doing when, by the clock here, and what it used. The
// clocks are set by round trips: a rank's shows what it says in the middle of the shortest of the last ones.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "remote/slabs/life_messages.h"

namespace farfield::remote {

/// Of a tag, from its START to its END.
struct LifeSpan {
  LifeWhat what = LifeWhat::Load;
  std::int64_t from = 0, to = 0;  ///< ns, by recentClock() here
  std::uint64_t step = 0;
  bool goesOn = false;  ///< to when it was heard of last
};

/// Of one process.
struct Life {
  std::string name;
  bool isThere = true;
  double roundTripSeconds = -1;  ///< the last one; negative: none is known
  double clockSeconds =
      -1;  ///< so exact is its clock at least: half the shortest round trip; negative: it is not known
  std::uint64_t lost = 0;       ///< events that were not kept, or came too late to be sent
  std::vector<LifeSpan> spans;  ///< in the order of their ends; those that go on last
  std::array<double, kLifeWhats - kLifeTags> amounts{
      -1, -1, -1};  ///< of quantities, the last ones; negative: not said
};

/// Of one process. Not thread-safe.
class LifeRecord {
 public:
  void take(const LifeNews& news);
  void take(const LifeEvent& event);
  void lose(std::uint64_t events) { m_lost += events; }
  /// What was asked when the clock here showed `asked` was answered now.
  void heard(const LifeClock& clock, std::int64_t now);
  void asked(std::int64_t now) { m_asked = now; }
  /// What it did since `from`, by the clock here.
  Life life(std::string name, std::int64_t from) const;

 private:
  struct RoundTrip {
    std::int64_t took = 0, ahead = 0;
  };
  std::deque<LifeSpan> m_spans;                                   ///< by its own clock
  std::map<std::pair<LifeWhat, std::uint32_t>, LifeSpan> m_open;  ///< by thread
  std::array<double, kLifeWhats - kLifeTags> m_amounts{-1, -1, -1};
  std::deque<RoundTrip> m_trips;
  std::int64_t m_asked = -1, m_newest = 0;
  std::uint64_t m_lost = 0;
};

/// Of the ranks of a renderer. Thread-safe.
class LifeLog {
 public:
  void asked(std::uint32_t rank, std::int64_t now);
  void heard(std::uint32_t rank, const LifeClock& clock, std::int64_t now);
  void take(std::uint32_t rank, const LifeNews& news);
  /// The rank is gone.
  void end(std::uint32_t rank);
  /// Of all that were asked, in their order, what they did since `from`.
  std::vector<Life> lives(std::int64_t from) const;

 private:
  struct Rank {
    LifeRecord record;
    bool isThere = true;
  };
  mutable std::mutex m_mutex;
  std::map<std::uint32_t, Rank> m_ranks;
};

}  // namespace farfield::remote
