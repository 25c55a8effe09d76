#pragma once
// Another server whose data a server shares instead of folders.

#include <memory>
#include <vector>

#include "remote/protocol/messages.h"
#include "remote/server/served_set.h"

namespace farfield::remote {

/// Thread-safe. Outlives the sets that it opens.
class Upstream {
 public:
  virtual ~Upstream() = default;
  /// Waits. Throws what the other server answers.
  virtual std::shared_ptr<ServedSet> open(const OpenRequestMessage& request) = 0;
  /// All that waits ends with Cancelled, and what is asked later does at once. From any thread.
  virtual void stop() noexcept = 0;
  virtual std::vector<ListEntry> list(const std::string& path) = 0;
};

}  // namespace farfield::remote
