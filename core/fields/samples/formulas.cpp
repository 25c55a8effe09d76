#include "core/fields/samples/formulas.h"

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace farfield::samples {
namespace {

constexpr double kPi = std::numbers::pi;

// The tornado's axis at height z is at kBend z (cos w, sin w), w = kTwist z - (1 - cos t).
constexpr double kBend = 0.15, kTwist = 3;

struct Mode {
  Vec3 wave, amplitude;
  double phase, frequency;
};
constexpr int kModes = 40;
constexpr int kLargestWave = 12;

std::array<Mode, kModes> makeModes() {
  std::array<Mode, kModes> modes;
  // a generator that the standard defines exactly; it does not define the distributions so
  std::minstd_rand generator(20011);
  const auto number = [&generator] {
    return static_cast<double>(generator()) / static_cast<double>(std::minstd_rand::max());
  };
  for (int m = 0; m < kModes; ++m) {
    // shells of growing wave number, so that a mode's share of the spectrum is known
    const double shell = std::pow(static_cast<double>(kLargestWave), (m + 0.5) / kModes);
    Vec3 wave;
    do {
      const double z = 2 * number() - 1, angle = 2 * kPi * number();
      const double flat = std::sqrt(1 - z * z);
      wave = {std::round(shell * flat * std::cos(angle)), std::round(shell * flat * std::sin(angle)),
              std::round(shell * z)};
    } while (length(wave) == 0);
    Vec3 across;
    do {
      across = cross(wave, Vec3{number() - 0.5, number() - 0.5, number() - 0.5});
    } while (length(across) < 0.1);
    // Energy per logarithmic shell falls as k^(-2/3), speed as k^(-1/3).
    const double k = length(wave), speed = 0.35 * std::pow(k, -1.0 / 3);
    modes[static_cast<std::size_t>(m)] = {wave, (speed / length(across)) * across, 2 * kPi * number(),
                                          std::pow(k, 2.0 / 3) * (number() - 0.5)};
  }
  return modes;
}

const std::array<Mode, kModes>& modes() {
  static const std::array<Mode, kModes> made = makeModes();
  return made;
}

}  // namespace

Vec3 Tornado::axis(double z, double t) {
  const double w = kTwist * z - (1 - std::cos(t));
  return {kBend * z * std::cos(w), kBend * z * std::sin(w), z};
}

double Tornado::radius(Vec3 p, double t) {
  return length(p - axis(p.z, t));
}

Vec3 Tornado::velocity(Vec3 p, double t) {
  const double w = kTwist * p.z - (1 - std::cos(t)), c = std::cos(w), s = std::sin(w);
  const double x = p.x - kBend * p.z * c, y = p.y - kBend * p.z * s;
  const double swirl = kCirculation / (kCore * kCore + x * x + y * y);
  const double rise = 2 * kInflow * p.z;
  // The axis's motion: its slope times the rise, and its change in time. Shearing along the axis keeps
  // volumes, so the flow stays free of divergence.
  const Vec3 slope{kBend * (c - kTwist * p.z * s), kBend * (s + kTwist * p.z * c), 0};
  const double turn = kBend * p.z * std::sin(t);
  const Vec3 motion{turn * s, -turn * c, 0};
  return Vec3{-kInflow * x - swirl * y, -kInflow * y + swirl * x, rise} + rise * slope + motion;
}

double Tornado::pressure(Vec3 p, double t) {
  const double r = radius(p, t), rise = 2 * kInflow * p.z;
  return kAmbientPressure - 0.5 * (kInflow * kInflow * r * r + rise * rise) -
         0.5 * kCirculation * kCirculation / (kCore * kCore + r * r);
}

Vec3 Abc::velocity(Vec3 p, double t) {
  const double a = std::numbers::sqrt3, b = std::numbers::sqrt2, c = 1;
  const double x = p.x + t, y = p.y + t, z = p.z + t;
  return {a * std::sin(z) + c * std::cos(y), b * std::sin(x) + a * std::cos(z),
          c * std::sin(y) + b * std::cos(x)};
}

double Abc::pressure(Vec3 p, double t) {
  const Vec3 v = velocity(p, t);
  return kAmbientPressure - 0.5 * dot(v, v);
}

Vec3 TaylorGreen::velocity(Vec3 p, double t) {
  const double decay = std::exp(-2 * kViscosity * t);
  return {decay * std::sin(p.x) * std::cos(p.y), -decay * std::cos(p.x) * std::sin(p.y), 0};
}

double TaylorGreen::pressure(Vec3 p, double t) {
  return kAmbientPressure + 0.25 * std::exp(-4 * kViscosity * t) * (std::cos(2 * p.x) + std::cos(2 * p.y));
}

double TaylorGreen::stream(Vec3 p, double t) {
  return std::exp(-2 * kViscosity * t) * std::sin(p.x) * std::sin(p.y);
}

double Cylinder::circulation(double t) {
  return kCirculation * std::sin(2 * kPi * t / kPeriod);
}

Vec3 Cylinder::velocity(Vec3 p, double t) {
  const double r2 = p.x * p.x + p.y * p.y, r4 = r2 * r2;
  const double swirl = circulation(t) / (2 * kPi * r2);
  return {1 - (p.x * p.x - p.y * p.y) / r4 - swirl * p.y, -2 * p.x * p.y / r4 + swirl * p.x, 0};
}

double Cylinder::pressure(Vec3 p, double t) {
  const Vec3 v = velocity(p, t);
  return kAmbientPressure + 0.5 * (1 - dot(v, v));
}

double Cylinder::stream(Vec3 p, double t) {
  const double r2 = p.x * p.x + p.y * p.y;
  return p.y * (1 - 1 / r2) - circulation(t) / (4 * kPi) * std::log(r2);
}

Turbulence::Turbulence(double t) {
  for (const Mode& mode : modes()) {
    const double phase = mode.phase + mode.frequency * t;
    const auto entry = [](double wave) { return static_cast<int>(wave) + kLargestWave; };
    m_modes.push_back({{entry(mode.wave.x), entry(mode.wave.y), entry(mode.wave.z)},
                       mode.amplitude,
                       std::cos(phase),
                       std::sin(phase)});
  }
}

Vec3 Turbulence::operator()(Vec3 p) const {
  // cos and sin of whole multiples of the coordinates, by rotation; the modes share them
  double cosine[3][2 * kLargestWave + 1], sine[3][2 * kLargestWave + 1];
  for (int a = 0; a < 3; ++a) {
    const double c = std::cos(p[a]), s = std::sin(p[a]);
    cosine[a][kLargestWave] = 1;
    sine[a][kLargestWave] = 0;
    for (int k = 1; k <= kLargestWave; ++k) {
      const double c0 = cosine[a][kLargestWave + k - 1], s0 = sine[a][kLargestWave + k - 1];
      cosine[a][kLargestWave + k] = cosine[a][kLargestWave - k] = c * c0 - s * s0;
      sine[a][kLargestWave + k] = s * c0 + c * s0;
      sine[a][kLargestWave - k] = -sine[a][kLargestWave + k];
    }
  }
  Vec3 sum;
  for (const ModeNow& mode : m_modes) {
    double c = mode.cosine, s = mode.sine;
    for (int a = 0; a < 3; ++a) {
      const double ca = cosine[a][mode.entry[a]], sa = sine[a][mode.entry[a]], next = c * ca - s * sa;
      s = s * ca + c * sa;
      c = next;
    }
    sum = sum + c * mode.amplitude;
  }
  return sum;
}

double marschnerLobb(Vec3 p) {
  constexpr double kFrequency = 6, kAlpha = 0.25;
  const double r = std::sqrt(p.x * p.x + p.y * p.y);
  const double ripple = std::cos(2 * kPi * kFrequency * std::cos(kPi * r / 2));
  return (1 - std::sin(kPi * p.z / 2) + kAlpha * (1 + ripple)) / (2 * (1 + kAlpha));
}

}  // namespace farfield::samples
