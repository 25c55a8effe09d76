#pragma once
// Opening data, whatever the format: what a format plug-in gives, and the registry in which the
// composition root lists the plug-ins. Opening reads headers only; sources are made later, when the
// memory plan says how much staging memory they get.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/bytes/read_engine.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/page_source.h"
#include "core/paging/store/page_summary.h"

namespace farfield::paging {
class KeptRanges;
}

namespace farfield::fields {

struct OpenRequest {
  std::vector<std::string> sources;    ///< file names or URLs; several: the steps of a moving grid
  std::vector<std::string> solutions;  ///< one per step; may be empty
  std::string reader;                  ///< a plug-in's name; empty: found by looking
  std::map<std::string, std::string> options;
  /// Only boxReader() will be used: what only paging needs (bounds, location boxes) is not made, so that
  /// opening costs neither time nor memory that grows with the data.
  bool forConversion = false;
  /// Ends waiting for what is far away, with Cancelled, where the reader can.
  std::stop_token stop = {};
  /// Where ranges of pages are kept that somebody found, for readers of data in place; null: nowhere. The registry's.
  std::shared_ptr<const paging::KeptRanges> keptRanges = nullptr;
};

struct SourceOptions {
  std::uint64_t stagingBytes = 0;
  int readers = 16;    ///< reads on their way at a time
  int processors = 1;  ///< that will run tasks
  paging::EngineKind engine = paging::EngineKind::Auto;
};

/// Data that have been opened. Destroyed after every source made from it.
class OpenData {
 public:
  virtual ~OpenData() = default;
  /// All arrays, the location boxes included where they exist.
  virtual const paging::DatasetDescription& description() const = 0;
  /// Upper bound of the stored bytes of any page.
  virtual std::uint64_t largestStoredBytes() const = 0;
  /// Sources that together serve all arrays of description(), in its order: the first those of the first
  /// source's description, and so on.
  virtual std::vector<std::unique_ptr<paging::PageSource>> makeSources(
      MemoryAccount& account, const SourceOptions& options) const = 0;
  /// What reading page `page` of array `array` brings. Throws what looking it up in an index throws.
  virtual std::uint64_t storedBytesOf(std::uint32_t array, std::uint64_t page) const;
  /// Least and greatest value of a component over the whole array, where it is known without reading pages.
  virtual std::optional<std::array<double, 2>> storedRange(std::uint32_t, int) const { return std::nullopt; }
  /// Of the cells that a page owns, where it is known without reading the page. Throws what looking it up in an index
  /// throws.
  virtual std::optional<paging::PageSummary> summaryOf(std::uint32_t, std::uint64_t) const {
    return std::nullopt;
  }
  /// Ranges that hold the nodes of a page at least, where they are known without reading it: by its summary, or because
  /// somebody who read it has found them. Throws what looking them up throws. Thread-safe.
  virtual std::optional<paging::PageSummary> rangesOf(std::uint32_t array, std::uint64_t page) const {
    return summaryOf(array, page);
  }
  /// Whether ranges that are found are kept, where rangesOf() does not know them.
  virtual bool keepsRanges() const { return false; }
  /// Those of the nodes of a page are `ranges`. Thread-safe.
  virtual void foundRanges(std::uint32_t, std::uint64_t, const paging::PageSummary&) const {}
  /// The same data at another level of detail (paging/pages/coarse_levels.h), which this one is level 0 of; nullptr where it
  /// has no such level. Memory is claimed as in DataReader::open. Throws what opening throws.
  virtual std::unique_ptr<OpenData> openLevel(int, MemoryAccount&) const { return nullptr; }
  /// For conversion; nullptr where the data are pages already.
  virtual const paging::BoxReader* boxReader() const { return nullptr; }
  /// Reads what no page is (indices, summaries, what other programs read) and compares it with its checksums, of
  /// all levels of detail. Returns what it cannot vouch for, a line each. Throws Corrupt, OverBudget, Cancelled.
  virtual std::vector<std::string> checkRest(MemoryAccount&, const std::stop_token&) const { return {}; }
  /// Compares everything that values come from with what it was when it was opened. For the end of a run,
  /// before its results count. Throws Corrupt, naming what has changed.
  virtual void checkUnchanged() const {}
  /// Lines for `info --verbose`: how the format was found and how the bytes are laid out.
  virtual std::vector<std::string> explanation() const { return {}; }
};

/// A format plug-in. Stateless.
class DataReader {
 public:
  virtual ~DataReader() = default;
  virtual std::string name() const = 0;
  /// By the file's first bytes or the URL's scheme; must be cheap, and false where it cannot tell.
  virtual bool recognizes(const std::string& source) const = 0;
  /// The same of all that is asked for, for what has no mark of its own and is told by its options.
  virtual bool takes(const OpenRequest& request) const { return recognizes(request.sources.front()); }
  /// Memory that depends on the data (index caches, tables) is claimed from `account`. With an account that
  /// only counts, the same is claimed as the budget would have it, and nothing is made but what description()
  /// and largestStoredBytes() need. Throws NotFound, Corrupt, Invalid, …
  virtual std::unique_ptr<OpenData> open(const OpenRequest& request, MemoryAccount& account) const = 0;
};

class ReaderRegistry {
 public:
  /// Asked in the order added.
  void add(std::unique_ptr<DataReader> reader) { m_readers.push_back(std::move(reader)); }
  /// For all that is opened from now on, but for conversion.
  void keepRangesIn(std::shared_ptr<const paging::KeptRanges> kept) { m_keptRanges = std::move(kept); }
  /// Opens with the named reader, or with the first that takes the request. Throws Invalid (no such
  /// reader), Unsupported (no reader recognizes it; lists the readers).
  std::unique_ptr<OpenData> open(const OpenRequest& request, MemoryAccount& account) const;
  std::vector<std::string> names() const;

 private:
  std::vector<std::unique_ptr<DataReader>> m_readers;
  std::shared_ptr<const paging::KeptRanges> m_keptRanges;
};

/// Replaces a pattern ("q_*.q", with * and ? in the last component) by the files it matches, in the order of
/// the numbers in their names; a plain name stays. Throws NotFound when a pattern matches nothing.
std::vector<std::string> expandPattern(const std::string& pattern);

}  // namespace farfield::fields
