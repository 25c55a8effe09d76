#pragma once
// A volume with little time ("budget" of the document): each picture begins with few rays through coarse samples and is cast again
// with ever more of them until the time is up. The last one that was whole is shown, so the volume is coarse everywhere before
// it is fine anywhere, and there are no holes.

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/session/run/volumes/volume_maker.h"

namespace farfield::session {

/// Thread-safe; casts run one at a time. The account outlives it.
class TimedVolume final : public CastVolume {
 public:
  using Clock = std::chrono::steady_clock;
  /// Of `volume`, which was told of it (HurriedVolume), each picture has `time`, of the first one
  /// what has gone since `began` and what the values take. `stop` ends all.
  TimedVolume(std::shared_ptr<CastVolume> volume, MemoryAccount& account, std::chrono::milliseconds time,
              Clock::time_point began, std::stop_token stop)
      : m_volume(std::move(volume)),
        m_account(account),
        m_time(time),
        m_stop(std::move(stop)),
        m_spent(Clock::now() - began) {}

  Bounds bounds() const override { return m_volume->bounds(); }
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override;
  std::shared_ptr<const scene::VolumeHistogram> histogram() const override { return m_volume->histogram(); }
  std::array<double, 2> valueRange() override;
  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range) override;
  /// How often pictures were to be cast, ever finer, and how often that did not end.
  struct Passes {
    std::uint64_t wanted = 0, missing = 0;
  };
  Passes passes() const;
  /// With the time of all casts, also of those that were cut short.
  VolumeCounts counts() const override;

 private:
  struct Sketch;
  void beginPicture(const scene::Camera& camera) const;
  std::optional<MemoryClaim> roomForSketches(const scene::VolumeCast& cast) const;
  bool sketch(const scene::VolumeCast& cast, std::size_t pass, const std::stop_token& stop,
              Sketch& out) const;

  const std::shared_ptr<CastVolume> m_volume;
  MemoryAccount& m_account;
  const std::chrono::milliseconds m_time;
  const std::stop_token m_stop;
  mutable std::mutex m_mutex;
  // Of the picture that is being made.
  mutable Clock::duration m_spent;
  mutable std::optional<scene::Camera> m_camera;
  // Of all casts.
  mutable Clock::duration m_casting{0};
  mutable std::uint64_t m_missing = 0, m_wanted = 0;
};

}  // namespace farfield::session
