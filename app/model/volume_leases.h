#pragma once
// Volumes read their data when they are drawn, by whoever draws them and as long as he keeps them; but data go when the
// foreman of a workshop says so. What is handed out is therefore a lease of a volume: once it is ended nothing is cast any
// more, and the volume with its memory is gone.

#include <memory>
#include <mutex>
#include <vector>

#include "core/session/run/volume_maker.h"

namespace farfield::app {

/// Of one data set, as long as its plan is the same. Thread-safe.
class VolumeLeases {
 public:
  VolumeLeases() = default;
  ~VolumeLeases() { end(); }
  VolumeLeases(const VolumeLeases&) = delete;
  VolumeLeases& operator=(const VolumeLeases&) = delete;

  /// After the end of the lease cast() throws Cancelled; what was known of the volume still is.
  std::shared_ptr<session::CastVolume> lease(std::shared_ptr<session::CastVolume> volume);
  /// Stops all casts and waits until none goes on.
  void end();

 private:
  class Leased;
  std::mutex m_mutex;
  std::vector<std::weak_ptr<Leased>> m_given;
};

}  // namespace farfield::app
