#include "app/ui/curve_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/look.h"
#include "app/ui/number_edit.h"
#include "render/color/ticks.h"

namespace farfield::ui {
namespace {

/// Of what is written, whatever the theme of the screen: for paper.
QPalette paperColors() {
  QPalette colors;
  colors.setColor(QPalette::Base, Qt::white);
  colors.setColor(QPalette::Text, QColor(0x1c, 0x21, 0x28));
  colors.setColor(QPalette::PlaceholderText, QColor(0x65, 0x6d, 0x77));
  colors.setColor(QPalette::Highlight, QColor(0x1f, 0x6f, 0xbf));
  return colors;
}

constexpr int kMostMarks = 8;

/// Least and greatest value, a little apart where they are equal but for rounding. Bars stand on 0.
std::array<double, 2> rangeOf(const Curve& curve) {
  double least = curve.bars ? 0 : INFINITY, greatest = curve.bars ? 0 : -INFINITY;
  for (const double value : curve.values)
    if (std::isfinite(value)) least = std::min(least, value), greatest = std::max(greatest, value);
  if (!(least <= greatest)) return {0, 1};
  if (greatest - least <= 1e-13 * std::max(std::abs(least), std::abs(greatest))) {
    const double more = least == 0 ? 1 : 0.1 * std::abs(least);
    return {least - more, greatest + more};
  }
  return {least, greatest};
}

/// The numbers beside a curve: as many as there is room for.
color::Ticks ticksBeside(const Curve& curve, double height, double em) {
  const auto range = rangeOf(curve);
  return color::linearTicks(range[0], range[1],
                            std::clamp(static_cast<int>(height / (1.6 * em)), 2, kMostMarks));
}

struct Label {
  double place = 0;
  QString text;
};

/// The numbers below it, and how wide each may be: at least three, where there is room for them.
std::pair<color::Ticks, double> ticksBelow(const Curve& curve, double width, const QFontMetricsF& letters) {
  const double em = letters.height();
  color::Ticks found;
  double room = 0;
  constexpr std::size_t kFewest = 3;
  for (int most = std::clamp(static_cast<int>(width / (5 * em)), 2, kMostMarks); most <= kMostMarks; ++most) {
    color::Ticks next = color::linearTicks(curve.ends[0], curve.ends[1], most);
    double widest = 0;
    for (const color::Tick& tick : next.ticks)
      widest = std::max(widest, letters.horizontalAdvance(QString::fromStdString(tick.label)));
    widest += 0.5 * em;
    const bool fits = next.ticks.size() < 2 || (next.ticks[1].place - next.ticks[0].place) * width >= widest;
    if (!fits && !found.ticks.empty()) break;
    found = std::move(next);
    room = widest;
    if (found.ticks.size() >= kFewest) break;
  }
  return {found, room};
}

/// Some of the places that are said in words, evenly chosen; at most `most`.
std::vector<Label> someSaid(const Curve& curve, std::size_t most) {
  std::vector<Label> labels;
  const std::size_t count = curve.said.size(), every = (count + most - 1) / most;
  // Whole days are said as such.
  const QString midnight = QStringLiteral(" 00:00");
  bool areDays = true;
  for (std::size_t n = 0; n < count; n += every) areDays = areDays && curve.said[n].endsWith(midnight);
  for (std::size_t n = 0; n < count; n += every) {
    labels.push_back({curve.placeOf(n), curve.said[n]});
    if (areDays) labels.back().text.chop(midnight.size());
  }
  return labels;
}

}  // namespace

CurveView::CurveView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setMinimumSize(fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 7);
  setAccessibleName(tr("Curve"));
}

QSize CurveView::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 20};
}

void CurveView::showCurve(const Curve& curve) {
  m_curve = curve;
  m_text.clear();
  m_pointed = -1;
  const auto range = rangeOf(curve);
  setAccessibleDescription(tr("%1 from %2").arg(curve.up, textOfRange(range[0], range[1])));
  update();
}

