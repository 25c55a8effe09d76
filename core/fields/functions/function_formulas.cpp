#include "core/fields/functions/function_formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

namespace farfield::fields {
namespace {

using std::log;
using std::pow;
using std::sqrt;

// Formulas without derivatives are written once, for nodes and for ranges: `n` is a NodeState or a
// RangeState.

void put(const auto& v, auto* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

auto soundSpeed(const auto& n) {
  return sqrt(n.gamma * n.pressure / n.density);
}

auto mach(const auto& n) {
  return sqrt(squaredLength(n.velocity)) / soundSpeed(n);
}

auto temperature(const auto& n) {
  return n.pressure / (n.density * n.gasConstant);
}

auto internalEnergy(const auto& n) {
  return n.pressure / ((n.gamma - 1) * n.density);
}

/// 1 + (gamma - 1) / 2 M^2: stagnation over static temperature.
auto stagnationRatio(const auto& n) {
  const auto m = mach(n);
  return 1 + 0.5 * (n.gamma - 1) * m * m;
}

Vec3 vorticity(const NodeState& n) {
  const auto& [u, v, w] = n.gradients->velocity;
  return {w.y - v.z, u.z - w.x, v.x - u.y};
}

/// S_ij = (d_i V_j + d_j V_i) / 2, as xx yy zz xy yz zx.
std::array<double, 6> strainRate(const NodeState& n) {
  const auto& [u, v, w] = n.gradients->velocity;
  return {u.x, v.y, w.z, 0.5 * (u.y + v.x), 0.5 * (v.z + w.y), 0.5 * (w.x + u.z)};
}

double normOfStrainRate(const NodeState& n) {
  const auto [xx, yy, zz, xy, yz, zx] = strainRate(n);
  return xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + zx * zx);
}

/// The middle eigenvalue of S^2 + W^2, W_ij = (d_j V_i - d_i V_j) / 2 (Jeong and Hussain, J. Fluid Mech. 285,
/// 1995). Eigenvalues of a symmetric matrix by the cosine of the third of an angle (Smith, CACM 4, 1961).
double lambda2(const NodeState& n) {
  // S^2 + W^2 is the symmetric part of G G, G_ij = d_j V_i
  const auto& g = n.gradients->velocity;
  double a[3][3] = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        const double product = g[static_cast<std::size_t>(i)][k] * g[static_cast<std::size_t>(k)][j];
        a[i][j] += 0.5 * product;
        a[j][i] += 0.5 * product;
      }
  const double mean = (a[0][0] + a[1][1] + a[2][2]) / 3;
  const double outside = a[0][1] * a[0][1] + a[1][2] * a[1][2] + a[0][2] * a[0][2];
  double spread = 2 * outside;
  for (int i = 0; i < 3; ++i) spread += (a[i][i] - mean) * (a[i][i] - mean);
  if (!std::isfinite(spread)) return std::numeric_limits<double>::quiet_NaN();
  const double p = std::sqrt(spread / 6);
  if (p == 0) return mean;
  double b[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b[i][j] = (a[i][j] - (i == j ? mean : 0)) / p;
  const double determinant = b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[2][1]) -
                             b[0][1] * (b[1][0] * b[2][2] - b[1][2] * b[2][0]) +
                             b[0][2] * (b[1][0] * b[2][1] - b[1][1] * b[2][0]);
  const double angle = std::acos(std::clamp(determinant / 2, -1.0, 1.0)) / 3;
  const double largest = mean + 2 * p * std::cos(angle);
  const double smallest = mean + 2 * p * std::cos(angle + 2 * std::numbers::pi / 3);
  return 3 * mean - largest - smallest;
}

/// The stress that a Newtonian fluid exerts on a wall, without its part along the normal n that points into the fluid:
/// mu (grad V + grad V^T) n, less its part along n. (White, Viscous Fluid Flow, 3rd edition, 2006, equation 2-19; pressure and
/// bulk viscosity act along the normal alone.)
Vec3 wallShear(const NodeState& n) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (!n.wall) return {kNan, kNan, kNan};
  const auto& gradient = n.wall->velocityGradient;
  Vec3 stress;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      stress[i] += (gradient[static_cast<std::size_t>(i)][j] + gradient[static_cast<std::size_t>(j)][i]) *
                   n.wall->normal[j];
  return n.viscosity * (stress - dot(stress, n.wall->normal) * n.wall->normal);
}

constexpr std::uint16_t kNeedsShear = kNeedsWall | kNeedsViscosity | kNeedsVelocityGradient;
constexpr std::uint16_t kNeedsGas = kNeedsDensity | kNeedsPressure;
constexpr std::uint16_t kNeedsFlow = kNeedsGas | kNeedsVelocity;
constexpr std::uint16_t kNeedsVorticity = kNeedsVelocity | kNeedsVelocityGradient;

