#include "app/ui/window/panel_width.h"

#include <QDockWidget>
#include <QEvent>
#include <QLayout>
#include <QMainWindow>
#include <QPointer>
#include <QScreen>
#include <QScrollArea>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "app/ui/window/panel_focus.h"

namespace farfield::ui {
namespace {

/// Belongs to its dock.
class WidthKeeper final : public QObject {
 public:
  WidthKeeper(QDockWidget& dock, QScrollArea& area) : QObject(&dock), m_dock(dock), m_area(&area) {
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    area.widget()->installEventFilter(this);
    m_needed = needed();
    // Once all are where they go.
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &WidthKeeper::widen);
    connect(&dock, &QDockWidget::dockLocationChanged, &m_soon, qOverload<>(&QTimer::start));
    connect(&dock, &QDockWidget::topLevelChanged, &m_soon, qOverload<>(&QTimer::start));
    connect(&dock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
      if (visible) m_soon.start();
    });
  }

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest && needed() > m_needed) {
      m_needed = needed();
      m_soon.start();
    }
    return false;
  }

 private:
  int needed() const { return m_area && m_area->widget() ? m_area->widget()->minimumSizeHint().width() : 0; }
  void widen() {
    auto* const window = qobject_cast<QMainWindow*>(m_dock.parentWidget());
    const int lacks = m_area ? needed() - m_area->viewport()->width() : 0;
    if (lacks <= 0 || !window || !PanelFocus::isInSight(&m_dock)) return;
    if (m_dock.isFloating())
      m_dock.resize(std::min(m_dock.width() + lacks, m_dock.screen()->availableGeometry().width()),
                    m_dock.height());
    else
      window->resizeDocks({&m_dock}, {m_dock.width() + lacks}, Qt::Horizontal);
  }

  QDockWidget& m_dock;
  QPointer<QScrollArea> m_area;
  int m_needed = 0;  ///< at most until now
  QTimer m_soon;
};

int widthThatSuits(const QDockWidget& dock) {
  const int width = std::max(dock.sizeHint().width(), dock.minimumSizeHint().width());
  // What is scrolled needs more than it says.
  const auto* const area = qobject_cast<const QScrollArea*>(dock.widget());
  if (!area || !area->widget()) return width;
  return std::max(width,
                  area->widget()->minimumSizeHint().width() + dock.width() - area->viewport()->width());
}

/// The same at the bottom: what is scrolled says a height in which hardly anything is seen.
int heightThatSuits(const QDockWidget& dock) {
  const int height = dock.sizeHint().height();
  const auto* const area = qobject_cast<const QScrollArea*>(dock.widget());
  if (!area || !area->widget()) return height;
  return std::max(height, area->widget()->sizeHint().height() + dock.height() - area->viewport()->height());
}

}  // namespace

void keepWideEnough(QDockWidget& dock, QScrollArea& area) {
  new WidthKeeper(dock, area);
}

ColumnLeft columnWithout(const QMainWindow& window, QDockWidget& dock) {
  ColumnLeft column;
  const Qt::DockWidgetArea area = window.dockWidgetArea(&dock);
  if (dock.isFloating() || (area != Qt::LeftDockWidgetArea && area != Qt::RightDockWidgetArea)) return column;
  const QRect its = dock.geometry();
  const QList<QDockWidget*> stack = window.tabifiedDockWidgets(&dock);
  for (QDockWidget* const each : window.findChildren<QDockWidget*>()) {
    if (each == &dock || each->isFloating() || each->isHidden() || window.dockWidgetArea(each) != area)
      continue;
    // Those behind another have no place of their own.
    const bool isBeside = each->x() > its.right() || each->geometry().right() < its.left();
    if (!stack.contains(each) && isBeside) continue;
    column.docks.append(each);
    column.width = std::max(column.width, widthThatSuits(*each));
  }
  column.surplus = std::max(0, widthThatSuits(dock) - column.width);
  return column;
}

void giveRoomBack(QMainWindow& window, const ColumnLeft& column) {
  for (QDockWidget* const each : column.docks)
    if (const int width = std::max(column.width, each->width() - column.surplus);
        PanelFocus::isInSight(each) && width < each->width())
      window.resizeDocks({each}, {width}, Qt::Horizontal);
}

void giveRoomTo(QMainWindow& window, QDockWidget& dock, int heightThere) {
  const bool isBelow = window.dockWidgetArea(&dock) == Qt::BottomDockWidgetArea;
  const int suits = isBelow ? std::min(heightThatSuits(dock), window.height() / 3)
                            : std::min(widthThatSuits(dock), window.width() / 2);
  const int there = isBelow ? heightThere : dock.width();
  if (there >= suits) return;
  if (isBelow) {
    const int least = dock.minimumHeight();
    dock.setMinimumHeight(suits);
    window.resizeDocks({&dock}, {suits}, Qt::Vertical);
    window.layout()->activate();
    dock.setMinimumHeight(least);
    return;
  }
  // What a column gets is taken from all that is beside it in equal parts: here from the view alone, as none is to be narrower.
  QList<std::pair<QDockWidget*, int>> held{{&dock, dock.minimumWidth()}};
  for (QDockWidget* const each : window.findChildren<QDockWidget*>()) {
    const Qt::DockWidgetArea area = window.dockWidgetArea(each);
    if (each == &dock || !PanelFocus::isInSight(each) || each->isFloating() ||
        area == window.dockWidgetArea(&dock) || area == Qt::BottomDockWidgetArea)
      continue;
    held.append({each, each->minimumWidth()});
    each->setMinimumWidth(each->width());
  }
  dock.setMinimumWidth(suits);
  window.resizeDocks({&dock}, {suits}, Qt::Horizontal);
  for (const auto& [each, least] : held) each->setMinimumWidth(least);
}

void giveOwnSize(QDockWidget& dock, const QWidget& window, const QPoint& place) {
  constexpr int kEdge = 4;
  dock.setGeometry(within(window.screen()->availableGeometry().adjusted(kEdge, kEdge, -kEdge, -kEdge),
                          QRect(place, dock.sizeHint().expandedTo(dock.minimumSizeHint()))));
}

QRect within(const QRect& room, QRect its) {
  its.setSize(its.size().boundedTo(room.size()));
  its.moveTo(std::clamp(its.x(), room.left(), room.right() + 1 - its.width()),
             std::clamp(its.y(), room.top(), room.bottom() + 1 - its.height()));
  return its;
}

}  // namespace farfield::ui
