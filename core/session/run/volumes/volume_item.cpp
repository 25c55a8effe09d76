#include "core/session/run/volumes/volume_item.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/scene/opacity_presets.h"
#include "core/session/run/shared_ranges.h"
#include "core/session/session.h"

namespace farfield::session {

scene::SceneItem volumeItem(const Volume& shape, const Object& shown, const std::string& title,
                            const std::shared_ptr<CastVolume>& volume) {
  scene::SceneItem item;
  item.name = shown.name;
  item.opacity = shown.opacity;
  item.clipped = shown.clipped;
  item.volume = volume;
  item.colored = true;
  item.scale.title = title;
  item.scale.map = shape.map.value_or(shown.color.map);
  item.scale.logarithmic = shape.logarithmic.value_or(shown.color.logarithmic);
  item.scale.nanColor = shown.color.nan;
  item.volumeLook = shape.look;
  if (!shape.saysQuality) item.volumeLook.pixelError = 1;
  if (!volume) return item;
  std::optional<std::array<double, 2>> range = shape.range ? shape.range : shown.color.range;
  if (!range) {
    range = volume->valueRange();
    // Where no sample has a value, a range of nothing takes part in no scale.
    const auto seen = volume->histogram();
    item.scale.hasValues =
        !seen || seen->counts.empty() ||
        std::any_of(seen->counts.begin(), seen->counts.end(), [](std::uint64_t count) { return count > 0; });
  }
  if (shown.color.rangeOf == RangeOf::Symmetric && !shape.range && !shown.color.range) {
    const double most = std::max(std::abs((*range)[0]), std::abs((*range)[1]));
    range = {-most, most};
  }
  setRange(item.scale, *range);
  if (item.volumeLook.opacity.empty()) {
    std::vector<scene::OpacityPoint> usual = volume->usualOpacity(*range);
    item.volumeLook.opacity = shape.preset
                                  ? scene::presetOpacity(*shape.preset, *range, usual)
                                  : scene::usualOpacityFor(item.volumeLook.mode, *range, std::move(usual));
  }
  return item;
}

}  // namespace farfield::session
