// What values a volume has: how a first sight, and the bricks that are read to find out, tell it.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/tasks/scheduler.h"
#include "render/volume/cell_thickness.h"
#include "render/volume/overview_bricks.h"
#include "render/volume/sampled_bricks.h"
#include "render/volume/shown_volume.h"
#include "render/volume/stretched_bricks.h"

namespace farfield::volume {
namespace {

constexpr std::size_t kBins = 256;
constexpr double kNearlyAll = 0.9;

double valueIn(const Brick& brick, std::size_t at) {
  const std::byte* const data = brick.data();
  const BrickFormat& format = brick.format();
  double raw = 0;
  switch (format.type) {
    case BrickType::U8:
      raw = reinterpret_cast<const std::uint8_t*>(data)[at];
      break;
    case BrickType::U16:
      raw = reinterpret_cast<const std::uint16_t*>(data)[at];
      break;
    case BrickType::F32:
      raw = static_cast<double>(reinterpret_cast<const float*>(data)[at]);
      break;
  }
  return raw * format.factor + format.offset;
}

template <class Visit>
void eachValue(const Brick& brick, Visit visit) {
  const Index3& cells = brick.cells();
  for (std::int64_t k = 1; k <= cells[2] + 1; ++k)
    for (std::int64_t j = 1; j <= cells[1] + 1; ++j)
      for (std::int64_t i = 1; i <= cells[0] + 1; ++i) {
        const double value = valueIn(brick, static_cast<std::size_t>(i + kBrickSide * (j + kBrickSide * k)));
        if (std::isfinite(value)) visit(value);
      }
}

/// The nodes of `brick`, at `at` of `grid`, that lie in a face of the volume.
template <class Visit>
void eachBorderValue(const Brick& brick, const Index3& at, const BrickGrid& grid, Visit visit) {
  const Index3& cells = brick.cells();
  const auto isBorder = [&](int axis, std::int64_t node) {
    const auto a = static_cast<std::size_t>(axis);
    return (at[a] == 0 && node == 1) || (at[a] + 1 == grid.bricks()[a] && node == cells[a] + 1);
  };
  for (std::int64_t k = 1; k <= cells[2] + 1; ++k)
    for (std::int64_t j = 1; j <= cells[1] + 1; ++j)
      for (std::int64_t i = 1; i <= cells[0] + 1; ++i) {
        if (!isBorder(0, i) && !isBorder(1, j) && !isBorder(2, k)) continue;
        const double value = valueIn(brick, static_cast<std::size_t>(i + kBrickSide * (j + kBrickSide * k)));
        if (std::isfinite(value)) visit(value);
      }
}

/// Nodes with a value, and cells between nodes that all have one, which alone are seen: of a body that is thinner than samples are apart
/// there are hardly any. And how often the body begins along each axis.
struct Filled {
  std::uint64_t nodes = 0, cells = 0;
  std::array<std::uint64_t, 3> begins{};
  void add(const Brick& brick) {
    const Index3& size = brick.cells();
    const auto isThere = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
      return std::isfinite(valueIn(brick, static_cast<std::size_t>(i + kBrickSide * (j + kBrickSide * k))));
    };
    for (std::int64_t k = 1; k <= size[2]; ++k)
      for (std::int64_t j = 1; j <= size[1]; ++j)
        for (std::int64_t i = 1; i <= size[0]; ++i) {
          if (!isThere(i, j, k)) continue;
          ++nodes;
          bool all = true;
          for (int corner = 1; all && corner < 8; ++corner)
            all = isThere(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
          cells += all;
          // beyond the volume the last node is repeated: there it is its box that ends
          begins[0] += !isThere(i - 1, j, k);
          begins[1] += !isThere(i, j - 1, k);
          begins[2] += !isThere(i, j, k - 1);
        }
  }
  /// How long rays are in the body at a time, on average over directions: without end where it fills its box.
  double depth(const Vec3& spacing) const {
    double perLength = 0;
    for (int axis = 0; axis < 3; ++axis)
      perLength += static_cast<double>(begins[static_cast<std::size_t>(axis)]) /
                   (static_cast<double>(std::max<std::uint64_t>(1, nodes)) * spacing[axis]);
    return 3 / perLength;
  }
  bool isCrumbs() const {
    constexpr double kHardlyAny = 0.1;
    return nodes == 0 || static_cast<double>(cells) < kHardlyAny * static_cast<double>(nodes);
  }
};

/// The middle of the interval of `range` that nearly all of what was counted lies in, where there is one.
std::optional<double> nearlyAll(const std::vector<std::uint64_t>& counts,
                                const std::array<double, 2>& range) {
  std::uint64_t all = 0;
  for (const std::uint64_t count : counts) all += count;
  const auto most = std::max_element(counts.begin(), counts.end());
  if (all == 0 || static_cast<double>(*most) < kNearlyAll * static_cast<double>(all)) return std::nullopt;
  const double place =
      (static_cast<double>(most - counts.begin()) + 0.5) / static_cast<double>(counts.size());
  return range[0] + place * (range[1] - range[0]);
}

/// The values that are `wanted`, between the least and the greatest of them.
template <class Wanted>
scene::VolumeHistogram valuesWhere(const std::vector<std::unique_ptr<Brick>>& bricks, Wanted wanted) {
  scene::VolumeHistogram found{{INFINITY, -INFINITY}, std::vector<std::uint64_t>(kBins)};
  const auto each = [&](auto visit) {
    for (const auto& brick : bricks)
      eachValue(*brick, [&](double value) {
        if (wanted(value)) visit(value);
      });
  };
  auto& [least, greatest] = found.range;
  each([&](double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  });
  const double width = greatest - least;
  each([&](double value) {
    const double place = width > 0 ? (value - least) / width : 0;
    ++found.counts[static_cast<std::size_t>(std::clamp(place * kBins, 0.0, kBins - 1.0))];
  });
  return found;
}

/// The counts of values within `range`, in as many intervals of it.
std::vector<std::uint64_t> countsWithin(const scene::VolumeHistogram& histogram,
                                        const std::array<double, 2>& range) {
  std::vector<std::uint64_t> counts(histogram.counts.size());
  const auto bins = static_cast<double>(counts.size());
  const double width = (histogram.range[1] - histogram.range[0]) / bins;
  for (std::size_t n = 0; n < histogram.counts.size(); ++n) {
    const double middle = histogram.range[0] + (static_cast<double>(n) + 0.5) * width;
    const double place = (middle - range[0]) / (range[1] - range[0]) * bins;
    if (place >= 0 && place < bins) counts[static_cast<std::size_t>(place)] += histogram.counts[n];
  }
  return counts;
}

/// Tells `progress` of the samples that are taken while it lives.
class CountedSamples {
 public:
  CountedSamples(SampledBricks& bricks, std::size_t all, const ShownVolume::Progress& progress)
      : m_bricks(bricks) {
    bricks.setSampled([this, all, &progress](std::size_t more) {
      const std::lock_guard lock(m_mutex);
      m_taken += more;
      progress(std::min(m_taken, all), all);
    });
  }
  ~CountedSamples() { m_bricks.setSampled({}); }
  CountedSamples(const CountedSamples&) = delete;
  CountedSamples& operator=(const CountedSamples&) = delete;

