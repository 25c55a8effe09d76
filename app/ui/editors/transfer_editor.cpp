#include "app/ui/editors/transfer_editor.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/widgets/look.h"
#include "app/ui/widgets/map_swatch.h"

namespace farfield::ui {
namespace {

constexpr double kKnob = 5, kReach = 10, kMargin = 8, kStrip = 14, kGap = 4;
constexpr double kLabels[] = {1, 0.1, 0.01, 0.001};
constexpr double kAnyValue = 1e300;
constexpr double kLoneBar = 4;  // pixels
constexpr double kKeyStep = 0.02, kFineKeyStep = 0.002;

double heightOf(double opacity) {
  return std::cbrt(std::clamp(opacity, 0.0, 1.0));
}

}  // namespace

double opacityAt(const std::vector<scene::OpacityPoint>& points, double value) {
  if (points.empty()) return 0;
  const auto after =
      std::upper_bound(points.begin(), points.end(), value,
                       [](double v, const scene::OpacityPoint& point) { return v < point.value; });
  if (after == points.begin()) return points.front().opacity;
  if (after == points.end()) return points.back().opacity;
  const auto &a = after[-1], &b = *after;
  return a.opacity + (b.opacity - a.opacity) * ((value - a.value) / (b.value - a.value));
}

TransferEditor::TransferEditor(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Opacity by value"));
  setAccessibleDescription(
      tr("Page Up and Page Down choose a point, arrows move it, Insert and Delete add and remove"));
  setToolTip(tr("Drag the points; press beside them for another, with the right button to take one away"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize TransferEditor::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 50, fontMetrics().height() * 11};
}

QSize TransferEditor::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 20, sizeHint().height()};
}

void TransferEditor::show(const TransferView& view) {
  std::vector<scene::OpacityPoint> dragged = std::move(m_view.points);
  m_view = view;
  if (m_dragging) m_view.points = std::move(dragged);
  // Undone, or of another object: no part of what is being changed.
  if (m_view.automatic || m_view.points != m_told) m_changing = false;
  if (!(m_view.range[0] < m_view.range[1])) m_view.range[1] = m_view.range[0] + 1;
  if (m_selected >= static_cast<int>(m_view.points.size())) select(-1);
  update();
}

void TransferEditor::select(int point) {
  if (point == m_selected) return;
  m_selected = point;
  update();
  emit selectionChanged(point);
}

QRectF TransferEditor::area() const {
  double widest = 0;
  const QFontMetricsF letters(labelFont());
  for (const double opacity : kLabels)
    widest = std::max(widest, letters.horizontalAdvance(QString::number(opacity)));
  return QRectF(rect()).adjusted(widest + kGap + kMargin, kMargin, -kMargin, -kMargin - kStrip - kGap);
}

QFont TransferEditor::labelFont() const {
  QFont small = font();
  small.setPointSizeF(0.8 * small.pointSizeF());
  return small;
}

QPointF TransferEditor::placeOf(const scene::OpacityPoint& point) const {
  const QRectF its = area();
  const double part = (point.value - m_view.range[0]) / (m_view.range[1] - m_view.range[0]);
  return {its.left() + part * its.width(), its.bottom() - heightOf(point.opacity) * its.height()};
}

scene::OpacityPoint TransferEditor::pointAt(QPointF place) const {
  const QRectF its = area();
  const double part = std::clamp((place.x() - its.left()) / std::max(1.0, its.width()), 0.0, 1.0);
  const double height = std::clamp((its.bottom() - place.y()) / std::max(1.0, its.height()), 0.0, 1.0);
  return {m_view.range[0] + part * (m_view.range[1] - m_view.range[0]), height * height * height};
}

int TransferEditor::pointNear(QPointF place) const {
  int nearest = -1;
  double least = kReach;
  for (std::size_t n = 0; n < m_view.points.size(); ++n) {
    const QPointF way = placeOf(m_view.points[n]) - place;
    if (const double far = std::hypot(way.x(), way.y()); far <= least)
      least = far, nearest = static_cast<int>(n);
  }
  return nearest;
}

