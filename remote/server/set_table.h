#pragma once
// The open data sets, shared by all clients. A set stays open while a client uses it, and the last few a
// while longer, since opening (index, location bounds) takes time. All that were opened are closed from here: a set waits for its
// threads at its end, so its last reader may not be one of them.

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "remote/server/served_set.h"
#include "remote/server/upstream.h"

namespace farfield::remote {

/// Thread-safe.
class SetTable {
 public:
  explicit SetTable(const SetSurroundings& surroundings) : m_surroundings(surroundings) {}
  /// Waits. Throws as openSet.
  std::shared_ptr<ServedSet> open(const RootFolder& root, const OpenRequestMessage& request);
  /// Opens `request` of another server: the set that there is, for at least a second and thirty times what opening took, at most two minutes;
  /// after that only if the other server opens the same. While it is not reached, or there is no room for both, the set that there is goes
  /// on being served; one that the other server has refused since is opened anew at once. Waits, also for another client that opens or
  /// looks at the same. Throws what that server answers.
  std::shared_ptr<ServedSet> open(Upstream& upstream, const OpenRequestMessage& request);
  /// Most that are open at a time: those of compressed files and of text have copies on disk.
  static constexpr std::size_t kMostSets = 256;
  /// Closes unused sets except the `kept` used last, of those that were replaced all. Not from a thread of a set.
  void sweep(std::size_t kept);
  std::size_t size() const;

 private:
  using Make = std::function<std::shared_ptr<ServedSet>()>;
  struct Entry {
    /// Held during opening, so that a set is opened once.
    std::mutex opening;
    std::shared_ptr<ServedSet> set;
    std::chrono::steady_clock::time_point looked;  ///< when it was made, or last asked about
    std::chrono::steady_clock::duration took{};    ///< opening it
    std::uint64_t used = 0;
  };
  /// The set with this key; made if it is not open, or not current. Throws what `make` throws.
  std::shared_ptr<ServedSet> open(std::uint64_t key, const Make& make,
                                  const std::function<bool(Entry&)>& isCurrent);
  SetSurroundings m_surroundings;
  mutable std::mutex m_mutex;
  std::map<std::uint64_t, std::shared_ptr<Entry>> m_entries;  ///< by identity
  std::vector<std::shared_ptr<ServedSet>> m_replaced;         ///< by newer ones, and perhaps in use yet
  std::uint64_t m_uses = 0;
};

}  // namespace farfield::remote
