#pragma once
// PLOT3D data in memory, written and read in the forms that real files come in, independently of the code
// that is tested.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "tests/support/file_contents.h"

namespace farfield::test {

struct Plot3dBlock {
  Index3 dims{0, 0, 0};
  std::vector<double> xyz;           ///< x of all nodes, then y, then z
  std::vector<double> q;             ///< density of all nodes, then momentum x, y, z, then energy
  std::vector<std::int32_t> iblank;  ///< empty: the file has none
};

struct Plot3dForm {
  bool f64 = false, bigEndian = false, markers = false;
  bool planes = false;  ///< a record for each plane of k
};

class Plot3dBytes {
 public:
  explicit Plot3dBytes(const Plot3dForm& form) : m_form(form) {}
  template <class T>
  void put(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    if (m_form.bigEndian) std::reverse(bytes, bytes + sizeof bytes);
    m_record.append(bytes, sizeof bytes);
  }
  void putReal(double value) {
    if (m_form.f64)
      put(value);
    else
      put(static_cast<float>(value));
  }
  void endRecord() {
    std::string record;
    record.swap(m_record);
    const auto marker = static_cast<std::int32_t>(record.size());
    if (m_form.markers) mark(marker);
    m_all += record;
    if (m_form.markers) mark(marker);
  }
  void write(const std::filesystem::path& path) const { std::ofstream(path, std::ios::binary) << m_all; }

 private:
  void mark(std::int32_t value) {
    put(value);
    m_all += m_record;
    m_record.clear();
  }
  Plot3dForm m_form;
  std::string m_record, m_all;
};

inline void writePlot3d(const std::filesystem::path& grid, const std::filesystem::path& solution,
                        const std::vector<Plot3dBlock>& blocks, const Plot3dForm& form = {}) {
  for (const bool ofGrid : {true, false}) {
    Plot3dBytes bytes(form);
    bytes.put(static_cast<std::int32_t>(blocks.size()));
    bytes.endRecord();
    for (const Plot3dBlock& block : blocks)
      for (const std::int64_t n : block.dims) bytes.put(static_cast<std::int32_t>(n));
    bytes.endRecord();
    for (const Plot3dBlock& block : blocks) {
      if (!ofGrid) {
        for (const double value : {0.2, 0.0, 0.0, 0.0}) bytes.putReal(value);
        bytes.endRecord();
      }
      const std::vector<double>& reals = ofGrid ? block.xyz : block.q;
      const auto nodes = static_cast<std::size_t>(product(block.dims));
      const auto pieces = static_cast<std::size_t>(form.planes ? block.dims[2] : 1), each = nodes / pieces;
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        for (std::size_t variable = 0; variable * nodes < reals.size(); ++variable)
          for (std::size_t n = 0; n < each; ++n) bytes.putReal(reals[variable * nodes + piece * each + n]);
        if (ofGrid && !block.iblank.empty())
          for (std::size_t n = 0; n < each; ++n) bytes.put(block.iblank[piece * each + n]);
        bytes.endRecord();
      }
    }
    bytes.write(ofGrid ? grid : solution);
  }
}

/// Reads what `farfield sample --format plot3d` writes: little-endian, no markers, several blocks, f32.
inline std::vector<Plot3dBlock> readPlot3dSample(const std::filesystem::path& grid,
                                                 const std::filesystem::path& solution, bool iblank) {
  std::vector<Plot3dBlock> blocks;
  for (const auto& path : {grid, solution}) {
    const std::string bytes = fileContents(path);
    std::size_t at = 0;
    const auto next = [&](auto& value) {
      if (at + sizeof value > bytes.size()) throw std::runtime_error("too short: " + path.string());
      std::memcpy(&value, bytes.data() + at, sizeof value);
      at += sizeof value;
    };
    const auto reals = [&](std::size_t count) {
      std::vector<double> values(count);
      for (double& value : values) {
        float read = 0;
        next(read);
        value = read;
      }
      return values;
    };
    std::int32_t count = 0;
    next(count);
    blocks.resize(static_cast<std::size_t>(count));
    for (Plot3dBlock& block : blocks)
      for (std::int64_t& n : block.dims) {
        std::int32_t read = 0;
        next(read);
        n = read;
      }
    for (Plot3dBlock& block : blocks) {
      const auto nodes = static_cast<std::size_t>(product(block.dims));
      if (path == solution) {
        reals(4);
        block.q = reals(5 * nodes);
        continue;
      }
      block.xyz = reals(3 * nodes);
      block.iblank.resize(iblank ? nodes : 0);
      for (std::int32_t& value : block.iblank) next(value);
    }
    if (at != bytes.size()) throw std::runtime_error("too long: " + path.string());
  }
  return blocks;
}

}  // namespace farfield::test