void TransferEditor::insertPoint(const scene::OpacityPoint& point) {
  auto& points = m_view.points;
  const auto at =
      std::upper_bound(points.begin(), points.end(), point.value,
                       [](double value, const scene::OpacityPoint& other) { return value < other.value; });
  const int number = static_cast<int>(at - points.begin());
  points.insert(at, point);
  select(number);
}

void TransferEditor::removePoint(int number) {
  if (number < 0 || m_view.points.size() <= 1) return;
  m_view.points.erase(m_view.points.begin() + number);
  select(std::min(number, static_cast<int>(m_view.points.size()) - 1));
  tell(true);
}

void TransferEditor::setSelected(double value, double opacity, bool final) {
  auto& points = m_view.points;
  if (m_selected < 0 || m_selected >= static_cast<int>(points.size())) return;
  const auto [least, greatest] = roomOfSelected();
  points[static_cast<std::size_t>(m_selected)] = {std::clamp(value, least, greatest),
                                                  std::clamp(opacity, 0.0, 1.0)};
  tell(final);
}

std::array<double, 2> TransferEditor::roomOfSelected() const {
  const auto& points = m_view.points;
  const auto number = static_cast<std::size_t>(m_selected);
  return {number > 0 ? points[number - 1].value : -kAnyValue,
          number + 1 < points.size() ? points[number + 1].value : kAnyValue};
}

void TransferEditor::tell(bool final) {
  m_view.automatic = false;
  m_changing = !final;
  m_told = m_view.points;
  update();
  emit edited(std::vector<scene::OpacityPoint>(m_view.points), final);
}

void TransferEditor::mousePressEvent(QMouseEvent* event) {
  const int near = pointNear(event->position());
  if (event->button() == Qt::RightButton) return removePoint(near);
  if (event->button() != Qt::LeftButton) return;
  m_dragging = true;
  if (near >= 0) return select(near);
  insertPoint(pointAt(event->position()));
  tell(false);
}

void TransferEditor::mouseMoveEvent(QMouseEvent* event) {
  if (!m_dragging || m_selected < 0) return;
  const scene::OpacityPoint to = pointAt(event->position());
  setSelected(to.value, to.opacity, false);
}

void TransferEditor::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_dragging) return;
  m_dragging = false;
  if (m_changing) tell(true);  // choosing a point changes nothing
}

// Delete is not the window's here, which would take the object away.
bool TransferEditor::event(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return QWidget::event(event);
  const auto* const key = static_cast<QKeyEvent*>(event);
  const bool moves = key->key() >= Qt::Key_Home && key->key() <= Qt::Key_PageDown;
  const bool edits =
      key->key() == Qt::Key_Insert || key->key() == Qt::Key_Delete || key->key() == Qt::Key_Backspace;
  const bool puts = key->key() == Qt::Key_Escape && m_dragging;
  if (!(moves || edits || puts) || key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier))
    return QWidget::event(event);
  event->accept();
  return true;
}

