#pragma once
// What casts volumes is handed in, as what draws pictures is: core/ knows no way of casting.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fields/paged_data.h"
#include "core/scene/scene.h"
#include "core/session/terms.h"

namespace farfield::session {

/// What of which data is cast. All of it outlives the volume.
struct VolumeRequest {
  fields::PagedData& data;
  std::shared_ptr<const fields::FunctionPlan> function;  ///< with one value
  std::int64_t step = 0;
  MemoryAccount& account;
  int processors = 1;
  std::filesystem::path scratchFolder;  ///< for bricks that are kept outside of memory
  Engine engine = Engine::Auto;
  /// Somebody watches: data without levels of detail are shown by samples far apart first (scene::VolumeShown::strided).
  bool watched = false;
  std::stop_token stop = {};  ///< of casts whose own cannot be stopped
  /// What is expected to be shown next; -1: nothing. Its bricks are asked for ahead once those of this step are there.
  std::int64_t nextStep = -1;
};

/// Of all casts so far.
struct VolumeCounts {
  int level = 0;  ///< of the last cast
  std::uint64_t bricks = 0, bricksRead = 0, samples = 0;
  bool converged = true;  ///< the last cast showed all that there is at its level
  double seconds = 0;
  std::string engine = "cpu", device;
  /// Of grids that were sampled: the mean and the largest error found, as a part of the range of values; below 0 where nothing was sampled.
  double meanError = -1, mostError = -1;
  std::uint64_t scratchBytes = 0;  ///< of its file
};

class CastVolume : public scene::VolumeGeometry {
 public:
  /// Least and greatest value: exact where the data say it, else of bricks all over the volume, which are read for it; the histogram is known then.
  /// Neither waits for a cast, once that has been done.
  virtual std::array<double, 2> valueRange() = 0;
  /// Opacities that show something on first sight, for colours from `range`.
  virtual std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range) = 0;
  virtual VolumeCounts counts() const = 0;
};

using VolumeMaker = std::function<std::shared_ptr<CastVolume>(const VolumeRequest&)>;

}  // namespace farfield::session
