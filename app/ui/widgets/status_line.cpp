#include "app/ui/widgets/status_line.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <algorithm>

#include "app/ui/widgets/look.h"

namespace farfield::ui {

/// While something is said, only what is always seen stands beside it.
QRect StatusLine::room() const {
  int end = width();
  for (const QWidget* const each : findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
    if (each->isVisible()) end = std::min(end, each->x());
  return {kPanelMargin, 0, std::max(0, end - 2 * kPanelMargin), height()};
}

QString StatusLine::shownText() const {
  return fontMetrics().elidedText(currentMessage(), Qt::ElideRight, room().width());
}

void StatusLine::paintEvent(QPaintEvent* event) {
  if (currentMessage().isEmpty()) return QStatusBar::paintEvent(event);
  QPainter painter(this);
  QStyleOption option;
  option.initFrom(this);
  style()->drawPrimitive(QStyle::PE_PanelStatusBar, &option, &painter, this);
  style()->drawItemText(&painter, room(),
                        static_cast<int>(Qt::AlignLeading | Qt::AlignVCenter | Qt::TextSingleLine), palette(),
                        isEnabled(), shownText(), foregroundRole());
}

}  // namespace farfield::ui
