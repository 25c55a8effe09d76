#include "remote/server/page_ram.h"

namespace farfield::remote {

std::uint64_t PageRam::costOf(const PageBlob& blob) {
  // The entry, its place in the list and what the allocator keeps, about.
  return blob.size + 256;
}

PageBlobPointer PageRam::find(const PageKey& key) {
  const auto found = m_entries.find(key);
  if (found == m_entries.end()) return nullptr;
  m_ages.splice(m_ages.begin(), m_ages, found->second.age);
  return found->second.blob;
}

void PageRam::put(const PageKey& key, const PageBlobPointer& blob) {
  const std::uint64_t cost = costOf(*blob);
  if (cost > m_capacity || m_entries.contains(key)) return;
  while (m_bytes + cost > m_capacity) {
    const auto oldest = m_entries.find(m_ages.back());
    m_bytes -= costOf(*oldest->second.blob);
    m_entries.erase(oldest);
    m_ages.pop_back();
  }
  m_ages.push_front(key);
  m_entries.emplace(key, Entry{blob, m_ages.begin()});
  m_bytes += cost;
}

}  // namespace farfield::remote
