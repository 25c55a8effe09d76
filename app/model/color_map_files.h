#pragma once
// Colour maps from files of ParaView (XML and JSON), and as the settings keep them. What comes from a file is
// not trusted: sizes are bounded, every number is looked at, and what is wrong is said in a sentence.

#include <QByteArray>
#include <QString>
#include <optional>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::app {

struct ImportedMap {
  scene::MapChoice choice;  ///< written out
  std::optional<scene::Rgba> nan;
  std::optional<std::array<double, 2>> range;  ///< of the values that its colours are at
  /// Of files with opacities, ascending in value; linear between, where the file has curves by points along them.
  std::vector<scene::OpacityPoint> opacity;
};

/// All maps of a file, in its order. Throws Invalid where it is no such file or one of its maps is none.
/// `nameless` is what a map is called that has no name.
std::vector<ImportedMap> readColorMaps(const QByteArray& bytes, const QString& nameless);
/// The same from a file, at most kMostMapFileBytes. Throws NotFound, Io, Invalid, which name it.
std::vector<ImportedMap> readColorMapFile(const QString& path);
constexpr qint64 kMostMapFileBytes = qint64{16} << 20;

/// One line of text that mapFromText() understands, and none other.
QString textOfMap(const scene::MapChoice& map);
std::optional<scene::MapChoice> mapFromText(const QString& text);

}  // namespace farfield::app
