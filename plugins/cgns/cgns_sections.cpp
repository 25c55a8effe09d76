#include "plugins/cgns/cgns_sections.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "plugins/cgns/cgns_elements.h"

namespace farfield::cgns {
namespace {

constexpr std::int64_t kPartNumbers = 4096;
constexpr std::size_t kMostParts = 16;
/// Elements, and numbers of an element.
constexpr std::int64_t kMostListed = (std::int64_t{1} << 31) - 1, kMostNumbers = 1 << 20;
/// Of mixed elements it is kept where every so many begin.
constexpr std::int64_t kStartsEvery = 64;
constexpr std::int64_t kPolygon = 7, kPolyhedron = 42;

/// Of VTK's types.
bool isFlat(std::int64_t type) {
  return type == 5 || type == 9 || type == kPolygon;
}

Corrupt doNotFit(const std::string& name) {
  return Corrupt("its elements " + printable(name) + " do not fit together", "check the file");
}

/// Whether mixed elements are faces. Cells come first where there are any, or after a few others.
bool areFaces(const Tree& tree, const Section& section) {
  IntegerList connectivity(tree, *section.connectivity);
  bool any = false;
  for (std::int64_t n = 0, at = 0; n < section.count; ++n) {
    if (n % kPartNumbers == 0) StoppableWaits::throwIfStopped();
    const std::int64_t type = connectivity.at(at), nodes = nodesOfElement(type);
    if (nodes == 0 || dimsOfElement(type) == 3) return false;
    any = any || dimsOfElement(type) == 2;
    at += 1 + nodes;
  }
  return any;
}

}  // namespace

IntegerList::IntegerList(const Tree& tree, const Node& node) {
  if (!node.hasNumbers())
    throw Corrupt("its node " + printable(node.name) + " has no numbers", "check the file");
  m_size = 1;
  for (const std::int64_t dim : node.data->dims) m_size = checkedProduct({m_size, dim});
  m_array.type = node.data->type;
  m_array.bigEndian = node.data->bigEndian && arrays::bytesOf(m_array.type) > 1;
  m_array.steps.push_back({arrays::densePiece({m_size, 1, 1}, m_array.type, 1, false, tree.bytes(node), 0)});
  arrays::checkPlaces(m_array, 1);
}

const IntegerList::Part& IntegerList::part(std::int64_t number) {
  const auto known =
      std::find_if(m_parts.begin(), m_parts.end(), [&](const Part& its) { return its.number == number; });
  if (known != m_parts.end()) {
    m_parts.splice(m_parts.begin(), m_parts, known);
    return m_parts.front();
  }
  if (m_parts.size() < kMostParts)
    m_parts.emplace_front();
  else
    m_parts.splice(m_parts.begin(), m_parts, std::prev(m_parts.end()));
  Part& made = m_parts.front();
  made.number = -1;
  const std::int64_t first = number * kPartNumbers, count = std::min(kPartNumbers, m_size - first);
  const ScalarType type = arrays::keptAs(m_array.type);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count * sizeOf(type)));
  std::vector<double> numbers(static_cast<std::size_t>(count));
  arrays::readBox(m_array, 0, {{first, 0, 0}, {count, 1, 1}}, 0, 1, bytes);
  toDouble(bytes.data(), type, 0, count, numbers.data());
  made.numbers.resize(numbers.size());
  for (std::size_t n = 0; n < numbers.size(); ++n)
    made.numbers[n] = std::abs(numbers[n]) < 9e15 ? static_cast<std::int64_t>(numbers[n]) : -1;
  made.number = number;
  return made;
}

