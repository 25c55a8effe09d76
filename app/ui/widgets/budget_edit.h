#pragma once
// The memory budget as a number that is typed: "1.5G", "200 MiB". What is no budget is red, and it is said which ones are taken; left so
// it gives way to the budget that there is, and what was said stays to be read.

#include <QLineEdit>
#include <QTimer>
#include <cstdint>
#include <optional>

#include "app/model/app_model.h"
#include "app/ui/widgets/problem_label.h"

namespace farfield::ui {

class BudgetEdit : public QLineEdit {
  Q_OBJECT
 public:
  /// `model` outlives it.
  explicit BudgetEdit(app::AppModel& model, QWidget* parent = nullptr);
  /// Shown in place of what stands there, but not of what is being typed.
  void showBudget(std::uint64_t bytes);
  /// A budget that was asked for, here or elsewhere, is not possible now.
  void sayNotTaken();

 signals:
  /// Something was typed, and has become the budget or has not.
  void wasTyped();

 private:
  /// What is taken for one now.
  QString budgetsTaken() const;
  void judge(const QString& typed);
  /// What was typed, at the latest where the line is left.
  void take();

  app::AppModel& m_model;
  ProblemLabel m_problem;
  QTimer m_problemRead;
};

/// What a person means by "200M", "200 MiB", "1,5 GB" and, in MiB, "200"; none where it is no budget from `least` to `most`.
std::optional<std::uint64_t> budgetTyped(const QString& text, std::uint64_t least, std::uint64_t most);

}  // namespace farfield::ui
