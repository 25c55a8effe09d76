#pragma once
// Opacity by value as a line through points over the histogram of the values, to be dragged. Opacities of a voxel are often a
// hundredth, so the height is the cube root of the opacity.
//
// Mouse: a point is dragged (Esc puts it back); a press beside all points makes one there; the right button takes one away. Keys:
// Page Up and Page Down choose a point, arrows move it (with Shift less far), Insert makes one behind it, Delete takes it away.

#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::ui {

/// What the editor shows.
struct TransferView {
  std::array<double, 2> range{0, 1};  ///< of values, from the left edge to the right one
  std::vector<std::uint64_t> counts;  ///< in equal intervals of `histogramRange`; may be empty
  std::array<double, 2> histogramRange{0, 1};
  std::vector<scene::OpacityPoint> points;
  scene::ColorScale scale;
  bool automatic = false;             ///< the points follow from the values; a change makes them the user's
  QString why = {};                   ///< the points are nothing to the picture: said in their place
  std::optional<double> marked = {};  ///< a value that is shown alone
};

/// Between points as a straight line, beyond them as at the last one; 0 without any.
double opacityAt(const std::vector<scene::OpacityPoint>& points, double value);

class TransferEditor : public QWidget {
  Q_OBJECT
 public:
  explicit TransferEditor(QWidget* parent = nullptr);

  /// While a point is dragged the points stay.
  void show(const TransferView& view);
  const TransferView& shown() const { return m_view; }
  /// Number of the chosen point; none: -1.
  int selected() const { return m_selected; }
  void select(int point);
  /// Of the chosen point; kept between its neighbours. None chosen: nothing happens.
  void setSelected(double value, double opacity, bool final);
  /// The values that it can have there. Where one is chosen.
  std::array<double, 2> roomOfSelected() const;
  /// Where a value and an opacity are, and back.
  QPointF placeOf(const scene::OpacityPoint& point) const;
  scene::OpacityPoint pointAt(QPointF place) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// By mouse or keys; `final`: the drag is over.
  void edited(const std::vector<farfield::scene::OpacityPoint>& points, bool final);
  void selectionChanged(int point);
  /// Esc during a drag: all is as it was before it.
  void takenBack();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QRectF area() const;
  QFont labelFont() const;
  int pointNear(QPointF place) const;
  void insertPoint(const scene::OpacityPoint& point);
  void removePoint(int number);
  void tell(bool final);

  TransferView m_view;
  int m_selected = -1;
  bool m_dragging = false;
  bool m_changing = false;  ///< m_told was told, and not yet as final
  std::vector<scene::OpacityPoint> m_told;
};

}  // namespace farfield::ui
