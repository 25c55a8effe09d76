#pragma once
// A curve with its axes, or several with one key and at most two axes: values along a line or over time, with gaps where there is none, or
// how often values occur, as bars. It also writes itself as SVG.

#include <QWidget>

#include "app/ui/plots/curve.h"
#include "app/ui/plots/curve_axes.h"

namespace farfield::ui {

class CurveView : public QWidget {
  Q_OBJECT
 public:
  explicit CurveView(QWidget* parent = nullptr);
  void showCurve(const Curve& curve);
  const Curve& curve() const { return m_curve; }
  const CurveAxes& axes() const { return m_axes; }
  /// What is said in place of a curve.
  void showText(const QString& text);
  const QString& text() const { return m_text; }
  /// As it is shown.
  QByteArray svg();
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
  void paintHead(QPainter& painter, const QRectF& area, const QRectF& plot, int powerLeft,
                 int powerRight) const;
  void paintLine(QPainter& painter, const QRectF& plot, std::size_t n) const;
  QPalette paletteOf(const QPainter& painter) const;
  QStringList keyNames() const;
  /// Heights of the names above the plot, and of what stands between them and it.
  struct Head {
    double key = 0, powers = 0;
    double height() const { return key + powers; }
  };
  Head headOf(const QRectF& area) const;
  bool pointsAtValue() const;
  QString valueAt(std::size_t curve, std::size_t n) const;
  QRectF plotArea(const QRectF& area) const;
  double pixelOf(double place, const QRectF& plot) const;
  double heightOf(double value, Side side, const QRectF& plot) const;

  Curve m_curve;
  CurveAxes m_axes;
  QString m_text;
  int m_pointed = -1;
};

}  // namespace farfield::ui