void CurveView::showText(const QString& text) {
  m_curve = {};
  m_text = text;
  setAccessibleDescription(text);
  update();
}

/// Beside it there is room for its numbers, however many digits tell them apart.
QRectF CurveView::plotArea(const QRectF& area) const {
  const double em = fontMetrics().height();
  const QRectF usual = area.adjusted(4.2 * em, 1.6 * em, -0.8 * em, -2.6 * em);
  double widest = 0;
  for (const color::Tick& tick : ticksBeside(m_curve, usual.height(), em).ticks)
    widest = std::max(widest, QFontMetricsF(font()).horizontalAdvance(QString::fromStdString(tick.label)));
  const double more = std::min(widest + 0.4 * em - 4.2 * em, 0.4 * usual.width());
  return usual.adjusted(std::max(0.0, more), 0, 0, 0);
}

double CurveView::pixelOf(double place, const QRectF& plot) const {
  const double span = m_curve.ends[1] - m_curve.ends[0];
  return plot.left() + (span > 0 ? plot.width() * (place - m_curve.ends[0]) / span : 0);
}

void CurveView::paint(QPainter& painter, const QRectF& area) const {
  const QPalette colors = painter.device() == this ? palette() : paperColors();
  const QColor ink = colors.color(QPalette::Text), pale = colors.color(QPalette::PlaceholderText);
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_curve.values.empty()) {
    painter.setPen(pale);
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, m_text);
    return;
  }
  const QRectF plot = plotArea(area);
  const auto range = rangeOf(m_curve);
  const double em = fontMetrics().height();
  const auto x = [&](double place) { return pixelOf(place, plot); };
  const auto y = [&](double value) {
    return plot.bottom() - plot.height() * (value - range[0]) / (range[1] - range[0]);
  };
  const color::Ticks beside = ticksBeside(m_curve, plot.height(), em);
  std::vector<Label> below;
  int powerBelow = 0;
  double labelWidth = 6 * em;
  if (m_curve.said.empty()) {
    const auto [numbers, room] = ticksBelow(m_curve, plot.width(), QFontMetricsF(painter.font()));
    labelWidth = room;
    powerBelow = numbers.exponent;
    for (const color::Tick& tick : numbers.ticks)
      below.push_back({tick.value, QString::fromStdString(tick.label)});
  } else {
    labelWidth = QFontMetricsF(painter.font()).horizontalAdvance(m_curve.said.front()) + em;
    below = someSaid(m_curve, static_cast<std::size_t>(std::max(1.0, plot.width() / labelWidth)));
  }
  QColor line = pale;
  line.setAlphaF(0.25f);
  // In a narrow panel the name is shortened: without the power numbers mean nothing.
  const auto withPower = [&](const QString& name, int exponent) {
    const QString power = exponent == 0
                              ? QString()
                              : QStringLiteral(" ×") + QString::fromStdString(color::powerOfTen(exponent));
    const QFontMetricsF letters(painter.font());
    return letters.elidedText(name, Qt::ElideMiddle, plot.width() - letters.horizontalAdvance(power)) + power;
  };
  for (const Label& label : below) {
    painter.setPen(line);
    painter.drawLine(QPointF(x(label.place), plot.top()), QPointF(x(label.place), plot.bottom()));
    painter.setPen(pale);
    // Whole at the ends, too.
    const double left = std::min(x(label.place) - 0.5 * labelWidth, area.right() - labelWidth);
    painter.drawText(QRectF(left, plot.bottom() + 2, labelWidth, em), Qt::AlignHCenter, label.text);
  }
  for (const color::Tick& tick : beside.ticks) {
    painter.setPen(line);
    painter.drawLine(QPointF(plot.left(), y(tick.value)), QPointF(plot.right(), y(tick.value)));
    painter.setPen(pale);
    painter.drawText(QRectF(area.left(), y(tick.value) - 0.5 * em, plot.left() - area.left() - 0.2 * em, em),
                     Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(tick.label));
  }
  painter.setPen(ink);
  painter.drawText(QRectF(plot.left(), area.top(), plot.width(), 1.5 * em), Qt::AlignLeft | Qt::AlignVCenter,
                   withPower(m_curve.up, beside.exponent));
  painter.drawText(QRectF(plot.left(), plot.bottom() + 1.1 * em, plot.width(), 1.4 * em),
                   Qt::AlignRight | Qt::AlignVCenter, withPower(m_curve.across, powerBelow));
  if (m_curve.marked) {
    painter.setPen(QPen(pale, 1, Qt::DashLine));
    painter.drawLine(QPointF(x(*m_curve.marked), plot.top()), QPointF(x(*m_curve.marked), plot.bottom()));
  }
  const QColor strong = colors.color(QPalette::Highlight);
  if (m_curve.bars) {
    const double width = plot.width() / static_cast<double>(m_curve.values.size());
    for (std::size_t n = 0; n < m_curve.values.size(); ++n) {
      const double top = y(m_curve.values[n]), left = plot.left() + static_cast<double>(n) * width;
      painter.fillRect(QRectF(left, top, std::max(0.5, width - (width > 4 ? 1 : 0)), plot.bottom() - top),
                       strong);
    }
    return;
  }
  QPainterPath path;
  bool down = false;
  for (std::size_t n = 0; n < m_curve.values.size(); ++n) {
    const double value = m_curve.values[n];
    if (!std::isfinite(value)) {
      down = false;
      continue;
    }
    const QPointF at(x(m_curve.placeOf(n)), y(value));
    // A value between two gaps is a dot.
    if (!down) path.addEllipse(at, 0.6, 0.6);
    down ? path.lineTo(at) : path.moveTo(at);
    down = true;
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(strong, 1.8));
  painter.drawPath(path);
}

