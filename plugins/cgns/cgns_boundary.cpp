#include "plugins/cgns/cgns_boundary.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/base/count_text.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "core/paging/arranging/face_table.h"
#include "plugins/arrays/cell_nodes.h"
#include "plugins/cgns/cgns_elements.h"
#include "plugins/vtkfile/cell_shapes.h"

namespace farfield::cgns {
namespace {

struct Condition {
  const Node* node = nullptr;
  std::string name, kind, location;
};

/// Names by the family, as a condition may be cut in several parts.
std::vector<Condition> conditionsOf(const Tree& tree, const Base& base, const Zone& zone) {
  std::vector<Condition> conditions;
  for (const Node* const list : zone.node->all("ZoneBC_t"))
    for (const Node* const node : list->all("BC_t")) {
      Condition condition{node, node->name, tree.text(node), tree.text(node->labelled("GridLocation_t"))};
      const std::string family = tree.text(node->labelled("FamilyName_t"));
      if (!family.empty() && family != "Unspecified") condition.name = family;
      if (condition.kind == "FamilySpecified" || condition.kind.empty()) {
        const Node* const its = base.node->child(family);
        const Node* const said = its ? its->labelled("FamilyBC_t") : nullptr;
        if (said) condition.kind = tree.text(said);
      }
      if (condition.kind == "Null" || condition.kind == "UserDefined") condition.kind.clear();
      conditions.push_back(std::move(condition));
    }
  return conditions;
}

/// A face that waits for its cell.
struct WantedFace {
  paging::FaceNodes key{};
  std::uint32_t surface = 0, order = 0;
  bool operator<(const WantedFace& other) const {
    return key != other.key           ? key < other.key
           : surface != other.surface ? surface < other.surface
                                      : order < other.order;
  }
};

/// A face of a polyhedron that does.
struct WantedElement {
  std::int64_t number = 0;
  std::uint32_t surface = 0;
  bool operator<(const WantedElement& other) const { return number < other.number; }
};

/// Memory of a face on its way, and of the same as a result.
constexpr std::uint64_t kFaceBytes = sizeof(WantedFace) + sizeof(paging::MeshFace) + 16;
constexpr std::int64_t kFacesAtATime = 4096;

class FaceFinder {
 public:
  FaceFinder(const Tree& tree, const Base& base, const std::vector<MeshZone>& zones,
             std::vector<MemoryClaim>& claims, std::vector<std::string>& notes)
      : m_tree(tree), m_base(base), m_zones(zones), m_claims(claims), m_notes(notes) {}

  std::vector<FaceSurface> find() {
    for (const MeshZone& zone : m_zones) {
      m_wanted.clear();
      m_elements.clear();
      const MemoryClaim marks = m_tree.account().claimInEarnest(
          Purpose::Work, static_cast<std::uint64_t>(zone.zone.nodes[0]) / 8 + 64, "nodes of boundaries");
      m_marked.assign(static_cast<std::size_t>(zone.zone.nodes[0]), false);
      collect(zone);
      match(zone);
    }
    for (const auto& [name, count] : m_missing)
      m_notes.push_back("left out: " + countText(static_cast<std::int64_t>(count), "face", "faces") + " of " +
                        printable(name) + ", which no cell has");
    std::erase_if(m_surfaces, [](const FaceSurface& surface) { return surface.faces.empty(); });
    return std::move(m_surfaces);
  }

 private:
  std::uint32_t surfaceNamed(const std::string& name, const std::string& kind, const char* from) {
    for (std::size_t n = 0; n < m_surfaces.size(); ++n)
      if (m_surfaces[n].surface.name == name) return static_cast<std::uint32_t>(n);
    m_surfaces.push_back({{name, kind, from}, {}});
    return static_cast<std::uint32_t>(m_surfaces.size() - 1);
  }

