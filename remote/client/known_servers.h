#pragma once
// What is kept about paging servers: tokens and the fingerprints of their certificates, in servers.json in
// the user's configuration folder, unreadable to others. Tokens from the environment take precedence.

#include <filesystem>
#include <string>

#include "remote/client/far_url.h"

namespace farfield::remote {

struct Credentials {
  std::string token;  ///< empty: none
  /// Of the pinned certificate; empty: none.
  std::string fingerprint;
};

/// FARFIELD_TOKEN, the first line of FARFIELD_TOKEN_FILE, or the kept ones. Throws Invalid (a file that
/// others can read, or a malformed one), NotFound (FARFIELD_TOKEN_FILE does not exist).
Credentials credentialsFor(const Host& host);
/// Keeps them (an empty token: the old one stays) and returns the file. Throws Io, Invalid.
std::filesystem::path keepCredentials(const Host& host, const Credentials& credentials);

}  // namespace farfield::remote
