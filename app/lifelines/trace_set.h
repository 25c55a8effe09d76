#pragma once
// Event logs of processes that worked together, as one: what each recorded of its clock says by how much its times are moved.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/lifelines/trace_events.h"

namespace farfield::lifelines {

class TraceSet {
 public:
  /// One log, or one of each process. Throws what readTrace() throws; Invalid for several of which one but the first does not know how
  /// its clock goes beside the first one's.
  explicit TraceSet(std::vector<std::filesystem::path> paths, const std::stop_token& stop = {});
  TraceSet(const std::filesystem::path& path) : m_logs{{path, 0, {}}} {}
  /// Visits all events, log after log. Of several, their processes are numbered, and their threads' names begin with that of each one's
  /// first thread; threads of one name are one. Throws as readTrace().
  void read(const std::stop_token& stop, const ReadProgress& progress,
            const std::function<void(const TraceEvent&)>& visit) const;
  /// For errors: "file a.json".
  std::string name() const;

 private:
  struct Log {
    std::filesystem::path path;
    double ahead = 0;  ///< µs: its times are so much less than those of the first one's clock
    std::string process;
  };
  std::vector<Log> m_logs;
};

}  // namespace farfield::lifelines
