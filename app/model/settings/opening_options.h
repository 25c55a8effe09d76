#pragma once
// How data that were opened last were said to be read: the nodes of plain numbers, the byte order of a PLOT3D file. Whoever
// opens them again from the list is not asked once more.

#include <QString>
#include <map>
#include <string>

namespace farfield::app {

class Settings;

/// Of a line of Settings::recent(). None forgets what was kept of it.
void keepOpeningOptions(Settings& settings, const QString& what,
                        const std::map<std::string, std::string>& options);
std::map<std::string, std::string> openingOptions(const Settings& settings, const QString& what);

}  // namespace farfield::app
