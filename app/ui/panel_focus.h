#pragma once
// The way of the keyboard through the window. Widgets are made and thrown away all the time, so that the
// order in which the toolkit knows them is the order of their making; and it takes the keyboard into panels
// that lie behind another. Here Tab goes through one panel after the other, in a fixed order and only through
// what can be seen, and F6 goes from panel to panel, also to those behind.

#include <QList>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace farfield::ui {

class PanelFocus {
 public:
  /// `center` and the docks in the order in which the keyboard is to meet them.
  PanelFocus(QMainWindow* window, QWidget* center, QList<QDockWidget*> docks);

  /// Whether it can be seen: behind another panel a dock is visible for the toolkit, but outside the window.
  static bool isInSight(const QDockWidget* dock);
  /// To the next widget, or the one before; false where there is none.
  bool step(bool forward) const;
  /// To the next open panel, or the one before: where the keyboard was last in it.
  void goToPanel(bool forward) const;

 private:
  QList<QWidget*> panels() const;
  /// What takes the keyboard in `panel`, in order.
  static QList<QWidget*> stopsIn(QWidget* panel);
  int panelOf(const QWidget* widget) const;

  QMainWindow* m_window;
  QWidget* m_center;
  QList<QDockWidget*> m_docks;
};

}  // namespace farfield::ui
