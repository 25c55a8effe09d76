#pragma once
// Sessions as the tests write them, and small helpers for files.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/file_contents.h"

namespace farfield::test {

/// Everything in a folder, hidden files too, sorted. Empty where there is no such folder.
inline std::vector<std::string> namesIn(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// A session without pictures. `data` are the members of the data source, `objects` the objects.
inline std::string sessionText(const std::string& data, const std::string& objects) {
  return R"({"farfield":1,"data":{"flow":{)" + data + R"(}},"objects":[)" + objects +
         R"(],"output":{"images":false}})";
}

}  // namespace farfield::test
