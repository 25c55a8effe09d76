#include "app/ui/plots/curve_view.h"

#include <QBuffer>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/model/files/file_saver.h"
#include "app/ui/plots/curve_key.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "render/color/ticks.h"

namespace farfield::ui {
namespace {

QPalette paperColors() {
  QPalette colors;
  colors.setColor(QPalette::Base, Qt::white);
  colors.setColor(QPalette::Text, QColor(0x1c, 0x21, 0x28));
  colors.setColor(QPalette::PlaceholderText, QColor(0x65, 0x6d, 0x77));
  colors.setColor(QPalette::Highlight, QColor(0x1f, 0x6f, 0xbf));
  return colors;
}

constexpr int kMostMarks = 8;
/// In pixels, between points of a curve of more than so many.
constexpr double kLeastStep = 0.3;
constexpr std::size_t kManyPoints = 5000;
/// In heights of letters: for the numbers and the name of the axis below the plot, and the plot in a low panel.
constexpr double kBelowPlot = 2.6, kLeastPlot = 1.5;

/// The numbers beside curves: as many as there is room for.
color::Ticks ticksBeside(const std::array<double, 2>& range, double height, double em) {
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

QString withPower(const QString& name, int exponent, const QFontMetricsF& letters, double width) {
  const QString power =
      exponent == 0 ? QString() : QStringLiteral(" ×") + QString::fromStdString(color::powerOfTen(exponent));
  // In a narrow panel the name is shortened: without the power numbers mean nothing.
  return letters.elidedText(name, Qt::ElideMiddle, width - letters.horizontalAdvance(power)) + power;
}

}  // namespace

CurveView::CurveView(QWidget* parent) : QWidget(parent), m_axes(axesOf(m_curve)) {
  setMouseTracking(true);
  setMinimumSize(fontMetrics().averageCharWidth() * 24, fontMetrics().height() * 5);
  setAccessibleName(tr("Curve"));
}

QSize CurveView::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 20};
}

void CurveView::showCurve(const Curve& curve) {
  // Once they have been apart, axes stay so from step to step: curves of two steps can be compared.
  bool isSame = m_axes.hasRight && !m_curve.isPart && curve.count() == m_curve.count();
  for (std::size_t n = 0; isSame && n < curve.count(); ++n) isSame = curve.nameOf(n) == m_curve.nameOf(n);
  const std::vector<Side> sides = isSame ? m_axes.sides : std::vector<Side>{};
  m_curve = curve;
  m_text.clear();
  m_pointed = -1;
  m_axes = axesOf(curve, sides);
  QStringList said;
  for (std::size_t n = 0; n < curve.count(); ++n)
    said.append(tr("%1 from %2").arg(curve.nameOf(n), textOfRange(m_axes.spans[n][0], m_axes.spans[n][1])));
  setAccessibleDescription(said.join("; "));
  update();
}

void CurveView::showText(const QString& text) {
  m_curve = {};
  m_axes = axesOf(m_curve);
  m_text = text;
  setAccessibleDescription(text);
  update();
}

/// What stands above the curves: the name of the only one, or the key, and below it the powers of the axes, or the place under the cursor.
CurveView::Head CurveView::headOf(const QRectF& area) const {
  const double em = fontMetrics().height();
  if (m_curve.count() == 1) return {1.6 * em, 0};
  // The rows of a long key that would leave no room for the plot are not seen until there is more.
  const double room = area.height() - (kBelowPlot + kLeastPlot) * em;
  Head head;
  head.powers = room >= 1.5 * em ? 1.5 * em : 0;
  head.key = CurveKey(keyNames(), QFontMetricsF(font()), area.width() - em)
                 .heightIn(std::min(std::max(1.3 * em, 0.5 * area.height()), room - head.powers));
  return head;
}

QStringList CurveView::keyNames() const {
  QStringList names;
  for (std::size_t n = 0; n < m_curve.count(); ++n)
    names.append(m_axes.sides[n] == Side::Right ? tr("%1 (right)").arg(m_curve.nameOf(n))
                                                : m_curve.nameOf(n));
  return names;
}

/// Beside it there is room for its numbers, however many digits tell them apart.
QRectF CurveView::plotArea(const QRectF& area) const {
  const double em = fontMetrics().height();
  const QRectF usual = area.adjusted(4.2 * em, headOf(area).height(), -0.8 * em, -kBelowPlot * em);
  const auto moreAt = [&](Side side, double room) {
    double widest = 0;
    for (const color::Tick& tick : ticksBeside(m_axes.rangeOf(side), usual.height(), em).ticks)
      widest = std::max(widest, QFontMetricsF(font()).horizontalAdvance(QString::fromStdString(tick.label)));
    return std::min(widest + 0.4 * em - room, 0.4 * usual.width());
  };
  return usual.adjusted(std::max(0.0, moreAt(Side::Left, 4.2 * em)), 0,
                        m_axes.hasRight ? -std::max(0.0, moreAt(Side::Right, 0.8 * em)) : 0, 0);
}

