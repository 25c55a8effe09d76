#include "app/model/document/volume_looks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace farfield::app {
namespace {

using scene::VolumeMode;
using session::Object;

constexpr std::array kPixelErrors = {4.0, 2.0, 1.0, 0.5};
constexpr std::array kSamples = {1.0, 2.0, 4.0};

double opacityAt(const std::vector<scene::OpacityPoint>& points, double value) {
  if (points.empty()) return 0;
  const auto above =
      std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.value > value; });
  if (above == points.begin()) return points.front().opacity;
  if (above == points.end()) return points.back().opacity;
  const scene::OpacityPoint &low = above[-1], &high = *above;
  return low.opacity + (value - low.value) / (high.value - low.value) * (high.opacity - low.opacity);
}

}  // namespace

session::Volume* volumeIn(Object& object) {
  if (auto* const slabs = std::get_if<session::Slabs>(&object.shape)) return &slabs->shown;
  return std::get_if<session::Volume>(&object.shape);
}

const session::Volume* volumeIn(const Object& object) {
  return session::volumeOf(object);
}

Object withPlainColors(Object object) {
  session::Volume* const shape = volumeIn(object);
  if (!shape) return object;
  object.color.by = session::shownFunction(object);
  shape->by.clear();
  if (shape->map) object.color.map = *shape->map;
  if (shape->range) {
    object.color.range = shape->range;
    object.color.rangeOf = session::RangeOf::Shown;
  }
  if (shape->logarithmic) object.color.logarithmic = *shape->logarithmic;
  shape->map.reset();
  shape->range.reset();
  shape->logarithmic.reset();
  return object;
}

int qualityOf(const session::Volume& volume) {
  if (!volume.saysQuality) return kUsualQuality;
  // The nearest by factors.
  int nearest = 0;
  double least = HUGE_VAL;
  for (int quality = 0; quality < kQualitySteps; ++quality) {
    session::Volume its;
    setQuality(its, quality);
    // What is usual goes unsaid, and is no number of samples.
    if (!its.saysQuality) its.look.pixelError = kPixelErrors[kUsualQuality];
    const auto& [wanted, has] = std::pair(its.look, volume.look);
    if (wanted.pixelError.has_value() != has.pixelError.has_value()) continue;
    const double factor = wanted.pixelError ? *wanted.pixelError / *has.pixelError
                                            : wanted.samplesPerVoxel / has.samplesPerVoxel;
    if (std::abs(std::log(factor)) < least) least = std::abs(std::log(factor)), nearest = quality;
  }
  return nearest;
}

void setQuality(session::Volume& volume, int quality) {
  volume.look.pixelError.reset();
  volume.look.samplesPerVoxel = scene::VolumeLook{}.samplesPerVoxel;
  volume.saysQuality = quality != kUsualQuality;
  if (quality == kUsualQuality) return;
  const auto number = static_cast<std::size_t>(std::clamp(quality, 0, kQualitySteps - 1));
  if (number < kPixelErrors.size())
    volume.look.pixelError = kPixelErrors[number];
  else
    volume.look.samplesPerVoxel = kSamples[number - kPixelErrors.size()];
}

bool mayShowGrain(const scene::VolumeLook& look, const std::array<double, 2>& range) {
  constexpr double kSamples = 2, kMuch = 0.25, kSmallPart = 0.1, kLowPeak = 0.03;
  if (look.mode != VolumeMode::Composite || (!look.pixelError && look.samplesPerVoxel >= kSamples))
    return false;
  const double small = kSmallPart * (range[1] - range[0]);
  // A narrow peak is met by one of several samples, however low it is.
  for (std::size_t b = 1; b + 1 < look.opacity.size(); ++b) {
    const auto &before = look.opacity[b - 1], &peak = look.opacity[b], &after = look.opacity[b + 1];
    if (after.value - before.value <= small &&
        peak.opacity - std::max(before.opacity, after.opacity) >= kLowPeak)
      return true;
  }
  for (std::size_t a = 0; a < look.opacity.size(); ++a)
    for (std::size_t b = a + 1; b < look.opacity.size(); ++b) {
      const double way = look.opacity[b].value - look.opacity[a].value;
      // further apart a part of it counts, where it is straight
      if (way > small && b > a + 1) break;
      const double change = std::abs(look.opacity[b].opacity - look.opacity[a].opacity);
      if (change * (way > small ? small / way : 1) >= kMuch) return true;
    }
  return false;
}

bool isAllOpaque(const scene::VolumeLook& look, const scene::VolumeHistogram& values) {
  constexpr double kOpaque = 0.9, kNearlyAll = 0.95;
  if (look.mode == VolumeMode::Isosurface) return false;
  const double width = (values.range[1] - values.range[0]) / static_cast<double>(values.counts.size());
  double all = 0, opaque = 0;
  for (std::size_t n = 0; n < values.counts.size(); ++n) {
    const auto its = static_cast<double>(values.counts[n]);
    all += its;
    if (opacityAt(look.opacity, values.range[0] + (static_cast<double>(n) + 0.5) * width) >= kOpaque)
      opaque += its;
  }
  return all > 0 && opaque >= kNearlyAll * all;
}

}  // namespace farfield::app
