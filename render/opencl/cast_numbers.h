#pragma once
// The arguments of a picture for the kernel: structures with the layout of resources/kernels/volume.cl, and
// the tables of axes.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "render/volume/cast_look.h"

namespace farfield::opencl {

/// Members as in volume.cl, all of the same size.
template <class Real>
struct ViewNumbers {
  Real eye[3], right[3], up[3], back[3], pixel;
  Real low[3], high[3], stepLength, origin[3], spacing[3];
  Real coarseScale[3], coarseOffset[3];
};

struct LevelNumbers {
  std::int32_t bricks[3], cells[3], planesAt[3], nodesAt[3], pagesAt;
  float gradient[3];
};

struct JobNumbers {
  std::int32_t width, height, firstRow, rows, orthographic;
  std::int32_t mode, linear, lit, rectilinear;
  std::int32_t clips, hasFrom, hasTo, lastEntry;
  std::int32_t hasCoarse, missLimit, ahead, slotsX, slotsY;
  std::int32_t tableShift, tableLowest, tableHighest, hasCells;
  float tableLow, tableScale, isoRaw, flat;
  std::uint32_t isoColor;
  float key[3], fill[3], half[3];
  LevelNumbers level[2];
};

struct CastNumbers {
  ViewNumbers<double> view{};
  JobNumbers job{};
  /// Six numbers for each plane: origin, normal.
  std::vector<double> clips;
  std::vector<double> planes;  ///< of both levels
  std::vector<std::array<float, 2>> axisNodes;
};

/// For some rows of a picture, without the numbers that depend on the device. `levels`: the one to be cast,
/// and a coarser one if there is one.
CastNumbers numbersOf(std::span<volume::BrickSource* const> levels, const volume::CastJob& job,
                      const volume::CastLook& look);
/// The same in single precision.
ViewNumbers<float> singleOf(const ViewNumbers<double>& view);

}  // namespace farfield::opencl
