#pragma once
// Standard input and output as one socket: ssh hands over two pipes or one socket, as it likes.

#include <thread>

namespace farfield::remote {

/// Passes bytes both ways on threads of its own, until both ways have ended.
class StdioRelay {
 public:
  /// Throws Io.
  StdioRelay();
  /// Ends what comes in, and waits until what is to go out is out.
  ~StdioRelay();
  StdioRelay(const StdioRelay&) = delete;
  StdioRelay& operator=(const StdioRelay&) = delete;
  /// The other end; the caller's from now on.
  int takeSocket();

 private:
  int m_ours = -1, m_theirs = -1;
  std::thread m_out;
};

}  // namespace farfield::remote
