#pragma once
// Where data are that are not on this machine.

#include <cstdint>
#include <functional>
#include <string>

#include "core/paging/bytes/byte_object.h"

namespace farfield::fields {

struct Origin {
  std::string url;              ///< as they were named
  std::string server;           ///< what the server calls itself
  std::uint64_t fileBytes = 0;  ///< of all files, where that is known
  std::uint64_t identity = 0;   ///< equal where the files are
};

/// What OpenData are, too, that may come from a server.
class RemoteOrigin {
 public:
  /// Of data on this machine without a URL.
  virtual Origin origin() const = 0;

 protected:
  ~RemoteOrigin() = default;
};

/// Of what `object` is; nothing where it is on this machine.
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
