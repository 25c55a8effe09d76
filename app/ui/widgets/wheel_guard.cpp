#include "app/ui/widgets/wheel_guard.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollArea>
#include <QSlider>

namespace farfield::ui {
namespace {

bool holdsValue(const QObject* widget) {
  return qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
         qobject_cast<const QSlider*>(widget);
}

bool liesInWhatScrolls(const QWidget* widget) {
  for (const QWidget* at = widget; at && !at->isWindow(); at = at->parentWidget())
    if (qobject_cast<const QScrollArea*>(at)) return true;
  return false;
}

}  // namespace

WheelGuard::WheelGuard(QObject* parent) : QObject(parent) {
  qApp->installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show)
    if (auto* const widget = qobject_cast<QWidget*>(watched);
        widget && widget->focusPolicy() == Qt::WheelFocus)
      widget->setFocusPolicy(Qt::StrongFocus);
  if (event->type() != QEvent::Wheel || !holdsValue(watched) ||
      !liesInWhatScrolls(static_cast<QWidget*>(watched)))
    return false;
  event->ignore();  // what is around it gets the event
  return true;
}

}  // namespace farfield::ui
