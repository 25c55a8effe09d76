#pragma once
// A small ocean of Zarr by the CF conventions whose layers follow its floor: metres, 800 km wide and 3 km deep once its heights are
// computed, and 1 high as it is.

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/zarr_floats.h"

namespace farfield::test {

/// Writes it to the folder `ocean`, which is made: 5 x 4 x 4 nodes, "temp" from 0 upwards, x fastest.
inline void writeZarrLayers(const std::filesystem::path& ocean) {
  const auto array = [&](const std::string& name, const std::string& shape, const std::string& attributes,
                         const std::vector<float>& values) {
    writeZarrFloats(ocean, name, shape, attributes, values);
  };
  writeZarrGroup(ocean);
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

/// One whose grids differ, to the folder `ocean`: "temp" and "heat" on the layers of the other at three steps, "chart" without layers, and "salt" on layers
/// whose heights lack a number.
inline void writeZarrGrids(const std::filesystem::path& ocean) {
  writeZarrLayers(ocean);
  const auto array = [&](const std::string& name, const std::string& shape, const std::string& attributes,
                         const std::vector<float>& values) {
    writeZarrFloats(ocean, name, shape, attributes, values);
  };
  array("time", "3", R"({"_ARRAY_DIMENSIONS": ["time"], "axis": "T"})", {0, 1, 2});
  std::vector<float> temperatures;
  for (int node = 0; node < 240; ++node) temperatures.push_back(static_cast<float>(node));
  for (const char* const name : {"temp", "heat"})
    array(name, "3,4,4,5", R"({"_ARRAY_DIMENSIONS": ["time", "s", "y", "x"], "units": "K"})", temperatures);
  array("chart", "4,5", R"({"_ARRAY_DIMENSIONS": ["y", "x"]})", std::vector<float>(20, 7));
  array("level", "2",
        R"({"_ARRAY_DIMENSIONS": ["level"], "standard_name": "ocean_s_coordinate_g1",
            "formula_terms": "s: level C: C eta: zeta depth: h depth_c: hc"})",
        {-1, 0});
  array("C", "2", R"({"_ARRAY_DIMENSIONS": ["level"]})", {-1, std::numeric_limits<float>::quiet_NaN()});
  array("hc", "1", R"({"_ARRAY_DIMENSIONS": ["one"]})", {30});
  std::vector<float> salt(40, 30);
  salt.front() = 35;
  array("salt", "2,4,5", R"({"_ARRAY_DIMENSIONS": ["level", "y", "x"]})", salt);
}

}  // namespace farfield::test
