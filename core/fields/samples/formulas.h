#pragma once
// The flows of the sample data, as formulas: velocity and pressure at any point and time, and what is
// constant along their lines. Pure functions; all are divergence-free.
//
// Lengths and speeds are of order one; the density is 1. Pressures are around the ambient pressure for which
// a speed of 1 is a Mach number of 0.2.

#include <vector>

#include "core/base/geometry.h"

namespace farfield::samples {

inline constexpr double kGamma = 1.4;
inline constexpr double kMach = 0.2;
inline constexpr double kAmbientPressure = 1 / (kGamma * kMach * kMach);

/// A whirl over the ground z = 0, around an axis that winds upwards and swings in time. In coordinates moving
/// with the axis it is Scully's vortex in Burgers' inflow: u_r = -a r, u_z = 2 a z, u_theta = G r / (rc² +
/// r²). So along a pathline the distance from the axis is r0 exp(-a t) and the height z0 exp(2 a t); along a
/// streamline too where the axis is at rest, as it is at t = 0.
struct Tornado {
  static constexpr double kInflow = 0.1;       ///< a
  static constexpr double kCirculation = 0.3;  ///< G
  static constexpr double kCore = 0.15;        ///< rc: the largest swirl speed, G / (2 rc) = 1, is there
  static Vec3 velocity(Vec3 p, double t);
  /// The pressure of the straight vortex, at the distance from the axis.
  static double pressure(Vec3 p, double t);
  /// The point (x, y, z) of the axis at height z.
  static Vec3 axis(double z, double t);
  /// Distance from the axis.
  static double radius(Vec3 p, double t);
};

/// Arnold, Beltrami and Childress: A = √3, B = √2, C = 1, with a phase that moves with time. Periodic in 2π.
/// An exact solution of Euler's equations at any instant (the vorticity is the velocity), with chaotic lines.
struct Abc {
  static Vec3 velocity(Vec3 p, double t);
  static double pressure(Vec3 p, double t);
};

/// Taylor and Green: decaying vortices in planes of constant z; an exact solution of the Navier-Stokes
/// equations.
struct TaylorGreen {
  static constexpr double kViscosity = 0.1;
  static Vec3 velocity(Vec3 p, double t);
  static double pressure(Vec3 p, double t);
  /// Constant along streamlines.
  static double stream(Vec3 p, double t);
};

/// Potential flow around the cylinder of radius 1 about the z axis, free stream 1 along x, with a circulation
/// that swings in time from 0 at t = 0. The pressure is Bernoulli's at each instant.
struct Cylinder {
  static constexpr double kCirculation = 3, kPeriod = 10;
  static double circulation(double t);
  static Vec3 velocity(Vec3 p, double t);
  static double pressure(Vec3 p, double t);
  /// Constant along streamlines; 0 on the cylinder.
  static double stream(Vec3 p, double t);
};

/// A fixed sum of Fourier modes with integer wave vectors (periodic in 2π), amplitudes falling as in an
/// inertial range, phases that move with time, each at a right angle to its wave vector.
class Turbulence {
 public:
  /// The flow at time t, for many points.
  explicit Turbulence(double t);
  Vec3 operator()(Vec3 p) const;

 private:
  struct ModeNow {
    int entry[3];  ///< of the wave vector, in tables of its multiples
    Vec3 amplitude;
    double cosine, sine;  ///< of the phase
  };
  std::vector<ModeNow> m_modes;
};

/// The test signal of Marschner and Lobb (An evaluation of reconstruction filters for volume rendering,
/// Visualization '94) on [-1, 1]³, with its f = 6 and alpha = 0.25; 0 … 1.
double marschnerLobb(Vec3 p);

}  // namespace farfield::samples
