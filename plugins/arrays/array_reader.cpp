#include "plugins/arrays/array_reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/overloaded.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/pages/role_names.h"
#include "core/trace/trace.h"

namespace farfield::arrays {
namespace {

/// Suggested pages: long in i, as files are.
constexpr Index3 kPageExtent{128, 16, 16};
constexpr std::size_t kMostNameLetters = 120;

/// Copies numbers of `element` bytes, leaving `components` - 1 numbers between them.
void spread(std::span<const std::byte> numbers, int element, int components, std::byte* to) {
  const auto bytes = static_cast<std::size_t>(element);
  for (std::size_t n = 0; n < numbers.size(); n += bytes, to += element * components)
    std::memcpy(to, numbers.data() + n, bytes);
}

}  // namespace

ArrayReader::ArrayReader(paging::DatasetDescription description, std::vector<ArrayPlace> places,
                         std::vector<MemoryClaim> claims, paging::ByteObjects objects)
    : m_description(std::move(description)),
      m_places(std::move(places)),
      m_claims(std::move(claims)),
      m_objects(std::move(objects)) {}

void ArrayReader::checkUnchanged() const {
  for (const auto& object : m_objects) object->checkUnchanged();
  const auto check = [](const PlacedArray& placed) {
    for (const std::vector<Piece>& pieces : placed.steps)
      for (const Piece& piece : pieces) piece.bytes->checkUnchanged();
  };
  for (const ArrayPlace& place : m_places) {
    if (const auto* const placed = std::get_if<PlacedArray>(&place)) check(*placed);
    if (const auto* const gathered = std::get_if<GatheredArray>(&place))
      for (const PlacedArray& each : *gathered) check(each);
  }
}

void ArrayReader::read(std::uint32_t array, std::int64_t step, const IndexBox& box,
                       std::span<std::byte> out) const {
  const trace::Scope scope("arrays", "read", out.size());
  readSome(array, step, box, 0, m_description.arrays.at(array).components, out);
}

void ArrayReader::readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                                std::span<std::byte> out) const {
  const trace::Scope scope("arrays", "read component", out.size());
  readSome(array, step, box, component, 1, out);
}

void ArrayReader::readSome(std::uint32_t array, std::int64_t step, const IndexBox& box, int first, int count,
                           std::span<std::byte> out) const {
  const auto gathered = [&](const GatheredArray& components) {
    if (count == 1) return readBox(components[static_cast<std::size_t>(first)], step, box, 0, 1, out);
    const int element = sizeOf(m_description.arrays[array].type);
    std::vector<std::byte> one(out.size() / static_cast<std::size_t>(count));
    for (int c = 0; c < count; ++c) {
      readBox(components[static_cast<std::size_t>(first + c)], step, box, 0, 1, one);
      spread(one, element, count, out.data() + c * element);
    }
  };
  std::visit(
      Overloaded{[&](const PlacedArray& placed) { readBox(placed, step, box, first, count, out); }, gathered,
                 [&](const ComputedArray& compute) { compute(step, box, first, count, out); }},
      m_places.at(array));
}

paging::DatasetDescription describeBlock(const std::string& format, const Index3& dims) {
  paging::DatasetDescription description;
  description.format = format;
  description.times = {0};
  paging::BlockDescription block;
  block.dims = dims;
  description.blocks.push_back(block);
  return description;
}

paging::ArrayDescription describeArray(const std::string& name, const Index3& dims, int components,
                                       ScalarType type, std::int64_t steps) {
  paging::ArrayDescription array;
  array.name = name;
  array.layout = paging::PageLayout::ofExtent(dims, kPageExtent);
  array.steps = steps;
  array.components = components;
  array.type = type;
  return array;
}

paging::ArrayDescription describeCoordinates(const Index3& dims, ScalarType type, std::int64_t steps) {
  paging::ArrayDescription xyz = describeArray("xyz", dims, 3, type, steps);
  xyz.componentNames = {"x", "y", "z"};
  xyz.role = paging::ArrayRole::Coordinates;
  return xyz;
}

paging::ArrayDescription describeBlanking(const Index3& dims, std::int64_t steps) {
  paging::ArrayDescription iblank = describeArray("iblank", dims, 1, ScalarType::I16, steps);
  iblank.role = paging::ArrayRole::Blanking;
  return iblank;
}

