#pragma once
// How deep a JSON text is nested, seen before it is parsed: what is deep takes many times its memory as a tree, and a parser that is to
// leave parts out as it goes looks at all members of a list again for each of them.

#include <string_view>

namespace farfield {

/// Whether lists and objects of `text` are in more than `most` others and themselves. Of what is no JSON it may say anything.
inline bool isNestedDeeper(std::string_view text, int most) {
  int depth = 0;
  bool inString = false;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const char c = text[n];
    if (inString) {
      if (c == '\\')
        ++n;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > most) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace farfield
