#pragma once
// Where a function is chosen: from the list, or typed, with names completed as they are typed; an expression of functions goes
// wherever a function does. What is wrong with it stands below the field, over what is there, so that nothing moves.

#include <QTimer>

#include "app/ui/field_editor.h"
#include "app/ui/problem_label.h"

class QComboBox;
class QLineEdit;

namespace farfield::ui {

class FunctionEditor final : public FieldEditor {
  Q_OBJECT
 public:
  /// Of a choice that has a check.
  FunctionEditor(const app::Field& field, QWidget* parent);
  ~FunctionEditor() override;
  void setValue(const QVariant& value) override;
  void setField(const app::Field& field) override;
  /// For who takes it from the line: what is typed stays when the keyboard goes elsewhere, right or wrong.
  void keepTyped() { m_keepsTyped = true; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// The value that is meant by what is typed: of a choice its own.
  QString typed() const;
  QString problem() const;
  void showProblem();
  void take(bool final);
  void takeBack();

  QComboBox* m_list;
  ProblemLabel m_error;
  std::function<QString(const QString&)> m_check;
  QString m_value;
  QTimer m_pause;
  bool m_keepsTyped = false;
};

/// Completes names, and those of mathematics, as they are typed, wherever they stand in `line`.
void completeNames(QLineEdit* line, const QStringList& names);
/// The beginning of the name that `text` ends with; its length.
int lengthOfLastName(const QString& text);

}  // namespace farfield::ui
