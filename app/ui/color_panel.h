#pragma once
// Colours of the selected object: its map, with maps from elsewhere, what range the map spans, and how all of
// it looks to people who see colours differently. What is set here is in the session, but for that.

#include <QScrollArea>
#include <optional>
#include <vector>

#include "app/model/app_model.h"
#include "render/color/color_vision.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace farfield::ui {

class NumberEdit;

class ColorPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit ColorPanel(app::AppModel& model, QWidget* parent = nullptr);
  /// 0: none.
  void showObject(app::ObjectId id);
  /// Adds the maps of a file, and gives the object the first of them.
  void importFile(const QString& path);
  QSize sizeHint() const override;

 signals:
  void visionChosen(farfield::color::Vision vision);
  void message(const QString& text, bool problem);

 private:
  enum class RangeKind { Auto, Symmetric, Manual };

  QWidget* makeMapPart();
  QWidget* makeRangePart();
  QWidget* makeViewPart();
  void refresh();
  void refreshMaps(const session::Coloring& color);
  void refreshRange(const session::Coloring& color);
  std::vector<scene::MapChoice> knownMaps(const session::Coloring* shown) const;
  void chooseMap(int row);
  void chooseRange(RangeKind kind);
  void takeTypedRange(bool final);
  void askForFile();
  void askForNanColor();
  void removeMap();
  void change(const QString& text, const QString& key, const std::function<void(session::Coloring&)>& edit);
  color::Vision vision() const;

  app::AppModel& m_model;
  app::ObjectId m_object = 0;
  std::vector<scene::MapChoice> m_listed;  ///< as m_maps shows them, name by name

  QLabel *m_title, *m_bar, *m_ends;
  QWidget* m_parts;
  QListWidget* m_maps;
  QToolButton* m_remove;
  QCheckBox *m_inverted, *m_log, *m_legend;
  QSpinBox* m_bands;
  QComboBox *m_range, *m_vision;
  NumberEdit *m_least, *m_greatest;
  QPushButton *m_take, *m_nan;
};

}  // namespace farfield::ui
