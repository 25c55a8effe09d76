#pragma once
// All requests over HTTP of a program, on one thread that runs libcurl's multi interface: many at once, over
// connections that are kept, on one connection where the server speaks HTTP/2. A request is a range of bytes that
// comes to lie in memory of whoever asks.
//
// A request is waiting -> on its way -> ended; one that a busy server, a lost connection or a short body cut off goes
// back to waiting, for what is missing of it, with growing pauses, until patience ends. What failed behind a redirection
// (its address may be good for minutes only) is asked of the first address once more.

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
  std::span<std::byte> to;  ///< stays until the end; not empty
  /// Of the object; null while it is being opened. Stays until the end.
  const paging::Generation* generation = nullptr;
  const void* owner = nullptr;            ///< for end()
  std::chrono::milliseconds patience{0};  ///< another than that of the options; 0: that
};

struct RangeEnd {
  std::uint64_t got = 0;     ///< bytes that came: fewer only at the end of the object, or with an error
  std::exception_ptr error;  ///< does not name the object
  Answer answer;             ///< the last one
  double roundTripMs = 0;    ///< from asking to the first byte
  int lost = 0;              ///< connections that were lost on the way
};

/// Thread-safe.
class Transfers {
 public:
  /// Called from the thread of the transfers, once; must not wait, nor throw.
  using Done = std::function<void(RangeEnd&&)>;

  /// Throws Io where there is no thread or no libcurl.
  explicit Transfers(const HttpOptions& options);
  /// Ends all with Cancelled.
  ~Transfers();
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;

  /// Does not wait. Throws where memory is out; `done` is not called then.
  void begin(RangeAsk ask, Done done);
  /// begin(), and waits. Not for the thread of the transfers.
  RangeEnd ask(const RangeAsk& ask);
  /// Ends what `owner` asked for with Cancelled, and waits until all of it has ended.
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
