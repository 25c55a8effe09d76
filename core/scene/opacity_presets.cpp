#include "core/scene/opacity_presets.h"

#include <algorithm>

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

}  // namespace farfield::scene
