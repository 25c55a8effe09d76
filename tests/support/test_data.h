#pragma once
// The real data sets, which are optional: found through FARFIELD_TEST_DATA, tests skip without.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace farfield::test {

/// Full path of `relative` ("data/plot3d/bluntfinq.bin") below the folder of real data.
inline std::filesystem::path dataPath(const std::string& relative) {
  const char* root = std::getenv("FARFIELD_TEST_DATA");
  return std::filesystem::path(root ? root : "") / relative;
}
inline bool hasData(const std::string& relative) {
  return std::filesystem::exists(dataPath(relative));
}

}  // namespace farfield::test

/// In a test function: skips it where the real data are not there.
#define NEEDS_DATA(relative) \
  if (!farfield::test::hasData(relative)) QSKIP("real data set not there (FARFIELD_TEST_DATA)")
