#include "core/paging/writing/page_sequence.h"

#include <algorithm>

namespace farfield::paging::detail {

PageSequence::PageSequence(const DatasetDescription& description)
    : m_steps(static_cast<std::uint64_t>(description.steps())) {
  const auto add = [&](Step& step, std::uint32_t array) {
    step.arrays.push_back(array);
    step.firstPage.push_back(step.pages);
    step.firstByte.push_back(step.bytes);
    step.pages += m_pagesPerStep[array];
    step.bytes += m_pagesPerStep[array] * m_recordBytes[array];
  };
  for (std::uint32_t n = 0; n < description.arrays.size(); ++n) {
    const ArrayDescription& array = description.arrays[n];
    m_pagesPerStep.push_back(static_cast<std::uint64_t>(array.layout.pageCount()));
    m_recordBytes.push_back(journalRecordBytes(array.components));
    m_placeInFirst.push_back(m_first.arrays.size());
    m_placeInOther.push_back(m_other.arrays.size());
    add(m_first, n);
    if (array.steps > 1) add(m_other, n);
  }
}

PageSequence::Position PageSequence::locate(std::uint64_t sequence) const {
  Position at{0, sequence, 0};
  if (sequence >= m_first.pages) {
    at.step = 1 + (sequence - m_first.pages) / m_other.pages;
    at.page = (sequence - m_first.pages) % m_other.pages;
  }
  const std::vector<std::uint64_t>& first = step(at.step).firstPage;
  at.place =
      static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), at.page) - first.begin() - 1);
  at.page -= first[at.place];
  return at;
}

PageId PageSequence::page(std::uint64_t sequence) const {
  const Position at = locate(sequence);
  const std::uint32_t array = step(at.step).arrays[at.place];
  return {array, at.step * m_pagesPerStep[array] + at.page};
}

std::uint64_t PageSequence::sequenceOf(const PageId& id) const {
  const std::uint64_t inStep = id.page % m_pagesPerStep[id.array],
                      number = id.page / m_pagesPerStep[id.array];
  if (number == 0) return m_first.firstPage[m_placeInFirst[id.array]] + inStep;
  return m_first.pages + (number - 1) * m_other.pages + m_other.firstPage[m_placeInOther[id.array]] + inStep;
}

std::uint64_t PageSequence::recordOffset(std::uint64_t sequence) const {
  if (sequence == count()) return m_first.bytes + (m_steps - 1) * m_other.bytes;
  const Position at = locate(sequence);
  const Step& in = step(at.step);
  const std::uint64_t before = at.step == 0 ? 0 : m_first.bytes + (at.step - 1) * m_other.bytes;
  return before + in.firstByte[at.place] + at.page * m_recordBytes[in.arrays[at.place]];
}

}  // namespace farfield::paging::detail
