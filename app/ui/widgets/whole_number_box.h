#pragma once
// A box for whole numbers in dialogs. What is typed and is not taken stays as it was typed, red, with the least and the most beside it:
// Qt's own drops the digits that would make a number too large, so that another one stands there than was typed. Where it is left so,
// the number from before is put back, and what was said stays to be read.

#include <QSpinBox>
#include <QTimer>

#include "app/ui/widgets/problem_label.h"

namespace farfield::ui {

class WholeNumberBox : public QSpinBox {
  Q_OBJECT
 public:
  explicit WholeNumberBox(QWidget* parent = nullptr);
  /// What stands there is the number that is taken.
  bool isGood() const { return m_isGood; }
  void stepBy(int steps) override;

 signals:
  /// isGood() has changed.
  void judged();

 protected:
  QValidator::State validate(QString& text, int& position) const override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void seeTyped();
  void putBack();
  void say(const QString& problem);
  void judge(bool good);

  ProblemLabel m_problem;
  QTimer m_saidLongEnough;
  bool m_isGood = true, m_typing = false;
  int m_before =
      0;  ///< typing: what the beginning of a number is taken for on the way is not what is put back
};

}  // namespace farfield::ui
