#pragma once
// What a run was bound by, and what would help: one word for programs and one sentence for people, from
// what was measured while it ran.

#include <cstdint>
#include <string>

namespace farfield::session {

/// Of the computing of objects alone: not opening, writing, drawing.
struct RunMeasures {
  double wallSeconds = 0;
  double cpuSeconds = 0;     ///< of the process, all threads
  double decodeSeconds = 0;  ///< of that, checking and decoding pages
  double readSeconds = 0;    ///< from asking for a page to having it, summed over pages
  std::uint64_t pagesRead = 0;
  std::uint64_t distinctPages = 0;     ///< of pagesRead
  std::uint64_t bytesRead = 0;         ///< stored
  std::uint64_t longestMissChain = 0;  ///< waits of one task, which follow one another
  std::uint64_t budgetBytes = 0;
  int processors = 1;
  int readers = 1;
  /// Tasks at a time: as asked for, and as the memory plan allowed. 0: not known.
  int tasksAsked = 0, tasksAllowed = 0;
};

struct BoundBy {
  /// "compute", "decode", "disk", "latency", "budget", or "nothing" for a run too short to tell.
  std::string what;
  std::string sentence;
};

/// Compute and decode: the processors were busy, or hardly anything was being read. Otherwise tasks waited:
/// budget when most pages had been read before, latency when one task's waits alone make up most of the time,
/// disk when many reads were always on their way, and again latency when few were. Budget goes before decode,
/// too: what is read again is decoded again.
BoundBy judge(const RunMeasures& run);

}  // namespace farfield::session