void placeNodes(Vec3 origin, const std::array<Vec3, 3>& directions, paging::DatasetDescription& description,
                std::vector<ArrayPlace>& places) {
  bool axes = true;
  for (int a = 0; a < 3; ++a) {
    const Vec3& direction = directions[static_cast<std::size_t>(a)];
    if (!isFinite(origin) || !isFinite(direction) || !(length(direction) > 0))
      throw Corrupt("its nodes have no place: an origin or a distance between nodes is 0 or not a number",
                    "give the options origin and spacing");
    for (int b = 0; b < 3; ++b) axes = axes && (a == b ? direction[b] > 0 : direction[b] == 0);
  }
  paging::BlockDescription& block = description.blocks.front();
  if (axes) {
    block.kind = paging::GridKind::Regular;
    block.origin = origin;
    block.spacing = {directions[0].x, directions[1].y, directions[2].z};
    block.bounds.add(origin);
    const Index3 last{block.dims[0] - 1, block.dims[1] - 1, block.dims[2] - 1};
    const Vec3 along = toVec3(last);
    block.bounds.add(Vec3{origin.x + block.spacing.x * along.x, origin.y + block.spacing.y * along.y,
                          origin.z + block.spacing.z * along.z});
    return;
  }
  block.kind = paging::GridKind::Curvilinear;
  description.arrays.push_back(describeCoordinates(block.dims, ScalarType::F64, 1));
  places.emplace_back(ComputedArray([origin, directions](std::int64_t, const IndexBox& box, int first,
                                                         int count, std::span<std::byte> out) {
    std::byte* to = out.data();
    Index3 node;
    for (node[2] = box.first[2]; node[2] < box.first[2] + box.size[2]; ++node[2])
      for (node[1] = box.first[1]; node[1] < box.first[1] + box.size[1]; ++node[1])
        for (node[0] = box.first[0]; node[0] < box.first[0] + box.size[0]; ++node[0]) {
          const Vec3 at = toVec3(node);
          const Vec3 position =
              origin + (at.x * directions[0] + (at.y * directions[1] + at.z * directions[2]));
          for (int c = first; c < first + count; ++c, to += sizeof(double)) store(to, position[c]);
        }
  }));
}

namespace {

template <class IsTaken>
std::string usable(const std::string& wanted, bool inMesh, const IsTaken& isTaken) {
  std::string name;
  for (const char letter : wanted) {
    if (name.size() == kMostNameLetters) break;
    const auto code = static_cast<unsigned char>(letter);
    // slashes would make folders in a store
    name += code < 0x20 || code == 0x7f || letter == '/' || letter == '\\' ? '_' : letter;
  }
  while (!name.empty() && (name.back() == ' ' || name.back() == '.')) name.pop_back();
  while (!name.empty() && (name.front() == ' ' || name.front() == '.')) name.erase(name.begin());
  if (name.empty()) name = "value";
  const auto isReserved = [&](const std::string& tried) {
    const bool isList =
        tried == paging::kCellsName || tried == paging::kNeighboursName || tried == paging::kFacesName;
    return tried == paging::kCoordinatesName || tried == paging::kBlankingName ||
           tried.starts_with("boxes") || (inMesh && isList) || paging::coarseNameFrom(tried).has_value();
  };
  if (isReserved(name)) name.insert(0, "_");
  std::string free = name;
  for (int number = 2; isTaken(free); ++number) free = name + "_" + std::to_string(number);
  return free;
}

/// Whether an array, or a component of one, has the name.
auto isNameIn(const paging::DatasetDescription& taken) {
  return [&](const std::string& tried) {
    return std::any_of(taken.arrays.begin(), taken.arrays.end(), [&](const paging::ArrayDescription& array) {
      return array.name == tried || std::find(array.componentNames.begin(), array.componentNames.end(),
                                              tried) != array.componentNames.end();
    });
  };
}

}  // namespace

std::string usableName(const std::string& wanted, const paging::DatasetDescription& taken) {
  return usable(wanted, false, isNameIn(taken));
}

std::string TakenNames::usableName(const std::string& wanted, const paging::DatasetDescription& taken) {
  for (; m_arrays < taken.arrays.size(); ++m_arrays) {
    const paging::ArrayDescription& array = taken.arrays[m_arrays];
    m_names.insert(array.name);
    m_names.insert(array.componentNames.begin(), array.componentNames.end());
  }
  return usable(wanted, false, [&](const std::string& tried) { return m_names.contains(tried); });
}

std::string usableNameInMesh(const std::string& wanted, const paging::DatasetDescription& taken) {
  return usable(wanted, true, isNameIn(taken));
}

}  // namespace farfield::arrays
