#pragma once
// The server's cache: stored pages in memory, least recently used out first.

#include <list>
#include <unordered_map>

#include "remote/server/page_blob.h"

namespace farfield::remote {

/// Not thread-safe: the desk's lock guards it.
class PageRam {
 public:
  explicit PageRam(std::uint64_t capacityBytes) : m_capacity(capacityBytes) {}
  PageBlobPointer find(const PageKey& key);
  bool has(const PageKey& key) const { return m_entries.contains(key); }
  void put(const PageKey& key, const PageBlobPointer& blob);
  std::uint64_t bytes() const { return m_bytes; }
  std::uint64_t capacityBytes() const { return m_capacity; }

 private:
  struct Entry {
    PageBlobPointer blob;
    std::list<PageKey>::iterator age;
  };
  static std::uint64_t costOf(const PageBlob& blob);

  std::uint64_t m_capacity, m_bytes = 0;
  std::unordered_map<PageKey, Entry, PageKeyHash> m_entries;
  std::list<PageKey> m_ages;  ///< the most recently used first
};

}  // namespace farfield::remote
