#pragma once
// How the legend of the selected object's function looks: whether there is one, its title, numbers, size and place.
// A part of the panel of colours.

#include <QWidget>
#include <functional>
#include <string>

#include "app/model/app_model.h"

class QCheckBox;
class QDoubleSpinBox;
class QPushButton;
class QSpinBox;

namespace farfield::ui {

class TextEditor;

class LegendPart : public QWidget {
  Q_OBJECT
 public:
  explicit LegendPart(app::AppModel& model, QWidget* parent = nullptr);
  /// Empty: none.
  void showFunction(const std::string& function);
  const std::string& function() const { return m_function; }

 private:
  void refresh();
  void change(const QString& text, const QString& key, const std::function<void(scene::LegendLook&)>& edit);

  app::AppModel& m_model;
  std::string m_function;
  QCheckBox* m_visible;
  TextEditor* m_title;
  QSpinBox *m_digits, *m_labels;
  QDoubleSpinBox* m_size;
  QPushButton* m_reset;
};

}  // namespace farfield::ui
