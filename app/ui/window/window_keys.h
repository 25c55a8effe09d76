#pragma once
// Which keys are the window's and which are those of the field that has the keyboard.

class QAbstractButton;
class QKeyEvent;
class QObject;

namespace farfield::ui {

/// Where a choice is looked for by its first letters or page by page, keys do not turn the view or go through time.
bool staysWith(const QObject* widget, const QKeyEvent& key);

/// Goes through the steps of a series. At the first and the last one it does nothing: a number that has the keyboard, such as a budget or
/// a speed, is not to change instead.
bool isStepOver(const QObject* widget, const QKeyEvent& key);

/// Return or Enter alone, pressed once.
bool isReturn(const QKeyEvent& key);

/// Buttons of a dialog whose fields take Return.
bool isLeftOutByReturn(const QAbstractButton* button);

/// A line that nothing is being typed into would take undo for itself, and do nothing; so would that of a choice.
bool isLeftToWindow(const QObject* widget, const QKeyEvent& key);

/// A button that leaves the keyboard where it is: in a field that is being typed into, perhaps.
bool isPressedBesideText(const QObject* widget);

/// A widget, or a command of one, that stands behind a question or another dialog, which comes first. Commands of a window that the
/// display makes the active one, and shortcuts of a widget other than those of a window, reach it all the same.
bool isBehindQuestion(const QObject* object);

}  // namespace farfield::ui
