#include "app/ui/widgets/tab_order.h"

#include <QLayout>
#include <QList>
#include <QWidget>

namespace farfield::ui {
namespace {

/// The widgets of `layout` that Tab stops at, in the order in which they were put there.
void gather(const QLayout& layout, QList<QWidget*>& found) {
  for (int n = 0; n < layout.count(); ++n) {
    QLayoutItem& item = *layout.itemAt(n);
    if (const QLayout* const inner = item.layout()) {
      gather(*inner, found);
    } else if (QWidget* const widget = item.widget()) {
      if (widget->focusPolicy() & Qt::TabFocus)
        found.append(widget);
      else if (widget->layout())
        gather(*widget->layout(), found);
    }
  }
}

}  // namespace

void tabAsLaidOut(const QLayout& layout) {
  QList<QWidget*> found;
  gather(layout, found);
  for (qsizetype n = 1; n < found.size(); ++n) QWidget::setTabOrder(found[n - 1], found[n]);
}

}  // namespace farfield::ui
