#pragma once
// Esc while something is typed or dragged, which puts back what was there before. The window's own Esc stops what is being computed, so
// whoever has something to put back claims the key first.

class QEvent;

namespace farfield::ui {

enum class Esc { None, Claimed, Pressed };
/// What `event` is of that, asked only by who has something to put back: claimed, it is accepted, and the key comes to the widget;
/// pressed, it is there.
Esc escIn(QEvent& event);

}  // namespace farfield::ui
