#pragma once
// The processes that MPI started, and what they must agree on before they work. From then on they talk through the gateway, so
// that the others go on when one dies. MPI appears here alone.

#include <cstdint>
#include <string>
#include <vector>

namespace farfield::remote {

/// Made once, before other threads; its calls are made by all ranks in the same order.
class Ranks {
 public:
  Ranks(int& count, char**& words);
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::uint32_t own() const { return m_own; }
  std::uint32_t count() const { return m_count; }
  /// On this machine.
  std::uint32_t here() const { return m_here; }
  /// Whether each rank says that it is well. If not, `isToSay` is true on the first that does not.
  bool allWell(bool isWell, bool& isToSay) const;
  /// What the first rank says, on all.
  std::string fromFirst(const std::string& text) const;
  /// What each says, on all.
  std::vector<std::string> fromAll(const std::string& text) const;
  /// What the first rank's steady clock shows beside this one's, in nanoseconds more; as exact as half the least round trip, which is
  /// `roundTrip`.
  std::int64_t clockOfFirst(std::int64_t& roundTrip) const;
  /// How other machines call this one.
  std::string machineName() const;
  /// Ends MPI; for ends before work begins, when all ranks come here.
  void finish() const;

 private:
  std::uint32_t m_own = 0, m_count = 1, m_here = 1;
};

}  // namespace farfield::remote
