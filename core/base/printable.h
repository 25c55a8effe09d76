#pragma once
// Text that came from outside, made fit for one line of a terminal: names in files and arguments may hold
// anything, and any amount of it.

#include <string>
#include <string_view>

namespace farfield {

/// Line breaks and tabs become spaces; other control characters, marks that change the direction of writing
/// and bytes that are not UTF-8 become \x1b or \u202e. Of a long text the middle gives way to "…".
std::string printable(std::string_view text);

}  // namespace farfield
