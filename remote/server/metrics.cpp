#include "remote/server/metrics.h"

#include <sstream>

namespace farfield::remote {
namespace {

struct Figure {
  const char* name;
  const char* kind;
  const char* help;
  double value;
};

std::vector<Figure> figuresOf(const ServerCounters& c) {
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  return {{"pages_sent_total", "counter", "Pages given to connections", number(c.desk.pages)},
          {"page_bytes_sent_total", "counter", "Stored bytes of these pages", number(c.desk.bytes)},
          {"pages_from_memory_total", "counter", "Of these, found in memory, its own or the system's",
           number(c.desk.fromMemory)},
          {"page_reads_total", "counter", "Pages read from files or upstream", number(c.desk.reads)},
          {"page_failures_total", "counter", "Pages that could not be read", number(c.desk.failures)},
          {"requests_cancelled_total", "counter", "Pages that clients no longer wanted",
           number(c.desk.cancelled)},
          {"requests_waiting", "gauge", "Pages that are asked for and not yet read", number(c.desk.waiting)},
          {"held_bytes", "gauge", "Pages being read or sent", number(c.desk.heldBytes)},
          {"cache_bytes", "gauge", "Pages kept in memory", number(c.desk.cachedBytes)},
          {"connections", "gauge", "Connections now", number(c.sessions)},
          {"connections_total", "counter", "Connections since the start", number(c.accepted)},
          {"connections_refused_total", "counter", "Of these, not let in", number(c.refused)},
          {"data_sets_open", "gauge", "Data sets that are open", number(c.sets)},
          {"up_seconds", "gauge", "Since the start", c.upSeconds}};
}

}  // namespace

std::string statisticsJson(const ServerCounters& counters) {
  std::ostringstream out;
  out.precision(15);
  out << "{";
  for (const Figure& figure : figuresOf(counters))
    out << (out.tellp() > 1 ? ", " : "") << '"' << figure.name << "\": " << figure.value;
  out << "}";
  return out.str();
}

std::string metricsText(const ServerCounters& counters) {
  std::ostringstream out;
  out.precision(15);
  for (const Figure& figure : figuresOf(counters))
    out << "# HELP farfield_pagerd_" << figure.name << ' ' << figure.help << "\n# TYPE farfield_pagerd_"
        << figure.name << ' ' << figure.kind << "\nfarfield_pagerd_" << figure.name << ' ' << figure.value
        << '\n';
  return out.str();
}

std::string httpAnswer(const std::string& line, const ServerCounters& counters) {
  std::string status = "200 OK", type = "text/plain; charset=utf-8", body;
  if (line.starts_with("GET /metrics ")) {
    type = "text/plain; version=0.0.4; charset=utf-8";
    body = metricsText(counters);
  } else if (line.starts_with("GET /healthz ")) {
    body = "ok\n";
  } else {
    status = "404 Not Found";
    body = "there are /metrics and /healthz\n";
  }
  return "HTTP/1.1 " + status + "\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}

}  // namespace farfield::remote