std::span<const std::int64_t> IntegerList::read(std::int64_t first, std::int64_t count) {
  if (first < 0 || count < 0 || first > m_size || count > m_size - first)
    throw Corrupt("its lists of elements are too short", "check that the copy is complete");
  if (count > 0 && first / kPartNumbers == (first + count - 1) / kPartNumbers) {
    const Part& its = part(first / kPartNumbers);
    return std::span(its.numbers)
        .subspan(static_cast<std::size_t>(first % kPartNumbers), static_cast<std::size_t>(count));
  }
  m_numbers.resize(static_cast<std::size_t>(count));
  for (std::int64_t done = 0; done < count;) {
    const Part& its = part((first + done) / kPartNumbers);
    const std::int64_t from = (first + done) % kPartNumbers,
                       some = std::min(count - done, kPartNumbers - from);
    std::copy_n(its.numbers.begin() + from, some, m_numbers.begin() + done);
    done += some;
  }
  return m_numbers;
}

std::vector<Section> sectionsOf(const Tree& tree, const Base& base, const Zone& zone) {
  std::vector<Section> sections;
  for (const Node* const node : zone.node->all("Elements_t")) {
    Section section;
    section.name = node->name;
    const std::vector<std::int64_t> type = tree.integers(*node);
    const Node* const range = node->child("ElementRange");
    section.connectivity = node->child("ElementConnectivity");
    section.offsets = node->child("ElementStartOffset");
    section.parents = node->child("ParentElements");
    section.positions = node->child("ParentElementsPosition");
    if (!section.parents || !section.positions || !section.parents->hasNumbers() ||
        !section.positions->hasNumbers())
      section.parents = section.positions = nullptr;
    const std::vector<std::int64_t> ends = range ? tree.integers(*range) : std::vector<std::int64_t>();
    if (type.empty() || ends.size() != 2 || ends[0] < 1 || ends[1] < ends[0] || ends[1] > kMostListed ||
        !section.connectivity || !section.connectivity->hasNumbers())
      throw doNotFit(node->name);
    section.type = type[0];
    section.first = ends[0];
    section.count = ends[1] - ends[0] + 1;
    section.dims = section.type == kMixed ? base.cellDims : dimsOfElement(section.type);
    if (section.type == kMixed && base.cellDims == 3 && areFaces(tree, section)) section.dims = 2;
    if ((section.type == kNgon || section.type == kNface) &&
        (!section.offsets || !section.offsets->hasNumbers()))
      throw Unsupported("its polygons and polyhedra are those of files before version 4",
                        "rewrite it (cgnsconvert, cgnsupdate)");
    sections.push_back(std::move(section));
  }
  std::sort(sections.begin(), sections.end(),
            [](const Section& a, const Section& b) { return a.first < b.first; });
  return sections;
}

ZoneElements::ZoneElements(const Tree& tree, const Zone& zone, const std::vector<Section>& sections)
    : m_tree(tree), m_zone(zone), m_sections(sections) {}

ZoneElements::Lists& ZoneElements::listsOf(const Section& section) {
  Lists& lists = m_lists[&section];
  if (!lists.connectivity) {
    lists.connectivity.emplace(m_tree, *section.connectivity);
    if (section.offsets && section.offsets->hasNumbers()) lists.offsets.emplace(m_tree, *section.offsets);
  }
  return lists;
}

std::span<const std::int64_t> ZoneElements::zeroBased(std::span<const std::int64_t> nodes) {
  m_nodes.assign(nodes.begin(), nodes.end());
  for (std::int64_t& node : m_nodes) --node;
  return m_nodes;
}

void ZoneElements::forEach(const Section& section, const Visit& visit) {
  Lists& lists = listsOf(section);
  std::int64_t at = 0;
  for (std::int64_t n = 0; n < section.count; ++n) {
    if (section.type == kNgon) {
      const std::int64_t begin = lists.offsets->at(n), end = lists.offsets->at(n + 1);
      if (end < begin || end - begin > kMostNumbers) throw doNotFit(section.name);
      visit(n, kPolygon, zeroBased(lists.connectivity->read(begin, end - begin)));
      continue;
    }
    const std::int64_t type = section.type == kMixed ? lists.connectivity->at(at++) : section.type;
    const std::int64_t nodes = nodesOfElement(type);
    if (nodes == 0)
      throw Unsupported("its elements " + printable(section.name) + " are of type " + std::to_string(type),
                        "give standard elements");
    visit(n, vtkType(type), zeroBased(lists.connectivity->read(at, nodes)));
    at += nodes;
  }
}

