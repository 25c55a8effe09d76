#pragma once
// The button at the end of a field that empties it: Qt's own, which has no name for those who do not see it.

class QLineEdit;

namespace farfield::ui {

void addClearButton(QLineEdit& field);

}  // namespace farfield::ui
