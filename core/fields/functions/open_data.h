#pragma once
// Opening data of any format: the interface of format plug-ins, and the registry in which the composition
// root lists them. Opening reads headers only; sources are made later, when the memory plan says how much
// staging memory they get.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
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
  std::vector<std::string> sources;         ///< file names or URLs; several: the steps of a moving grid
  std::vector<std::string> solutions = {};  ///< one per step; may be empty
  std::string reader = {};                  ///< a plug-in's name; empty: found by looking
  std::map<std::string, std::string> options = {};
  /// Only boxReader() will be used: what only paging needs (bounds, location bounds) is not computed, so that
  /// opening takes neither time nor memory that grows with the data.
  bool forConversion = false;
  /// Ends waiting for what is far away, with Cancelled, where the reader can.
  std::stop_token stop = {};
  /// Where readers of data in place keep the ranges of pages; null: nowhere. Set by the registry.
  std::shared_ptr<const paging::KeptRanges> keptRanges = nullptr;
  /// Finds a file that data name in themselves (the values of a detached header): the name to open it by, from that of the
  /// file that names it and what is written there. Throws if it must not be read. Null: beside the file, or wherever an
  /// absolute path leads. Called during opening only.
  std::function<std::string(const std::string& file, const std::string& named)> findNamed = nullptr;
};

/// The name to open a file by that `file` names: request.findNamed's, or beside it.
std::string namedFile(const OpenRequest& request, const std::string& file, const std::string& named);

struct SourceOptions {
  std::uint64_t stagingBytes = 0;
  int readers = 16;    ///< reads on their way at a time
  int processors = 1;  ///< that will run tasks
  paging::EngineKind engine = paging::EngineKind::Auto;
};

/// Opened data. Destroyed after every source made from it.
class OpenData {
 public:
  virtual ~OpenData() = default;
  /// All arrays, with the location bounds if there are any.
  virtual const paging::DatasetDescription& description() const = 0;
  /// Upper bound of the stored bytes of any page.
  virtual std::uint64_t largestStoredBytes() const = 0;
  /// Sources that together serve all arrays of description(), in order: first those of the first source's
  /// description, and so on.
  virtual std::vector<std::unique_ptr<paging::PageSource>> makeSources(
      MemoryAccount& account, const SourceOptions& options) const = 0;
  /// Bytes read for page `page` of array `array`. Throws what looking it up in an index throws.
  virtual std::uint64_t storedBytesOf(std::uint32_t array, std::uint64_t page) const;
  /// Least and greatest value of a component over the whole array, if known without reading pages.
  virtual std::optional<std::array<double, 2>> storedRange(std::uint32_t, int) const { return std::nullopt; }
  /// Summary of the cells that a page owns, if known without reading the page. Throws what looking it up in
  /// an index throws.
  virtual std::optional<paging::PageSummary> summaryOf(std::uint32_t, std::uint64_t) const {
    return std::nullopt;
  }
  /// Ranges that hold at least the nodes of a page, if known without reading it: from its summary, or from an
  /// earlier reading. Throws what looking them up throws. Thread-safe.
  virtual std::optional<paging::PageSummary> rangesOf(std::uint32_t array, std::uint64_t page) const {
    return summaryOf(array, page);
  }
  /// Whether foundRanges() keeps ranges that rangesOf() does not know.
  virtual bool keepsRanges() const { return false; }
  /// Reports the ranges of the nodes of a page. Thread-safe.
  virtual void foundRanges(std::uint32_t, std::uint64_t, const paging::PageSummary&) const {}
  /// The same data at another level of detail (paging/pages/coarse_levels.h), counted from this one, level 0;
  /// nullptr if there is no such level. Regular data in place without levels of
  /// their own are read at any level from the rows that it needs. Memory is claimed as in DataReader::open. Throws what opening throws.
  virtual std::unique_ptr<OpenData> openLevel(int, MemoryAccount&) const { return nullptr; }
  /// For conversion; nullptr if the data are already pages.
  virtual const paging::BoxReader* boxReader() const { return nullptr; }
  /// All files of this machine that values come from; empty if there are none or they are not known.
  virtual std::vector<std::filesystem::path> files() const { return {}; }
  /// As it was requested, but for findNamed, for opening it again; null if no registry opened it.
  const OpenRequest* request() const { return m_request.get(); }
  /// Reads everything but pages (indices, summaries, what other programs read), at all levels of detail, and
  /// compares it with its checksums. Returns a line for each part without a checksum. Throws Corrupt,
  /// OverBudget, Cancelled.
  virtual std::vector<std::string> checkRest(MemoryAccount&, const std::stop_token&) const { return {}; }
  /// For the end of a run, before its results count: throws Corrupt, naming the object, if anything that
  /// values come from has changed since it was opened.
  virtual void checkUnchanged() const {}
  /// Lines for `info --verbose`: how the format was recognized and how the bytes are arranged.
  virtual std::vector<std::string> explanation() const { return {}; }
  /// Nodes along the longest axis for who puts the data on a regular grid (regular_grid.h); 0: no wish. The option `resample`, which
  /// all formats have.
  int resampleNodes() const { return m_resampleNodes; }
  void setResampleNodes(int nodes) { m_resampleNodes = nodes; }

 private:
  friend class ReaderRegistry;
  std::shared_ptr<const OpenRequest> m_request;
  int m_resampleNodes = 0;
};

/// A format plug-in. Stateless.
class DataReader {
 public:
  virtual ~DataReader() = default;
  virtual std::string name() const = 0;
  /// By the file's first bytes or the URL's scheme; must be cheap, and false if unsure. Throws Cancelled at most.
  virtual bool recognizes(const std::string& source) const = 0;
  /// The same for the whole request, for formats without a signature that are known by their options.
  virtual bool takes(const OpenRequest& request) const { return recognizes(request.sources.front()); }
  /// Memory that depends on the data (index caches, tables) is claimed from `account`. With an account that
  /// only counts, the same is claimed as with the budget, but only what description() and
  /// largestStoredBytes() need is made. Throws NotFound, Corrupt, Invalid, …
  virtual std::unique_ptr<OpenData> open(const OpenRequest& request, MemoryAccount& account) const = 0;
};

class ReaderRegistry {
 public:
  /// Asked in the order added.
  void add(std::unique_ptr<DataReader> reader) { m_readers.push_back(std::move(reader)); }
  /// For everything opened from now on, except for conversion.
  void keepRangesIn(std::shared_ptr<const paging::KeptRanges> kept) { m_keptRanges = std::move(kept); }
  /// Opens with the named reader, or with the first that takes the request. Throws Invalid (no such reader),
  /// Unsupported (no reader recognizes it; lists the readers).
  std::unique_ptr<OpenData> open(const OpenRequest& request, MemoryAccount& account) const;
  std::vector<std::string> names() const;

 private:
  std::vector<std::unique_ptr<DataReader>> m_readers;
  std::shared_ptr<const paging::KeptRanges> m_keptRanges;
};

/// Replaces a pattern ("q_*.q", with * and ? in the last component) by the files it matches, in the order of
/// the numbers in their names; a plain name is returned unchanged. Where [0-9]* is all that is not a plain name, it stands for numbers alone, dates
/// among them, where any file has such a name. Throws NotFound if a pattern matches
/// nothing.
std::vector<std::string> expandPattern(const std::string& pattern);

}  // namespace farfield::fields
