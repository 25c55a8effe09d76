#pragma once
// A curve with its axes: values along a line or over time, with gaps where there is none, or how often values occur, as
// bars. It also writes itself as SVG.

#include <QWidget>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace farfield::ui {

/// Values over places, from one end to the other; or how much there is in equal intervals.
struct Curve {
  QString across, up;  ///< what the axes are
  std::array<double, 2> ends{0, 1};
  std::vector<double> places = {};  ///< of the values, ascending; empty: evenly spread from end to end
  std::vector<QString> said = {};   ///< of places that are no numbers to people, such as dates: each in words
  std::vector<double> values = {};  ///< not a number: a gap
  bool bars = false;                ///< as many equal intervals as values
  std::optional<double> marked = {};  ///< a place, such as the step that is shown
  /// Of a bar its middle.
  double placeOf(std::size_t n) const {
    if (n < places.size()) return places[n];
    const auto at = static_cast<double>(n), count = static_cast<double>(values.size());
    const double part = bars ? (at + 0.5) / count : count > 1 ? at / (count - 1) : 0;
    return ends[0] + part * (ends[1] - ends[0]);
  }
};

class CurveView : public QWidget {
  Q_OBJECT
 public:
  explicit CurveView(QWidget* parent = nullptr);
  void showCurve(const Curve& curve);
  const Curve& curve() const { return m_curve; }
  /// What is said in place of a curve.
  void showText(const QString& text);
  const QString& text() const { return m_text; }
  /// False if the file cannot be written.
  bool writeSvg(const QString& path);
  QSize sizeHint() const override;

 signals:
  /// The cursor is over this point; -1: over none.
  void pointedAt(int point);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void paint(QPainter& painter, const QRectF& area) const;
  QRectF plotArea(const QRectF& area) const;
  double pixelOf(double place, const QRectF& plot) const;

  Curve m_curve;
  QString m_text;
  int m_pointed = -1;
};

}  // namespace farfield::ui
