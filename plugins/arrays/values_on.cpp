#include "plugins/arrays/values_on.h"

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/fields/data/mesh_data.h"

namespace farfield::arrays {
namespace {

constexpr const char* kOption = fields::kValuesOption;
constexpr std::size_t kMostNamed = 6;  // in a choice

std::string listOf(const std::vector<std::string>& names, std::size_t most) {
  std::string list;
  for (std::size_t n = 0; n < names.size() && n < most; ++n)
    list += (list.empty() ? "" : ", ") + printable(names[n]);
  return names.size() > most ? list + ", …" : list;
}

}  // namespace

ValuesOn valuesOn(const Options& options, const std::vector<std::string>& ofNodes,
                  const std::vector<std::string>& ofCells) {
  const bool cellsByDefault = ofNodes.empty() && !ofCells.empty();
  ValuesOn values{.cells = cellsByDefault};
  if (const auto told = options.find(kOption); told != options.end()) {
    if (told->second == fields::kCellsAtNodes)
      throw Invalid("values of cells of structured grids are linear from centre to centre, and at no nodes",
                    "use on=cells")
          .at("option " + std::string(kOption));
    if (told->second != "nodes" && told->second != "cells")
      throw Invalid("'" + printable(told->second) + "' have no values", "use nodes or cells")
          .at("option " + std::string(kOption));
    values.cells = told->second == "cells";
  }
  const std::vector<std::string>& out = values.cells ? ofNodes : ofCells;
  if (!out.empty())
    values.leftOut = "left out: the values of " + std::string(values.cells ? "nodes" : "cells") + " (" +
                     listOf(out, out.size()) + "); --option on=" + (values.cells ? "nodes" : "cells") +
                     " shows them";
  if (!ofNodes.empty() && !ofCells.empty())
    values.choice = {.option = kOption,
                     .title = "Values",
                     .values = {{"nodes", "of nodes: " + listOf(ofNodes, kMostNamed)},
                                {"cells", "of cells: " + listOf(ofCells, kMostNamed)}},
                     .now = values.cells ? std::size_t{1} : std::size_t{0},
                     .byDefault = cellsByDefault ? std::size_t{1} : std::size_t{0}};
  return values;
}

}  // namespace farfield::arrays
