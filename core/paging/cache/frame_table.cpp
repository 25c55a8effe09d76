#include "core/paging/cache/frame_table.h"

namespace farfield::paging {

FrameTable::FrameTable() {
  m_all.push_back(std::make_unique<Slots>(256));
  m_slots = m_all.back().get();
}

void FrameTable::insert(PageKey key, std::uint32_t frame) {
  Slots* table = m_slots.load(std::memory_order_relaxed);
  if ((m_used + m_gone + 1) * 2 > table->mask + 1) {
    // Growing doubles the table; with many erased entries the same size, cleaned, is enough.
    rebuild((m_used + 1) * 4 > table->mask + 1 ? (table->mask + 1) * 2 : table->mask + 1);
    table = m_slots.load(std::memory_order_relaxed);
  }
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
  // An entry whose successor is empty ends every probe that reaches it, so it and the erased ones before
  // it can be empty again.
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

void FrameTable::rebuild(std::uint64_t count) {
  Slots* const old = m_slots.load(std::memory_order_relaxed);
  if (count == old->mask + 1) {
    // In place: look-ups without the mutex may miss entries meanwhile, which they are allowed to.
    std::vector<std::pair<PageKey, std::uint32_t>> kept;
    kept.reserve(m_used);
    for (std::uint64_t at = 0; at <= old->mask; ++at) {
      const std::uint32_t entry = old->entries[at].load(std::memory_order_relaxed);
      if (entry >= kFirst) kept.emplace_back(old->keys[at], entry);
      old->entries[at].store(kEmpty, std::memory_order_release);
    }
    for (const auto& [key, entry] : kept) {
      std::uint64_t at = hash(key) & old->mask;
      while (old->entries[at].load(std::memory_order_relaxed) != kEmpty) at = (at + 1) & old->mask;
      old->keys[at] = key;
      old->entries[at].store(entry, std::memory_order_release);
    }
    m_gone = 0;
    return;
  }
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
