#pragma once
// Panels that are put into a column that is narrower than they are: the column becomes as wide as they need, as far as the window has
// room; where it has none, they scroll sideways. Nothing at their right is cut off without a word.

class QDockWidget;
class QScrollArea;

namespace farfield::ui {

/// `area` is what `dock` shows. Its column is widened when the panel is moved, when it comes to the front, and when what is in it comes to
/// need more; never otherwise, so that who makes it narrower has it so.
void keepWideEnough(QDockWidget& dock, QScrollArea& area);

}  // namespace farfield::ui
