#include "app/model/transfer_presets.h"

#include <QCoreApplication>
#include <algorithm>

namespace farfield::app {
namespace {

using scene::OpacityPoint;
using Points = std::vector<OpacityPoint>;
using Range = std::array<double, 2>;

QString tr(const char* text) {
  return QCoreApplication::translate("TransferPresets", text);
}

double at(const Range& range, double part) {
  return range[0] + part * (range[1] - range[0]);
}

/// The opacity of what is to be seen into, as the usual one has it at most.
double peakOf(const Points& usual) {
  double peak = 0;
  for (const OpacityPoint& point : usual) peak = std::max(peak, point.opacity);
  return peak > 0 ? peak : 0.1;
}

}  // namespace

std::vector<TransferPreset> transferPresets() {
  return {
      {"ramp", tr("Ramp"), tr("The greater, the less transparent"),
       [](Range range, const Points& usual) {
         return Points{{range[0], 0}, {range[1], peakOf(usual)}};
       }},
      {"falling", tr("Falling ramp"), tr("The smaller, the less transparent"),
       [](Range range, const Points& usual) {
         return Points{{range[0], peakOf(usual)}, {range[1], 0}};
       }},
      {"solid", tr("Solid above the middle"), tr("Opaque from the middle of the values on"),
       [](Range range, const Points&) {
         return Points{{at(range, 0.48), 0}, {at(range, 0.52), 0.9}};
       }},
      {"ends", tr("Both ends"), tr("The smallest and the greatest values, as of what goes both ways from 0"),
       [](Range range, const Points& usual) {
         const double peak = peakOf(usual);
         return Points{{range[0], peak}, {at(range, 0.35), 0}, {at(range, 0.65), 0}, {range[1], peak}};
       }},
      {"shells", tr("Shells"), tr("Thin layers of four values, one in the other"),
       [](Range range, const Points& usual) {
         Points points{{range[0], 0}};
         const double peak = std::min(1.0, 3 * peakOf(usual));
         for (int n = 1; n <= 4; ++n) {
           const double middle = 0.2 * n;
           points.push_back({at(range, middle - 0.02), 0});
           points.push_back({at(range, middle), peak * n / 4});
           points.push_back({at(range, middle + 0.02), 0});
         }
         points.push_back({range[1], 0});
         return points;
       }},
  };
}

}  // namespace farfield::app
