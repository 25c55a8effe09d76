#pragma once
// The inside of a link: requests, answers on their way, and the connection. Members belong to the link's
// thread unless they are declared below the mutex.

#include <array>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "remote/client/link.h"
#include "remote/client/ssh_child.h"
#include "remote/wire/wire.h"

namespace farfield::remote {

struct Link::Call {
  MessageType type = MessageType::Ping;
  std::chrono::steady_clock::time_point since{};  ///< when it was asked
  Bytes body;
  bool handled = false;
  std::vector<Bytes> parts;
  std::exception_ptr error;
  bool done = false;
  bool again = false;  ///< the server behind did not answer it
};

struct Link::State {
  enum class Phase { Down, Connecting, Greeting, Up, Broken };
  using Clock = std::chrono::steady_clock;
  struct Page {
    PageReceiver* receiver = nullptr;
    LinkAsk ask;
    bool again = false;  ///< the server behind did not answer it
  };
  using Handler = std::function<void()>;

  explicit State(const LinkOptions& options);
  ~State();
  void start();

  // Connecting (link_connect.cpp).
  void connect();
  void connected();
  void connectBySsh();
  void greet();
  void lose(const std::string& why, bool mayTryAgain = true);
  void breakUp(std::exception_ptr error);
  void giveUp(const std::string& why);
  void failAll(const std::exception_ptr& error);
  void requeue();
  void watch();
  void tellOfWaits();
  LinkCounters countersNow() const;

  // A server behind this one that does not answer (link_behind.cpp).
  bool askLater(std::uint64_t sequence, const std::string& why);
  void rest();
  void giveUpBehind();
  /// Something asked was answered.
  void notePassedLocked(bool again);
  bool anyAgainLocked() const;

  // Talking (link_talk.cpp).
  void send(MessageType type, std::uint64_t sequence, std::span<const std::byte> body);
  void flush();
  void sendWaiting();
  void readMore();
  void received(std::size_t bytes);
  bool takeWholePages();
  bool takePage();
  bool beginPage(const FrameHeader& header);
  void onFrame(const FrameHeader& header, std::span<const std::byte> body);
  void onFailed(std::uint64_t sequence, std::span<const std::byte> body);
  void endGreeting();
  void finishCall(std::uint64_t sequence, std::span<const std::byte> body, bool last);
  void pokeLocked();
  void askedSomething();
  bool hasWorkLocked() const;
  /// Whether somebody waits for it yet: who leaves lets go of it.
  static bool isWanted(const std::shared_ptr<Call>& call) { return !call->done && call.use_count() > 1; }
  /// About unsent requests.
  bool anyQueuedLocked() const;
  std::deque<Page> takeQueuedLocked();
  std::deque<Page>& queueOf(const Page& page) { return queues[static_cast<std::size_t>(page.ask.urgency)]; }
  void noteBusy(bool busy);

  const LinkOptions options;
  const std::string name;
  asio::io_context io{1};
  asio::executor_work_guard<asio::io_context::executor_type> guard{io.get_executor()};
  asio::ip::tcp::resolver resolver{io};
  asio::steady_timer timer{io}, retryTimer{io}, restTimer{io};
  std::shared_ptr<Wire> wire;  ///< kept by its handlers, too
  std::unique_ptr<asio::ip::tcp::socket> dialing;
  std::unique_ptr<SshChild> ssh;
  /// Counts connections; late events of an earlier one are ignored.
  std::uint64_t generation = 0;
  Phase phase = Phase::Down;
  bool everUp = false, retrying = false;
  /// What had come when it was told that something waits long; none: nothing does.
  std::optional<std::uint64_t> toldAt;
  bool resting = false;  ///< until restTimer ends nothing is asked
  std::chrono::milliseconds pause{50}, restPause{50};
  Clock::time_point downSince{}, phaseSince{}, lastHeard{}, dialed{}, pingSent{};
  bool pingOut = false, welcomed = false;
  std::uint32_t handle = 0;
  std::uint32_t mostPages = 1;

  Bytes in;
  std::size_t inBegin = 0, inEnd = 0;
  bool reading = false, readingDirectly = false, waitingForRoom = false;
  struct Receiving {
    Page page;
    PageHead head;
    std::span<std::byte> to;
    std::size_t got = 0;
  };
  std::optional<Receiving> receiving;
  std::size_t skip = 0;  ///< bytes of an unwanted page
  /// Of takeWholePages(), kept for their memory.
  struct WholePage {
    std::uint64_t sequence = 0;
    std::size_t end = 0;  ///< of its frame in `in`
    Page page;
  };
  std::vector<WholePage> wholePages;
  std::vector<PageReceiver::Whole> wholes;
  std::vector<Bytes> out;
  bool writing = false;

  mutable std::mutex mutex;
  std::condition_variable changed;
  bool poked = false, stopping = false;
  std::array<std::deque<Page>, kUrgencyCount> queues;           ///< not sent
  std::unordered_map<std::uint64_t, Page> pages;                ///< sent, by sequence
  std::unordered_map<std::uint64_t, std::uint64_t> sequenceOf;  ///< of the sent ones, by id
  std::vector<std::uint64_t> cancels;                           ///< sequences to be sent
  std::array<std::vector<std::uint64_t>, kUrgencyCount> hurries;
  std::deque<std::shared_ptr<Call>> calls;  ///< not sent
  std::map<std::uint64_t, std::shared_ptr<Call>> asked;
  std::uint64_t nextSequence = 1;
  std::optional<Welcome> welcome;
  std::optional<Opened> opened;
  std::exception_ptr broken;
  bool firstDone = false;
  std::exception_ptr firstError;
  std::string fingerprint;
  LinkCounters counters;
  Clock::time_point heardAt{}, busySince{};
  std::optional<Clock::time_point> lostSince;  ///< while a connection that was up is not
  /// While what the server behind did not answer is asked again, and what was said of it.
  std::optional<Clock::time_point> behindSince;
  std::string behindWhy;
  double busySeconds = 0;
  bool busy = false;

  std::thread thread;
};

}  // namespace farfield::remote
