#pragma once
// What this user keeps of paging servers: tokens and the fingerprints of their certificates, in servers.json of the
// configuration folder, for nobody else to read. Tokens of the environment come first.

#include <filesystem>
#include <string>

#include "remote/client/far_url.h"

namespace farfield::remote {

struct Credentials {
  std::string token;        ///< empty: none
  std::string fingerprint;  ///< of the certificate that was pinned; empty: none
};

/// FARFIELD_TOKEN, the first line of FARFIELD_TOKEN_FILE, or what was kept. Throws Invalid (a file that others can
/// read, or that is not what it must be), NotFound (FARFIELD_TOKEN_FILE names none).
Credentials credentialsFor(const Host& host);
/// Keeps them (an empty token: as it is) and returns where. Throws Io, Invalid.
std::filesystem::path keepCredentials(const Host& host, const Credentials& credentials);

}  // namespace farfield::remote
