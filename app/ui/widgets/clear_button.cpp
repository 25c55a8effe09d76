#include "app/ui/widgets/clear_button.h"

#include <QCoreApplication>
#include <QLineEdit>
#include <QToolButton>

namespace farfield::ui {

void addClearButton(QLineEdit& field) {
  field.setClearButtonEnabled(true);
  for (QToolButton* const button : field.findChildren<QToolButton*>())
    button->setAccessibleName(QCoreApplication::translate("ClearButton", "Empty the field"));
}

}  // namespace farfield::ui
