#pragma once
// URLs of the paging server: far://host:port/path, several hosts separated by commas (copies of the same
// files), and far+ssh://user@host/path, which starts the user's own server there. Parts of the path may be
// percent-encoded.

#include <cstdint>
#include <string>
#include <vector>

namespace farfield::remote {

constexpr std::uint16_t kDefaultPort = 4780;

struct Host {
  /// A name or an address; IPv6 without brackets.
  std::string name;
  /// 0 with ssh if none is named: ssh decides.
  std::uint16_t port = kDefaultPort;
  /// "name:port", "[::1]:port".
  std::string text() const;
  /// Whether its name alone says that it is this machine.
  bool isLoopback() const;
  bool operator==(const Host&) const = default;
};

struct FarUrl {
  bool overSsh = false;
  std::string user;         ///< for ssh; may be empty
  std::vector<Host> hosts;  ///< at least one
  std::string path;         ///< decoded, without the slash after the host; empty: the root
};

bool isFarUrl(const std::string& text);
/// Throws Invalid.
FarUrl parseFarUrl(const std::string& text);

}  // namespace farfield::remote
