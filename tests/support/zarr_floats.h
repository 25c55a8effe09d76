#pragma once
// Arrays of Zarr 2 that tests write: numbers of 32 bits in a single chunk that is not packed.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace farfield::test {

inline void writeZarrText(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

/// A group in the folder `group`, which is made.
inline void writeZarrGroup(const std::filesystem::path& group) {
  writeZarrText(group / ".zgroup", R"({"zarr_format": 2})");
}

/// `shape` as JSON has it, without brackets: "4,5".
inline void writeZarrFloats(const std::filesystem::path& group, const std::string& name,
                            const std::string& shape, const std::string& attributes,
                            const std::vector<float>& values) {
  writeZarrText(group / name / ".zarray",
                R"({"zarr_format": 2, "shape": [)" + shape + R"(], "chunks": [)" + shape +
                    R"(], "dtype": "<f4", "order": "C", "fill_value": null, "filters": null,
                      "compressor": null})");
  writeZarrText(group / name / ".zattrs", attributes);
  std::string chunk = "0";
  for (const char letter : shape)
    if (letter == ',') chunk += ".0";
  const auto* const bytes = reinterpret_cast<const char*>(values.data());
  writeZarrText(group / name / chunk, std::string(bytes, values.size() * sizeof(float)));
}

}  // namespace farfield::test
