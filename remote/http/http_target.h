#pragma once
// Where and how a name like https://host/file or s3://bucket/key is requested: the address, the signature,
// and the name for messages.

#include <mutex>
#include <string>
#include <vector>

#include "core/paging/bytes/byte_object.h"

namespace farfield::http {

/// How requests to S3 are signed, by libcurl.
struct Signing {
  std::string what;  ///< CURLOPT_AWS_SIGV4; empty: requests are not signed
  std::string key, secret, sessionToken;
};

/// Thread-safe: only what the mutex guards changes.
class HttpTarget {
 public:
  /// Throws Invalid (no address, a password in it), and what s3Place() throws.
  explicit HttpTarget(const std::string& name);

  std::string said;  ///< the name without its query, which may hold secrets
  std::string url;   ///< percent-encoded
  bool isS3 = false;
  Signing signing;

  std::string host() const;  ///< of the URL, with the port
  /// Where the last answer came from, after redirections.
  std::string place() const;
  /// The next request uses the original name.
  void forgetPlace();
  void rememberPlace(const std::string& where);

 private:
  mutable std::mutex m_mutex;
  std::string m_place;
};

}  // namespace farfield::http
