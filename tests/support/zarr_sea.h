#pragma once
// A small group of Zarr by the CF conventions, with units of everything: three steps of a map with "heat" in K and "u", "v", "w" in m s-1.

#include <filesystem>
#include <fstream>
#include <string>

namespace farfield::test {

/// Writes it to the folder `sea`, which is made. Its times are 0, 1, 2 in `timeUnits`.
inline void writeSea(const std::filesystem::path& sea, const std::string& timeUnits = "days since 2001-1-1") {
  const auto put = [&](const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories((sea / name).parent_path());
    std::ofstream(sea / name, std::ios::binary) << bytes;
  };
  const auto array = [&](const std::string& name, const std::string& shape, const std::string& attributes,
                         int count) {
    put(name + "/.zarray",
        R"({"zarr_format": 2, "shape": [)" + shape + R"(], "chunks": [)" + shape +
            R"(], "dtype": "|u1", "order": "C", "fill_value": null, "filters": null, "compressor": null})");
    put(name + "/.zattrs", attributes);
    std::string values, chunk = "0";
    for (int n = 0; n < count; ++n) values += static_cast<char>(n);
    for (const char letter : shape)
      if (letter == ',') chunk += ".0";
    put(name + "/" + chunk, values);
  };
  put(".zgroup", R"({"zarr_format": 2})");
  array("time", "3",
        R"({"_ARRAY_DIMENSIONS": ["time"], "units": ")" + timeUnits + R"(", "calendar": "360_day", "axis": "T"})", 3);
  array("lat", "4", R"({"_ARRAY_DIMENSIONS": ["lat"], "units": "degrees_north"})", 4);
  array("lon", "5", R"({"_ARRAY_DIMENSIONS": ["lon"], "units": "degrees_east"})", 5);
  array("heat", "3,4,5", R"({"_ARRAY_DIMENSIONS": ["time", "lat", "lon"], "units": "K"})", 60);
  for (const char* const name : {"u", "v", "w"})
    array(name, "3,4,5", R"({"_ARRAY_DIMENSIONS": ["time", "lat", "lon"], "units": "m s-1"})", 60);
}

}  // namespace farfield::test
