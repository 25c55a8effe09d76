#pragma once
// Decides who gets the next page. The requests of all clients wait here; as many reads as the disk handles
// well are on their way, and pages go to the client that has had the fewest bytes so far, all demands before
// all hints. A client holds no more memory than its share (pages being read for it and not yet sent), so one
// that reads nothing does not stop the others.
//
// A request is waiting -> found in memory, ours or the system's, or else being read -> delivered; cancel takes it from
// waiting to gone. A page that several clients wait for is read once. What is delivered counts as held until written() says that the
// connection has taken it.

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "remote/server/page_ram.h"
#include "remote/server/served_set.h"

namespace farfield::remote {

struct ReadyPage {
  std::uint64_t sequence = 0;
  PageBlobPointer page;
};

/// Receives pages; from any thread.
class PageClient {
 public:
  /// What is ready at a time comes together, and may be moved from.
  virtual void pagesReady(std::span<ReadyPage> pages) noexcept = 0;
  virtual void pageFailed(std::uint64_t sequence, std::exception_ptr error) noexcept = 0;

 protected:
  ~PageClient() = default;
};

struct DeskLimits {
  std::uint64_t cacheBytes = 0;
  std::uint64_t heldBytes = std::uint64_t{40} << 20;  ///< by all clients together
  /// At most; less if there are many clients.
  std::uint64_t heldByOneBytes = std::uint64_t{4} << 20;
  int readsAtATime = 32;
  double bytesPerSecond = 0, bytesPerSecondAndClient = 0;  ///< 0: no limit
};

/// The most waiting requests of one client.
constexpr std::uint32_t kMostWaiting = 4096;

struct DeskCounters {
  std::uint64_t pages = 0, bytes = 0, fromMemory = 0, reads = 0, failures = 0, cancelled = 0;
  std::uint64_t waiting = 0, heldBytes = 0, cachedBytes = 0;
};

/// Thread-safe.
class PageDesk {
 public:
  explicit PageDesk(const DeskLimits& limits);

  using ClientId = std::uint64_t;
  /// `bytesPerSecond` 0: the common limit.
  ClientId add(std::weak_ptr<PageClient> client, double bytesPerSecond = 0);
  void remove(ClientId client);
  /// Page n is answered under `sequence` + n. False: more than kMostWaiting would wait; nothing was taken.
  bool ask(ClientId client, const std::shared_ptr<ServedSet>& set, Urgency urgency, std::uint64_t sequence,
           std::span<const PageName> pages);
  void cancel(ClientId client, std::span<const std::uint64_t> sequences);
  void hurry(ClientId client, std::span<const std::uint64_t> sequences, Urgency urgency);
  void written(ClientId client, std::uint64_t bytes);
  /// Reads pages that are not in memory into it, as far as there is room, after everything else.
  void preload(const std::shared_ptr<ServedSet>& set, std::uint32_t array, std::uint64_t first,
               std::uint64_t count);
  /// Returns a page for the server itself. Waits. Throws what reading throws.
  PageBlobPointer fetch(const std::shared_ptr<ServedSet>& set, std::uint32_t array, std::uint64_t page);
  void setRates(double bytesPerSecond, double bytesPerSecondAndClient);
  /// Begins no read any more, and waits until those on their way have ended; what waited is not answered. Call it before the sets go.
  void close();
  /// Call it regularly: clients that were held back by a rate continue.
  void tick() { pump(); }
  DeskCounters counters() const;

 private:
  struct Ask {
    std::shared_ptr<ServedSet> set;
    std::uint64_t sequence = 0;
    PageName name;
  };
  struct Allowance {
    double perSecond = 0, bytes = 0;
    std::chrono::steady_clock::time_point since{};
    bool allows(std::chrono::steady_clock::time_point now);
    void take(std::uint64_t taken) { bytes -= static_cast<double>(taken); }
  };
  struct Client {
    std::weak_ptr<PageClient> to;
    std::array<std::deque<Ask>, kUrgencyCount> queues;
    std::uint64_t heldBytes = 0;
    /// Bytes sent to it; after a pause at least those of the least served.
    std::uint64_t turn = 0;
    bool ownRate = false;
    Allowance allowance;
    std::size_t waiting() const {
      std::size_t count = 0;
      for (const auto& queue : queues) count += queue.size();
      return count;
    }
  };
  using ClientPointer = std::shared_ptr<Client>;
  struct Waiter {
    ClientPointer client;  ///< null: a preload
    std::uint64_t sequence = 0, heldBytes = 0;
  };
  struct Start {
    std::shared_ptr<ServedSet> set;
    PageName name;
    Waiter waiter;
  };
  struct Delivery {
    std::weak_ptr<PageClient> to;
    ReadyPage ready;
    std::exception_ptr error;
  };
  struct Read {
    PageKey key;
    PageBlobPointer page;
    std::exception_ptr error;
  };
  struct Work {
    std::vector<Start> starts;
    std::vector<Delivery> deliveries;
  };

  void pump();
  bool pumpOnce();
  static void deliver(std::vector<Delivery>& deliveries);
  void plan(Work& work);
  ClientPointer choose(std::size_t urgency, std::chrono::steady_clock::time_point now);
  void giveOut(const ClientPointer& client, std::uint64_t sequence, const PageBlobPointer& page, Work& work);
  void tryAtOnce(Work& work);
  void startReading(const Start& start);
  void landed(const Read& read, Work& work);
  void answer(const Waiter& waiter, const PageBlobPointer& page, const std::exception_ptr& error, Work& work);
  std::uint64_t shareBytes() const;

  DeskLimits m_limits;
  mutable std::mutex m_mutex;
  PageRam m_ram;
  std::unordered_map<ClientId, ClientPointer> m_clients;
  std::vector<ClientPointer> m_active;  ///< with waiting requests
  std::unordered_map<PageKey, std::vector<Waiter>, PageKeyHash> m_reading;
  struct Preload {
    std::shared_ptr<ServedSet> set;
    std::uint32_t array = 0;
    std::uint64_t next = 0, end = 0;
  };
  std::deque<Preload> m_preloads;
  std::uint64_t m_preloadRoom = 0;
  ClientId m_nextId = 1;
  int m_readsOnTheirWay = 0, m_answering = 0;  ///< reads, and threads that hand over what was read
  bool m_closed = false;
  std::condition_variable m_ended;  ///< one of these
  std::uint64_t m_turn = 0;
  Allowance m_allowance;
  DeskCounters m_counters;
};

}  // namespace farfield::remote