 private:
  SampledBricks& m_bricks;
  std::mutex m_mutex;
  std::size_t m_taken = 0;
};

}  // namespace

/// What is looked through, and who is told.
struct ShownVolume::Surveying {
  BrickSource& source;
  std::optional<paging::ValueRange> whole;  ///< of all values, where it is known
  Progress progress = {};
  std::stop_token stop = {};
};

ShownVolume::Surveying ShownVolume::surveying(int number) const {
  BrickSource& source = *levelAt(number).source;
  return {source, levelAt(0).source->wholeRange()};
}

/// Of some bricks of a level all over the volume, or, where `limit` is not 0, of those of them that are read by then.
ShownVolume::Survey ShownVolume::surveyOf(const Surveying& what, std::chrono::milliseconds limit) const {
  const auto began = std::chrono::steady_clock::now();
  Survey survey;
  survey.seen = std::make_shared<scene::VolumeHistogram>();
  survey.seen->range = {INFINITY, -INFINITY};
  survey.seen->counts.resize(kBins);
  BrickSource& source = what.source;
  const std::int64_t count = source.grid().brickCount(), most = std::min(count, kSurveyBricks);
  const auto bytes = static_cast<std::uint64_t>(most) * Brick::bytesOf(source.format());
  // Whoever reads them needs stacks beside.
  MemoryClaim claim = m_parts.account.claim(
      Purpose::Work,
      bytes + tasks::stackBytesOf({.processors = m_parts.processors, .workersPerProcessor = 1}),
      "seeing which values the volume has");
  claim.shrink(bytes);
  std::vector<std::unique_ptr<Brick>> bricks(static_cast<std::size_t>(most));
  std::vector<std::int64_t> numbers;
  std::vector<std::uint8_t> isRead(static_cast<std::size_t>(most));
  std::size_t samples = 0;
  for (std::int64_t n = 0; n < most; ++n) {
    // one in the middle of each of as many equal parts
    numbers.push_back((2 * n + 1) * count / (2 * most));
    const Index3 cells = source.grid().cellsOf(unlinear(numbers.back(), source.grid().bricks()));
    samples += static_cast<std::size_t>((cells[0] + 3) * (cells[1] + 3) * (cells[2] + 3));
  }
  tasks::TaskGroup group;
  group.name = "volume";
  group.count = bricks.size();
  group.admission = source.admission();
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    const Index3 at = unlinear(numbers[n], source.grid().bricks());
    bricks[n] = std::make_unique<Brick>(source.format(), source.grid().cellsOf(at));
    source.read(at, context, *bricks[n]);
    isRead[n] = 1;
  };
  group.timeBudget = limit;
  // A brick of samples takes so long that its rows are counted.
  std::optional<CountedSamples> counted;
  if (auto* const sampled = what.progress ? dynamic_cast<SampledBricks*>(&source) : nullptr)
    counted.emplace(*sampled, samples, what.progress);
  else
    group.progress = what.progress;
  survey.isWhole = source.makeScheduler()->run(group, what.stop).finished == group.count;
  counted.reset();
  std::vector<std::int64_t> readNumbers;
  for (std::size_t n = 0; n < bricks.size(); ++n)
    if (isRead[n])
      readNumbers.push_back(numbers[n]);
    else
      bricks[n].reset();
  std::erase(bricks, nullptr);
  std::array<double, 2>& range = survey.seen->range;
  for (const auto& brick : bricks)
    eachValue(*brick, [&](double value) {
      range[0] = std::min(range[0], value);
      range[1] = std::max(range[1], value);
    });
  if (what.whole) range = {what.whole->min, what.whole->max};
  if (!(range[0] <= range[1])) range = {0, 1};
  const double width = range[1] - range[0];
  const auto binOf = [&](double value) {
    const double place = width > 0 ? (value - range[0]) / width : 0;
    return static_cast<std::size_t>(std::clamp(place * kBins, 0.0, kBins - 1.0));
  };
  std::vector<std::uint64_t> border(kBins);
  for (std::size_t n = 0; n < bricks.size(); ++n) {
    eachValue(*bricks[n], [&](double value) { ++survey.seen->counts[binOf(value)]; });
    eachBorderValue(*bricks[n], unlinear(readNumbers[n], source.grid().bricks()), source.grid(),
                    [&](double value) { ++border[binOf(value)]; });
  }
  survey.border = nearlyAll(border, range);
  if (nearlyAll(survey.seen->counts, range)) {
    const auto& counts = survey.seen->counts;
    const auto commonest =
        static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    survey.nearlyAll = std::make_shared<scene::VolumeHistogram>(
        valuesWhere(bricks, [&](double value) { return binOf(value) == commonest; }));
  }
  if (m_sampled) {
    Filled filled;
    for (const auto& brick : bricks) filled.add(*brick);
    survey.isCrumbs = source.grid().level == 0 && filled.isCrumbs();
    survey.depth = filled.depth(source.grid().spacing);
  }
  survey.perBrick = (std::chrono::steady_clock::now() - began) / std::max<std::int64_t>(1, most);
  return survey;
}

