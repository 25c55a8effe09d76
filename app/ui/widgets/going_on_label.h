#pragma once
// Where a dialog says what is going on, or what is wrong: two lines of plain text at least, always there, so that nothing moves when
// something is said; it can be selected, and is read out.

#include <QLabel>

namespace farfield::ui {

class GoingOnLabel final : public QLabel {
  Q_OBJECT
 public:
  GoingOnLabel(const QString& objectName, QWidget* parent);
  /// Problems have the colour of warnings.
  void say(const QString& text, bool problem = false);
};

}  // namespace farfield::ui
