#include "core/session/run/particles/release_times.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/session/session.h"

namespace farfield::session {
namespace {

constexpr double kRoundingOfTimes = 1e-9;  // of `every`
/// Each time is kept, before anything knows how much memory that takes.
constexpr double kMostReleases = 1 << 22;

}  // namespace

std::vector<double> releaseTimes(const Release& release, bool everyStep, std::span<const double> times,
                                 std::span<const std::int64_t> chosen) {
  const auto timeOf = [&](std::int64_t step) { return times[static_cast<std::size_t>(step)]; };
  const double last = timeOf(chosen.back());
  std::vector<double> releases;
  if (const auto* const regular = std::get_if<ReleaseTimes>(&release)) {
    if (regular->from < times.front())
      throw Invalid("the data begin at " + formatNumber(times.front()), "release particles from then on")
          .at("release.from");
    const double end = std::min(regular->to + kRoundingOfTimes * regular->every, last);
    if ((end - regular->from) / regular->every >= kMostReleases)
      throw Invalid("particles are released more than " + formatNumber(kMostReleases) + " times",
                    "release them less often")
          .at("release.every");
    for (std::int64_t n = 0;; ++n) {
      const double time = regular->from + static_cast<double>(n) * regular->every;
      if (!(time <= end)) break;
      releases.push_back(time);
    }
  } else if (const auto* const steps = std::get_if<ReleaseSteps>(&release)) {
    const TimeSelection selection{steps->steps, steps->stride};
    try {
      for (const std::int64_t step : selection.stepsOf(static_cast<std::int64_t>(times.size())))
        if (timeOf(step) <= last) releases.push_back(timeOf(step));
    } catch (const Error& error) {
      throw Invalid(error.message(), "release particles at steps of the data").at("release.steps");
    }
  } else {
    for (std::int64_t step = chosen.front(); step <= (everyStep ? chosen.back() : chosen.front()); ++step)
      releases.push_back(timeOf(step));
  }
  if (releases.empty()) {
    NothingYet error("no particle is released up to the last step, at " + formatNumber(last),
                     "release particles earlier, or choose later steps");
    error.at("release");
    throw error;
  }
  return releases;
}

}  // namespace farfield::session
