#pragma once
// Another paging server as what this one shares: a cache in front of it.

#include "remote/server/upstream.h"

namespace farfield::remote {

/// `url` is far://HOST:PORT, or a folder there. Nothing is asked before the first client asks. Throws Invalid.
std::shared_ptr<Upstream> makeFarUpstream(const std::string& url);

}  // namespace farfield::remote