  void collect(const MeshZone& zone) {
    ZoneElements elements(m_tree, zone.zone, zone.sections);
    std::set<std::string> used;
    for (const Condition& condition : conditionsOf(m_tree, m_base, zone.zone)) {
      const bool byElements = condition.node->child("ElementRange") || condition.node->child("ElementList");
      if (!byElements && condition.location != "FaceCenter") {
        m_notes.push_back(
            "left out: boundary condition " + printable(condition.name) + ", which is given by " +
            (condition.location.empty() || condition.location == "Vertex" ? "nodes"
                                                                          : printable(condition.location)));
        continue;
      }
      const std::uint32_t surface = surfaceNamed(condition.name, condition.kind, "ZoneBC");
      forEachNumber(zone, *condition.node, [&](std::int64_t number) {
        const auto nodes = elements.flatElement(number);
        if (nodes.empty()) {
          ++m_missing[condition.name];
          return;
        }
        want(zone, elements, number, nodes, surface);
        for (const Section& section : zone.sections)
          if (number >= section.first && number < section.first + section.count) used.insert(section.name);
      });
    }
    const bool hasPolyhedra = std::any_of(zone.sections.begin(), zone.sections.end(),
                                          [](const Section& its) { return its.type == kNface; });
    for (const Section& section : zone.sections) {
      if (section.dims != 2 || m_base.cellDims != 3 || used.contains(section.name)) continue;
      // of polyhedra all faces are elements
      if (section.type == kNgon && hasPolyhedra) continue;
      const std::uint32_t surface = surfaceNamed(section.name, "", "Elements");
      for (std::int64_t n = 0; n < section.count; ++n)
        want(zone, elements, section.first + n, elements.flatElement(section.first + n), surface);
    }
  }

  /// The numbers that a condition gives, of a range those that are elements.
  template <class Visit>
  void forEachNumber(const MeshZone& zone, const Node& condition, Visit visit) {
    for (const char* const name : {"PointRange", "ElementRange"})
      if (const Node* const range = condition.child(name)) {
        const std::vector<std::int64_t> ends = m_tree.integers(*range);
        if (ends.size() != 2 || ends[0] < 1 || ends[1] < ends[0] ||
            ends[1] > std::numeric_limits<std::int32_t>::max())
          throw Corrupt("its boundary condition " + printable(condition.name) + " has a wrong range",
                        "check the file");
        for (const Section& section : zone.sections)
          for (std::int64_t number = std::max(ends[0], section.first);
               number <= std::min(ends[1], section.first + section.count - 1); ++number)
            visit(number);
        return;
      }
    for (const char* const name : {"PointList", "ElementList"})
      if (const Node* const node = condition.child(name)) {
        IntegerList list(m_tree, *node);
        for (std::int64_t n = 0; n < list.size(); ++n) {
          if (n % kFacesAtATime == 0) StoppableWaits::throwIfStopped();
          visit(list.at(n));
        }
        return;
      }
  }

  void want(const MeshZone& zone, ZoneElements& elements, std::int64_t number,
            std::span<const std::int64_t> nodes, std::uint32_t surface) {
    if (m_count++ % kFacesAtATime == 0)
      m_claims.push_back(
          m_tree.account().claimInEarnest(Purpose::Index, kFacesAtATime * kFaceBytes, "faces of boundaries"));
    // some programs write zeros, and say where the face is by its cell alone
    if (std::all_of(nodes.begin(), nodes.end(), [](std::int64_t node) { return node < 0; }))
      if (const auto face = elements.faceOfParent(number)) return addParentFace(zone, *face, surface);
    for (const std::int64_t node : nodes) {
      if (node < 0 || node >= zone.zone.nodes[0])
        throw Corrupt("a face has node " + std::to_string(node + 1) + ", and there are " +
                          std::to_string(zone.zone.nodes[0]),
                      "check the file");
      m_marked[static_cast<std::size_t>(node)] = true;
    }
    m_elements.push_back({number, surface});
    if (nodes.size() < 3 || nodes.size() > 4) return;
    WantedFace face;
    for (std::size_t n = 0; n < 4; ++n)
      face.key[n] = static_cast<std::int32_t>(nodes[std::min(n, nodes.size() - 1)] + zone.nodesBefore);
    if (!paging::sortFace(face.key)) return;
    face.surface = surface;
    face.order = static_cast<std::uint32_t>(m_wanted.size());
    m_wanted.push_back(face);
  }

  void addParentFace(const MeshZone& zone, const ZoneElements::ParentFace& face, std::uint32_t surface) {
    paging::MeshFace made{zone.cellsBefore + face.cell, {}};
    for (std::size_t n = 0; n < 4; ++n) {
      if (face.nodes[n] < 0 || face.nodes[n] >= zone.zone.nodes[0])
        throw Corrupt("a face has a node that is none", "check the file");
      made.nodes[n] = static_cast<std::int32_t>(face.nodes[n] + zone.nodesBefore);
    }
    m_surfaces[surface].faces.push_back(made);
  }

