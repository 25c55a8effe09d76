#pragma once
// Shares the files of a web server or a bucket of S3, as a cache in front of it.

#include "remote/server/upstream.h"

namespace farfield::remote {

/// `url` is https://HOST/FOLDER, http://… or s3://BUCKET/FOLDER. It is not contacted before the first client
/// asks. There is no listing. Throws Invalid; Unsupported in a build without libcurl.
std::shared_ptr<Upstream> makeWebUpstream(const std::string& url);

}  // namespace farfield::remote
