#pragma once
// A connection to a paging server with at most one open data set, and a thread of its own. When the
// connection is lost it is made again, with growing pauses; the data set is opened again and unanswered
// requests are sent again. Requests go out as they come, as many as the server takes, without waiting for
// answers.
//
// down -> connecting -> greeting (hello and open are sent at once) -> up; from each back to down when the
// connection ends or nothing comes for too long. When down, it connects again while there are requests, until
// its patience ends; then they fail, and the next request starts again. broken: the server will never answer
// (another file, no valid token); every request fails.
//
// A server may answer that the one behind it does not (NoAnswer). To who waits that is the same as a lost connection: such
// requests are asked again, with growing pauses, until its patience ends. What the server has itself comes meanwhile.

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "remote/client/far_url.h"
#include "remote/client/known_servers.h"
#include "remote/protocol/frame.h"
#include "remote/protocol/messages.h"

namespace farfield::remote {

struct LinkOptions {
  Host host;
  bool overSsh = false;     ///< a server of one's own there, started by ssh
  std::string user;         ///< of ssh; may be empty
  bool asksNobody = false;  ///< ssh fails where it would ask for a password
  Credentials credentials;
  std::optional<OpenRequestMessage> open;  ///< the data set
  std::chrono::milliseconds connectWithin{10000};
  /// With unanswered requests: after this time without an answer the connection is considered dead.
  std::chrono::milliseconds silence{20000};
  /// How long a lost connection, or a server behind this one, is retried before waiting requests fail.
  std::chrono::milliseconds patience{60000};
  /// Is told once when what waits has waited for some seconds, and when it goes on. On the link's thread; null: nobody.
  std::function<void(const std::string& line)> tell = {};
};

/// Receives pages. Called on the link's thread.
class PageReceiver {
 public:
  enum class Room { Given, NotNow, NotWanted };
  struct Whole {
    std::uint64_t id = 0;
    PageHead head;
    std::span<const std::byte> bytes;  ///< during the call
  };
  /// Pages that have come as a whole; the receiver copies what it wants. How many it has taken, or does not want; where
  /// it has no room for the next one, the link waits for Link::goOn().
  virtual std::size_t landed(std::span<const Whole> pages) noexcept = 0;
  /// Memory for the stored bytes of page `id`, which arrive in pieces. NotNow: as above.
  virtual Room room(std::uint64_t id, std::uint64_t bytes, std::span<std::byte>& to) noexcept = 0;
  /// The bytes are in the memory that was given.
  virtual void landed(std::uint64_t id, const PageHead& head, std::span<std::byte> bytes) noexcept = 0;
  /// The connection was lost while the bytes came; the page is asked for again.
  virtual void dropped(std::uint64_t id, std::span<std::byte> bytes) noexcept = 0;
  virtual void failed(std::uint64_t id, std::exception_ptr error) noexcept = 0;

 protected:
  ~PageReceiver() = default;
};

struct LinkAsk {
  std::uint64_t id = 0;  ///< of Link::newId()
  std::uint32_t array = 0;
  std::uint64_t page = 0;
  Urgency urgency = Urgency::Demand;
};

struct LinkCounters {
  std::uint64_t reads = 0;      ///< requests that went out; one may ask for many pages
  std::uint64_t bytesRead = 0;  ///< stored bytes of pages
  std::uint64_t reconnects = 0;
  double roundTripMs = 0;
  double bytesPerSecond = 0;     ///< while pages were on their way
  std::uint64_t pagesAsked = 0;  ///< and not there yet, whether the request went out or waits here
  double silentSeconds = 0;      ///< since something came, while pages are on their way; else 0
  /// Since the connection was lost, or the server said that one behind it does not answer, while it is tried again because
  /// something is asked; else 0.
  double lostSeconds = 0;
  bool isBehind =
      false;  ///< what is asked again waits for a server behind this one; the connection itself stands
  bool isLost = false;  ///< has not been heard of since it was lost, whether something is asked or not
};

/// Thread-safe. Remove a receiver before it is destroyed.
class Link {
 public:
  /// Connects, and opens the data set. Waits. Throws Io (no server there), NotFound (no such host),
  /// Unsupported, Protocol, the server's errors; all name the server. Throws
  /// Cancelled if `stop` is requested.
  static std::shared_ptr<Link> connect(const LinkOptions& options, const std::stop_token& stop = {});
  ~Link();
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  /// "far://host:port".
  const std::string& name() const;
  Welcome welcome() const;
  /// About the data set; the handle is private to the link.
  const Opened& opened() const;

  /// Asks and waits for the answer. Where `handled` the body begins with the data set's handle, which is filled in.
  /// The body of the answer; several where it has parts. Throws what the server answers, Io, Cancelled.
  std::vector<Bytes> call(MessageType type, Bytes body, bool handled, const std::stop_token& stop = {});
  /// The same in two steps, for several at a time.
  struct Call;
  std::shared_ptr<Call> begin(MessageType type, Bytes body, bool handled);
  std::vector<Bytes> finish(const std::shared_ptr<Call>& call, const std::stop_token& stop = {});

  static std::uint64_t newId();
  void read(PageReceiver* receiver, std::span<const LinkAsk> asks);
  void hurry(std::span<const std::uint64_t> ids, Urgency urgency);
  /// Withdraws these requests, except those whose bytes have begun to arrive.
  void cancel(std::span<const std::uint64_t> ids);
  /// After this no function of `receiver` is called any more.
  void remove(PageReceiver* receiver);
  /// Tells the link that a receiver has room again.
  void goOn();
  LinkCounters counters() const;
  /// The server will never answer: another link may.
  bool isBroken() const;
  /// SHA-256 of the server's certificate; empty without TLS.
  std::string peerFingerprint() const;

 private:
  struct State;
  explicit Link(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::remote
