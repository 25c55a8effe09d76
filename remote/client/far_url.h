#pragma once
// URLs of the paging server: far://host:port/path, several hosts by commas (copies of one set of files), and
// far+ssh://user@host/path, which starts a server of one's own there. Parts of the path may be percent-encoded.

#include <cstdint>
#include <string>
#include <vector>

namespace farfield::remote {

constexpr std::uint16_t kDefaultPort = 4780;

struct Host {
  std::string name;                   ///< or an address; of IPv6 without brackets
  std::uint16_t port = kDefaultPort;  ///< of ssh 0 where none was named: ssh knows
  /// "name:port", "[::1]:port".
  std::string text() const;
  /// Whether it is this machine by its name alone.
  bool isLoopback() const;
  bool operator==(const Host&) const = default;
};

struct FarUrl {
  bool overSsh = false;
  std::string user;         ///< of ssh; may be empty
  std::vector<Host> hosts;  ///< at least one
  std::string path;         ///< decoded, without the slash after the host; empty: the root
};

bool isFarUrl(const std::string& text);
/// Throws Invalid.
FarUrl parseFarUrl(const std::string& text);

}  // namespace farfield::remote
