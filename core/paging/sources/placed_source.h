#pragma once
// Pages that are ranges of bytes of objects of the byte layer. Each is delivered by itself, as it is stored.
//
// States of a request: looked up (at once if the place is known, else by a thread of the source that waits
// for the index, and delivers what was never written where that is filled in) -> read (RangeReader: queued, on its way) -> ended.

#include <memory>
#include <string>

#include "core/base/memory_account.h"
#include "core/paging/bytes/range_reader.h"
#include "core/paging/pages/page_source.h"
#include "core/paging/pages/source_report.h"
#include "core/paging/sources/place_lookup.h"
#include "core/paging/sources/place_map.h"

namespace farfield::paging {

struct PlacedSourceOptions {
  EngineOptions engine{};
  /// Memory for stored bytes on their way; raised to the largest page. Claimed as a whole.
  std::uint64_t stagingBytes = std::uint64_t{8} << 20;
  std::uint64_t mergeGapBytes = 4096;                       ///< as RangeReaderOptions
  std::uint64_t maxMergedBytes = std::uint64_t{256} << 10;  ///< as RangeReaderOptions
};

class PlacedSource final : public PageSource, public ServerReports, private RangeSink {
 public:
  /// `account` outlives the source. Throws as RangeReader.
  PlacedSource(std::unique_ptr<const PlaceMap> places, MemoryAccount& account,
               const PlacedSourceOptions& options);
  ~PlacedSource() override;

  const DatasetDescription& description() const override { return m_places->description(); }
  std::string name() const override { return m_reader.object(0).name(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override { return m_places->maxStoredBytes(array); }
  void read(std::span<const PageRequest> requests) noexcept override;
  void hurry(const PageRequest& request) noexcept override;
  void withdraw(const PageRequest& request) noexcept override;
  void cancel(const PageSink* sink) noexcept override;
  SourceCounters counters() const override { return {m_reader.reads(), m_reader.bytesRead()}; }
  std::vector<SourceReport> reports() const override;
  int reap() noexcept override { return m_reader.reap(); }
  int pollDescriptors(int* out, int capacity) const override {
    return m_reader.pollDescriptors(out, capacity);
  }

  /// For reports and tests.
  const RangeReader& reader() const { return m_reader; }

 private:
  void arrived(const RangeRequest& range, std::span<const std::byte> bytes) noexcept override;
  void failed(const RangeRequest& range, std::exception_ptr error) noexcept override;
  void cancelled(const RangeRequest& range) noexcept override;

  /// Checks the place and appends its range to `found`. Throws what is wrong with it.
  void takePlace(const PageRequest& request, const PageExtent& extent, RangeList& found) const;
  void lookUp(PageRequests& requests, const std::exception_ptr& noThread = {}) noexcept;

  std::unique_ptr<const PlaceMap> m_places;
  RangeReader m_reader;
  PlaceLookup m_lookup;
};

}  // namespace farfield::paging