/// The level whose bricks say what values there are: the coarsest that still has as many.
int ShownVolume::levelToSurvey() const {
  // Who has little time sees the same as others where it is enough.
  if (m_ofPages || (m_strided && m_surveyTime.count() > 0)) return 0;
  int number = affordable(m_levelCount - 1);
  while (number > 0 && levelAt(number).source->grid().brickCount() < 8) number = affordable(number - 1);
  return number;
}

bool ShownVolume::firstSight() {
  const std::lock_guard lock(m_turns);
  if (!m_sampled || !m_parts.watched || surveyed() || !overview()) return false;
  const auto& seen = static_cast<const OverviewBricks&>(*m_overview.source);
  m_isFirstSight = true;
  const std::lock_guard known(m_knownMutex);
  m_firstValues = std::make_shared<const scene::VolumeHistogram>(seen.values());
  return true;
}

void ShownVolume::survey(const Progress& progress, const std::stop_token& stop) {
  std::unique_lock lock(m_turns);
  if (surveyed()) return;
  Surveying what = surveying(levelToSurvey());
  what.progress = progress;
  what.stop = stop;
  // Whoever sees the overview needs none of what is read now.
  if (m_isFirstSight) lock.unlock();
  Survey found = surveyOf(what, m_surveyTime);
  const double thickness = thicknessOfFine(stop);
  if (!lock.owns_lock()) lock.lock();
  if (std::exchange(m_isFirstSight, false)) {
    m_overview.stretched.reset();
    m_overview.pool.reset();
    m_overview.source.reset();
  }
  const std::lock_guard known(m_knownMutex);
  m_histogram = std::move(found.seen);
  m_border = found.border;
  m_depth = found.depth;
  m_nearlyAll = std::move(found.nearlyAll);
  m_counts.isCrumbs = found.isCrumbs;
  if (thickness > 0) m_counts.timesCoarser = m_finest.finestEdge() / thickness;
  m_firstValues.reset();
}

