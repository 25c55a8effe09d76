#include "core/fields/seen_ranges.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace farfield::fields {
namespace {

constexpr std::int64_t kRows = 24, kRowNodes = 256;
constexpr std::size_t kFewOf = 50;  ///< one in so many, at either end, is not usual

/// The n-th of numbers between 0 and 1 that are spread evenly however many there are (Weyl).
double spread(std::int64_t n, double step) {
  const double at = 0.5 + static_cast<double>(n) * step;
  return at - std::floor(at);
}

std::size_t largestBlock(const paging::DatasetDescription& description) {
  const auto& blocks = description.blocks;
  return static_cast<std::size_t>(
      std::max_element(blocks.begin(), blocks.end(),
                       [](const auto& a, const auto& b) { return product(a.dims) < product(b.dims); }) -
      blocks.begin());
}

/// A row of nodes along i, not all of them where it is long.
IndexBox rowOf(const Index3& dims, std::int64_t n) {
  IndexBox row{{0, 0, 0}, {std::min(dims[0], kRowNodes), 1, 1}};
  const double shares[] = {spread(n, 0.8191725134), spread(n, 0.6710436067), spread(n, 0.5497004779)};
  for (std::size_t a = 0; a < 3; ++a)
    row.first[a] = static_cast<std::int64_t>(shares[a] * static_cast<double>(dims[a] - row.size[a] + 1));
  return row;
}

/// Of values of which there is at least one.
SeenRange rangeOf(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t few = values.size() / kFewOf;
  return {{values.front(), values.back()}, {values[few], values[values.size() - 1 - few]}};
}

}  // namespace

std::map<std::string, SeenRange> seenRanges(const OpenData& data,
                                            const std::vector<FunctionInfo>& functions) {
  std::map<std::string, std::vector<double>> seen;
  std::map<std::string, SeenRange> ranges;
  const paging::BoxReader* const reader = data.boxReader();
  std::vector<std::string> names;
  for (const FunctionInfo& function : functions)
    if (function.components == 1 && !function.derivative) names.push_back(function.name);
  if (!reader || names.empty() || reader->description().blocks.empty()) return ranges;
  try {
    const paging::DatasetDescription& description = reader->description();
    const std::size_t block = largestBlock(description);
    const FunctionPlan plan(description, names);
    std::vector<double> outputs(static_cast<std::size_t>(plan.outputCount()));
    for (std::int64_t n = 0; n < kRows; ++n) {
      const IndexBox row = rowOf(description.blocks[block].dims, n);
      const auto nodes = static_cast<std::size_t>(row.size[0]);
      std::vector<std::vector<double>> inputs(nodes);
      for (const std::string& name : plan.arrays()) {
        const int number = description.find(static_cast<int>(block), name);
        if (number < 0) return {};
        const paging::ArrayDescription& array = description.arrays[static_cast<std::size_t>(number)];
        std::vector<std::byte> bytes(nodes * static_cast<std::size_t>(array.nodeBytes()));
        reader->read(static_cast<std::uint32_t>(number), 0, row, bytes);
        std::vector<double> numbers(nodes * static_cast<std::size_t>(array.components));
        toDouble(bytes.data(), array.type, 0, static_cast<std::int64_t>(numbers.size()), numbers.data());
        for (std::size_t each = 0; each < numbers.size(); ++each)
          inputs[each / static_cast<std::size_t>(array.components)].push_back(numbers[each]);
      }
      for (const std::vector<double>& node : inputs) {
        plan.computeNode(node, outputs);
        for (std::size_t f = 0; f < names.size(); ++f) {
          if (std::isfinite(outputs[f])) seen[names[f]].push_back(outputs[f]);
        }
      }
    }
  } catch (const Error&) {
    // Whoever looks at the data will say what is wrong with them.
  }
  for (auto& [name, values] : seen) ranges[name] = rangeOf(values);
  return ranges;
}

}  // namespace farfield::fields
