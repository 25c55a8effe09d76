#include "core/session/session.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/overloaded.h"
#include "core/base/units.h"

namespace farfield::session {
namespace {

std::int64_t resolveStep(std::int64_t step, std::int64_t count) {
  const std::int64_t resolved = step < 0 ? step + count : step;
  if (resolved < 0 || resolved >= count) {
    throw Invalid(
        "step " + std::to_string(step) + " is not there",
        count == 1 ? "the data have one step, 0"
                   : "the data have " + std::to_string(count) + " steps, 0 to " + std::to_string(count - 1))
        .at("time.steps");
  }
  return resolved;
}

/// Whole numbers without an exponent: readers take them for counts.
std::string asOption(double number) {
  constexpr double kMostWhole = 9007199254740992;  // 2^53: below it all whole numbers are themselves
  const bool isWhole = std::abs(number) < kMostWhole && number == std::trunc(number);
  return isWhole ? std::to_string(static_cast<std::int64_t>(number)) : formatNumber(number);
}

}  // namespace

std::string textOf(const OptionValue& value) {
  return std::visit(Overloaded{[](bool b) -> std::string { return b ? "true" : "false"; },
                               [](double d) { return asOption(d); }, [](const std::string& s) { return s; }},
                    value);
}

std::vector<std::int64_t> TimeSelection::stepsOf(std::int64_t stepCount) const {
  const std::int64_t first = resolveStep(steps.first, stepCount), last = resolveStep(steps.last, stepCount);
  if (last < first) throw Invalid("the last step comes before the first").at("time.steps");
  std::vector<std::int64_t> result;
  for (std::int64_t step = first; step <= last; step += stride) {
    result.push_back(step);
    if (last - step < stride) break;
  }
  return result;
}

const DataSource* Session::find(const std::string& dataName) const {
  const auto found =
      std::find_if(data.begin(), data.end(), [&](const DataSource& d) { return d.name == dataName; });
  return found == data.end() ? nullptr : &*found;
}

std::string Session::resolve(const std::string& written) const {
  if (written.find("://") != std::string::npos) return written;
  const std::filesystem::path path(written);
  return path.is_absolute() || baseFolder.empty() ? written : (baseFolder / path).lexically_normal().string();
}

}  // namespace farfield::session
