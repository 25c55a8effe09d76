#pragma once
// Page key -> frame number. Its size follows the number of frames, never the number of pages. Look-ups take
// no lock and may fail in one way: they may miss an entry that is being written.

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/paging/cache/frame.h"

namespace farfield::paging {

/// Open addressing with linear probing. insert, erase and grow are called under the cache's mutex.
class FrameTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  FrameTable();

  /// Calls `matches(frameNumber)` on the candidates for `key` until it returns true; returns that number or
  /// kNone.
  template <class Matches>
  std::uint32_t find(PageKey key, Matches&& matches) const {
    const Slots* const table = m_slots.load(std::memory_order_acquire);
    for (std::uint64_t at = hash(key);; ++at) {
      const std::uint32_t entry = table->entries[at & table->mask].load(std::memory_order_acquire);
      if (entry == kEmpty) return kNone;
      if (entry != kGone && matches(entry - kFirst)) return entry - kFirst;
      if (at - hash(key) > table->mask) return kNone;
    }
  }
  /// Makes room for `entries`, so that insert() does not allocate up to that number. Throws std::bad_alloc,
  /// and nothing has changed then.
  void reserve(std::uint64_t entries);
  void insert(PageKey key, std::uint32_t frame);
  void erase(PageKey key, std::uint32_t frame);

 private:
  static constexpr std::uint32_t kEmpty = 0, kGone = 1, kFirst = 2;
  struct Slots {
    explicit Slots(std::uint64_t count)
        : mask(count - 1),
          entries(std::make_unique<std::atomic<std::uint32_t>[]>(count)),
          keys(std::make_unique<PageKey[]>(count)) {}
    std::uint64_t mask;
    std::unique_ptr<std::atomic<std::uint32_t>[]> entries;
    std::unique_ptr<PageKey[]> keys;  ///< for rebuilding; only under the mutex
  };
  static std::uint64_t hash(PageKey key) {
    key *= 0x9e3779b97f4a7c15ull;
    return (key ^ (key >> 32)) >> 2;
  }
  void clean();
  void grow(std::uint64_t count);

  std::atomic<Slots*> m_slots;
  /// All tables ever used: a look-up may still be reading an old one. They grow by doubling, so the old ones
  /// together are smaller than the current one.
  std::vector<std::unique_ptr<Slots>> m_all;
  std::uint64_t m_used = 0, m_gone = 0;
  std::vector<std::pair<PageKey, std::uint32_t>> m_kept;  ///< scratch of clean()
};

}  // namespace farfield::paging
