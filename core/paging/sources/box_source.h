#pragma once
// Pages made from a BoxReader: a PLOT3D file, an array in memory, a formula. Nothing is stored as pages
// there, so the cut is free to choose; pages have no padding, no codec and no checksum.
//
// With readers, threads of the source wait in BoxReader::read (a file). Without, the thread that calls read()
// reads the page, and the request ends before read() returns (memory, a formula: nothing to wait for, and the
// processor that needs the page computes it).

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/memory_account.h"
#include "core/paging/bytes/range_queue.h"
#include "core/paging/bytes/reader_threads.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/page_source.h"
#include "core/paging/sources/held_reads.h"

namespace farfield::paging {

enum class PageCut {
  AsDescribed,  ///< the layouts that the reader's description has
  Even,         ///< PageLayout::even with BoxSourceOptions::pageEdge
  WholeBlock    ///< a block's array at one step is one page
};

struct BoxSourceOptions {
  PageCut cut = PageCut::AsDescribed;
  int pageEdge = 32;  ///< for PageCut::Even
  int readers = 0;    ///< threads; 0: the caller of read() reads
  /// Memory for pages on their way; raised to the largest page. Claimed as a whole.
  std::uint64_t stagingBytes = std::uint64_t{4} << 20;
};

class BoxSource final : public PageSource, public HoldsReads {
 public:
  /// `name` is put in front of errors ("file /data/wing.x", "sample tornado"). `account` outlives the source.
  /// Throws OverBudget, Invalid (page edge), Io (no thread can be started).
  BoxSource(std::shared_ptr<const BoxReader> reader, MemoryAccount& account, const BoxSourceOptions& options,
            std::string name);
  ~BoxSource() override;

  /// The reader's, with the layouts of the pages made here.
  const DatasetDescription& description() const override { return m_description; }
  std::string name() const override { return m_name; }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override {
    return static_cast<std::uint64_t>(m_description.arrays[array].maxPageBytes());
  }
  void read(std::span<const PageRequest> requests) noexcept override;
  void hurry(const PageRequest& request) noexcept override;
  void withdraw(const PageRequest& request) noexcept override;
  void cancel(const PageSink* sink) noexcept override;
  SourceCounters counters() const override;
  bool readsWhileAsked() const override { return !m_threads.has_value(); }
  void holdFrom(Clock::time_point moment) override { m_holds.add(moment); }
  void release(Clock::time_point moment) noexcept override;

 private:
  void goOn() noexcept;
  bool readOne() noexcept;
  void drain() noexcept;

  std::shared_ptr<const BoxReader> m_reader;
  DatasetDescription m_description;
  std::string m_name;
  RangeQueue m_queue;
  std::stop_source m_closing;  ///< of its threads' waits
  HoldMoments m_holds;
  std::atomic<std::uint64_t> m_reads{0}, m_bytesRead{0};
  std::optional<ReaderThreads> m_threads;
};

}  // namespace farfield::paging
