#pragma once
// What a server has done, for people and machines that watch it.

#include <string>

#include "remote/server/page_desk.h"

namespace farfield::remote {

struct ServerCounters {
  DeskCounters desk;
  std::uint64_t sessions = 0, accepted = 0, refused = 0, sets = 0;
  double upSeconds = 0;
};

/// As JSON, for the protocol's statistics.
std::string statisticsJson(const ServerCounters& counters);
/// In Prometheus's text format.
std::string metricsText(const ServerCounters& counters);
/// The answer to an HTTP request whose first line is `line`: /metrics, /healthz, or 404.
std::string httpAnswer(const std::string& line, const ServerCounters& counters);

}  // namespace farfield::remote
