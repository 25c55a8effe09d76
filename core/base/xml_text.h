#pragma once
// Text inside XML documents that we write.

#include <string>

namespace farfield {

/// `text` with the characters that are special in XML replaced by entities; for content and for attributes in
/// double quotes.
std::string xmlEscaped(const std::string& text);

}  // namespace farfield
