#include "core/session/legend_owner.h"

#include <utility>

#include "core/session/shown_volume.h"

namespace farfield::session {
namespace {

/// What legends show of an object's colours: those of a volume may be in either of two places, and who asks for a range with 0 in its middle
/// does so for all.
Coloring legendColors(const Object& object) {
  Coloring color = object.color;
  if (const Volume* const volume = volumeOf(object)) {
    if (!volume->by.empty()) color.by = volume->by;
    if (volume->map) color.map = *volume->map;
    if (volume->range) color.range = volume->range;
    if (volume->logarithmic) color.logarithmic = *volume->logarithmic;
  }
  const Coloring usual;
  color.bandLines = usual.bandLines;
  color.nan = usual.nan;
  color.solid = usual.solid;
  if (color.range || color.rangeOf == RangeOf::Symmetric) color.rangeOf = usual.rangeOf;
  return color;
}

bool hasLook(const scene::LegendLooks& looks, const std::string& owner) {
  const std::string begin = scene::legendKey(owner, {});
  const auto found = looks.lower_bound(begin);
  return found != looks.end() && found->first.starts_with(begin);
}

}  // namespace

std::string legendOwner(const Object& object, const Session& session) {
  const std::string own = scene::ownLegend(object.data, object.name);
  if (object.color.apart) return own;
  const Coloring its = legendColors(object);
  const Object *first = nullptr, *alike = nullptr;
  bool isAlone = true;
  for (const Object& other : session.objects) {
    const Coloring color = legendColors(other);
    if (color.apart || other.data != object.data || color.by != its.by) continue;
    // Maps of volumes go with their opacities: they are not those that others have.
    if (!first || (volumeOf(*first) && !volumeOf(other))) first = &other;
    if (color != its) continue;
    if (!alike) alike = &other;
    isAlone = isAlone && other.name == object.name;
  }
  if (first && legendColors(*first) != its)
    return scene::ownLegend(object.data, (alike ? *alike : object).name);
  return isAlone && hasLook(session.image.legends, own) ? own : object.data;
}

}  // namespace farfield::session
