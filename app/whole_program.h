#pragma once
// The program comes in two files: `farfield`, the command line, which starts in a few milliseconds, and
// `farfield-window`, the whole with the desktop window, whose libraries take longer to load than many
// commands take. The first becomes the second when a window is wanted, so nobody needs to know of it.

#include <filesystem>
#include <string>
#include <vector>

namespace farfield::app {

/// Beside this program, or where it is installed. Throws NotFound.
std::filesystem::path findWholeProgram();

/// Becomes that program, with these arguments and as the same process. Throws NotFound, Io.
[[noreturn]] void becomeWholeProgram(const std::vector<std::string>& arguments);

}  // namespace farfield::app
