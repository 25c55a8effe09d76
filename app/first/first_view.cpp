#include "app/first/first_view.h"

#include <algorithm>
#include <cctype>

#include "core/scene/camera.h"

namespace farfield::app {
namespace {

/// What is longer beside its height is seen as a line.
constexpr double kLong = 50;
/// Where units differ there are no proportions to keep: as much as fillingStretch() leaves as it is.
constexpr double kLongInOtherUnits = 5;
/// A sheet has no height to stretch.
constexpr double kThin = 1e-6;

/// What a number of an axis is of: degrees are degrees, to the east and to the north.
std::string unitsAlong(const DataSummary& data, int axis) {
  const auto found = data.description.attributes.find("axisUnits." + std::string(1, "xyz"[axis]));
  if (found == data.description.attributes.end()) return {};
  std::string lower = found->second;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower.starts_with("degree") ? "degrees" : found->second;
}

/// One layer of cells of something flat: there is nothing to see in its height.
bool isOneLayer(const DataSummary& data) {
  const auto& blocks = data.description.blocks;
  return std::all_of(blocks.begin(), blocks.end(), [](const paging::BlockDescription& block) {
    return !block.isUnstructured() && *std::min_element(block.dims.begin(), block.dims.end()) <= 2;
  });
}

}  // namespace

std::optional<UnevenSides> unevenSides(const DataSummary& data, const Bounds& bounds) {
  if (bounds.empty() || isOneLayer(data)) return std::nullopt;
  const Vec3 size = bounds.max - bounds.min;
  UnevenSides sides;
  for (int axis = 1; axis < 3; ++axis) {
    if (size[axis] > size[sides.longest]) sides.longest = axis;
    if (size[axis] < size[sides.shortest]) sides.shortest = axis;
  }
  const double longest = size[sides.longest], shortest = size[sides.shortest];
  if (!(shortest > kThin * longest)) return std::nullopt;
  sides.times = longest / shortest;
  const std::string units = unitsAlong(data, sides.longest), others = unitsAlong(data, sides.shortest);
  if (!units.empty() && !others.empty() && units != others) {
    sides.longestUnits = units;
    sides.shortestUnits = others;
  }
  if (sides.differ() ? sides.times <= kLongInOtherUnits : sides.times < kLong) return std::nullopt;
  return sides;
}

std::optional<session::AutoCamera> firstView(const DataSummary& data) {
  if (data.bounds.empty()) return std::nullopt;
  const Vec3 size = data.bounds.max - data.bounds.min;
  const double thin = kThin * std::max({size.x, size.y, size.z});
  if (size.z <= thin) return session::AutoCamera{{0, 0, 1}, {0, 1, 0}};
  if (size.y <= thin) return session::AutoCamera{{0, -1, 0}, {0, 0, 1}};
  if (size.x <= thin) return session::AutoCamera{{1, 0, 0}, {0, 0, 1}};
  const auto sides = unevenSides(data, data.bounds);
  if (!sides || !sides->differ()) return std::nullopt;
  session::AutoCamera camera;
  camera.stretch = scene::fillingStretch(data.bounds);
  return camera;
}

std::map<std::string, std::string> optionsAtFirst(const DataSummary& data) {
  std::map<std::string, std::string> options;
  for (const fields::ReadingChoice& choice : data.choices)
    if (choice.atFirst) options[choice.option] = choice.values[*choice.atFirst].value;
  return options;
}

}  // namespace farfield::app
