#include "plugins/cgns/cgns_mesh.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/arrays/array_reader.h"
#include "plugins/cgns/cgns_boundary.h"
#include "plugins/cgns/cgns_elements.h"
#include "plugins/cgns/cgns_sections.h"
#include "plugins/vtkfile/cell_shapes.h"

namespace farfield::cgns {
namespace {

constexpr std::int64_t kMostListed = std::numeric_limits<std::int32_t>::max();
const char* const kZoneVariable = "zone";

/// Where a variable's numbers are: by component, then by zone.
struct Values {
  std::vector<std::vector<std::optional<arrays::PlacedArray>>> components;
  bool isZone = false;  ///< the number of the zone
};

void fillMissing(ScalarType type, std::span<std::byte> bytes) {
  const auto put = [&](auto missing) {
    for (std::size_t at = 0; at + sizeof missing <= bytes.size(); at += sizeof missing)
      std::memcpy(bytes.data() + at, &missing, sizeof missing);
  };
  if (type == ScalarType::F32)
    put(std::numeric_limits<float>::quiet_NaN());
  else if (type == ScalarType::F64)
    put(std::numeric_limits<double>::quiet_NaN());
  else
    std::fill(bytes.begin(), bytes.end(), std::byte{});
}

class CgnsInput final : public paging::MeshInput {
 public:
  std::shared_ptr<const Tree> tree;
  std::vector<MeshZone> zones;
  std::vector<std::array<std::optional<arrays::PlacedArray>, 3>> coordinates;  ///< by zone
  std::vector<paging::MeshVariable> named;
  std::vector<Values> values;
  std::vector<paging::MeshSurface> surfaceNames;
  std::vector<FaceSurface> faces;
  std::vector<MemoryClaim> claims;
  std::int64_t nodeCount = 0, cellCount = 0;
  ScalarType type = ScalarType::F32;
  bool isFlat = false;

  std::int64_t nodes() const override { return nodeCount; }
  ScalarType pointType() const override { return type; }
  void readPoints(std::int64_t /*step*/, std::int64_t first, std::span<double> out) const override {
    const auto count = static_cast<std::int64_t>(out.size() / 3);
    std::fill(out.begin(), out.end(), 0.0);
    std::vector<std::byte> bytes;
    std::vector<double> numbers;
    for (std::size_t z = 0; z < zones.size(); ++z) {
      const auto [from, end] = overlap(zones[z].nodesBefore, zones[z].zone.nodes[0], first, count);
      if (from >= end) continue;
      for (std::size_t a = 0; a < 3; ++a) {
        const auto& placed = coordinates[z][a];
        if (!placed) continue;
        const ScalarType stored = placed->valueType();
        bytes.resize(static_cast<std::size_t>((end - from) * sizeOf(stored)));
        numbers.resize(static_cast<std::size_t>(end - from));
        arrays::readBox(*placed, 0, {{from, 0, 0}, {end - from, 1, 1}}, 0, 1, bytes);
        toDouble(bytes.data(), stored, 0, end - from, numbers.data());
        for (std::size_t n = 0; n < numbers.size(); ++n)
          out[3 * (static_cast<std::size_t>(from - first) + n) + a] = numbers[n];
      }
    }
  }

  bool hasVolumes() const override { return !isFlat; }
  void forEachCell(const VisitCell& visit) const override {
    if (isFlat) return;
    for (const MeshZone& zone : zones) forEachHexahedron(*tree, zone, visit);
  }
  void forEachFlatCell(const VisitFlatCell& visit) const override {
    for (const MeshZone& zone : zones) {
      ZoneElements elements(*tree, zone.zone, zone.sections);
      elements.forEachCell(2, [&](std::int64_t number, std::int64_t kind,
                                  std::span<const std::int64_t> points, std::span<const std::int64_t>) {
        vtkfile::flatCellsOf(kind, points, [&](std::array<std::int32_t, 4> corners) {
          for (std::int32_t& node : corners) {
            if (node < 0 || node >= zone.zone.nodes[0])
              throw Corrupt("cell " + std::to_string(number) + " of zone " + printable(zone.zone.name) +
                                " has node " + std::to_string(node + 1) + ", and there are " +
                                std::to_string(zone.zone.nodes[0]),
                            "check the file");
            node += static_cast<std::int32_t>(zone.nodesBefore);
          }
          visit(zone.cellsBefore + number, corners);
        });
      });
    }
  }

