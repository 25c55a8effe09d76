#pragma once
// Shares another paging server's data, as a cache in front of it.

#include "remote/server/upstream.h"

namespace farfield::remote {

/// `url` is far://HOST:PORT, or a folder there. It is not contacted before the first client asks. Throws
/// Invalid.
std::shared_ptr<Upstream> makeFarUpstream(const std::string& url);

}  // namespace farfield::remote
