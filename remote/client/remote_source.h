#pragma once
// The pages of a data set on paging servers as a page source. All requests go out at once, many pages in a
// request and many requests on their way; pages arrive in the staging memory and are handed over by whoever
// reaps, so that processors decode. With several servers, each page is requested from the one that is
// expected to send it first, and again from another if it is late or its server is lost.
//
// A request is asked -> landed or failed -> ended; a cancel, or an answer from another server, takes it from
// asked to ended, and a later answer is ignored.

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/bytes/staging_arena.h"
#include "core/paging/pages/page_source.h"
#include "core/paging/pages/source_report.h"
#include "remote/client/link.h"

namespace farfield::remote {

/// A data set that is open on servers.
struct RemoteSet {
  std::string url;
  std::string server;  ///< the first one's own name
  paging::DatasetDescription description;
  std::vector<ArrayFacts> arrays;
  std::vector<std::shared_ptr<Link>> links;  ///< at least one, at most kMostLinks
  /// For each part of a striped set, the links that have it, at least one; other data have one part, which
  /// all links have.
  std::vector<std::vector<std::size_t>> parts;
  std::size_t partOf(std::uint64_t page) const { return page % parts.size(); }
};
constexpr std::size_t kMostLinks = 64;

class RemoteSource final : public paging::PageSource, public paging::ServerReports, private PageReceiver {
 public:
  /// `stagingBytes` is raised to the largest page, and claimed as a whole. Throws OverBudget.
  RemoteSource(std::shared_ptr<const RemoteSet> set, MemoryAccount& account, std::uint64_t stagingBytes);
  ~RemoteSource() override;

  const paging::DatasetDescription& description() const override { return m_set->description; }
  std::string name() const override { return m_set->url; }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override {
    return m_set->arrays[array].mostStoredBytes;
  }
  void read(std::span<const paging::PageRequest> requests) noexcept override;
  void hurry(const paging::PageRequest& request) noexcept override;
  void withdraw(const paging::PageRequest& request) noexcept override;
  void cancel(const paging::PageSink* sink) noexcept override;
  paging::SourceCounters counters() const override;
  std::vector<paging::SourceReport> reports() const override;
  int reap() noexcept override;
  int pollDescriptors(int* out, int capacity) const override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Asked {
    paging::PageRequest request;
    std::size_t link = 0;
    Clock::time_point since;
    std::uint64_t twin = 0;  ///< the same page asked of another server; 0: none
    /// A bit for each link that was tried.
    std::uint64_t tried = 0;
  };
  struct Landed {
    paging::PageRequest request;
    PageHead head;
    std::span<std::byte> bytes;  ///< of the staging memory
    std::exception_ptr error;
  };

  std::size_t landed(std::span<const Whole> pages) noexcept override;
  Room room(std::uint64_t id, std::uint64_t bytes, std::span<std::byte>& to) noexcept override;
  void landed(std::uint64_t id, const PageHead& head, std::span<std::byte> bytes) noexcept override;
  void dropped(std::uint64_t id, std::span<std::byte> bytes) noexcept override;
  void failed(std::uint64_t id, std::exception_ptr error) noexcept override;

  /// What is known of a link, and how much it has to do, with what was given to it since.
  struct Load {
    double pages = 0, bytesPerSecond = 0;
    bool silent = false;
    bool isLost = false;  ///< and this is not the time to look whether it is back
  };
  std::vector<Load> loads() const;
  /// From the links that have the part: the one that is expected to send `pages` more first; they are added to its load.
  std::size_t chooseLink(std::vector<Load>& loads, std::uint64_t tried, std::size_t part, std::size_t pages);
  struct Twin {
    std::uint64_t id = 0;  ///< 0: none
    std::size_t link = 0;
  };
  using AskedOnes = std::unordered_map<std::uint64_t, Asked>;
  /// Removes what has landed, and its twin, from the open requests.
  std::pair<paging::PageRequest, Twin> endAsked(AskedOnes::iterator found, Clock::time_point now);
  void cancelTwins(std::span<const Twin> twins);
  void push(Landed landed);
  /// Ends the matching requests with Cancelled.
  void end(const std::function<bool(const paging::PageRequest&)>& isMeant);
  void giveBack(std::span<const std::span<std::byte>> pieces);
  void giveBack(std::span<std::byte> bytes) { giveBack(std::span(&bytes, 1)); }
  void askLateOnesAgain();
  void askAgain(std::uint64_t id, Asked& asked, std::vector<Load>& loads,
                std::vector<std::pair<std::size_t, LinkAsk>>& out);

  std::shared_ptr<const RemoteSet> m_set;
  mutable std::mutex m_mutex;
  paging::StagingArena m_staging;
  AskedOnes m_asked;
  std::deque<Landed> m_landed;
  bool m_closed = false;
  std::vector<bool> m_wantsRoom;  ///< links that wait for staging memory
  double m_meanSeconds = 0;       ///< from asking to landing
  Clock::time_point m_lastLook{};
  std::vector<Clock::time_point> m_chosen;  ///< when each link was chosen last
  int m_event = -1;
};

}  // namespace farfield::remote