  const std::vector<paging::MeshVariable>& variables() const override { return named; }
  void readVariable(std::size_t number, std::int64_t step, std::int64_t first,
                    std::span<std::byte> out) const override {
    const paging::MeshVariable& variable = named[number];
    const auto components = static_cast<std::size_t>(variable.components);
    const auto each = static_cast<std::size_t>(sizeOf(variable.type));
    const auto count = static_cast<std::int64_t>(out.size() / (each * components));
    std::vector<std::byte> bytes(static_cast<std::size_t>(count) * each);
    for (std::size_t c = 0; c < components; ++c) {
      fillMissing(variable.type, bytes);
      for (std::size_t z = 0; z < zones.size(); ++z) {
        const MeshZone& zone = zones[z];
        const auto [from, end] = variable.onCells
                                     ? overlap(zone.cellsBefore, zone.zone.cells[0], first, count)
                                     : overlap(zone.nodesBefore, zone.zone.nodes[0], first, count);
        if (from >= end) continue;
        const auto part = std::span(bytes).subspan(static_cast<std::size_t>(from - first) * each,
                                                   static_cast<std::size_t>(end - from) * each);
        if (values[number].isZone) {
          const auto its = static_cast<std::int32_t>(z);
          for (std::size_t at = 0; at < part.size(); at += sizeof its)
            std::memcpy(part.data() + at, &its, sizeof its);
        } else if (const auto& placed = values[number].components[c][z]) {
          arrays::readBox(*placed, step, {{from, 0, 0}, {end - from, 1, 1}}, 0, 1, part);
        }
      }
      for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n)
        std::memcpy(out.data() + (n * components + c) * each, bytes.data() + n * each, each);
    }
  }
  const std::vector<paging::MeshSurface>& surfaces() const override { return surfaceNames; }
  void forEachFace(std::size_t surface, const VisitFace& visit) const override {
    for (const paging::MeshFace& face : faces[surface].faces) visit(face);
  }

 private:
  static std::pair<std::int64_t, std::int64_t> overlap(std::int64_t before, std::int64_t own,
                                                       std::int64_t first, std::int64_t count) {
    return {std::max(first, before), std::min(first + count, before + own)};
  }
};

class Maker {
 public:
  Maker(std::shared_ptr<const Tree> tree, const Base& base)
      : m_base(base), m_input(std::make_shared<CgnsInput>()) {
    m_input->tree = std::move(tree);
  }

  CgnsMesh make() {
    bool hasVolumes = false;
    for (const Zone& zone : m_base.zones) {
      MeshZone made{zone, sectionsOf(tree(), m_base, zone), m_input->nodeCount, m_input->cellCount};
      if (zone.grids.size() > 1)
        m_mesh.explain.push_back("the nodes of zone " + printable(zone.name) +
                                 " move; they are shown as at first");
      made.zone.grids.resize(1);
      m_input->nodeCount += zone.nodes[0];
      m_input->cellCount += zone.cells[0];
      if (m_input->nodeCount > kMostListed || m_input->cellCount > kMostListed)
        throw Unsupported("has too many nodes or cells", "grids have up to 2^31 - 1");
      for (const Section& section : made.sections) {
        hasVolumes = hasVolumes || section.dims == 3;
        if (section.dims < 2) ++m_thin;
      }
      m_input->coordinates.push_back(coordinatesOf(tree(), m_base, made.zone, {made.nodesBefore, 0, 0}));
      for (const auto& axis : m_input->coordinates.back())
        if (axis && axis->valueType() != ScalarType::F32) m_input->type = ScalarType::F64;
      m_input->zones.push_back(std::move(made));
    }
    m_input->isFlat = !hasVolumes;
    addVariables(false);
    addVariables(true);
    if (m_input->zones.size() > 1) addZoneNumbers();
    if (hasVolumes) addSurfaces();
    if (m_thin > 0)
      m_mesh.explain.push_back("left out: " + std::to_string(m_thin) + " sections of points and lines");
    m_mesh.input = m_input;
    return std::move(m_mesh);
  }

