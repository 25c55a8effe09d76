#pragma once
// Data that are much wider than high: an ocean of 59 by 39 km, and 44 m deep.

#include <cmath>
#include <map>
#include <string>

#include "core/fields/samples/sample_data.h"
#include "plugins/raw/raw_data.h"
#include "tests/cli/program.h"

namespace farfield::test {

inline std::shared_ptr<const fields::ReaderRegistry> readersWithRaw() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<samples::SampleDataReader>());
  registry->add(std::make_unique<raw::RawDataReader>());
  return registry;
}

/// Writes it, and returns the options that it is read with.
inline std::map<std::string, std::string> writeOcean(const QString& path,
                                                     const std::string& spacing = "1000,1000,4") {
  QByteArray bytes;
  for (int k = 0; k < 12; ++k)
    for (int j = 0; j < 40; ++j)
      for (int i = 0; i < 60; ++i) {
        const float value = static_cast<float>(std::sin(0.2 * i) + 0.1 * j + 0.3 * k);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
      }
  write(path, bytes);
  return {{"dims", "60,40,12"}, {"type", "f32"}, {"spacing", spacing}};
}

}  // namespace farfield::test
