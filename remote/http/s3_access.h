#pragma once
// Objects of S3 and compatible servers: where s3://bucket/key is requested, and with which key. Both come
// from the usual places: the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN,
// AWS_REGION or AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, AWS_PROFILE), then the files
// ~/.aws/credentials and ~/.aws/config (or those of AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE).

#include <string>

#include "remote/http/http_target.h"

namespace farfield::http {

struct S3Place {
  std::string url;
  Signing signing;  ///< empty without a key: public buckets need none
};

/// `name`: s3://bucket/key, the key not encoded. Throws Invalid (no bucket or key, half a key, an invalid
/// endpoint or region).
S3Place s3Place(const std::string& name);

}  // namespace farfield::http
