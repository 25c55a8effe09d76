#pragma once
// The pipeline: data and the objects that show them, with how far each is.

#include <QTreeView>
#include <QWidget>

#include "app/model/app_model.h"

namespace farfield::ui {

class PipelinePanel : public QWidget {
  Q_OBJECT
 public:
  explicit PipelinePanel(app::AppModel& model, QWidget* parent = nullptr);

  app::ObjectId selectedObject() const;
  /// Of the selected data, or of those that the selected object shows; empty where nothing is selected.
  std::string selectedData() const;
  bool isDataSelected() const;
  void select(app::ObjectId id);
  void selectData(const std::string& name);
  void renameSelected();
  QTreeView& view() { return *m_view; }
  /// As a button above the pipeline.
  void addButton(QAction* action);
  QSize sizeHint() const override;

 signals:
  void selectionChanged();
  void menuWanted(const QPoint& globalPosition);
  void message(const QString& text);

 private:
  /// An object, or else data by their name, or nothing.
  struct Selection {
    app::ObjectId object = 0;
    std::string data = {};
    bool isNothing() const { return object == 0 && data.empty(); }
  };
  void keepSelection();
  QModelIndex indexOf(const Selection& what) const;
  QModelIndex takeBack();
  QModelIndex indexToSelect();

  app::AppModel& m_model;
  QTreeView* m_view;
  QWidget* m_bar;
  app::ObjectId m_object = 0;
  std::string m_data;
  Selection m_gone;  ///< what was selected when it was removed last
  bool m_restoring = false;
};

}  // namespace farfield::ui
