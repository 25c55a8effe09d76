#pragma once
// What casts volumes is passed in, as drawing is: core/ cannot cast.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fields/paged/paged_data.h"
#include "core/scene/scene.h"
#include "core/session/terms.h"

namespace farfield::session {

/// What to cast. All of it outlives the volume.
struct VolumeRequest {
  fields::PagedData& data;
  std::shared_ptr<const fields::FunctionPlan> function;  ///< with one value
  std::int64_t step = 0;
  MemoryAccount& account;
  int processors = 1;
  std::filesystem::path scratchFolder;  ///< for bricks kept outside of memory
  Engine engine = Engine::Auto;
  /// The user is watching: data without levels of detail are shown by widely spaced samples first
  /// (scene::VolumeShown::strided).
  bool watched = false;
  std::stop_token stop = {};  ///< for casts that cannot be stopped otherwise
  /// The step that is expected to be shown next; -1: none. Its pages are requested ahead once this step's are there.
  std::int64_t nextStep = -1;
};

/// Of all casts so far.
struct VolumeCounts {
  int level = 0;  ///< of the last cast
  std::uint64_t bricks = 0, bricksRead = 0, samples = 0;
  bool converged = true;  ///< the last cast showed all data of its level
  double seconds = 0;
  std::string engine = "cpu", device;
  /// Of grids that were resampled: the mean and the largest error found, as a fraction of the range of
  /// values; below 0 if nothing was resampled.
  double meanError = -1, mostError = -1;
  std::uint64_t scratchBytes = 0;  ///< of its file
};

class CastVolume : public scene::VolumeGeometry {
 public:
  /// Least and greatest value: exact if the data have it, else from bricks all over the volume, which are
  /// read for it; the histogram is then known. Once that is done neither waits for a cast.
  virtual std::array<double, 2> valueRange() = 0;
  /// Opacities that show something at first sight, for colours over `range`.
  virtual std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range) = 0;
  virtual VolumeCounts counts() const = 0;
};

using VolumeMaker = std::function<std::shared_ptr<CastVolume>(const VolumeRequest&)>;

}  // namespace farfield::session
