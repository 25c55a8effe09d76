#pragma once
// The status bar: what is said there for a while ends in an ellipsis where it has no room, however much of it what stands at the right
// takes meanwhile. The list of messages has all of it.

#include <QStatusBar>

namespace farfield::ui {

class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  using QStatusBar::QStatusBar;
  /// As it is seen.
  QString shownText() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect room() const;
};

}  // namespace farfield::ui
