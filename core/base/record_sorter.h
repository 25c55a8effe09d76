#pragma once
// Sorts records of which there may be more than memory holds: runs are sorted in memory and written to a
// temporary file, and then merged.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

#include "core/base/memory_account.h"
#include "core/base/temporary_file.h"

namespace farfield {

/// `Record` has a total order by `<`. Not thread-safe.
template <class Record>
class RecordSorter {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  /// Uses at most `bytes` of memory, at least some tens of kilobytes, claimed from `account`; temporary files go into
  /// `folder`. Throws OverBudget.
  RecordSorter(std::uint64_t bytes, MemoryAccount& account, std::filesystem::path folder)
      : m_most(std::max<std::uint64_t>(bytes / sizeof(Record), kLeast)),
        m_account(account),
        m_claim(account.claim(Purpose::Work, 0, "sorting")),
        m_folder(std::move(folder)) {}

  void add(const Record& record) {
    if (m_records.size() == m_capacity) grow();
    if (m_records.size() == m_capacity) spill();
    m_records.push_back(record);
    ++m_count;
  }
  std::uint64_t count() const { return m_count; }

  /// Calls `visit(record)` for all records in order, once.
  template <class Visit>
  void forEach(Visit visit) {
    if (m_runs.empty()) {
      std::sort(m_records.begin(), m_records.end());
      for (const Record& record : m_records) visit(record);
      return;
    }
    spill();
    std::vector<Record>().swap(m_records);
    joinRuns();
    merge(m_runs, m_capacity, visit);
  }

 private:
  static constexpr std::uint64_t kLeast = 512;
  /// Of a run, in memory, while runs are merged.
  static constexpr std::uint64_t kLeastOfRun = 16;
  struct Run {
    std::uint64_t next = 0, end = 0;  ///< records in the file
    std::size_t at = 0, have = 0;     ///< of what is in memory
    std::vector<Record> part;
  };

  /// Memory doubles until it is all that may be used.
  void grow() {
    const std::uint64_t wanted = std::min(m_most, std::max<std::uint64_t>(2 * m_capacity, kLeast));
    if (wanted <= m_capacity) return;
    // while a vector moves, both copies are there
    const std::uint64_t bytes = (wanted + m_capacity) * sizeof(Record);
    if (bytes > m_claim.bytes() && !m_claim.tryGrow(bytes - m_claim.bytes())) {
      if (m_capacity > 0) {
        m_most = m_capacity;
        return;
      }
      m_account.refuse(bytes, "sorting");
    }
    m_records.reserve(static_cast<std::size_t>(wanted));
    m_capacity = wanted;
    m_claim.shrink(m_capacity * sizeof(Record));
  }

  void spill() {
    if (m_records.empty()) return;
    if (!m_file.isOpen()) m_file = makeTemporaryFile(m_folder);
    std::sort(m_records.begin(), m_records.end());
    m_file.writeAt(m_written * sizeof(Record), std::as_bytes(std::span(m_records)));
    m_runs.push_back({m_written, m_written + m_records.size(), 0, 0, {}});
    m_written += m_records.size();
    m_records.clear();
  }

  bool fill(Run& run) {
    if (run.at < run.have) return true;
    const std::uint64_t count = std::min<std::uint64_t>(run.part.size(), run.end - run.next);
    if (count == 0) return false;
    m_file.readAt(run.next * sizeof(Record),
                  std::as_writable_bytes(std::span(run.part).first(static_cast<std::size_t>(count))));
    run.next += count;
    run.at = 0;
    run.have = static_cast<std::size_t>(count);
    return true;
  }

  /// Merges runs into longer ones until memory has room for a part of each of those that are left.
  void joinRuns() {
    const auto most = static_cast<std::size_t>(m_capacity / kLeastOfRun);
    while (m_runs.size() > most) {
      // one part of the memory is for what is written
      const auto first = m_runs.begin(), last = first + static_cast<std::ptrdiff_t>(most - 1);
      std::vector<Run> some(std::make_move_iterator(first), std::make_move_iterator(last));
      m_runs.erase(first, last);
      const std::uint64_t begin = m_written;
      std::vector<Record> part;
      part.reserve(kLeastOfRun);
      const auto flush = [&] {
        m_file.writeAt(m_written * sizeof(Record), std::as_bytes(std::span(part)));
        m_written += part.size();
        part.clear();
      };
      merge(some, m_capacity - kLeastOfRun, [&](const Record& record) {
        part.push_back(record);
        if (part.size() == kLeastOfRun) flush();
      });
      flush();
      m_runs.push_back({begin, m_written, 0, 0, {}});
    }
  }

  /// Visits the records of `runs` in order, with up to `records` of them in memory.
  template <class Visit>
  void merge(std::vector<Run>& runs, std::uint64_t records, Visit visit) {
    const std::uint64_t each = records / runs.size();
    std::vector<Run*> heap;
    const auto later = [](const Run* a, const Run* b) { return b->part[b->at] < a->part[a->at]; };
    for (Run& run : runs) {
      run.part.resize(static_cast<std::size_t>(std::min(each, run.end - run.next)));
      if (fill(run)) heap.push_back(&run);
    }
    std::make_heap(heap.begin(), heap.end(), later);
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), later);
      Run& run = *heap.back();
      visit(run.part[run.at++]);
      if (fill(run))
        std::push_heap(heap.begin(), heap.end(), later);
      else
        heap.pop_back();
    }
  }

  std::uint64_t m_most, m_capacity = 0, m_count = 0, m_written = 0;
  MemoryAccount& m_account;
  MemoryClaim m_claim;
  std::filesystem::path m_folder;
  std::vector<Record> m_records;
  std::vector<Run> m_runs;
  File m_file;
};

}  // namespace farfield
