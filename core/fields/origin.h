#pragma once
// Where data are that are not on this machine.

#include <cstdint>
#include <string>

namespace farfield::fields {

struct Origin {
  std::string url;              ///< as they were named
  std::string server;           ///< what the server calls itself
  std::uint64_t fileBytes = 0;  ///< of all files there
  std::uint64_t identity = 0;   ///< equal where the files are
};

/// What OpenData are, too, that come from a server.
class RemoteOrigin {
 public:
  virtual Origin origin() const = 0;

 protected:
  ~RemoteOrigin() = default;
};

}  // namespace farfield::fields
