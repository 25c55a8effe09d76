#include "app/ui/widgets/focus_mark.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QFocusEvent>
#include <QPainter>
#include <QScrollArea>

#include "render/qt3d/viewport.h"

namespace farfield::ui {
namespace {
constexpr int kWide = 3;
}

FocusMark::FocusMark(QWidget* window) : QWidget(window), m_window(window) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
  qApp->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* now) {
    goTo(now && m_window->isAncestorOf(now) && isOf(now) ? now : nullptr);
  });
}

bool FocusMark::isOf(const QWidget* area) const {
  const bool byTab = m_reason == Qt::TabFocusReason || m_reason == Qt::BacktabFocusReason;
  // Of a list the style marks the row within the blue of what is selected, where it is not seen.
  if (qobject_cast<const qt3d::Viewport*>(area) || qobject_cast<const QAbstractItemView*>(area)) return byTab;
  // The start page has the keyboard by itself when everything is undone: nobody has gone there.
  return qobject_cast<const QScrollArea*>(area) && (byTab || m_reason == Qt::ShortcutFocusReason);
}

/// Above its contents, and back in the window where it is not needed: an area that goes away would take it along.
void FocusMark::goTo(QWidget* area) {
  if (m_area == area) return;
  m_area = area;
  setParent(area ? area : m_window);
  if (!area) return;
  setGeometry(area->rect());
  raise();
  show();
}

bool FocusMark::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn) m_reason = static_cast<QFocusEvent*>(event)->reason();
  if (watched != m_area || !m_area) return false;
  if (event->type() == QEvent::Resize) setGeometry(m_area->rect());
  if (event->type() == QEvent::MouseButtonPress && qobject_cast<qt3d::Viewport*>(watched)) goTo(nullptr);
  return false;
}

/// What lies under it is not painted anew with it, nor it with that.
void FocusMark::resizeEvent(QResizeEvent*) {
  setMask(QRegion(rect()) - rect().adjusted(kWide, kWide, -kWide, -kWide));
}

void FocusMark::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(palette().color(QPalette::Link), 1.5));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
}

}  // namespace farfield::ui
