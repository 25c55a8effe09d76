#pragma once
// Standard input and output as one socket: ssh may use two pipes or one socket.

#include <thread>

namespace farfield::remote {

/// Passes bytes both ways on threads of its own, until both directions have ended.
class StdioRelay {
 public:
  /// Throws Io.
  StdioRelay();
  /// Ends the input, and waits until all output has been written.
  ~StdioRelay();
  StdioRelay(const StdioRelay&) = delete;
  StdioRelay& operator=(const StdioRelay&) = delete;
  /// The other end; closed with this object, which ends the output.
  int socket() const { return m_theirs; }
  /// From now on it is the caller's to close.
  void letGo() { m_theirs = -1; }

 private:
  int m_ours = -1, m_theirs = -1;
  std::thread m_out;
};

}  // namespace farfield::remote
