#pragma once
// What must be true of a pool's pages while threads work on it: for every page, who holds it and in which
// frame, and whether it is being read. A holder is entered after its pin and struck off before its unpin, so
// what the ledger says is held is held. Thread-safe.

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/paging/cache/page_cache.h"

namespace farfield::test {

class PageLedger {
 public:
  /// `arrays`: the cache's, by handle. No more than `maxFrames` frames.
  PageLedger(const std::vector<paging::ArrayDescription>& arrays, std::size_t maxFrames)
      : m_arrays(arrays), m_owners(maxFrames) {
    for (const paging::ArrayDescription& array : arrays)
      m_entries.push_back(std::vector<Entry>(static_cast<std::size_t>(array.pageCount())));
    for (std::atomic<paging::PageKey>& owner : m_owners) owner = paging::kNoPage;
  }

  /// A word of a page's nodes; what a source stores.
  static std::uint32_t word(paging::PageKey key, std::uint64_t n) {
    std::uint64_t x = key * 0x9E3779B97F4A7C15u + n;
    x ^= x >> 31;
    x *= 0xD6E8FEB86659FD93u;
    return static_cast<std::uint32_t>(x >> 32);
  }

  /// The source is asked for the page: nobody may hold it, and nobody else may be reading it. Returns how
  /// often it was asked for before.
  std::uint64_t readBegins(paging::PageKey key) {
    Entry& entry = entryOf(key);
    const std::lock_guard lock(entry.mutex);
    if (entry.holders > 0) complain(key, "is read although it is held");
    if (entry.reading) complain(key, "is read twice at the same time");
    entry.reading = true;
    m_readsUnderWay.fetch_add(1);
    return entry.reads++;
  }
  /// To be called before the page is handed over.
  void readEnds(paging::PageKey key) {
    Entry& entry = entryOf(key);
    const std::lock_guard lock(entry.mutex);
    if (!entry.reading) complain(key, "ends a read that did not begin");
    entry.reading = false;
  }
  /// To be called after the page was handed over.
  void readIsOver() { m_readsUnderWay.fetch_sub(1); }
  /// Begun, and their hand-over has not returned. The cache may be gone while the last ones return.
  std::uint64_t readsUnderWay() const { return m_readsUnderWay.load(); }

  /// `frame` was pinned for `key` and is Ready.
  void held(paging::PageKey key, const paging::Frame* frame) {
    Entry& entry = entryOf(key);
    const std::lock_guard lock(entry.mutex);
    if (frame->state() != paging::FrameState::Ready) complain(key, "is held, but not ready");
    if (frame->key.load() != key) complain(key, "is held in a frame of another page");
    if (entry.holders++ == 0) {
      entry.frame = frame;
      if (m_owners.at(frame->number).exchange(key) != paging::kNoPage)
        complain(key, "is held in a frame that another page is held in");
    } else if (entry.frame != frame) {
      complain(key, "is held in two frames");
    }
    m_holders.fetch_add(1);
  }
  void letGo(paging::PageKey key, const paging::Frame* frame) {
    Entry& entry = entryOf(key);
    const std::lock_guard lock(entry.mutex);
    if (entry.holders == 0 || entry.frame != frame) complain(key, "is let go of, but was not held there");
    if (--entry.holders == 0 && m_owners.at(frame->number).exchange(paging::kNoPage) != key)
      complain(key, "was held in a frame that became another page's");
    m_holders.fetch_sub(1);
  }
  /// Compares the nodes in a frame that is pinned: all, or from some place on every seventh.
  void compare(paging::PageKey key, const paging::Frame* frame, bool all, std::uint64_t from) {
    const paging::ArrayDescription& array = m_arrays[paging::arrayOf(key)];
    const IndexBox box = array.boxOf(paging::pageOf(key));
    if (frame->box != box) return complain(key, "lies in a frame with the box of another page");
    const auto words = static_cast<std::uint64_t>(product(box.size) * array.nodeBytes()) / 4;
    const std::uint64_t step = all ? 1 : 7;
    for (std::uint64_t n = all ? 0 : from % 7; n < words; n += step) {
      std::uint32_t found = 0;
      std::memcpy(&found, frame->data + 4 * n, 4);
      if (found != word(key, n)) return complain(key, "has other nodes than it must have");
    }
  }
  void complain(paging::PageKey key, const std::string& what) {
    complain("page " + std::to_string(paging::pageOf(key)) + " of array " +
             std::to_string(paging::arrayOf(key)) + " " + what);
  }
  void complain(const std::string& what) {
    const std::lock_guard lock(m_complaintMutex);
    if (m_complaint.empty()) m_complaint = what;
    m_hasComplaint = true;
  }

  bool hasComplaint() const { return m_hasComplaint.load(); }
  /// The first thing that was not as it must be; empty where all was.
  std::string complaint() const {
    const std::lock_guard lock(m_complaintMutex);
    return m_complaint;
  }

  // While nothing moves:
  std::uint64_t holders() const { return m_holders.load(); }
  std::uint64_t holdersOf(paging::PageKey key) { return entryOf(key).holders; }
  std::uint64_t heldPages() const {
    std::uint64_t count = 0;
    for (const std::vector<Entry>& array : m_entries)
      for (const Entry& entry : array) count += entry.holders > 0;
    return count;
  }
  /// Pages asked for and not yet handed over.
  std::uint64_t pagesBeingRead() {
    std::uint64_t count = 0;
    for (std::vector<Entry>& array : m_entries)
      for (Entry& entry : array) {
        const std::lock_guard lock(entry.mutex);
        count += entry.reading ? 1 : 0;
      }
    return count;
  }

 private:
  struct Entry {
    std::mutex mutex;
    const paging::Frame* frame = nullptr;
    std::uint64_t holders = 0, reads = 0;
    bool reading = false;
  };
  Entry& entryOf(paging::PageKey key) { return m_entries[paging::arrayOf(key)][paging::pageOf(key)]; }

  const std::vector<paging::ArrayDescription> m_arrays;
  std::vector<std::vector<Entry>> m_entries;
  std::vector<std::atomic<paging::PageKey>> m_owners;  ///< by frame number
  std::atomic<std::uint64_t> m_readsUnderWay{0}, m_holders{0};
  mutable std::mutex m_complaintMutex;
  std::string m_complaint;
  std::atomic<bool> m_hasComplaint{false};
};

}  // namespace farfield::test
