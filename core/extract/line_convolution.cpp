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

LineConvolution::LineConvolution(double texel, int reach, Vec3 stretch)
    : m_texel(texel), m_cubes(1 / (kGrain * texel)), m_stretch(stretch) {
  const double steps = std::max(reach, 1) + 1;
  for (int n = 0; n < steps; ++n) {
    const double angle = std::numbers::pi * n / steps;
    m_weights.push_back(0.5 + 0.5 * std::cos(angle));
    m_cosines.push_back(std::cos(2 * angle));
    m_sines.push_back(std::sin(2 * angle));
  }
}

double LineConvolution::noise(Vec3 point) const {
  std::uint64_t bits = 0;
  for (int a = 0; a < 3; ++a) {
    const double at = std::clamp(point[a] * m_cubes + kShift[a], -1e15, 1e15);
    // the number below, without a call
    const auto number = static_cast<std::int64_t>(at);
    const std::int64_t cube = number - (static_cast<double>(number) > at ? 1 : 0);
    bits = mixed((bits ^ static_cast<std::uint64_t>(cube)) + 0x9e3779b97f4a7c15u);
  }
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// What is added up for one place.
struct LineConvolution::Sums {
  double squares = 0, light = 0;
  double cosine = 0, sine = 0, cosines = 0, sines = 0;

  Shade shade() const {
    // What the sums of independent values would deviate by. Those within a grain are alike.
    const auto scaled = [](double value, double sumOfSquares) {
      const double deviation = std::sqrt(kVariance * kGrain * sumOfSquares);
      return deviation > 0 ? std::clamp(value / (kContrast * deviation), -1.0, 1.0) : 0.0;
    };
    const double both = 0.5 * (cosines + sines);
    return {0.5 + 0.5 * scaled(light, squares), scaled(cosine, both), scaled(sine, both)};
  }
};

void LineConvolution::add(Vec3 point, std::size_t steps, double side, Sums& sums) const {
  const double value = noise(point) - 0.5, weight = m_weights[steps];
  const double real = weight * m_cosines[steps], imaginary = side * weight * m_sines[steps];
  sums.squares += weight * weight, sums.light += weight * value;
  sums.cosine += real * value, sums.sine += imaginary * value;
  sums.cosines += real * real, sums.sines += imaginary * imaginary;
}

template <std::size_t Places>
void LineConvolution::shadeSome(const FlowWalker& walker, const FlowSheet::Place* places,
                                Shade* shades) const {
  // to either side of each place
  std::array<FlowWalker::Line, 2 * Places> lines;
  std::array<double, 2 * Places> lengths{};
  std::array<bool, 2 * Places> going{};
  std::array<Sums, Places> sums;
  for (std::size_t p = 0; p < Places; ++p) {
    lengths[2 * p] = m_texel, lengths[2 * p + 1] = -m_texel;
    if (!walker.start(places[p], lines[2 * p])) continue;
    add(lines[2 * p].point(), 0, 1, sums[p]);
    lines[2 * p + 1] = lines[2 * p];
    going[2 * p] = going[2 * p + 1] = true;
  }
  const auto isGoing = [](bool line) { return line; };
  for (std::size_t n = 1; n < m_weights.size() && std::any_of(going.begin(), going.end(), isGoing); ++n) {
    walker.goOn(lines, lengths, going);
    for (std::size_t line = 0; line < lines.size(); ++line)
      if (going[line]) add(lines[line].point(), n, line % 2 == 0 ? 1 : -1, sums[line / 2]);
  }
  for (std::size_t p = 0; p < Places; ++p) shades[p] = sums[p].shade();
}

void LineConvolution::shade(const FlowWalker& walker, std::span<const FlowSheet::Place> places,
                            std::span<Shade> shades) const {
  constexpr std::size_t kTogether = 2;
  std::size_t n = 0;
  for (; n + kTogether <= places.size(); n += kTogether)
    shadeSome<kTogether>(walker, places.data() + n, shades.data() + n);
  for (; n < places.size(); ++n) shadeSome<1>(walker, places.data() + n, shades.data() + n);
}

LineConvolution::Shade LineConvolution::along(Vec3 point,
                                              const std::function<std::optional<Vec3>(int)>& next) const {
  Sums sums;
  add(point, 0, 1, sums);
  std::array<bool, 2> going{true, true};
  for (std::size_t n = 1; n < m_weights.size() && (going[0] || going[1]); ++n)
    for (const std::size_t line : {0, 1}) {
      if (!going[line]) continue;
      const auto there = next(line == 0 ? 1 : -1);
      going[line] = there.has_value();
      if (there) add(*there, n, line == 0 ? 1 : -1, sums);
    }
  return sums.shade();
}

LineConvolution::Shade LineConvolution::at(const FlowWalker& walker, FlowSheet::Place place) const {
  Shade shade;
  shadeSome<1>(walker, &place, &shade);
  return shade;
}

}  // namespace farfield::extract