double CurveView::pixelOf(double place, const QRectF& plot) const {
  const double span = m_curve.ends[1] - m_curve.ends[0];
  return plot.left() + (span > 0 ? plot.width() * (place - m_curve.ends[0]) / span : 0);
}

double CurveView::heightOf(double value, Side side, const QRectF& plot) const {
  const auto& range = m_axes.rangeOf(side);
  return plot.bottom() - plot.height() * (value - range[0]) / (range[1] - range[0]);
}

/// Of what is written, whatever the theme of the screen: for paper.
QPalette CurveView::paletteOf(const QPainter& painter) const {
  return painter.device() == this ? palette() : paperColors();
}

bool CurveView::pointsAtValue() const {
  return m_pointed >= 0 && m_pointed < static_cast<int>(m_curve.values.size());
}

QString CurveView::valueAt(std::size_t curve, std::size_t n) const {
  const double value = m_curve.valuesOf(curve)[n];
  if (value == kElsewhere) return QStringLiteral("–");
  return std::isfinite(value) ? textOfNumber(value) : tr("outside");
}

void CurveView::paint(QPainter& painter, const QRectF& area) const {
  const QPalette colors = paletteOf(painter);
  const QColor ink = colors.color(QPalette::Text), pale = colors.color(QPalette::PlaceholderText);
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_curve.values.empty()) {
    painter.setPen(pale);
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, m_text);
    return;
  }
  const QRectF plot = plotArea(area);
  const double em = fontMetrics().height();
  const auto x = [&](double place) { return pixelOf(place, plot); };
  const auto y = [&](double value, Side side) { return heightOf(value, side, plot); };
  const color::Ticks beside = ticksBeside(m_axes.rangeOf(Side::Left), plot.height(), em);
  const color::Ticks right =
      m_axes.hasRight ? ticksBeside(m_axes.rangeOf(Side::Right), plot.height(), em) : color::Ticks{};
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
  for (const Label& label : below) {
    painter.setPen(line);
    painter.drawLine(QPointF(x(label.place), plot.top()), QPointF(x(label.place), plot.bottom()));
    painter.setPen(pale);
    // Whole at the ends, too.
    const double left = std::min(x(label.place) - 0.5 * labelWidth, area.right() - labelWidth);
    painter.drawText(QRectF(left, plot.bottom() + 2, labelWidth, em), Qt::AlignHCenter, label.text);
  }
  for (const color::Tick& tick : beside.ticks) {
    const double at = y(tick.value, Side::Left);
    painter.setPen(line);
    painter.drawLine(QPointF(plot.left(), at), QPointF(plot.right(), at));
    painter.setPen(pale);
    painter.drawText(QRectF(area.left(), at - 0.5 * em, plot.left() - area.left() - 0.2 * em, em),
                     Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(tick.label));
  }
  // Lines across of both would be taken for each other.
  for (const color::Tick& tick : right.ticks) {
    const double at = y(tick.value, Side::Right);
    painter.setPen(pale);
    painter.drawLine(QPointF(plot.right() - 0.3 * em, at), QPointF(plot.right(), at));
    painter.drawText(QRectF(plot.right() + 0.2 * em, at - 0.5 * em, area.right() - plot.right(), em),
                     Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(tick.label));
  }
  paintHead(painter, area, plot, beside.exponent, right.exponent);
  painter.setPen(ink);
  painter.drawText(QRectF(plot.left(), plot.bottom() + 1.1 * em, plot.width(), 1.4 * em),
                   Qt::AlignRight | Qt::AlignVCenter,
                   withPower(m_curve.across, powerBelow, QFontMetricsF(painter.font()), plot.width()));
  if (m_curve.marked) {
    painter.setPen(QPen(pale, 1, Qt::DashLine));
    painter.drawLine(QPointF(x(*m_curve.marked), plot.top()), QPointF(x(*m_curve.marked), plot.bottom()));
  }
  if (!m_curve.bars) {
    // The first is seen where several are one.
    for (std::size_t n = m_curve.count(); n-- > 0;) paintLine(painter, plot, n);
    return;
  }
  const QColor strong = colors.color(QPalette::Highlight);
  const double width = plot.width() / static_cast<double>(m_curve.values.size());
  for (std::size_t n = 0; n < m_curve.values.size(); ++n) {
    const double top = y(m_curve.values[n], Side::Left), left = plot.left() + static_cast<double>(n) * width;
    painter.fillRect(QRectF(left, top, std::max(0.5, width - (width > 4 ? 1 : 0)), plot.bottom() - top),
                     strong);
  }
}

