#include "core/fields/seen_ranges.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace farfield::fields {
namespace {

constexpr std::int64_t kRows = 24, kRowNodes = 256;
constexpr std::size_t kFewOf = 50;  ///< one in so many, at either end, is not usual
constexpr std::size_t kMostKept = 32 * 1024;

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

SeenNodes nodesFor(const FunctionPlan& plan, const paging::DatasetDescription& description,
                   std::size_t block) {
  SeenNodes nodes;
  for (const std::string& name : plan.arrays()) {
    const int number = description.find(static_cast<int>(block), name);
    if (number < 0) return {};
    nodes.arrays.push_back({name, description.arrays[static_cast<std::size_t>(number)].components});
  }
  return nodes;
}

/// Of values of which there is at least one.
SeenRange rangeOf(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t few = values.size() / kFewOf;
  return {{values.front(), values.back()}, {values[few], values[values.size() - 1 - few]}};
}

}  // namespace

SeenValues seenValues(const OpenData& data, const std::vector<FunctionInfo>& functions) {
  std::map<std::string, std::vector<double>> seen;
  SeenValues found;
  const paging::BoxReader* const reader = data.boxReader();
  std::vector<std::string> names;
  for (const FunctionInfo& function : functions)
    if (function.components == 1 && !function.derivative) names.push_back(function.name);
  if (!reader || names.empty() || reader->description().blocks.empty()) return found;
  try {
    const paging::DatasetDescription& description = reader->description();
    const std::size_t block = largestBlock(description);
    const FunctionPlan plan(description, names);
    found.nodes = nodesFor(plan, description, block);
    if (found.nodes.arrays.size() != plan.arrays().size()) return {};
    std::vector<double> outputs(static_cast<std::size_t>(plan.outputCount()));
    std::size_t number = 0;
    for (std::int64_t n = 0; n < kRows; ++n) {
      const IndexBox row = rowOf(description.blocks[block].dims, n);
      const auto nodes = static_cast<std::size_t>(row.size[0]);
      std::vector<std::vector<double>> inputs(nodes);
      for (const SeenNodes::Array& its : found.nodes.arrays) {
        const int at = description.find(static_cast<int>(block), its.name);
        const paging::ArrayDescription& array = description.arrays[static_cast<std::size_t>(at)];
        std::vector<std::byte> bytes(nodes * static_cast<std::size_t>(array.nodeBytes()));
        reader->read(static_cast<std::uint32_t>(at), 0, row, bytes);
        std::vector<double> numbers(nodes * static_cast<std::size_t>(array.components));
        toDouble(bytes.data(), array.type, 0, static_cast<std::int64_t>(numbers.size()), numbers.data());
        for (std::size_t each = 0; each < numbers.size(); ++each)
          inputs[each / static_cast<std::size_t>(array.components)].push_back(numbers[each]);
      }
      // Evenly many of each row are kept.
      const auto width = static_cast<std::size_t>(plan.inputCount());
      const std::size_t every = 1 + static_cast<std::size_t>(kRows) * nodes * width / kMostKept;
      for (const std::vector<double>& node : inputs) {
        if (number++ % every == 0)
          found.nodes.values.insert(found.nodes.values.end(), node.begin(), node.end());
        plan.computeNode(node, outputs);
        for (std::size_t f = 0; f < names.size(); ++f) {
          if (std::isfinite(outputs[f])) seen[names[f]].push_back(outputs[f]);
        }
      }
    }
  } catch (const Error&) {
    // Whoever looks at the data will say what is wrong with them.
  }
  for (auto& [name, values] : seen) found.ranges[name] = rangeOf(values);
  return found;
}

std::optional<SeenRange> seenRangeOf(const SeenNodes& nodes, const paging::DatasetDescription& description,
                                     const std::string& function) {
  if (nodes.values.empty()) return std::nullopt;
  try {
    const FunctionPlan plan(description, {function});
    if (plan.outputCount() != 1 || plan.gradientCount() > 0 || plan.isOnWalls()) return std::nullopt;
    std::size_t width = 0;
    for (const SeenNodes::Array& array : nodes.arrays) width += static_cast<std::size_t>(array.components);
    // where the plan's inputs stand among the values of a node
    std::vector<std::size_t> places;
    for (const std::string& name : plan.arrays()) {
      std::size_t first = 0, n = 0;
      for (; n < nodes.arrays.size() && nodes.arrays[n].name != name; ++n)
        first += static_cast<std::size_t>(nodes.arrays[n].components);
      if (n == nodes.arrays.size()) return std::nullopt;
      for (int c = 0; c < nodes.arrays[n].components; ++c)
        places.push_back(first + static_cast<std::size_t>(c));
    }
    std::vector<double> inputs(places.size()), values;
    for (std::size_t node = 0; node + width <= nodes.values.size(); node += width) {
      for (std::size_t n = 0; n < places.size(); ++n) inputs[n] = nodes.values[node + places[n]];
      double value = 0;
      plan.computeNode(inputs, {&value, 1});
      if (std::isfinite(value)) values.push_back(value);
    }
    if (!values.empty()) return rangeOf(values);
  } catch (const Error&) {
    // No function of these data.
  }
  return std::nullopt;
}

}  // namespace farfield::fields
