#include "core/session/run/contrasting_lines.h"

#include <algorithm>
#include <variant>

namespace farfield::session {

void contrastLines(std::span<const ScaledItem> items) {
  for (const ScaledItem& each : items) {
    const auto* const lines = std::get_if<Isolines>(&each.object->shape);
    if (!lines || !lines->contrast || each.item->colored) continue;
    const auto surface = std::find_if(items.begin(), items.end(), [&](const ScaledItem& other) {
      return other.object->name == lines->on.name && other.object->data == each.object->data;
    });
    if (surface == items.end() || !surface->item->colored || surface->object->color.by != lines->by) continue;
    each.item->colored = true;
    each.item->scale = surface->item->scale;
    each.item->scale.title.clear();  // it is no scale that anybody reads
    each.item->scale.map.inks = true;
    each.item->scale.map.bands = 0;
    each.item->scale.below.reset();
    each.item->scale.above.reset();
  }
}

}  // namespace farfield::session
