#include "core/fields/seen_ranges.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/error.h"
#include "core/fields/page_reader.h"

namespace farfield::fields {
namespace {

constexpr std::int64_t kRows = 24, kRowNodes = 256;
/// Of data that are far away: one wait for each. Some nodes of a page are enough.
constexpr std::int64_t kPages = 8;
constexpr std::size_t kPageNodes = 512;
constexpr std::uint64_t kPageBytes = std::uint64_t{2} << 20;
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

std::array<double, 3> placeOf(std::int64_t n) {
  return {spread(n, 0.8191725134), spread(n, 0.6710436067), spread(n, 0.5497004779)};
}

/// A row of nodes along i, not all of them where it is long.
IndexBox rowOf(const Index3& dims, std::int64_t n) {
  IndexBox row{{0, 0, 0}, {std::min(dims[0], kRowNodes), 1, 1}};
  const std::array<double, 3> shares = placeOf(n);
  for (std::size_t a = 0; a < 3; ++a)
    row.first[a] = static_cast<std::int64_t>(shares[a] * static_cast<double>(dims[a] - row.size[a] + 1));
  return row;
}

/// The nodes of a page.
IndexBox pageOf(const paging::PageLayout& layout, std::int64_t n) {
  const std::array<double, 3> shares = placeOf(n);
  const Index3 pages = layout.pagesPerAxis();
  Index3 at{};
  for (std::size_t a = 0; a < 3; ++a)
    at[a] = static_cast<std::int64_t>(shares[a] * static_cast<double>(pages[a]));
  return layout.box(linear(at, pages));
}

bool saysRanges(const OpenData& data) {
  const auto& arrays = data.description().arrays;
  for (std::uint32_t n = 0; n < arrays.size(); ++n)
    if (!arrays[n].isGrid() && data.storedRange(n, 0)) return true;
  return false;
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

/// What the arrays of `nodes` have at the nodes of their n-th row, or page. Values of cells are those of other places: there are as many as
/// all arrays have.
std::vector<std::vector<double>> nodesIn(const paging::BoxReader& reader, std::size_t block,
                                         const SeenNodes& nodes, std::int64_t step, std::int64_t n,
                                         bool inPages) {
  const paging::DatasetDescription& description = reader.description();
  std::vector<std::vector<double>> all;
  for (const SeenNodes::Array& its : nodes.arrays) {
    const int at = description.find(static_cast<int>(block), its.name);
    const paging::ArrayDescription& array = description.arrays[static_cast<std::size_t>(at)];
    const IndexBox box = inPages ? pageOf(array.layout, n) : rowOf(array.layout.dims(), n);
    const auto count = static_cast<std::size_t>(product(box.size));
    if (&its == &nodes.arrays.front() || count < all.size()) all.resize(count);
    std::vector<std::byte> bytes(count * static_cast<std::size_t>(array.nodeBytes()));
    reader.read(static_cast<std::uint32_t>(at), array.steps > 1 ? step : 0, box, bytes);
    const auto components = static_cast<std::size_t>(array.components);
    std::vector<double> numbers(count * components);
    toDouble(bytes.data(), array.type, 0, static_cast<std::int64_t>(numbers.size()), numbers.data());
    for (std::size_t node = 0; node < all.size(); ++node)
      all[node].insert(all[node].end(), &numbers[node * components],
                       &numbers[node * components] + components);
  }
  return all;
}

/// Of values of which there is at least one.
SeenRange rangeOf(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t few = values.size() / kFewOf;
  return {{values.front(), values.back()}, {values[few], values[values.size() - 1 - few]}};
}

}  // namespace

SeenValues seenValues(const OpenData& data, const std::vector<FunctionInfo>& functions,
                      MemoryAccount& account) {
  SeenValues found;
  std::vector<std::string> names;
  for (const FunctionInfo& function : functions)
    if (!function.derivative && !function.onWalls) names.push_back(function.name);
  if (names.empty() || data.description().blocks.empty()) return found;
  try {
    const paging::BoxReader* reader = data.boxReader();
    std::optional<PageReader> pages;
    if (!reader && saysRanges(data)) return found;
    if (!reader) reader = &pages.emplace(data, account, kPageBytes);
    const paging::DatasetDescription& description = reader->description();
    const std::size_t block = largestBlock(description);
    // What users define is in the description of the data, not in that of their boxes.
    const FunctionPlan plan(data.description(), names);
    found.nodes = nodesFor(plan, description, block);
    if (found.nodes.arrays.size() != plan.arrays().size() || plan.arrays().empty()) return {};
    const std::int64_t count = pages ? kPages : kRows;
    const auto width = static_cast<std::size_t>(plan.inputCount());
    std::vector<double> outputs(static_cast<std::size_t>(plan.outputCount()));
    const auto look = [&](std::int64_t step, std::map<std::string, SeenRange>& ranges, const auto& wanted) {
      std::map<std::string, std::vector<double>> seen;
      std::size_t number = 0;
      for (std::int64_t n = 0; n < count; ++n) {
        const std::vector<std::vector<double>> inputs =
            nodesIn(*reader, block, found.nodes, step, n, pages.has_value());
        const std::size_t stride = pages ? 1 + inputs.size() / kPageNodes : 1;
        // Evenly many of each box are kept.
        const std::size_t every =
            1 + static_cast<std::size_t>(count) * (inputs.size() / stride) * width / kMostKept;
        for (std::size_t node = 0; node < inputs.size(); node += stride) {
          if (number++ % every == 0)
            found.nodes.values.insert(found.nodes.values.end(), inputs[node].begin(), inputs[node].end());
          plan.computeNode(inputs[node], outputs);
          std::size_t output = 0;
          for (const FunctionInfo& function : plan.functions()) {
            if (function.components == 1 && std::isfinite(outputs[output]) && wanted(function.name))
              seen[function.name].push_back(outputs[output]);
            output += static_cast<std::size_t>(function.components);
          }
        }
      }
      for (auto& [name, values] : seen) ranges[name] = rangeOf(values);
    };
    look(0, found.ranges, [](const std::string&) { return true; });
    const auto isConstant = [&](const std::string& name) {
      const auto first = found.ranges.find(name);
      return first != found.ranges.end() && !(first->second.all[0] < first->second.all[1]);
    };
    // Another step may be another file, which is not to be fetched for this.
    const std::vector<std::filesystem::path> files = data.files();
    const bool isNear =
        !files.empty() && std::none_of(files.begin(), files.end(), [](const std::filesystem::path& file) {
          return file.string().find("://") != std::string::npos;
        });
    if (isNear && description.steps() > 1 && std::any_of(names.begin(), names.end(), isConstant))
      look(description.steps() - 1, found.later, isConstant);
  } catch (const Error&) {
    // Whoever looks at the data will say what is wrong with them.
  }
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
