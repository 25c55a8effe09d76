#pragma once
// Figures of page sources for reports: where pages come from, how many, how fast.

#include <cstdint>
#include <string>
#include <vector>

#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// Of one server or file.
struct SourceReport {
  std::string name;
  SourceCounters counters;
  double roundTripMs = 0;        ///< of a request over a network; 0 for local files
  double bytesPerSecond = 0;     ///< while pages were on their way; 0 if not measured
  std::uint64_t reconnects = 0;  ///< connections that were lost and made again
  double lostSeconds = 0;    ///< since what is asked cannot be asked of it, and is tried again; 0: it can be
  double silentSeconds = 0;  ///< since something came of what is on its way; 0 where nothing is, or not known
  bool isHere = true;        ///< on this machine
};

/// Implemented by sources that may read from servers. Thread-safe.
class ServerReports {
 public:
  /// One for each server.
  virtual std::vector<SourceReport> reports() const = 0;

 protected:
  ~ServerReports() = default;
};

/// At least one report.
inline std::vector<SourceReport> reportsOf(const PageSource& source) {
  if (const auto* const servers = dynamic_cast<const ServerReports*>(&source)) return servers->reports();
  return {{.name = source.name(), .counters = source.counters()}};
}

}  // namespace farfield::paging
