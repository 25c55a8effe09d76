#pragma once
// Makes a store. Pages are encoded by any number of threads and appended in one fixed order, so that equal
// data make equal files, whatever the number of threads and of interruptions.
//
// Until finish() no file has the final name: pages go to OUT.part, and a record of each to OUT.part.journal,
// after the page. A killed process leaves both behind, and a writer opened with `resume` continues them,
// after comparing every page with its checksum. finish() writes the index, the catalog and HDF5's own
// structures after the pages and renames the file (docs/decisions/0010-store-writing.md).
//
// A finished store can get more steps (`append`): the writer then begins behind those that it has, and works in the store itself
// (store_growth.h).
//
// The sequence: for each time step, for each array of the description that has this step (static arrays
// have only step 0), the pages of that step in ascending order.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/pages/codec.h"
#include "core/paging/pages/description.h"
#include "core/paging/store/page_summary.h"
#include "core/tasks/loop_threads.h"

namespace farfield::paging {

/// A page of a data set: index into DatasetDescription::arrays, and ArrayDescription::pageNumber.
struct PageId {
  std::uint32_t array = 0;
  std::uint64_t page = 0;
  bool operator==(const PageId&) const = default;
};

/// A page ready to be appended.
struct EncodedPage {
  PageId id;
  std::vector<std::byte> bytes;  ///< as stored
  std::uint32_t flags = 0;       ///< PagePlace::flags
  std::uint64_t checksum = 0;    ///< of `bytes`
};

struct StoreWriterOptions {
  Codec codec = Codec::Zstd;
  /// Replace a finished store of the same name (in finish()); otherwise it is an error (Invalid).
  bool overwrite = false;
  /// Continue an interrupted conversion, or start if there is none.
  bool resume = false;
  /// Add steps to the finished store of that name: the description is that of the longer store, in which all else is as it
  /// was. Without finish() the store is what it was before.
  bool append = false;
  /// Wait until all is on the disk before the file gets its name; without, a power failure soon after can
  /// damage it (which reading notices).
  bool sync = true;
  /// Without finish() the partial store stays and can be resumed.
  bool keepPartial = true;
  /// List the grids as VTKHDF data sets, too (vtk_grid.h); an image always is. With `append` as the store is.
  bool forVtk = false;
};

class StoreWriter {
 public:
  /// Starts, or resumes, the store `path`. `description`: blocks, arrays with layouts, times and attributes are
  /// used as they are; `codec`, `storedBytes` and `pageEdge` are filled in, and bounds of blocks that have
  /// coordinates are found from its pages. Memory for the work is claimed from `account`, which outlives the
  /// writer.
  /// Throws Invalid: the file exists (without `overwrite`), the partial store was made from other data or
  /// with another codec, an array is empty or its page exceeds HDF5's 4 GiB, two arrays share a name; Io;
  /// OverBudget. A damaged partial store is continued where the damage begins.
  StoreWriter(const std::filesystem::path& path, DatasetDescription description,
              const StoreWriterOptions& options, MemoryAccount& account);
  /// Without finish(): leaves the partial store for a later resume, or removes it if it has no page or is not
  /// to be kept.
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  const DatasetDescription& description() const;
  /// True after a resume that found the store already finished.
  bool alreadyFinished() const;

  /// Pages of all arrays together.
  std::uint64_t pageCount() const;
  /// Number of pages written, of steps that were there included; the next append() takes page(written()).
  std::uint64_t written() const;
  /// The page at position `sequence` (< pageCount()) of the sequence.
  PageId page(std::uint64_t sequence) const;
  /// The inverse of page().
  std::uint64_t sequenceOf(const PageId& id) const;
  /// The nodes of a page that encode() and Fill use: components fastest, then i, j, k.
  IndexBox boxOf(const PageId& id) const;

  /// Encodes the nodes of a page without padding (boxOf(id).size x nodeBytes). Thread-safe.
  EncodedPage encode(const PageId& id, std::span<const std::byte> nodes) const;
  /// Writes the next page of the sequence; `summary` has one range per component. One thread at a time.
  /// Throws Invalid if it is not the next page, Io.
  void append(const EncodedPage& page, const PageSummary& summary);

  /// Writes the nodes of a page into `nodes` and returns its summary.
  using Fill = std::function<PageSummary(const PageId& id, std::span<std::byte> nodes)>;
  /// Writes the next `count` pages of the sequence. `fill` is called on several of `threads` at once, in
  /// ascending order of start; what it throws ends the call, after the pages before it have been written. At
  /// most `inFlight` pages are in memory (0: two per thread, fewer if the account has no room). Pages of calls that
  /// have returned are not lost if the process is killed.
  void writePages(tasks::LoopThreads& threads, std::uint64_t count, const Fill& fill, int inFlight = 0);

  /// Writes index, catalog and HDF5's structures and gives the file its name. Throws Invalid if pages are
  /// missing, Io.
  void finish();
  /// Removes the partial store.
  void discard();

  /// Stored bytes so far.
  std::uint64_t storedBytes() const;
  /// The files beside the store `path` while it is made. They begin with "FarF".
  static std::array<std::filesystem::path, 2> partialFiles(const std::filesystem::path& path);
  /// The file beside the store `path` while it gets more steps. It begins with "FarF".
  static std::filesystem::path fileOfGrowth(const std::filesystem::path& path);
  /// True if an interrupted conversion to `path` can be resumed.
  static bool hasPartial(const std::filesystem::path& path);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::paging
