#pragma once
// Text inside XML documents that we write.

#include <string>

namespace farfield {

/// `text` with the characters that XML gives a meaning replaced by their entities; fit for content and for
/// attributes in double quotes.
std::string xmlEscaped(const std::string& text);

}  // namespace farfield
