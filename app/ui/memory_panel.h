#pragma once
// Memory and input: the budget, which acts at once, what it is used for, how reading goes, and in one
// sentence why things are as fast as they are.

#include <QWidget>

#include "app/model/app_model.h"

class QLabel;
class QSlider;

namespace farfield::ui {

class Sparkline;

class MemoryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit MemoryPanel(app::AppModel& model, QWidget* parent = nullptr);
  QSize sizeHint() const override;

 private:
  void show(const app::WorkshopCounters& counters);
  void setBudget(int at, bool final);

  app::AppModel& m_model;
  QSlider* m_budget;
  QLabel *m_budgetText, *m_used, *m_why;
  Sparkline *m_hits, *m_reads, *m_bytes;
};

/// The budget that a place of the slider means, of 0 … kBudgetSteps, in powers of two; and back.
constexpr int kBudgetSteps = 400;
std::uint64_t budgetAt(int place, std::uint64_t most);
int placeOfBudget(std::uint64_t bytes, std::uint64_t most);

}  // namespace farfield::ui
