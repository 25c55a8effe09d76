#pragma once
// Whose steps the ranks that read go by, where several viewers look on: those of the one that shows steps one after the other, as
// long as it does. What others show is read by the ranks that render it; if two took turns, each would have read for it what the
// other drops.

#include <chrono>
#include <cstdint>
#include <optional>

namespace farfield::remote {

/// Not thread-safe.
class InputOwner {
 public:
  using Clock = std::chrono::steady_clock;
  /// Who shows nothing for so long has them no longer.
  static constexpr std::chrono::seconds kKept{10};

  /// Whether the ranks that read go by what this viewer shows now. `follows`: a step, after which another one is expected.
  bool takes(std::uint64_t viewer, bool follows, Clock::time_point now) {
    const bool isFree = !m_viewer || *m_viewer == viewer || now - m_shown > kKept;
    if (!isFree) return false;
    if (follows || m_viewer == viewer) m_viewer = viewer, m_shown = now;
    return true;
  }
  void leave(std::uint64_t viewer) {
    if (m_viewer == viewer) m_viewer.reset();
  }

 private:
  std::optional<std::uint64_t> m_viewer;
  Clock::time_point m_shown;
};

}  // namespace farfield::remote
