#include "render/qt3d/handle_painter.h"

#include <QLineF>
#include <algorithm>
#include <cmath>

#include "render/view/screen_clip.h"

namespace farfield::qt3d {
namespace {

QColor asColor(const scene::Rgba& color) {
  return QColor::fromRgbF(color[0], color[1], color[2], color[3]);
}

// QPainter uses integers internally; positions far outside of the widget would overflow
constexpr double kMostPixels = 20'000;
constexpr double kBesidePixels = 20;  // lines continue so far beyond the picture
constexpr float kVeil = 0.1F;         // over what is behind an area
constexpr double kSeedRadius = 2.4, kSeedsApart = 6;

std::optional<QPointF> pointOf(const std::optional<view::ScreenPoint>& at) {
  if (!at || std::abs(at->x) > kMostPixels || std::abs(at->y) > kMostPixels) return std::nullopt;
  return QPointF(at->x, at->y);
}

void paintArrow(QPainter& painter, QPointF from, QPointF tip, const QColor& color) {
  const QPointF way = tip - from;
  const double size = std::hypot(way.x(), way.y());
  if (size < 2) return;
  const QPointF along = way / size, across(-along.y(), along.x());
  const double head = std::min(14.0, 0.6 * size);
  painter.setPen(QPen(color.darker(170), 1));
  painter.setBrush(color);
  painter.drawPolygon(
      QPolygonF{tip + 5 * along, tip - head * along + 6 * across, tip - head * along - 6 * across});
}

void paintLine(QPainter& painter, const view::ScreenMap& map, Vec3 from, Vec3 to) {
  if (const auto line = view::seenLine(map, from, to, kBesidePixels))
    painter.drawLine(QPointF(line->first.x, line->first.y), QPointF(line->second.x, line->second.y));
}

/// Where lines start; hollow where there are no data. Those that lie upon one another on the screen are one.
void paintSeeds(QPainter& painter, const view::Handle& handle, const view::ScreenMap& map,
                const QColor& color) {
  std::optional<QPointF> last;
  bool lastOutside = false;
  const std::vector<Vec3> places = view::seedsOf(handle);
  const bool isKnown =
      handle.known.positions == handle.positions && handle.known.outside.size() == places.size();
  for (std::size_t n = 0; n < places.size(); ++n) {
    const Vec3& place = places[n];
    const auto at = pointOf(map.project(place));
    if (!at) continue;
    const bool outside =
        isKnown ? handle.known.outside[n] : !handle.data.empty() && !handle.data.contains(place);
    if (last && outside == lastOutside && QLineF(*last, *at).length() < kSeedsApart) continue;
    last = at;
    lastOutside = outside;
    painter.setPen(QPen(outside ? color : color.darker(220), 1.2));
    painter.setBrush(outside ? QColor(Qt::white) : color);  // over the line that it lies on
    painter.drawEllipse(*at, kSeedRadius, kSeedRadius);
  }
}

/// Lines along the axes through the knob that is held, up to the faces of the data's box: a place on the screen alone says nothing of
/// how far away it is.
void paintCross(QPainter& painter, const view::Handle& handle, const view::ScreenMap& map,
                const std::vector<view::Knob>& knobs, int part, const QColor& color) {
  if (handle.data.empty()) return;
  for (const view::Knob& knob : knobs) {
    if (knob.part != part || !handle.data.contains(knob.place)) continue;
    painter.setPen(QPen(color, 1, Qt::DotLine));
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 from = knob.place, to = knob.place;
      from[axis] = handle.data.min[axis];
      to[axis] = handle.data.max[axis];
      paintLine(painter, map, from, to);
    }
  }
}

}  // namespace

std::vector<QRectF> knobsSeen(std::span<const view::Handle> handles, const view::ScreenMap& map) {
  std::vector<QRectF> seen;
  for (const view::Handle& handle : handles) {
    if (!view::isUsable(handle) || handle.kind == view::HandleKind::Point) continue;
    for (const view::Knob& knob : view::knobsOf(handle, map))
      if (const auto at = pointOf(map.project(knob.place)))
        seen.emplace_back(*at - QPointF(kKnobReach, kKnobReach), QSizeF(2 * kKnobReach, 2 * kKnobReach));
  }
  return seen;
}

void paintHandles(QPainter& painter, std::span<const view::Handle> handles, const view::ScreenMap& map,
                  const std::optional<view::HandleHit>& marked) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const view::Handle& handle = handles[i];
    if (!view::isUsable(handle)) continue;
    const QColor color = asColor(handle.color);
    // only while it is dragged: otherwise the colours under it should be visible
    if (const std::vector<Vec3> area = view::areaOf(handle, map);
        !area.empty() && marked && marked->handle == i) {
      QPolygonF seen;
      for (const view::ScreenPoint& at : view::seenArea(map, area, kBesidePixels))
        seen << QPointF(at.x, at.y);
      QColor veil = color;
      veil.setAlphaF(kVeil);
      painter.setPen(Qt::NoPen);
      painter.setBrush(veil);
      painter.drawPolygon(seen);
    }
    // a dark rim separates the lines from the picture behind them
    for (const bool rim : {true, false}) {
      painter.setPen(QPen(rim ? QColor(0, 0, 0, 110) : color, rim ? 3.4 : 1.8, Qt::SolidLine, Qt::RoundCap));
      for (const auto& [from, to] : view::outlineOf(handle, map)) paintLine(painter, map, from, to);
    }
    paintSeeds(painter, handle, map, color);
    const std::vector<view::Knob> knobs = view::knobsOf(handle, map);
    if (marked && marked->handle == i) paintCross(painter, handle, map, knobs, marked->part, color);
    for (const view::Knob& knob : knobs) {
      const auto at = pointOf(map.project(knob.place));
      if (!at) continue;
      const bool isMarked = marked && marked->handle == i && marked->part == knob.part;
      const QColor fill = isMarked ? QColor(Qt::white) : color;
      const double radius = (isMarked ? 1.3 : 1) * (knob.part == view::kMiddle ? 0.85 : 1) * kKnobRadius;
      if (handle.kind == view::HandleKind::Plane && knob.part == 1) {
        if (const auto from = pointOf(map.project(knobs[0].place))) paintArrow(painter, *from, *at, fill);
        continue;
      }
      painter.setPen(QPen(isMarked ? color : color.darker(190), 1.6));
      painter.setBrush(fill);
      if (knob.part == view::kMiddle)
        painter.drawRect(QRectF(*at - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)));
      else
        painter.drawEllipse(*at, radius, radius);
    }
  }
  painter.restore();
}

}  // namespace farfield::qt3d
