#include "app/ui/editors/map_editor.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "app/ui/widgets/map_swatch.h"
#include "core/base/error.h"
#include "render/color/color_map.h"

namespace farfield::ui {
namespace {

constexpr double kKnob = 6, kReach = 9;  // points of the screen
constexpr double kStep = 0.02, kFineStep = 0.002;
constexpr double kLeastGap =
    1e-3;  // between points that are moved; two at one place are a sharp edge, which files may have

QColor colorOf(const scene::MapPoint& point) {
  return QColor(point.color[0], point.color[1], point.color[2]);
}

std::array<std::uint8_t, 3> between(const scene::MapPoint& a, const scene::MapPoint& b, double place) {
  const double t = b.place > a.place ? (place - a.place) / (b.place - a.place) : 0;
  std::array<std::uint8_t, 3> made{};
  for (std::size_t c = 0; c < 3; ++c)
    made[c] = static_cast<std::uint8_t>(std::lround(a.color[c] + t * (b.color[c] - a.color[c])));
  return made;
}

}  // namespace

std::vector<scene::MapPoint> pointsOf(const scene::MapChoice& map, int tolerance) {
  if (!map.points.empty()) return map.points;
  std::vector<scene::MapPoint> all;
  try {
    const auto table = color::ColorMap::of(scene::MapChoice(map.name)).table();
    for (int n = 0; n < color::ColorMap::kEntries; ++n)
      all.push_back(
          {static_cast<double>(n) / (color::ColorMap::kEntries - 1), table[static_cast<std::size_t>(n)]});
  } catch (const Error&) {
    return {{0, {0, 0, 0}}, {1, {255, 255, 255}}};
  }
  // Between two that are kept, the one that is furthest from the straight line is kept as well, until none is too far (Ramer 1972).
  std::vector<bool> keeps(all.size(), false);
  keeps.front() = keeps.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> pieces{{0, all.size() - 1}};
  while (!pieces.empty()) {
    const auto [from, to] = pieces.back();
    pieces.pop_back();
    int worst = tolerance;
    std::size_t at = from;
    for (std::size_t n = from + 1; n < to; ++n) {
      const auto line = between(all[from], all[to], all[n].place);
      for (std::size_t c = 0; c < 3; ++c)
        if (const int away = std::abs(int(line[c]) - int(all[n].color[c])); away > worst)
          worst = away, at = n;
    }
    if (at == from) continue;
    keeps[at] = true;
    pieces.emplace_back(from, at);
    pieces.emplace_back(at, to);
  }
  std::vector<scene::MapPoint> kept;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (keeps[n]) kept.push_back(all[n]);
  return kept;
}

MapEditor::MapEditor(QWidget* parent) : QWidget(parent), m_points(pointsOf({})) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Points of the colour map"));
  setAccessibleDescription(tr(
      "Page Up and Page Down choose a point, arrows move it, Return asks for its colour, Insert adds one, Delete "
      "removes it"));
  setToolTip(tr(
      "Drag a point. Double click: beside the points adds one, on one asks for its colour. Delete removes it."));
}

QSize MapEditor::sizeHint() const {
  return {200, 2 * fontMetrics().height() + 12};
}

QSize MapEditor::minimumSizeHint() const {
  return {80, sizeHint().height()};
}

void MapEditor::showMap(const scene::MapChoice& map) {
  if (m_held) return;  // what is dragged is not taken out of the hand
  std::vector<scene::MapPoint> points = pointsOf(map);
  if (points == m_points) return;
  m_changing = false;  // undone, or of another object
  m_points = std::move(points);
  m_chosen = std::min(m_chosen, m_points.size() - 1);
  update();
  emit chosenChanged();
}

QRectF MapEditor::bar() const {
  return QRectF(rect()).adjusted(kKnob + 1, 1, -kKnob - 1, -2 * kKnob - 3);
}

double MapEditor::xOf(double place) const {
  return bar().left() + place * bar().width();
}

double MapEditor::placeOf(double x) const {
  return std::clamp((x - bar().left()) / std::max(1.0, bar().width()), 0.0, 1.0);
}

std::optional<std::size_t> MapEditor::pointAt(QPointF at) const {
  std::optional<std::size_t> nearest;
  double reach = kReach;
  for (std::size_t n = 0; n < m_points.size(); ++n)
    if (const double away = std::abs(xOf(m_points[n].place) - at.x()); away < reach) {
      reach = away;
      nearest = n;
    }
  return nearest;
}

void MapEditor::finish() {
  if (std::exchange(m_changing, false)) emit edited(m_points, true);
}

void MapEditor::choose(std::size_t number) {
  if (number >= m_points.size() || number == m_chosen) return;
  finish();
  m_chosen = number;
  update();
  emit chosenChanged();
}

void MapEditor::setColor(const QColor& color) {
  finish();
  m_points[m_chosen].color = {static_cast<std::uint8_t>(color.red()),
                              static_cast<std::uint8_t>(color.green()),
                              static_cast<std::uint8_t>(color.blue())};
  update();
  emit edited(m_points, true);
}

