#pragma once
// Colour maps from files of ParaView (XML and JSON, render/color/imported_map.h), and as the settings keep them.

#include <QByteArray>
#include <QString>
#include <optional>
#include <vector>

#include "render/color/imported_map.h"

namespace farfield::app {

using color::ImportedMap;

/// All maps of a file, in its order. Throws Invalid where it is no such file or one of its maps is none.
/// `nameless` is what a map is called that has no name.
std::vector<ImportedMap> readColorMaps(const QByteArray& bytes, const QString& nameless);
/// The same from a file, at most kMostMapFileBytes. Throws NotFound, Io, Invalid, which name it.
std::vector<ImportedMap> readColorMapFile(const QString& path);
using color::kMostMapFileBytes;

/// One line of text that mapFromText() understands, and none other.
QString textOfMap(const scene::MapChoice& map);
std::optional<scene::MapChoice> mapFromText(const QString& text);

}  // namespace farfield::app
