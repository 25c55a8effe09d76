#pragma once
// Pages that lie somewhere in local files, read by io_uring or by threads. Requests are sorted by their
// place, neighbours are read together, and each page is delivered on its own, as it is stored.
//
// A request passes: looked up (at once where the place is known, else by a thread of the source's that waits
// for the index) -> queued (PageQueue) -> on its way (ReadEngine) -> ended. When a read that was made for
// several pages fails, each of them is read again alone, so that only those that lie in the bad spot fail.

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/memory_account.h"
#include "core/paging/bytes/read_engine.h"
#include "core/paging/bytes/system_cache.h"
#include "core/paging/pages/page_source.h"
#include "core/paging/sources/page_queue.h"
#include "core/paging/sources/place_map.h"

namespace farfield::paging {

class PlaceLookup;

/// Whether reads go through the system's page cache. Auto: past it where betterPastSystemCache() says so and
/// the staging memory has room for whole units.
enum class SystemCache { Auto, Use, Bypass };

struct PlacedSourceOptions {
  EngineKind engine = EngineKind::Auto;  ///< Auto: uring where the kernel grants it, else threads
  int readers = 4;                       ///< threads: how many, and so the reads on their way
  int depth = 64;                        ///< uring: reads on their way
  int rings = 1;                         ///< uring: as many as there are processors that run tasks
  /// Memory for stored bytes on their way; raised to the largest page. Claimed as a whole.
  std::uint64_t stagingBytes = std::uint64_t{8} << 20;
  std::uint64_t mergeGapBytes = 4096;  ///< read for nothing, to save a read
  std::uint64_t maxMergedBytes = std::uint64_t{256}
                                 << 10;  ///< 0: never merge; at most a quarter of the staging
  SystemCache systemCache = SystemCache::Auto;
  BypassLimits bypassLimits{};  ///< for SystemCache::Auto
};

class PlacedSource final : public PageSource, private ReadClient {
 public:
  /// `account` outlives the source. Throws OverBudget; Unsupported (EngineKind::Uring where it is not
  /// granted); Io (SystemCache::Bypass where the file system does not offer it).
  PlacedSource(std::unique_ptr<const PlaceMap> places, MemoryAccount& account,
               const PlacedSourceOptions& options);
  ~PlacedSource() override;

  const DatasetDescription& description() const override { return m_places->description(); }
  std::string name() const override { return m_files.front().name(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override { return m_places->maxStoredBytes(array); }
  void read(std::span<const PageRequest> requests) noexcept override;
  void hurry(const PageRequest& request) noexcept override;
  void withdraw(const PageRequest& request) noexcept override;
  void cancel(const PageSink* sink) noexcept override;
  SourceCounters counters() const override;
  int reap() noexcept override { return m_engine->reap(); }
  int pollDescriptors(int* out, int capacity) const override {
    return m_engine->pollDescriptors(out, capacity);
  }

  /// "uring" or "threads".
  const char* engineName() const { return m_engine->name(); }
  std::uint64_t stagingBytes() const { return m_queue.stagingBytes(); }
  bool bypassesSystemCache() const { return !m_directFiles.empty(); }

 private:
  bool nextRead(FileRead& read, bool& more) noexcept override;
  void readLanded(const FileRead& read) noexcept override;
  void readEnded(const FileRead& read, std::uint64_t got, int errnoValue) noexcept override;

  std::string placeText(const PageRequest& request, std::uint32_t file) const;
  /// Checks and appends to `found`, or ends the request with an error.
  void takePlace(const PageRequest& request, const PageExtent& extent,
                 std::vector<QueuedPage>& found) noexcept;
  /// Looks `request` up, waiting; as takePlace.
  void lookUp(const PageRequest& request, std::vector<QueuedPage>& found) noexcept;
  void queue(std::vector<QueuedPage>& found) noexcept;
  /// Ends the pages of `run`, of which the bytes before `available` (a place in the file) have come.
  void deliver(const PageRun& run, std::uint64_t available, int errnoValue) noexcept;
  std::exception_ptr readError(const QueuedPage& page, std::uint64_t available, int errnoValue) const;
  void openFiles();

  std::unique_ptr<const PlaceMap> m_places;
  const PlacedSourceOptions m_options;  ///< SystemCache::Auto decided
  std::vector<LocalFile> m_files;       ///< as they are read
  std::vector<File> m_directFiles;      ///< owns those opened for direct reads
  PageQueue m_queue;
  std::atomic<std::uint64_t> m_reads{0}, m_bytesRead{0};
  std::unique_ptr<ReadEngine> m_engine;
  std::unique_ptr<PlaceLookup> m_lookup;
};

}  // namespace farfield::paging
