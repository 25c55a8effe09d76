#pragma once
// The small dialogs: keys and mouse, about, settings, how large a picture is to be.

#include <QDialog>

#include "app/model/app_model.h"

class QComboBox;
class QSpinBox;

namespace farfield::ui {

/// What keys and mouse do; `actions` tell their shortcuts.
QDialog* makeCheatSheet(const QList<QAction*>& actions, QWidget* parent);
/// Version, licences, diagnostics to copy.
QDialog* makeAbout(app::AppModel& model, QWidget* parent);
/// Theme, processors, budget.
QDialog* makeSettings(app::AppModel& model, QWidget* parent);

class ExportImageDialog : public QDialog {
  Q_OBJECT
 public:
  ExportImageDialog(std::array<int, 2> sizePixels, QWidget* parent);
  std::array<int, 2> sizePixels() const;

 private:
  QSpinBox *m_width, *m_height;
};

}  // namespace farfield::ui
