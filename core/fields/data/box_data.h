#pragma once
// Data given by a BoxReader (a PLOT3D file in place, a formula), opened without conversion: cut into pages as
// the file reads best; the location bounds are computed when it is opened.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"
#include "core/fields/functions/origin.h"
#include "core/fields/functions/reading_choices.h"
#include "core/paging/location/kept_ranges.h"
#include "core/paging/location/kept_scans.h"
#include "core/paging/pages/box_reader.h"

namespace farfield::fields {

/// Sources for all arrays of a reader, in order, in place of one that reads boxes.
class BoxSources {
 public:
  virtual ~BoxSources() = default;
  /// As OpenData::largestStoredBytes.
  virtual std::uint64_t largestStoredBytes() const = 0;
  /// As OpenData::makeSources.
  virtual std::vector<std::unique_ptr<paging::PageSource>> make(MemoryAccount& account,
                                                                const SourceOptions& options) const = 0;
};

struct BoxDataOptions {
  int pageEdge = 0;  ///< edge of cubic pages; 0: pages that need the fewest reads for values stored in rows
  bool threads = true;  ///< read with threads (a file); false: by the thread that asks (memory, a formula)
  std::string name;     ///< for errors: "file wing.x"
  int mostReaders = 0;  ///< of those threads; 0: as many as are asked for
  Origin origin = {};   ///< of data on other machines
  /// Compared with what they were by checkUnchanged(), beside what the reader compares.
  paging::ByteObjects objects = {};
  bool locate = true;  ///< compute location bounds; without them makeSources() must not be called
  /// Keeps location bounds and bounds under `identity` for the next opening; null: nowhere. `found` was kept
  /// by an earlier one; null: nothing was.
  std::shared_ptr<const paging::KeptScans> kept = nullptr;
  std::string identity = {};
  std::shared_ptr<const paging::KeptScans::Kept> found = nullptr;
  /// Opens a coarser level that the data have (OpenData::openLevel); null: they have none.
  std::function<std::unique_ptr<OpenData>(int level, MemoryAccount& account)> openLevel = nullptr;
  /// Keeps ranges of pages (OpenRequest::keptRanges); null: nowhere.
  std::shared_ptr<const paging::KeptRanges> ranges = nullptr;
  std::vector<std::filesystem::path> files = {};  ///< all files that values come from, for the ranges
  /// Pages are those of the reader's description; pageEdge does not count.
  bool pagesAsDescribed = false;
  std::vector<ReadingChoice> choices = {};
  /// For pages as described; null: they are read by boxes.
  std::shared_ptr<const BoxSources> sources = nullptr;
};

/// Reads all coordinates of curvilinear blocks once, for location bounds and for bounds that the reader does
/// not know, unless the account only counts or they were kept. Memory for location bounds is claimed from
/// `account`. Throws what the reader throws, OverBudget.
std::unique_ptr<OpenData> openBoxes(std::shared_ptr<const paging::BoxReader> reader,
                                    const BoxDataOptions& options, std::vector<std::string> explanation,
                                    MemoryAccount& account);

}  // namespace farfield::fields
