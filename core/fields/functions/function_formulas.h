#pragma once
// The formulas of the functions derived from the flow variables, one line each, with NASA's name and number.
// Private to the folder: other code uses a FunctionPlan.
//
// Perfect gas, as in the PLOT3D User's Manual (Walatka, Buning et al., NASA TM-101067), non-dimensional: in
// the free stream density 1, sound speed 1, pressure 1 / gamma, speed the free-stream Mach number.

#include <array>
#include <cstdint>
#include <span>

#include "core/base/geometry.h"
#include "core/base/interval.h"
#include "core/fields/cells/wall_gradients.h"
#include "core/fields/functions/functions.h"

namespace farfield::fields {

/// What a formula needs, as bits.
enum Need : std::uint16_t {
  kNeedsDensity = 1,
  kNeedsVelocity = 2,
  kNeedsPressure = 4,
  kNeedsFreeStream = 8,  ///< a free-stream Mach number other than 0
  kNeedsDensityGradient = 16,
  kNeedsVelocityGradient = 32,
  kNeedsPressureGradient = 64,
  kNeedsMomentum = 128,
  kNeedsWall = 256,       ///< a node on a face of its block
  kNeedsViscosity = 512,  ///< other than 0
};

/// Derivatives at one node. Those that no formula of a plan needs are not set.
struct NodeGradients {
  Vec3 density, pressure;
  std::array<Vec3, 3> velocity;  ///< of u, of v, of w
};

/// The flow at one node, as numbers, or at many, as ranges. What no formula of a plan needs is not set.
template <class Number, class Vector>
struct FlowState {
  Number gamma = 1.4;                               ///< ratio of specific heats
  double gasConstant = 1, mach = 0, viscosity = 0;  ///< as in ReferenceState
  Number density = 0, pressure = 0;
  Vector momentum{}, velocity{};
};
struct NodeState : FlowState<double, Vec3> {
  /// Set only if a formula needs them: most plans do not, and setting them takes as long as the rest.
  const NodeGradients* gradients = nullptr;
  const WallState* wall = nullptr;  ///< null away from walls; formulas that need one have no value there
};
using RangeState = FlowState<Interval, IntervalVec3>;

struct Formula {
  const char* name;
  int number;  ///< NASA's; 0 without one
  int components;
  std::uint16_t needs;
  const char* text;  ///< for people
  void (*compute)(const NodeState& node, double* out);
  /// The same for ranges; null if ranges at nodes say nothing, because there are derivatives.
  void (*bound)(const RangeState& state, Interval* out);
};

std::span<const Formula> formulas();

}  // namespace farfield::fields
