#pragma once
// First contact with a renderer on another machine, as with a paging server (remote/client/login.h).

#include <functional>
#include <stop_token>
#include <string>

#include "remote/client/login.h"

namespace farfield::remote {

/// Fetches the certificate of the renderer at `url` (slab://HOST:PORT) before sending anything else, lets `trust` decide, then says hello with
/// `token` (empty: none) and keeps both. Waits. Throws as logIn(), Invalid for what is no such URL.
Login logInToRenderer(const std::string& url, const std::string& token,
                      const std::function<bool(const std::string& fingerprint)>& trust,
                      const std::stop_token& stop = {});

}  // namespace farfield::remote
