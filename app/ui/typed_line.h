#pragma once
// What all fields that are typed into have in common: what is typed takes effect when typing pauses, and is the document's from
// then on, whose undo takes it back; Esc puts back what was there before typing began.

class QAbstractSpinBox;
class QLineEdit;

namespace farfield::ui {

constexpr int kTypingPauseMs = 500;

/// What stands in `line` has been taken: undo is the document's. Cursor and selection stay.
void leaveToDocument(QLineEdit* line);

/// What is typed in `from` goes on in `to`, where it stopped.
void handLineTo(const QLineEdit& from, QLineEdit& to);

/// For a QSpinBox or a QDoubleSpinBox, which by itself has Return and leaving it alone.
void takeAtPauses(QAbstractSpinBox* box);

}  // namespace farfield::ui
