#pragma once
// The page trace: which pages were requested of a page cache, in order (docs/user/output.md, "Page traces").
// A file is a header and then records, each of which begins with a number in LEB128 (seven bits a byte,
// lowest first; the top bit is set if more follow):
//
//   header         8 bytes "FFPTRACE", u32 version = 1, u32 0; little-endian
//   0              the end: the number of requests; nothing follows
//   1              the next array, counted from 0: data set, block, pages (through all steps), bytes of a
//                  frame of it, length of its name, its name
//   2 + (d << 1 | c)
//                  a request. Where c is 1 the number of an array follows; where it is 0 the array is that of
//                  the request before (0 at first). d is the zigzag code (0, -1, 1, -2, ... as 0, 1, 2, 3,
//                  ...) of the page's distance to the page last asked of this array (0 at first).
//
// Most requests take two or three bytes. All numbers fit in 62 bits.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace farfield::paging {

constexpr std::string_view kPageTraceMagic = "FFPTRACE";
constexpr std::uint32_t kPageTraceVersion = 1;
constexpr std::size_t kPageTraceHeaderBytes = 16;
constexpr std::uint64_t kPageTraceEnd = 0, kPageTraceArray = 1, kPageTraceRequests = 2;
/// Longest name of an array.
constexpr std::uint64_t kPageTraceLongestName = 4096;
constexpr int kPageTraceNumberBits = 62;

/// An array that pages were asked of.
struct PageTraceArray {
  std::uint64_t dataset = 0;
  std::uint64_t block = 0;
  std::uint64_t pages = 0;       ///< through all steps
  std::uint64_t frameBytes = 0;  ///< what the cache charges for a page of it
  std::string name = {};
  bool operator==(const PageTraceArray&) const = default;
};

constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t code) {
  return static_cast<std::int64_t>(code >> 1) ^ -static_cast<std::int64_t>(code & 1);
}

}  // namespace farfield::paging
