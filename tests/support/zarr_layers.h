#pragma once
// A small ocean of Zarr by the CF conventions whose layers follow its floor: metres, 800 km wide and 3 km deep once its heights are
// computed, and 1 high as it is.

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace farfield::test {

/// Writes it to the folder `ocean`, which is made: 5 x 4 x 4 nodes, "temp" from 0 upwards, x fastest.
inline void writeZarrLayers(const std::filesystem::path& ocean) {
  const auto put = [&](const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories((ocean / name).parent_path());
    std::ofstream(ocean / name, std::ios::binary) << bytes;
  };
  const auto array = [&](const std::string& name, const std::string& shape, const std::string& attributes,
                         const std::vector<float>& values) {
    put(name + "/.zarray", R"({"zarr_format": 2, "shape": [)" + shape + R"(], "chunks": [)" + shape +
                               R"(], "dtype": "<f4", "order": "C", "fill_value": null, "filters": null,
                               "compressor": null})");
    put(name + "/.zattrs", attributes);
    std::string chunk = "0";
    for (const char letter : shape)
      if (letter == ',') chunk += ".0";
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    put(name + "/" + chunk, bytes);
  };
  put(".zgroup", R"({"zarr_format": 2})");
  array("s", "4",
        R"({"_ARRAY_DIMENSIONS": ["s"], "standard_name": "ocean_sigma_coordinate",
            "formula_terms": "sigma: s eta: zeta depth: h"})",
        {-1, -0.7F, -0.3F, 0});
  array("y", "4", R"({"_ARRAY_DIMENSIONS": ["y"], "axis": "Y", "units": "m"})", {0, 2e5F, 4e5F, 6e5F});
  array("x", "5", R"({"_ARRAY_DIMENSIONS": ["x"], "axis": "X", "units": "m"})", {0, 2e5F, 4e5F, 6e5F, 8e5F});
  array("h", "4,5", R"({"_ARRAY_DIMENSIONS": ["y", "x"], "units": "m"})", std::vector<float>(20, 3000));
  array("zeta", "4,5", R"({"_ARRAY_DIMENSIONS": ["y", "x"], "units": "m"})", std::vector<float>(20, 0));
  std::vector<float> temperatures;
  for (int node = 0; node < 80; ++node) temperatures.push_back(static_cast<float>(node));
  array("temp", "4,4,5", R"({"_ARRAY_DIMENSIONS": ["s", "y", "x"], "units": "K"})", temperatures);
}

}  // namespace farfield::test
