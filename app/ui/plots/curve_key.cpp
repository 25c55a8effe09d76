#include "app/ui/plots/curve_key.h"

#include <QObject>
#include <QPainter>
#include <algorithm>
#include <array>
#include <utility>

namespace farfield::ui {
namespace {

constexpr double kLineWidth = 1.8;
/// Behind blue, which is the first: all are told apart by who sees red and green alike, as they differ in how light they are, too.
constexpr std::array<QRgb, 4> kOnLight{0xffc2500a, 0xff00735c, 0xff8f3f97, 0xff7a6200};
constexpr std::array<QRgb, 4> kOnDark{0xfff2994a, 0xff2fd0a0, 0xffe0a8ec, 0xffeadf70};
constexpr int kColors = 5;
/// Lengths of strokes and gaps, in widths of the line; the first is whole.
const std::array<QList<qreal>, 5>& patterns() {
  static const std::array<QList<qreal>, 5> all{
      QList<qreal>{}, {5, 2.5}, {1, 2}, {6, 2, 1, 2}, {6, 2, 1, 2, 1, 2}};
  return all;
}

/// In heights of letters.
constexpr double kSample = 2.4, kGap = 0.4, kBetween = 1.2;
/// As wide as a value.
constexpr const char* kWidestValue = ": -0.123456e-05";

}  // namespace

QPen penOfCurve(std::size_t n, const QPalette& colors) {
  const std::size_t color = n % kColors;
  const bool isDark = colors.color(QPalette::Base).lightness() < 128;
  QPen pen(color == 0 ? colors.color(QPalette::Highlight)
                      : QColor::fromRgb((isDark ? kOnDark : kOnLight)[color - 1]),
           kLineWidth);
  // A colour that comes again has another pattern.
  const QList<qreal>& pattern = patterns()[(n + n / kColors) % patterns().size()];
  pen.setCapStyle(Qt::FlatCap);
  if (!pattern.isEmpty()) pen.setDashPattern(pattern);
  return pen;
}

CurveKey::CurveKey(QStringList names, const QFontMetricsF& letters, double width)
    : m_names(std::move(names)), m_letters(letters), m_row(1.3 * letters.height()) {
  double widest = 0;
  for (const QString& name : std::as_const(m_names))
    widest = std::max(widest, letters.horizontalAdvance(name));
  const double em = letters.height();
  const double column = (kSample + kGap + kBetween) * em + widest + letters.horizontalAdvance(kWidestValue);
  m_columns = std::max(1, static_cast<int>(width / column));
  m_column = m_columns == 1 ? width : column;
  const int count = static_cast<int>(m_names.size());
  m_rows = (count + m_columns - 1) / m_columns;
}

void CurveKey::paint(QPainter& painter, QPointF corner, double height, const QPalette& colors,
                     const QStringList& values) const {
  const double em = m_letters.height();
  const int seen = seenIn(height), others = static_cast<int>(m_names.size()) - seen;
  for (int n = 0; n < seen; ++n) {
    const QPointF at = corner + QPointF((n % m_columns) * m_column, (n / m_columns) * m_row);
    const double middle = at.y() + 0.5 * m_row;
    painter.setPen(penOfCurve(static_cast<std::size_t>(n), colors));
    painter.drawLine(QPointF(at.x(), middle), QPointF(at.x() + kSample * em, middle));
    const QRectF place(at.x() + (kSample + kGap) * em, at.y(), m_column - (kSample + kGap) * em, m_row);
    QString behind = n < values.size() ? ": " + values[n] : QString();
    if (n + 1 == seen && others > 0) behind += QObject::tr(" … and %n more", nullptr, others);
    painter.setPen(colors.color(QPalette::Text));
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                     m_letters.elidedText(m_names[n], Qt::ElideMiddle,
                                          place.width() - m_letters.horizontalAdvance(behind)) +
                         behind);
  }
}

}  // namespace farfield::ui
