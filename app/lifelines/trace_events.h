#pragma once
// Reading a recorded event log (core/trace) back: Chrome's trace event format, as an object with
// "traceEvents" or as the bare list. Event by event, so that a log larger than memory can be read; what is
// not known is passed over.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace farfield::lifelines {

struct TraceEvent {
  char phase = 0;  ///< B and E, b and e, i, C, M as in the format; 0 where the event names none
  std::int64_t process = 0, thread = 0;
  double micros = 0;  ///< finite
  std::string category, name, id;
  double value = 0;                ///< args.value: of "i" and "C"
  std::string givenName;           ///< args.name: of "thread_name"
  std::uint64_t droppedCount = 0;  ///< args.count: of "dropped_events"
};

/// How many bytes of how many were read.
using ReadProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Visits all events in the order of the file. Throws NotFound, Io; Corrupt ("byte 1234: …") for what is no
/// such file; Cancelled.
void readTrace(const std::filesystem::path& path, const std::stop_token& stop, const ReadProgress& progress,
               const std::function<void(const TraceEvent&)>& visit);

}  // namespace farfield::lifelines
