#pragma once
// Whole files as strings of bytes. A file that cannot be read is empty: what is compared with it says so.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace farfield::test {

inline std::string fileContents(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
inline void writeFile(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace farfield::test
