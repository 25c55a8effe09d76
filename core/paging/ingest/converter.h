#pragma once
// Writes the data of a BoxReader into a store, within a budget of any size. The data pass in windows: boxes
// of whole pages with the node layer after them, read by a thread of their own while the processors encode
// the window before. Curvilinear blocks also get their location pyramid (location/cell_boxes.h), right after
// their coordinates.
//
// The store depends on the input, the page edge, the codec, `split`, `levels` and `forVtk` alone; processors, memory
// and interruptions do not change a byte of it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/memory_account.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/codec.h"

namespace farfield::paging {

struct ConvertOptions {
  std::optional<int> pageEdge = {};  ///< nodes, nominal; default: pageEdgeFor() the input
  Codec codec = Codec::Zstd;
  bool split = false;      ///< an array per variable ("density", …) instead of one with components ("q")
  bool resume = false;     ///< continue an interrupted conversion to the same name
  bool overwrite = false;  ///< replace a finished store of that name
  /// Add the steps to the finished store of that name. Page edge, codec, `split` and levels are those of the store.
  bool append = false;
  bool keepPartial = true;  ///< on failure what has been written stays, to be resumed
  bool forVtk = false;      ///< list the grids as VTKHDF, too (StoreWriterOptions::forVtk)
  /// Levels of detail (coarse_levels.h), level 0 included; fewer if the grid has no more. 0: as many as make
  /// the coarsest small. An input with levels of its own keeps them, unless 1 is wanted.
  int levels = 1;
  int processors = 1;                                  ///< threads that encode; reading has one more
  std::map<std::string, std::string> attributes = {};  ///< added to those of the input ("command", …)
  /// Called now and then, from one thread at a time, with the pages written and those of the whole store.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
  std::stop_token stop = {};
};

struct ConvertResult {
  std::uint64_t pages = 0;        ///< of the store
  std::uint64_t pagesBefore = 0;  ///< already there (resume, append)
  std::uint64_t bytesRead = 0;    ///< nodes requested from the reader, as in memory
  std::uint64_t storedBytes = 0;  ///< of all pages
};

/// Makes the store `path`. All memory that depends on the data is claimed from `account`. Throws Invalid (see
/// StoreWriter), OverBudget with a budget and a page edge that would work, Cancelled, Io, and what the reader
/// throws; after any of these but Invalid and OverBudget the partial store can be resumed. A store that was to get
/// more steps is what it was before.
ConvertResult convert(const BoxReader& input, const std::filesystem::path& path,
                      const ConvertOptions& options, MemoryAccount& account);

}  // namespace farfield::paging
