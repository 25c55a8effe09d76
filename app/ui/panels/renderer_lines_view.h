#pragma once
// Life lines of a renderer while it works: for each rank, and for this program, a row for each event by the name it was published
// under, time across, up to now at the right. What is done for even steps is dark, for odd ones light.

#include <QWidget>
#include <cstdint>
#include <vector>

#include "remote/slabs/life_log.h"

namespace farfield::ui {

/// A row: an event of a process.
struct LifeRow {
  std::size_t process = 0;
  remote::LifeWhat what = remote::LifeWhat::Load;
};
/// Of each process the events that it can have, objects only where some were computed; the first process is the window.
std::vector<LifeRow> lifeRowsOf(const std::vector<remote::Life>& lives);
/// What a process is and uses, in a line.
QString lifeTextOf(const remote::Life& life);

/// As high as its rows; to be scrolled.
class RendererLinesView : public QWidget {
  Q_OBJECT
 public:
  explicit RendererLinesView(QWidget* parent = nullptr);
  /// The `seconds` until `now`.
  void showLives(const std::vector<remote::Life>& lives, std::int64_t now, double seconds);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  /// What is drawn at a place, in words; empty: nothing.
  QString textAt(QPoint place) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  /// Where a row begins, or the line above the rows of a process.
  struct Line {
    std::size_t process = 0;
    int row = -1;  ///< of m_rows; negative: the process's own line
    int top = 0, height = 0;
  };
  void arrange();
  double xOf(std::int64_t time) const;
  QRectF barOf(const remote::LifeSpan& span, const Line& line) const;

  std::vector<remote::Life> m_lives;
  std::vector<LifeRow> m_rows;
  std::vector<Line> m_lines;
  std::int64_t m_now = 0;
  double m_seconds = 10;
  int m_left = 0, m_bottom = 0;
};

}  // namespace farfield::ui
