#include "core/scene/opacity_presets.h"

#include <algorithm>
#include <cmath>

namespace farfield::scene {
namespace {

double peakOf(const std::vector<OpacityPoint>& usual) {
  double peak = 0;
  for (const OpacityPoint& point : usual) peak = std::max(peak, point.opacity);
  return peak > 0 ? peak : 0.1;
}

}  // namespace

std::vector<OpacityPoint> presetOpacity(std::size_t preset, std::array<double, 2> range,
                                        const std::vector<OpacityPoint>& usual) {
  const auto at = [&](double part) { return range[0] + part * (range[1] - range[0]); };
  const double peak = peakOf(usual);
  const std::string_view name = kOpacityPresets.at(preset);
  if (name == "falling") return {{range[0], peak}, {range[1], 0}};
  if (name == "solid") return {{at(0.48), 0}, {at(0.52), 0.9}};
  if (name == "ends") return {{range[0], peak}, {at(0.35), 0}, {at(0.65), 0}, {range[1], peak}};
  if (name == "shells") {
    std::vector<OpacityPoint> points{{range[0], 0}};
    const double most = std::min(1.0, 3 * peak);
    for (int n = 1; n <= 4; ++n) {
      const double middle = 0.2 * n;
      points.push_back({at(middle - 0.02), 0});
      points.push_back({at(middle), most * n / 4});
      points.push_back({at(middle + 0.02), 0});
    }
    points.push_back({range[1], 0});
    return points;
  }
  return {{range[0], 0}, {range[1], peak}};
}

std::vector<OpacityPoint> presetOpacityOfMeans(std::size_t preset, std::array<double, 2> range,
                                               const VolumeHistogram& seen) {
  std::vector<OpacityPoint> points = presetOpacity(preset, range, {{range[0], 1}});
  double count = 0, sum = 0, squares = 0;
  const double width = (seen.range[1] - seen.range[0]) / static_cast<double>(seen.counts.size());
  for (std::size_t n = 0; n < seen.counts.size(); ++n) {
    const double value = seen.range[0] + (static_cast<double>(n) + 0.5) * width;
    const auto its = static_cast<double>(seen.counts[n]);
    count += its, sum += its * value, squares += its * value * value;
  }
  if (!(count > 0)) return points;
  const double mean = sum / count, deviation = std::sqrt(std::max(0.0, squares / count - mean * mean));
  const double low = std::max(range[0], mean - deviation), high = std::min(range[1], mean + deviation);
  if (!(low < mean && mean < high)) return points;
  for (OpacityPoint& point : points) {
    const double part = 2 * (point.value - range[0]) / (range[1] - range[0]) - 1;
    point.value = mean + part * (part < 0 ? mean - low : high - mean);
  }
  return points;
}

std::vector<OpacityPoint> usualOpacityFor(VolumeMode mode, std::array<double, 2> range,
                                          std::vector<OpacityPoint> usual) {
  if (mode != VolumeMode::Maximum && mode != VolumeMode::Average) return usual;
  if (usual.size() < 2) return {{range[0], 1}};  // one value all over
  // Usual opacities that fall are of a background of great values: each ray has one. Those that rise to both ends begin above theirs.
  const auto clear = std::find_if(usual.rbegin(), usual.rend(),
                                  [](const OpacityPoint& point) { return point.opacity == 0; });
  const double start = mode == VolumeMode::Maximum && usual.back().opacity > 0 && clear != usual.rend()
                           ? std::clamp(clear->value, range[0], range[1])
                           : range[0];
  if (!(start < range[1])) return {{range[0], 1}};
  return {{start, 0}, {start + 0.25 * (range[1] - start), 0.6}, {range[1], 1}};
}

}  // namespace farfield::scene