 private:
  const Tree& tree() const { return *m_input->tree; }

  void addVariables(bool onCells) {
    std::vector<std::vector<ZoneVariable>> all;
    for (const MeshZone& zone : m_input->zones)
      all.push_back(variablesOf(tree(), m_base, zone.zone, onCells, m_mesh.explain));
    std::vector<std::string> order;
    std::set<std::string> known;
    for (const auto& variables : all)
      for (const ZoneVariable& variable : variables)
        if (known.insert(variable.name).second) order.push_back(variable.name);
    for (const std::string& name : order) addVariable(name, onCells, all);
  }

  void addVariable(const std::string& name, bool onCells, const std::vector<std::vector<ZoneVariable>>& all) {
    Values values;
    const ZoneVariable* like = nullptr;
    std::optional<ScalarType> type;
    std::string why;
    for (std::size_t z = 0; z < all.size(); ++z) {
      const auto found = std::find_if(all[z].begin(), all[z].end(),
                                      [&](const ZoneVariable& its) { return its.name == name; });
      if (found == all[z].end()) continue;
      if (!like) {
        like = &*found;
        values.components.assign(found->parts.size(),
                                 std::vector<std::optional<arrays::PlacedArray>>(all.size()));
      }
      if (found->parts.size() != like->parts.size() || found->steps() != like->steps()) {
        why = "which differs from zone to zone";
        break;
      }
      const MeshZone& zone = m_input->zones[z];
      for (std::size_t c = 0; c < found->parts.size(); ++c) {
        auto placed =
            placedParts(tree(), zone.zone, found->parts[c], onCells ? zone.zone.cells : zone.zone.nodes,
                        {onCells ? zone.cellsBefore : zone.nodesBefore, 0, 0});
        if (!placed || (type && *type != placed->valueType()))
          why = "which does not fit the size of its zone, or differs in type";
        if (!placed) break;
        type = placed->valueType();
        values.components[c][z] = std::move(placed);
      }
    }
    if (!like || !type || !why.empty()) {
      m_mesh.explain.push_back("left out: " + printable(name) + ", " + why);
      return;
    }
    paging::MeshVariable made;
    made.name = arrays::usableNameInMesh(name, m_taken);
    made.components = static_cast<int>(like->parts.size());
    if (like->parts.size() > 1) made.componentNames = like->components;
    made.type = *type;
    made.onCells = onCells;
    made.steps = like->steps();
    take(made);
    m_input->named.push_back(std::move(made));
    m_input->values.push_back(std::move(values));
  }

  void addZoneNumbers() {
    paging::MeshVariable made;
    made.name = arrays::usableNameInMesh(kZoneVariable, m_taken);
    made.type = ScalarType::I32;
    made.onCells = true;
    take(made);
    m_input->named.push_back(std::move(made));
    m_input->values.push_back({{}, true});
  }

  void take(const paging::MeshVariable& made) {
    auto array = arrays::describeArray(made.name, {1, 1, 1}, made.components, made.type, 1);
    array.componentNames = made.componentNames;
    m_taken.arrays.push_back(std::move(array));
  }

  void addSurfaces() {
    m_input->faces = surfacesOf(tree(), m_base, m_input->zones, m_input->claims, m_mesh.explain);
    for (const FaceSurface& surface : m_input->faces) m_input->surfaceNames.push_back(surface.surface);
  }

  const Base& m_base;
  std::shared_ptr<CgnsInput> m_input;
  CgnsMesh m_mesh;
  paging::DatasetDescription m_taken;
  std::int64_t m_thin = 0;
};

}  // namespace

CgnsMesh meshOf(std::shared_ptr<const Tree> tree, const Base& base) {
  return Maker(std::move(tree), base).make();
}

}  // namespace farfield::cgns
