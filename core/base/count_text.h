#pragma once
// "1 box", "2 boxes": a count with its word, for messages.

#include <cstdint>
#include <string>

namespace farfield {

inline std::string countText(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace farfield
