#pragma once
// Makes text from outside fit for one line of a terminal: names in files and arguments may contain anything,
// at any length.

#include <string>
#include <string_view>

namespace farfield {

/// Line breaks and tabs become spaces; other control characters, direction marks and bytes that are not UTF-8
/// become \x1b or \u202e. The middle of a long text is replaced by "…".
std::string printable(std::string_view text);

}  // namespace farfield
