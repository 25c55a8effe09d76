// Where the colours of what is shown go, and which values of a function were shown.

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/model/stage/stage.h"
#include "core/session/run/contrasting_lines.h"
#include "core/session/run/shared_ranges.h"

namespace farfield::app {

/// Hands out `changed`, and whatever else has another scale now.
void Stage::shareScales(ObjectId changed) {
  std::vector<std::pair<ObjectId, scene::SceneItem>> items;
  items.reserve(m_shown.size());
  std::vector<session::ScaledItem> scaled;
  for (const auto& [id, shown] : m_shown) {
    const session::Object* const object = m_document.object(id);
    if (!object) continue;
    items.emplace_back(id, shown.item);
    scaled.push_back({object, &items.back().second});
  }
  session::shareRanges(
      scaled,
      [this](const std::string& data, const std::string& function, session::RangeOf which) {
        const WholeRange known = wholeRange(data, function, which == session::RangeOf::Step);
        return known.isWhole ? known.ends : std::nullopt;
      },
      m_document.session().layout.over);
  session::contrastLines(scaled);
  for (const auto& [id, item] : items) {
    Shown& shown = m_shown.at(id);
    if (id != changed && shown.sent.min == item.scale.min && shown.sent.max == item.scale.max &&
        shown.sent.reachesDown == item.scale.reachesDown && shown.sent.hasValues == item.scale.hasValues &&
        shown.sent.map == item.scale.map && shown.sent.logarithmic == item.scale.logarithmic)
      continue;
    shown.sent = item.scale;
    ObjectStatus& status = m_objects[id];
    status.scale = item.scale;
    status.shownRange.reset();
    if (item.colored && item.scale.hasValues && !item.scale.map.inks)
      status.shownRange = {item.scale.min, item.scale.max};
    if (m_unread.contains(id)) {
      scene::SceneItem now = item;
      now.marks = marksNow(id);
      emit itemReady(id, now, false);
    } else {
      emit itemReady(id, item, shown.complete);
    }
    if (id != changed) emit statusChanged(id);
  }
}

std::optional<std::array<double, 2>> Stage::shownValues(const std::string& dataName,
                                                        const std::string& function) const {
  const auto found = m_shownValues.find({keyOf(dataName), function});
  return found == m_shownValues.end() ? std::nullopt : std::optional(found->second);
}

void Stage::noteValues(ObjectId id, const std::string& function, std::array<double, 2> range) {
  const session::Object* const object = m_document.object(id);
  if (!object || function.empty() || !(range[0] <= range[1])) return;
  const std::string key = keyOf(object->data);
  const auto [found, isNew] = m_shownValues.try_emplace({key, function}, range);
  std::array<double, 2>& all = found->second;
  const std::array<double, 2> wider{std::min(all[0], range[0]), std::max(all[1], range[1])};
  if (std::exchange(all, wider) != wider || isNew) emit shownValuesChanged(key);
}

/// Where its colours go over the values that it has.
void Stage::noteColors(const ObjectPicture& picture) {
  const session::Object* const object = m_document.object(picture.id);
  const scene::SceneItem& item = picture.item;
  const bool hasRange =
      picture.complete && item.colored && item.scale.hasValues && (item.lines || item.triangles);
  if (!object || !hasRange || item.scale.logarithmic || object->color.range ||
      object->color.rangeOf == session::RangeOf::Symmetric)
    return;
  // All over a surface of one value its own function has that, whether there is anything of it or not.
  if (const auto* const surface = std::get_if<session::Isosurface>(&object->shape))
    if (surface->by == item.scale.title) return;
  noteValues(picture.id, item.scale.title, {item.scale.min, item.scale.max});
}

}  // namespace farfield::app
