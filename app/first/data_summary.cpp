#include "app/first/data_summary.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>

#include "core/fields/functions/node_places.h"
#include "core/fields/functions/vector_parts.h"
#include "core/fields/groups/node_boxes.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/paging/pages/cell_samples.h"
#include "core/session/run/remote_run.h"

namespace farfield::app {

namespace {

void takeRanges(const std::string& text, DataSummary& summary) {
  std::istringstream lines(text);
  std::array<double, 2> range{};
  bool isWhole = false;
  for (std::string name; lines >> range[0] >> range[1] >> isWhole && std::getline(lines >> std::ws, name);)
    (isWhole ? summary.ranges : summary.seenRanges)[name] = range;
}

}  // namespace

DataSummary summaryOf(const std::string& key, const fields::OpenData& data) {
  DataSummary summary;
  summary.key = key;
  summary.description = data.description();
  for (const paging::BlockDescription& block : summary.description.blocks) summary.bounds.add(block.bounds);
  if (const auto& attributes = data.description().attributes; attributes.contains(session::kRendererData)) {
    // What there is to show is the renderer's, and so are the steps that it shows of it.
    summary.description = session::dataBehind(data.description());
    summary.description.times = data.description().times;
    for (const char* const name :
         {session::kRendererAttribute, session::kRendererFunctions, session::kRendererFile})
      if (const auto said = attributes.find(name); said != attributes.end())
        summary.description.attributes[name] = said->second;
    if (const auto said = attributes.find(session::kRendererRanges); said != attributes.end())
      takeRanges(said->second, summary);
  }
  summary.functions = fields::availableFunctions(summary.description);
  summary.parts = fields::vectorParts(summary.description);
  const std::vector<fields::FunctionInfo> places = fields::placeFunctions(summary.description);
  summary.parts.insert(summary.parts.end(), places.begin(), places.end());
  summary.explanation = data.explanation();
  summary.choices = fields::readingChoicesOf(data);
  const auto& arrays = data.description().arrays;
  for (std::uint32_t n = 0; n < arrays.size(); ++n) {
    if (arrays[n].isGrid()) continue;
    for (int c = 0; c < arrays[n].components; ++c) {
      const auto range = data.storedRange(n, c);
      if (!range) continue;
      const std::string name = arrays[n].componentNames.empty()
                                   ? arrays[n].name
                                   : arrays[n].componentNames[static_cast<std::size_t>(c)];
      const auto [place, isNew] = summary.ranges.try_emplace(name, *range);
      if (!isNew)
        place->second = {std::min(place->second[0], (*range)[0]), std::max(place->second[1], (*range)[1])};
    }
  }
  return summary;
}

std::int64_t cellsOf(const paging::BlockDescription& block, bool isAmr) {
  if (isAmr) return paging::amrCells(block);
  const Index3 cells = block.cellDims();
  return std::max<std::int64_t>(cells[0], 0) * std::max<std::int64_t>(cells[1], 0) *
         std::max<std::int64_t>(cells[2], 0);
}

std::int64_t cellsOf(const paging::DatasetDescription& data) {
  std::int64_t cells = 0;
  const bool isAmr = paging::amrOf(data).has_value(), areCellSamples = paging::areCellSamples(data);
  for (const paging::BlockDescription& block : data.blocks)
    cells += areCellSamples ? paging::cellsOfFile(block.dims) : cellsOf(block, isAmr);
  return cells;
}

bool isOfCells(const DataSummary& data, const std::string& function) {
  const auto& arrays = data.description.arrays;
  if (std::any_of(arrays.begin(), arrays.end(), [&](const auto& array) {
        const bool isPart = function.starts_with(array.name + '-') ||
                            std::find(array.componentNames.begin(), array.componentNames.end(), function) !=
                                array.componentNames.end();
        return array.onCells && (function == array.name || isPart);
      }))
    return true;
  // One that is computed, as somebody's own is, may be so of values of cells alone.
  const auto isIt = [&](const fields::FunctionInfo& known) {
    return known.name == function && known.formula.empty();
  };
  if (function.empty() || std::any_of(data.functions.begin(), data.functions.end(), isIt)) return false;
  try {
    return fields::NodeBoxes::areSameOverCells(data.description,
                                               fields::FunctionPlan(data.description, {function}));
  } catch (const std::exception&) {
    return false;  // no function of these data
  }
}

}  // namespace farfield::app
