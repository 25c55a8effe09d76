#pragma once
// A line around what draws nothing of the keyboard's place itself: areas that scroll, and views, these until the mouse is used in them.

#include <QPointer>
#include <QWidget>

namespace farfield::ui {

class FocusMark : public QWidget {
  Q_OBJECT
 public:
  /// Goes to whatever of `window` gets the keyboard.
  explicit FocusMark(QWidget* window);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  bool isOf(const QWidget* area) const;
  void goTo(QWidget* area);

  QWidget* m_window;
  QPointer<QWidget> m_area;
  Qt::FocusReason m_reason = Qt::OtherFocusReason;  ///< for which something got the keyboard last
};

}  // namespace farfield::ui
