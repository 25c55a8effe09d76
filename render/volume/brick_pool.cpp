#include "render/volume/brick_pool.h"

#include <algorithm>

namespace farfield::volume {
namespace {
/// Of the tables, per brick.
constexpr std::uint64_t kEntryBytes = 128;
constexpr std::size_t kLeastBricks = 2;
}  // namespace

std::uint64_t BrickPool::leastBytes(const BrickFormat& format) {
  return kLeastBricks * (Brick::bytesOf(format) + kEntryBytes);
}

BrickPool::BrickPool(const BrickSource& source, MemoryAccount& account, std::uint64_t mostBytes)
    : m_source(source),
      m_account(account),
      m_capacity(std::max<std::size_t>(
          kLeastBricks,
          static_cast<std::size_t>(mostBytes / (Brick::bytesOf(source.format()) + kEntryBytes)))) {}

void BrickPool::widen(std::uint64_t mostBytes) {
  m_capacity = std::max(
      m_capacity, static_cast<std::size_t>(mostBytes / (Brick::bytesOf(m_source.format()) + kEntryBytes)));
}

std::uint64_t BrickPool::bytes() const {
  return m_places.size() * (Brick::bytesOf(m_source.format()) + kEntryBytes);
}

bool BrickPool::makeRoom() {
  // twice around: the first round clears the marks of those that were used
  for (std::size_t n = 0; n < 2 * m_places.size(); ++n) {
    Slot& slot = m_places[m_hand];
    const auto number = static_cast<std::uint32_t>(m_hand);
    m_hand = (m_hand + 1) % m_places.size();
    if (slot.number < 0 || slot.holds > 0) continue;
    if (slot.used) {
      slot.used = false;
      continue;
    }
    m_slots.erase(slot.number);
    slot.number = -1;
    m_empty.push_back(number);
    return true;
  }
  return false;
}

BrickPool::Held BrickPool::hold(std::int64_t number) {
  const auto found = m_slots.find(number);
  if (found != m_slots.end()) {
    Slot& slot = m_places[found->second];
    if (slot.holds++ == 0) ++m_held;
    slot.used = true;
    return {slot.brick.get(), found->second, false};
  }
  if (m_empty.empty()) {
    const std::uint64_t bytes = Brick::bytesOf(m_source.format()) + kEntryBytes;
    std::optional<MemoryClaim> claim;
    if (m_places.size() < m_capacity) claim = m_account.tryClaim(Purpose::Work, bytes);
    if (claim) {
      m_places.emplace_back();
      m_places.back().claim = std::move(*claim);
      m_empty.push_back(static_cast<std::uint32_t>(m_places.size() - 1));
    } else if (!makeRoom()) {
      if (m_places.size() < kLeastBricks)
        m_account.refuse(leastBytes(m_source.format()), "the picture of the volume");
      return {};
    }
  }
  const std::uint32_t place = m_empty.back();
  m_empty.pop_back();
  Slot& slot = m_places[place];
  const Index3 cells = m_source.grid().cellsOf(unlinear(number, m_source.grid().bricks()));
  if (slot.brick)
    slot.brick->become(cells);
  else
    slot.brick = std::make_unique<Brick>(m_source.format(), cells);
  slot.number = number;
  slot.holds = 1;
  slot.used = true;
  ++m_held;
  m_slots.emplace(number, place);
  return {slot.brick.get(), place, true};
}

void BrickPool::release(const Held& held) {
  if (!held.brick) return;
  Slot& slot = m_places[held.slot];
  if (--slot.holds > 0) return;
  --m_held;
  if (slot.number < 0) m_empty.push_back(held.slot);
}

void BrickPool::forget(const Held& held) {
  Slot& slot = m_places[held.slot];
  m_slots.erase(slot.number);
  slot.number = -1;
}

}  // namespace farfield::volume
