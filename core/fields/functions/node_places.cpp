#include "core/fields/functions/node_places.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/forwarded_data.h"
#include "core/fields/functions/node_coordinates.h"

namespace farfield::fields {
namespace {

/// Of computed pages: small ones, as they cost nothing but memory, and tell best where an isosurface is.
constexpr int kPageEdge = 16;
/// As blocks with coordinates call theirs in all formats. No name has a line's end where a variable has this one.
constexpr const char *kName = "xyz", *kOtherName = "\nxyz";
constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};

bool lacksPlaces(const paging::BlockDescription& block) {
  return !block.hasCoordinates() && *std::min_element(block.dims.begin(), block.dims.end()) > 0;
}

std::string nameFor(const paging::DatasetDescription& data) {
  for (const paging::ArrayDescription& array : data.arrays)
    if (array.role == paging::ArrayRole::Coordinates && array.detail == 0) return array.name;
  const bool taken = std::any_of(data.arrays.begin(), data.arrays.end(),
                                 [](const paging::ArrayDescription& array) { return array.name == kName; });
  return taken ? kOtherName : kName;
}

paging::ArrayDescription placesOf(const paging::DatasetDescription& data, int block,
                                  const std::string& name) {
  paging::ArrayDescription places;
  places.name = name;
  places.block = block;
  places.layout = paging::PageLayout::even(data.blocks[static_cast<std::size_t>(block)].dims, kPageEdge);
  places.components = 3;
  places.type = ScalarType::F64;
  places.componentNames.assign(kAxes.begin(), kAxes.end());
  places.role = paging::ArrayRole::Coordinates;
  return places;
}

/// An array of its places for each block that has none.
void addPlaces(paging::DatasetDescription& data) {
  const std::string name = nameFor(data);
  for (int block = 0; block < static_cast<int>(data.blocks.size()); ++block)
    if (lacksPlaces(data.blocks[static_cast<std::size_t>(block)]))
      data.arrays.push_back(placesOf(data, block, name));
}

bool getsPlaces(const OpenData& data) {
  const paging::DatasetDescription& description = data.description();
  const bool isWanted = std::any_of(description.blocks.begin(), description.blocks.end(), lacksPlaces);
  // what has neither is shown by somebody else, of whose data only this much is said
  const bool hasValues = !description.arrays.empty() || data.boxReader() != nullptr;
  return isWanted && hasValues;
}

/// Of the nodes of `box`: they ascend or descend along each axis.
paging::PageSummary rangesOfBox(const paging::BlockDescription& block, const IndexBox& box) {
  Index3 last;
  for (std::size_t a = 0; a < 3; ++a) last[a] = box.first[a] + box.size[a] - 1;
  const Vec3 from = regularNode(block, box.first), to = regularNode(block, last);
  paging::PageSummary ranges(3);
  for (int a = 0; a < 3; ++a)
    ranges.components[static_cast<std::size_t>(a)] = {std::min(from[a], to[a]), std::max(from[a], to[a])};
  return ranges;
}

/// Computes pages while it is asked for them.
class PlaceSource final : public paging::PageSource {
 public:
  explicit PlaceSource(paging::DatasetDescription description) : m_description(std::move(description)) {}
  const paging::DatasetDescription& description() const override { return m_description; }
  std::string name() const override { return "places of nodes"; }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override {
    return static_cast<std::uint64_t>(m_description.arrays[array].maxPageBytes());
  }
  void read(std::span<const paging::PageRequest> requests) noexcept override {
    std::vector<double> places;
    for (const paging::PageRequest& request : requests) {
      try {
        make(request, places);
      } catch (...) {
        request.sink->failed(request.tag, std::current_exception());
        continue;
      }
      request.sink->arrived(request.tag, {.bytes = std::as_bytes(std::span(places))});
    }
  }
  void cancel(const paging::PageSink*) noexcept override {}
  paging::SourceCounters counters() const override { return {}; }
  bool readsWhileAsked() const override { return true; }

 private:
  void make(const paging::PageRequest& request, std::vector<double>& places) const {
    const paging::ArrayDescription& array = m_description.arrays.at(request.array);
    if (request.page >= static_cast<std::uint64_t>(array.pageCount()))
      throw Invalid("there is no page " + std::to_string(request.page)).at(name());
    const paging::BlockDescription& block = m_description.blocks[static_cast<std::size_t>(array.block)];
    const IndexBox box = array.boxOf(request.page);
    places.resize(static_cast<std::size_t>(3 * product(box.size)));
    placeRegularNodes(block, box, places);
  }

  paging::DatasetDescription m_description;
};

/// Data whose last arrays are the places.
class PlacedData final : public ForwardedData {
 public:
  explicit PlacedData(std::unique_ptr<OpenData> data) : ForwardedData(std::move(data)) {
    PlacedData::describe();
  }
  std::unique_ptr<OpenData> release() { return releaseBehind(); }

