#pragma once
// Data that are formulas: any dims, moving or not, with or without iblank; every value known.

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::paging::test {

struct FormulaOptions {
  std::vector<Index3> dims = {{37, 20, 13}};
  ScalarType type = ScalarType::F32;
  std::int64_t steps = 1;
  bool moving = false;
  bool iblank = true;
  bool notFinite = true;  ///< some coordinates and values are NaN or infinite
};

class FormulaReader : public BoxReader {
 public:
  explicit FormulaReader(const FormulaOptions& options) : m_options(options) {
    m_description.format = "formula";
    for (std::int64_t s = 0; s < options.steps; ++s) m_description.times.push_back(0.5 * double(s));
    for (int b = 0; b < static_cast<int>(options.dims.size()); ++b) {
      const Index3& dims = options.dims[static_cast<std::size_t>(b)];
      BlockDescription block;
      block.dims = dims;
      block.hasIblank = options.iblank;
      m_description.blocks.push_back(block);
      ArrayDescription array;
      array.block = b;
      array.layout = PageLayout::ofExtent(dims, {16, 16, 16});
      array.name = "xyz";
      array.role = ArrayRole::Coordinates;
      array.components = 3;
      array.type = options.type;
      array.steps = options.moving ? options.steps : 1;
      m_description.arrays.push_back(array);
      if (options.iblank) {
        array.name = "iblank";
        array.role = ArrayRole::Blanking;
        array.components = 1;
        array.type = ScalarType::I16;
        m_description.arrays.push_back(array);
      }
      array.name = "q";
      array.role = ArrayRole::Variable;
      array.components = 5;
      array.type = options.type;
      array.steps = options.steps;
      array.componentNames = {"density", "momentum-x", "momentum-y", "momentum-z", "energy"};
      m_description.arrays.push_back(array);
    }
    m_description.attributes["gamma"] = "1.4";
  }

  const DatasetDescription& description() const override { return m_description; }

  /// Component `c` of array `name` at a node, before it is rounded to the array's type.
  double value(const std::string& name, int block, std::int64_t step, const Index3& n, int c) const {
    if (name == "iblank") return (n[0] / 9 + n[1] / 7 + n[2] / 5 + block) % 4 == 0 && n[0] > 5 ? 0 : 1;
    const double i = double(n[0]), j = double(n[1]), k = double(n[2]);
    if (m_options.notFinite && (n[0] * 7 + n[1] * 5 + n[2] * 3 + block) % 301 == 17)
      return c == 1 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    if (name == "xyz") {
      const double p[] = {i + 0.2 * std::sin(j + double(step)), j + 0.3 * std::cos(k),
                          k * 1.1 + 0.1 * std::sin(i)};
      return p[c] + 50.0 * block;
    }
    return std::sin(0.1 * i + c) * std::cos(0.2 * j) + 0.01 * k + 3 * double(step) + 10 * block;
  }

  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    if (m_failAfter.load() >= 0 && m_failAfter.fetch_sub(1) == 0) throw Io("the disk has gone");
    const ArrayDescription& a = m_description.arrays[array];
    if (out.size() != static_cast<std::size_t>(product(box.size) * a.nodeBytes()))
      throw Invalid("wrong size");
    std::byte* to = out.data();
    for (std::int64_t node = 0; node < product(box.size); ++node)
      for (int c = 0; c < a.components; ++c) {
        const Index3 in = unlinear(node, box.size);
        const double v = value(a.name, a.block, step,
                               {box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]}, c);
        if (a.type == ScalarType::F32) store(to, static_cast<float>(v));
        if (a.type == ScalarType::F64) store(to, v);
        if (a.type == ScalarType::I16) store(to, static_cast<std::int16_t>(v));
        to += sizeOf(a.type);
      }
  }
  /// The read after `reads` more fails.
  void failAfter(int reads) { m_failAfter = reads; }

 private:
  FormulaOptions m_options;
  DatasetDescription m_description;
  mutable std::atomic<int> m_failAfter{-1};
};

}  // namespace farfield::paging::test
