#pragma once
// A volume of the scene, cast on the processors or on a device: its levels of detail, which are opened as they are needed, the bricks
// that are in memory, and which level a picture takes.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/fields/paged_data.h"
#include "core/scene/scene.h"
#include "render/volume/caster.h"
#include "render/volume/device_caster.h"

namespace farfield::volume {

class PagesAhead;
class SampledBricks;

/// Opens level `level` (1 or more) of the data of a volume; null where there is none.
using LevelOpener = std::function<std::unique_ptr<fields::OpenData>(int level, MemoryAccount& account)>;

struct ShownParts {
  fields::PagedData& data;
  std::shared_ptr<const fields::FunctionPlan> function;  ///< of one value
  std::int64_t step = 0;
  MemoryAccount& account;
  int processors = 1;
  std::filesystem::path scratchFolder = {};  ///< for bricks that are sampled
  std::uint64_t scratchBytes = std::uint64_t{2} << 30;
  int alongLongest = 0;                                 ///< nodes of grids that are sampled; 0: by the data
  DeviceMaker makeDevice = {};                          ///< asked with the first cast; empty: processors cast
  std::function<void(const Error&)> deviceFailed = {};  ///< told why processors go on
  /// Somebody watches: data without levels of detail are shown by samples far apart until finer ones are worth it.
  bool watched = false;
  LevelOpener keptLevel = {};  ///< levels of data that have none, as somebody has made them; comes before samples
  std::stop_token stop = {};   ///< of casts whose own cannot be stopped
  std::int64_t nextStep = -1;  ///< of which the bricks of a picture are asked for ahead; -1: none
};

struct ShownCounts {
  CastStats casts;  ///< sums over all casts
  int level = 0;
  bool converged = true;
  double seconds = 0;
  std::string engine = "cpu", device;     ///< of the last cast
  double kernelSeconds = 0;               ///< on a device, all casts together
  double meanError = -1, mostError = -1;  ///< of sampled grids, as a part of the range of values
  std::uint64_t scratchBytes = 0;
  std::uint64_t pagesAhead = 0;  ///< of the next step, that came
  bool aheadIsDone = true;       ///< none is on its way
};

/// Thread-safe; casts come one at a time, and nothing else waits for them. All parts outlive it.
class ShownVolume final : public scene::VolumeGeometry {
 public:
  /// Data of one regular block are read as they are, others sampled. Throws Unsupported for data without a volume.
  explicit ShownVolume(ShownParts parts);
  ~ShownVolume() override;

  Bounds bounds() const override { return m_finest.bounds(); }
  /// With VolumeCast::whole as the look asks for it; else at the level whose voxels are seen about as large as pixels.
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override;
  std::shared_ptr<const scene::VolumeHistogram> histogram() const override;

  /// Least and greatest value; see valueRange of session::CastVolume.
  std::array<double, 2> valueRange();
  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range);
  /// What is known of grids that are sampled is left out while a cast goes on.
  ShownCounts counts() const;
  int levels() const { return m_levelCount; }
  /// The grid of level 0.
  const BrickGrid& finest() const { return m_finest; }

 private:
  struct Level {
    // Of levels that are kept.
    std::unique_ptr<fields::OpenData> opened;
    std::unique_ptr<fields::PagedData> paged;
    std::unique_ptr<BrickSource> source;
    std::unique_ptr<BrickPool> pool;
  };

  Level& levelAt(int number) const;
  void askAhead(int number, const std::vector<std::int64_t>& bricks) const;
  /// No value: there is no device, or it failed.
  std::optional<bool> castOnDevice(CastJob job, int number, bool whole, double samples, std::span<float> rgba,
                                   CastStats& stats) const;
  void castOnProcessors(CastJob job, int number, bool whole, double samples, std::span<float> rgba,
                        CastStats& stats) const;
  std::shared_ptr<const scene::VolumeHistogram> survey();

  ShownParts m_parts;
  bool m_sampled = false, m_strided = false;
  bool m_kept = false;  ///< levels above 0 are ShownParts::keptLevel's
  BrickGrid m_finest;
  int m_levelCount = 1;
  mutable std::mutex m_mutex;  ///< of casts
  mutable std::vector<Level> m_levels;
  mutable std::unique_ptr<PagesAhead> m_ahead;  ///< of the next step
  mutable int m_levelAhead = -1;
  mutable std::unique_ptr<DeviceCaster> m_device;
  mutable bool m_askedForDevice = false;
  mutable std::mutex m_knownMutex;  ///< held for moments; guards what follows
  std::shared_ptr<const scene::VolumeHistogram> m_histogram;
  mutable ShownCounts m_counts;
};

}  // namespace farfield::volume
