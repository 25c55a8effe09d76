#pragma once
// Volumes read their data when they are drawn, by anyone who holds them; but the foreman of a workshop may
// close the data at any time. So users get a lease of a volume. When the lease has ended nothing is cast any
// more, and the volume and its memory are released.

#include <memory>
#include <mutex>
#include <vector>

#include "core/session/run/volumes/volume_maker.h"

namespace farfield::app {

/// For one data set, as long as its plan is the same. Thread-safe.
class VolumeLeases {
 public:
  VolumeLeases() = default;
  ~VolumeLeases() { end(); }
  VolumeLeases(const VolumeLeases&) = delete;
  VolumeLeases& operator=(const VolumeLeases&) = delete;

  /// After the end of the lease cast() throws Cancelled; facts known by then stay available.
  std::shared_ptr<session::CastVolume> lease(std::shared_ptr<session::CastVolume> volume);
  /// Stops all casts and waits for them.
  void end();
  /// What was given casts no more.
  bool hasEnded() const;

 private:
  class Leased;
  mutable std::mutex m_mutex;
  bool m_hasEnded = false;
  std::vector<std::weak_ptr<Leased>> m_given;
};

}  // namespace farfield::app
