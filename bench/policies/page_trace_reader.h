#pragma once
// Reads a page trace (page_trace_format.h), request by request. Every byte may be wrong: what a trace cannot
// hold is Corrupt, and memory follows the arrays that the file really names, never a number in it.

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
  /// Throws NotFound, Io; Corrupt where the file is no page trace; Unsupported for a later version.
  explicit PageTraceReader(const std::filesystem::path& path);

  /// The next request; none at the end. Throws Corrupt, Io.
  std::optional<TracedRequest> next();
  /// The arrays named so far: all that the requests so far are of.
  const std::vector<PageTraceArray>& arrays() const { return m_arrays; }
  std::uint64_t fileBytes() const { return m_fileBytes; }

 private:
  std::uint8_t readByte();
  std::uint64_t readNumber();
  void readArray();
  TracedRequest readRequest(std::uint64_t head);

  File m_file;
  std::uint64_t m_fileBytes = 0, m_offset = 0;  ///< m_offset: of the first byte behind the buffer
  std::vector<std::byte> m_buffer;
  std::size_t m_at = 0;
  std::vector<PageTraceArray> m_arrays;
  std::vector<std::uint64_t> m_lastPages;  ///< by array
  std::uint64_t m_requests = 0;
  std::uint32_t m_lastArray = 0;
  bool m_ended = false;
};

}  // namespace farfield::paging
