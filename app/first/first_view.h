#pragma once
// How data are seen first, by whoever has chosen nothing: from where, with axes of different units stretched, and with up being up.

#include <map>
#include <optional>
#include <string>

#include "app/first/data_summary.h"
#include "core/session/session.h"

namespace farfield::app {

/// Sides of data that are seen as a line, or as a needle.
struct UnevenSides {
  int longest = 0, shortest = 0;  ///< axes; the shortest has a length
  double times = 0;               ///< one of the other
  /// Units of these axes, where they differ (degrees and metres): no picture has their true proportions.
  std::string longestUnits = {}, shortestUnits = {};
  bool differ() const { return !longestUnits.empty(); }
};
/// Nothing of data that are about as long along all axes. Axes of different units count sooner than those of one.
std::optional<UnevenSides> unevenSides(const DataSummary& data, const Bounds& bounds);

/// Of data that lie flat, at right angles to that; of uneven sides with different units, stretched. None where the usual view does.
std::optional<session::AutoCamera> firstView(const DataSummary& data);

/// Options of the reader for data that are opened for the first time: their choices' own (ReadingChoice::atFirst).
std::map<std::string, std::string> optionsAtFirst(const DataSummary& data);

}  // namespace farfield::app
