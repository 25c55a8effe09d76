#pragma once
// A page source in front of one whose pages come over a network: pages in the page folder are read there by
// threads; the others are requested from that source and kept when they arrive.
//
// A request is looked up -> read from the folder -> ended, or looked up -> passed to the other source ->
// ended by it.

#include <array>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/bytes/reader_threads.h"
#include "core/paging/pages/page_source.h"
#include "core/paging/pages/source_report.h"
#include "core/paging/sources/page_folder.h"

namespace farfield::paging {

struct KeptSourceOptions {
  std::shared_ptr<const PageFolder> folder;  ///< null: nothing is kept
  std::string identity;                      ///< of the data in their present version
  std::uint64_t stagingBytes = 0;            ///< for both
  std::uint64_t largestBytes = 0;            ///< of a stored page
  int readers = 4;                           ///< threads, at most
};

/// The source that `make` makes for a given amount of staging memory, with the folder in front of it if there
/// is memory for both. `account` outlives the source. Throws what `make` throws.
std::unique_ptr<PageSource> keepPages(
    const KeptSourceOptions& options, MemoryAccount& account,
    const std::function<std::unique_ptr<PageSource>(std::uint64_t stagingBytes)>& make);

/// What a source is, too, that keeps pages of others on this machine. Thread-safe.
class KeepsPages {
 public:
  /// Which of `count` pages from `first` are kept. Empty where it cannot be told.
  virtual std::vector<bool> lookForKept(std::uint32_t array, std::uint64_t first,
                                        std::uint64_t count) const = 0;
  /// Whether pages are on their way that will be kept.
  virtual bool isKeeping() const = 0;

 protected:
  ~KeepsPages() = default;
};

class KeptSource final : public PageSource, public ServerReports, public KeepsPages {
 public:
  /// `threads` > 0. Throws OverBudget, Io (no thread).
  KeptSource(std::unique_ptr<PageSource> source, std::shared_ptr<const PageFolder> folder,
             std::shared_ptr<const PageFolder::Set> set, std::uint64_t largestBytes, int threads,
             MemoryAccount& account);
  ~KeptSource() override;

  const DatasetDescription& description() const override { return m_source->description(); }
  std::string name() const override { return m_source->name(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override { return m_source->maxStoredBytes(array); }
  void read(std::span<const PageRequest> requests) noexcept override;
  void hurry(const PageRequest& request) noexcept override;
  void withdraw(const PageRequest& request) noexcept override;
  void cancel(const PageSink* sink) noexcept override;
  SourceCounters counters() const override;
  /// The reports of the other source, and one for the folder.
  std::vector<SourceReport> reports() const override;
  std::vector<bool> lookForKept(std::uint32_t array, std::uint64_t first,
                                std::uint64_t count) const override {
    return m_set->look(array, first, count);
  }
  bool isKeeping() const override;
  int reap() noexcept override { return m_source->reap(); }
  int pollDescriptors(int* out, int capacity) const override {
    return m_source->pollDescriptors(out, capacity);
  }

 private:
  struct Between;
  struct Asked {
    PageRequest request;
    Between* between = nullptr;            ///< if it was passed to the other source
    std::list<Asked>::iterator self = {};  ///< its place in the list there
  };
  using Queue = std::list<Asked>;

  bool readOne() noexcept;
  void ask(Queue& one) noexcept;
  PageRequest forOther(const Asked& asked) const;
  void ended(std::uint64_t tag, const StoredPage* page, std::exception_ptr error) noexcept;
  static void end(Queue& queue) noexcept;
  Between& betweenOf(PageSink* sink);

  std::unique_ptr<PageSource> m_source;
  const std::shared_ptr<const PageFolder> m_folder;
  const std::shared_ptr<const PageFolder::Set> m_set;
  MemoryClaim m_claim;
  mutable std::mutex m_mutex;
  std::array<Queue, kPriorityCount> m_queues;  ///< to be read from the folder
  Queue m_others;                              ///< passed to the other source
  std::uint64_t m_keeping = 0;                 ///< pages that have come and are being written
  std::map<const PageSink*, std::unique_ptr<Between>> m_between;
  std::vector<std::vector<std::byte>> m_buffers;  ///< free ones
  bool m_closed = false;
  SourceCounters m_counters;
  std::optional<ReaderThreads> m_threads;
};

}  // namespace farfield::paging
