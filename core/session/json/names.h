#pragma once
// Names of objects and data sets: they are parts of files' names and of paths in overrides, so not every text is one.

#include <cstddef>
#include <string>
#include <string_view>

namespace farfield::session {

constexpr std::size_t kMostNameBytes = 100;

/// As much of `text`, which is UTF-8, as has at most so many bytes, in whole letters.
std::string cutAtLetter(std::string_view text, std::size_t mostBytes);
/// What is wrong with `name`, which may be followed by what to do: "has 108 bytes, and names have 100 at most". Empty: nothing.
std::string nameFault(const std::string& name);
/// `wish`, with what names may not have replaced, and cut. Empty where nothing is left.
std::string fittedName(std::string_view wish);
/// `text` with blanks in the place of control characters, which no text of a session may have.
std::string withoutControls(std::string text);

}  // namespace farfield::session
