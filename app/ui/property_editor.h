#pragma once
// The properties of what is selected in the pipeline: an object's fields, edited live, or what is known of
// data, or, with nothing selected, of the picture.

#include <QScrollArea>
#include <memory>
#include <vector>

#include "app/model/app_model.h"

class QGridLayout;
class QLabel;
class QToolButton;

namespace farfield::ui {

class FieldEditor;

class PropertyEditor : public QScrollArea {
  Q_OBJECT
 public:
  explicit PropertyEditor(app::AppModel& model, QWidget* parent = nullptr);
  ~PropertyEditor() override;

  void showObject(app::ObjectId id);
  void showData(const std::string& name);
  void showPicture();
  app::ObjectId object() const { return m_object; }

  QSize sizeHint() const override;

 signals:
  void convertWanted(const std::string& dataName);
  void addWanted(farfield::session::ObjectType type, const std::string& dataName);

 private:
  struct Row {
    app::Field field;
    FieldEditor* editor = nullptr;
    QToolButton* reset = nullptr;
  };
  enum class Subject { Nothing, Object, Data, Picture };

  void rebuild();
  /// Rebuilds only where there are other fields than before.
  void refresh();
  void buildObject(QGridLayout* grid);
  void buildData(QWidget* page, QGridLayout* grid);
  void buildPicture(QGridLayout* grid);
  void addRow(QGridLayout* grid, int row, const app::Field& field);
  void addHeading(QGridLayout* grid, const QString& text);
  void addHint(QGridLayout* grid, const QString& text);
  void addText(QGridLayout* grid, const QString& label, const QString& text);
  void setField(std::size_t row, const QVariant& value, bool final);
  void showValues();
  void showState();
  std::vector<app::Field> fieldsNow() const;
  bool sameFields(const std::vector<app::Field>& fields) const;

  /// Columns: label, editor, unit, reset.
  static constexpr int kColumns = 4;

  app::AppModel& m_model;
  Subject m_subject = Subject::Nothing;
  app::ObjectId m_object = 0;
  std::string m_data;
  std::vector<Row> m_rows;
  QLabel* m_state = nullptr;
  QWidget* m_stateBox = nullptr;
};

}  // namespace farfield::ui
