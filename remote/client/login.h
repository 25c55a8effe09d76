#pragma once
// First contact with a server: its certificate and a token, which are kept for all later connections.

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/error.h"
#include "remote/client/far_url.h"
#include "remote/client/known_servers.h"

namespace farfield::remote {

struct Login {
  /// Empty: an unencrypted server on this machine.
  std::string fingerprint;
  std::string server;          ///< its own name
  std::filesystem::path kept;  ///< the file
};

/// Whether an error says that a server is to be logged in to: it asks for a token, or its certificate is not known here.
bool asksForLogin(const Error& error);

/// The fingerprint of the certificate that `host` shows; empty: a server on this machine that does not encrypt. Waits. Throws Io,
/// NotFound, Cancelled.
std::string fingerprintOfServer(const Host& host, const std::stop_token& stop = {});

/// Fetches the certificate of `host` before sending anything else, lets `trust` decide, then says hello with
/// `token` (empty: none) and keeps both. Throws Cancelled (not trusted), Io, NotFound, Invalid (an unknown
/// token), and what keeping throws.
Login logIn(const Host& host, const std::string& token,
            const std::function<bool(const std::string& fingerprint)>& trust,
            const std::stop_token& stop = {});

}  // namespace farfield::remote