void TransferEditor::keyPressEvent(QKeyEvent* event) {
  const auto count = static_cast<int>(m_view.points.size());
  const bool chosen = m_selected >= 0 && m_selected < count;
  const double step = event->modifiers() & Qt::ShiftModifier ? kFineKeyStep : kKeyStep;
  const auto move = [&](double right, double up) {
    if (!chosen) return select(0);
    const QRectF its = area();
    const scene::OpacityPoint was = m_view.points[static_cast<std::size_t>(m_selected)];
    // By the place, and exactly so along the axis that it does not move along.
    const scene::OpacityPoint to =
        pointAt(placeOf(was) + QPointF(right * step * its.width(), -up * step * its.height()));
    const double value = was.value + right * step * (m_view.range[1] - m_view.range[0]);
    setSelected(std::clamp(value, m_view.range[0], m_view.range[1]), up == 0 ? was.opacity : to.opacity,
                false);
  };
  if (event->key() == Qt::Key_Escape && std::exchange(m_dragging, false)) {
    if (std::exchange(m_changing, false)) emit takenBack();
    return;
  }
  switch (event->key()) {
    case Qt::Key_Left:
      return move(-1, 0);
    case Qt::Key_Right:
      return move(1, 0);
    case Qt::Key_Up:
      return move(0, 1);
    case Qt::Key_Down:
      return move(0, -1);
    case Qt::Key_PageUp:
      return select(std::max(0, m_selected - 1));
    case Qt::Key_PageDown:
      return select(std::min(count - 1, m_selected + 1));
    case Qt::Key_Insert: {
      if (count == 0) return;
      const int first = chosen ? m_selected : count - 1;
      const double from = m_view.points[static_cast<std::size_t>(first)].value;
      const double to = first + 1 < count ? m_view.points[static_cast<std::size_t>(first) + 1].value
                                          : std::max(from, m_view.range[1]);
      const double value = 0.5 * (from + to);
      insertPoint({value, opacityAt(m_view.points, value)});
      return tell(true);
    }
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
      return removePoint(m_selected);
    default:
      QWidget::keyPressEvent(event);
  }
}

void TransferEditor::focusInEvent(QFocusEvent* event) {
  update();
  QWidget::focusInEvent(event);
}

void TransferEditor::focusOutEvent(QFocusEvent* event) {
  // Keys that followed each other are one step.
  if (m_changing) tell(true);
  update();
  QWidget::focusOutEvent(event);
}

