#include "plugins/cgns/cgns_structured.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/paging/pages/cell_samples.h"
#include "plugins/arrays/cell_nodes.h"
#include "plugins/arrays/values_on.h"
#include "plugins/cgns/cgns_boundary.h"

namespace farfield::cgns {
namespace {

constexpr std::size_t kMostSaid = 100;

/// Coordinates of nodes, with zeros where the space has fewer dimensions.
class NodePoints {
 public:
  explicit NodePoints(std::array<std::optional<arrays::PlacedArray>, 3> axes) : m_axes(std::move(axes)) {}
  /// Component `c` at the nodes of a box.
  void read(std::int64_t step, const IndexBox& box, std::size_t c, std::vector<double>& numbers) const {
    const std::int64_t count = product(box.size);
    numbers.assign(static_cast<std::size_t>(count), 0.0);
    if (!m_axes[c]) return;
    const ScalarType type = m_axes[c]->valueType();
    std::vector<std::byte> bytes(static_cast<std::size_t>(count * sizeOf(type)));
    arrays::readBox(*m_axes[c], step, box, 0, 1, bytes);
    toDouble(bytes.data(), type, 0, count, numbers.data());
  }
  /// As they lie in the file, if there are three of one type.
  std::optional<arrays::GatheredArray> gathered() const {
    arrays::GatheredArray all;
    for (const auto& axis : m_axes) {
      if (!axis || axis->valueType() != m_axes[0]->valueType() || !isReal(axis->valueType()))
        return std::nullopt;
      all.push_back(*axis);
    }
    return all;
  }

 private:
  static bool isReal(ScalarType type) { return type == ScalarType::F32 || type == ScalarType::F64; }
  std::array<std::optional<arrays::PlacedArray>, 3> m_axes;
};

/// A layer of the box along k at a time, so that memory stays small.
template <class Fill>
arrays::ComputedArray byLayers(Fill fill) {
  return [fill](std::int64_t step, const IndexBox& box, int first, int count, std::span<std::byte> out) {
    IndexBox layer = box;
    layer.size[2] = 1;
    const auto nodes = static_cast<std::size_t>(product(layer.size));
    std::vector<double> values;
    for (std::int64_t k = 0; k < box.size[2]; ++k) {
      layer.first[2] = box.first[2] + k;
      std::byte* const to =
          out.data() + static_cast<std::size_t>(k) * nodes * static_cast<std::size_t>(count) * sizeof(double);
      for (int c = 0; c < count; ++c) {
        fill(step, layer, static_cast<std::size_t>(first + c), values);
        for (std::size_t n = 0; n < nodes; ++n)
          store(to + (n * static_cast<std::size_t>(count) + static_cast<std::size_t>(c)) * sizeof(double),
                values[n]);
      }
    }
  };
}

arrays::ComputedArray pointsOf(NodePoints points) {
  return byLayers(
      [points = std::move(points)](std::int64_t step, const IndexBox& layer, std::size_t c,
                                   std::vector<double>& values) { points.read(step, layer, c, values); });
}

/// Of the nodes that values of cells have.
arrays::ComputedArray cellNodesOf(NodePoints points, const Index3& nodes) {
  return arrays::cellNodesOf(
      [points = std::move(points)](std::int64_t step, const IndexBox& box, int first, int count,
                                   std::vector<double>& numbers) {
        const auto components = static_cast<std::size_t>(count);
        numbers.resize(static_cast<std::size_t>(product(box.size)) * components);
        std::vector<double> one;
        for (std::size_t c = 0; c < components; ++c) {
          points.read(step, box, static_cast<std::size_t>(first) + c, one);
          for (std::size_t n = 0; n < one.size(); ++n) numbers[n * components + c] = one[n];
        }
      },
      nodes);
}

/// A vector of two components in a plane, with a third of zeros, as f64.
arrays::ComputedArray widened(arrays::GatheredArray two) {
  return byLayers([two = std::move(two)](std::int64_t step, const IndexBox& layer, std::size_t c,
                                         std::vector<double>& values) {
    const std::int64_t count = product(layer.size);
    values.assign(static_cast<std::size_t>(count), 0.0);
    if (c >= two.size()) return;
    const ScalarType type = two[c].valueType();
    std::vector<std::byte> bytes(static_cast<std::size_t>(count * sizeOf(type)));
    arrays::readBox(two[c], step, layer, 0, 1, bytes);
    toDouble(bytes.data(), type, 0, count, values.data());
  });
}

class Maker {
 public:
  Maker(const Tree& tree, const Base& base, const arrays::Options& options)
      : m_tree(tree), m_base(base), m_options(options) {}

