#pragma once
// How names of files and of things stand in menus and on buttons.

#include <QFontMetrics>
#include <QString>
#include <QStringList>

namespace farfield::ui {

/// For menus and buttons: an ampersand in a name is no mnemonic.
QString withoutMnemonics(QString name);

/// What a line of the recent list is called: "wing.xyz + wing.q".
QString recentText(const QString& what);
/// `text` in `width` pixels: of each of the names that are joined by " + " the middle is left out where they have no room, so that none of
/// them runs into the next.
QString elidedNames(const QString& text, const QFontMetrics& metrics, int width);
/// Of all lines of the list; those that would be called the same have their folder as well.
QStringList recentTexts(const QStringList& all);

}  // namespace farfield::ui
