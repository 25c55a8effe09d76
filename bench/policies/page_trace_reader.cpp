#include "bench/policies/page_trace_reader.h"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/cache/frame.h"

namespace farfield::paging {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

template <class Work>
auto inFile(const File& file, Work&& work) {
  try {
    return work();
  } catch (Error& error) {
    if (error.place().empty()) error.at("file " + file.path().string());
    throw;
  }
}

}  // namespace

PageTraceReader::PageTraceReader(const std::filesystem::path& path) : m_file(File::openForReading(path)) {
  inFile(m_file, [&] {
    m_fileBytes = m_file.size();
    std::byte header[kPageTraceHeaderBytes];
    if (m_fileBytes < sizeof header ||
        (m_file.readAt(0, header), std::memcmp(header, kPageTraceMagic.data(), kPageTraceMagic.size()) != 0))
      throw Corrupt("is not a page trace", "make one with farfield batchvis --page-trace");
    const auto version = load<std::uint32_t>(header + 8);
    if (version != kPageTraceVersion)
      throw Unsupported("is a page trace of version " + std::to_string(version) + ", and only version " +
                            std::to_string(kPageTraceVersion) + " is known",
                        "record it again");
    if (load<std::uint32_t>(header + 12) != 0) throw Corrupt("the header's last four bytes are not 0");
    m_offset = sizeof header;
  });
}

std::uint8_t PageTraceReader::readByte() {
  if (m_at == m_buffer.size()) {
    m_buffer.resize(kBufferBytes);
    m_buffer.resize(m_file.readSomeAt(m_offset, m_buffer));
    m_offset += m_buffer.size();
    m_at = 0;
    if (m_buffer.empty())
      throw Corrupt("the page trace ends in the middle, after " + std::to_string(m_requests) + " requests",
                    "record it again");
  }
  return std::to_integer<std::uint8_t>(m_buffer[m_at++]);
}

std::uint64_t PageTraceReader::readNumber() {
  std::uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint64_t byte = readByte();
    const std::uint64_t bits = byte & 0x7f;
    if (shift >= kPageTraceNumberBits || (bits << shift) >> shift != bits ||
        (bits << shift) >> kPageTraceNumberBits != 0)
      throw Corrupt("a number in the page trace is too large");
    number |= bits << shift;
    if (!(byte & 0x80)) return number;
  }
}

void PageTraceReader::readArray() {
  PageTraceArray array;
  array.dataset = readNumber();
  array.block = readNumber();
  array.pages = readNumber();
  array.frameBytes = readNumber();
  const std::uint64_t length = readNumber();
  if (length > kPageTraceLongestName) throw Corrupt("the name of an array in the page trace is too long");
  if (array.pages > std::uint64_t{1} << kPageBits)
    throw Corrupt("an array in the page trace has too many pages");
  for (std::uint64_t n = 0; n < length; ++n) array.name += static_cast<char>(readByte());
  m_arrays.push_back(std::move(array));
  m_lastPages.push_back(0);
}

TracedRequest PageTraceReader::readRequest(std::uint64_t head) {
  const std::uint64_t code = head - kPageTraceRequests;
  const std::uint64_t array = code & 1 ? readNumber() : m_lastArray;
  if (array >= m_arrays.size())
    throw Corrupt("request " + std::to_string(m_requests) + " of the page trace names array " +
                  std::to_string(array) + " of " + std::to_string(m_arrays.size()));
  // both terms are below 2^62, so the sum does not overflow, and a negative one exceeds the number of pages
  const auto page =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(m_lastPages[array]) + unzigzag(code >> 1));
  if (page >= m_arrays[array].pages)
    throw Corrupt("request " + std::to_string(m_requests) + " of the page trace is for a page that array " +
                  std::to_string(array) + " does not have");
  m_lastPages[array] = page;
  m_lastArray = static_cast<std::uint32_t>(array);
  ++m_requests;
  return {m_lastArray, page};
}

std::optional<TracedRequest> PageTraceReader::next() {
  if (m_ended) return std::nullopt;
  return inFile(m_file, [&]() -> std::optional<TracedRequest> {
    for (;;) {
      const std::uint64_t head = readNumber();
      if (head >= kPageTraceRequests) return readRequest(head);
      if (head == kPageTraceArray) {
        readArray();
        continue;
      }
      if (readNumber() != m_requests)
        throw Corrupt("the page trace does not hold as many requests as its end says");
      if (m_at < m_buffer.size() || m_offset < m_fileBytes)
        throw Corrupt("bytes follow the end of the page trace");
      m_ended = true;
      return std::nullopt;
    }
  });
}

}  // namespace farfield::paging
