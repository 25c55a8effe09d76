#include "plugins/cgns/cgns_zones.h"

#include <algorithm>
#include <cmath>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/cgns/cgns_steps.h"

namespace farfield::cgns {
namespace {

constexpr std::int64_t kMostCount = std::int64_t{1} << 40;
constexpr std::int64_t kMostListed = (std::int64_t{1} << 31) - 1;
/// Vertices, cells and boundary vertices.
constexpr std::size_t kSizes = 3;

Corrupt wrong(const Node& node, const std::string& what) {
  return Corrupt("its node " + printable(node.name) + " " + what, "check the file");
}

std::optional<Zone> readZone(const Tree& tree, const Node& node, std::vector<std::string>& notes) {
  Zone zone;
  zone.node = &node;
  zone.name = node.name;
  const std::string type = tree.text(node.labelled("ZoneType_t"));
  zone.isStructured = type == "Structured" || type.empty();
  if (!zone.isStructured && type != "Unstructured")
    throw Unsupported("its zone " + printable(node.name) + " is of type " + printable(type),
                      "give structured or unstructured zones");
  const std::vector<std::int64_t> sizes = tree.integers(node);
  if (sizes.empty() || sizes.size() % kSizes != 0 || sizes.size() > 3 * kSizes)
    throw wrong(node, "has no sizes of a zone");
  zone.dims = static_cast<int>(sizes.size() / kSizes);
  if (!zone.isStructured && zone.dims != 1) throw wrong(node, "has sizes of another kind of zone");
  const std::int64_t most = zone.isStructured ? kMostCount : kMostListed;
  for (int a = 0; a < zone.dims; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    zone.nodes[axis] = sizes[axis];
    zone.cells[axis] = sizes[static_cast<std::size_t>(zone.dims) + axis];
    if (zone.nodes[axis] < 1 || zone.nodes[axis] > most || zone.cells[axis] < 0 || zone.cells[axis] > most ||
        (zone.isStructured && zone.cells[axis] != zone.nodes[axis] - 1))
      throw wrong(node, "has sizes that no zone has");
    zone.cells[axis] = std::max<std::int64_t>(zone.cells[axis], 1);
  }
  checkedProduct({zone.nodes[0], zone.nodes[1], zone.nodes[2]});
  if (zone.isStructured && zone.dims == 1) {
    notes.push_back("left out: zone " + printable(node.name) + ", which is a line");
    return std::nullopt;
  }
  return zone;
}

std::string unitsOf(const Tree& tree, const Node& base) {
  const Node* const units = base.labelled("DimensionalUnits_t");
  if (!units || !units->hasNumbers() || units->data->dims.size() != 2) return {};
  std::string text;
  for (const std::string& unit : tree.texts(*units))
    if (unit != "UserDefined" && unit != "Null") text += (text.empty() ? "" : " ") + unit;
  return text;
}

}  // namespace

Base readBase(const Tree& tree, const std::string& name) {
  const std::vector<const Node*> bases = tree.root().all("CGNSBase_t");
  const Node* chosen = nullptr;
  std::string names;
  for (const Node* const base : bases) {
    names += (names.empty() ? "" : ", ") + printable(base->name);
    const bool fits = name.empty() ? base->labelled("Zone_t") != nullptr : base->name == name;
    if (fits && !chosen) chosen = base;
  }
  if (!chosen && !name.empty())
    throw Invalid("there is no base '" + printable(name) + "'", "choose from " + names).at("option base");
  if (!chosen) throw Unsupported("has no zones", "give a file with a grid");
  Base base;
  base.node = chosen;
  base.name = chosen->name;
  if (bases.size() > 1)
    base.notes.push_back("base " + printable(base.name) + " of " + names +
                         "; --option base=NAME shows another");
  const std::vector<std::int64_t> dims = tree.integers(*chosen);
  if (dims.size() != 2 || dims[0] < 1 || dims[0] > 3 || dims[1] < dims[0] || dims[1] > 3)
    throw wrong(*chosen, "has no dimensions of cells and of space");
  base.cellDims = static_cast<int>(dims[0]);
  base.spaceDims = static_cast<int>(dims[1]);
  base.units = unitsOf(tree, *chosen);
  readTimes(tree, base);
  for (const Node* const node : chosen->all("Zone_t")) {
    if (node->isLink) {
      base.notes.push_back("left out: zone " + printable(node->name) + ", which is in another file");
      continue;
    }
    auto zone = readZone(tree, *node, base.notes);
    if (!zone) continue;
    zone->grids = gridsOf(tree, base, *node, base.notes);
    base.zones.push_back(std::move(*zone));
  }
  if (base.zones.empty())
    throw Unsupported("has no zones that are shown", "give zones of two or three dimensions");
  return base;
}

std::optional<arrays::PlacedArray> placedParts(const Tree& tree, const Zone& zone,
                                               const std::vector<ZoneVariable::Part>& parts,
                                               const Index3& counts, const Index3& first) {
  arrays::PlacedArray placed;
  for (const ZoneVariable::Part& part : parts) {
    if (!part.data->hasNumbers()) return std::nullopt;
    const hdf5::Dataset& data = *part.data->data;
    if (placed.steps.empty()) {
      placed.type = data.type;
      placed.bigEndian = data.bigEndian && arrays::bytesOf(data.type) > 1;
    } else if (placed.type != data.type ||
               placed.bigEndian != (data.bigEndian && arrays::bytesOf(data.type) > 1)) {
      return std::nullopt;
    }
    Index3 before{0, 0, 0}, stored = counts;
    if (const Node* const rind = part.group->labelled("Rind_t"); rind && rind->hasNumbers()) {
      const std::vector<std::int64_t> planes = tree.integers(*rind);
      if (planes.size() != static_cast<std::size_t>(2 * zone.dims)) return std::nullopt;
      for (std::size_t a = 0; a < static_cast<std::size_t>(zone.dims); ++a) {
        if (planes[2 * a] < 0 || planes[2 * a] > kMostListed || planes[2 * a + 1] < 0 ||
            planes[2 * a + 1] > kMostListed)
          return std::nullopt;
        before[a] = planes[2 * a];
        stored[a] += planes[2 * a] + planes[2 * a + 1];
      }
    }
    // the fastest dimension stands last
    if (data.dims.size() != static_cast<std::size_t>(zone.dims)) return std::nullopt;
    for (std::size_t a = 0; a < data.dims.size(); ++a)
      if (data.dims[data.dims.size() - 1 - a] != stored[a]) return std::nullopt;
    arrays::Piece piece = arrays::densePiece(stored, data.type, 1, false, tree.bytes(*part.data), 0);
    for (std::size_t a = 0; a < 3; ++a)
      piece.offset += static_cast<std::uint64_t>(before[a] * piece.strides[a]);
    piece.nodes = {first, counts};
    placed.steps.push_back({std::move(piece)});
  }
  arrays::checkPlaces(placed, static_cast<std::int64_t>(placed.steps.size()));
  return placed;
}

std::array<std::optional<arrays::PlacedArray>, 3> coordinatesOf(const Tree& tree, const Base& base,
                                                                const Zone& zone, const Index3& first) {
  std::array<std::optional<arrays::PlacedArray>, 3> coordinates;
  for (int a = 0; a < base.spaceDims; ++a) {
    const std::string name = std::string("Coordinate") + "XYZ"[a];
    std::vector<ZoneVariable::Part> parts;
    for (const Node* const grid : zone.grids) {
      const Node* const data = grid->child(name);
      if (!data)
        throw Unsupported("its zone " + printable(zone.name) + " has no " + name,
                          "give a grid with Cartesian coordinates");
      parts.push_back({grid, data});
    }
    auto& placed = coordinates[static_cast<std::size_t>(a)];
    placed = placedParts(tree, zone, parts, zone.nodes, first);
    if (!placed || parts.empty())
      throw Corrupt("its zone " + printable(zone.name) + " has a " + name + " that does not fit its size",
                    "check the file");
  }
  return coordinates;
}

}  // namespace farfield::cgns
