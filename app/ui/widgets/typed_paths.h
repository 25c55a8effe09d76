#pragma once
// What is typed, or chosen, in the line of a dialog for files.

#include <QString>
#include <QStringList>

class QFileDialog;

namespace farfield::ui {

/// What `line` of the dialog names, with whole paths: each in quotes where it is several; the folder itself where it is empty.
QStringList pathsIn(const QFileDialog& dialog, const QString& line);

}  // namespace farfield::ui
