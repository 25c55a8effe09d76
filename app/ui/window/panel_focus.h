#pragma once
// The way of the keyboard through the window. Widgets are made and thrown away all the time, so that the
// order in which the toolkit knows them is the order of their making; and it takes the keyboard into panels
// that lie behind another. Here Tab goes through one panel after the other, in a fixed order and only through
// what can be seen, and F6 goes from panel to panel, also to those behind. Such a panel is in front only while
// the keyboard is in it: going through panels rearranges nothing.

#include <QDockWidget>
#include <QList>
#include <QPointer>

class QMainWindow;
class QWidget;

namespace farfield::ui {

class PanelFocus : public QObject {
 public:
  /// `center` and the docks in the order in which the keyboard is to meet them.
  PanelFocus(QMainWindow* window, QWidget* center, QList<QDockWidget*> docks);

  /// Whether it can be seen: behind another panel a dock is visible for the toolkit, but outside the window.
  static bool isInSight(const QDockWidget* dock);
  /// To the next widget, or the one before; false where there is none.
  bool step(bool forward) const;
  /// To the next open panel, or the one before: where the keyboard was last in it.
  void goToPanel(bool forward);
  /// Into this panel or view: where the keyboard was last in it. False where it has no use for it.
  static bool enter(QWidget* panel);
  /// Puts the panel back in front that goToPanel() took the place of.
  void endVisit();
  /// That the keyboard is in, or was before it went to a menu or a dialog; null: it is in the view.
  QDockWidget* current() const { return m_current; }
  /// `dock` is to be seen, whatever brought it to the front.
  void stayWith(const QDockWidget* dock);

 private:
  QList<QWidget*> panels() const;
  /// What takes the keyboard in `panel`, in order.
  static QList<QWidget*> stopsIn(QWidget* panel);
  /// The first of `stops` that comes behind `gone`, which is none any more; nullptr: there is none.
  static QWidget* stopBehind(QWidget* gone, const QList<QWidget*>& stops);
  int panelOf(const QWidget* widget) const;
  /// Keys are not for a panel that another one has come in front of: they go to that, once all is where it is to be.
  void comeOutSoon();
  /// Brings `dock` to the front for as long as the keyboard is in it.
  void visit(QDockWidget* dock);

  QMainWindow* m_window;
  QWidget* m_center;
  QList<QDockWidget*> m_docks;
  /// A panel that is in front for the keyboard alone, and the one that was there; none: all are as the user has them.
  QPointer<QDockWidget> m_visited, m_front;
  QPointer<QDockWidget> m_current;
  bool m_comesOut = false;  ///< as soon as there is nothing else to do
};

}  // namespace farfield::ui
