#pragma once
// Paths below a folder of another server that is shared from here: what a client asks for stays below it.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace farfield::remote {

/// Throws Invalid where it leads out of the folder, or nowhere.
inline std::vector<std::string_view> partsOfSharedPath(std::string_view path) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    if (parts.back().empty() || parts.back() == "." || parts.back() == "..")
      throw Invalid("leads out of what is shared, or nowhere", "name a file below the folder")
          .at(std::string(path));
    begin = end + 1;
  }
  return parts;
}

}  // namespace farfield::remote
