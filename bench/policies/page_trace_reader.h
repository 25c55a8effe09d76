#pragma once
// Reads a page trace (page_trace_format.h), request by request. Any byte may be wrong: impossible contents
// are Corrupt, and memory depends on the arrays actually in the file, never on a number in it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/file.h"
#include "core/paging/cache/page_trace_format.h"

namespace farfield::paging {

struct TracedRequest {
  std::uint32_t array = 0;
  std::uint64_t page = 0;
  bool operator==(const TracedRequest&) const = default;
};

/// Not thread-safe.
class PageTraceReader {
 public:
  /// Throws NotFound, Io; Corrupt if the file is not a page trace; Unsupported for a later version.
  explicit PageTraceReader(const std::filesystem::path& path);

  /// The next request; nothing at the end. Throws Corrupt, Io.
  std::optional<TracedRequest> next();
  /// The arrays so far: those of all requests so far.
  const std::vector<PageTraceArray>& arrays() const { return m_arrays; }
  std::uint64_t fileBytes() const { return m_fileBytes; }

 private:
  std::uint8_t readByte();
  std::uint64_t readNumber();
  void readArray();
  TracedRequest readRequest(std::uint64_t head);

  File m_file;
  std::uint64_t m_fileBytes = 0, m_offset = 0;  ///< m_offset: of the first byte after the buffer
  std::vector<std::byte> m_buffer;
  std::size_t m_at = 0;
  std::vector<PageTraceArray> m_arrays;
  std::vector<std::uint64_t> m_lastPages;  ///< by array
  std::uint64_t m_requests = 0;
  std::uint32_t m_lastArray = 0;
  bool m_ended = false;
};

}  // namespace farfield::paging
