#pragma once
// Shares another paging server's data, as a cache in front of it.

#include <chrono>

#include "remote/server/upstream.h"

namespace farfield::remote {

/// `url` is far://HOST:PORT, or a folder there. It is not contacted before the first client asks. A lost connection is
/// tried for that long before what was asked for fails, with NoAnswer: clients try again. Throws Invalid.
std::shared_ptr<Upstream> makeFarUpstream(const std::string& url,
                                          std::chrono::milliseconds patience = std::chrono::minutes(1));

}  // namespace farfield::remote
