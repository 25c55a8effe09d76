#pragma once
// A line of text that takes no room from what stands beside it: what has none is left out with an ellipsis, and all of it is in the tip.

#include <QLabel>

namespace farfield::ui {

class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  void showText(const QString& text);
  /// As it is seen.
  QString shownText() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace farfield::ui
