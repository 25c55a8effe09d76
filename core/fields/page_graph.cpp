#include "core/fields/page_graph.h"

#include <bit>
#include <cassert>

namespace farfield::fields {

PageGraph::PageGraph(std::uint64_t entries)
    : m_mask(entries - 1), m_entries(entries > 0 ? std::make_unique<Entry[]>(entries) : nullptr) {
  assert(entries == 0 || std::has_single_bit(entries));
}

std::uint64_t PageGraph::hash(std::uint64_t from, std::uint64_t in) {
  std::uint64_t x = from * 0x9e3779b97f4a7c15ull + in;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ull;
  return (x ^ (x >> 32)) | 1;  // never the mark of an empty entry
}

void PageGraph::passed(std::uint64_t from, std::uint64_t in, std::uint64_t to) {
  if (!m_entries) return;
  const std::uint64_t pair = hash(from, in);
  Entry& entry = m_entries[(pair >> 1) & m_mask];
  entry.to.store(to, std::memory_order_relaxed);
  entry.pair.store(pair, std::memory_order_relaxed);
}

std::optional<std::uint64_t> PageGraph::next(std::uint64_t from, std::uint64_t in) const {
  if (!m_entries) return std::nullopt;
  const std::uint64_t pair = hash(from, in);
  const Entry& entry = m_entries[(pair >> 1) & m_mask];
  if (entry.pair.load(std::memory_order_relaxed) != pair) return std::nullopt;
  return entry.to.load(std::memory_order_relaxed);
}

}  // namespace farfield::fields
