#include "render/volume/shown_volume.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/fields/data/store_levels.h"
#include "core/paging/pages/coarse_levels.h"
#include "render/volume/cast_bands.h"
#include "render/volume/enhanced_bricks.h"
#include "render/volume/overview_bricks.h"
#include "render/volume/paged_bricks.h"
#include "render/volume/sampled_bricks.h"
#include "render/volume/stretched_bricks.h"
#include "render/volume/value_counts.h"

namespace farfield::volume {
namespace {

constexpr std::int64_t kMostCounted = 1 << 15;

/// The share of the available memory for bricks; the rest is for the pages that they are made from.
constexpr std::uint64_t kPoolShare = 2;
/// Pages of a store that are read and decoded within some hundredths of a second.
constexpr double kSoonPages = 256;

/// Of a picture that is written, what is cast before others have their turn takes about so long.
constexpr std::chrono::duration<double> kTurn{0.2}, kShortest{1e-3};
constexpr int kFirstTurnRows = 2 * kTileSide;

/// Of so many times as many rows, whole rows of tiles.
int rowsInTurn(int rows, double times) {
  const double tiles = std::floor(rows * std::min(times, 4.0) / kTileSide);
  return kTileSide * std::max(1, static_cast<int>(tiles));
}

std::size_t raysOf(const scene::VolumeCast& cast, int rows) {
  return static_cast<std::size_t>(cast.width) * static_cast<std::size_t>(rows);
}

scene::VolumeCast rowsOf(const scene::VolumeCast& cast, int first, int rows) {
  scene::VolumeCast part = cast;
  part.firstRow += first;
  part.rows = rows;
  for (std::span<const float>* const ends : {&part.from, &part.to})
    if (!ends->empty()) *ends = ends->subspan(raysOf(cast, first), raysOf(cast, rows));
  return part;
}

NotFound noLevel(int number) {
  return NotFound("there is no level " + std::to_string(number));
}

}  // namespace

struct ShownVolume::Sight {
  Sight(const scene::VolumeCast& cast, const BrickGrid& finestGrid)
      : stretch(cast.camera.stretch),
        camera(cast.camera, cast.width, cast.height),
        finest(stretched(finestGrid, stretch)),
        look(stretched(cast.look, stretch)) {}
  Vec3 stretch;
  RayCamera camera;
  BrickGrid finest;  ///< level 0
  scene::VolumeLook look;
};

ShownVolume::ShownVolume(ShownParts parts) : m_parts(std::move(parts)) {
  const paging::DatasetDescription& data = m_parts.data.description();
  m_sampled = !PagedBricks::canShow(data);
  if (m_sampled) {
    m_finest = SampledBricks::gridFor(data, m_parts.data.bounds(), m_parts.alongLongest);
    m_levelCount = SampledBricks::levelsOf(m_finest);
    m_counts.resampleNodes =
        static_cast<int>(*std::max_element(m_finest.nodes.begin(), m_finest.nodes.end()));
  } else {
    m_levelCount = std::max(1, paging::levelsSaid(data));
    std::unique_ptr<fields::OpenData> kept;
    if (m_levelCount == 1 && m_parts.keptLevel) kept = m_parts.keptLevel(1, m_parts.account);
    if (kept) {
      m_kept = true;
      m_levelCount = 1 + std::max(1, paging::levelsSaid(kept->description()));
    } else if (m_parts.watched && m_levelCount == 1) {
      m_ofPages = isLargeStore();
      if (m_ofPages) m_levelCount = fields::stridedLevelsOf(m_parts.data.data());
      if (m_parts.data.data().boxReader()) m_levelCount = paging::levelsOf(data, 0);
      m_strided = m_levelCount > 1;
    }
  }
  m_levels.resize(static_cast<std::size_t>(m_levelCount));
  if (!m_sampled) m_finest = levelAt(0).source->grid();
}

ShownVolume::~ShownVolume() = default;

void ShownVolume::hurry(std::chrono::milliseconds surveyTime) {
  m_surveyTime = std::max(surveyTime, std::chrono::milliseconds{1});
  if (m_sampled)
    m_levelCount = SampledBricks::levelsOf(m_finest, true);
  else if (m_strided && !m_ofPages)
    m_levelCount = paging::levelsOf(m_parts.data.description(), m_levelCount + 1);
  m_levels.resize(static_cast<std::size_t>(m_levelCount));
}

std::unique_ptr<BrickSource> ShownVolume::sourceAt(int number, std::int64_t step) const {
  if (m_sampled)
    return std::make_unique<SampledBricks>(m_parts.data, m_parts.function, step, m_finest, number,
                                           m_parts.scratchFolder, m_parts.scratchBytes);
  fields::PagedData* const paged = number == 0 ? &m_parts.data : m_parts.data.level(number);
  if (!paged) throw noLevel(number);
  return std::make_unique<PagedBricks>(*paged, m_parts.function, step, number);
}

ShownVolume::Level& ShownVolume::levelAt(int number) const {
  Level& level = m_levels[static_cast<std::size_t>(number)];
  if (!level.source) {
    if (m_kept && number > 0) {
      level.opened = m_parts.keptLevel(number, m_parts.account);
      if (!level.opened) throw noLevel(number);
      fields::PagedDataOptions options = m_parts.data.options();
      options.shareOfFree = 0.5;
      level.paged = std::make_unique<fields::PagedData>(*level.opened, m_parts.account, options);
      level.source = std::make_unique<PagedBricks>(*level.paged, m_parts.function, 0, number);
    } else {
      level.source = sourceAt(number, m_parts.step);
      if (m_parts.enhanceSince >= 0 && m_parts.enhance > 0)
        level.source = std::make_unique<EnhancedBricks>(
            std::move(level.source), sourceAt(number, m_parts.enhanceSince), m_parts.enhance);
    }
    if (m_parts.through) level.source = m_parts.through(std::move(level.source));
  }
  if (!level.pool)
    level.pool = std::make_unique<BrickPool>(*level.source, m_parts.account,
                                             m_parts.account.obtainableBytes() / kPoolShare);
  return level;
}

BrickSource& ShownVolume::seenIn(const Sight& sight, Level& level) const {
  if (sight.stretch == scene::kUnstretched) return *level.source;
  if (!level.stretched) level.stretched = std::make_unique<StretchedBricks>(*level.source);
  level.stretched->setStretch(sight.stretch);
  return *level.stretched;
}

/// `number`, or, of single samples, a finer level if the budget has no room to open that one: only what somebody watches may
/// depend on it.
int ShownVolume::affordable(int number) const {
  for (; m_strided && number > 0; --number) try {
      levelAt(number);
      break;
    } catch (const OverBudget&) {
      // the data themselves are open already
    }
  return number;
}

bool ShownVolume::isLargeStore() const {
  if (m_parts.data.data().boxReader()) return false;
  const paging::DatasetDescription& data = m_parts.data.description();
  std::uint64_t bytes = 0;
  for (const std::string& name : m_parts.function->arrays())
    if (const int array = data.find(0, name); array >= 0)
      bytes += static_cast<std::uint64_t>(product(data.blocks[0].dims) *
                                          data.arrays[static_cast<std::size_t>(array)].nodeBytes());
  return bytes > m_parts.smallBytes;
}

ShownVolume::Level* ShownVolume::overview() const {
  if (!std::exchange(m_askedForOverview, true)) try {
      m_overview.source =
          m_sampled ? OverviewBricks::makeOver(m_finest, m_parts.data, *m_parts.function, m_parts.step,
                                               m_parts.account)
                    : OverviewBricks::make(m_parts.data, *m_parts.function, m_parts.step, m_parts.account);
      if (m_overview.source)
        m_overview.pool = std::make_unique<BrickPool>(*m_overview.source, m_parts.account,
                                                      m_parts.account.obtainableBytes() / kPoolShare);
    } catch (const OverBudget&) {
      m_overview = {};
    }
  return m_overview.source ? &m_overview : nullptr;
}

/// Whether hardly anything has to be read for it.
bool ShownVolume::isSoon(int number, const Sight& sight, const CastJob& job) const {
  Level& level = m_levels[static_cast<std::size_t>(number)];
  if (level.onDevice) return true;
  if (!level.source || !level.pool) return false;
  CastJob its = job;
  BrickSource& source = seenIn(sight, level);
  its.stepLength = source.grid().finestEdge();
  const std::size_t missing = bricksMissing(source, *level.pool, m_parts.account, its);
  // pages of the data that lie in a brick of the level
  double pages = 1;
  const Index3& ofData = m_parts.data.description().arrays.front().layout.pagesPerAxis();
  for (std::size_t a = 0; a < 3; ++a)
    pages *= std::min(static_cast<double>(ofData[a]),
                      1 + static_cast<double>(std::int64_t{kBrickCells} << number) *
                              static_cast<double>(ofData[a]) / static_cast<double>(m_finest.nodes[a]));
  return static_cast<double>(missing) * pages <= kSoonPages;
}

/// While the view moves the coarsest that is there already, or -1: a first sight. When it stands still the coarsest
/// that serves, but one that stays in memory, so that there is something to turn.
int ShownVolume::levelOfPages(int number, bool soon, const Sight& sight, CastJob job) const {
  if (soon) {
    for (int finer = number; finer >= 0; --finer)
      if (isSoon(finer, sight, job)) return finer;
    return overview() ? -1 : number;
  }
  const std::size_t capacity = levelAt(number).pool->capacity();
  BrickGrid grid;
  for (; number + 1 < m_levelCount; ++number) {
    grid.nodes = paging::coarseDims(m_finest.nodes, number);
    if (2 * static_cast<std::uint64_t>(grid.brickCount()) <= capacity) break;
  }
  return affordable(number);
}

/// The next step's bricks are most likely those of this one.
void ShownVolume::askAhead(int number, const std::vector<std::int64_t>& bricks) const {
  if (m_sampled || (m_kept && number > 0)) return;
  const auto& source = static_cast<const PagedBricks&>(*levelAt(number).source);
  if (!source.data().asksAhead() || (m_ahead && m_levelAhead == number && m_bricksAhead == bricks)) return;
  m_ahead.reset();
  std::vector<paging::PageKey> pages;
  for (const std::int64_t brick : bricks) {
    const std::vector<paging::PageKey> its =
        source.pagesOf(unlinear(brick, source.grid().bricks()), m_parts.nextStep);
    pages.insert(pages.end(), its.begin(), its.end());
  }
  m_ahead = std::make_unique<fields::PagesAhead>(source.data(), std::move(pages),
                                                 m_parts.account.obtainableBytes() / kPoolShare);
  m_bricksAhead = bricks;
  m_levelAhead = number;
}

DeviceCaster* ShownVolume::device(const BrickSource& source) const {
  if (!std::exchange(m_askedForDevice, true) && m_parts.makeDevice)
    m_device = m_parts.makeDevice(source.format(), m_finest.brickCount(), m_parts.account);
  return m_device.get();
}

std::optional<bool> ShownVolume::castOnDevice(const Sight& sight, CastJob job, int number, bool whole,
                                              double samples, std::span<float> rgba, CastStats& stats) const {
  try {
    BrickSource& source = seenIn(sight, levelAt(number));
    if (!device(source)) return std::nullopt;
    // in motion, available bricks of the level are shown, and coarser ones elsewhere
    BrickSource* coarser = nullptr;
    const int behind = std::min(number + 2, m_levelCount - 1);
    if (!whole && !m_ofPages && behind > number) coarser = &seenIn(sight, levelAt(behind));
    job.stepLength = source.grid().finestEdge() / samples;
    const bool complete = m_device->cast(source, coarser, job, rgba, stats);
    const std::lock_guard known(m_knownMutex);
    m_counts.engine = m_device->engine();
    m_counts.device = m_device->device();
    m_counts.kernelSeconds = m_device->kernelSeconds();
    m_levels[static_cast<std::size_t>(number)].onDevice = true;
    return complete;
  } catch (const DeviceFailed& error) {
    if (m_parts.deviceFailed) m_parts.deviceFailed(error);
  } catch (const OverBudget& error) {
    // processors need less
    if (m_parts.deviceFailed) m_parts.deviceFailed(error);
  }
  m_device.reset();
  stats = {};
  return std::nullopt;
}

void ShownVolume::castOnProcessors(const Sight& sight, CastJob job, int number, bool whole, double samples,
                                   std::span<float> rgba, CastStats& stats) const {
  Level& level = levelAt(number);
  BrickSource& source = seenIn(sight, level);
  // coarser levels stay, for views in motion: they are small; finer ones make room for what is shown
  for (int finer = 0; whole && finer < number; ++finer)
    m_levels[static_cast<std::size_t>(finer)].pool.reset();
  job.stepLength = source.grid().finestEdge() / samples;
  if (ValueCounts* const counts = countsOf(number))
    job.brickRead = [counts](std::int64_t brick, const Brick& values) { counts->add(brick, values); };
  castInBands(source, level.pool, m_parts.account, job, rgba, stats, [&] { return letGoBeside(level); });
  const std::lock_guard known(m_knownMutex);
  m_counts.engine = "cpu";
  m_counts.device = marchTarget();
}

/// Memory of other levels may be all that is missing.
bool ShownVolume::letGoBeside(const Level& level) const {
  bool more = false;
  for (Level& other : m_levels)
    if (&other != &level && other.pool) other.pool.reset(), more = true;
  return more;
}

void ShownVolume::castOverview(const Sight& sight, Level& level, CastJob job, std::span<float> rgba,
                               CastStats& stats) const {
  BrickSource& source = seenIn(sight, level);
  job.stepLength = source.grid().finestEdge();
  castInBands(source, level.pool, m_parts.account, job, rgba, stats, [&] { return letGoBeside(level); });
  const std::lock_guard known(m_knownMutex);
  m_counts.engine = "cpu";
  m_counts.device = marchTarget();
}

CastJob ShownVolume::jobOf(const scene::VolumeCast& cast, const Sight& sight, const Bounds& part) const {
  CastJob job{.look = sight.look, .scale = cast.scale, .camera = sight.camera};
  job.firstRow = cast.firstRow;
  job.rows = cast.rows;
  job.from = cast.from;
  job.to = cast.to;
  if (!part.empty()) job.part = scene::stretched(part, sight.stretch);
  // where nobody says otherwise all of it stays as opaque as it was, on the whole
  job.unitLength = cast.look.unitLength.value_or(
      m_finest.finestEdge() * std::cbrt(sight.stretch.x * sight.stretch.y * sight.stretch.z));
  job.processors = m_parts.processors;
  job.stop = cast.stop.stop_possible() ? cast.stop : m_parts.stop;
  job.progress = cast.progress;
  return job;
}

void ShownVolume::loadPart(const scene::VolumeCast& cast, const Bounds& part) const {
  const std::lock_guard lock(m_turns);
  const Sight sight(cast, m_finest);
  Level& level = levelAt(levelToLoad(cast, sight));
  try {
    // it has bricks of its own, and asks for those that its rays miss
    if (device(*level.source)) return;
  } catch (const DeviceFailed& error) {
    if (m_parts.deviceFailed) m_parts.deviceFailed(error);
  } catch (const OverBudget& error) {
    if (m_parts.deviceFailed) m_parts.deviceFailed(error);
  }
  CastJob job = jobOf(cast, sight, part);
  BrickSource& source = seenIn(sight, level);
  job.stepLength = source.grid().finestEdge() / cast.look.samplesPerVoxel;
  CastStats stats;
  loadBricks(source, *level.pool, m_parts.account, job, stats);
  const std::lock_guard known(m_knownMutex);
  m_counts.casts.bricksRead += stats.bricksRead;
}

int ShownVolume::levelToLoad(const scene::VolumeCast& cast, const Sight& sight) const {
  return affordable(
      cast.look.pixelError ? levelFor(sight.finest, m_levelCount, sight.camera, *cast.look.pixelError) : 0);
}

void ShownVolume::streamPart(const scene::VolumeCast& cast, const Bounds& part, const Stream& stream) const {
  const std::lock_guard lock(m_turns);
  const Sight sight(cast, m_finest);
  const int number = levelToLoad(cast, sight);
  BrickSource& source = seenIn(sight, levelAt(number));
  CastJob job = jobOf(cast, sight, part);
  job.stepLength = source.grid().finestEdge() / cast.look.samplesPerVoxel;
  job.brickRead = stream.use;
  const std::int64_t bricks = source.grid().brickCount();
  streamBricks(
      source, m_parts.account, job, [&](std::int64_t brick) { return stream.wanted(brick, bricks); },
      [&](const std::vector<std::int64_t>& numbers) { stream.listed(number, numbers); });
}

/// Pictures that are written take long: who watches would see nothing new until then. Their rows are cast in whole rows of tiles, so that
/// they are the same, unless what they read does not stay in memory, and would be read for each part anew.
bool ShownVolume::castPart(const scene::VolumeCast& cast, const Bounds& part, std::span<float> rgba) const {
  const bool looks = !m_parts.watched || cast.stop.stop_possible();
  if (looks || cast.rows == 0) return castRows(cast, part, looks, rgba).isConverged;
  bool converged = true;
  int rows = kFirstTurnRows;
  std::uint64_t read = 0;
  for (int first = 0, count = 0; first < cast.rows; first += count) {
    count = std::min(rows, cast.rows - first);
    const CastRows done = castRows(rowsOf(cast, first, count), part, looks,
                                   rgba.subspan(raysOf(cast, 4 * first), raysOf(cast, 4 * count)));
    converged = converged && done.isConverged;
    const double times = kTurn / std::max<std::chrono::duration<double>>(done.took, kShortest);
    // More than there are: a view takes the memory each time it is its turn, and they are read again and again.
    read += done.bricksRead;
    rows = done.fits && read <= done.bricks ? rowsInTurn(count, times) : cast.rows;
  }
  return converged;
}

ShownVolume::CastRows ShownVolume::castRows(const scene::VolumeCast& cast, const Bounds& part, bool looks,
                                            std::span<float> rgba) const {
  if (looks)
    m_turns.look(cast.stop);
  else
    m_turns.write(m_parts.stop);
  const std::lock_guard lock(m_turns, std::adopt_lock);
  const auto start = std::chrono::steady_clock::now();
  const Sight sight(cast, m_finest);
  const auto level = [&](double pixelError) {
    return levelFor(sight.finest, m_levelCount, sight.camera, pixelError);
  };
  const int wanted = cast.look.pixelError ? level(*cast.look.pixelError) : 0;
  int number = wanted;
  double samples = cast.look.samplesPerVoxel;
  if (!cast.whole) {
    number = std::max(number, level(cast.look.pixelError.value_or(1)));
    samples = std::min(samples, 1.0);
  }
  CastJob job = jobOf(cast, sight, part);
  number = m_isFirstSight ? -1 : affordable(number);
  if (m_ofPages && !cast.whole) number = levelOfPages(number, cast.soon, sight, job);
  const bool isOverview = number < 0;
  if (cast.shown)
    *cast.shown = {isOverview ? m_levelCount - 1 : number, m_levelCount, m_strided && number > 0, isOverview};
  if (!isOverview && m_parts.nextStep >= 0 && m_parts.nextStep != m_parts.step)
    job.allRead = [this, number](const std::vector<std::int64_t>& bricks) { askAhead(number, bricks); };
  CastStats stats;
  bool converged =
      !m_isFirstSight && (cast.whole || (number == wanted && samples == cast.look.samplesPerVoxel));
  if (isOverview)
    castOverview(sight, m_overview, job, rgba, stats);
  else if (const auto complete = castOnDevice(sight, job, number, cast.whole, samples, rgba, stats))
    converged = converged && *complete;
  else
    castOnProcessors(sight, job, number, cast.whole, samples, rgba, stats);
  const std::lock_guard known(m_knownMutex);
  m_counts.casts.bricks += stats.bricks;
  m_counts.casts.bricksRead += stats.bricksRead;
  m_counts.casts.samples += stats.samples;
  m_counts.casts.waitSeconds += stats.waitSeconds;
  m_counts.level = isOverview ? m_levelCount - 1 : number;
  m_counts.converged = converged;
  const auto took = std::chrono::steady_clock::now() - start;
  m_counts.seconds += std::chrono::duration<double>(took).count();
  const BrickPool* const pool =
      isOverview ? m_overview.pool.get() : m_levels[static_cast<std::size_t>(number)].pool.get();
  const BrickSource* const source =
      isOverview ? m_overview.source.get() : m_levels[static_cast<std::size_t>(number)].source.get();
  const auto bricks = source ? static_cast<std::uint64_t>(source->grid().brickCount()) : UINT64_MAX;
  return {converged, !pool || stats.bricksRead < pool->capacity(), stats.bricksRead, bricks, took};
}

std::shared_ptr<const scene::VolumeHistogram> ShownVolume::surveyed() const {
  const std::lock_guard lock(m_knownMutex);
  return m_histogram;
}

std::shared_ptr<const scene::VolumeHistogram> ShownVolume::histogram() const {
  const std::lock_guard lock(m_knownMutex);
  const ValueCounts* best = nullptr;
  for (const auto& [number, counts] : m_valueCounts)
    if (counts && (counts->knowsRest() || counts->seen() >= static_cast<std::size_t>(kSurveyBricks)) &&
        (!best || counts->seen() > best->seen()))
      best = counts.get();
  return best ? std::make_shared<const scene::VolumeHistogram>(best->histogram()) : m_histogram;
}

/// Where somebody looks at the values; not of levels that have so many bricks that looking up their ranges takes longer than that.
ValueCounts* ShownVolume::countsOf(int number) const {
  const auto known = surveyed();
  if (!m_parts.watched || !known || !(known->range[0] < known->range[1])) return nullptr;
  {
    const std::lock_guard lock(m_knownMutex);
    const auto found = m_valueCounts.find(number);
    if (found != m_valueCounts.end()) return found->second.get();
  }
  const BrickSource& source = *levelAt(number).source;
  std::unique_ptr<ValueCounts> counts;
  try {
    if (source.grid().brickCount() <= kMostCounted)
      counts = std::make_unique<ValueCounts>(source, known->range, m_parts.account);
  } catch (const OverBudget&) {
    // the survey's stay
  }
  const std::lock_guard lock(m_knownMutex);
  return m_valueCounts.emplace(number, std::move(counts)).first->second.get();
}

ShownCounts ShownVolume::counts() const {
  std::unique_lock lock(m_knownMutex);
  ShownCounts counts = m_counts;
  const auto survey = m_histogram;
  lock.unlock();
  const std::unique_lock casts(m_turns, std::try_to_lock);
  if (!casts) return counts;
  if (m_ahead) {
    counts.pagesAhead = m_ahead->pages();
    counts.aheadIsDone = m_ahead->isDone();
  }
  if (!m_sampled) return counts;
  SampleError error;
  for (const Level& level : m_levels) {
    if (!level.source || level.source->grid().level != counts.level) continue;
    const auto* const sampled = dynamic_cast<const SampledBricks*>(level.source.get());
    if (!sampled) continue;  // it is hidden behind another
    error = sampled->error();
    counts.scratchBytes += sampled->fileBytes();
  }
  const double width = survey ? survey->range[1] - survey->range[0] : 0;
  if (error.places == 0 || !(width > 0)) return counts;
  counts.meanError = error.sum / static_cast<double>(error.places) / width;
  counts.mostError = error.most / width;
  return counts;
}

}  // namespace farfield::volume
