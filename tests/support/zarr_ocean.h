#pragma once
// A small ocean of Zarr by the CF conventions: degrees and metres of depth, positive downwards; "temp", "u" and "v", but no "w".

#include <filesystem>
#include <fstream>
#include <string>

namespace farfield::test {

/// Writes it to the folder `ocean`, which is made. 5 x 4 x 4 nodes: longitudes 0 … 4, latitudes 0 … 3, depths 0, 10, 50, 250.
/// "temp" is 0 … 79, x fastest and deeper and deeper.
inline void writeZarrOcean(const std::filesystem::path& ocean) {
  const auto put = [&](const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories((ocean / name).parent_path());
    std::ofstream(ocean / name, std::ios::binary) << bytes;
  };
  const auto array = [&](const std::string& name, const std::string& shape, const std::string& attributes,
                         const std::string& values) {
    put(name + "/.zarray",
        R"({"zarr_format": 2, "shape": [)" + shape + R"(], "chunks": [)" + shape +
            R"(], "dtype": "|u1", "order": "C", "fill_value": null, "filters": null, "compressor": null})");
    put(name + "/.zattrs", attributes);
    std::string chunk = "0";
    for (const char letter : shape)
      if (letter == ',') chunk += ".0";
    put(name + "/" + chunk, values);
  };
  const auto count = [](int numbers) {
    std::string values;
    for (int n = 0; n < numbers; ++n) values += static_cast<char>(n);
    return values;
  };
  put(".zgroup", R"({"zarr_format": 2})");
  array("depth", "4", R"({"_ARRAY_DIMENSIONS": ["depth"], "units": "m", "positive": "down"})",
        {'\0', '\x0a', '\x32', '\xfa'});
  array("lat", "4", R"({"_ARRAY_DIMENSIONS": ["lat"], "units": "degrees_north"})", count(4));
  array("lon", "5", R"({"_ARRAY_DIMENSIONS": ["lon"], "units": "degrees_east"})", count(5));
  array("temp", "4,4,5", R"({"_ARRAY_DIMENSIONS": ["depth", "lat", "lon"], "units": "K"})", count(80));
  for (const char* const name : {"u", "v"})
    array(name, "4,4,5", R"({"_ARRAY_DIMENSIONS": ["depth", "lat", "lon"], "units": "m s-1"})",
          std::string(80, '\x01'));
}

}  // namespace farfield::test
