#pragma once
// Which of several curves is which: colours that stand out from light and from dark grounds and from each other, patterns of the lines for
// who sees no colours, and the key that names them above the curves.

#include <QFontMetricsF>
#include <QPalette>
#include <QPen>
#include <QRectF>
#include <QStringList>
#include <algorithm>
#include <cmath>

class QPainter;

namespace farfield::ui {

/// Of curve `n`; the first has the colour in which the one curve of a plot is drawn.
QPen penOfCurve(std::size_t n, const QPalette& colors);

/// The names of curves, each behind a piece of its line, in columns as wide as the longest. Belongs to one painting.
class CurveKey {
 public:
  /// `names` of all curves; `width`: of the room there is.
  CurveKey(QStringList names, const QFontMetricsF& letters, double width);
  double height() const { return m_rows * m_row; }
  /// Of as many whole rows as `room` has; none where it has none.
  double heightIn(double room) const {
    return std::min(height(), std::floor(std::max(0.0, room) / m_row) * m_row);
  }
  /// `values`: what is said behind the names, such as values under the cursor; as many, or none. Where there is no room for both the
  /// name is shortened. In `height`, as heightIn() has it: where that is not all of it, the last name says how many more there are.
  void paint(QPainter& painter, QPointF corner, double height, const QPalette& colors,
             const QStringList& values) const;

 private:
  int seenIn(double height) const {
    const double rows = std::min(height, this->height()) / m_row;
    return std::min(static_cast<int>(m_names.size()), m_columns * static_cast<int>(std::lround(rows)));
  }

  QStringList m_names;
  QFontMetricsF m_letters;
  double m_row, m_column = 0;
  int m_columns = 1, m_rows = 0;
};

}  // namespace farfield::ui
