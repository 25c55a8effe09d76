#include "app/volume_maker.h"

#include <utility>

#include "app/levels/volume_levels.h"
#include "core/base/log.h"
#include "core/session/run/volumes/hurried_volume.h"
#include "core/session/run/volumes/sampled_volume.h"
#include "core/session/run/volumes/surveyed_volume.h"
#include "render/volume/shown_volume.h"

namespace farfield::app {
namespace {

class ShownInSession final : public session::CastVolume,
                             public session::HurriedVolume,
                             public session::SurveyedVolume,
                             public session::SampledVolume {
 public:
  ShownInSession(const session::VolumeRequest& request, volume::DeviceMaker device,
                 const std::function<void(const Error&)>& failed, volume::LevelOpener keptLevel)
      : m_volume({.data = request.data,
                  .function = request.function,
                  .step = request.step,
                  .account = request.account,
                  .processors = request.processors,
                  .scratchFolder = request.scratchFolder,
                  .alongLongest = request.data.data().resampleNodes(),
                  .makeDevice = std::move(device),
                  .deviceFailed = failed,
                  .watched = request.watched,
                  .keptLevel = std::move(keptLevel),
                  .stop = request.stop,
                  .nextStep = request.nextStep}) {}

  void hurry(std::chrono::milliseconds surveyTime) override { m_volume.hurry(surveyTime); }
  bool firstSight() override { return m_volume.firstSight(); }
  void survey(const std::function<void(std::size_t, std::size_t)>& progress,
              const std::stop_token& stop) override {
    m_volume.survey(progress, stop);
  }
  session::VolumeSamples samples() const override {
    const volume::ShownCounts shown = m_volume.counts();
    return {shown.resampleNodes, shown.timesCoarser, shown.isCrumbs};
  }
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
    counts.engine = shown.engine;
    counts.device = shown.device;
    counts.meanError = shown.meanError;
    counts.mostError = shown.mostError;
    counts.scratchBytes = shown.scratchBytes;
    return counts;
  }

 private:
  volume::ShownVolume m_volume;
};

}  // namespace

session::VolumeMaker volumeMaker(const VolumeDevices& devices,
                                 std::shared_ptr<const paging::KeptLevels> kept) {
  return [devices, kept](const session::VolumeRequest& request) -> std::shared_ptr<session::CastVolume> {
    volume::DeviceMaker maker;
    if (request.engine == session::Engine::OpenCl) {
      if (devices.any)
        maker = devices.any;
      else
        log::warning("this build has no OpenCL (FARFIELD_OPENCL=OFF); the processors cast volumes");
    } else if (request.engine == session::Engine::Auto) {
      maker = devices.accelerator;
    }
    volume::LevelOpener keptLevel;
    if (kept && request.watched)
      keptLevel = [kept, &data = request.data.data(), arrays = request.function->arrays(),
                   step = request.step](int level, MemoryAccount& account) {
        return openKeptLevel(*kept, data, arrays, step, level, account);
      };
    return std::make_shared<ShownInSession>(request, std::move(maker), devices.failed, std::move(keptLevel));
  };
}

}  // namespace farfield::app
