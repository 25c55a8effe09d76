#pragma once
// The zones of a CGNS file and what they have on them, before any values are looked at: sizes, coordinates, the steps, and which
// solution gives which variable at which step.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "plugins/arrays/placed_array.h"
#include "plugins/cgns/cgns_tree.h"

namespace farfield::cgns {

struct Zone {
  const Node* node = nullptr;
  std::string name;
  bool isStructured = false;
  int dims = 3;           ///< of its indices: 2 or 3; 1 if it is unstructured
  Index3 nodes{1, 1, 1};  ///< of an unstructured zone {nodes, 1, 1}
  Index3 cells{1, 1, 1};
  /// Nodes with the coordinates (GridCoordinates_t): of each step, or one for all.
  std::vector<const Node*> grids;
};

struct Base {
  const Node* node = nullptr;
  std::string name;
  int cellDims = 3, spaceDims = 3;
  std::string units;  ///< "Kilogram Meter Second Kelvin Degree"; may be empty
  std::vector<Zone> zones;
  std::vector<double> times;  ///< one per step, at least one
  std::vector<std::string> notes;

  std::int64_t steps() const { return static_cast<std::int64_t>(times.size()); }
};

/// The base of that name, or the first with zones. Throws Invalid (no such base), Unsupported (no zones), Corrupt.
Base readBase(const Tree& tree, const std::string& name);

/// A variable of a zone: for each component, and each step or once for all, where its numbers are.
struct ZoneVariable {
  struct Part {
    const Node* group = nullptr;  ///< FlowSolution_t, or GridCoordinates_t
    const Node* data = nullptr;
  };
  std::string name;
  std::vector<std::string> components;   ///< names of the parts; one: the variable's own
  std::vector<std::vector<Part>> parts;  ///< by component, then by step
  std::int64_t steps() const { return static_cast<std::int64_t>(parts.front().size()); }
};

/// The variables at the vertices, or at the cells, of a zone. Those named alike but for a last X, Y, Z are a vector (with two
/// in a space of two). What cannot be shown is said in `notes`.
std::vector<ZoneVariable> variablesOf(const Tree& tree, const Base& base, const Zone& zone, bool onCells,
                                      std::vector<std::string>& notes);

/// The numbers of one component on `counts` nodes or cells of a zone, of all steps, without planes beyond the zone (Rind_t), as the
/// piece of a list or a block that begins at `first`. Nothing if they do not fit. Throws Corrupt.
std::optional<arrays::PlacedArray> placedParts(const Tree& tree, const Zone& zone,
                                               const std::vector<ZoneVariable::Part>& parts,
                                               const Index3& counts, const Index3& first);

/// Coordinates of the zone as three components, of which those that the space lacks are empty. Throws Unsupported (other than
/// Cartesian), Corrupt.
std::array<std::optional<arrays::PlacedArray>, 3> coordinatesOf(const Tree& tree, const Base& base,
                                                                const Zone& zone, const Index3& first);

}  // namespace farfield::cgns
