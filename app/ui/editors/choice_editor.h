#pragma once
// Editors of properties that are one of a list: of names, and of the colour maps that there are.

#include <vector>

#include "app/ui/editors/field_editor.h"

class QComboBox;

namespace farfield::ui {

class ChoiceList;
class ChoiceRun;

class ChoiceEditor : public FieldEditor {
  Q_OBJECT
 public:
  ChoiceEditor(const app::Field& field, QWidget* parent);
  void setValue(const QVariant& value) override;
  void handTypingTo(FieldEditor& next) override;

 protected:
  QComboBox* const m_list;

 private:
  ChoiceList* m_choices;
  ChoiceRun* m_run;
};

/// The list follows what maps there are: to make a page anew for each movement of a point would take too long.
class MapChoiceEditor final : public ChoiceEditor {
  Q_OBJECT
 public:
  MapChoiceEditor(const app::Field& field, QWidget* parent);
  void showMap(const scene::MapChoice& map) override;
  void setField(const app::Field& field) override;

 private:
  void putIcon(const scene::MapChoice& at, const scene::MapChoice& seen);

  std::vector<scene::MapChoice> m_maps;
  scene::MapChoice m_shown;  ///< that was shown last, as it looks
};

}  // namespace farfield::ui
