#pragma once
// Small files that the window writes: sessions, tables, drawings. They are on the disk before they take the place of what was there, whose rights
// they have; a link stays one, and what it leads to is written. Where they cannot be written what was there stays.

#include <QByteArray>
#include <QString>

namespace farfield::app {

/// The problem; empty where all of it was written. Devices and pipes are refused. On any thread.
QString saveFile(const QString& path, const QByteArray& bytes);

}  // namespace farfield::app
