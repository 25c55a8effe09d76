#pragma once
// Terms shared by several kinds of objects: ranges of indices, seeds, integrators.

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/cells/field_time.h"

namespace farfield::session {

/// Not allowed in names of objects and data, which become file names and appear in messages and paths.
inline constexpr const char* kForbiddenInNames = "./\\:*?\"<>|=%";

/// Node or step indices first … last, both included. Negative ones count from the end: -1 is the last.
struct IndexRange {
  std::int64_t first = 0, last = -1;
  bool operator==(const IndexRange&) const = default;
};
/// Along i, j, k; the default is everything.
using IndexRange3 = std::array<IndexRange, 3>;

struct PointSeeds {
  std::vector<Vec3> points;
  bool operator==(const PointSeeds&) const = default;
};
/// `count` points from `from` to `to`, both included; a single one lies at `from`.
struct LineSeeds {
  Vec3 from, to;
  std::int64_t count = 2;
  bool operator==(const LineSeeds&) const = default;
};
/// counts[0] x counts[1] points over origin … origin + axis1 + axis2, ends included; the first axis fastest.
struct PlaneSeeds {
  Vec3 origin, axis1, axis2;
  std::array<std::int64_t, 2> counts{2, 2};
  bool operator==(const PlaneSeeds&) const = default;
};
/// counts points along x, y, z over min … max, ends included; x fastest.
struct BoxSeeds {
  Vec3 min, max;
  std::array<std::int64_t, 3> counts{2, 2, 2};
  bool operator==(const BoxSeeds&) const = default;
};
/// Every stride-th node of a range of one block, i fastest.
struct GridPointSeeds {
  std::int64_t block = 0;
  IndexRange3 range;
  std::array<std::int64_t, 3> stride{1, 1, 1};
  bool operator==(const GridPointSeeds&) const = default;
};
/// `count` nodes scattered over all blocks, in proportion to their nodes, none on the blocks' faces; or places as dense
/// everywhere in space.
struct SpreadSeeds {
  enum class Over { Nodes, Space };
  std::int64_t count = 1;
  Over over = Over::Nodes;
  bool operator==(const SpreadSeeds&) const = default;
};
using Seeds = std::variant<PointSeeds, LineSeeds, PlaneSeeds, BoxSeeds, GridPointSeeds, SpreadSeeds>;

enum class IntegratorMethod { Dopri5, Rk4 };

struct Integrator {
  IntegratorMethod method = IntegratorMethod::Dopri5;
  /// dopri5: largest local error of a step, in the data's length unit. None: 1e-6 of the bounds' diagonal.
  std::optional<double> tolerance;
  double stepCells = 0.1;           ///< rk4: length of a step, in cells
  std::optional<double> maxTime;    ///< per direction, in the data's time unit; none: no limit
  std::optional<double> maxLength;  ///< per direction, in the data's length unit; none: no limit
  std::int64_t maxSteps = 100'000;  ///< per direction
  bool operator==(const Integrator&) const = default;
};

/// At steps of the data, every stride-th, both ends included.
struct ReleaseSteps {
  IndexRange steps;
  std::int64_t stride = 1;
  bool operator==(const ReleaseSteps&) const = default;
};
/// At from, from + every, … up to and including `to`, in the data's time.
struct ReleaseTimes {
  double from = 0, to = 0, every = 1;
  bool operator==(const ReleaseTimes&) const = default;
};
/// When particles are released from each seed. None: the default of the kind.
using Release = std::variant<std::monostate, ReleaseSteps, ReleaseTimes>;

enum class Direction { Both, Forward, Backward };

enum class Engine { Cpu, OpenCl, Auto };

}  // namespace farfield::session
