#pragma once
// A paging server of the user's own on another machine, started there by ssh, which carries what both say to each other:
// far+ssh://user@host/path. Nothing listens anywhere, and no token is needed: ssh knows who asks, and the server reads as
// that user.

#include <sys/types.h>

#include <memory>
#include <string>

namespace farfield::remote {

struct SshPlace {
  std::string user;  ///< empty: as ssh has it
  std::string host;
  int port = 0;  ///< 0: as ssh has it
};

/// A process that is ended with this. Not thread-safe.
class SshChild {
 public:
  /// Starts the command in FARFIELD_SSH ("ssh" without it; words are separated by blanks) with the place and the server's
  /// command line behind it. Throws Io, NotFound (no ssh).
  explicit SshChild(const SshPlace& place);
  ~SshChild();
  SshChild(const SshChild&) = delete;
  SshChild& operator=(const SshChild&) = delete;

  /// The socket to talk over; the caller's from now on.
  int takeSocket();
  /// The last line that ssh or the server has said about what went wrong; empty: none. Does not wait.
  std::string lastWords();

 private:
  pid_t m_process = -1;
  int m_socket = -1, m_errors = -1;
  std::string m_said;
};

}  // namespace farfield::remote
