#pragma once
// The points of a colour map, to be moved, coloured, added and removed over its colours. What is edited is written out point by
// point, so that sessions carry it.

#include <QWidget>
#include <array>
#include <optional>

#include "core/scene/color_choice.h"

namespace farfield::ui {

/// With the mouse: drag a point; double click beside one to add one; double click on one, or Return, asks for its colour; Delete
/// removes it. With keys: Page Up and Page Down choose a point, arrows move it (with Shift less far), Insert adds one after it.
/// The ends stay where they are.
class MapEditor : public QWidget {
  Q_OBJECT
 public:
  explicit MapEditor(QWidget* parent = nullptr);
  /// Shows the points of `map`; of one known by name as few as give its colours.
  void showMap(const scene::MapChoice& map);
  const std::vector<scene::MapPoint>& points() const { return m_points; }
  std::size_t chosen() const { return m_chosen; }
  /// Of the chosen point.
  void setColor(const QColor& color);
  void setPlace(double place, bool finished);
  /// Where it can be put: between its neighbours; ends and points on an edge stay where they are.
  std::array<double, 2> roomOfChosen() const;
  void addPoint(std::optional<double> place = {});
  void removePoint();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// `finished`: when the mouse lets go, or once arrow keys moved a point and something else is done.
  void edited(const std::vector<farfield::scene::MapPoint>& points, bool finished);
  void chosenChanged();
  void colorWanted();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QRectF bar() const;
  double xOf(double place) const;
  double placeOf(double x) const;
  std::optional<std::size_t> pointAt(QPointF at) const;
  void choose(std::size_t number);
  void finish();

  std::vector<scene::MapPoint> m_points;
  std::size_t m_chosen = 0;
  bool m_held = false, m_moved = false;
  bool m_changing = false;  ///< what was told last was not finished
};

/// The points of `map` where it has some; else as few as give each of its colours but for `tolerance` of 255. Two where it is not
/// known.
std::vector<scene::MapPoint> pointsOf(const scene::MapChoice& map, int tolerance = 3);

}  // namespace farfield::ui
