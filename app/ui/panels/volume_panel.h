#pragma once
// The panel of the selected volume: opacities of values, quality, and progress.

#include <QScrollArea>
#include <map>
#include <optional>

#include "app/model/app_model.h"
#include "render/qt3d/volume_sight.h"

class QLabel;
class QPushButton;
class QSlider;
class QToolButton;

namespace farfield::ui {

class NumberEdit;
class TransferEditor;

/// "Levels of detail are being made: 34 % of up to 1.2 GiB", and so on; empty if there is nothing to report.
QString textOfLevels(const app::LevelsReport& levels);

class VolumePanel : public QScrollArea {
  Q_OBJECT
 public:
  explicit VolumePanel(app::AppModel& model, QWidget* parent = nullptr);
  /// 0: none.
  void showObject(app::ObjectId id);
  /// The state of the volume in the view.
  void showSight(app::ObjectId id, const qt3d::VolumeSight& sight);
  /// Takes the volume's colours and opacities from a file.
  void importFile(const QString& path);
  QSize sizeHint() const override;

 signals:
  void message(const QString& text, bool problem);
  void sightShown(app::ObjectId id, const qt3d::VolumeSight& sight);

 private:
  QWidget* makeTransferPart();
  QWidget* makeQualityPart();
  QWidget* makeLevelsPart();
  void sampleMoreFinely();
  void refreshLevels();
  void refresh();
  void refreshPoint();
  void change(const QString& text, const QString& key, const std::function<void(session::Object&)>& edit);
  void setPoints(const std::vector<scene::OpacityPoint>& points, bool final);
  void setPreset(std::size_t number);
  void takeTypedPoint(bool final);
  void askForFile();
  const session::Volume* shape() const;

  app::AppModel& m_model;
  app::ObjectId m_object = 0;
  std::map<app::ObjectId, qt3d::VolumeSight> m_sights;
  std::optional<session::Volume> m_beforeDrag;  ///< of a point of its opacities

  QLabel *m_title, *m_ends, *m_qualityText, *m_sight;
  QWidget* m_parts;
  TransferEditor* m_editor;
  QString m_editorHelp;  ///< how it is used, for who hears it
  NumberEdit *m_value, *m_opacity;
  QToolButton *m_automatic, *m_presets, *m_import;
  QSlider* m_quality;
  QToolButton* m_finer;
  QWidget* m_levelsPart;
  QLabel* m_levels;
  QToolButton* m_levelsButton;
};

}  // namespace farfield::ui
