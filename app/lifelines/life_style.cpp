#include "app/lifelines/life_style.h"

#include <array>
#include <cmath>

namespace farfield::lifelines {
namespace {

using scene::Rgba;

/// A colour for what is done for even steps, another one for odd ones.
struct StepColor {
  std::string_view label;
  Rgba even, odd;
};
constexpr std::array<StepColor, 5> kStepColors{
    {{"loading", {0.35f, 0.25f, 0.55f, 1}, {0.69f, 0.61f, 0.86f, 1}},
     {"rendering", {0.74f, 0.19f, 0.19f, 1}, {0.95f, 0.57f, 0.52f, 1}},
     {"sending", {0.00f, 0.45f, 0.34f, 1}, {0.40f, 0.80f, 0.62f, 1}},
     {"receiving", {0.45f, 0.25f, 0.45f, 1}, {0.80f, 0.60f, 0.78f, 1}},
     {"awaiting a picture", {0.80f, 0.80f, 0.80f, 1}, {0.91f, 0.91f, 0.91f, 1}}}};

}  // namespace

std::optional<Rgba> stepColor(std::string_view label, bool odd) {
  for (const StepColor& known : kStepColors)
    if (known.label == label) return odd ? known.odd : known.even;
  return std::nullopt;
}

TimeUnit unitOf(double step) {
  return step >= 1 ? TimeUnit{1, "s"} : step >= 1e-3 ? TimeUnit{1e-3, "ms"} : TimeUnit{1e-6, "µs"};
}

double niceStep(double range, int most) {
  const double least = range / most;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

}  // namespace farfield::lifelines