void ZoneElements::forEachCell(int dims, const VisitCell& visit) {
  std::int64_t number = 0;
  const VisitCell counted = [&](std::int64_t cell, std::int64_t type, std::span<const std::int64_t> nodes,
                                std::span<const std::int64_t> faces) {
    if (cell >= m_zone.cells[0])
      throw Corrupt("its zone " + printable(m_zone.name) + " has more cells than the " +
                        std::to_string(m_zone.cells[0]) + " that it says",
                    "check the file");
    visit(cell, type, nodes, faces);
  };
  for (const Section& section : m_sections) {
    if (section.dims != dims) continue;
    if (section.type == kNface) {
      polyhedra(section, number, counted);
      continue;
    }
    forEach(section, [&](std::int64_t, std::int64_t type, std::span<const std::int64_t> nodes) {
      if (type == 0 || (dims == 3) == isFlat(type)) return;
      counted(number++, type, nodes, {});
    });
  }
}

std::int64_t ZoneElements::cellsIn(const Section& section) {
  if (section.type != kMixed) return section.count;
  Lists& lists = listsOf(section);
  if (lists.cells) return *lists.cells;
  std::int64_t cells = 0, at = 0;
  for (std::int64_t n = 0; n < section.count; ++n) {
    if (n % kPartNumbers == 0) StoppableWaits::throwIfStopped();
    const std::int64_t type = lists.connectivity->at(at), its = vtkType(type);
    if (nodesOfElement(type) == 0) throw doNotFit(section.name);
    cells += its != 0 && !isFlat(its) ? 1 : 0;
    at += 1 + nodesOfElement(type);
  }
  lists.cells = cells;
  return cells;
}

void ZoneElements::polyhedra(const Section& section, std::int64_t& number, const VisitCell& visit) {
  Lists& lists = listsOf(section);
  std::vector<std::int64_t> own, faces;
  // a face is that of two cells at most, so nothing grows beyond the file
  std::int64_t left = 1024;
  for (const Section& its : m_sections)
    if (its.dims == 2) left += 2 * listsOf(its).connectivity->size();
  for (std::int64_t n = 0; n < section.count; ++n) {
    const std::int64_t begin = lists.offsets->at(n), end = lists.offsets->at(n + 1);
    if (end < begin || end - begin > kMostNumbers) throw doNotFit(section.name);
    const auto its = lists.connectivity->read(begin, end - begin);
    own.assign(its.begin(), its.end());
    faces.assign(1, static_cast<std::int64_t>(own.size()));
    for (const std::int64_t face : own) {
      const auto nodes = flatElement(std::abs(face));
      left -= static_cast<std::int64_t>(nodes.size());
      if (nodes.size() < 3 || left < 0 || faces.size() > static_cast<std::size_t>(kMostNumbers))
        throw doNotFit(section.name);
      faces.push_back(static_cast<std::int64_t>(nodes.size()));
      faces.insert(faces.end(), nodes.begin(), nodes.end());
    }
    visit(number++, kPolyhedron, {}, faces);
  }
}

void ZoneElements::forEachFaceOfPolyhedra(const VisitFace& visit) {
  std::int64_t number = 0;
  for (const Section& section : m_sections) {
    if (section.dims != 3) continue;
    if (section.type != kNface) {
      number += cellsIn(section);
      continue;
    }
    Lists& lists = listsOf(section);
    for (std::int64_t n = 0; n < section.count; ++n, ++number) {
      const std::int64_t begin = lists.offsets->at(n), end = lists.offsets->at(n + 1);
      if (end < begin || end - begin > kMostNumbers) throw doNotFit(section.name);
      for (const std::int64_t face : lists.connectivity->read(begin, end - begin)) visit(number, face);
    }
  }
}

