#pragma once
// What a run cost and where the time went: the document that --stats writes.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/session/results/bound_by.h"

namespace farfield::session {

/// Of one file or server.
struct SourceStats {
  std::string name;
  std::uint64_t reads = 0, bytesRead = 0;
  double roundTripMs = 0, mbPerSecond = 0;  ///< 0 without a network; MB are 10^6 bytes
  std::uint64_t reconnects = 0;
};

/// Of page accesses, over the whole run.
struct PagingStats {
  std::uint64_t budgetBytes = 0;
  std::uint64_t peakBytes = 0;  ///< most that was claimed of the budget at a time
  std::uint64_t requests = 0;   ///< pages requested: hits + misses
  std::uint64_t hits = 0, misses = 0;
  std::uint64_t reads = 0;           ///< operations on the disk or the network
  std::uint64_t bytesRead = 0;       ///< as stored
  std::uint64_t prefetches = 0;      ///< pages requested ahead of lines
  std::uint64_t prefetchesUsed = 0;  ///< of these, needed later
  std::uint64_t evictions = 0;
  std::uint64_t longestMissChain = 0;  ///< most waits of one task, which follow one another
  std::vector<SourceStats> sources;
};

using StatsValue = std::variant<bool, std::uint64_t, double, std::string>;

struct ObjectStats {
  std::string name, type;
  std::uint64_t count = 0;  ///< lines, or triangles
  std::uint64_t points = 0;
  double seconds = 0;
  std::map<std::string, std::uint64_t> terminations;  ///< lines by the reason they ended; empty for surfaces
  double cpuSeconds = 0;                              ///< user and system; without writing files and pictures
  std::uint64_t mostTasksInFlight = 0;  ///< most lines or patches at a time that had started and not ended
  /// Values that only some kinds have, in order: "bricks", "device", …
  std::vector<std::pair<std::string, StatsValue>> more = {};
  void set(const std::string& key, StatsValue value);    ///< in `more`, replacing an earlier value
  const StatsValue* find(const std::string& key) const;  ///< in `more`; null if it is not there
};

struct RunStats {
  double wallSeconds = 0;
  double cpuSeconds = 0;  ///< user and system, of the whole process
  std::uint64_t peakRssBytes = 0;
  std::uint64_t steps = 0;         ///< that the session shows
  std::uint64_t stepsLeftOut = 0;  ///< of these, because their files existed
  BoundBy boundBy;
  PagingStats paging;
  std::vector<ObjectStats> objects;
  std::vector<std::filesystem::path> pictures =
      {};  ///< all that the run is of, in order; not in the document
};

/// Fills in what the operating system reports of this process: cpuSeconds and peakRssBytes.
void measureProcess(RunStats& stats);
/// Memory of this process as the operating system reports it now; 0 if unknown.
std::uint64_t currentRssBytes();
inline constexpr const char* kStatsHead = "{\n  \"wallSeconds\":";
/// The document, indented.
std::string toJson(const RunStats& stats);
/// Throws Io. The file begins with kStatsHead.
void writeStats(const std::filesystem::path& path, const RunStats& stats);

}  // namespace farfield::session
