#pragma once
// The part of the panel of colours where the points of a map are edited: the editor, the chosen point in numbers, and what adds,
// removes, names and keeps.

#include <QWidget>

#include "core/scene/color_choice.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace farfield::ui {

class MapEditor;
class NumberEdit;

class MapPointsPart : public QWidget {
  Q_OBJECT
 public:
  explicit MapPointsPart(QWidget* parent);
  /// `kept`: other sessions have it, too.
  void showMap(const scene::MapChoice& map, bool kept);

 signals:
  /// `finished`: when a movement has ended.
  void edited(const std::vector<farfield::scene::MapPoint>& points, bool finished);
  /// The map is to be called so.
  void renamed(const QString& name);
  /// The map is wanted in other sessions.
  void keepWanted();

 private:
  void showPoint();
  void askForColor();

  MapEditor* m_editor;
  NumberEdit* m_place;
  QLineEdit* m_name;
  QLabel* m_turned;  ///< shown where the map is turned over
  QString m_mapName;  ///< which stays where none is typed
  QToolButton *m_color, *m_add, *m_remove, *m_keep;
};

}  // namespace farfield::ui
