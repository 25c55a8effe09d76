#pragma once
// All requests over HTTP of a program, on one thread that runs libcurl's multi interface: many at once, over
// connections that are kept, or on one connection if the server speaks HTTP/2. A request is a range of bytes
// that is written into the caller's memory.
//
// A request is waiting -> on its way -> ended. One cut off by a busy server, a lost connection or a short
// body goes back to waiting, for the missing part, with growing pauses, until its patience ends. If it failed
// after a redirection (whose address may be valid for minutes only) it is sent to the first address once
// more.

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>

#include "remote/http/answer.h"
#include "remote/http/http_options.h"
#include "remote/http/http_target.h"

namespace farfield::http {

struct RangeAsk {
  std::shared_ptr<HttpTarget> target;
  std::uint64_t offset = 0;
  std::span<std::byte> to;  ///< valid until the end; not empty
  /// Of the object; null while it is being opened. Valid until the end.
  const paging::Generation* generation = nullptr;
  bool mayBeLonger = false;               ///< of another generation, too, if that is no shorter
  const void* owner = nullptr;            ///< for end()
  std::chrono::milliseconds patience{0};  ///< overrides that of the options; 0: does not
};

struct RangeEnd {
  std::uint64_t got = 0;     ///< bytes received: fewer only at the end of the object, or with an error
  std::exception_ptr error;  ///< does not name the object
  bool hasChanged = false;   ///< the error is that it is of another generation
  Answer answer;             ///< the last one
  double roundTripMs = 0;    ///< from sending to the first byte
  int lost = 0;              ///< connections lost on the way
};

/// Thread-safe.
class Transfers {
 public:
  /// Called once, from the thread of the transfers; must not wait or throw.
  using Done = std::function<void(RangeEnd&&)>;

  /// Throws Io if there is no thread or no libcurl.
  explicit Transfers(const HttpOptions& options);
  /// Ends all with Cancelled.
  ~Transfers();
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;

  /// Does not wait. Throws if memory is out; `done` is not called then.
  void begin(RangeAsk ask, Done done);
  /// begin(), and waits, as StoppableWaits says; `owner` is of no use. Not for the thread of the transfers.
  RangeEnd ask(const RangeAsk& ask);
  /// The waiting of ask(): `begin` sends a request of `owner`, which `end` ends where nobody waits for it any more.
  static RangeEnd waitFor(const std::function<void(const void* owner, Done)>& begin,
                          const std::function<void(const void* owner)>& end);
  /// Ends the requests of `owner` with Cancelled, and waits until all have ended.
  void end(const void* owner) noexcept;
  /// Since when all that `owner` asked for failed and is asked again; 0: it does not fail.
  double failingSeconds(const void* owner) const;
  const HttpOptions& options() const { return m_options; }

 private:
  struct State;
  const HttpOptions m_options;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::http
