#include "app/ui/widgets/esc_key.h"

#include <QKeyEvent>

namespace farfield::ui {

Esc escIn(QEvent& event) {
  const bool claims = event.type() == QEvent::ShortcutOverride;
  if ((!claims && event.type() != QEvent::KeyPress) ||
      static_cast<const QKeyEvent&>(event).key() != Qt::Key_Escape)
    return Esc::None;
  if (claims) event.accept();
  return claims ? Esc::Claimed : Esc::Pressed;
}

}  // namespace farfield::ui
