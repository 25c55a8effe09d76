#pragma once
// Data that a BoxReader gives (a PLOT3D file in place, a formula), opened without conversion: pages are cut
// as the file reads best, and the boxes that locate points are made when it is opened.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/fields/open_data.h"
#include "core/fields/origin.h"
#include "core/paging/location/kept_places.h"
#include "core/paging/location/kept_ranges.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::fields {

struct BoxDataOptions {
  int pageEdge = 0;  ///< of cubed pages; 0: as values that lie in rows are read with the fewest reads
  bool threads =
      true;            ///< read with threads (a file); false: where the page is asked for (memory, a formula)
  std::string name;    ///< for errors: "file wing.x"
  Origin origin = {};  ///< where the data are that are not on this machine
  bool locate = true;  ///< make the boxes that locate points; without them makeSources() must not be called
  /// Where the boxes and bounds are kept under `identity` for the next opening; null: nowhere. `found` is
  /// what was kept of an earlier one; null: nothing.
  std::shared_ptr<const paging::KeptPlaces> kept = nullptr;
  std::string identity = {};
  std::shared_ptr<const paging::KeptPlaces::Kept> found = nullptr;
  /// Where the ranges of pages are kept (OpenRequest::keptRanges); null: nowhere.
  std::shared_ptr<const paging::KeptRanges> ranges = nullptr;
  std::vector<std::filesystem::path> files = {};  ///< all that values come from, for the ranges
};

/// Reads all coordinates of curvilinear blocks once, for the boxes and for bounds that the reader does not
/// know, except with an account that only counts or where they were kept. Memory for the boxes is claimed
/// from `account`. Throws what the reader throws, OverBudget.
std::unique_ptr<OpenData> openBoxes(std::shared_ptr<const paging::BoxReader> reader,
                                    const BoxDataOptions& options, std::vector<std::string> explanation,
                                    MemoryAccount& account);

}  // namespace farfield::fields
