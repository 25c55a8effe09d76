#include "core/session/kinds/volume/timed_volume.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <functional>
#include <thread>

#include "core/base/error.h"

namespace farfield::session {
namespace {

using Clock = TimedVolume::Clock;

/// A cast with one ray for so many pixels along each axis, through samples that are so many of its own pixels large; the last one
/// shows all that there is.
struct Pass {
  int divisor;
  double pixelError;
  bool whole;
};
constexpr std::array<Pass, 6> kPasses{
    {{16, 4, false}, {8, 2, false}, {4, 1, false}, {2, 1, false}, {1, 1, false}, {1, 1, true}}};
/// Of the time that is left, what a cast takes that others of the same picture follow.
constexpr double kShareOfLayer = 0.5;

/// A stop that comes at a certain time, or when `other` is requested.
class StopAt {
 public:
  StopAt(Clock::time_point when, const std::stop_token& other)
      : m_other(other, [this] { m_stop.request_stop(); }),
        m_thread([this, when](const std::stop_token& over) {
          std::unique_lock lock(m_mutex);
          m_changed.wait_until(lock, over, when, [] { return false; });
          if (!over.stop_requested()) m_stop.request_stop();
        }) {}
  std::stop_token token() const { return m_stop.get_token(); }

 private:
  std::stop_source m_stop;
  std::stop_callback<std::function<void()>> m_other;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::jthread m_thread;  ///< last: it uses the others
};

/// Adds the time of its life.
class Spending {
 public:
  explicit Spending(Clock::duration& sum) : m_sum(sum) {}
  ~Spending() { m_sum += Clock::now() - m_since; }
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;
  Clock::time_point since() const { return m_since; }

 private:
  Clock::duration& m_sum;
  const Clock::time_point m_since = Clock::now();
};

}  // namespace

/// A part of the picture with fewer pixels.
struct TimedVolume::Sketch {
  int width = 0, height = 0;   ///< of the whole picture
  int firstRow = 0, rows = 0;  ///< of the part
  std::vector<float> rgba, from, to;

  /// For the rows of `cast`, whose picture is `divisor` times as large.
  void resize(const scene::VolumeCast& cast, int divisor) {
    width = (cast.width + divisor - 1) / divisor;
    height = (cast.height + divisor - 1) / divisor;
    // Pixels are square, and as many times as large as the picture has fewer rows.
    const double scale = static_cast<double>(height) / cast.height;
    firstRow = std::clamp(static_cast<int>(std::floor(cast.firstRow * scale)) - 1, 0, height - 1);
    const int last = std::clamp(static_cast<int>(std::ceil((cast.firstRow + cast.rows) * scale)) + 1,
                                firstRow + 1, height);
    rows = last - firstRow;
    rgba.assign(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(rows), 0);
    shrink(cast, cast.from, from);
    shrink(cast, cast.to, to);
  }

  /// Of the pixel in the middle of each of the sketch's.
  void shrink(const scene::VolumeCast& cast, std::span<const float> rays, std::vector<float>& out) const {
    out.clear();
    if (rays.empty()) return;
    const double size = static_cast<double>(cast.height) / height;
    for (int y = firstRow; y < firstRow + rows; ++y) {
      const int row =
          std::clamp(static_cast<int>((y + 0.5) * size), cast.firstRow, cast.firstRow + cast.rows - 1);
      for (int x = 0; x < width; ++x) {
        const int column = std::clamp(static_cast<int>((x + 0.5 - 0.5 * width) * size + 0.5 * cast.width), 0,
                                      cast.width - 1);
        out.push_back(
            rays[static_cast<std::size_t>(row - cast.firstRow) * static_cast<std::size_t>(cast.width) +
                 static_cast<std::size_t>(column)]);
      }
    }
  }

