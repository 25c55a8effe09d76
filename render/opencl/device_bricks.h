#pragma once
// Bricks in a device's memory: slots, replaced by a clock, and the page table through which rays find them.
// The device reports which slots rays went through since the last time; those are kept when others are
// needed. Bricks of all levels share the slots, so that a coarser one can stand in for one that is missing.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/memory_account.h"
#include "render/opencl/device.h"
#include "render/volume/cast_look.h"

namespace farfield::opencl {

/// Values of page tables besides numbers of slots; the same as in volume.cl.
constexpr std::int32_t kMissing = -1, kNothing = -2;

/// For one thread.
class DeviceBricks {
 public:
  /// Slots for at most `wanted` bricks, at least two, within `mostBytes` of `account`, which counts the
  /// device's memory; the tables on the host are claimed from `host`. Accounts and device outlive it. Throws
  /// OverBudget, volume::DeviceFailed.
  DeviceBricks(const Device& device, const volume::BrickFormat& format, bool image, std::int64_t wanted,
               std::uint64_t mostBytes, MemoryAccount& account, MemoryAccount& host);

  /// Sets the levels that rays go through, the finer first, and the look; the look is used until the next
  /// call. With `same` both are as before. Throws what a source's range() throws.
  void show(std::span<volume::BrickSource* const> sources, const volume::CastLook& look, bool same);
  /// The number of pages of all shown levels.
  std::size_t pages() const { return m_pages.size(); }
  /// The first page of shown level n.
  std::size_t pagesAt(std::size_t n) const { return m_shown[n].pagesAt; }
  /// The shown level of a page.
  std::size_t levelOf(std::size_t page) const {
    return m_shown.size() > 1 && page >= m_shown[1].pagesAt ? 1 : 0;
  }

  bool isMissed(std::size_t page) const { return m_pages[page] == kMissing; }

  /// Begins a round: slots filled in it are not reused before the next.
  void beginRound();
  /// A slot for the brick of a missing page; nothing if all slots are filled in this round.
  std::optional<std::uint32_t> slotFor(std::size_t page);
  /// Copies a brick to its slot. When it returns, the brick can be reused.
  void fill(std::uint32_t slot, const volume::Brick& brick);
  /// The brick could not be read.
  void forget(std::uint32_t slot);
  /// The page stays missing, and may be requested again.
  void leave(std::size_t page) { setPage(page, m_pages[page]); }
  /// Sends the changes of the round to the device: `kernel` is setPages.
  void endRound(const Kernel& kernel);

  std::size_t slotCount() const { return m_slots.size(); }
  std::array<std::int32_t, 2> slotsAcross() const { return m_across; }
  const Memory& values() const { return m_values; }
  const Memory& table() const { return m_table; }
  const Memory& marks() const { return m_marks; }
  const Memory& used() const { return m_used; }
  const Memory& seen() const { return m_seen; }

 private:
  struct Slot {
    int level = -1;  ///< of its grid; -1: empty
    std::int64_t number = -1;
    std::uint64_t filledIn = 0;  ///< number of the round
    std::array<float, volume::kGroups> low{}, high{};
  };
  struct Shown {
    int level = 0;
    std::int64_t bricks = 0;
    std::size_t pagesAt = 0;
  };
  std::optional<std::size_t> pageOf(const Slot& slot) const;
  std::optional<std::uint32_t> makeRoom();
  void setPage(std::size_t page, std::int32_t value);

  const Device& m_device;
  const volume::BrickFormat m_format;
  const bool m_image;
  const volume::CastLook* m_look = nullptr;
  MemoryAccount &m_account, &m_host;
  MemoryClaim m_claim, m_hostClaim, m_pagesClaim, m_pagesOnDevice;
  std::array<std::int32_t, 2> m_across{1, 1};
  Memory m_values, m_table, m_marks, m_used, m_seen;
  std::vector<Slot> m_slots;
  std::vector<std::uint32_t> m_empty;
  /// Groups of each slot that show, a bit each.
  std::vector<std::uint64_t> m_seenOf;
  std::vector<std::int32_t> m_pages;
  std::vector<Shown> m_shown;
  std::vector<std::array<std::int32_t, 2>> m_changes;  ///< page and value
  std::vector<std::int32_t> m_usedOf;
  bool m_lookedAtUsed = false;
  std::uint64_t m_round = 0;
  std::size_t m_hand = 0;
};

}  // namespace farfield::opencl
