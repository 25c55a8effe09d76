#pragma once
// Messages on the user's terminal: to stderr, one line each, filtered by --quiet and --verbose.

#include <string>

namespace farfield::log {

enum class Level { Quiet = 0, Normal = 1, Verbose = 2 };

/// Process-wide; set once by the composition root.
void setLevel(Level level);
Level level();

/// Always shown: something is wrong but the work goes on.
void warning(const std::string& line);
/// Shown unless --quiet.
void note(const std::string& line);
/// Shown with --verbose.
void detail(const std::string& line);

}  // namespace farfield::log
