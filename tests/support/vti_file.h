#pragma once
// A VTK image file of arrays of 32-bit numbers that lie in a row.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace farfield::test {

struct VtiArray {
  std::string name;
  int components = 1;
  /// At node (i, j, k).
  std::function<float(int i, int j, int k, int component)> value;
};

/// `nodes` along each axis, at distances of 1 from the origin.
inline void writeVti(const std::filesystem::path& path, int nodes, const std::vector<VtiArray>& arrays) {
  const std::string end = std::to_string(nodes - 1), extent = "0 " + end + " 0 " + end + " 0 " + end;
  const auto bytesOf = [&](const VtiArray& array) {
    return std::uint64_t{4} * static_cast<std::uint64_t>(array.components) *
           static_cast<std::uint64_t>(nodes) * static_cast<std::uint64_t>(nodes) *
           static_cast<std::uint64_t>(nodes);
  };
  std::ofstream file(path, std::ios::binary);
  file << R"(<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">)"
       << "<ImageData WholeExtent=\"" << extent << R"(" Origin="0 0 0" Spacing="1 1 1"><Piece Extent=")"
       << extent << R"("><PointData>)";
  std::uint64_t offset = 0;
  for (const VtiArray& array : arrays) {
    file << R"(<DataArray type="Float32" Name=")" << array.name << R"(" NumberOfComponents=")"
         << array.components << R"(" format="appended" offset=")" << offset << R"("/>)";
    offset += bytesOf(array) + 8;
  }
  file << R"(</PointData></Piece></ImageData><AppendedData encoding="raw">_)";
  for (const VtiArray& array : arrays) {
    const std::uint64_t bytes = bytesOf(array);
    file.write(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    for (int k = 0; k < nodes; ++k)
      for (int j = 0; j < nodes; ++j)
        for (int i = 0; i < nodes; ++i)
          for (int c = 0; c < array.components; ++c) {
            const float value = array.value(i, j, k, c);
            file.write(reinterpret_cast<const char*>(&value), sizeof value);
          }
  }
  file << "</AppendedData></VTKFile>";
}

}  // namespace farfield::test
