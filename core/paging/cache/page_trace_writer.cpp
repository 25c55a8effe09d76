#include "core/paging/cache/page_trace_writer.h"

#include <array>
#include <span>

#include "core/base/bytes.h"

namespace farfield::paging {

PageTraceWriter::PageTraceWriter(const std::filesystem::path& path) : m_file(path) {
  std::array<std::byte, 8> rest;
  store(rest.data(), kPageTraceVersion);
  store(rest.data() + 4, std::uint32_t{0});
  m_file.write(kPageTraceMagic);
  m_file.write(std::span<const std::byte>(rest));
}

void PageTraceWriter::writeNumber(std::uint64_t number) {
  std::array<std::byte, 10> bytes;
  std::size_t count = 0;
  for (; number > 0x7f; number >>= 7) bytes[count++] = static_cast<std::byte>((number & 0x7f) | 0x80);
  bytes[count++] = static_cast<std::byte>(number);
  m_file.write(std::span<const std::byte>(bytes.data(), count));
}

std::uint64_t PageTraceWriter::addDataset() {
  const std::lock_guard lock(m_mutex);
  return m_datasets++;
}

std::uint32_t PageTraceWriter::addArray(const PageTraceArray& array) {
  const std::lock_guard lock(m_mutex);
  for (const std::uint64_t number :
       {kPageTraceArray, array.dataset, array.block, array.pages, array.frameBytes, array.name.size()})
    writeNumber(number);
  m_file.write(array.name);
  m_lastPages.push_back(0);
  return static_cast<std::uint32_t>(m_lastPages.size() - 1);
}

void PageTraceWriter::request(std::uint32_t array, std::uint64_t page) noexcept {
  const std::lock_guard lock(m_mutex);
  if (m_error) return;
  try {
    const bool changed = array != m_lastArray;
    std::uint64_t& last = m_lastPages[array];
    const std::uint64_t distance = zigzag(static_cast<std::int64_t>(page) - static_cast<std::int64_t>(last));
    writeNumber(kPageTraceRequests + (distance << 1 | (changed ? 1 : 0)));
    if (changed) writeNumber(array);
    last = page;
    m_lastArray = array;
    ++m_requests;
  } catch (...) {
    m_error = std::current_exception();
  }
}

void PageTraceWriter::commit() {
  const std::lock_guard lock(m_mutex);
  if (m_error) std::rethrow_exception(m_error);
  writeNumber(kPageTraceEnd);
  writeNumber(m_requests);
  m_file.commit();
}

}  // namespace farfield::paging
