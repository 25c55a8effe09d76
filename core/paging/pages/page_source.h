#pragma once
// Where pages come from: a file, memory, a formula, a server. A source is asynchronous and knows nothing of
// frames, tasks or budgets except the staging memory it is given: it delivers *stored* bytes, which the cache
// checks and decodes.
//
// The contract (tests/contract/page_source_contract.h):
//  - every request ends exactly once, with arrived() or failed(), in any order, on any thread: a thread
//    of the source's, one inside reap(), or the one inside read();
//  - read() returns without waiting for data; requests beyond what the source can have on its way, or the
//    staging memory can hold, are queued, limited by their number, not by bytes;
//  - if the source has an order, waiting requests of a higher priority start first, and those of one priority
//    in the order they came; what has started is not overtaken;
//  - cancel() makes requests that have not started end soon, with Cancelled; others end as usual;
//  - errors name the file, array and page; a failed request does not harm later ones;
//  - the destructor ends all requests and waits for those on their way.

#include <cstdint>
#include <exception>
#include <span>
#include <string>

#include "core/paging/pages/codec.h"
#include "core/paging/pages/description.h"
#include "core/tasks/reaper.h"

namespace farfield::paging {

/// A page as it is stored. Valid only during the call that hands it over.
struct StoredPage {
  std::span<const std::byte> bytes;
  Codec codec = Codec::None;
  bool hasChecksum = false;
  std::uint64_t checksum = 0;  ///< what checksum(bytes) must be
  /// True: `bytes` decode to the full extent of the layout, with padding after the last node of each axis
  /// (HDF5 chunks). False: to the page's nodes only.
  bool padded = false;
};

/// Receives pages. Calls come from any thread, at the same time for different tags.
class PageSink {
 public:
  virtual void arrived(std::uint64_t tag, const StoredPage& page) noexcept = 0;
  virtual void failed(std::uint64_t tag, std::exception_ptr error) noexcept = 0;

 protected:
  ~PageSink() = default;
};

/// What a page is needed for. Lower values come first.
enum class Priority : std::uint8_t {
  Demand,   ///< a task or a caller waits for it
  Soon,     ///< what is shown needs it next
  Prefetch  ///< a guess
};
constexpr int kPriorityCount = 3;

struct PageRequest {
  std::uint32_t array = 0;  ///< index into description().arrays
  std::uint64_t page = 0;   ///< ArrayDescription::pageNumber
  PageSink* sink = nullptr;
  std::uint64_t tag = 0;  ///< chosen by the sink
  Priority priority = Priority::Demand;
};

struct SourceCounters {
  std::uint64_t reads = 0;      ///< operations on the disk or the network
  std::uint64_t bytesRead = 0;  ///< including gaps between merged pages
};

class PageSource : public tasks::Reaper {
 public:
  virtual const DatasetDescription& description() const = 0;
  /// For error messages: "file flow.h5".
  virtual std::string name() const { return description().format; }
  /// Upper bound of the stored bytes of one page of `array`, for planning the staging memory.
  virtual std::uint64_t maxStoredBytes(std::uint32_t array) const = 0;
  /// Starts reading. Thread-safe. Reports errors through the sinks only.
  virtual void read(std::span<const PageRequest> requests) noexcept = 0;
  /// Raises the priority of `request`, if it has not started. A hint. Thread-safe; never waits.
  virtual void hurry(const PageRequest& /*request*/) noexcept {}
  /// Nobody needs `request` any more: ends it with Cancelled if it has not started. A hint. Thread-safe;
  /// never waits.
  virtual void withdraw(const PageRequest& /*request*/) noexcept {}
  /// Ends with Cancelled the requests of `sink` that have not started. Thread-safe.
  virtual void cancel(const PageSink* sink) noexcept = 0;
  virtual SourceCounters counters() const = 0;
  /// True if read() does all the work before it returns, so that asking early gains nothing.
  virtual bool readsWhileAsked() const { return false; }

  int reap() noexcept override { return 0; }
  int pollDescriptors(int*, int) const override { return 0; }
};

}  // namespace farfield::paging
