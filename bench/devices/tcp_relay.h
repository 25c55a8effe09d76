#pragma once
// An emulated link: forwards TCP connections to another port with a delay at a limited rate, cuts them at
// times, and changes the order of replies. Stands in for a wide-area network where the system cannot emulate one.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace farfield::bench {

struct RelayOptions {
  std::string target;                     ///< "127.0.0.1:PORT"
  std::chrono::microseconds delay{0};     ///< one way, in each direction
  double bytesPerSecond = 0;              ///< for all connections together, in each direction; 0: no limit
  std::chrono::milliseconds cutEvery{0};  ///< interval at which all connections are cut; 0: never
  /// A connection through which fewer bytes came back stays at a cut: on a busy machine one that is cut by the clock
  /// alone may never bring a whole page.
  std::uint64_t cutAfterBytes = 0;
  /// Pages of a paging server that arrive together leave in a random order: frames are found by their headers
  /// (docs/dev/protocol.md).
  bool shuffle = false;
  std::uint64_t queueBytes = std::uint64_t{32}
                             << 20;  ///< most bytes on their way in each direction of a connection
};

class TcpRelay {
 public:
  /// Listens on a free port of 127.0.0.1 and runs on threads of its own. Throws Io, Invalid.
  explicit TcpRelay(const RelayOptions& options);
  ~TcpRelay();
  TcpRelay(const TcpRelay&) = delete;
  TcpRelay& operator=(const TcpRelay&) = delete;
  std::string address() const;
  /// Connections that were cut so far.
  std::uint64_t cuts() const;
  /// Bytes that came back from the target so far, through all connections.
  std::uint64_t bytesBack() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::bench
