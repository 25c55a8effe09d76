#pragma once
// The bar of time: which step is shown, and playing through them. Playing waits for each step to be computed,
// so that none is left out, and then as long as the speed asks. Below the slider stands which steps are in
// memory, and beside it how many a series lacks: those behind them have moved up, at their own times; and which of several data
// are at another time.

#include <QTimer>
#include <QWidget>
#include <array>

#include "app/model/app_model.h"

class QAction;
class QLabel;
class QSlider;

namespace farfield::ui {

class ElidedLabel;
class NumberEdit;
class StepStrip;

class TimeBar : public QWidget {
  Q_OBJECT
 public:
  explicit TimeBar(app::AppModel& model, QWidget* parent = nullptr);

  QAction* playAction() { return m_play; }
  /// For menus.
  std::array<QAction*, 6> stepActions() const { return {m_first, m_back, m_play, m_forward, m_last, m_loop}; }
  bool isPlaying() const;

 private:
  double speed() const;
  void update();
  void showSteps(const app::WorkshopCounters& counters);
  void showLeftOut();
  void showOthers();
  QString unitsOfTime() const;
  void play(bool on);
  void advance();

  app::AppModel& m_model;
  QAction *m_play, *m_first, *m_back, *m_forward, *m_last, *m_loop;
  QSlider* m_slider;
  StepStrip* m_strip;
  NumberEdit* m_step;
  QLabel* m_of;
  NumberEdit* m_speed;
  QLabel* m_time;
  ElidedLabel *m_leftOut, *m_others;
  QTimer m_next;
  bool m_begun = false;  ///< a step has been taken since Play
};

}  // namespace farfield::ui
