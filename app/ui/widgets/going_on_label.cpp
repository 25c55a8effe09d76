#include "app/ui/widgets/going_on_label.h"

#include "app/ui/widgets/look.h"

namespace farfield::ui {

GoingOnLabel::GoingOnLabel(const QString& objectName, QWidget* parent) : QLabel(parent) {
  setObjectName(objectName);
  setWordWrap(true);
  setTextFormat(Qt::PlainText);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setMinimumHeight(2 * fontMetrics().lineSpacing());
  setAlignment(Qt::AlignLeft | Qt::AlignTop);
  setAccessibleName(tr("What is going on"));
}

void GoingOnLabel::say(const QString& text, bool problem) {
  showWarning(this, QPalette::WindowText, problem);
  setText(text);
  setAccessibleDescription(text);
}

}  // namespace farfield::ui