  CgnsBlocks make() {
    chooseCells();
    m_zones.resize(m_base.zones.size());
    paging::DatasetDescription& description = m_made.description;
    description.format = "cgns";
    description.times = m_base.times;
    for (std::size_t z = 0; z < m_base.zones.size(); ++z) {
      const Zone& zone = m_base.zones[z];
      paging::BlockDescription block;
      block.dims = dimsOf(zone);
      block.kind = paging::GridKind::Curvilinear;
      description.blocks.push_back(block);
      if (m_base.zones.size() > 1 && z < kMostSaid)
        m_made.explain.push_back("block " + std::to_string(z) + ": zone " + printable(zone.name));
      description.attributes["block." + std::to_string(z)] = zone.name;
      const auto surfaces = surfacesOf(m_tree, m_base, zone, static_cast<int>(z), m_cells, m_made.explain);
      description.surfaces.insert(description.surfaces.end(), surfaces.begin(), surfaces.end());
    }
    addVariables();
    if (!m_hasValues) m_made.explain.emplace_back("there are no values, only the grid");
    if (m_cells) {
      description.attributes[paging::kSamples] = paging::kCellSamples;
      m_made.explain.emplace_back(arrays::kCellSamplesSaid);
    }
    return std::move(m_made);
  }

 private:
  Index3 dimsOf(const Zone& zone) const { return m_cells ? arrays::cellNodes(zone.nodes) : zone.nodes; }

  void chooseCells() {
    std::array<std::vector<std::vector<ZoneVariable>>, 2> all;
    std::array<std::vector<std::string>, 2> names, notes;
    for (const std::size_t onCells : {0U, 1U}) {
      std::set<std::string> known;
      for (const Zone& zone : m_base.zones) {
        all[onCells].push_back(variablesOf(m_tree, m_base, zone, onCells == 1, notes[onCells]));
        for (const ZoneVariable& variable : all[onCells].back())
          if (known.insert(variable.name).second) names[onCells].push_back(variable.name);
      }
    }
    arrays::ValuesOn values = arrays::valuesOn(m_options, names[0], names[1]);
    m_cells = values.cells;
    m_variables = std::move(all[m_cells ? 1 : 0]);
    m_made.explain = std::move(notes[m_cells ? 1 : 0]);
    m_made.choice = std::move(values.choice);
    if (!values.leftOut.empty()) m_made.explain.push_back(values.leftOut);
  }

