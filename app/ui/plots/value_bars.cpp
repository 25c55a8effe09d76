#include "app/ui/plots/value_bars.h"

#include <cmath>

namespace farfield::ui {
namespace {
constexpr std::size_t kBars = 60;
}  // namespace

QString shortNumber(double value) {
  return QString::number(value, 'g', 6);
}

void setBars(Curve& curve, const app::ValueHistogram& found, double least, double greatest) {
  if (!(least < greatest)) {
    const double more = least == 0 ? 1 : 0.1 * std::abs(least);
    least -= more, greatest += more;
  }
  curve.bars = true;
  curve.ends = {least, greatest};
  curve.values = found.bars(kBars, least, greatest);
}

}  // namespace farfield::ui
