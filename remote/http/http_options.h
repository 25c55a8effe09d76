#pragma once
// How patient, and how greedy, reading over HTTP is.

#include <chrono>

namespace farfield::http {

struct HttpOptions {
  std::chrono::milliseconds connectWithin{15000};
  /// Without a byte for so long a request is taken for dead and made again.
  std::chrono::milliseconds silence{30000};
  /// How long a request is made again, with growing pauses, before it fails.
  std::chrono::milliseconds patience{60000};
  int connections = 32;  ///< to one host, where requests do not share one (HTTP/1.1)
  int depth = 64;        ///< requests on their way at a time, for each user of pages
};

}  // namespace farfield::http