  void match(const MeshZone& zone) {
    const bool hasPolyhedra = std::any_of(zone.sections.begin(), zone.sections.end(),
                                          [](const Section& its) { return its.type == kNface; });
    if (hasPolyhedra) return matchPolyhedra(zone);
    std::sort(m_wanted.begin(), m_wanted.end());
    std::vector<bool> found(m_wanted.size(), false);
    const auto isMarked = [&](const paging::FaceNodes& nodes) {
      return std::all_of(nodes.begin(), nodes.end(), [&](std::int32_t node) {
        return m_marked[static_cast<std::size_t>(node - zone.nodesBefore)];
      });
    };
    if (!m_wanted.empty())
      forEachHexahedron(m_tree, zone, [&](std::int64_t number, const paging::CellNodes& nodes) {
        for (std::size_t face = 0; face < paging::kCellFaces; ++face) {
          const paging::FaceNodes around = paging::faceOf(nodes, face);
          if (!isMarked(around)) continue;
          paging::FaceNodes sorted = around;
          if (!paging::sortFace(sorted)) continue;
          WantedFace key;
          key.key = sorted;
          for (auto at = std::lower_bound(m_wanted.begin(), m_wanted.end(), key);
               at != m_wanted.end() && at->key == sorted; ++at) {
            const auto n = static_cast<std::size_t>(at - m_wanted.begin());
            if (found[n]) continue;
            found[n] = true;
            m_surfaces[at->surface].faces.push_back({number, turned(around)});
          }
        }
      });
    for (std::size_t n = 0; n < found.size(); ++n)
      if (!found[n]) ++m_missing[m_surfaces[m_wanted[n].surface].surface.name];
  }

  /// Around the face, the last corner of a triangle twice.
  static std::array<std::int32_t, 4> turned(const paging::FaceNodes& nodes) {
    std::array<std::int32_t, 4> around{};
    std::size_t have = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (std::find(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(n), nodes[n]) ==
          nodes.begin() + static_cast<std::ptrdiff_t>(n))
        around[have++] = nodes[n];
    for (; have < around.size(); ++have) around[have] = around[have - 1];
    return around;
  }

  /// Polygons of polyhedra know their cells by number; they are shown as triangles from their lowest node.
  void matchPolyhedra(const MeshZone& zone) {
    if (m_elements.empty()) return;
    std::stable_sort(m_elements.begin(), m_elements.end());
    std::vector<bool> found(m_elements.size(), false);
    ZoneElements elements(m_tree, zone.zone, zone.sections), faces(m_tree, zone.zone, zone.sections);
    elements.forEachFaceOfPolyhedra([&](std::int64_t cell, std::int64_t face) {
      WantedElement key;
      key.number = std::abs(face);
      for (auto at = std::lower_bound(m_elements.begin(), m_elements.end(), key);
           at != m_elements.end() && at->number == key.number; ++at) {
        const auto n = static_cast<std::size_t>(at - m_elements.begin());
        if (found[n]) continue;
        found[n] = true;
        addPolygon(zone, cell, faces.flatElement(key.number), face < 0, m_surfaces[at->surface]);
      }
    });
    for (std::size_t n = 0; n < found.size(); ++n)
      if (!found[n]) ++m_missing[m_surfaces[m_elements[n].surface].surface.name];
  }

  void addPolygon(const MeshZone& zone, std::int64_t cell, std::span<const std::int64_t> nodes, bool isTurned,
                  FaceSurface& surface) {
    if (nodes.size() < 3) return;
    std::vector<std::int32_t> around;
    for (const std::int64_t node : nodes)
      around.push_back(static_cast<std::int32_t>(node + zone.nodesBefore));
    if (isTurned) std::reverse(around.begin(), around.end());
    const std::int64_t number = zone.cellsBefore + cell;
    if (around.size() <= 4) {
      surface.faces.push_back({number, {around[0], around[1], around[2], around.back()}});
      return;
    }
    const auto first =
        static_cast<std::size_t>(std::min_element(around.begin(), around.end()) - around.begin());
    const auto p = [&](std::size_t n) { return around[(first + n) % around.size()]; };
    m_claims.push_back(m_tree.account().claimInEarnest(
        Purpose::Index, around.size() * sizeof(paging::MeshFace), "faces of boundaries"));
    for (std::size_t n = 1; n + 1 < around.size(); ++n)
      surface.faces.push_back({number, {p(0), p(n), p(n + 1), p(n + 1)}});
  }

