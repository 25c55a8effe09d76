// Items of the viewport: what is loaded, how it looks, and what is written at its places.

#include <algorithm>
#include <utility>

#include "render/qt3d/moved_places.h"
#include "render/qt3d/viewport_state.h"

namespace farfield::qt3d {
namespace {

// Whether both give the same vertices, up to places on the map that can be moved.
bool sameArrays(const scene::SceneItem& a, const scene::SceneItem& b, const scene::ColorScale& built) {
  if (a.lines != b.lines || a.triangles != b.triangles || bool(a.volume) != bool(b.volume) ||
      a.colored != b.colored)
    return false;
  return !a.colored || canBeMoved(built, b.scale);
}

std::optional<scene::ColorScale> legendOf(const scene::SceneItem& item) {
  const bool shown = item.colored && item.scale.hasValues && !item.scale.title.empty();
  return shown ? std::optional(item.scale) : std::nullopt;
}

}  // namespace

void Viewport::State::setItem(const QString& id, const scene::SceneItem& item) {
  const auto [found, added] = items.try_emplace(id);
  Item& known = found->second;
  const bool same =
      !added && sameArrays(known.wanted, item, known.built) && (known.shown || known.loading != 0);
  if (!same && known.shown && !known.still) known.still = Still{known.look, known.built};
  known.wanted = item;
  known.look = lookOf(item);
  if (!same) known.built = item.scale;
  if (item.colored && !item.volume) movePlaces(known.look, known.built, item.scale);
  known.look.visible = !isHidden(id);
  putInOrder(id);
  if (item.volume) {
    known.shown = nullptr;
    known.still.reset();
    known.loading = 0;
    loader->cancel(id);
    toRenderer([id](SceneRenderer& to) { to.removeItem(id); });
    known.legend = legendOf(item);
    sendVolumes();
    updateLegends();
    toFollowers([&](State& to) { to.mirror(id, known); });
    return;
  }
  if (!same) {
    known.loading = loader->request(id, item);
    emit self.itemLoading(id);
  }
  if (known.loading == 0) {
    known.legend = legendOf(item);
    sendLook(id, known);
    updateLegends();
    if (!item.marks.empty()) self.update();
    toFollowers([&](State& to) { to.mirror(id, known); });
  } else if (known.still) {
    takeScale(known);
    sendLook(id, known);
    updateLegends();
    toFollowers([&](State& to) { to.mirror(id, known); });
  }
}

/// What is still shown goes over to the scale that it shares with others, which have it at once.
void Viewport::State::takeScale(Item& item) {
  const scene::ColorScale& scale = item.wanted.scale;
  if (!item.still || !item.legend || !item.wanted.colored || !scale.hasValues ||
      item.legend->title != scale.title || item.legend->map != scale.map ||
      !canBeMoved(item.still->built, scale))
    return;
  movePlaces(item.still->look, item.still->built, scale);
  item.legend->min = scale.min;
  item.legend->max = scale.max;
  item.legend->reachesDown = scale.reachesDown;
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
  item.still.reset();
  item.shown = result.item;
  item.legend = legendOf(item.wanted);
  toRenderer([id = result.id, made = result.item, look = item.look](SceneRenderer& to) {
    to.setItem(id, made, look);
  });
  updateLegends();
  showUnderCursor();
  toFollowers([&](State& to) { to.mirror(result.id, item); });
  emit self.itemHeld(result.id, result.item->heldPart);
}

scene::Scene Viewport::State::markedScene(const scene::Camera& seen) const {
  scene::Scene written;
  written.camera = seen;
  written.bounds = bounds;
  written.background = background;
  written.notes.axes = notes.axes;
  written.notes.axisNames = notes.axisNames;
  written.notes.scaleBar = notes.scaleBar;
  written.title = title.toStdString();
  written.notes.texts = notes.texts;  // to which axes and the bar give way
  for (const QString& id : order) {
    const auto found = items.find(id);
    if (found == items.end() || !found->second.look.visible || found->second.wanted.marks.empty()) continue;
    scene::SceneItem item;
    item.marks = found->second.wanted.marks;
    item.markLook = found->second.wanted.markLook;
    item.color = found->second.wanted.color;
    item.opacity = found->second.wanted.opacity;
    written.items.push_back(std::move(item));
  }
  return written;
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
  toRenderer([id, look = item.lookNow()](SceneRenderer& to) { to.setLook(id, look); });
}

void Viewport::setItem(const QString& id, const scene::SceneItem& item) {
  m_state->setItem(id, item);
}

void Viewport::State::removeItem(const QString& id) {
  const auto found = items.find(id);
  if (found == items.end()) return;
  const bool volume = found->second.wanted.volume != nullptr;
  items.erase(found);
  loader->cancel(id);
  order.removeAll(id);
  if (volume) sendVolumes();
  toRenderer([id](SceneRenderer& to) { to.removeItem(id); });
  updateLegends();
  toFollowers([&](State& to) { to.removeItem(id); });
}

bool Viewport::State::isHidden(const QString& id) const {
  return hidden.contains(id.section('/', 0, 0));
}

void Viewport::State::setHidden(const QStringList& ids) {
  if (ids == hidden) return;
  hidden = ids;
  bool withVolumes = false;
  for (auto& [id, item] : items) {
    const bool visible = !isHidden(id);
    if (item.look.visible == visible) continue;
    item.look.visible = visible;
    if (item.wanted.volume)
      withVolumes = true;
    else if (item.shown)
      sendLook(id, item);
  }
  if (withVolumes) sendVolumes();
  updateLegends();
  showHandles();
  self.update();  // what is written at the places of probes
}

void Viewport::State::mirror(const QString& id, const Item& item) {
  Item& mine = items[id];
  const bool held = mine.shown && mine.shown == item.shown;
  const bool wasVolume = mine.wanted.volume != nullptr;
  const bool drawn = mine.drawn;
  mine = item;
  mine.drawn = drawn;
  mine.loading = 0;
  mine.look.visible = !isHidden(id);
  putInOrder(id);
  if (held)
    sendLook(id, mine);
  else if (mine.shown)
    toRenderer(
        [id, made = mine.shown, look = mine.lookNow()](SceneRenderer& to) { to.setItem(id, made, look); });
  else
    toRenderer([id](SceneRenderer& to) { to.removeItem(id); });
  if (wasVolume || mine.wanted.volume) sendVolumes();
  updateLegends();
  if (!held && mine.shown) showUnderCursor();
  if (!mine.wanted.marks.empty()) self.update();
}

void Viewport::State::mirrorLook(const State& of) {
  background = of.background;
  bounds = ownBounds.empty() ? of.bounds : ownBounds;
  title = of.title;
  legendsVisible = of.legendsVisible;
  axesVisible = of.axesVisible;
  legendLooks = of.legendLooks;
  legendOwners = of.legendOwners;
  notes = of.notes;
  if (ownTexts) {
    title = ownTexts->title;
    notes.texts = ownTexts->texts;
  }
  vision = of.vision;
  upright = of.upright;
  upwards = of.upwards;
  heldLevel = of.heldLevel;
  hurried = of.hurried;
  const bool cut = clip != of.clip;
  clip = of.clip;
  phase = of.phase;
  sendView();
  if (cut) sendVolumes();
  updateLegends();
  self.update();
}

void Viewport::State::lookChanged() {
  toFollowers([this](State& to) { to.mirrorLook(*this); });
}

void Viewport::removeItem(const QString& id) {
  m_state->removeItem(id);
}

void Viewport::setHidden(const QStringList& ids) {
  m_state->setHidden(ids);
}

bool Viewport::hidesItem(const QString& id) const {
  return m_state->isHidden(id);
}

void Viewport::follow(Viewport* leader) {
  State& mine = *m_state;
  if (mine.leader)
    std::erase_if(mine.leader->m_state->followers,
                  [this](const QPointer<Viewport>& each) { return !each || each == this; });
  mine.leader = leader;
  mine.ownTexts.reset();
  mine.ownBounds = {};
  clear();
  setHandles({});
  if (!leader) return;
  const State& its = *leader->m_state;
  mine.mirrorLook(its);
  mine.wantedOrder = its.wantedOrder;
  for (const QString& id : its.order) {
    // What is being loaded comes when it is there, and until then as it was.
    const State::Item& item = its.items.at(id);
    if (item.shown || item.wanted.volume) mine.mirror(id, item);
  }
  setHandles(its.handlesWanted, its.handlesItem);
  leader->m_state->followers.emplace_back(this);
}

void Viewport::setOwnTexts(const QString& title, const std::vector<scene::TextNote>& texts) {
  m_state->ownTexts = State::OwnTexts{title, texts};
  if (m_state->leader) m_state->mirrorLook(*m_state->leader->m_state);
}

void Viewport::setOwnBounds(const Bounds& bounds) {
  const Bounds before = std::exchange(m_state->ownBounds, bounds);
  if (before.min == bounds.min && before.max == bounds.max) return;
  if (m_state->leader) m_state->mirrorLook(*m_state->leader->m_state);
}

void Viewport::clear() {
  const QStringList all = m_state->order;
  for (const QString& id : all) removeItem(id);
}

void Viewport::State::putInOrder(const QString& id) {
  if (order.contains(id)) return;
  order.append(id);
  arrange();
}

void Viewport::State::arrange() {
  QStringList ordered;
  for (const QString& id : std::as_const(wantedOrder))
    if (items.contains(id)) ordered.append(id);
  for (const QString& id : std::as_const(order))
    if (!ordered.contains(id)) ordered.append(id);
  order = ordered;
  toRenderer([ids = order](SceneRenderer& to) { to.setOrder(ids); });
}

void Viewport::setOrder(const QStringList& ids) {
  m_state->wantedOrder = ids;
  m_state->arrange();
  m_state->updateLegends();
  m_state->toFollowers([&](State& to) { to.self.setOrder(ids); });
}

std::size_t Viewport::geometryBytes() const {
  std::size_t bytes = 0;
  for (const auto& [id, item] : m_state->items)
    if (item.shown) bytes += item.shown->bytes();
  return bytes;
}

}  // namespace farfield::qt3d
