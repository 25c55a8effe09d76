#include "app/ui/panels/page_map_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/ui/widgets/look.h"

namespace farfield::ui {
namespace {
constexpr double kMostCellSide = 22;
}

PageMapView::PageMapView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Page map"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize PageMapView::sizeHint() const {
  return {200, 120};
}

QColor PageMapView::residentColor() const {
  return palette().color(QPalette::Highlight);
}
QColor PageMapView::readingColor() {
  return isDark() ? QColor(0xff, 0xb0, 0x4d) : QColor(0xe0, 0x7b, 0x00);
}
QColor PageMapView::missingColor() const {
  QColor color = palette().color(QPalette::WindowText);
  color.setAlphaF(0.10f);
  return color;
}

void PageMapView::showMap(const app::PageMap& map) {
  m_map = map;
  setAccessibleDescription(
      tr("%1 of %2 pages in memory, %3 being read").arg(map.resident).arg(map.total).arg(map.reading));
  update();
}

QRectF PageMapView::cellAt(int column, int row) const {
  const double side = std::min({kMostCellSide, static_cast<double>(width()) / m_map.columns,
                                static_cast<double>(height()) / m_map.rows});
  const double gap = side >= 5 ? 1 : 0;
  // The lowest index at the bottom, as in a plot.
  return {column * side, (m_map.rows - 1 - row) * side, side - gap, side - gap};
}

void PageMapView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (m_map.cells.empty()) {
    painter.setPen(mutedColor());
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Pages appear here once something is computed of the data."));
    return;
  }
  for (int row = 0; row < m_map.rows; ++row)
    for (int column = 0; column < m_map.columns; ++column) {
      const app::PageMap::Cell& cell = m_map.cells[static_cast<std::size_t>(row * m_map.columns + column)];
      const QRectF place = cellAt(column, row);
      painter.fillRect(place, missingColor());
      if (cell.keptPart > 0) {
        QColor color = keptColor();
        color.setAlphaF(0.25f + 0.75f * cell.keptPart);
        painter.fillRect(place, color);
      }
      const double part = std::min(1.0, cell.resident / static_cast<double>(m_map.pagesPerCell));
      if (cell.resident > 0) {
        QColor color = residentColor();
        // Even one page of many must be seen.
        color.setAlphaF(static_cast<float>(0.25 + 0.75 * part));
        // What is on the disk, too, is seen beside it.
        painter.fillRect(cell.keptPart > 0 ? place.adjusted(0, 0, -place.width() / 3, 0) : place, color);
      }
      if (cell.reading > 0) {
        QRectF below = place;
        below.setTop(place.top() + 0.4 * place.height());
        painter.fillRect(below, readingColor());
      }
    }
}

bool PageMapView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || m_map.cells.empty()) return QWidget::event(event);
  const auto* const help = static_cast<QHelpEvent*>(event);
  static const char kAxes[] = "ijk";
  const char across = kAxes[m_map.along == 0 ? 1 : 0], up = kAxes[m_map.along == 2 ? 1 : 2];
  for (int row = 0; row < m_map.rows; ++row)
    for (int column = 0; column < m_map.columns; ++column) {
      if (!cellAt(column, row).contains(help->pos())) continue;
      const app::PageMap::Cell& cell = m_map.cells[static_cast<std::size_t>(row * m_map.columns + column)];
      QToolTip::showText(
          help->globalPos(),
          tr("Column %1 along %2, row %3 along %4: %5 of about %6 pages in memory, %7 being read")
                  .arg(column)
                  .arg(QChar(across))
                  .arg(row)
                  .arg(QChar(up))
                  .arg(cell.resident)
                  .arg(m_map.pagesPerCell)
                  .arg(cell.reading) +
              (cell.keptPart > 0
                   ? tr(", %1 % kept on this disk").arg(100.0 * static_cast<double>(cell.keptPart), 0, 'f', 0)
                   : QString()),
          this);
      return true;
    }
  QToolTip::hideText();
  return true;
}

}  // namespace farfield::ui
