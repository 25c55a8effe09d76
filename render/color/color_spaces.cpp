#include "render/color/color_spaces.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace farfield::color {
namespace {

// The white point D65, for the matrices below.
constexpr Triple kWhite{0.950456, 1.0, 1.088754};

double toLinear(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}
double fromLinear(double v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

double labCurve(double v) {
  return v > 0.008856 ? std::cbrt(v) : 7.787 * v + 16.0 / 116;
}
double labCurveInverse(double v) {
  return v > 0.206893 ? v * v * v : (v - 16.0 / 116) / 7.787;
}

}  // namespace

Triple labOf(Rgb8 color) {
  Triple rgb;
  for (int c = 0; c < 3; ++c) rgb[c] = toLinear(color[c] / 255.0);
  const double x = 0.412453 * rgb[0] + 0.357580 * rgb[1] + 0.180423 * rgb[2];
  const double y = 0.212671 * rgb[0] + 0.715160 * rgb[1] + 0.072169 * rgb[2];
  const double z = 0.019334 * rgb[0] + 0.119193 * rgb[1] + 0.950227 * rgb[2];
  const double fx = labCurve(x / kWhite[0]), fy = labCurve(y / kWhite[1]), fz = labCurve(z / kWhite[2]);
  return {116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

Rgb8 rgbOf(const Triple& lab) {
  const double fy = (lab[0] + 16) / 116;
  const double x = kWhite[0] * labCurveInverse(fy + lab[1] / 500);
  const double y = kWhite[1] * labCurveInverse(fy);
  const double z = kWhite[2] * labCurveInverse(fy - lab[2] / 200);
  const Triple rgb{3.240479 * x - 1.537150 * y - 0.498535 * z, -0.969256 * x + 1.875992 * y + 0.041556 * z,
                   0.055648 * x - 0.204043 * y + 1.057311 * z};
  Rgb8 color;
  for (int c = 0; c < 3; ++c)
    color[c] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(fromLinear(rgb[c]), 0.0, 1.0)));
  return color;
}

Triple mshOf(const Triple& lab) {
  const double m = std::sqrt(lab[0] * lab[0] + lab[1] * lab[1] + lab[2] * lab[2]);
  if (!(m > 1e-9)) return {};
  return {m, std::acos(std::clamp(lab[0] / m, -1.0, 1.0)), std::atan2(lab[2], lab[1])};
}
Triple labOfMsh(const Triple& msh) {
  return {msh[0] * std::cos(msh[1]), msh[0] * std::sin(msh[1]) * std::cos(msh[2]),
          msh[0] * std::sin(msh[1]) * std::sin(msh[2])};
}

double unsaturatedHue(const Triple& saturated, double magnitude) {
  const auto [m, s, h] = saturated;
  if (m >= magnitude || !(m * std::sin(s) > 0)) return h;
  const double spin = s * std::sqrt(magnitude * magnitude - m * m) / (m * std::sin(s));
  return h > -std::numbers::pi / 3 ? h + spin : h - spin;
}

}  // namespace farfield::color
