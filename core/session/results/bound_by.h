#pragma once
// What limited a run, and what would help: one word for programs and one sentence for people, from what was
// measured while it ran.

#include <cstdint>
#include <string>

namespace farfield::session {

/// Of computing the objects: without opening and writing, and without drawing, except of volumes.
struct RunMeasures {
  double wallSeconds = 0;
  double cpuSeconds = 0;     ///< of the process, all threads
  double decodeSeconds = 0;  ///< part of it: checking and decoding pages
  double readSeconds = 0;    ///< from asking for a page to having it, summed over pages
  std::uint64_t pagesRead = 0;
  std::uint64_t distinctPages = 0;     ///< of pagesRead
  std::uint64_t evictions = 0;         ///< pages that had to make room for others
  std::uint64_t bytesRead = 0;         ///< stored
  std::uint64_t remoteBytes = 0;       ///< of bytesRead, from other machines
  std::uint64_t longestMissChain = 0;  ///< most waits of one task, which follow one another
  std::uint64_t budgetBytes = 0;
  int processors = 1;
  int readers = 1;
  /// Tasks at a time: as asked for, and as the memory plan allowed. 0: unknown.
  int tasksAsked = 0, tasksAllowed = 0;
};

struct BoundBy {
  /// "compute", "decode", "disk", "link", "latency", "budget", or "nothing" for a run too short to tell.
  std::string what;
  std::string sentence;
};

/// compute and decode: the processors were busy, or hardly anything was being read. Otherwise tasks waited:
/// budget if most pages had been read before and about as many had to make room, latency if the waits of a single task make up most of the time,
/// disk, or link if most bytes came from other machines, if many reads were always on their way, and latency if few were. Budget takes precedence over decode
/// as well: what is read again is decoded again.
BoundBy judge(const RunMeasures& run);

}  // namespace farfield::session
