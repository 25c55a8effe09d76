#pragma once
// A volume of the scene, cast on the processors or on a device: opens levels of detail as they are needed,
// keeps bricks in memory, and chooses the level of a picture.

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/fields/paged/paged_data.h"
#include "core/fields/paged/pages_ahead.h"
#include "core/scene/scene.h"
#include "render/volume/cast_turns.h"
#include "render/volume/caster.h"
#include "render/volume/device_caster.h"

namespace farfield::volume {

class SampledBricks;
class StretchedBricks;
class ValueCounts;

/// Of a level, those that say what values there are.
constexpr std::int64_t kSurveyBricks = 64;

/// Makes what takes the place of a level's source, and may use it.
using SourceWrapper = std::function<std::unique_ptr<BrickSource>(std::unique_ptr<BrickSource> source)>;

/// Opens level `level` (1 or more) of the data of a volume; null where there is none.
using LevelOpener = std::function<std::unique_ptr<fields::OpenData>(int level, MemoryAccount& account)>;

struct ShownParts {
  fields::PagedData& data;
  std::shared_ptr<const fields::FunctionPlan> function;  ///< with one value
  std::int64_t step = 0;
  MemoryAccount& account;
  int processors = 1;
  std::filesystem::path scratchFolder = {};  ///< for resampled bricks
  std::uint64_t scratchBytes = std::uint64_t{2} << 30;
  int alongLongest = 0;  ///< nodes of resampled grids; 0: by the data
  /// Called with the first cast; empty: processors cast.
  DeviceMaker makeDevice = {};
  std::function<void(const Error&)> deviceFailed = {};  ///< told why processors continue
  /// The user is watching: data without levels of detail are shown by widely spaced samples until finer ones
  /// are worth it.
  bool watched = false;
  /// Of a store without levels: it is read as fast as coarse levels of it where the function has no more bytes at a step.
  std::uint64_t smallBytes = std::uint64_t{64} << 20;
  LevelOpener keptLevel = {};  ///< levels made for data without; preferred to samples
  std::stop_token stop = {};   ///< for casts that cannot be stopped otherwise
  std::int64_t nextStep = -1;  ///< whose pages are requested ahead; -1: none
  SourceWrapper through = {};  ///< not with nextStep
  /// What changed since that step stands out so many times (enhanced_bricks.h). Not with nextStep, keptLevel.
  std::int64_t enhanceSince = -1;  ///< -1: none
  double enhance = 0;
};

struct ShownCounts {
  CastStats casts;  ///< sums over all casts
  int level = 0;
  bool converged = true;
  double seconds = 0;
  std::string engine = "cpu", device;     ///< of the last cast
  double kernelSeconds = 0;               ///< on a device, all casts together
  double meanError = -1, mostError = -1;  ///< of resampled grids, as a fraction of the range of values
  std::uint64_t scratchBytes = 0;
  int resampleNodes = 0;         ///< along the longest axis; 0: the data's nodes are shown
  double timesCoarser = 0;       ///< than the finest cells are thick, for who watches; 0: not known
  bool isCrumbs = false;         ///< nearly no sample of level 0 that has a value has neighbours that have
  std::uint64_t pagesAhead = 0;  ///< of the next step, that came
  bool aheadIsDone = true;       ///< none is on its way
};

/// Thread-safe; casts run one at a time, and nothing else waits for them. What is watched is cast for who looks between parts of a cast
/// that nobody can stop, as of a picture that is written. All parts outlive it.
class ShownVolume final : public scene::VolumeGeometry {
 public:
  /// Data of one regular block are read as they are, others are resampled. Throws Unsupported for data
  /// without a volume.
  explicit ShownVolume(ShownParts parts);
  ~ShownVolume() override;

  /// For who has little time, before anything else is asked: the range of values is what is known after at most
  /// `surveyTime`, above 0, and there are coarser levels of resampled grids and of single samples.
  void hurry(std::chrono::milliseconds surveyTime);

  /// For who watches data that are resampled, before anything else is asked: whether the ranges of pages tell enough for a first sight,
  /// which casts, valueRange() and usualOpacity() are of until survey() has ended.
  bool firstSight();
  /// Finds the range of values, unless it is known; see session::SurveyedVolume.
  using Progress = std::function<void(std::size_t done, std::size_t total)>;
  void survey(const Progress& progress, const std::stop_token& stop);

  Bounds bounds() const override { return m_finest.bounds(); }
  /// With VolumeCast::whole at the look's level; else at the level whose voxels appear about as large as
  /// pixels.
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    return castPart(cast, {}, rgba);
  }
  /// The same of a part of the volume (CastJob::part). Pictures of parts, one behind the other, make up that of the whole:
  /// samples lie where they lie in it.
  bool castPart(const scene::VolumeCast& cast, const Bounds& part, std::span<float> rgba) const;
  /// Reads what castPart() with the same would read first, as far as memory goes, and casts nothing. Waits for casts, and they
  /// for it. Throws as cast().
  void loadPart(const scene::VolumeCast& cast, const Bounds& part) const;
  /// Reads what castPart() with the same might read, as far as `wanted`, for somebody else: `listed` is told which bricks of which
  /// level before any is read, `use` gets them, from tasks. Waits for casts, and they for it. Throws as cast().
  struct Stream {
    std::function<bool(std::int64_t number, std::int64_t bricks)> wanted;
    std::function<void(int level, const std::vector<std::int64_t>& numbers)> listed;
    std::function<void(std::int64_t number, const Brick& brick)> use;
  };
  void streamPart(const scene::VolumeCast& cast, const Bounds& part, const Stream& stream) const;
  /// Of some bricks all over the volume; while it is watched of all, as they are read.
  std::shared_ptr<const scene::VolumeHistogram> histogram() const override;

