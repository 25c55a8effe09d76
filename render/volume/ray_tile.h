#pragma once
// The rays of a tile of the picture, as arrays that vectors of rays are loaded from, and the march of a
// tile's rays through one brick: the innermost loop, compiled for each kind of processor (ray_march.cpp).
// Sample k of a ray is (k + 1/2) steps from where it enters the volume; to which brick a sample belongs
// follows from its planes alone. The arithmetic of a ray is independent of the others, in the same order for
// any number of lanes, without fused operations: pictures are equal bytes on all processors.

#include <array>
#include <cstdint>

#include "render/volume/brick.h"
#include "render/volume/transfer.h"

namespace farfield::volume {

constexpr int kTileSide = 32;
constexpr int kTileRays = kTileSide * kTileSide;
/// Most samples of a ray: counted in float.
constexpr double kMostSamples = 1 << 22;

using Mode = scene::VolumeMode;

/// Row by row. Coordinates are those of the grid: node numbers from the first (regular), or the data's own
/// (rectilinear).
struct RayTile {
  alignas(64) std::array<std::array<double, kTileRays>, 3> start;    ///< of sample 0
  alignas(64) std::array<std::array<double, kTileRays>, 3> step;     ///< from one sample to the next
  alignas(64) std::array<std::array<double, kTileRays>, 3> inverse;  ///< 1 / step; huge if step is 0
  /// Whole numbers: samples first … end-1 are taken.
  alignas(64) std::array<double, kTileRays> first;
  alignas(64) std::array<double, kTileRays> end;
  /// The fraction of a step that the first and the last sample stand for; equal if they are the same.
  alignas(64) std::array<float, kTileRays> firstWeight;
  alignas(64) std::array<float, kTileRays> lastWeight;
  /// Composite, Isosurface: red, green, blue (times alpha), alpha. Maximum: the largest raw value, in [0].
  /// Average: the sum of raw values in [0], their number in [3].
  alignas(64) std::array<std::array<float, kTileRays>, 4> state;
};

/// Parameters of the picture for the march through a brick.
struct MarchJob {
  Mode mode = Mode::Composite;
  bool linear = true;  ///< else the nearest node's value
  bool lighting = false;
  const TransferTable* table = nullptr;
  float tableLow = 0,
        tableScale = 1;  ///< place = (raw - tableLow) tableScale; its entry as TransferTable has it
  std::int32_t tableShift = 0, tableLowest = 0, tableHighest = 0;
  float isoRaw = 0;                             ///< Isosurface: the value
  std::uint32_t isoColor = 0;                   ///< as in the table
  std::array<float, 3> gradientScale{1, 1, 1};  ///< from differences over two nodes to per length
  /// Towards lights and between them and the eye, unit vectors.
  std::array<float, 3> key{}, fill{}, half{};
  float flat = 0;  ///< gradients (per length) of this size get half of their light
};

struct MarchBrick {
  const Brick* brick = nullptr;
  std::array<double, 3> first{};           ///< coordinate of its first node
  std::array<double, 3> low{}, high{};     ///< its planes; infinite at the ends of the volume
  std::uint64_t seen = ~std::uint64_t{0};  ///< visible groups, by bit
  /// Rectilinear: coordinates of nodes -1 … cells + 1 behind `first`, and 1 / (next - this); else null.
  const float* nodes[3] = {nullptr, nullptr, nullptr};
  const float* rates[3] = {nullptr, nullptr, nullptr};
};

/// Rays x0 … x1-1, y0 … y1-1 of the tile. Returns the number of samples taken.
std::uint64_t march(const MarchJob& job, const MarchBrick& brick, RayTile& tile, int x0, int y0, int x1,
                    int y1);

/// Rays are not followed beyond this alpha.
constexpr float kOpaque = 0.998F;

/// The instruction set that march() uses here ("AVX2"), for reports.
const char* marchTarget();
/// For tests: march() with the narrowest instruction set, until called with false.
void marchNarrow(bool narrow);

}  // namespace farfield::volume
