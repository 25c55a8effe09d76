#pragma once
// The origin of data on other machines.

#include <cstdint>
#include <functional>
#include <string>

#include "core/paging/bytes/byte_object.h"

namespace farfield::fields {

struct Origin {
  std::string url;              ///< as given by the user
  std::string server;           ///< the server's name for itself
  std::uint64_t fileBytes = 0;  ///< of all files, if known
  std::uint64_t identity = 0;   ///< equal for the same files in the same state
  bool isStore = false;         ///< it is known to be one, with levels of its own
};

/// Implemented by OpenData that may come from a server.
class RemoteOrigin {
 public:
  /// Without a URL for local data.
  virtual Origin origin() const = 0;

 protected:
  ~RemoteOrigin() = default;
};

/// Of `object`; empty if it is local.
inline Origin originOf(const paging::ByteObject& object) {
  if (object.server().empty()) return {};
  const auto& [bytes, tag] = object.generation();
  return {object.name(), object.server(), bytes,
          std::hash<std::string>()(object.name() + '\n' + tag + '\n' + std::to_string(bytes))};
}

/// Of data whose files are `objects`, at least one.
inline Origin originOf(const paging::ByteObjects& objects) {
  Origin all = originOf(*objects.front());
  for (std::size_t n = 1; n < objects.size(); ++n) {
    const Origin one = originOf(*objects[n]);
    all.fileBytes += one.fileBytes;
    all.identity = 31 * all.identity + one.identity;
  }
  return all;
}

}  // namespace farfield::fields
