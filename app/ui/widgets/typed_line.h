#pragma once
// What all fields that are typed into have in common: what is typed takes effect when typing pauses, and is the document's from
// then on, whose undo takes it back; Esc puts back what was there before typing began.

class QEvent;
class QLineEdit;
class QWidget;

namespace farfield::ui {

constexpr int kTypingPauseMs = 500;

/// What stands in `line` has been taken: undo is the document's. Cursor and selection stay.
void leaveToDocument(QLineEdit* line);

/// What is typed in `from` goes on in `to`, where it stopped.
void handLineTo(const QLineEdit& from, QLineEdit& to);

/// What is being typed into `field`, and makes sense, takes effect now, as if typing had paused: before something is done that is about
/// it, such as saving. Into other widgets, and null, nothing is typed.
void takeTyped(QWidget* field);
/// A field is told so: who has one that is not among those here takes what is typed, and accepts the event.
bool asksForTyped(const QEvent& event);

/// Esc has put back what was there before typing began: all of it is chosen, as when the keyboard came.
void chooseAll(QLineEdit* line);

}  // namespace farfield::ui
