#pragma once
// What is known of data once they are open, without reading values: all that choosing what to show of them needs, in a window
// and for a small picture alike.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/functions/functions.h"
#include "core/fields/functions/open_data.h"
#include "core/fields/functions/reading_choices.h"
#include "core/fields/ranges/seen_ranges.h"
#include "core/paging/pages/description.h"

namespace farfield::app {

struct DataSummary {
  std::string key;  ///< of who has several data open
  paging::DatasetDescription description;
  Bounds bounds;
  std::vector<fields::FunctionInfo> functions;
  std::vector<fields::FunctionInfo> parts;              ///< of vectors, which lists have behind `functions`
  std::map<std::string, std::array<double, 2>> ranges;  ///< of variables whose range is known without reading
  std::map<std::string, std::array<double, 2>> seenRanges =
      {};  ///< of functions, at some nodes that were looked at
  std::map<std::string, std::array<double, 2>> usualRanges =
      {};  ///< the same, without the few values far from the others
  /// Of functions of one value in the first step: what they have in the last.
  std::map<std::string, fields::SeenRange> laterRanges = {};
  fields::SeenNodes seenNodes = {};  ///< of which expressions are known as well
  std::vector<std::string> explanation;
  std::vector<fields::ReadingChoice> choices = {};
};

/// Of `data`, without what was seen at nodes but of a renderer's, which knows them. Throws what looking up stored ranges throws.
DataSummary summaryOf(const std::string& key, const fields::OpenData& data);
/// Of a box of an adaptive grid its own; else with a volume; of a sheet of nodes its faces.
std::int64_t cellsOf(const paging::BlockDescription& block, bool isAmr);
std::int64_t cellsOf(const paging::DatasetDescription& data);
/// Whether each cell has one value of it, so that it jumps between them: no surface and no line has a given one. Variables of cells,
/// their parts, and expressions of nothing else.
bool isOfCells(const DataSummary& data, const std::string& function);

}  // namespace farfield::app