void TransferEditor::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF its = area();
  painter.fillRect(its, palette().base());
  const QColor ink = palette().text().color(), muted = mutedColor();

  // How often, by its logarithm: most values of a scan are air.
  std::uint64_t most = 0;
  for (const std::uint64_t count : m_view.counts) most = std::max(most, count);
  if (most > 0) {
    QPainterPath bars;
    bars.setFillRule(Qt::WindingFill);
    const double width = m_view.histogramRange[1] - m_view.histogramRange[0];
    const auto bins = static_cast<double>(m_view.counts.size());
    for (std::size_t n = 0; n < m_view.counts.size(); ++n) {
      if (m_view.counts[n] == 0) continue;
      const double height =
          std::log1p(static_cast<double>(m_view.counts[n])) / std::log1p(static_cast<double>(most));
      const double low = m_view.histogramRange[0] + static_cast<double>(n) / bins * width;
      double x0 = placeOf({low, 0}).x(), x1 = placeOf({low + width / bins, 0}).x();
      // One that stands alone would be a hair, or lie under the frame.
      const bool isAlone = (n == 0 || m_view.counts[n - 1] == 0) &&
                           (n + 1 == m_view.counts.size() || m_view.counts[n + 1] == 0);
      if (isAlone && x1 - x0 < kLoneBar) {
        const double middle =
            std::clamp(0.5 * (x0 + x1), its.left() + 0.5 * kLoneBar + 1, its.right() - 0.5 * kLoneBar - 1);
        x0 = middle - 0.5 * kLoneBar, x1 = middle + 0.5 * kLoneBar;
      }
      const double up = 0.95 * height * its.height();
      bars.addRect(QRectF(x0, its.bottom() - up, x1 - x0, up));
    }
    painter.save();
    painter.setClipRect(its);
    QColor fill = muted;
    fill.setAlphaF(0.35f);
    painter.fillPath(bars, fill);
    painter.restore();
  }

  // Beside the histogram, which would be read as well as they; where they would touch each other, fewer.
  painter.setFont(labelFont());
  double above = -kMargin - painter.fontMetrics().height();
  for (const double opacity : kLabels) {
    const double y = placeOf({m_view.range[0], opacity}).y();
    QColor faint = muted;
    faint.setAlphaF(0.4f);
    painter.setPen(QPen(faint, 1, Qt::DotLine));
    painter.drawLine(QPointF(its.left(), y), QPointF(its.right(), y));
    const double height = painter.fontMetrics().height();
    if (y - above < 0.9 * height) continue;
    above = y;
    painter.setPen(muted);
    painter.drawText(QRectF(0, y - height, its.left() - kGap, 2 * height), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(opacity));
  }

  const QPixmap colors = swatchOf(m_view.scale.map, QSize(256, int(kStrip)), color::Vision::Usual, 1);
  const double x0 = placeOf({m_view.scale.min, 0}).x(), x1 = placeOf({m_view.scale.max, 0}).x();
  const QRectF strip(its.left(), its.bottom() + kGap, its.width(), kStrip);
  painter.save();
  painter.setClipRect(strip);
  painter.drawPixmap(QRectF(x0, strip.top(), std::max(1.0, x1 - x0), strip.height()), colors,
                     QRectF(QPointF(0, 0), QSizeF(colors.size())));
  if (!colors.isNull() && !(m_view.scale.min < m_view.scale.max)) {
    // One value has the colour in the middle of the map, as in the view.
    const QImage all = colors.toImage();
    painter.fillRect(strip, all.pixelColor(all.width() / 2, 0));
  } else if (!colors.isNull()) {
    const QImage ends = colors.toImage();
    if (x0 > strip.left())
      painter.fillRect(QRectF(strip.left(), strip.top(), x0 - strip.left(), strip.height()),
                       ends.pixelColor(0, 0));
    if (x1 < strip.right())
      painter.fillRect(QRectF(x1, strip.top(), strip.right() - x1, strip.height()),
                       ends.pixelColor(ends.width() - 1, 0));
  }
  painter.restore();

  if (m_view.marked) {
    const double x = placeOf({*m_view.marked, 0}).x();
    painter.save();
    painter.setClipRect(its);
    painter.setPen(QPen(palette().highlight().color(), 2));
    painter.drawLine(QPointF(x, its.top()), QPointF(x, its.bottom()));
    painter.restore();
  }
  if (!m_view.why.isEmpty()) {
    // On a ground of its own: bars would be read as well.
    constexpr int kHow = Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap;
    painter.setFont(font());
    const QRectF room = its.adjusted(2 * kMargin, kMargin, -2 * kMargin, -kMargin);
    painter.fillRect(painter.boundingRect(room, kHow, m_view.why).adjusted(-kGap, -1, kGap, 1),
                     palette().base());
    painter.setPen(muted);
    painter.drawText(room, kHow, m_view.why);
  } else if (!m_view.points.empty()) {
    QPolygonF line;
    const int steps = std::max(2, static_cast<int>(its.width()));
    std::vector<double> values;
    for (int n = 0; n <= steps; ++n)
      values.push_back(m_view.range[0] + n * (m_view.range[1] - m_view.range[0]) / steps);
    for (const scene::OpacityPoint& point : m_view.points)
      if (point.value > m_view.range[0] && point.value < m_view.range[1]) values.push_back(point.value);
    std::sort(values.begin(), values.end());
    for (const double value : values) line << placeOf({value, opacityAt(m_view.points, value)});
    painter.setPen(QPen(m_view.automatic ? muted : palette().highlight().color(), 2));
    painter.drawPolyline(line);
    for (std::size_t n = 0; n < m_view.points.size(); ++n) {
      const bool chosen = static_cast<int>(n) == m_selected;
      painter.setPen(QPen(ink, chosen ? 2 : 1));
      painter.setBrush(chosen ? palette().highlight() : palette().button());
      painter.drawEllipse(placeOf(m_view.points[n]), chosen ? kKnob + 1 : kKnob, chosen ? kKnob + 1 : kKnob);
    }
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(hasFocus() ? QPen(palette().highlight().color(), 1.5) : QPen(muted, 1));
  painter.drawRect(its);
}

}  // namespace farfield::ui
