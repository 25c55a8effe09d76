#pragma once
// Where a function is chosen: from the list, or typed, with names completed as they are typed; an expression of functions goes
// wherever a function does. It takes effect when typing pauses, with Return and when it is left; Esc puts back what was there before
// typing began. What is wrong with it stands beside the field, over what is there, so that nothing moves.

#include <QTimer>
#include <functional>

#include "app/ui/editors/field_editor.h"
#include "app/ui/widgets/problem_label.h"

class QComboBox;

namespace farfield::ui {

class ChoiceRun;
class NameCompleter;

class FunctionEditor final : public FieldEditor {
  Q_OBJECT
 public:
  /// Of a choice that has a check.
  FunctionEditor(const app::Field& field, QWidget* parent);
  ~FunctionEditor() override;
  /// Not into what is being typed.
  void setValue(const QVariant& value) override;
  void setField(const app::Field& field) override;
  void holdTyping() override;
  void handTypingTo(FieldEditor& next) override;
  void dropTyping() override;
  /// For what is done with the whole of it: pauses take nothing, and what is typed is the line's until Return, or until it is left.
  void waitForWhole() { m_takesAtPauses = false; }
  /// For who takes it from the line: what is typed stays when the keyboard goes elsewhere, right or wrong.
  void keepTyped();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// The value that is meant by what is typed: of a choice its own.
  QString typed() const;
  QString problem() const;
  void showProblem();
  void beginTyping();
  void take(bool final);
  void takeBack();
  /// As the keyboard goes elsewhere: what makes no sense is dropped.
  void leave();
  void tell(const QString& value, bool final);

  QComboBox* m_list;
  ChoiceRun* m_run;
  NameCompleter* m_names;
  ProblemLabel m_error;
  QTimer m_read;  ///< runs while what is wrong with what Return was to take may still be read
  std::function<QString(const QString&)> m_check;
  QString m_value, m_before;  ///< now, and when typing began
  bool m_heldBehind = false;  ///< the caret stood behind what was taken
  QTimer m_pause;
  bool m_takesAtPauses = true, m_keepsTyped = false;
  bool m_typing = false;
  bool m_untaken = false;  ///< since something was typed
  bool m_taken = false;    ///< what is being typed took effect already
  bool m_telling = false;
  bool m_held = false;  ///< until it is known where typing goes on
};

}  // namespace farfield::ui
