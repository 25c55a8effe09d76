#pragma once
// Timeouts and limits of reading over HTTP.

#include <chrono>
#include <stop_token>

namespace farfield::http {

struct HttpOptions {
  std::chrono::milliseconds connectWithin{15000};
  /// A request without a byte for so long is repeated.
  std::chrono::milliseconds silence{30000};
  /// How long a request is repeated, with growing pauses, before it fails.
  std::chrono::milliseconds patience{60000};
  int connections = 32;  ///< to one host, if requests do not share one (HTTP/1.1)
  int depth = 64;        ///< requests on their way at a time, per reader of pages
  /// Once it is requested, all requests end with Cancelled, and later ones do at once.
  std::stop_token stop = {};
};

}  // namespace farfield::http
