#pragma once
// The unstructured zones of a CGNS file as one grid: cells of the zones follow one another, with the zone's number as a variable if
// there are several. Points on the borders of zones are not merged.

#include <memory>
#include <string>
#include <vector>

#include "core/paging/arranging/mesh_input.h"
#include "plugins/cgns/cgns_zones.h"

namespace farfield::cgns {

struct CgnsMesh {
  std::shared_ptr<const paging::MeshInput> input;
  std::vector<std::string> explain;
};

/// `tree` is held by the result. Throws Corrupt, Unsupported, OverBudget.
CgnsMesh meshOf(std::shared_ptr<const Tree> tree, const Base& base);

}  // namespace farfield::cgns
