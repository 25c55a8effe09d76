#pragma once
// Exact data without a file: flows given by formulas, computed box by box as they are read, at any size. For
// tests, benchmarks and first steps; `farfield sample` writes them to disk, and "sample://NAME?…" opens them
// in place.
//
// Box samples lie on a box of nodes. As regular grids (the default) they have the arrays "velocity" (3
// components) and, where it is known, "pressure"; "marschner-lobb" has "density" alone. With
// `curvilinear` the same flow comes as PLOT3D data do: "xyz" (nodes bent inside the box, whose faces stay
// plane) and "q": density 1, momentum, energy for gamma 1.4. Several blocks are slices of the box
// along i that share a layer of nodes.
//
// "cylinder" is always curvilinear: an O-grid in `blocks` pieces along its circumference, see
// cylinder_sample.h.

#include <memory>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/scalar_type.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::samples {

struct Sample {
  std::string name;
  std::string title;  ///< for people
  Index3 defaultSize{0, 0, 0};
  int defaultBlocks = 1;
  double timeStep = 0;  ///< between steps; 0: does not change in time
  bool hasVelocity = true;
  bool alwaysCurvilinear = false;
};

/// All samples, in the order in which they are listed.
const std::vector<Sample>& samples();
/// Throws NotFound, with a list of samples.
const Sample& sampleNamed(const std::string& name);

struct SampleOptions {
  Index3 size{0, 0, 0};  ///< nodes of each block; zeros: the sample's default
  int blocks = 0;        ///< 0: the sample's default
  int steps = 1;
  /// Of coordinates and values: F32 or F64; marschner-lobb also U8, I8, U16, I16, 1 as the type's greatest number.
  ScalarType type = ScalarType::F32;
  bool curvilinear = false;
  int pageEdge = 16;  ///< a suggestion for cutting pages
};

/// The reader holds no data, whatever the size; it is immutable and thread-safe. Its description has format
/// "sample", the times, the reference state ("gamma", "R"), and per step the PLOT3D header ("mach.0",
/// "alpha.0", "reynolds.0", "time.0") where there is a q. Throws NotFound (no such sample), Invalid (a size
/// that makes no grid, a type or form that the sample does not come in).
std::unique_ptr<paging::BoxReader> makeSample(const std::string& name, const SampleOptions& options);

/// The velocity in the sample's data at a node at `point`, before rounding to the stored type. Throws
/// NotFound, Invalid for a sample without velocity.
Vec3 exactVelocity(const std::string& name, Vec3 point, double time);
/// The same for "pressure" (of marschner-lobb: "density"). Throws NotFound if there is no such variable.
double exactScalar(const std::string& name, const std::string& variable, Vec3 point, double time);

}  // namespace farfield::samples