  const paging::DatasetDescription& description() const override { return m_description; }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(MemoryAccount& account,
                                                               const SourceOptions& options) const override {
    auto sources = behind().makeSources(account, options);
    paging::DatasetDescription places;
    places.format = m_description.format;
    places.times = m_description.times;
    places.blocks = m_description.blocks;
    places.arrays.assign(m_description.arrays.begin() + static_cast<std::ptrdiff_t>(m_first),
                         m_description.arrays.end());
    sources.push_back(std::make_unique<PlaceSource>(std::move(places)));
    return sources;
  }
  std::uint64_t storedBytesOf(std::uint32_t array, std::uint64_t page) const override {
    return array < m_first ? behind().storedBytesOf(array, page) : 0;
  }
  std::optional<std::array<double, 2>> storedRange(std::uint32_t array, int component) const override {
    if (array < m_first) return behind().storedRange(array, component);
    const paging::ArrayDescription& its = m_description.arrays[array];
    const auto range = rangesOfBox(blockOf(its), {{0, 0, 0}, its.layout.dims()})
                           .components.at(static_cast<std::size_t>(component));
    return std::array{range.min, range.max};
  }
  std::optional<paging::PageSummary> summaryOf(std::uint32_t array, std::uint64_t page) const override {
    return array < m_first ? behind().summaryOf(array, page) : std::nullopt;
  }
  std::optional<paging::PageSummary> rangesOf(std::uint32_t array, std::uint64_t page) const override {
    if (array < m_first) return behind().rangesOf(array, page);
    const paging::ArrayDescription& its = m_description.arrays[array];
    return rangesOfBox(blockOf(its), its.boxOf(page));
  }
  void foundRanges(std::uint32_t array, std::uint64_t page, const paging::PageSummary& found) const override {
    if (array < m_first) behind().foundRanges(array, page, found);
  }
  std::unique_ptr<OpenData> openLevel(int level, MemoryAccount& account) const override {
    auto coarse = behind().openLevel(level, account);
    return coarse ? withPlaces(std::move(coarse)) : nullptr;
  }

  std::optional<paging::GroupExtremes> findGroups(
      std::uint32_t array, int component, std::int64_t step, const Index3& box,
      const std::function<void()>& throwIfGivenUp) const override {
    if (array >= m_first) return std::nullopt;
    return ForwardedData::findGroups(array, component, step, box, throwIfGivenUp);
  }

 private:
  void describe() override {
    m_description = behind().description();
    m_first = m_description.arrays.size();
    addPlaces(m_description);
  }
  const paging::BlockDescription& blockOf(const paging::ArrayDescription& array) const {
    return m_description.blocks[static_cast<std::size_t>(array.block)];
  }

  paging::DatasetDescription m_description;
  std::size_t m_first = 0;  ///< of the places among all arrays
};

}  // namespace

int placeAxisOf(std::string_view name) {
  const auto found = std::find(kAxes.begin(), kAxes.end(), name);
  return found == kAxes.end() ? -1 : static_cast<int>(found - kAxes.begin());
}

int placesIn(const paging::DatasetDescription& data) {
  const paging::ArrayDescription* first = nullptr;
  std::size_t count = 0;
  for (const paging::ArrayDescription& array : data.arrays) {
    if (array.role != paging::ArrayRole::Coordinates || array.detail != 0) continue;
    if (array.components != 3) return -1;
    if (!first) first = &array;
    count += array.name == first->name ? 1 : 0;
  }
  return first && count == data.blocks.size() ? static_cast<int>(first - data.arrays.data()) : -1;
}

std::string formulaOfPlace(const std::string& name) {
  return "the place of nodes along " + name;
}

bool isPlace(const FunctionInfo& function) {
  return placeAxisOf(function.name) >= 0 && function.formula == formulaOfPlace(function.name);
}

namespace {

/// Whether the data, or users, call something else so.
bool isTaken(const paging::DatasetDescription& data, const std::vector<FunctionInfo>& own,
             const std::string& axis) {
  return definitionOf(data.attributes, axis) ||
         std::any_of(own.begin(), own.end(),
                     [&](const FunctionInfo& function) { return function.name == axis; });
}

}  // namespace

std::vector<FunctionInfo> placeFunctions(const paging::DatasetDescription& data) {
  std::vector<FunctionInfo> places;
  if (placesIn(data) < 0) return places;
  const std::vector<FunctionInfo> own = availableFunctions(data);
  for (const char* const axis : kAxes)
    if (!isTaken(data, own, axis)) places.push_back(FunctionPlan(data, {axis}).functions().front());
  return places;
}

std::optional<std::array<double, 2>> placeRangeOf(const paging::DatasetDescription& data,
                                                  const std::string& name) {
  const int axis = placeAxisOf(name);
  if (axis < 0 || placesIn(data) < 0 || isTaken(data, availableFunctions(data), name)) return std::nullopt;
  Bounds all;
  for (const paging::BlockDescription& block : data.blocks) all.add(block.bounds);
  if (all.empty()) return std::nullopt;
  return std::array{all.min[axis], all.max[axis]};
}

std::unique_ptr<OpenData> withPlaces(std::unique_ptr<OpenData> data) {
  if (!getsPlaces(*data)) return data;
  return std::make_unique<PlacedData>(std::move(data));
}

paging::DatasetDescription describedWithPlaces(const OpenData& data) {
  paging::DatasetDescription description = data.description();
  if (getsPlaces(data) && placesIn(description) < 0) addPlaces(description);
  return description;
}

std::unique_ptr<OpenData> withoutPlaces(std::unique_ptr<OpenData> data) {
  auto* const placed = dynamic_cast<PlacedData*>(data.get());
  return placed ? placed->release() : std::move(data);
}

}  // namespace farfield::fields