void CurveView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  paint(painter, rect());
  if (m_pointed < 0 || m_pointed >= static_cast<int>(m_curve.values.size())) return;
  const auto n = static_cast<std::size_t>(m_pointed);
  const QRectF plot = plotArea(rect());
  const double at = pixelOf(m_curve.placeOf(n), plot);
  painter.setPen(mutedColor());
  painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
  const QString value = std::isfinite(m_curve.values[n]) ? textOfNumber(m_curve.values[n]) : tr("outside");
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(
      QRectF(plot.left(), 0, plot.width(), plot.top()), Qt::AlignRight | Qt::AlignVCenter,
      tr("at %1: %2")
          .arg(n < m_curve.said.size() ? m_curve.said[n] : textOfNumber(m_curve.placeOf(n)), value));
}

void CurveView::mouseMoveEvent(QMouseEvent* event) {
  const QRectF plot = plotArea(rect());
  const double at = event->position().x();
  m_pointed = -1;
  double nearest = INFINITY;
  for (std::size_t n = 0; n < m_curve.values.size() && at >= plot.left() && at <= plot.right(); ++n) {
    const double away = std::abs(pixelOf(m_curve.placeOf(n), plot) - at);
    if (away < nearest) nearest = away, m_pointed = static_cast<int>(n);
  }
  update();
  emit pointedAt(m_pointed);
}

void CurveView::leaveEvent(QEvent*) {
  m_pointed = -1;
  update();
  emit pointedAt(-1);
}

bool CurveView::writeSvg(const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return false;
  {
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setSize(size());
    svg.setViewBox(rect());
    svg.setTitle(m_curve.up);
    // Letters as large as here: those of 72 dots per inch would be smaller than the room that they are given.
    svg.setResolution(logicalDpiY());
    // The family of the system has a name that programs for drawings and browsers know nothing of.
    QFont letters = font();
    letters.setFamilies({QStringLiteral("sans-serif")});
    letters.setPixelSize(fontInfo().pixelSize());
    QPainter painter(&svg);
    painter.setFont(letters);
    painter.fillRect(rect(), paperColors().color(QPalette::Base));
    paint(painter, rect());
  }
  return file.commit();
}

}  // namespace farfield::ui