  /// Linear between its pixels.
  void enlargeTo(const scene::VolumeCast& cast, std::span<float> out) const {
    const double scale = static_cast<double>(height) / cast.height;
    struct Mix {
      std::size_t low, high;
      float share;
    };
    const auto mixAt = [scale](double middle, int center, int size, int count) {
      const double at = std::clamp((middle - 0.5 * size) * scale + 0.5 * center - 0.5, 0.0, count - 1.0);
      const auto low = static_cast<std::size_t>(at);
      return Mix{low, std::min(low + 1, static_cast<std::size_t>(count - 1)),
                 static_cast<float>(at - static_cast<double>(low))};
    };
    std::vector<Mix> columns;
    for (int x = 0; x < cast.width; ++x) columns.push_back(mixAt(x + 0.5, width, cast.width, width));
    // between two rows of the sketch, which are short, and then between its columns
    std::vector<float> between(4 * static_cast<std::size_t>(width));
    float* to4 = out.data();
    for (int y = 0; y < cast.rows; ++y) {
      const Mix row = mixAt(cast.firstRow + y + 0.5, height, cast.height, height);
      const auto of = [&](std::size_t which) {
        const auto first = static_cast<std::size_t>(firstRow);
        const std::size_t within =
            std::clamp(which, first, first + static_cast<std::size_t>(rows) - 1) - first;
        return rgba.data() + 4 * within * static_cast<std::size_t>(width);
      };
      const float *const above = of(row.low), *const below = of(row.high);
      for (std::size_t n = 0; n < between.size(); ++n)
        between[n] = above[n] + row.share * (below[n] - above[n]);
      for (const Mix& column : columns) {
        const float *const left = &between[4 * column.low], *const right = &between[4 * column.high];
        for (std::size_t c = 0; c < 4; ++c) to4[c] = left[c] + column.share * (right[c] - left[c]);
        to4 += 4;
      }
    }
  }
};

void TimedVolume::beginPicture(const scene::Camera& camera) const {
  if (m_camera && *m_camera == camera) return;
  if (m_camera) m_spent = {};
  m_camera = camera;
}

/// Nothing where the budget has none: then there is only the picture itself, if there is time.
std::optional<MemoryClaim> TimedVolume::roomForSketches(const scene::VolumeCast& cast) const {
  // two with half the pixels along each axis, of four colours and two ends of the ray each
  const std::uint64_t pixels =
      static_cast<std::uint64_t>(cast.width / 2 + 1) * static_cast<std::uint64_t>(cast.rows / 2 + 4);
  try {
    return m_account.claim(Purpose::Results, 2 * pixels * 6 * sizeof(float), "first sights of a volume");
  } catch (const OverBudget&) {
    return std::nullopt;
  }
}

/// False where it was stopped.
bool TimedVolume::sketch(const scene::VolumeCast& cast, std::size_t pass, const std::stop_token& stop,
                         Sketch& out) const {
  out.resize(cast, kPasses[pass].divisor);
  scene::VolumeLook look = cast.look;
  look.pixelError = std::max(look.pixelError.value_or(1), kPasses[pass].pixelError);
  const scene::VolumeCast few{.look = look,
                              .scale = cast.scale,
                              .camera = cast.camera,
                              .width = out.width,
                              .height = out.height,
                              .firstRow = out.firstRow,
                              .rows = out.rows,
                              .from = out.from,
                              .to = out.to,
                              .whole = false,
                              .soon = pass == 0,
                              .stop = stop};
  try {
    m_volume->cast(few, out.rgba);
    return true;
  } catch (const Cancelled&) {
    return false;
  }
}

bool TimedVolume::cast(const scene::VolumeCast& cast, std::span<float> rgba) const {
  const std::lock_guard lock(m_mutex);
  beginPicture(cast.camera);
  const Clock::duration left = std::max<Clock::duration>(m_time - m_spent, {});
  const Spending spending(m_spent), casting(m_casting);
  // Of a picture in bands each has its part.
  const double share = static_cast<double>(cast.rows) / std::max(1, cast.height - cast.firstRow) *
                       (cast.soon ? kShareOfLayer : 1);
  const Clock::time_point end = spending.since() + std::chrono::duration_cast<Clock::duration>(share * left);
  std::fill(rgba.begin(), rgba.end(), 0.0f);
  m_wanted += kPasses.size();
  Sketch shown, next;
  Clock::duration enlarging{0};
  const std::optional<MemoryClaim> room = roomForSketches(cast);
  std::size_t done = 0;
  while (!room && kPasses[done].divisor > 1) ++done;
  std::stop_source both;
  const auto stopBoth = [&both] { both.request_stop(); };
  const std::stop_callback<std::function<void()>> ofRun(m_stop, stopBoth), ofCast(cast.stop, stopBoth);
  const auto enlarge = [&] {
    const Spending its(enlarging);
    if (shown.width > 0) shown.enlargeTo(cast, rgba);
  };
  for (; done < kPasses.size(); ++done) {
    const Pass pass = kPasses[done];
    // What is shown last has to be enlarged.
    const Clock::time_point until = end - enlarging;
    if (Clock::now() >= until) break;
    const StopAt stop(until, both.get_token());
    if (pass.divisor > 1) {
      if (!sketch(cast, done, stop.token(), next)) break;
      std::swap(shown, next);
      // the first one, to see how long that takes, and to have something
      if (shown.width > 0 && enlarging.count() == 0) enlarge();
      continue;
    }
    scene::VolumeCast all = cast;
    all.whole = pass.whole;
    all.stop = stop.token();
    try {
      m_volume->cast(all, rgba);
      shown.width = 0;  // it is in its place
    } catch (const Cancelled&) {
      break;
    }
  }
  if (both.stop_requested()) throw Cancelled();
  if (done > 1) enlarge();
  m_missing += kPasses.size() - done;
  return done == kPasses.size();
}

std::array<double, 2> TimedVolume::valueRange() {
  const std::lock_guard lock(m_mutex);
  const Spending spending(m_spent);
  return m_volume->valueRange();
}

std::vector<scene::OpacityPoint> TimedVolume::usualOpacity(std::array<double, 2> range) {
  const std::lock_guard lock(m_mutex);
  const Spending spending(m_spent);
  return m_volume->usualOpacity(range);
}

TimedVolume::Passes TimedVolume::passes() const {
  const std::lock_guard lock(m_mutex);
  return {m_wanted, m_missing};
}

VolumeCounts TimedVolume::counts() const {
  const std::lock_guard lock(m_mutex);
  VolumeCounts counts = m_volume->counts();
  counts.seconds = std::chrono::duration<double>(m_casting).count();
  counts.converged = counts.converged && m_missing == 0;
  return counts;
}

}  // namespace farfield::session
