#include "plugins/plot3d/plot3d_format.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"

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
    if (key == "gamma" || key == "R" || key == "viscosity") continue;
    if (key == "badSteps") {
      if (value != "stop" && value != "skip" && value != "number")
        throw Invalid("must be one of stop, skip, number").at("badSteps");
      continue;
    }
    const std::string plain = key.starts_with("solution.") ? key.substr(9) : key;
    if (std::find(kKeys.begin(), kKeys.end(), plain) == kKeys.end())
      throw Invalid(
          "PLOT3D has no option '" + key + "'",
          "use byteOrder, markers, multiGrid, precision, iblank, dimensions, layout (for the solution with "
          "'solution.' in front), gamma, R, viscosity or badSteps");
  }
}

}  // namespace farfield::plot3d
