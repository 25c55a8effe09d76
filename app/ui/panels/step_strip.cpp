#include "app/ui/panels/step_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/ui/widgets/look.h"

namespace farfield::ui {

StepStrip::StepStrip(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Steps in memory"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StepStrip::showSteps(std::vector<float> resident, std::vector<float> kept, const QString& elsewhere) {
  if (resident == m_resident && kept == m_kept && elsewhere == m_elsewhere) return;
  m_resident = std::move(resident);
  m_kept = std::move(kept);
  m_elsewhere = elsewhere;
  const auto some = std::count_if(m_resident.begin(), m_resident.end(), [](float part) { return part > 0; });
  setAccessibleDescription(tr("%1 of %2 steps are in memory, in part at least")
                               .arg(static_cast<qlonglong>(some))
                               .arg(static_cast<qlonglong>(m_resident.size())));
  update();
}

void StepStrip::paintEvent(QPaintEvent*) {
  if (m_resident.empty()) return;
  QPainter painter(this);
  QColor elsewhere = palette().color(QPalette::WindowText);
  elsewhere.setAlphaF(0.10f);
  const double left = m_inset, width = std::max(1, this->width() - 2 * m_inset);
  const double each = width / static_cast<double>(m_resident.size());
  const double gap = each >= 4 ? 1 : 0;
  for (std::size_t step = 0; step < m_resident.size(); ++step) {
    const QRectF place(left + static_cast<double>(step) * each, 0, std::max(0.5, each - gap), height());
    painter.fillRect(place, elsewhere);
    if (step < m_kept.size() && m_kept[step] > 0) {
      QColor color = keptColor();
      color.setAlphaF(0.3f + 0.7f * std::min(1.0f, m_kept[step]));
      painter.fillRect(place, color);
    }
    if (!(m_resident[step] > 0)) continue;
    QColor color = palette().color(QPalette::Highlight);
    color.setAlphaF(0.3f + 0.7f * std::min(1.0f, m_resident[step]));
    // Over what is on the disk, which is seen below it.
    painter.fillRect(m_kept.empty() ? place : place.adjusted(0, 0, 0, -height() / 3.0), color);
  }
}

QString StepStrip::textOf(std::size_t step) const {
  const auto percent = [](float part) {
    return QString::number(100.0 * static_cast<double>(part), 'f', part < 0.1f ? 1 : 0);
  };
  QStringList parts;
  if (m_resident[step] > 0) parts.append(tr("%1 % in memory").arg(percent(m_resident[step])));
  if (step < m_kept.size() && m_kept[step] > 0)
    parts.append(tr("%1 % kept on this disk").arg(percent(m_kept[step])));
  parts.append(parts.isEmpty() ? m_elsewhere : tr("the rest %1").arg(m_elsewhere));
  return tr("Step %1: %2").arg(static_cast<qlonglong>(step)).arg(parts.join(", "));
}

bool StepStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || m_resident.empty()) return QWidget::event(event);
  const auto* const help = static_cast<QHelpEvent*>(event);
  const double at = (help->pos().x() - m_inset) / static_cast<double>(std::max(1, width() - 2 * m_inset));
  const auto step =
      static_cast<std::size_t>(std::clamp(std::floor(at * static_cast<double>(m_resident.size())), 0.0,
                                          static_cast<double>(m_resident.size() - 1)));
  QToolTip::showText(help->globalPos(), textOf(step), this);
  return true;
}

}  // namespace farfield::ui
