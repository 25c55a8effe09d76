#pragma once
// Makes a store. Pages are encoded by any number of threads and appended in one fixed order, so that
// equal data make equal files however many threads there were and however often the work was interrupted.
//
// Until finish() there is no file of the final name: pages go to OUT.part, and what is known of each to
// OUT.part.journal, which is written after the page. A process that dies leaves both behind, and a writer
// opened with `resume` goes on where they end, after checking every page that is there against its
// checksum. finish() puts the index, the catalog and HDF5's own structures behind the pages and renames
// the file. (docs/decisions/0010-store-writing.md says why it is done this way.)
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
  /// Replace a finished store of the same name (when finish() is reached); otherwise its existence is
  /// Invalid.
  bool overwrite = false;
  /// Go on with an interrupted conversion, or start where there is none.
  bool resume = false;
  /// Wait until all is on the disk before the file takes its name; without, a power failure soon after can
  /// damage it (which reading notices).
  bool sync = true;
  /// Without finish() the partial store stays, to be resumed.
  bool keepPartial = true;
};

class StoreWriter {
 public:
  /// Starts, or resumes, the store `path`. Of `description` all counts: blocks, arrays with layouts, times,
  /// attributes; `codec`, `storedBytes` and `pageEdge` are taken over or filled in, and bounds of blocks that
  /// have coordinates are found from its pages. Memory for the work is claimed from `account`, which
  /// outlives the writer.
  /// Throws Invalid: the file exists (without `overwrite`), the partial store was made from other data or
  /// with another codec, an array is empty or its page passes HDF5's 4 GiB, two arrays share a name; Io;
  /// OverBudget; Corrupt never (a partial store that is damaged is taken up where the damage begins).
  StoreWriter(const std::filesystem::path& path, DatasetDescription description,
              const StoreWriterOptions& options, MemoryAccount& account);
  /// Without finish(): leaves the partial store for a later resume (removes it when it holds no page, or is
  /// not to be kept).
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  const DatasetDescription& description() const;
  /// True after a resume that found the store finished already: nothing is left to do.
  bool alreadyFinished() const;

  /// Pages of all arrays together.
  std::uint64_t pageCount() const;
  /// How many pages of the sequence are written; the next append() takes page(written()).
  std::uint64_t written() const;
  /// The page at place `sequence` (< pageCount()) of the sequence.
  PageId page(std::uint64_t sequence) const;
  /// The inverse of page().
  std::uint64_t sequenceOf(const PageId& id) const;
  /// The nodes of a page: what encode() and Fill want, i fastest, components interleaved.
  IndexBox boxOf(const PageId& id) const;

  /// Encodes the real nodes of a page (no padding; boxOf(id).size x nodeBytes). Thread-safe.
  EncodedPage encode(const PageId& id, std::span<const std::byte> nodes) const;
  /// Writes the next page of the sequence; `summary` has one range per component. One thread at a time.
  /// Throws Invalid when it is another page's turn, Io.
  void append(const EncodedPage& page, const PageSummary& summary);

  /// Gives the nodes of a page into `nodes` and returns its summary.
  using Fill = std::function<PageSummary(const PageId& id, std::span<std::byte> nodes)>;
  /// Writes the next `count` pages of the sequence. `fill` is called on several of `threads` at once, in
  /// ascending order of start; what it throws ends the call, after the pages before it have been written. At
  /// most `inFlight` pages are in memory (0: two per thread, fewer where the account has no room).
  void writePages(tasks::LoopThreads& threads, std::uint64_t count, const Fill& fill, int inFlight = 0);

  /// Sets or replaces an attribute before finish(), for what is known only at the end (hashes of sources).
  void setAttribute(const std::string& key, const std::string& value);
  /// Writes index, catalog and HDF5's structures and gives the file its name. All pages must be written
  /// (else Invalid). Throws Io.
  void finish();
  /// Removes the partial store.
  void discard();

  /// Stored bytes so far.
  std::uint64_t storedBytes() const;
  /// What lies beside the store `path` while it is made. They begin with "FarF".
  static std::array<std::filesystem::path, 2> partialFiles(const std::filesystem::path& path);
  /// True where an interrupted conversion to `path` can be resumed.
  static bool hasPartial(const std::filesystem::path& path);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::paging
