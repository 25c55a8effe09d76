#include "app/ui/panel_width.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QPointer>
#include <QScrollArea>
#include <QTimer>
#include <algorithm>

#include "app/ui/panel_focus.h"

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
    if (lacks > 0 && window && !m_dock.isFloating() && PanelFocus::isInSight(&m_dock))
      window->resizeDocks({&m_dock}, {m_dock.width() + lacks}, Qt::Horizontal);
  }

  QDockWidget& m_dock;
  QPointer<QScrollArea> m_area;
  int m_needed = 0;  ///< at most until now
  QTimer m_soon;
};

}  // namespace

void keepWideEnough(QDockWidget& dock, QScrollArea& area) {
  new WidthKeeper(dock, area);
}

}  // namespace farfield::ui
