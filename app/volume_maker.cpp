#include "app/volume_maker.h"

#include "render/volume/shown_volume.h"

namespace farfield::app {
namespace {

class OnProcessors final : public session::CastVolume {
 public:
  explicit OnProcessors(const session::VolumeRequest& request)
      : m_volume({.data = request.data,
                  .function = request.function,
                  .step = request.step,
                  .account = request.account,
                  .processors = request.processors,
                  .scratchFolder = request.scratchFolder,
                  .watched = request.watched}) {}

  Bounds bounds() const override { return m_volume.bounds(); }
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    return m_volume.cast(cast, rgba);
  }
  std::shared_ptr<const scene::VolumeHistogram> histogram() const override { return m_volume.histogram(); }
  std::array<double, 2> valueRange() override { return m_volume.valueRange(); }
  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range) override {
    return m_volume.usualOpacity(range);
  }
  session::VolumeCounts counts() const override {
    const volume::ShownCounts shown = m_volume.counts();
    session::VolumeCounts counts;
    counts.level = shown.level;
    counts.bricks = shown.casts.bricks;
    counts.bricksRead = shown.casts.bricksRead;
    counts.samples = shown.casts.samples;
    counts.converged = shown.converged;
    counts.seconds = shown.seconds;
    counts.device = volume::marchTarget();
    counts.meanError = shown.meanError;
    counts.mostError = shown.mostError;
    counts.scratchBytes = shown.scratchBytes;
    return counts;
  }

 private:
  volume::ShownVolume m_volume;
};

}  // namespace

std::shared_ptr<session::CastVolume> makeVolume(const session::VolumeRequest& request) {
  return std::make_shared<OnProcessors>(request);
}

}  // namespace farfield::app
