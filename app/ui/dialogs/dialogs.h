#pragma once
// The small dialogs: keys and mouse, about, settings.

#include <QDialog>

#include "app/model/app_model.h"

namespace farfield::ui {

/// What keys and mouse do; `actions` tell their shortcuts.
QDialog* makeCheatSheet(const QList<QAction*>& actions, QWidget* parent);
/// Version, licences, diagnostics to copy.
QDialog* makeAbout(app::AppModel& model, QWidget* parent);
/// Theme, processors, budget.
QDialog* makeSettings(app::AppModel& model, QWidget* parent);

}  // namespace farfield::ui
