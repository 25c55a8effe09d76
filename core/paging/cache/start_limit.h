#pragma once
// How many demands of tasks may have started while pages have to be evicted (README.md here).

#include <algorithm>
#include <cstdint>

namespace farfield::paging {

/// The limit of started demands: enough that processors have a task to go on with, but no more, because the fewer
/// have started, the better tasks keep to the lowest pages. Guarded by the cache's mutex; times in nanoseconds of
/// the steady clock.
class StartLimit {
 public:
  explicit StartLimit(std::uint64_t processors) : m_enough(2 * processors), m_most(m_enough) {}

  std::uint64_t most() const { return m_most; }

  /// A task runs, or ran until now: it came to wait, or goes on.
  void taskSeen(std::int64_t now) { m_seen = now; }

  /// The pages of a demand are there, and no other demand is ready. The limit rises by one, because a processor may
  /// have been idle; or by a half where nothing has run for half of `latency`, the time that the device takes for a
  /// read. On a slow device that goes no further than its reads gain from being on their way together.
  void becameReadyAlone(std::int64_t now, std::int64_t latency) {
    const std::uint64_t most = latency > kSlow ? mostOfSlow(latency) : kMost;
    if (latency > kSlow && now - m_seen > latency / 2) {
      m_most = std::max(m_most, std::min(m_most + m_most / 2, most));
      m_resumedSince = 0;
    } else if (m_most < most) {
      ++m_most;
    }
  }

  /// A task goes on, while `ready` others could. It falls by one if these are enough, unless that is because reads
  /// end in bursts with standstills between them.
  void resumed(std::int64_t now, std::uint64_t ready) {
    taskSeen(now);
    if (++m_resumedSince > 2 * m_most && ready >= m_enough && m_most > m_enough) --m_most;
  }

 private:
  /// A device whose reads take longer than this keeps tasks waiting for longer than they compute.
  static constexpr std::int64_t kSlow = 2'000'000;
  static constexpr std::uint64_t kMost = 1024;
  /// On a disk a few more than the reads that local files serve at a time. Far away as many more as a read takes longer,
  /// because a link is full only then.
  static std::uint64_t mostOfSlow(std::int64_t latency) {
    constexpr std::int64_t kOnDisk = 24, kDiskLatency = 5'000'000;
    return static_cast<std::uint64_t>(
        std::clamp(kOnDisk * latency / kDiskLatency, kOnDisk, std::int64_t{512}));
  }

  const std::uint64_t m_enough;
  std::uint64_t m_most;
  std::int64_t m_seen = 0;
  std::uint64_t m_resumedSince = 1 << 20;  ///< demands resumed since the last standstill
};

}  // namespace farfield::paging