/// A formula for nodes, and for ranges if its function accepts them.
template <class Function>
constexpr Formula formula(const char* name, int number, int components, std::uint16_t needs, const char* text,
                          Function function) {
  Formula made{name, number, components, needs, text, function, nullptr};
  if constexpr (std::is_convertible_v<Function, void (*)(const RangeState&, Interval*)>)
    made.bound = function;
  return made;
}

constexpr Formula kFormulas[] = {
    formula("stagnation-density", 102, 1, kNeedsFlow,
            "rho0 = rho (1 + (gamma - 1) / 2 M^2)^(1 / (gamma - 1))",
            [](const auto& n, auto* out) { *out = n.density * pow(stagnationRatio(n), 1 / (n.gamma - 1)); }),
    formula("pressure", 110, 1, kNeedsPressure, "p = (gamma - 1) (rho e0 - rho V^2 / 2)",
            [](const auto& n, auto* out) { *out = n.pressure; }),
    formula("stagnation-pressure", 112, 1, kNeedsFlow,
            "p0 = p (1 + (gamma - 1) / 2 M^2)^(gamma / (gamma - 1))",
            [](const auto& n, auto* out) {
              *out = n.pressure * pow(stagnationRatio(n), n.gamma / (n.gamma - 1));
            }),
    formula("pressure-coefficient", 114, 1, kNeedsPressure | kNeedsFreeStream,
            "Cp = (p - 1 / gamma) / (M_inf^2 / 2)",
            [](const auto& n, auto* out) { *out = (n.pressure - 1 / n.gamma) / (0.5 * n.mach * n.mach); }),
    formula("dynamic-pressure", 118, 1, kNeedsDensity | kNeedsVelocity, "q = rho V^2 / 2",
            [](const auto& n, auto* out) { *out = 0.5 * n.density * squaredLength(n.velocity); }),
    formula("temperature", 120, 1, kNeedsGas, "T = p / (rho R)",
            [](const auto& n, auto* out) { *out = temperature(n); }),
    formula("stagnation-temperature", 122, 1, kNeedsFlow, "T0 = T (1 + (gamma - 1) / 2 M^2)",
            [](const auto& n, auto* out) { *out = temperature(n) * stagnationRatio(n); }),
    formula("enthalpy", 130, 1, kNeedsGas, "h = gamma e_i",
            [](const auto& n, auto* out) { *out = n.gamma * internalEnergy(n); }),
    formula("stagnation-enthalpy", 132, 1, kNeedsFlow, "h0 = h + V^2 / 2",
            [](const auto& n, auto* out) {
              *out = n.gamma * internalEnergy(n) + 0.5 * squaredLength(n.velocity);
            }),
    formula("internal-energy", 140, 1, kNeedsGas, "e_i = p / ((gamma - 1) rho)",
            [](const auto& n, auto* out) { *out = internalEnergy(n); }),
    formula("kinetic-energy", 144, 1, kNeedsVelocity, "V^2 / 2",
            [](const auto& n, auto* out) { *out = 0.5 * squaredLength(n.velocity); }),
    formula("velocity-x", 150, 1, kNeedsVelocity, "u = rho u / rho",
            [](const auto& n, auto* out) { *out = n.velocity.x; }),
    formula("velocity-y", 151, 1, kNeedsVelocity, "v = rho v / rho",
            [](const auto& n, auto* out) { *out = n.velocity.y; }),
    formula("velocity-z", 152, 1, kNeedsVelocity, "w = rho w / rho",
            [](const auto& n, auto* out) { *out = n.velocity.z; }),
    formula("velocity-magnitude", 153, 1, kNeedsVelocity, "|V|",
            [](const auto& n, auto* out) { *out = sqrt(squaredLength(n.velocity)); }),
    formula("mach", 154, 1, kNeedsFlow, "M = |V| / c", [](const auto& n, auto* out) { *out = mach(n); }),
    formula("sound-speed", 155, 1, kNeedsGas, "c = sqrt(gamma p / rho)",
            [](const auto& n, auto* out) { *out = soundSpeed(n); }),
    formula("entropy", 170, 1, kNeedsGas, "s = R / (gamma - 1) ln(gamma p / rho^gamma)",
            [](const auto& n, auto* out) {
              const auto gamma = n.gamma;
              *out = n.gasConstant / (gamma - 1) * log(gamma * n.pressure / pow(n.density, gamma));
            }),
    formula("vorticity-x", 180, 1, kNeedsVorticity, "omega_x = dw/dy - dv/dz",
            [](const NodeState& n, double* out) { *out = vorticity(n).x; }),
    formula("vorticity-y", 181, 1, kNeedsVorticity, "omega_y = du/dz - dw/dx",
            [](const NodeState& n, double* out) { *out = vorticity(n).y; }),
    formula("vorticity-z", 182, 1, kNeedsVorticity, "omega_z = dv/dx - du/dy",
            [](const NodeState& n, double* out) { *out = vorticity(n).z; }),
    formula("vorticity-magnitude", 183, 1, kNeedsVorticity, "|omega|",
            [](const NodeState& n, double* out) { *out = length(vorticity(n)); }),
    formula("swirl", 184, 1, kNeedsVorticity | kNeedsDensity, "omega . V / (rho V^2)",
            [](const NodeState& n, double* out) {
              *out = dot(vorticity(n), n.velocity) / (n.density * squaredLength(n.velocity));
            }),
    formula("vorticity-cross-velocity", 185, 1, kNeedsVorticity, "|omega x V|",
            [](const NodeState& n, double* out) { *out = length(cross(vorticity(n), n.velocity)); }),
    formula("helicity", 186, 1, kNeedsVorticity, "omega . V",
            [](const NodeState& n, double* out) { *out = dot(vorticity(n), n.velocity); }),
    formula("relative-helicity", 187, 1, kNeedsVorticity, "omega . V / (|omega| |V|)",
            [](const NodeState& n, double* out) {
              const Vec3 omega = vorticity(n);
              *out = dot(omega, n.velocity) / (length(omega) * length(n.velocity));
            }),
    formula("shock", 190, 1, kNeedsFlow | kNeedsPressureGradient, "V . grad p / (c |grad p|)",
            [](const NodeState& n, double* out) {
              *out = dot(n.velocity, n.gradients->pressure) / (soundSpeed(n) * length(n.gradients->pressure));
            }),
    formula("pressure-gradient-magnitude", 192, 1, kNeedsPressureGradient, "|grad p|",
            [](const NodeState& n, double* out) { *out = length(n.gradients->pressure); }),
    formula("density-gradient-magnitude", 193, 1, kNeedsDensityGradient, "|grad rho|",
            [](const NodeState& n, double* out) { *out = length(n.gradients->density); }),
    formula("velocity", 200, 3, kNeedsVelocity, "V = rho V / rho",
            [](const auto& n, auto* out) { put(n.velocity, out); }),
    formula("vorticity", 201, 3, kNeedsVorticity, "omega = curl V",
            [](const NodeState& n, double* out) { put(vorticity(n), out); }),
    formula("momentum", 202, 3, kNeedsMomentum, "rho V",
            [](const auto& n, auto* out) { put(n.momentum, out); }),
    formula("pressure-gradient", 210, 3, kNeedsPressureGradient, "grad p",
            [](const NodeState& n, double* out) { put(n.gradients->pressure, out); }),
    formula("density-gradient", 211, 3, kNeedsDensityGradient, "grad rho",
            [](const NodeState& n, double* out) { put(n.gradients->density, out); }),
    formula("divergence", 0, 1, kNeedsVelocityGradient, "div V",
            [](const NodeState& n, double* out) {
              *out = n.gradients->velocity[0].x + n.gradients->velocity[1].y + n.gradients->velocity[2].z;
            }),
    formula("strain-rate-magnitude", 0, 1, kNeedsVelocityGradient, "sqrt(2 S:S), S = (grad V + grad V^T) / 2",
            [](const NodeState& n, double* out) { *out = std::sqrt(2 * normOfStrainRate(n)); }),
    formula("q-criterion", 0, 1, kNeedsVelocityGradient, "Q = (|omega|^2 / 2 - S:S) / 2",
            [](const NodeState& n, double* out) {
              *out = 0.5 * (0.5 * squaredLength(vorticity(n)) - normOfStrainRate(n));
            }),
    formula("wall-shear-stress", 0, 3, kNeedsShear,
            "tau_w = mu (grad V + grad V^T) n, less its part along n; on walls",
            [](const NodeState& n, double* out) { put(wallShear(n), out); }),
    formula("wall-shear-stress-magnitude", 0, 1, kNeedsShear, "|tau_w|; on walls",
            [](const NodeState& n, double* out) { *out = length(wallShear(n)); }),
    formula("skin-friction-vector", 0, 3, kNeedsShear | kNeedsFreeStream, "tau_w / (M_inf^2 / 2); on walls",
            [](const NodeState& n, double* out) { put((1 / (0.5 * n.mach * n.mach)) * wallShear(n), out); }),
    formula("skin-friction", 0, 1, kNeedsShear | kNeedsFreeStream, "Cf = |tau_w| / (M_inf^2 / 2); on walls",
            [](const NodeState& n, double* out) { *out = length(wallShear(n)) / (0.5 * n.mach * n.mach); }),
    formula("y-plus", 0, 1, kNeedsShear | kNeedsDensity,
            "y+ = y_1 sqrt(rho |tau_w|) / mu, y_1 the height of the first node; on walls",
            [](const NodeState& n, double* out) {
              const double shear = length(wallShear(n));
              *out = n.wall ? n.wall->firstHeight * std::sqrt(n.density * shear) / n.viscosity : shear;
            }),
    formula("lambda2", 0, 1, kNeedsVelocityGradient, "the middle eigenvalue of S^2 + W^2",
            [](const NodeState& n, double* out) { *out = lambda2(n); }),
};

}  // namespace

std::span<const Formula> formulas() {
  return kFormulas;
}

}  // namespace farfield::fields
