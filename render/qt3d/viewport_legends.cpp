// Legends in the view: drawn beside it, taken with what they are of, dragged, and held where they were put.

#include <algorithm>
#include <set>
#include <utility>

#include "core/scene/legend_title.h"
#include "render/color/legend.h"
#include "render/qt3d/viewport_state.h"

namespace farfield::qt3d {
namespace {

double placeOf(double at, double free) {
  return free > 0 ? std::clamp(at / free, 0.0, 1.0) : 0.0;
}

bool isSame(const color::PixelBox& a, const color::PixelBox& b) {
  return a.left == b.left && a.top == b.top && a.right == b.right && a.bottom == b.bottom;
}

color::PixelBox united(const color::PixelBox& a, const color::PixelBox& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

}  // namespace

/// A legend beside nothing would be of something that nobody sees. (Volumes are cast beside all this.)
void Viewport::State::takeLegends() {
  const bool early = std::any_of(items.begin(), items.end(), [](const auto& each) {
    const Item& item = each.second;
    return item.legend && item.look.visible && !item.drawn && !item.wanted.volume;
  });
  if (!nextLegend || early) return;
  legend = std::move(*nextLegend);
  nextLegend.reset();
  self.update();
}

/// There is one of each scale, also while what has it is loaded, one after the other: that of what is there already, or else of the first.
const scene::ColorScale& Viewport::State::commonLegend(const Item& item) const {
  const scene::ColorScale& wanted = item.wanted.scale;
  const scene::ColorScale* common = nullptr;
  if (item.still && item.legend->title == wanted.title)
    for (const auto& [id, other] : items) {
      const scene::ColorScale& its = other.wanted.scale;
      const bool hasIt = other.legend && other.look.visible && other.legend->title == wanted.title &&
                         its.title == wanted.title && its.map == wanted.map &&
                         its.logarithmic == wanted.logarithmic && its.min == wanted.min &&
                         its.max == wanted.max;
      if (hasIt && !other.still) return *other.legend;
      if (hasIt && !common) common = &*other.legend;
    }
  return common ? *common : *item.legend;
}

LegendContents Viewport::State::legendContents(const scene::LegendLooks& looks) const {
  LegendContents contents{.scales = {},
                          .names = {},
                          .owners = {},
                          .title = title.toStdString(),
                          .texts = notes.texts,
                          .background = background,
                          .pixels = notesPixels().size()};
  if (legendsVisible)
    for (const QString& id : std::as_const(order)) {
      const auto found = items.find(id);
      if (found != items.end() && found->second.look.visible && found->second.legend) {
        contents.scales.push_back(commonLegend(found->second));
        contents.names.push_back(found->second.wanted.name);
        contents.owners.push_back(legendOwnerOf(id));
        if (const auto* const look =
                scene::legendLook(looks, contents.owners.back(), contents.scales.back().title))
          scene::setLegend(contents.scales.back(), *look);
      }
    }
  if (notesArea.right() + 1 < self.width() && !notesArea.isNull()) {
    std::vector<scene::ColorScale*> scales;
    for (scene::ColorScale& scale : contents.scales) scales.push_back(&scale);
    color::placeAtLeft(scales);
  }
  return contents;
}

void Viewport::State::updateLegends() {
  if (std::exchange(legendBusy, true)) return;
  QMetaObject::invokeMethod(
      &self, [this] { startLegends(); }, Qt::QueuedConnection);
}

void Viewport::State::startLegends() {
  const LegendContents contents = legendContents(legendLooks);
  legendBusy = contents != legendDrawing;
  if (!legendBusy) return;
  legendDrawing = contents;
  pool.start([this, target = QPointer(&self), contents] {
    const LegendPicture made = drawLegends(contents);
    QMetaObject::invokeMethod(
        target,
        [this, made] {
          nextLegend = made;
          legendBusy = false;
          takeLegends();
          updateLegends();  // something may have changed meanwhile
        },
        Qt::QueuedConnection);
  });
}

std::string Viewport::State::legendOwnerOf(const QString& id) const {
  const auto found = legendOwners.find(id);
  return found == legendOwners.end() ? std::string() : found->second;
}

/// Whose legends of it there are, in this view or in another one.
std::vector<std::string> Viewport::State::ownersOf(const std::string& function) const {
  std::set<std::string> owners;
  for (const auto& [id, item] : items)
    if (item.legend && item.legend->title == function) owners.insert(legendOwnerOf(id));
  return {owners.begin(), owners.end()};
}

std::optional<std::size_t> Viewport::State::legendAt(QPointF place) const {
  const double ratio = self.devicePixelRatioF();
  const QPoint origin = notesPixels().topLeft();
  const double x = ratio * place.x() - origin.x(), y = ratio * place.y() - origin.y();
  for (std::size_t n = 0; n < legend.boxes.size(); ++n)
    if (const color::LegendBox& box = legend.boxes[n];
        x >= box.left && x < box.right && y >= box.top && y < box.bottom)
      return n;
  return std::nullopt;
}

/// Those that are dragged with the one of that number: of its function, and of its owner where several have one. Where others stand
/// in one place with them, these are told to stay.
std::vector<Viewport::State::DraggedLegend> Viewport::State::legendsWith(std::size_t number) const {
  const color::LegendBox& box = legend.boxes[number];
  const bool apart = ownersOf(box.function).size() > 1;
  std::vector<DraggedLegend> all;
  for (std::size_t n = 0; n < legend.boxes.size(); ++n) {
    const color::LegendBox& other = legend.boxes[n];
    const bool isIts = !apart || legend.owners[n] == legend.owners[number];
    if (other.function != box.function || !isSame(other.group, box.group)) continue;
    if (!isIts && !box.scale.legend.place) continue;
    for (const std::string& owner : legend.owners[n]) {
      const bool hasOwn = legendLooks.contains(scene::legendKey(owner, box.function));
      scene::LegendPlace place{apart || hasOwn ? owner : std::string(), box.function};
      const auto known = std::find_if(
          all.begin(), all.end(), [&](const DraggedLegend& each) { return each.place.key() == place.key(); });
      const color::PixelBox covered = apart ? color::PixelBox(other) : box.group;
      if (known == all.end())
        all.push_back({std::move(place), covered, isIts});
      else
        known->box = united(known->box, covered);
    }
  }
  return all;
}

void Viewport::State::moveLegends(QPointF by, bool finished) {
  const QSize pixels = notesPixels().size();
  const double ratio = self.devicePixelRatioF();
  std::vector<scene::LegendPlace> places;
  for (DraggedLegend& each : draggedLegends) {
    const color::PixelBox& box = each.box;
    const QPointF moved = each.moves ? ratio * by : QPointF();
    each.place.place = {placeOf(box.left + moved.x(), pixels.width() - (box.right - box.left)),
                        placeOf(box.top + moved.y(), pixels.height() - (box.bottom - box.top))};
    places.push_back(each.place);
    // At once; who keeps looks says the same a moment later.
    const scene::LegendLook* const now =
        scene::legendLook(legendLooks, each.place.owner, each.place.function);
    scene::LegendLook look = now ? *now : scene::LegendLook{};
    look.place = each.place.place;
    scene::keepOwnLooks(legendLooks, each.place.key(), each.place.function, ownersOf(each.place.function));
    legendLooks[each.place.key()] = std::move(look);
  }
  heldCorners.clear();
  updateLegends();
  lookChanged();
  emit self.legendsMoved(places, finished);
}

scene::LegendLook Viewport::State::heldInPlace(const std::string& owner, const std::string& function,
                                               scene::LegendLook look) {
  const color::LegendBox* seen = nullptr;
  for (std::size_t n = 0; n < legend.boxes.size() && !seen; ++n) {
    const std::vector<std::string>& all = legend.owners[n];
    if (legend.boxes[n].function == function && std::find(all.begin(), all.end(), owner) != all.end())
      seen = &legend.boxes[n];
  }
  if (!look.place || !seen) return look;
  scene::LegendLooks looks = legendLooks;
  looks[scene::legendKey(owner, function)] = look;
  const LegendContents contents = legendContents(looks);
  const auto size = placedSize(contents, function, *look.place);
  if (!size) return look;
  HeldCorner& corner = heldCorners[scene::legendKey(owner, function)];
  // One that has become large may reach beyond the middle: the corner is that of where it was put.
  const bool isKnown = corner.place == look.place && corner.pixels == contents.pixels;
  const color::PixelBox& box = seen->group;
  const std::array<int, 2> all{contents.pixels.width(), contents.pixels.height()}, from{box.left, box.top},
      to{box.right, box.bottom};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    if (!isKnown) {
      corner.isFar[axis] = from[axis] + to[axis] > all[axis];
      corner.edge[axis] = corner.isFar[axis] ? to[axis] : from[axis];
    }
    const double at = corner.edge[axis] - (corner.isFar[axis] ? (*size)[axis] : 0);
    const double free = all[axis] - (*size)[axis];
    (*look.place)[axis] = placeOf(at, free);
  }
  corner.place = look.place;
  corner.pixels = contents.pixels;
  return look;
}

void Viewport::setLegendsVisible(bool visible) {
  m_state->legendsVisible = visible;
  m_state->updateLegends();
  m_state->lookChanged();
}

void Viewport::setLegendOwners(const std::map<QString, std::string>& owners) {
  if (owners == m_state->legendOwners) return;
  m_state->legendOwners = owners;
  m_state->updateLegends();
  m_state->toFollowers([&](State& to) { to.self.setLegendOwners(owners); });
}

scene::LegendLook Viewport::heldInPlace(const std::string& owner, const std::string& function,
                                        const scene::LegendLook& look) {
  return m_state->heldInPlace(owner, function, look);
}

}  // namespace farfield::qt3d
