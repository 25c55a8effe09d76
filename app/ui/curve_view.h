#pragma once
// A curve with its axes: values along a line, with gaps where there is none. It also writes itself as SVG and CSV.

#include <QWidget>
#include <string>
#include <vector>

namespace farfield::ui {

/// Values at evenly spread points from one end of a line to the other.
struct Curve {
  QString across, up;               ///< what the axes are
  double length = 0;                ///< of the line, in data units
  std::vector<double> values = {};  ///< not a number: outside of the data
  double placeOf(std::size_t n) const {
    return values.size() > 1 ? length * static_cast<double>(n) / static_cast<double>(values.size() - 1) : 0;
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

  Curve m_curve;
  QString m_text;
  int m_pointed = -1;
};

}  // namespace farfield::ui
