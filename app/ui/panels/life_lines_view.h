#pragma once
// Life lines: what a few tasks did in the last seconds, one row each. Where a row is filled the task
// computed, where it is pale it waited for a page.

#include <QWidget>
#include <cstdint>
#include <vector>

#include "core/trace/live.h"

namespace farfield::ui {

/// A stretch of a task's life, in nanoseconds.
struct LifeStretch {
  int lane = 0;
  bool waits = false;
  std::int64_t from = 0, to = 0;
};
/// What `events`, in order, say of the time from `from` to `to`. A life whose beginning is not among them
/// begins where it is first heard of.
std::vector<LifeStretch> stretchesOf(const std::vector<trace::LiveEvent>& events, std::int64_t from,
                                     std::int64_t to);

class LifeLinesView : public QWidget {
  Q_OBJECT
 public:
  explicit LifeLinesView(QWidget* parent = nullptr);
  /// Up to `now`, for `span` nanoseconds.
  void showLives(const std::vector<trace::LiveEvent>& events, std::int64_t now, std::int64_t span);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {90, 60}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<LifeStretch> m_stretches;
  std::int64_t m_from = 0, m_to = 1;
};

}  // namespace farfield::ui