/// Of cells, for who watches how they are sampled; 0: not known.
double ShownVolume::thicknessOfFine(const std::stop_token& stop) const {
  if (!m_sampled || !m_parts.watched) return 0;
  try {
    return thicknessOfFineCells(m_parts.data, *m_parts.function, m_parts.step, m_parts.account, stop);
  } catch (const OverBudget&) {
    return 0;  // nothing is shown otherwise for it
  }
}

/// What there is to choose colours and opacities by; where there is nothing it is read.
std::shared_ptr<const scene::VolumeHistogram> ShownVolume::seenValues() {
  const auto known = [this] {
    const std::lock_guard guard(m_knownMutex);
    return m_histogram ? m_histogram : m_firstValues;
  };
  if (auto values = known()) return values;
  if (m_surveyTime.count() == 0) {
    survey({}, {});
    return surveyed();
  }
  const std::lock_guard lock(m_turns);
  if (auto values = known()) return values;
  const std::chrono::milliseconds time = m_surveyTime;
  const auto began = std::chrono::steady_clock::now();
  Survey found = surveyOf(surveying(affordable(m_levelCount - 1)), time);
  const auto left = time - (std::chrono::steady_clock::now() - began);
  if (found.isWhole && kSurveyBricks * found.perBrick < left) {
    Survey finer = surveyOf(surveying(levelToSurvey()), std::chrono::ceil<std::chrono::milliseconds>(left));
    if (finer.isWhole) found = std::move(finer);
  }
  const std::lock_guard guard(m_knownMutex);
  m_histogram = std::move(found.seen);
  m_border = found.border;
  m_depth = found.depth;
  m_nearlyAll = std::move(found.nearlyAll);
  return m_histogram;
}

std::array<double, 2> ShownVolume::valueRange() {
  return seenValues()->range;
}

std::vector<scene::OpacityPoint> ShownVolume::usualOpacity(std::array<double, 2> range) {
  const auto seen = seenValues();
  const Bounds box = m_finest.bounds();
  const double across =
      std::cbrt((box.max.x - box.min.x) * (box.max.y - box.min.y) * (box.max.z - box.min.z));
  std::unique_lock known(m_knownMutex);
  // A third of what is crossed is nearly opaque where values are greatest; of a body that is thinner than that, all of it.
  const bool isThin = 3 * m_depth < across;
  const double depth = m_depth / m_finest.finestEdge();
  const double crossing = isThin ? 3 * depth : across / m_finest.finestEdge();
  const std::optional<double> border = m_border;
  const auto nearlyAll = m_nearlyAll;
  known.unlock();
  const auto counts = range == seen->range ? seen->counts : countsWithin(*seen, range);
  auto points = automaticOpacity(range[0], range[1], counts, crossing, border, nearlyAll.get());
  if (!isThin) return points;
  // Nothing lies around it: what most of it has is no background, but a mist, as a body of one value is.
  const double mist = automaticOpacity(range[0], range[0], {}, depth).front().opacity;
  for (scene::OpacityPoint& point : points) point.opacity = std::max(point.opacity, mist);
  return points;
}

}  // namespace farfield::volume
