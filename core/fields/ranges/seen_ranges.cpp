#include "core/fields/ranges/seen_ranges.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

#include "core/base/error.h"
#include "core/fields/data/page_reader.h"
#include "core/fields/functions/node_places.h"

namespace farfield::fields {
namespace {

constexpr std::int64_t kRows = 24, kRowNodes = 256;
/// Of data that are far away: one wait for each. Some nodes of a page are enough.
constexpr std::int64_t kPages = 8;
constexpr std::size_t kPageNodes = 512;
constexpr std::uint64_t kPageBytes = std::uint64_t{2} << 20;
constexpr std::size_t kFewOf = 50;  ///< one in so many, at either end, is not usual
constexpr std::size_t kMostKept = 32 * 1024;
constexpr const char* kWhat = "looking at some values";

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

/// What data are shown by first, where they have it. Of others it is known less well if looking takes long.
bool isLookedAtFirst(const std::string& function) {
  static constexpr std::array kFirst{"velocity", "velocity-magnitude", "pressure", "density"};
  return std::find(kFirst.begin(), kFirst.end(), function) != kFirst.end();
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

/// Looks at nodes of one step of some arrays, as far as its limits let it.
class Looking {
 public:
  /// `reader` outlives it; `nodes.arrays` are those of `block`, in the order in which they are wanted.
  Looking(const paging::BoxReader& reader, bool inPages, std::size_t block, const SeenNodes& nodes,
          LookLimits limits)
      : m_reader(reader), m_inPages(inPages), m_limits(std::move(limits)) {
    for (const SeenNodes::Array& its : nodes.arrays)
      m_arrays.push_back(static_cast<std::uint32_t>(description().find(static_cast<int>(block), its.name)));
    m_values.resize(m_arrays.size());
    // Values of cells are those of other places: of each box there are as many as all arrays have.
    for (std::int64_t n = 0; n < (inPages ? kPages : kRows); ++n) {
      std::size_t least = std::numeric_limits<std::size_t>::max();
      for (const std::uint32_t number : m_arrays)
        least = std::min(least, static_cast<std::size_t>(product(boxOf(array(number), n).size)));
      const std::size_t stride = inPages ? 1 + least / kPageNodes : 1;
      m_boxes.push_back({stride, (least + stride - 1) / stride});
    }
  }

  std::size_t boxes() const { return m_boxes.size(); }
  std::size_t nodesOf(std::size_t box) const { return m_boxes[box].nodes; }
  /// Of all boxes.
  std::size_t mostNodes() const {
    return std::accumulate(m_boxes.begin(), m_boxes.end(), std::size_t{0},
                           [](std::size_t sum, const Box& box) { return sum + box.nodes; });
  }
  /// Values of all components of array `a` (in the order of the nodes' arrays), of its boxes one after the other.
  const std::vector<double>& valuesOf(std::size_t a) const { return m_values[a]; }

  /// How many arrays were seen at last, from the first on, and in how many boxes: in all, but where the limits came within the first array.
  std::size_t arraysSeen() const { return m_arraysSeen; }
  std::size_t boxesSeen() const { return m_boxesSeen; }
  /// Memory for looking where a node has so many numbers, read and computed.
  std::uint64_t bytesFor(std::size_t numbers) const {
    std::uint64_t nodeBytes = 0, pageBytes = 0;
    for (const std::uint32_t number : m_arrays) {
      nodeBytes = std::max(nodeBytes, static_cast<std::uint64_t>(array(number).nodeBytes()));
      pageBytes = std::max(pageBytes, static_cast<std::uint64_t>(array(number).maxPageBytes()));
    }
    const std::uint64_t unpacking = m_inPages ? 2 * pageBytes : 0;
    const std::uint64_t box = std::max(static_cast<std::uint64_t>(kRowNodes), std::uint64_t{kPageNodes});
    return mostNodes() * numbers * sizeof(double) + box * nodeBytes + kMostKept * sizeof(double) + unpacking;
  }

  /// Array after array.
  void look(std::int64_t step) {
    m_arraysSeen = m_boxesSeen = 0;
    for (std::size_t a = 0; a < m_arrays.size(); ++a) {
      m_values[a].clear();
      m_values[a].reserve(mostNodes() * static_cast<std::size_t>(array(m_arrays[a]).components));
      for (std::size_t n = 0; n < m_boxes.size(); ++n) {
        if (!mayRead(array(m_arrays[a]))) return;
        read(a, n, step);
        if (a == 0) m_arraysSeen = 1, m_boxesSeen = n + 1;
      }
      m_arraysSeen = a + 1;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Box {
    std::size_t stride = 1, nodes = 0;  ///< every so manyth node is kept, so many
  };
  const paging::DatasetDescription& description() const { return m_reader.description(); }
  const paging::ArrayDescription& array(std::uint32_t number) const { return description().arrays[number]; }
  IndexBox boxOf(const paging::ArrayDescription& array, std::int64_t n) const {
    return m_inPages ? pageOf(array.layout, n) : rowOf(array.layout.dims(), n);
  }

  /// One box is read in any case. Of what does not come in pages it is not known how much is read for a row.
  bool mayRead(const paging::ArrayDescription& array) {
    if (m_limits.stop.stop_requested()) throw Cancelled();
    const std::uint64_t bytes = m_inPages ? static_cast<std::uint64_t>(array.maxPageBytes()) : 0;
    const bool may =
        !m_hasRead || (Clock::now() < m_end && bytes <= m_limits.bytes - std::min(m_limits.bytes, m_bytes));
    m_bytes += bytes;
    m_hasRead = true;
    return may;
  }

  void read(std::size_t a, std::size_t n, std::int64_t step) {
    const paging::ArrayDescription& its = array(m_arrays[a]);
    const IndexBox box = boxOf(its, static_cast<std::int64_t>(n));
    const auto nodeBytes = static_cast<std::size_t>(its.nodeBytes());
    const auto components = static_cast<std::size_t>(its.components);
    const std::int64_t itsStep = its.steps > 1 ? step : 0;
    const std::size_t nodes = m_boxes[n].nodes;
    if (m_inPages) {
      // Its page stays with the reader: nothing of its size is copied.
      m_bytesRead.resize(nodes * nodeBytes);
      for (std::size_t node = 0; node < nodes; ++node) {
        Index3 at = box.first;
        auto left = static_cast<std::int64_t>(node * m_boxes[n].stride);
        for (std::size_t axis = 0; axis < 3; ++axis) {
          at[axis] += left % box.size[axis];
          left /= box.size[axis];
        }
        m_reader.read(m_arrays[a], itsStep, {at, {1, 1, 1}},
                      std::span(m_bytesRead).subspan(node * nodeBytes, nodeBytes));
      }
    } else {
      m_bytesRead.resize(static_cast<std::size_t>(product(box.size)) * nodeBytes);
      m_reader.read(m_arrays[a], itsStep, box, m_bytesRead);
    }
    std::vector<double>& values = m_values[a];
    const std::size_t before = values.size(), count = nodes * components;
    values.resize(before + count);
    toDouble(m_bytesRead.data(), its.type, 0, static_cast<std::int64_t>(count), &values[before]);
  }

  const paging::BoxReader& m_reader;
  const bool m_inPages;
  const LookLimits m_limits;
  const Clock::time_point m_end = Clock::now() + m_limits.time;
  std::uint64_t m_bytes = 0;
  bool m_hasRead = false;
  std::vector<std::uint32_t> m_arrays;
  std::vector<Box> m_boxes;
  std::vector<std::vector<double>> m_values;  ///< by array
  std::vector<std::byte> m_bytesRead;
  std::size_t m_arraysSeen = 0, m_boxesSeen = 0;
};

/// Of values of which there is at least one.
SeenRange rangeOf(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t few = values.size() / kFewOf;
  return {{values.front(), values.back()}, {values[few], values[values.size() - 1 - few]}};
}

/// Those of `names` that need no other arrays than the first `count` of `arrays`.
std::vector<std::string> namesWithin(const paging::DatasetDescription& description,
                                     const std::vector<std::string>& names,
                                     const std::vector<SeenNodes::Array>& arrays, std::size_t count) {
  if (count == arrays.size()) return names;
  std::vector<std::string> within;
  for (const std::string& name : names) {
    const FunctionPlan plan(description, {name});
    if (std::all_of(plan.arrays().begin(), plan.arrays().end(), [&](const std::string& array) {
          return std::any_of(arrays.begin(), arrays.begin() + static_cast<std::ptrdiff_t>(count),
                             [&](const SeenNodes::Array& its) { return its.name == array; });
        }))
      within.push_back(name);
  }
  return within;
}

/// Whether it follows from places that are computed, which whoever reads data in place does not have.
bool needsComputedPlaces(const paging::DatasetDescription& description, const FunctionInfo& function) {
  if (function.formula.empty()) return false;
  const auto computed = std::find_if(
      description.arrays.begin(), description.arrays.end(),
      [&](const paging::ArrayDescription& array) { return areComputedPlaces(description, array); });
  if (computed == description.arrays.end()) return false;
  const FunctionPlan plan(description, {function.name});
  return std::find(plan.arrays().begin(), plan.arrays().end(), computed->name) != plan.arrays().end();
}

/// Adds what `looking` has seen: nodes, of its arrays in their order, and the ranges of those of `names` that can be computed of them.
void addSeen(const Looking& looking, const SeenNodes& all, const paging::DatasetDescription& description,
             const std::vector<std::string>& names, std::vector<double>& nodes,
             std::map<std::string, SeenRange>& ranges) {
  if (looking.boxesSeen() == 0) return;
  const std::size_t arrays = looking.arraysSeen();
  std::vector<std::size_t> starts;  // of an array's values among those of a node
  std::size_t width = 0;
  for (std::size_t a = 0; a < arrays; ++a) {
    starts.push_back(width);
    width += static_cast<std::size_t>(all.arrays[a].components);
  }
  const FunctionPlan plan(description, namesWithin(description, names, all.arrays, arrays));
  std::vector<std::size_t> places;  // where the plan's inputs stand
  for (const std::string& name : plan.arrays())
    for (std::size_t a = 0; a < arrays; ++a)
      if (all.arrays[a].name == name)
        for (std::size_t c = 0; c < static_cast<std::size_t>(all.arrays[a].components); ++c)
          places.push_back(starts[a] + c);
  std::vector<double> values(width), inputs(places.size()),
      outputs(static_cast<std::size_t>(plan.outputCount()));
  std::map<std::string, std::vector<double>> seen;
  std::size_t number = 0, first = 0;
  for (std::size_t box = 0; box < looking.boxesSeen(); ++box) {
    // Evenly many of each box are kept.
    const std::size_t every = 1 + looking.boxes() * looking.nodesOf(box) * width / kMostKept;
    for (std::size_t node = first; node < first + looking.nodesOf(box); ++node) {
      for (std::size_t a = 0; a < arrays; ++a) {
        const auto components = static_cast<std::size_t>(all.arrays[a].components);
        std::copy_n(&looking.valuesOf(a)[node * components], components, &values[starts[a]]);
      }
      if (number++ % every == 0) nodes.insert(nodes.end(), values.begin(), values.end());
      for (std::size_t n = 0; n < places.size(); ++n) inputs[n] = values[places[n]];
      plan.computeNode(inputs, outputs);
      std::size_t output = 0;
      for (const FunctionInfo& function : plan.functions()) {
        if (function.components == 1 && std::isfinite(outputs[output])) {
          std::vector<double>& its = seen[function.name];
          if (its.empty()) its.reserve(looking.mostNodes());
          its.push_back(outputs[output]);
        }
        output += static_cast<std::size_t>(function.components);
      }
    }
    first += looking.nodesOf(box);
  }
  for (auto& [name, its] : seen) ranges[name] = rangeOf(its);
}

}  // namespace

SeenValues seenValues(const OpenData& data, const std::vector<FunctionInfo>& functions,
                      MemoryAccount& account, const LookLimits& limits) {
  SeenValues found;
  std::vector<std::string> names;
  for (const FunctionInfo& function : functions)
    if (!function.derivative && !function.onWalls && !needsComputedPlaces(data.description(), function))
      names.push_back(function.name);
  std::stable_partition(names.begin(), names.end(), isLookedAtFirst);
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
    const SeenNodes all = nodesFor(plan, description, block);
    if (all.arrays.size() != plan.arrays().size() || plan.arrays().empty()) return found;
    Looking looking(*reader, pages.has_value(), block, all, limits);
    const MemoryClaim claim = account.claim(
        Purpose::Work, looking.bytesFor(static_cast<std::size_t>(plan.inputCount()) + names.size()), kWhat);
    looking.look(0);
    found.nodes.arrays.assign(all.arrays.begin(),
                              all.arrays.begin() + static_cast<std::ptrdiff_t>(looking.arraysSeen()));
    addSeen(looking, all, data.description(), names, found.nodes.values, found.ranges);
    std::vector<std::string> constant;
    for (const auto& [name, range] : found.ranges)
      if (!(range.all[0] < range.all[1])) constant.push_back(name);
    if (constant.empty() || !looksAtLastStep(data)) return found;
    looking.look(description.steps() - 1);
    std::vector<double> nodes;
    addSeen(looking, all, data.description(), constant, nodes, found.later);
    if (looking.arraysSeen() == found.nodes.arrays.size())
      found.nodes.values.insert(found.nodes.values.end(), nodes.begin(), nodes.end());
  } catch (const std::exception&) {
    // Whoever looks at the data will say what is wrong with them. There may be too little memory for looking.
  }
  return found;
}

bool looksAtLastStep(const OpenData& data) {
  // Another step may be another file, which is not to be fetched for this.
  const std::vector<std::filesystem::path> files = data.files();
  return data.description().steps() > 1 && !files.empty() &&
         std::none_of(files.begin(), files.end(), [](const std::filesystem::path& file) {
           return file.string().find("://") != std::string::npos;
         });
}

std::optional<SeenRange> seenRangeOf(const SeenNodes& nodes, const paging::DatasetDescription& description,
                                     const std::string& function) {
  if (const auto places = placeRangeOf(description, function)) return SeenRange{*places, *places};
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
