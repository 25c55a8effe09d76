#pragma once
// What a name like https://host/file or s3://bucket/key is asked of, and how: the address, the signature, and what may
// be said of it in messages.

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

/// Thread-safe where it is shared: only what is below the mutex changes.
class HttpTarget {
 public:
  /// Throws Invalid (no address, a password in it), and what s3Place() throws.
  explicit HttpTarget(const std::string& name);

  std::string said;  ///< the name, without a query, which may hold what is secret
  std::string url;   ///< percent-encoded
  bool isS3 = false;
  Signing signing;

  std::string host() const;  ///< of the URL, with the port
  /// Where the last answer came from: behind redirections.
  std::string place() const;
  /// Asks by the name again.
  void forgetPlace();
  void rememberPlace(const std::string& where);

 private:
  mutable std::mutex m_mutex;
  std::string m_place;
};

}  // namespace farfield::http
