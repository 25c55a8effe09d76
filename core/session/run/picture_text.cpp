#include "core/session/run/picture_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "core/fields/words/dates.h"

namespace farfield::session {
namespace {

constexpr int kDigits = 6, kMostDigits = 15;

std::string rounded(double value, int digits = kDigits) {
  char text[64];
  // Seconds since 1970 are read more easily without a power of ten.
  const bool isWhole = digits > kDigits && std::abs(value) < 1e15 && value == std::round(value);
  if (isWhole)
    std::snprintf(text, sizeof text, "%.0f", value);
  else
    std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

/// That tell steps apart, and a tenth of what is between them.
int digitsOf(const std::vector<double>& times) {
  double most = 0, least = INFINITY;
  for (std::size_t n = 0; n < times.size(); ++n) {
    most = std::max(most, std::abs(times[n]));
    if (const double apart = n > 0 ? std::abs(times[n] - times[n - 1]) : 0; apart > 0)
      least = std::min(least, apart);
  }
  if (!(most > 0) || !std::isfinite(most) || !std::isfinite(least)) return kDigits;
  return std::clamp(static_cast<int>(std::ceil(std::log10(most / least))) + 2, kDigits, kMostDigits);
}

std::optional<std::string> valueOf(const std::string& name, const paging::DatasetDescription& data,
                                   std::int64_t step) {
  if (name == "step") return std::to_string(step);
  if (name == "time") {
    if (data.times.empty()) return rounded(static_cast<double>(step));
    return rounded(data.times[std::min<std::size_t>(static_cast<std::size_t>(step), data.times.size() - 1)],
                   digitsOf(data.times));
  }
  if (name == "date") {
    if (data.times.empty()) return std::to_string(step);
    return fields::saidTime(data, std::min(step, data.steps() - 1));
  }
  for (const std::string& key : {name + "." + std::to_string(step), name, name + ".0"}) {
    const auto found = data.attributes.find(key);
    if (found == data.attributes.end()) continue;
    char* end = nullptr;
    const double number = std::strtod(found->second.c_str(), &end);
    const bool isNumber = end != found->second.c_str() && *end == '\0';
    return isNumber ? rounded(number) : found->second;
  }
  return std::nullopt;
}

/// Calls `plain` with the parts of `text` between braces, and `named` with what stands in them, in their order.
template <class Plain, class Named>
void forEachPart(const std::string& text, const Plain& plain, const Named& named) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('{', at);
    const std::size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) return plain(text.substr(at));
    plain(text.substr(at, open - at));
    named(text.substr(open + 1, close - open - 1));
    at = close + 1;
  }
}

}  // namespace

std::string pictureText(const std::string& text, const paging::DatasetDescription& data, std::int64_t step) {
  return pictureText(text, data, step, data, step);
}

std::string pictureText(const std::string& text, const paging::DatasetDescription& data, std::int64_t step,
                        const paging::DatasetDescription& timed, std::int64_t timedStep) {
  std::string made;
  forEachPart(
      text, [&](const std::string& part) { made += part; },
      [&](const std::string& name) {
        const bool isOfTime = name == "step" || name == "time" || name == "date";
        const auto value = isOfTime ? valueOf(name, timed, timedStep) : valueOf(name, data, step);
        made += value.value_or('{' + name + '}');
      });
  return made;
}

std::vector<std::string> unknownTextNames(const std::string& text, const paging::DatasetDescription& data) {
  std::vector<std::string> unknown;
  forEachPart(
      text, [](const std::string&) {},
      [&](const std::string& name) {
        if (!valueOf(name, data, 0)) unknown.push_back(name);
      });
  return unknown;
}

std::vector<std::string> textNames(const paging::DatasetDescription& data) {
  constexpr std::size_t kLongest = 80;  // of what anybody would write over a picture
  std::vector<std::string> names{"step", "time", "date"};
  for (const auto& [key, value] : data.attributes) {
    std::string name = key;
    const std::size_t dot = name.rfind('.');
    const bool isOfStep =
        dot != std::string::npos && name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
    if (isOfStep) name.resize(dot);
    if (name.empty() || name.find_first_of(".{}") != std::string::npos || value.size() > kLongest) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace farfield::session
