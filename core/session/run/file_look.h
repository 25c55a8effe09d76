#pragma once
// What can be seen of the files of data from outside, without opening them: whether they have changed, and whether a writer is
// still at work.

#include <cstdint>
#include <string>
#include <vector>

#include "core/session/session.h"

namespace farfield::session {

struct FileLook {
  struct Seen {
    std::string name;
    std::uint64_t inode = 0, bytes = 0;
    std::int64_t seconds = 0, nanoseconds = 0;  ///< of the last change
    bool operator==(const Seen&) const = default;
  };
  std::vector<Seen> files;
  bool operator==(const FileLook&) const = default;
};

/// At the files of all data of `session`, patterns among their names included. What is no file has nothing to see.
FileLook lookAt(const Session& session);

}  // namespace farfield::session