  const Tree& m_tree;
  const Base& m_base;
  const std::vector<MeshZone>& m_zones;
  std::vector<MemoryClaim>& m_claims;
  std::vector<std::string>& m_notes;
  std::vector<FaceSurface> m_surfaces;
  std::vector<WantedFace> m_wanted;       ///< of the zone
  std::vector<WantedElement> m_elements;  ///< the same by number
  std::vector<bool> m_marked;             ///< nodes of the zone that are on a wanted face
  std::map<std::string, std::int64_t> m_missing;
  std::int64_t m_count = 0;
};

}  // namespace

std::vector<paging::NamedSurface> surfacesOf(const Tree& tree, const Base& base, const Zone& zone, int block,
                                             bool onCells, std::vector<std::string>& notes) {
  std::vector<paging::NamedSurface> surfaces;
  for (const Condition& condition : conditionsOf(tree, base, zone)) {
    const Node* const range = condition.node->child("PointRange");
    const std::vector<std::int64_t> ends = range ? tree.integers(*range) : std::vector<std::int64_t>();
    IndexBox nodes{{0, 0, 0}, {1, 1, 1}};
    bool fits = zone.dims == 3 && ends.size() == 6;
    int thin = 0;
    for (std::size_t a = 0; a < 3 && fits; ++a) {
      const std::int64_t low = std::min(ends[a], ends[3 + a]), high = std::max(ends[a], ends[3 + a]);
      fits = low >= 1 && high <= zone.nodes[a];
      // a range of faces ends a node before that of their nodes
      const bool ofFaces = condition.location.ends_with("FaceCenter");
      nodes.first[a] = low - 1;
      nodes.size[a] = high - low + 1;
      const bool across =
          low == high && (!ofFaces || condition.location == std::string(1, "IJK"[a]) + "FaceCenter");
      if (ofFaces && !across) fits = fits && ++nodes.size[a] <= zone.nodes[a] - nodes.first[a];
      thin += nodes.size[a] == 1 ? 1 : 0;
    }
    if (!fits || thin != 1) {
      notes.push_back("left out: boundary condition " + printable(condition.name) + " of zone " +
                      printable(zone.name) + ", which is no range of a grid plane");
      continue;
    }
    if (onCells) nodes = arrays::cellNodesIn(nodes, zone.nodes);
    surfaces.push_back({condition.name, block, nodes, condition.kind, "ZoneBC"});
  }
  return surfaces;
}

std::vector<FaceSurface> surfacesOf(const Tree& tree, const Base& base, const std::vector<MeshZone>& zones,
                                    std::vector<MemoryClaim>& claims, std::vector<std::string>& notes) {
  return FaceFinder(tree, base, zones, claims, notes).find();
}

void forEachHexahedron(const Tree& tree, const MeshZone& zone, const paging::MeshInput::VisitCell& visit) {
  ZoneElements elements(tree, zone.zone, zone.sections);
  elements.forEachCell(3, [&](std::int64_t number, std::int64_t type, std::span<const std::int64_t> nodes,
                              std::span<const std::int64_t> faces) {
    const bool made = vtkfile::cellsOf(type, nodes, faces, [&](paging::CellNodes cell) {
      for (std::int32_t& node : cell) {
        if (node < 0 || node >= zone.zone.nodes[0])
          throw Corrupt("cell " + std::to_string(number) + " of zone " + printable(zone.zone.name) +
                            " has node " + std::to_string(node + 1) + ", and there are " +
                            std::to_string(zone.zone.nodes[0]),
                        "check the file");
        node += static_cast<std::int32_t>(zone.nodesBefore);
      }
      visit(zone.cellsBefore + number, cell);
    });
    if (!made)
      throw Corrupt("cell " + std::to_string(number) + " of zone " + printable(zone.zone.name) +
                        " has too few nodes, or faces that do not fit",
                    "check the file");
  });
}

}  // namespace farfield::cgns
