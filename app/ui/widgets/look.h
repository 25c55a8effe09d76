#pragma once
// How the application looks: light and dark palettes, icons that take their colour from the palette, and the
// few measures that panels share.

#include <QIcon>
#include <QPalette>
#include <QString>

#include "app/model/settings/settings.h"

class QApplication;
class QLabel;
class QWidget;

namespace farfield::ui {

/// Sets style and palette of all windows.
void applyTheme(app::Theme theme);
/// Whether the palette in use is a dark one.
bool isDark();

/// The icon of that name (resources/icons), drawn in the colour of text, whatever the palette is then.
QIcon icon(const QString& name);
/// The application's own, in its own colours.
QIcon applicationIcon();
/// For warnings and failures, readable on the present palette.
QColor warningColor();
QColor mutedColor();
/// Of pages that are kept on this machine's disk.
QColor keptColor();

/// Gives text of `widget` the colour of warnings, or takes it away; it follows the theme.
void showWarning(QWidget* widget, QPalette::ColorRole role, bool warn);

/// A heading of a group in a panel.
QLabel* makeHeading(const QString& text, QWidget* parent);

constexpr int kPanelMargin = 8;

}  // namespace farfield::ui
