#include "core/paging/arranging/paged_array.h"

#include <algorithm>

#include "core/base/temporary_file.h"

namespace farfield::paging {

PagedArray::PagedArray(std::uint64_t items, std::uint64_t itemBytes, std::uint64_t memoryBytes,
                       MemoryAccount& account, std::filesystem::path folder, Load load)
    : m_items(items),
      m_itemBytes(itemBytes),
      m_perPage(std::max<std::uint64_t>(1, kPageBytes / itemBytes)),
      m_folder(std::move(folder)),
      m_load(std::move(load)) {
  const std::uint64_t pages = (items + m_perPage - 1) / m_perPage, pageBytes = m_perPage * itemBytes;
  m_mostFrames =
      static_cast<std::size_t>(std::min(pages, std::max<std::uint64_t>(4, memoryBytes / pageBytes)));
  m_claim = account.claim(Purpose::Work,
                          m_mostFrames * (pageBytes + sizeof(Frame)) + pages * (sizeof(std::int32_t) + 1),
                          "arranging an unstructured grid");
  m_frameOf.assign(static_cast<std::size_t>(pages), kNone);
  m_written.assign(static_cast<std::size_t>(pages), false);
  m_frames.reserve(m_mostFrames);
}

std::size_t PagedArray::bytesOf(std::uint64_t page) const {
  return static_cast<std::size_t>(std::min(m_perPage, m_items - page * m_perPage) * m_itemBytes);
}

PagedArray::Frame& PagedArray::bring(std::uint64_t page) {
  Frame* frame = nullptr;
  if (m_frames.size() < m_mostFrames) {
    frame = &m_frames.emplace_back();
  } else {
    while (m_frames[m_hand].used) {
      m_frames[m_hand].used = false;
      m_hand = (m_hand + 1) % m_frames.size();
    }
    frame = &m_frames[m_hand];
    m_hand = (m_hand + 1) % m_frames.size();
    if (frame->dirty) {
      const auto old = static_cast<std::uint64_t>(frame->page);
      if (!m_file.isOpen()) m_file = makeTemporaryFile(m_folder);
      m_file.writeAt(old * m_perPage * m_itemBytes, frame->bytes);
      m_written[static_cast<std::size_t>(old)] = true;
    }
    if (frame->page >= 0) m_frameOf[static_cast<std::size_t>(frame->page)] = kNone;
    frame->page = kNone;
  }
  frame->dirty = false;
  frame->bytes.resize(bytesOf(page));
  const std::uint64_t offset = page * m_perPage * m_itemBytes;
  if (m_written[static_cast<std::size_t>(page)])
    m_file.readAt(offset, frame->bytes);
  else if (m_load)
    m_load(offset, frame->bytes);
  else
    std::fill(frame->bytes.begin(), frame->bytes.end(), std::byte{0xff});
  frame->page = static_cast<std::int64_t>(page);
  m_frameOf[static_cast<std::size_t>(page)] = static_cast<std::int32_t>(frame - m_frames.data());
  return *frame;
}

std::byte* PagedArray::place(std::uint64_t item, bool change) {
  const std::uint64_t page = item / m_perPage;
  const std::int32_t known = m_frameOf[static_cast<std::size_t>(page)];
  Frame& frame = known >= 0 ? m_frames[static_cast<std::size_t>(known)] : bring(page);
  frame.used = true;
  frame.dirty = frame.dirty || change;
  return frame.bytes.data() + (item - page * m_perPage) * m_itemBytes;
}

void PagedArray::writeTo(File& file, std::uint64_t offset) {
  for (std::uint64_t page = 0; page < m_frameOf.size(); ++page)
    file.writeAt(offset + page * m_perPage * m_itemBytes, {at(page * m_perPage), bytesOf(page)});
}

}  // namespace farfield::paging
