#pragma once
// Objects of S3 and of servers that speak as it does: where s3://bucket/key is asked for, and with whose key. Both come
// from where other programs have them: the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
// AWS_REGION or AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, AWS_PROFILE), then the files
// ~/.aws/credentials and ~/.aws/config (or those that AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE name).

#include <string>

#include "remote/http/http_target.h"

namespace farfield::http {

struct S3Place {
  std::string url;
  Signing signing;  ///< nothing where there is no key: public buckets are read without
};

/// `name`: s3://bucket/key, the key as it is, not encoded. Throws Invalid (no bucket or key, half a key, an endpoint or
/// a region that is none).
S3Place s3Place(const std::string& name);

}  // namespace farfield::http
