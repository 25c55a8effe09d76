#pragma once
// Whether something of a window can be seen as it stands.

#include <QWidget>

namespace farfield::test {

inline bool isInSight(const QWidget& window, const QWidget* widget) {
  const QRect its(widget->mapTo(&window, QPoint(0, 0)), widget->size());
  return widget->isVisible() && window.rect().contains(its.center());
}

}  // namespace farfield::test
