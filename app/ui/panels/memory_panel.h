#pragma once
// Memory and input: the budget, which acts at once, what it is used for, how reading goes, which pages are
// there, what waits for what, and in one sentence why things are as fast as they are.

#include <QWidget>

#include "app/model/app_model.h"

class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;
class QToolButton;

namespace farfield::ui {

class BudgetEdit;
class LifeLinesView;
class PageMapView;
class Sparkline;

/// A line with the budget, and below it, once asked for, the rest. While that is seen, paging is watched for it;
/// hidden it costs nothing.
class MemoryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit MemoryPanel(app::AppModel& model, QWidget* parent = nullptr);
  ~MemoryPanel() override;
  /// Data whose pages are shown; empty: the first that are open.
  void showData(const std::string& name);
  /// What the view holds of vertices and indices; shown with the next counters.
  void setPictureBytes(std::size_t bytes) { m_pictureBytes = bytes; }
  void setDetailed(bool detailed);
  bool isDetailed() const;
  /// Other panels lie behind it or before it, which may be higher than its one line: it does not keep them as low as that.
  void setMayBeHigh(bool mayBe);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// The user wants the rest, or no longer.
  void detailsWanted(bool wanted);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void boundHeight();
  QWidget* makeBudgetLine();
  QWidget* makeReadingPart();
  QWidget* makeMapPart();
  QWidget* makeTaskPart();
  void showCounters(const app::WorkshopCounters& counters);
  void showSight(const app::PagingSight& sight);
  void setBudget(int at, bool final);
  void showBudget(std::uint64_t bytes);
  void offerBlocks();
  void offerArrays();
  void watch();
  std::string dataName() const;

  app::AppModel& m_model;
  std::string m_data;
  std::size_t m_pictureBytes = 0;
  bool m_mayBeHigh = false;
  std::uint64_t m_shownBudget = 0;
  QSlider* m_budget;
  BudgetEdit* m_budgetText;
  QLabel *m_used, *m_why;
  Sparkline *m_hits, *m_reads, *m_bytes;
  QSpinBox* m_block;
  QComboBox *m_array, *m_along;
  PageMapView* m_map;
  QLabel *m_mapText, *m_waits;
  LifeLinesView* m_lives;
  QToolButton* m_more;
  QWidget *m_line = nullptr, *m_details = nullptr;
  QWidget *m_readingPart = nullptr, *m_mapPart = nullptr, *m_taskPart = nullptr;
};

/// The budget that a place of the slider means, of 0 … kBudgetSteps, in powers of two; and back.
constexpr int kBudgetSteps = 400;
std::uint64_t budgetAt(int place, std::uint64_t most);
int placeOfBudget(std::uint64_t bytes, std::uint64_t most);

}  // namespace farfield::ui
