#include "app/model/workshop/volume_leases.h"

#include <condition_variable>

#include "core/base/error.h"
#include "core/session/run/volumes/sampled_volume.h"
#include "core/session/run/volumes/surveyed_volume.h"

namespace farfield::app {

class VolumeLeases::Leased final : public session::CastVolume,
                                   public session::SurveyedVolume,
                                   public session::SampledVolume {
 public:
  explicit Leased(std::shared_ptr<session::CastVolume> volume)
      : m_volume(std::move(volume)), m_bounds(m_volume->bounds()) {}

  void end() {
    std::unique_lock lock(m_mutex);
    m_ended.request_stop();
    m_left.wait(lock, [&] { return m_users == 0; });
    if (!m_volume) return;
    m_counts = m_volume->counts();
    m_histogram = m_volume->histogram();
    m_samples = samplesOf(m_volume.get());
    const auto gone = std::move(m_volume);
    lock.unlock();
  }

  Bounds bounds() const override { return m_bounds; }

  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    const Use use(*this);
    const Stop stop(*this, cast.stop);
    scene::VolumeCast linked = cast;
    linked.stop = stop.token();
    return use.volume().cast(linked, rgba);
  }

  bool firstSight() override {
    const Use use(*this);
    auto* const surveyed = dynamic_cast<session::SurveyedVolume*>(&use.volume());
    return surveyed && surveyed->firstSight();
  }
  void survey(const std::function<void(std::size_t, std::size_t)>& progress,
              const std::stop_token& asked) override {
    const Use use(*this);
    const Stop stop(*this, asked);
    if (auto* const surveyed = dynamic_cast<session::SurveyedVolume*>(&use.volume()))
      surveyed->survey(progress, stop.token());
    else
      use.volume().valueRange();
  }

  std::shared_ptr<const scene::VolumeHistogram> histogram() const override {
    const std::lock_guard lock(m_mutex);
    return m_volume ? m_volume->histogram() : m_histogram;
  }
  std::array<double, 2> valueRange() override { return Use(*this).volume().valueRange(); }
  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range) override {
    return Use(*this).volume().usualOpacity(range);
  }
  session::VolumeSamples samples() const override {
    const std::lock_guard lock(m_mutex);
    return m_volume ? samplesOf(m_volume.get()) : m_samples;
  }
  session::VolumeCounts counts() const override {
    const std::lock_guard lock(m_mutex);
    return m_volume ? m_volume->counts() : m_counts;
  }

 private:
  static session::VolumeSamples samplesOf(const session::CastVolume* volume) {
    const auto* const sampled = dynamic_cast<const session::SampledVolume*>(volume);
    return sampled ? sampled->samples() : session::VolumeSamples{};
  }

  /// While it lives the volume does.
  class Use {
   public:
    explicit Use(const Leased& leased) : m_leased(leased) {
      const std::lock_guard lock(leased.m_mutex);
      if (!leased.m_volume || leased.m_ended.stop_requested()) throw Cancelled();
      ++leased.m_users;
    }
    ~Use() {
      const std::lock_guard lock(m_leased.m_mutex);
      if (--m_leased.m_users == 0) m_leased.m_left.notify_all();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    session::CastVolume& volume() const { return *m_leased.m_volume; }

   private:
    const Leased& m_leased;
  };

  /// When somebody asks for it, or the lease ends.
  class Stop {
   public:
    Stop(const Leased& leased, const std::stop_token& asked)
        : m_asked(asked, Requests{m_stop}), m_ended(leased.m_ended.get_token(), Requests{m_stop}) {}
    std::stop_token token() const { return m_stop.get_token(); }

   private:
    struct Requests {
      std::stop_source stop;
      void operator()() { stop.request_stop(); }
    };
    std::stop_source m_stop;
    std::stop_callback<Requests> m_asked, m_ended;
  };

  mutable std::mutex m_mutex;
  mutable std::condition_variable m_left;
  mutable int m_users = 0;
  std::shared_ptr<session::CastVolume> m_volume;  ///< null once it has ended
  const Bounds m_bounds;
  std::stop_source m_ended;
  session::VolumeSamples m_samples;
  session::VolumeCounts m_counts;
  std::shared_ptr<const scene::VolumeHistogram> m_histogram;
};

std::shared_ptr<session::CastVolume> VolumeLeases::lease(std::shared_ptr<session::CastVolume> volume) {
  auto leased = std::make_shared<Leased>(std::move(volume));
  const std::lock_guard lock(m_mutex);
  std::erase_if(m_given, [](const auto& given) { return given.expired(); });
  m_given.push_back(leased);
  return leased;
}

void VolumeLeases::end() {
  std::vector<std::weak_ptr<Leased>> given;
  {
    const std::lock_guard lock(m_mutex);
    m_hasEnded = true;
    given.swap(m_given);
  }
  for (const auto& each : given)
    if (const auto leased = each.lock()) leased->end();
}

bool VolumeLeases::hasEnded() const {
  const std::lock_guard lock(m_mutex);
  return m_hasEnded;
}

}  // namespace farfield::app
