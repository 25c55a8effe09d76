#pragma once
// The order in which the pages of a store are written: for each time step, for each array that has it, the
// pages of that step in ascending order (store_writer.h). Also the position of each page's record in the
// journal, whose records are in this order and differ in size only between arrays.

#include <cstdint>
#include <vector>

#include "core/paging/store/store_format.h"
#include "core/paging/writing/store_writer.h"

namespace farfield::paging::detail {

class PageSequence {
 public:
  explicit PageSequence(const DatasetDescription& description);
  std::uint64_t count() const { return m_first.pages + (m_steps - 1) * m_other.pages; }
  PageId page(std::uint64_t sequence) const;
  std::uint64_t sequenceOf(const PageId& id) const;
  /// Number of pages from this one to the end of its step.
  std::uint64_t pagesLeftInStep(const PageId& id) const {
    return m_pagesPerStep[id.array] - id.page % m_pagesPerStep[id.array];
  }
  /// The position of the first page of `step`; of the step behind the last one, count().
  std::uint64_t firstOf(std::uint64_t step) const {
    return step == 0 ? 0 : m_first.pages + (step - 1) * m_other.pages;
  }
  /// Offset of a page's record from the first record of the journal. `sequence` == count() is the end.
  std::uint64_t recordOffset(std::uint64_t sequence) const;
  /// Bytes of one record of `array`.
  std::uint64_t recordBytes(std::uint32_t array) const { return m_recordBytes[array]; }

 private:
  /// The arrays of one step: step 0 has all, the others those that change.
  struct Step {
    std::vector<std::uint32_t> arrays;
    std::vector<std::uint64_t> firstPage, firstByte;  ///< of each array, within the step
    std::uint64_t pages = 0, bytes = 0;
  };
  struct Position {
    std::uint64_t step, page;  ///< page within the array and step
    std::size_t place;         ///< index into the step's arrays
  };
  const Step& step(std::uint64_t number) const { return number == 0 ? m_first : m_other; }
  Position locate(std::uint64_t sequence) const;

  std::uint64_t m_steps;
  std::vector<std::uint64_t> m_pagesPerStep, m_recordBytes;
  std::vector<std::size_t> m_placeInFirst, m_placeInOther;  ///< by array
  Step m_first, m_other;
};

/// Bytes of a journal record of an array of so many components (journal.h).
constexpr std::uint64_t journalRecordBytes(int components) {
  return sizeof(PagePlace) + static_cast<std::uint64_t>(summaryRecordBytes(components)) + 16;
}

}  // namespace farfield::paging::detail
