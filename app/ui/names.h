#pragma once
// How names of files and of things stand in menus and on buttons.

#include <QString>
#include <QStringList>

namespace farfield::ui {

/// For menus and buttons: an ampersand in a name is no mnemonic.
QString withoutMnemonics(QString name);

/// What a line of the recent list is called: "wing.xyz + wing.q".
QString recentText(const QString& what);
/// Of all lines of the list; those that would be called the same have their folder as well.
QStringList recentTexts(const QStringList& all);

}  // namespace farfield::ui
