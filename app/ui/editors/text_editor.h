#pragma once
// A property that is typed as text: a list of numbers or steps, a name. It takes effect when typing pauses, with Return and when it
// is left, as far as it makes sense; Esc puts back what was there before typing began.

#include <QTimer>

#include "app/ui/editors/field_editor.h"
#include "app/ui/widgets/problem_label.h"

class QLineEdit;

namespace farfield::ui {

class NameCompleter;

class TextEditor final : public FieldEditor {
  Q_OBJECT
 public:
  TextEditor(const app::Field& field, QWidget* parent);
  /// Not into what is being typed.
  void setValue(const QVariant& value) override;
  /// What stands there while nothing does. Of a field that may be left empty.
  void setAutomaticText(const QString& text) override;
  void holdTyping() override { m_held = true; }
  void handTypingTo(FieldEditor& next) override;
  void dropTyping() override;
  /// What is being typed is of something that is not shown any more: what has taken effect stays, the rest is dropped.
  void endTyping();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take(bool final);
  void takeBack();
  void tell(const QVariant& value, bool final);
  QString problem() const;
  void showValidity();
  bool listIsOpen() const;

  QLineEdit* m_edit;
  NameCompleter* m_names = nullptr;  ///< where names are typed
  std::function<QString(const QString&)> m_check, m_remark;
  QString m_tip;
  bool m_optional, m_shownGood = true;
  bool m_typing = false;
  bool m_untaken = false;  ///< since something was typed
  bool m_taken = false;    ///< what is being typed took effect already
  bool m_telling = false;
  bool m_held = false;         ///< until it is known where typing goes on
  QVariant m_value, m_before;  ///< now, and when typing began
  QTimer m_pause;
  ProblemLabel m_error;
};

}  // namespace farfield::ui
