#pragma once
// What decides which page goes when another needs its place, as a replay sees it: told of every hit and of
// every page that comes in, asked for victims. The page cache has one policy and no choice of it
// (core/paging/cache/clock_policy.h); these are here to be compared with it on recorded requests.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace farfield::bench {

/// A page's number in a trace, from 0.
using PageId = std::uint32_t;
constexpr PageId kNoPageId = ~PageId{0};

/// The requests of a trace: pages by number in the order in which they were asked for, and what a frame of
/// each page is charged.
struct ReplayTrace {
  std::string name;
  std::vector<PageId> requests;
  std::vector<std::uint64_t> pageBytes;  ///< by page; of every page that is asked for
  std::uint64_t distinctBytes() const;
};

/// Not thread-safe. `at` is the number of the request in the trace.
class Replacement {
 public:
  virtual ~Replacement() = default;
  /// The page was asked for and is there.
  virtual void hit(PageId page, std::uint64_t at) = 0;
  /// The page was asked for, was not there, and is now.
  virtual void fill(PageId page, std::uint64_t at) = 0;
  /// Chooses a page that is there; it is there no more. There is one.
  virtual PageId evict() = 0;
};

/// The names that makeReplacement knows, the optimum last.
std::span<const char* const> replacementNames();
/// Throws Invalid for a name that is not known. The trace outlives it.
std::unique_ptr<Replacement> makeReplacement(const std::string& name, const ReplayTrace& trace,
                                             std::uint64_t capacityBytes);

struct ReplayResult {
  std::uint64_t requests = 0, hits = 0;
  std::uint64_t bytesRead = 0;  ///< of the pages that were not there
  std::uint64_t evictions = 0;
  double hitRatio() const { return requests ? static_cast<double>(hits) / static_cast<double>(requests) : 0; }
};

/// Replays the whole trace with frames of `capacityBytes`, empty at first. A page larger than that is never
/// kept.
ReplayResult replay(const ReplayTrace& trace, std::uint64_t capacityBytes, Replacement& replacement);

}  // namespace farfield::bench
