#pragma once
// A replacement policy in a replay: it is told of every hit and of every page that is read, and asked for
// victims. The page cache has a single fixed policy (core/paging/cache/clock_policy.h); these are compared
// with it on recorded requests.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace farfield::bench {

/// A page's number in a trace, from 0.
using PageId = std::uint32_t;
constexpr PageId kNoPageId = ~PageId{0};

/// The requests of a trace: page numbers in the order of the requests, and what a frame of each page is
/// charged.
struct ReplayTrace {
  std::string name;
  std::vector<PageId> requests;
  std::vector<std::uint64_t> pageBytes;  ///< by page; for every page requested
  std::uint64_t distinctBytes() const;
};

/// Not thread-safe. `at` is the number of the request in the trace.
class Replacement {
 public:
  virtual ~Replacement() = default;
  /// The page was requested and is resident.
  virtual void hit(PageId page, std::uint64_t at) = 0;
  /// The page was requested, was not resident, and now is.
  virtual void fill(PageId page, std::uint64_t at) = 0;
  /// Chooses a resident page, which is then gone. There is at least one.
  virtual PageId evict() = 0;
};

/// The names that makeReplacement knows, the optimum last.
std::span<const char* const> replacementNames();
/// Throws Invalid for an unknown name. The trace outlives it.
std::unique_ptr<Replacement> makeReplacement(const std::string& name, const ReplayTrace& trace,
                                             std::uint64_t capacityBytes);

struct ReplayResult {
  std::uint64_t requests = 0, hits = 0;
  std::uint64_t bytesRead = 0;  ///< of the pages that were not resident
  std::uint64_t evictions = 0;
  double hitRatio() const { return requests ? static_cast<double>(hits) / static_cast<double>(requests) : 0; }
};

/// Replays the whole trace with frames of `capacityBytes`, empty at first. A larger page is never kept.
ReplayResult replay(const ReplayTrace& trace, std::uint64_t capacityBytes, Replacement& replacement);

}  // namespace farfield::bench
