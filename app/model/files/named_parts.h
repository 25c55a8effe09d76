#pragma once
// Files that are parts of others: the pieces, blocks and steps that VTK's lists name, the numbers of an NRRD header, the files of a PLOT3D
// list. Who opens the list has them, and who opens a folder is not shown them once more beside it.

#include <QStringList>

namespace farfield::app {

/// What is made of a list of VTK's that nothing can be read of: it names nothing, or any piece beside it may be its own.
enum class BrokenList { NamesNothing, MayNameAll };
/// `paths` without those that others of them name. Looks into lists; any thread.
QStringList withoutNamedParts(const QStringList& paths, BrokenList broken);

}  // namespace farfield::app
