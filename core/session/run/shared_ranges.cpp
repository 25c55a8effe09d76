#include "core/session/run/shared_ranges.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "core/base/float_digits.h"
#include "core/session/shown_volume.h"

namespace farfield::session {
namespace {

/// Of a logarithmic scale without a lower end of its own.
constexpr double kDecades = 1e-4;
constexpr double kGreatestOfNone = 1;
/// How much below the usual values the least may lie before it is left out.
constexpr double kFarBelow = 1e-2;
/// Between two neighbours of six digits, beside them.
constexpr double kSixDigits = 1e-5;

/// Of values that are all 0 or less.
bool isOfNone(const scene::ColorScale& scale) {
  return scale.logarithmic && scale.reachesDown && scale.max == kGreatestOfNone &&
         scale.min == kDecades * kGreatestOfNone;
}

}  // namespace

double leastOfLogarithms(double greatest) {
  return kDecades * greatest;
}

void setRange(scene::ColorScale& scale, std::array<double, 2> range) {
  scale.reachesDown = scale.logarithmic && !(range[0] > 0);
  if (scale.reachesDown) {
    if (!(range[1] > 0)) range[1] = kGreatestOfNone;
    range[0] = leastOfLogarithms(range[1]);
    // of numbers so small that there is nothing below
    if (!(range[0] > 0)) range[0] = range[1];
  }
  scale.min = range[0];
  scale.max = range[1];
}

void beginAtUsual(scene::ColorScale& scale, double usual) {
  const double least = kFarBelow * usual;
  if (!scale.logarithmic || scale.reachesDown || scale.min >= least || !(least < scale.max)) return;
  scale.min = least;
  scale.reachesDown = true;
}

std::optional<double> oneValueOf(std::array<double, 2> range, const Object& object) {
  if (isOneFloat(range[0], range[1])) return 0.5 * range[0] + 0.5 * range[1];
  const auto* const surface = std::get_if<Isosurface>(&object.shape);
  if (!surface || surface->values.size() != 1) return std::nullopt;
  const double value = surface->values.front(), most = kSixDigits * std::abs(value);
  if (std::abs(range[0] - value) <= most && std::abs(range[1] - value) <= most) return value;
  return std::nullopt;
}

void shareRanges(std::span<const ScaledItem> items, const RangeOfData& ofData, bool compared) {
  using Key = std::tuple<std::string, std::string, bool>;
  std::map<Key, std::array<double, 2>> shared;
  std::map<Key, bool> reachDown, symmetric;
  std::vector<const ScaledItem*> withNone;
  const auto keyOf = [compared](const ScaledItem& each) {
    return Key(compared ? std::string() : each.object->data, each.item->scale.title,
               each.item->scale.logarithmic);
  };
  const auto ofWhole = [&](const ScaledItem& each) {
    const std::string& function = each.item->scale.title;
    std::optional<std::array<double, 2>> range;
    for (const ScaledItem& other : items) {
      if (!ofData || (compared ? other.item->scale.title != function : other.object != each.object)) continue;
      const auto its = ofData(other.object->data, function, each.object->color.rangeOf);
      if (its && range)
        range = {std::min((*range)[0], (*its)[0]), std::max((*range)[1], (*its)[1])};
      else if (its)
        range = its;
    }
    return range;
  };
  const auto isAutomatic = [](const ScaledItem& each) {
    const Volume* const volume = volumeOf(*each.object);
    return each.item->colored && !each.object->color.range && !(volume && volume->range);
  };
  for (const ScaledItem& each : items) {
    if (!isAutomatic(each)) continue;
    const Coloring& color = each.object->color;
    scene::ColorScale& scale = each.item->scale;
    if (isOfWholeData(color)) {
      if (const auto range = ofWhole(each)) {
        setRange(scale, *range);
        scale.hasValues = true;
        continue;
      }
    }
    if (color.apart || !scale.hasValues) continue;
    reachDown[keyOf(each)] |= scale.reachesDown;
    if (isOfNone(scale)) {
      withNone.push_back(&each);
      continue;
    }
    const auto [place, isNew] = shared.try_emplace(keyOf(each), std::array{scale.min, scale.max});
    if (!isNew)
      place->second = {std::min(place->second[0], scale.min), std::max(place->second[1], scale.max)};
    symmetric[keyOf(each)] |= color.rangeOf == RangeOf::Symmetric && !scale.logarithmic;
  }
  // Where none has values that the scale can show, any will do.
  for (const ScaledItem* const each : withNone)
    shared.try_emplace(keyOf(*each), std::array{each->item->scale.min, each->item->scale.max});
  // What one of them asks for holds for the scale that they have in common.
  for (auto& [key, range] : shared)
    if (symmetric[key]) {
      const double most = std::max(std::abs(range[0]), std::abs(range[1]));
      range = {-most, most};
    }
  for (const ScaledItem& each : items) {
    if (!isAutomatic(each) || each.object->color.apart) continue;
    scene::ColorScale& scale = each.item->scale;
    if (isOfWholeData(each.object->color) && ofWhole(each)) continue;
    const auto found = shared.find(keyOf(each));
    if (found == shared.end()) continue;
    scale.min = found->second[0];
    scale.max = found->second[1];
    scale.reachesDown = reachDown[keyOf(each)];
    scale.hasValues = true;
  }
  // Rounding would have all colours. Equal scales stay equal.
  std::map<std::pair<Key, std::array<double, 2>>, double> ofOne;
  const auto scaleOf = [&](const ScaledItem& each) {
    return std::pair(keyOf(each), std::array{each.item->scale.min, each.item->scale.max});
  };
  const auto mayBeOne = [&](const ScaledItem& each) {
    return isAutomatic(each) && each.item->scale.hasValues && !each.item->scale.reachesDown;
  };
  for (const ScaledItem& each : items)
    if (mayBeOne(each))
      if (const auto value = oneValueOf(scaleOf(each).second, *each.object))
        ofOne.emplace(scaleOf(each), *value);
  for (const ScaledItem& each : items) {
    if (!mayBeOne(each)) continue;
    if (const auto one = ofOne.find(scaleOf(each)); one != ofOne.end())
      each.item->scale.min = each.item->scale.max = one->second;
  }
}

}  // namespace farfield::session