  /// Least and greatest value; see valueRange of session::CastVolume.
  std::array<double, 2> valueRange();
  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range);
  /// Figures of resampled grids are left out during a cast.
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
    std::unique_ptr<StretchedBricks> stretched;  ///< the source, where axes are stretched; made when one is
    bool onDevice = false;                       ///< a picture of it was finished there
  };

  struct CastRows {
    bool isConverged = false;
    bool fits = false;  ///< what was read for them is in memory still
    std::uint64_t bricksRead = 0;
    std::uint64_t bricks = 0;  ///< that there are at this level of detail
    std::chrono::steady_clock::duration took{0};
  };
  CastRows castRows(const scene::VolumeCast& cast, const Bounds& part, bool looks,
                    std::span<float> rgba) const;
  Level& levelAt(int number) const;
  /// A volume as the camera of a cast sees it, with its axes stretched.
  struct Sight;
  /// The level's bricks in such a sight. The same object as long as axes are stretched, and as long as they are not.
  BrickSource& seenIn(const Sight& sight, Level& level) const;
  /// Of levels that are not kept.
  std::unique_ptr<BrickSource> sourceAt(int number, std::int64_t step) const;
  int levelToLoad(const scene::VolumeCast& cast, const Sight& sight) const;
  /// Of level 0; without the length of steps, which its level decides.
  CastJob jobOf(const scene::VolumeCast& cast, const Sight& sight, const Bounds& part) const;
  int affordable(int number) const;
  bool isLargeStore() const;
  /// The level that is shown of data whose samples lie in pages, which take their time.
  int levelOfPages(int number, bool soon, const Sight& sight, CastJob job) const;
  bool isSoon(int number, const Sight& sight, const CastJob& job) const;
  Level* overview() const;
  void askAhead(int number, const std::vector<std::int64_t>& bricks) const;
  /// Found when it is asked for first; null: processors cast. Throws DeviceFailed, OverBudget.
  DeviceCaster* device(const BrickSource& source) const;
  /// Nothing: there is no device, or it failed.
  std::optional<bool> castOnDevice(const Sight& sight, CastJob job, int number, bool whole, double samples,
                                   std::span<float> rgba, CastStats& stats) const;
  void castOnProcessors(const Sight& sight, CastJob job, int number, bool whole, double samples,
                        std::span<float> rgba, CastStats& stats) const;
  void castOverview(const Sight& sight, Level& level, CastJob job, std::span<float> rgba,
                    CastStats& stats) const;
  /// Gives up the bricks of all levels but that; false if there are none.
  bool letGoBeside(const Level& level) const;
  struct Survey {
    std::shared_ptr<scene::VolumeHistogram> seen;
    std::optional<double> border;  ///< what nearly all of it has that lies at its faces
    bool isCrumbs = false;         ///< see ShownCounts
    double depth = INFINITY;       ///< of the body that has values, where it does not fill its box
    std::shared_ptr<const scene::VolumeHistogram>
        nearlyAll;                                    ///< within its interval that has nearly all; or null
    bool isWhole = false;                             ///< all that was to be read was
    std::chrono::steady_clock::duration perBrick{0};  ///< what one took
  };
  struct Surveying;
  Surveying surveying(int number) const;
  Survey surveyOf(const Surveying& what, std::chrono::milliseconds limit) const;
  int levelToSurvey() const;
  double thicknessOfFine(const std::stop_token& stop) const;
  std::shared_ptr<const scene::VolumeHistogram> seenValues();
  std::shared_ptr<const scene::VolumeHistogram> surveyed() const;
  ValueCounts* countsOf(int number) const;

  ShownParts m_parts;
  bool m_sampled = false, m_strided = false;
  std::chrono::milliseconds m_surveyTime{0};  ///< 0: what it takes
  bool m_ofPages =
      false;  ///< of a large store without levels: what is seen of it from afar takes reading most pages
  bool m_kept = false;  ///< levels above 0 are ShownParts::keptLevel's
  BrickGrid m_finest;
  int m_levelCount = 1;
  mutable CastTurns m_turns;  ///< of casts
  mutable std::vector<Level> m_levels;
  mutable Level m_overview;  ///< a first sight of large stores without levels
  mutable bool m_askedForOverview = false;
  bool m_isFirstSight = false;                          ///< the overview is all that is shown
  mutable std::unique_ptr<fields::PagesAhead> m_ahead;  ///< of the next step
  mutable std::vector<std::int64_t> m_bricksAhead;      ///< that it is for
  mutable int m_levelAhead = -1;
  mutable std::unique_ptr<DeviceCaster> m_device;
  mutable bool m_askedForDevice = false;
  mutable std::mutex m_knownMutex;  ///< held briefly; guards what follows
  std::shared_ptr<const scene::VolumeHistogram>
      m_histogram;  ///< the survey's, which opacities may follow from
  std::shared_ptr<const scene::VolumeHistogram>
      m_firstValues;               ///< of a first sight, as long as that is not known
  std::optional<double> m_border;  ///< the survey's
  double m_depth = INFINITY;       ///< the survey's
  std::shared_ptr<const scene::VolumeHistogram> m_nearlyAll;          ///< the survey's
  mutable std::map<int, std::unique_ptr<ValueCounts>> m_valueCounts;  ///< by level; null: it has none
  mutable ShownCounts m_counts;
};

}  // namespace farfield::volume