  /// Those that all zones have alike.
  void addVariables() {
    std::set<std::string> missing;
    for (const auto& zone : m_variables)
      for (const ZoneVariable& variable : zone) missing.insert(variable.name);
    for (const ZoneVariable& first : m_variables.front()) {
      std::vector<arrays::GatheredArray> byZone;
      for (std::size_t z = 0; z < m_base.zones.size(); ++z) {
        const auto& its = m_variables[z];
        const auto found = std::find_if(its.begin(), its.end(), [&](const ZoneVariable& other) {
          return other.name == first.name && other.parts.size() == first.parts.size() &&
                 other.steps() == first.steps();
        });
        if (found == its.end()) break;
        arrays::GatheredArray parts;
        for (const auto& part : found->parts) {
          const Zone& zone = m_base.zones[z];
          auto placed = placedParts(m_tree, zone, part, m_cells ? zone.cells : zone.nodes, {0, 0, 0});
          const arrays::PlacedArray* const like =
              byZone.empty() ? (parts.empty() ? nullptr : &parts.front()) : &byZone.front().front();
          if (!placed || (like && like->valueType() != placed->valueType())) break;
          if (m_cells) arrays::placeOnCellNodes(*placed, zone.nodes);
          parts.push_back(std::move(*placed));
        }
        if (parts.size() != found->parts.size()) break;
        byZone.push_back(std::move(parts));
      }
      if (byZone.size() != m_base.zones.size()) continue;
      missing.erase(first.name);
      add(first, std::move(byZone));
    }
    for (const std::string& name : missing)
      m_made.explain.push_back("left out: " + printable(name) + ", which not all zones have alike");
    for (std::size_t z = 0; z < m_zones.size(); ++z) {
      ZoneArrays& zone = m_zones[z];
      arrays::makeVectors(m_options, zone.description, zone.places);
      m_hasValues = m_hasValues || !zone.description.arrays.empty();
      // arrays stand by block
      for (paging::ArrayDescription& array : zone.description.arrays) {
        array.block = static_cast<int>(z);
        m_made.description.arrays.push_back(std::move(array));
      }
      std::move(zone.places.begin(), zone.places.end(), std::back_inserter(m_made.places));
      addPoints(z);
    }
  }

  void add(const ZoneVariable& variable, std::vector<arrays::GatheredArray> byZone) {
    const std::string name = arrays::usableName(variable.name, m_zones.front().description);
    const bool isPlane = variable.parts.size() == 2;
    const int components = isPlane ? 3 : static_cast<int>(variable.parts.size());
    for (std::size_t z = 0; z < byZone.size(); ++z) {
      const ScalarType type = isPlane ? ScalarType::F64 : byZone[z].front().valueType();
      auto array = arrays::describeArray(name, dimsOf(m_base.zones[z]), components, type, variable.steps());
      if (variable.parts.size() > 2) array.componentNames = variable.components;
      m_zones[z].description.arrays.push_back(std::move(array));
      auto& places = m_zones[z].places;
      if (isPlane)
        places.emplace_back(widened(std::move(byZone[z])));
      else if (components == 1)
        places.emplace_back(std::move(byZone[z].front()));
      else
        places.emplace_back(std::move(byZone[z]));
    }
  }

  void addPoints(std::size_t z) {
    const Zone& zone = m_base.zones[z];
    NodePoints points(coordinatesOf(m_tree, m_base, zone, {0, 0, 0}));
    const auto steps = static_cast<std::int64_t>(zone.grids.size());
    auto gathered = m_cells ? std::nullopt : points.gathered();
    auto xyz = arrays::describeCoordinates(dimsOf(zone),
                                           gathered ? gathered->front().valueType() : ScalarType::F64, steps);
    xyz.block = static_cast<int>(z);
    m_made.description.arrays.push_back(std::move(xyz));
    if (m_cells)
      m_made.places.emplace_back(cellNodesOf(std::move(points), zone.nodes));
    else if (gathered)
      m_made.places.emplace_back(std::move(*gathered));
    else
      m_made.places.emplace_back(pointsOf(std::move(points)));
  }

  const Tree& m_tree;
  const Base& m_base;
  const arrays::Options& m_options;
  bool m_cells = false, m_hasValues = false;
  std::vector<std::vector<ZoneVariable>> m_variables;  ///< by zone
  /// Variables of a zone, as of a block by itself.
  struct ZoneArrays {
    paging::DatasetDescription description;
    std::vector<arrays::ArrayPlace> places;
  };
  std::vector<ZoneArrays> m_zones;
  CgnsBlocks m_made;
};

}  // namespace

CgnsBlocks blocksOf(const Tree& tree, const Base& base, const arrays::Options& options) {
  return Maker(tree, base, options).make();
}

}  // namespace farfield::cgns
