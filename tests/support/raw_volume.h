#pragma once
// A file of plain numbers to be seen as a volume, and what opens it.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/data/store_data.h"
#include "core/fields/functions/open_data.h"
#include "plugins/raw/raw_data.h"

namespace farfield::test {

inline constexpr Index3 kRawDims{160, 150, 140};

/// A ball in f32, another one for each `seed`.
inline void writeRawVolume(const std::filesystem::path& path, int seed = 0) {
  std::ofstream out(path, std::ios::binary);
  std::vector<float> row(static_cast<std::size_t>(kRawDims[0]));
  for (std::int64_t k = 0; k < kRawDims[2]; ++k)
    for (std::int64_t j = 0; j < kRawDims[1]; ++j) {
      for (std::int64_t i = 0; i < kRawDims[0]; ++i) {
        const double x = double(i) / 79 - 1, y = double(j) / 74 - 1, z = double(k) / 69 - 1;
        const double r = std::sqrt(x * x + y * y + z * z);
        row[static_cast<std::size_t>(i)] = static_cast<float>(std::max(0.0, 1 - r) + 0.1 * seed);
      }
      out.write(reinterpret_cast<const char*>(row.data()),
                static_cast<std::streamsize>(row.size() * sizeof(float)));
    }
}

inline std::shared_ptr<fields::ReaderRegistry> rawAndStoreReaders() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<fields::StoreDataReader>());
  registry->add(std::make_unique<raw::RawDataReader>());
  return registry;
}

inline fields::OpenRequest rawRequest(const std::vector<std::filesystem::path>& files) {
  fields::OpenRequest request;
  for (const auto& file : files) request.sources.push_back(file.string());
  request.options = {{"dims", "160,150,140"}, {"type", "f32"}, {"name", "v"}};
  return request;
}

}  // namespace farfield::test
