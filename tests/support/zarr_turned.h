#pragma once
// A small ocean of Zarr by the CF conventions whose lines are turned by 90 degrees: what goes along them goes to the north.

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace farfield::test {

/// Writes it to the folder `ocean`, which is made: 5 x 4 x 3 nodes around 5° east, 60° north; "temp" from 0 upwards, "u" 2 m/s and "v" 0.
inline void writeZarrTurned(const std::filesystem::path& ocean) {
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
  std::vector<float> east, north, numbers;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) {
      east.push_back(6 - 0.5F * static_cast<float>(y));
      north.push_back(59 + 0.5F * static_cast<float>(x));
    }
  for (int node = 0; node < 60; ++node) numbers.push_back(static_cast<float>(node));
  const std::string plane = R"({"_ARRAY_DIMENSIONS": ["eta_rho", "xi_rho"], )";
  array("lon", "4,5", plane + R"("units": "degrees_east"})", east);
  array("lat", "4,5", plane + R"("units": "degrees_north"})", north);
  array("angle", "4,5",
        plane +
            R"("long_name": "angle between XI-axis and EAST", "units": "radians", "coordinates": "lon lat"})",
        std::vector<float>(20, 1.5707963F));
  const auto onNodes = [&](const std::string& name, const std::string& units,
                           const std::vector<float>& values) {
    array(name, "3,4,5",
          R"({"_ARRAY_DIMENSIONS": ["s_rho", "eta_rho", "xi_rho"], "coordinates": "lon lat", "units": ")" +
              units + R"("})",
          values);
  };
  onNodes("temp", "K", numbers);
  onNodes("u", "m s-1", std::vector<float>(60, 2));
  onNodes("v", "m s-1", std::vector<float>(60, 0));
}

}  // namespace farfield::test