void CurveView::paintHead(QPainter& painter, const QRectF& area, const QRectF& plot, int powerLeft,
                          int powerRight) const {
  const QPalette colors = paletteOf(painter);
  const double em = fontMetrics().height();
  const QFontMetricsF letters(painter.font());
  painter.setPen(colors.color(QPalette::Text));
  if (m_curve.count() == 1) {
    painter.drawText(QRectF(plot.left(), area.top(), plot.width(), 1.5 * em),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     withPower(m_curve.up, powerLeft, letters, plot.width()));
    return;
  }
  QStringList values;
  if (painter.device() == this && pointsAtValue())
    for (std::size_t n = 0; n < m_curve.count(); ++n)
      values.append(valueAt(n, static_cast<std::size_t>(m_pointed)));
  const CurveKey key(keyNames(), letters, area.width() - em);
  const Head head = headOf(area);
  key.paint(painter, area.topLeft() + QPointF(0.5 * em, 0), head.key, colors, values);
  if (head.powers == 0) return;
  painter.setPen(colors.color(QPalette::PlaceholderText));
  const QRectF powers(area.left() + 0.5 * em, plot.top() - 1.5 * em, area.width() - em, 1.4 * em);
  painter.drawText(powers, Qt::AlignLeft | Qt::AlignVCenter, withPower({}, powerLeft, letters, plot.width()));
  painter.drawText(powers, Qt::AlignRight | Qt::AlignVCenter,
                   withPower({}, powerRight, letters, plot.width()));
}

void CurveView::paintLine(QPainter& painter, const QRectF& plot, std::size_t n) const {
  QPainterPath path;
  bool down = false;
  const std::vector<double>& values = m_curve.valuesOf(n);
  const bool isLong = values.size() > kManyPoints;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (values[at] == kElsewhere) continue;
    if (!std::isfinite(values[at])) {
      down = false;
      continue;
    }
    const QPointF point(pixelOf(m_curve.placeOf(at), plot), heightOf(values[at], m_axes.sides[n], plot));
    // Of very many points those that are told apart on paper as well are enough, and drawn in time.
    if (isLong && down && (point - path.currentPosition()).manhattanLength() < kLeastStep) continue;
    // A value between two gaps is a dot.
    if (!down) path.addEllipse(point, 0.6, 0.6);
    down ? path.lineTo(point) : path.moveTo(point);
    down = true;
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(penOfCurve(n, paletteOf(painter)));
  painter.drawPath(path);
}

void CurveView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  paint(painter, rect());
  if (!pointsAtValue()) return;
  const auto n = static_cast<std::size_t>(m_pointed);
  const QRectF plot = plotArea(rect());
  const double at = pixelOf(m_curve.placeOf(n), plot), em = fontMetrics().height();
  painter.setPen(mutedColor());
  painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
  painter.setPen(palette().color(QPalette::Text));
  // Of several lines at this place it is this one.
  painter.setRenderHint(QPainter::Antialiasing);
  for (std::size_t each = 0; m_curve.wanders && each < m_curve.count(); ++each)
    if (const double value = m_curve.valuesOf(each)[n]; std::isfinite(value))
      painter.drawEllipse(QPointF(at, heightOf(value, m_axes.sides[each], plot)), 3, 3);
  const QString place = n < m_curve.said.size() ? m_curve.said[n] : textOfNumber(m_curve.placeOf(n));
  if (m_curve.count() > 1)  // the values stand in the key
    painter.drawText(QRectF(plot.left(), plot.top() - 1.5 * em, plot.width(), 1.4 * em), Qt::AlignCenter,
                     tr("at %1").arg(place));
  else
    painter.drawText(QRectF(plot.left(), 0, plot.width(), plot.top()), Qt::AlignRight | Qt::AlignVCenter,
                     tr("at %1: %2").arg(place, valueAt(0, n)));
}

void CurveView::mouseMoveEvent(QMouseEvent* event) {
  const QRectF plot = plotArea(rect());
  const double at = event->position().x();
  m_pointed = -1;
  double nearest = INFINITY;
  for (std::size_t n = 0; n < m_curve.values.size() && at >= plot.left() && at <= plot.right(); ++n) {
    const double across = pixelOf(m_curve.placeOf(n), plot) - at;
    double away = std::abs(across);
    // Where several points have one place that is meant whose value is nearest.
    if (m_curve.wanders) {
      away = INFINITY;
      for (std::size_t each = 0; each < m_curve.count(); ++each)
        if (const double value = m_curve.valuesOf(each)[n]; std::isfinite(value))
          away = std::min(
              away, std::hypot(across, heightOf(value, m_axes.sides[each], plot) - event->position().y()));
    }
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

QByteArray CurveView::svg() {
  QBuffer file;
  {
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setSize(size());
    svg.setViewBox(rect());
    QStringList names;
    for (std::size_t n = 0; n < m_curve.count(); ++n) names.append(m_curve.nameOf(n));
    svg.setTitle(names.join(", "));
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
  return file.data();
}

bool CurveView::writeSvg(const QString& path) {
  return app::saveFile(path, svg()).isEmpty();
}

}  // namespace farfield::ui
