#include "core/extract/line_convolution.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace farfield::extract {
namespace {

constexpr double kGrain = 2;     // of the noise, in texels
constexpr double kContrast = 2;  // standard deviations from grey to black and white
constexpr double kVariance = 1.0 / 12;
/// So that planes through the origin do not lie on the border of the noise's cubes.
constexpr Vec3 kShift{0.37, 0.61, 0.53};

std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return bits ^ bits >> 31;
}

}  // namespace

LineConvolution::LineConvolution(double texel, int reach) : m_texel(texel), m_cubes(1 / (kGrain * texel)) {
  const double steps = std::max(reach, 1) + 1;
  for (int n = 0; n < steps; ++n) {
    const double angle = std::numbers::pi * n / steps;
    m_weights.push_back(0.5 + 0.5 * std::cos(angle));
    m_cosines.push_back(std::cos(2 * angle));
    m_sines.push_back(std::sin(2 * angle));
  }
}

LineConvolution::Cube LineConvolution::cubeOf(Vec3 point) const {
  Cube cube;
  for (int a = 0; a < 3; ++a) {
    // the number below, without a call
    const double at = std::clamp(point[a] * m_cubes + kShift[a], -1e15, 1e15);
    const auto number = static_cast<std::int64_t>(at);
    cube[static_cast<std::size_t>(a)] = number - (static_cast<double>(number) > at ? 1 : 0);
  }
  return cube;
}

double LineConvolution::noiseOf(const Cube& cube) {
  std::uint64_t bits = 0;
  for (const std::int64_t number : cube)
    bits = mixed((bits ^ static_cast<std::uint64_t>(number)) + 0x9e3779b97f4a7c15u);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

LineConvolution::Shade LineConvolution::at(FlowWalker& walker, FlowSheet::Place place) const {
  double sum = 0, squares = 0, light = 0;
  double cosine = 0, sine = 0, cosines = 0, sines = 0;
  Cube known{};
  double value = 0;
  const auto setValue = [&](const Cube& cube) { known = cube, value = noiseOf(cube) - 0.5; };
  const auto add = [&](std::size_t steps, double side) {
    const double weight = m_weights[steps];
    const double real = weight * m_cosines[steps], imaginary = side * weight * m_sines[steps];
    sum += weight, squares += weight * weight, light += weight * value;
    cosine += real * value, sine += imaginary * value;
    cosines += real * real, sines += imaginary * imaginary;
  };
  Vec3 here;
  if (!walker.pointAt(place, here)) return {};
  setValue(cubeOf(here));
  add(0, 1);
  for (const double side : {1.0, -1.0}) {
    walker.follow(place, side * m_texel, m_weights.size() - 1, [&](const Vec3& point, std::size_t n) {
      // a line is in a cube for some steps
      if (const Cube cube = cubeOf(point); cube != known) setValue(cube);
      add(n, side);
    });
  }
  // What the sums of independent values would deviate by. Those within a grain are alike.
  const auto scaled = [](double value, double sumOfSquares) {
    const double deviation = std::sqrt(kVariance * kGrain * sumOfSquares);
    return deviation > 0 ? std::clamp(value / (kContrast * deviation), -1.0, 1.0) : 0.0;
  };
  const double both = 0.5 * (cosines + sines);
  return {0.5 + 0.5 * scaled(light, squares), scaled(cosine, both), scaled(sine, both)};
}

}  // namespace farfield::extract