std::array<double, 2> MapEditor::roomOfChosen() const {
  const double now = m_points[m_chosen].place;
  if (m_chosen == 0 || m_chosen + 1 == m_points.size()) return {now, now};
  const double least = m_points[m_chosen - 1].place + kLeastGap,
               most = m_points[m_chosen + 1].place - kLeastGap;
  return least <= most ? std::array{least, most} : std::array{now, now};
}

void MapEditor::setPlace(double place, bool finished) {
  const auto [least, most] = roomOfChosen();
  m_points[m_chosen].place = std::clamp(place, least, most);
  m_changing = !finished;
  update();
  emit edited(m_points, finished);
  emit chosenChanged();
}

void MapEditor::addPoint(std::optional<double> place) {
  finish();
  if (m_points.size() >= static_cast<std::size_t>(scene::kMostMapPoints)) return;
  std::size_t after = std::min(m_chosen, m_points.size() - 2);
  if (place) {
    after = 0;
    while (after + 2 < m_points.size() && m_points[after + 1].place <= *place) ++after;
  }
  const scene::MapPoint &a = m_points[after], &b = m_points[after + 1];
  const double at = place.value_or((a.place + b.place) / 2);
  if (at - a.place < kLeastGap || b.place - at < kLeastGap) return;
  const scene::MapPoint made{at, between(a, b, at)};
  m_points.insert(m_points.begin() + static_cast<std::ptrdiff_t>(after) + 1, made);
  m_chosen = after + 1;
  update();
  emit edited(m_points, true);
  emit chosenChanged();
}

void MapEditor::removePoint() {
  finish();
  if (m_chosen == 0 || m_chosen + 1 >= m_points.size()) return;
  m_points.erase(m_points.begin() + static_cast<std::ptrdiff_t>(m_chosen));
  update();
  emit edited(m_points, true);
  emit chosenChanged();
}

// These keys are not the window's here, which would take the object away, or go through the steps of the data.
bool MapEditor::event(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return QWidget::event(event);
  const auto* const key = static_cast<QKeyEvent*>(event);
  constexpr int kOwn[] = {Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Insert, Qt::Key_Delete};
  if (std::find(std::begin(kOwn), std::end(kOwn), key->key()) == std::end(kOwn) ||
      key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
    return QWidget::event(event);
  event->accept();
  return true;
}

void MapEditor::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF its = bar();
  scene::MapChoice shown("points");
  shown.points = m_points;
  painter.drawPixmap(its.toRect(),
                     swatchOf(shown, its.size().toSize(), color::Vision::Usual, devicePixelRatioF()));
  for (std::size_t n = 0; n < m_points.size(); ++n) {
    const QPointF tip(xOf(m_points[n].place), its.bottom() + 1);
    const bool chosen = n == m_chosen;
    painter.setPen(QPen(palette().color(chosen && hasFocus() ? QPalette::Highlight : QPalette::WindowText),
                        chosen ? 2 : 1));
    painter.setBrush(colorOf(m_points[n]));
    const double half = chosen ? kKnob : kKnob - 2;
    painter.drawPolygon(QPolygonF({tip, tip + QPointF(half, half), tip + QPointF(half, 2 * half),
                                   tip + QPointF(-half, 2 * half), tip + QPointF(-half, half)}));
  }
}

void MapEditor::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  finish();
  if (const auto found = pointAt(event->position())) {
    choose(*found);
    m_held = true;
    m_moved = false;
  }
}

void MapEditor::mouseMoveEvent(QMouseEvent* event) {
  if (!m_held) return;
  m_moved = true;
  setPlace(placeOf(event->position().x()), false);
}

void MapEditor::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !std::exchange(m_held, false)) return;
  if (m_moved) finish();
}

void MapEditor::focusOutEvent(QFocusEvent* event) {
  if (!m_held) finish();  // keys that followed each other are one step
  QWidget::focusOutEvent(event);
}

void MapEditor::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_held = false;
  if (pointAt(event->position()))
    emit colorWanted();
  else
    addPoint(placeOf(event->position().x()));
}

void MapEditor::keyPressEvent(QKeyEvent* event) {
  const double step = event->modifiers() & Qt::ShiftModifier ? kFineStep : kStep;
  switch (event->key()) {
    case Qt::Key_PageUp:
      if (m_chosen > 0) choose(m_chosen - 1);
      break;
    case Qt::Key_PageDown:
      choose(m_chosen + 1);
      break;
    case Qt::Key_Left:
      setPlace(m_points[m_chosen].place - step, false);
      break;
    case Qt::Key_Right:
      setPlace(m_points[m_chosen].place + step, false);
      break;
    case Qt::Key_Insert:
      addPoint();
      break;
    case Qt::Key_Delete:
      removePoint();
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      emit colorWanted();
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace farfield::ui