const Section* ZoneElements::sectionOf(std::int64_t number) const {
  const auto behind =
      std::upper_bound(m_sections.begin(), m_sections.end(), number,
                       [](std::int64_t its, const Section& section) { return its < section.first; });
  if (behind == m_sections.begin()) return nullptr;
  const Section& section = *std::prev(behind);
  return number - section.first < section.count ? &section : nullptr;
}

std::optional<ZoneElements::ParentFace> ZoneElements::faceOfParent(std::int64_t number) {
  const Section* const own = sectionOf(number);
  if (!own || !own->parents) return std::nullopt;
  Lists& lists = listsOf(*own);
  if (!lists.parents) {
    lists.parents.emplace(m_tree, *own->parents);
    lists.positions.emplace(m_tree, *own->positions);
  }
  const std::int64_t parent = lists.parents->at(number - own->first),
                     face = lists.positions->at(number - own->first);
  const Section* const cells = sectionOf(parent);
  if (!cells || cells->dims != 3 || nodesOfElement(cells->type) == 0) return std::nullopt;
  ParentFace result;
  for (const Section& section : m_sections)
    if (section.dims == 3 && section.first < cells->first) result.cell += cellsIn(section);
  result.cell += parent - cells->first;
  const auto corners = cornersOfFace(vtkType(cells->type), face);
  if (!corners) return std::nullopt;
  const std::int64_t nodes = nodesOfElement(cells->type);
  const auto its = listsOf(*cells).connectivity->read((parent - cells->first) * nodes, nodes);
  for (std::size_t n = 0; n < 4; ++n) result.nodes[n] = its[(*corners)[n] - 1U] - 1;
  return result;
}

std::int64_t ZoneElements::startOf(const Section& section, std::int64_t n) {
  Lists& lists = listsOf(section);
  if (lists.offsets) return lists.offsets->at(n);
  // files before version 4 do not say it
  const auto next = [&](std::int64_t at) {
    const std::int64_t nodes = nodesOfElement(lists.connectivity->at(at));
    if (nodes == 0) throw doNotFit(section.name);
    return at + 1 + nodes;
  };
  if (lists.starts.empty()) {
    const std::int64_t most = std::min(section.count, lists.connectivity->size()) / kStartsEvery + 1;
    lists.startsClaim = m_tree.account().claimInEarnest(
        Purpose::Work, static_cast<std::uint64_t>(most) * sizeof(std::int64_t), "mixed elements");
    lists.starts.reserve(static_cast<std::size_t>(most));
    for (std::int64_t element = 0, at = 0; element < section.count; ++element, at = next(at)) {
      if (element % kPartNumbers == 0) StoppableWaits::throwIfStopped();
      if (element % kStartsEvery == 0) lists.starts.push_back(at);
    }
  }
  std::int64_t at = lists.starts[static_cast<std::size_t>(n / kStartsEvery)];
  for (std::int64_t element = n - n % kStartsEvery; element < n; ++element) at = next(at);
  return at;
}

std::span<const std::int64_t> ZoneElements::flatElement(std::int64_t number) {
  const Section* const found = sectionOf(number);
  if (!found) return {};
  const Section& section = *found;
  const std::int64_t n = number - section.first;
  Lists& lists = listsOf(section);
  if (section.type == kMixed) {
    const std::int64_t start = startOf(section, n), type = vtkType(lists.connectivity->at(start));
    if (!isFlat(type)) return {};
    return zeroBased(lists.connectivity->read(start + 1, type == 5 ? 3 : 4));
  }
  if (section.dims != 2) return {};
  if (section.type == kNgon) {
    const std::int64_t begin = lists.offsets->at(n), end = lists.offsets->at(n + 1);
    if (end < begin || end - begin > kMostNumbers) throw doNotFit(section.name);
    return zeroBased(lists.connectivity->read(begin, end - begin));
  }
  const std::int64_t nodes = nodesOfElement(section.type);
  const std::int64_t corners = vtkType(section.type) == 5 ? 3 : 4;
  return zeroBased(lists.connectivity->read(n * nodes, corners));
}

}  // namespace farfield::cgns
