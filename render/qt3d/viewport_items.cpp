// Items of the viewport: what is loaded, how it looks, and what is written at its places.

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/qt3d/viewport_state.h"

namespace farfield::qt3d {
namespace {

// A range so many times narrower than the one that vertices were made for would show the rounding of floats.
constexpr double kMostWidening = 256;

// Whether vertices made for the scale `built` can be drawn with `scale`: places on linear scales differ by a
// factor and an offset.
bool canBeMoved(const scene::ColorScale& built, const scene::ColorScale& scale) {
  if (built.logarithmic != scale.logarithmic) return false;
  if (built.min == scale.min && built.max == scale.max) return true;
  const double was = built.max - built.min, is = scale.max - scale.min;
  return !scale.logarithmic && was > 0 && is > 0 && std::isfinite(was) && std::isfinite(is) &&
         was <= kMostWidening * is && std::abs(built.min - scale.min) <= 1e5 * is;
}

void movePlaces(Look& look, const scene::ColorScale& built, const scene::ColorScale& scale) {
  if (built.min == scale.min && built.max == scale.max) return;
  const double is = scale.max - scale.min;
  look.placeFactor = float((built.max - built.min) / is);
  look.placeOffset = float((built.min - scale.min) / is);
}

// Whether both give the same vertices, up to places on the map that can be moved.
bool sameArrays(const scene::SceneItem& a, const scene::SceneItem& b, const scene::ColorScale& built) {
  if (a.lines != b.lines || a.triangles != b.triangles || bool(a.volume) != bool(b.volume) ||
      a.colored != b.colored)
    return false;
  return !a.colored || canBeMoved(built, b.scale);
}

std::optional<scene::ColorScale> legendOf(const scene::SceneItem& item) {
  return item.colored && !item.scale.title.empty() ? std::optional(item.scale) : std::nullopt;
}

}  // namespace

void Viewport::State::setItem(const QString& id, const scene::SceneItem& item) {
  const auto [found, added] = items.try_emplace(id);
  Item& known = found->second;
  const bool visible = added || known.look.visible;
  const bool same =
      !added && sameArrays(known.wanted, item, known.built) && (known.shown || known.loading != 0);
  known.wanted = item;
  known.look = lookOf(item);
  if (!same) known.built = item.scale;
  if (item.colored && !item.volume) movePlaces(known.look, known.built, item.scale);
  known.look.visible = visible;
  if (!order.contains(id)) order.append(id);
  if (item.volume) {
    known.shown = nullptr;
    known.loading = 0;
    loader->cancel(id);
    toRenderer([id](SceneRenderer& to) { to.removeItem(id); });
    known.legend = legendOf(item);
    sendVolumes();
    updateLegends();
    return;
  }
  if (!same) {
    known.loading = loader->request(id, item);
  } else if (known.loading == 0) {
    known.legend = legendOf(item);
    sendLook(id, known);
    updateLegends();
    if (!item.marks.empty()) self.update();
  }
}

void Viewport::State::loaded(const ItemLoader::Result& result) {
  const auto found = items.find(result.id);
  if (found == items.end() || found->second.loading != result.number) return;
  Item& item = found->second;
  item.loading = 0;
  if (!result.item) {
    emit self.itemFailed(result.id, result.error);
    return;
  }
  item.shown = result.item;
  item.legend = legendOf(item.wanted);
  toRenderer([id = result.id, made = result.item, look = item.look](SceneRenderer& to) {
    to.setItem(id, made, look);
  });
  updateLegends();
  emit self.itemHeld(result.id, result.item->heldPart);
}

scene::Scene Viewport::State::markedScene(const scene::Camera& seen) const {
  scene::Scene scene;
  scene.camera = seen;
  scene.bounds = bounds;
  scene.background = background;
  scene.notes.axes = notes.axes;
  scene.notes.scaleBar = notes.scaleBar;
  for (const QString& id : order) {
    const auto found = items.find(id);
    if (found == items.end() || !found->second.look.visible || found->second.wanted.marks.empty()) continue;
    scene::SceneItem item;
    item.marks = found->second.wanted.marks;
    item.markLook = found->second.wanted.markLook;
    item.color = found->second.wanted.color;
    item.opacity = found->second.wanted.opacity;
    scene.items.push_back(std::move(item));
  }
  return scene;
}

void Viewport::State::sendVolumes() {
  std::vector<ViewedVolume> viewed;
  for (const QString& id : std::as_const(order)) {
    const auto found = items.find(id);
    if (found == items.end() || !found->second.look.visible) continue;
    const scene::SceneItem& item = found->second.wanted;
    if (item.volume)
      viewed.push_back({id, item.volume, scene::clippedLook(item, clip), item.scale, item.opacity});
  }
  const bool any = !viewed.empty();
  volumes->setVolumes(std::move(viewed));
  if (std::exchange(hasVolumes, any) != any)
    toRenderer([any](SceneRenderer& to) { to.setDepthsWanted(any); });
}

void Viewport::State::sendLook(const QString& id, const Item& item) {
  toRenderer([id, look = item.look](SceneRenderer& to) { to.setLook(id, look); });
}

void Viewport::setItem(const QString& id, const scene::SceneItem& item) {
  m_state->setItem(id, item);
}

void Viewport::removeItem(const QString& id) {
  const auto found = m_state->items.find(id);
  if (found == m_state->items.end()) return;
  const bool volume = found->second.wanted.volume != nullptr;
  m_state->items.erase(found);
  m_state->loader->cancel(id);
  m_state->order.removeAll(id);
  if (volume) m_state->sendVolumes();
  m_state->toRenderer([id](SceneRenderer& to) { to.removeItem(id); });
  m_state->updateLegends();
}

void Viewport::clear() {
  const QStringList all = m_state->order;
  for (const QString& id : all) removeItem(id);
}

void Viewport::setOrder(const QStringList& ids) {
  QStringList ordered;
  for (const QString& id : ids)
    if (m_state->items.contains(id)) ordered.append(id);
  for (const QString& id : std::as_const(m_state->order))
    if (!ordered.contains(id)) ordered.append(id);
  m_state->order = ordered;
  m_state->updateLegends();
}

std::size_t Viewport::geometryBytes() const {
  std::size_t bytes = 0;
  for (const auto& [id, item] : m_state->items)
    if (item.shown) bytes += item.shown->bytes();
  return bytes;
}

}  // namespace farfield::qt3d
