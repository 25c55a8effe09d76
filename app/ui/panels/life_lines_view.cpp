#include "app/ui/panels/life_lines_view.h"

#include <QPainter>
#include <algorithm>
#include <array>

#include "app/ui/panels/page_map_view.h"
#include "app/ui/widgets/look.h"

namespace farfield::ui {

std::vector<LifeStretch> stretchesOf(const std::vector<trace::LiveEvent>& events, std::int64_t from,
                                     std::int64_t to) {
  struct Lane {
    bool alive = false, waits = false;
    std::int64_t since = 0;
  };
  std::array<Lane, trace::kLiveLanes> lanes;
  std::vector<LifeStretch> stretches;
  const auto close = [&](int number, std::int64_t until) {
    Lane& lane = lanes[static_cast<std::size_t>(number)];
    if (lane.alive && until > lane.since && until > from)
      stretches.push_back({number, lane.waits, std::max(from, lane.since), std::min(to, until)});
    lane.since = until;
  };
  for (const trace::LiveEvent& event : events) {
    Lane& lane = lanes[static_cast<std::size_t>(event.lane)];
    // Of one whose beginning is too long ago, what it did until now follows from what it does next.
    if (!lane.alive && event.kind != trace::LiveKind::Began)
      lane = {true, event.kind == trace::LiveKind::GoesOn, from};
    close(event.lane, event.nanoseconds);
    lane.alive = event.kind != trace::LiveKind::Ended;
    lane.waits = event.kind == trace::LiveKind::Waits;
  }
  for (int lane = 0; lane < trace::kLiveLanes; ++lane) close(lane, to);
  return stretches;
}

LifeLinesView::LifeLinesView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Life lines of tasks"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setToolTip(
      tr("Tasks of the last two seconds, a row each: filled while one computes, pale while it waits for a "
         "page"));
}

QSize LifeLinesView::sizeHint() const {
  return {220, 120};
}

void LifeLinesView::showLives(const std::vector<trace::LiveEvent>& events, std::int64_t now,
                              std::int64_t span) {
  m_from = now - span;
  m_to = now;
  m_stretches = stretchesOf(events, m_from, m_to);
  update();
}

void LifeLinesView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  if (m_stretches.empty()) {
    painter.setPen(mutedColor());
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("No task has run lately."));
    return;
  }
  const double rowHeight = static_cast<double>(height()) / trace::kLiveLanes;
  const double scale = static_cast<double>(width()) / static_cast<double>(m_to - m_from);
  const QColor runs = palette().color(QPalette::Highlight);
  QColor waits = PageMapView::readingColor();
  waits.setAlphaF(0.35f);
  // Waits first: a life of many short waits must not hide that it computes.
  for (const bool waiting : {true, false})
    for (const LifeStretch& stretch : m_stretches) {
      if (stretch.waits != waiting) continue;
      const double left = static_cast<double>(stretch.from - m_from) * scale;
      const double length = std::max(0.7, static_cast<double>(stretch.to - stretch.from) * scale);
      painter.fillRect(QRectF(left, stretch.lane * rowHeight, length, std::max(1.0, rowHeight - 1)),
                       waiting ? waits : runs);
    }
}

}  // namespace farfield::ui
