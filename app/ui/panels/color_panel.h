#pragma once
// Colours of the selected object: its map, with maps from elsewhere, what range the map spans, and how all of
// it looks to people who see colours differently. What is set here is in the session, but for that.

#include <QScrollArea>
#include <optional>
#include <string>
#include <vector>

#include "app/model/app_model.h"
#include "render/color/color_vision.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace farfield::qt3d {
class Viewport;
}

namespace farfield::ui {

class LegendPart;
class MapPointsPart;
class NumberEdit;

class ColorPanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit ColorPanel(app::AppModel& model, QWidget* parent = nullptr);
  /// 0: none.
  void showObject(app::ObjectId id);
  /// Adds the maps of a file, and gives the object the first of them.
  void importFile(const QString& path);
  /// Legends that were put somewhere in `viewport` stay there while their titles are typed.
  void holdLegendsIn(qt3d::Viewport& viewport);
  QSize sizeHint() const override;

 signals:
  void visionChosen(farfield::color::Vision vision);
  void message(const QString& text, bool problem);

 private:
  static constexpr int kBarHeight = 18;
  enum class RangeKind { Auto, Symmetric, Step, Data, Manual };
  /// The colour of what lies outside of the range, on one side.
  struct Outside {
    std::optional<scene::Rgba> session::Coloring::*place;
    QCheckBox* on;
    QPushButton* color;
  };

  QWidget* makeMapPart();
  QWidget* makeRangePart();
  QWidget* makeViewPart();
  void refresh();
  void refreshMaps(const session::Coloring& color);
  void showWhatThereIs(const session::Object& object);
  void sayOfLines(const session::Object& object);
  void refreshRange(const session::Coloring& color);
  std::string legendFunction(const session::Object& object) const;
  void chooseMap(int row);
  void chooseRange(RangeKind kind);
  void takeTypedRange(bool final);
  void askForFile();
  Outside addOutside(QGridLayout* grid, int row, const char* name, const QString& text,
                     std::optional<scene::Rgba> session::Coloring::*place);
  void askForColor(const QString& text, scene::Rgba present,
                   const std::function<void(session::Coloring&, const scene::Rgba&)>& set);
  void setApart(bool apart);
  void removeMap();
  void keepMap();
  void renameMap(const QString& name);
  void takePoints(const std::vector<scene::MapPoint>& points, bool finished);
  void change(const QString& text, const QString& key, const std::function<void(session::Coloring&)>& edit);
  color::Vision vision() const;

  app::AppModel& m_model;
  app::ObjectId m_object = 0;
  std::optional<session::Coloring> m_before;  ///< when typing a range began, while it goes on
  std::vector<scene::MapChoice> m_listed;     ///< as m_maps shows them, name by name
  app::ObjectId m_legendOf = 0;
  std::string m_legendBy,
      m_titleBefore;  ///< what it is coloured by, and the legend's title before that was so

  QLabel *m_title, *m_bar, *m_ends, *m_nanTitle, *m_linesNote, *m_logNote, *m_rangeNote;
  QWidget* m_parts;
  QListWidget* m_maps;
  QToolButton* m_remove;
  MapPointsPart* m_points;
  QCheckBox *m_inverted, *m_lines, *m_log, *m_legend, *m_apart;
  Outside m_below{}, m_above{};
  NumberEdit* m_bands;
  QComboBox *m_range, *m_vision;
  LegendPart* m_legendPart;
  NumberEdit *m_least, *m_greatest;
  QPushButton *m_take, *m_nan;
};

}  // namespace farfield::ui
