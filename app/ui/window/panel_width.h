#pragma once
// How wide panels are where they are put. In a column that is narrower than they need it becomes as wide as that, as far as the window
// has room; where it has none, they scroll sideways. Nothing at their right is cut off without a word. Who moves one by a command has
// chosen no width: it gets the one that suits it, and the column that it leaves gives the view what only that panel needed.

#include <QList>

class QDockWidget;
class QMainWindow;
class QRect;
class QScrollArea;
class QWidget;

namespace farfield::ui {

/// `area` is what `dock` shows. Its column, or its own window, is widened when the panel is moved, when it comes to the front, and when
/// what is in it comes to need more; never otherwise, so that who makes it narrower has it so.
void keepWideEnough(QDockWidget& dock, QScrollArea& area);

/// What stays in a column at a side when a panel leaves it.
struct ColumnLeft {
  QList<QDockWidget*> docks;
  int width = 0;    ///< that suits them
  int surplus = 0;  ///< that the panel alone needed
};
/// If `dock` left; no docks where there is no such column.
ColumnLeft columnWithout(const QMainWindow& window, QDockWidget& dock);
/// Once it has left. A column that was made wider by hand stays as much wider.
void giveRoomBack(QMainWindow& window, const ColumnLeft& column);
/// The column that it is docked in, in front, becomes as wide as suits it, where it is narrower, and no wider than half the window; at the
/// bottom as high, and no higher than a third. `heightThere`: of what was in front at the bottom before; panels move slowly to their places.
void giveRoomTo(QMainWindow& window, QDockWidget& dock, int heightThere);
/// Its window, which was torn off where it was docked, becomes as large as suits it and lies on the screen of `window`, at or near
/// `place`.
void giveOwnSize(QDockWidget& dock, const QWidget& window, const QPoint& place);
/// `its`, no larger than `room` and within it.
QRect within(const QRect& room, QRect its);

}  // namespace farfield::ui
