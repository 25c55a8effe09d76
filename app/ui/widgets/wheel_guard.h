#pragma once
// The wheel scrolls panels. Without this it would change each choice, number and slider that comes under the cursor on the
// way down a panel, unseen; and take the keyboard there, where the next key would.

#include <QObject>

namespace farfield::ui {

class WheelGuard : public QObject {
 public:
  /// For the whole application as long as it lives.
  explicit WheelGuard(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace farfield::ui
