#include "app/ui/widgets/sparkline.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "app/ui/widgets/look.h"

namespace farfield::ui {
namespace {
constexpr std::size_t kMostValues = 120;
constexpr int kLineHeight = 18;
}  // namespace

Sparkline::Sparkline(const QString& label, double greatest, const QString& longest, QWidget* parent)
    : QWidget(parent), m_label(label), m_longest(longest), m_greatest(greatest) {
  setAccessibleName(label);
  setToolTip(label);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize Sparkline::sizeHint() const {
  return {minimumSizeHint().width() + fontMetrics().averageCharWidth() * 3, minimumSizeHint().height()};
}

QSize Sparkline::minimumSizeHint() const {
  const int width =
      std::max(fontMetrics().horizontalAdvance(m_label), fontMetrics().horizontalAdvance(m_longest));
  return {width, 2 * fontMetrics().height() + 2 + kLineHeight};
}

void Sparkline::add(double value, const QString& text) {
  m_values.push_back(value);
  if (m_values.size() > kMostValues) m_values.pop_front();
  m_text = text;
  setAccessibleDescription(text);
  update();
}

void Sparkline::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const int row = fontMetrics().height(), top = 2 * row + 2;
  painter.setPen(mutedColor());
  painter.drawText(QRect(0, 0, width(), row), Qt::AlignLeft | Qt::AlignTop, m_label);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(QRect(0, row, width(), row), Qt::AlignLeft | Qt::AlignTop, m_text);
  const QRectF area(0.5, top + 0.5, width() - 1, height() - top - 2);
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette().color(QPalette::Base));
  painter.drawRoundedRect(area, 2, 2);
  if (m_values.size() < 2) return;
  const double greatest =
      m_greatest > 0 ? m_greatest : std::max(1e-300, *std::max_element(m_values.begin(), m_values.end()));
  QPainterPath line;
  for (std::size_t n = 0; n < m_values.size(); ++n) {
    const double x =
        area.right() - static_cast<double>(m_values.size() - 1 - n) * area.width() / (kMostValues - 1);
    const double y = area.bottom() - 1 - std::clamp(m_values[n] / greatest, 0.0, 1.0) * (area.height() - 3);
    n == 0 ? line.moveTo(x, y) : line.lineTo(x, y);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
  painter.drawPath(line);
}

}  // namespace farfield::ui
