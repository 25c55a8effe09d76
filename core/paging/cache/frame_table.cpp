#include "core/paging/cache/frame_table.h"

namespace farfield::paging {

FrameTable::FrameTable() {
  m_all.push_back(std::make_unique<Slots>(256));
  m_slots = m_all.back().get();
}

void FrameTable::reserve(std::uint64_t entries) {
  std::uint64_t count = m_slots.load(std::memory_order_relaxed)->mask + 1;
  if (entries * 4 <= count) return;
  while (entries * 4 > count) count *= 2;
  m_kept.reserve(count / 2);
  m_all.reserve(m_all.size() + 1);
  grow(count);
}

void FrameTable::insert(PageKey key, std::uint32_t frame) {
  Slots* table = m_slots.load(std::memory_order_relaxed);
  if ((m_used + m_gone + 1) * 2 > table->mask + 1) clean();
  std::uint64_t at = hash(key) & table->mask;
  while (table->entries[at].load(std::memory_order_relaxed) >= kFirst) at = (at + 1) & table->mask;
  if (table->entries[at].load(std::memory_order_relaxed) == kGone) --m_gone;
  table->keys[at] = key;
  table->entries[at].store(frame + kFirst, std::memory_order_release);
  ++m_used;
}

void FrameTable::erase(PageKey key, std::uint32_t frame) {
  Slots* const table = m_slots.load(std::memory_order_relaxed);
  std::uint64_t at = hash(key) & table->mask;
  while (true) {
    const std::uint32_t entry = table->entries[at].load(std::memory_order_relaxed);
    if (entry == kEmpty) return;
    if (entry == frame + kFirst && table->keys[at] == key) break;
    at = (at + 1) & table->mask;
  }
  --m_used;
  // An entry followed by an empty one ends every probe that reaches it, so it and the erased entries before
  // it can be made empty.
  if (table->entries[(at + 1) & table->mask].load(std::memory_order_relaxed) != kEmpty) {
    table->entries[at].store(kGone, std::memory_order_release);
    ++m_gone;
    return;
  }
  table->entries[at].store(kEmpty, std::memory_order_release);
  for (at = (at - 1) & table->mask; table->entries[at].load(std::memory_order_relaxed) == kGone;
       at = (at - 1) & table->mask) {
    table->entries[at].store(kEmpty, std::memory_order_release);
    --m_gone;
  }
}

/// Makes erased entries empty. In place: look-ups without the mutex may miss entries meanwhile, which they
/// are allowed to.
void FrameTable::clean() {
  Slots* const table = m_slots.load(std::memory_order_relaxed);
  m_kept.clear();
  for (std::uint64_t at = 0; at <= table->mask; ++at) {
    const std::uint32_t entry = table->entries[at].load(std::memory_order_relaxed);
    if (entry >= kFirst) m_kept.emplace_back(table->keys[at], entry);
    table->entries[at].store(kEmpty, std::memory_order_release);
  }
  for (const auto& [key, entry] : m_kept) {
    std::uint64_t at = hash(key) & table->mask;
    while (table->entries[at].load(std::memory_order_relaxed) != kEmpty) at = (at + 1) & table->mask;
    table->keys[at] = key;
    table->entries[at].store(entry, std::memory_order_release);
  }
  m_gone = 0;
}

void FrameTable::grow(std::uint64_t count) {
  Slots* const old = m_slots.load(std::memory_order_relaxed);
  auto fresh = std::make_unique<Slots>(count);
  for (std::uint64_t from = 0; from <= old->mask; ++from) {
    const std::uint32_t entry = old->entries[from].load(std::memory_order_relaxed);
    if (entry < kFirst) continue;
    std::uint64_t at = hash(old->keys[from]) & fresh->mask;
    while (fresh->entries[at].load(std::memory_order_relaxed) != kEmpty) at = (at + 1) & fresh->mask;
    fresh->keys[at] = old->keys[from];
    fresh->entries[at].store(entry, std::memory_order_relaxed);
  }
  m_gone = 0;
  m_slots.store(fresh.get(), std::memory_order_release);
  m_all.push_back(std::move(fresh));
}

}  // namespace farfield::paging
