#include "plugins/plot3d/plot3d_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/error.h"
#include "core/fields/words/bad_steps.h"

namespace farfield::plot3d {
namespace {

template <class T>
struct Choice {
  const char* word;
  T value;
};

/// The value that `options` give for `key`, if any.
template <class T, std::size_t N>
std::optional<T> choose(const Options& options, const std::string& key, const Choice<T> (&choices)[N]) {
  const auto found = options.find(key);
  if (found == options.end()) return std::nullopt;
  std::string words;
  for (const auto& choice : choices) {
    if (found->second == choice.word) return choice.value;
    words += (words.empty() ? "" : " or ") + std::string(choice.word);
  }
  throw Invalid("'" + found->second + "' is not a value of PLOT3D option " + key, "use " + words);
}

constexpr std::array<const char*, 7> kKeys = {"byteOrder", "markers",    "multiGrid", "precision",
                                              "iblank",    "dimensions", "layout"};

}  // namespace

std::string describe(const Index3& dims) {
  return std::to_string(dims[0]) + "x" + std::to_string(dims[1]) + "x" + std::to_string(dims[2]);
}

std::string describe(const std::vector<Index3>& dims) {
  std::string text = dims.size() == 1 ? "" : std::to_string(dims.size()) + " blocks, ";
  for (std::size_t b = 0; b < std::min<std::size_t>(dims.size(), 3); ++b)
    text += (b > 0 ? " + " : "") + describe(dims[b]);
  return dims.size() > 3 ? text + " + ..." : text;
}

std::string describeHead(const Format& format) {
  std::string text = format.byteOrder == ByteOrder::Little ? "little-endian" : "big-endian";
  text +=
      format.markerBytes == 0 ? ", no markers" : ", " + std::to_string(format.markerBytes) + "-byte markers";
  text += format.multiGrid ? ", multi grid" : ", single grid";
  if (format.dimensions == 2) text += ", 2-D";
  if (format.overflow) text += ", OVERFLOW";
  return text;
}

std::string describe(const Format& format, Content content) {
  std::string text = describeHead(format) + ", " + nameOf(format.precision);
  if (content == Content::Grid) text += format.iblank ? ", iblank" : ", no iblank";
  if (format.planes) text += ", planes";
  if (format.variables > 0) text += ", " + std::to_string(format.variables) + " variables";
  return text;
}

bool Overrides::allow(const Format& format, Content content) const {
  return byteOrder.value_or(format.byteOrder) == format.byteOrder &&
         markerBytes.value_or(format.markerBytes) == format.markerBytes &&
         multiGrid.value_or(format.multiGrid) == format.multiGrid &&
         precision.value_or(format.precision) == format.precision &&
         dimensions.value_or(format.dimensions) == format.dimensions &&
         planes.value_or(format.planes) == format.planes &&
         (content != Content::Grid || iblank.value_or(format.iblank) == format.iblank);
}

Overrides overridesFrom(const Options& options, const std::string& prefix) {
  constexpr Choice<bool> kTruth[] = {{"true", true}, {"false", false}};
  constexpr Choice<ByteOrder> kOrders[] = {{"little", ByteOrder::Little}, {"big", ByteOrder::Big}};
  constexpr Choice<int> kMarkers[] = {{"0", 0}, {"4", 4}, {"8", 8}};
  constexpr Choice<ScalarType> kPrecisions[] = {{"f32", ScalarType::F32}, {"f64", ScalarType::F64}};
  constexpr Choice<int> kDimensions[] = {{"2", 2}, {"3", 3}};
  constexpr Choice<bool> kLayouts[] = {{"whole", false}, {"planes", true}};
  Overrides overrides;
  overrides.byteOrder = choose(options, prefix + "byteOrder", kOrders);
  overrides.markerBytes = choose(options, prefix + "markers", kMarkers);
  overrides.multiGrid = choose(options, prefix + "multiGrid", kTruth);
  overrides.precision = choose(options, prefix + "precision", kPrecisions);
  overrides.iblank = choose(options, prefix + "iblank", kTruth);
  overrides.dimensions = choose(options, prefix + "dimensions", kDimensions);
  overrides.planes = choose(options, prefix + "layout", kLayouts);
  return overrides;
}

void checkKeys(const Options& options) {
  for (const auto& [key, value] : options) {
    if (key == "gamma" || key == "R" || key == "viscosity" || key == "times" || key == "firstTime" ||
        key == "timeStep")
      continue;
    if (key == "badSteps") {
      if (value != "number" && !fields::BadSteps::from(value))
        throw Invalid("must be one of stop, skip, number, or numbers of steps with commas between them")
            .at("badSteps");
      continue;
    }
    const std::string plain = key.starts_with("solution.") ? key.substr(9) : key;
    if (std::find(kKeys.begin(), kKeys.end(), plain) == kKeys.end())
      throw Invalid(
          "PLOT3D has no option '" + key + "'",
          "use byteOrder, markers, multiGrid, precision, iblank, dimensions, layout (for the solution with "
          "'solution.' in front), gamma, R, viscosity, times, firstTime, timeStep or badSteps");
  }
}

std::vector<double> timesFrom(const Options& options, std::size_t steps) {
  const auto numbers = [&](const std::string& key) {
    std::vector<double> values;
    const auto found = options.find(key);
    if (found == options.end()) return values;
    const std::string& text = found->second;
    constexpr const char* kBetween = "[], \t\n";
    for (std::size_t at = text.find_first_not_of(kBetween); at != std::string::npos;) {
      const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
      double value = 0;
      const auto [stop, status] = std::from_chars(text.data() + at, text.data() + end, value);
      if (status != std::errc() || stop != text.data() + end || !std::isfinite(value))
        throw Invalid("'" + text.substr(at, end - at) + "' is not a time", "give numbers, such as 0.5")
            .at(key);
      values.push_back(value);
      at = text.find_first_not_of(kBetween, end);
    }
    if (values.empty()) throw Invalid("there is no number in it", "give numbers, such as 0.5").at(key);
    return values;
  };
  const auto one = [&](const std::string& key, double otherwise) {
    const std::vector<double> values = numbers(key);
    if (values.size() > 1) throw Invalid("it has several numbers", "give one").at(key);
    return values.empty() ? otherwise : values.front();
  };
  std::vector<double> times = numbers("times");
  const double first = one("firstTime", 0), each = one("timeStep", options.contains("firstTime") ? 1 : 0);
  const bool counted = options.contains("firstTime") || options.contains("timeStep");
  if (counted && !times.empty())
    throw Invalid("times are given twice", "give either a list or firstTime and timeStep").at("times");
  if (counted && !(each > 0))
    throw Invalid("is not above 0", "give the time between two steps").at("timeStep");
  if (!times.empty() && times.size() != steps)
    throw Invalid(
        "there are " + std::to_string(times.size()) + " times for " + std::to_string(steps) + " steps",
        "give one for each, or firstTime and timeStep")
        .at("times");
  for (std::size_t n = 0; counted && n < steps; ++n) times.push_back(first + static_cast<double>(n) * each);
  return times;
}

}  // namespace farfield::plot3d
